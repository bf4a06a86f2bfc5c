"""The supervisor's desk: a socket at which its app processes have codes judged and tell how they are.

All attempts at the access code come here, however many processes there are, so that they are counted once;
the code itself is known here only. What processes tell is for the operator's page.
"""

import asyncio
import hmac
import json
import secrets
import socket
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ecocviz.serving.handed import Handed, Network
from ecocviz.serving.limiter import Limiter, Rate
from ecocviz.serving.passes import Passes, key_of
from ecocviz.serving.turns import Turns

BROWSER, ADDRESS = Rate(10, 30.0), Rate(60, 30.0)
"""Wrong codes of one browser, and of all at an address without a mark: how many at once, how soon again."""
TURN_SECONDS, MOST_WAITING = 0.1, 40
"""A wrong code takes one turn, whoever types it: 36,000 tries an hour for somebody who makes himself a new
browser for each. Fewer would let him keep out, from an address that he shares, who types the right one."""
LONGEST_LINE = 200_000
ANSWER_SECONDS = 5.0
WINDOW_SECONDS = 300.0
MOST_RUNS, MOST_ERRORS = 20_000, 50

Said = dict[str, Any]


@dataclass(slots=True)
class Told:
    """What a process has told.

    Attributes
    ----------
    at
        When, in seconds of `time.monotonic`.
    latest
        What it told last.
    runs
        When runs of pages ended, and the milliseconds that they took.
    """

    at: float = 0.0
    latest: Said = field(default_factory=dict)
    runs: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=MOST_RUNS))


class Desk:
    """Judges codes, and keeps what processes tell.

    Parameters
    ----------
    path
        Of the socket, in a folder that nobody else may enter.
    code
        Reads the access code; None where everybody is let in.
    behind
        Where proxies stand that are believed.
    """

    def __init__(
        self, path: Path, code: Callable[[], str] | None = None, behind: Sequence[Network] = ()
    ) -> None:
        self._path, self._read, self._behind = path, code, tuple(behind)
        self._secret, self.word = secrets.token_bytes(32), secrets.token_urlsafe(24)
        self._key = None if code is None else key_of(self._secret, code())
        self._of_browsers, self._of_addresses = Limiter(BROWSER), Limiter(ADDRESS)
        self._turns = Turns(TURN_SECONDS, MOST_WAITING)
        self._server: asyncio.Server | None = None
        self.refused = 0
        self.told: dict[int, Told] = {}
        self.errors: deque[Said] = deque(maxlen=MOST_ERRORS)

    @property
    def handed(self) -> Handed:
        """What a process that starts now needs to know."""
        return Handed(str(self._path), self._key, self.word, self._behind)

    def renew(self) -> None:
        """Read the code again: if it is another one, no process takes an old pass from now on."""
        if self._read is not None:
            self._key = key_of(self._secret, self._read())

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_unix_server(self._hear, self._path, limit=LONGEST_LINE)

    async def stop(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                asked = json.loads(await reader.readline())
                answer = await self.answer(asked)
                writer.write(json.dumps(answer).encode() + b"\n")
                await writer.drain()
        except (OSError, ValueError, TypeError, KeyError, TimeoutError):
            pass  # whoever asked like this, or left, gets no answer
        finally:
            writer.close()

    async def answer(self, asked: Said) -> Said:
        """Answer what a process asks."""
        if "judge" in asked:
            return await self.judge(**asked["judge"])
        return self.note(**asked["note"]) if "note" in asked else self.key(**asked["key"])

    # Codes -----------------------------------------------------------------------------------------

    async def judge(self, address: str, code: str, browser: str = "") -> Said:
        """Judge a code in its turn: a pass, or nothing with the seconds until the next attempt is heard.

        Tries are counted for a browser at an address, of browsers without a mark for the address.
        """
        attempts, who = self._of_addresses, address
        if browser:
            attempts, who = self._of_browsers, f"{address} {browser}"
        if (wait := attempts.seconds(who)) > 0.0:
            self.refused += 1
            return {"unheard": True, "wait": wait}
        if not await self._turns.wait(address):
            self.refused += 1
            return {"busy": True}
        if self._key is not None and hmac.compare_digest(key_of(self._secret, code), self._key):
            self._turns.end()
            return {"pass": Passes(self._key).make()}
        self.refused += 1
        attempts.count(who)
        return {"wait": attempts.seconds(who)}

    def key(self) -> Said:
        """Tell what passes are signed with now: processes that run have been handed the one before."""
        return {} if self._key is None else {"key": self._key.hex()}

    # What processes tell ---------------------------------------------------------------------------

    def note(self, pid: int, runs: list[float], errors: list[Said], **latest: Any) -> Said:  # noqa: ANN401 - whatever a process tells
        """Keep what a process tells."""
        told, now = self.told.setdefault(pid, Told()), time.monotonic()
        told.at, told.latest = now, latest
        told.runs.extend((now, float(run)) for run in runs)
        self.errors.extend(errors)
        return {}

    def forget(self, pids: set[int]) -> None:
        """Forget all processes but these."""
        for gone in self.told.keys() - pids:
            del self.told[gone]

    def runs_of(self, pid: int) -> list[float]:
        """Return the milliseconds of a process's runs in the last minutes."""
        told, since = self.told.get(pid), time.monotonic() - WINDOW_SECONDS
        return [] if told is None else [run for at, run in told.runs if at >= since]


async def ask(path: str, asked: Said) -> Said | None:
    """Ask the desk and wait for its answer; None if it gives none."""
    with suppress(OSError, ValueError, TimeoutError):
        async with asyncio.timeout(ANSWER_SECONDS):
            reader, writer = await asyncio.open_unix_connection(path)
            try:
                writer.write(json.dumps(asked).encode() + b"\n")
                answer: Said = json.loads(await reader.readline())
                return answer
            finally:
                writer.close()
    return None


def tell(path: str, asked: Said) -> None:
    """Tell the desk something, from a thread."""
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(ANSWER_SECONDS)
        line.connect(path)
        line.sendall(json.dumps(asked).encode() + b"\n")
        line.recv(64)
