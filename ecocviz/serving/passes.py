"""The access code, and the pass that it buys: a signed cookie of limited age, void when the code changes.

Another cookie marks a browser that was shown the access page: it opens nothing, and has tries of its own.
"""

import hashlib
import hmac
import os
import secrets
import stat
import time
from collections.abc import Callable
from pathlib import Path

COOKIE, MARK = "ecocviz_pass", "ecocviz_browser"
AGE_SECONDS = 16 * 3_600
"""How long a pass is good: a day at the university, with a lesson in the evening."""
SHORTEST, LONGEST = 6, 200
FEWEST_DIGITS = 9  # all codes of fewer are tried within days, at the rate at which they are judged
MOST_READ = 10_000


def read_code(file: Path) -> str:
    """Read an access code: the first line of a file that only its owner (and its group) may read.

    Raises `ValueError` with a sentence for a file that is not there, open to all, or holds no such code.
    """
    try:
        with file.open("rb") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            line = opened.read(MOST_READ).partition(b"\n")[0]
    except OSError as error:
        raise ValueError(
            f"The file of the access code, {file}, cannot be read: {error.strerror or error}."
        ) from None
    if os.name == "posix" and mode & (stat.S_IROTH | stat.S_IWOTH):
        raise ValueError(
            f"Everybody on this computer can read or change {file}, which holds the access code; "
            f"let only its owner: chmod 600 {file}"
        )
    try:
        code = line.decode().strip()
    except UnicodeDecodeError:
        raise ValueError(f"The access code in {file} is not text in UTF-8.") from None
    if not SHORTEST <= len(code) <= LONGEST or not code.isprintable():
        raise ValueError(
            f"The first line of {file} has to be an access code of {SHORTEST} to {LONGEST} characters; "
            f"it has {len(code)}."
        )
    if code.isdigit() and len(code) < FEWEST_DIGITS:
        raise ValueError(
            f"The access code in {file} is guessed within days; use {FEWEST_DIGITS} digits, or letters too."
        )
    return code


def key_of(secret: bytes, code: str) -> bytes:
    """Return what passes are signed with: it belongs to one server and one code, and gives neither away."""
    return hmac.digest(secret, code.encode(errors="surrogatepass"), hashlib.sha256)


class Passes:
    """Makes passes and knows them again.

    Parameters
    ----------
    key
        What they are signed with.
    clock
        Tells the seconds since 1970: the processes of a server have it in common.
    """

    def __init__(self, key: bytes, clock: Callable[[], float] = time.time) -> None:
        self._key, self._clock = key, clock

    def make(self) -> str:
        """Make one that is good from now on."""
        until = str(int(self._clock()) + AGE_SECONDS)
        return f"{until}.{self._sign(until)}"

    def good(self, text: str) -> bool:
        """Say whether a text is a pass of ours that is still good."""
        until, _, signature = text.partition(".")
        if not (text.isascii() and until.isdigit() and len(until) <= 12):
            return False
        left = int(until) - self._clock()
        return hmac.compare_digest(signature, self._sign(until)) and 0 < left <= AGE_SECONDS

    def mark(self) -> str:
        """Make a mark for a browser."""
        name = secrets.token_hex(16)
        return f"{name}.{self._sign(f'{MARK} {name}')}"

    def marked(self, text: str) -> str:
        """Return the name in a mark of ours, "" of another text."""
        name, _, signature = text.partition(".")
        ours = text.isascii() and hmac.compare_digest(signature, self._sign(f"{MARK} {name}"))
        return name if ours else ""

    def _sign(self, text: str) -> str:
        return hmac.digest(self._key, text.encode(), hashlib.sha256).hex()
