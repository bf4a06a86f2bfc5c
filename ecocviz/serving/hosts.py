"""Which hosts a server answers to.

A page of another site whose name was made to mean this computer (DNS rebinding) asks with that name, and its
origin is that name too: only the name gives it away.
"""

import os
import re
import time
from collections.abc import Iterable, Mapping, MutableMapping
from urllib.parse import urlsplit

from ecocviz.serving.asgi import Scope, Send, answer, header
from ecocviz.serving.limiter import read_address
from ecocviz.serving.reach import all_addresses, is_local, offered

ALLOWED = "ECOCVIZ_ALLOW_HOST"
"""Names of this server beside its addresses, with blanks between."""
NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.IGNORECASE)
LONGEST_NAME = 253
FRESH_SECONDS = 5.0
"""How long the computer's addresses are believed to be what they were."""


class Hosts:
    """The hosts that a server answers to: this computer's own names, where it listens, and what is allowed.

    Parameters
    ----------
    listens
        The address that the server listens on.
    environ
        Names the allowed ones.
    """

    def __init__(self, listens: str, environ: Mapping[str, str]) -> None:
        self._listens = listens
        self._allowed = {one.lower() for one in environ.get(ALLOWED, "").split()}
        self._found, self._until = frozenset[str](), 0.0

    def know(self, scope: Scope) -> bool:
        """Say whether a request asks for this server; the port may be another one, that of a tunnel."""
        name = name_in(header(scope, b"host"))
        address = read_address(name)
        if address is None:
            return name in self._allowed or (bool(name) and is_local(name))
        return address.is_loopback or name in self._allowed or str(address) in self._addresses()

    def _addresses(self) -> frozenset[str]:
        """Return the addresses that the server listens on now: networks come and go."""
        if time.monotonic() > self._until:
            found = (self._listens, *offered(self._listens, all_addresses()))
            self._found = frozenset(str(read_address(one) or one) for one in found)
            self._until = time.monotonic() + FRESH_SECONDS
        return self._found


def name_in(host: bytes | None) -> str:
    """Return the name that a request asks for, "" where there is none.

    >>> name_in(b"Class.example.:8501"), name_in(b"[::1]:80"), name_in(b"a@b"), name_in(None)
    ('class.example', '::1', '', '')
    """
    text = (host or b"").decode("latin-1")
    try:
        parts = urlsplit(f"//{text}")
    except ValueError:
        return ""
    name = (parts.hostname or "").removesuffix(".")
    return name if _is_name(name) and parts.netloc == text and "@" not in text else ""


def _is_name(text: str) -> bool:
    return len(text) <= LONGEST_NAME and bool(NAME.fullmatch(text) or read_address(text))


def allow(names: Iterable[str], environ: MutableMapping[str, str] = os.environ) -> None:
    """Let the app that is started answer to more names; raise a sentence for what is no name."""
    wanted = [*environ.get(ALLOWED, "").split(), *names]
    for name in wanted:
        if not _is_name(name):
            raise ValueError(
                f"{name[:60]!r} is no name of a host; --allow-host and {ALLOWED} take one like "
                "course.example, without https:// and without a port."
            )
    environ[ALLOWED] = " ".join(dict.fromkeys(wanted))


async def turn_away(scope: Scope, send: Send) -> None:
    """Answer a request for another host: say what to do."""
    name = name_in(header(scope, b"host"))
    told = (
        f"This server does not answer to the name {name}: open it at its own address, or start it with "
        f"--allow-host {name} (or {ALLOWED}={name})."
    )
    await answer(send, 421, told if name else "A request has to name the host that it is for.")
