"""Files and connections that a process may have open at the same time, and who may hold them.

uvicorn waits for ever for the rest of a request: who sends none would hold all that a process may open.
"""

import asyncio
import logging
import sys
from functools import cache
from pathlib import Path
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

LOG = logging.getLogger(__name__)
MAX_FILES = 8_192
SPARE_FILES = 40
"""How many are kept for what goes on besides new sessions, of four each: the store, workers, requests."""
OPEN = Path("/dev/fd")
HEAD_SECONDS = 15.0
"""How long a browser may take to say what it asks for; haproxy waits as long."""


def allow_files(n: int = MAX_FILES) -> None:
    """Let this process open more files, as far as it may: a session holds four, one that has left three.

    A shell often allows 1,024 (macOS: 256), which is less than 200 visitors need.
    """
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - Windows has none

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = n if hard == resource.RLIM_INFINITY else min(n, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def may_open_more(spare: int = SPARE_FILES) -> bool:
    """Say whether there is room for another session."""
    if sys.platform == "win32":
        return True
    import resource  # noqa: PLC0415 - as above

    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if limit == resource.RLIM_INFINITY or len([*OPEN.iterdir()]) + spare <= limit:
        return True
    _tell()
    return False


def say_it_once(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Take what goes wrong in an event loop, which says 2,000 times a second that nobody can be let in."""
    if str(context.get("message", "")).startswith("socket.accept() out of"):
        _tell()
    else:
        loop.default_exception_handler(context)


@cache
def _tell() -> None:
    LOG.warning("More browsers are refused: this process may open no more files. Allow more (ulimit -n).")


class Impatient(AutoHTTPProtocol):  # type: ignore[misc, valid-type]  # uvicorn chooses which it is
    """The protocol of uvicorn, which hangs up on a connection that does not say in time what it asks for."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to look at it."""
        super().connection_made(transport)
        self.loop.call_later(HEAD_SECONDS, self._look, None)

    def _look(self, before: object) -> None:
        """Hang up if nothing was asked since the last answer, or at all."""
        if self not in self.connections:  # it has ended, or is a websocket
            return
        over = self.cycle is None or self.cycle.response_complete
        if over and self.cycle is before:
            self.transport.close()
        else:
            self.loop.call_later(HEAD_SECONDS, self._look, self.cycle if over else self)
