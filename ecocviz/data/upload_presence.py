"""Which sessions are there, told to the folder of uploads by the process that serves them.

An upload stays while a session that brought it or looks at it is there. Every process writes that down for
its own sessions, so that others know of it, and that it is known when this one has been killed.
"""

import hashlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ecocviz.data import upload_store as store

MEMORY_SECONDS = 3_600.0
"""A session that has left may come back for so long and finds its uploads its own."""
JUMP_SECONDS = 60.0
"""The clock of the day has been set if it and one that cannot be set differ by so much more than before."""


def owner_of(session: str) -> str:
    """Return what the folder calls a session; who knows a session's own name could take it over."""
    return hashlib.sha256(f"ecocviz owner {session}".encode()).hexdigest()[:16] if session else ""


def steady() -> float:
    """Return seconds of a clock that nobody sets; it goes on while the computer sleeps, if one does."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


@dataclass(slots=True)
class _Seen:
    last: float
    brought: set[str] = field(default_factory=set)
    shown: str = ""


class Presence:
    """The sessions of this process that have to do with uploads."""

    def __init__(self) -> None:
        self._seen: dict[str, _Seen] = {}
        self._lock = threading.Lock()
        self._difference: float | None = None

    def brings(self, session: str, name: str) -> None:
        """Note that a session has brought an upload."""
        if session:
            with self._lock:
                self._seen.setdefault(session, _Seen(steady())).brought.add(name)

    def shows(self, session: str, name: str) -> None:
        """Note what a session looks at, "" if that is no upload; cheap where it is what it was."""
        with self._lock:
            seen = self._seen.get(session)
            if not session or (name == seen.shown if seen else not name):
                return
            if seen is None:
                seen = self._seen[session] = _Seen(steady())
            seen.shown = name
        if store.NAME.fullmatch(name):
            store.touch(store.place_of(name))

    def beat(self, gone: Callable[[str], bool]) -> None:
        """Write down who is there; `gone` says whether a session has ended."""
        with self._lock:
            sessions = list(self._seen)
        for session in sessions:
            if not gone(session):
                self._write(session)
        with self._lock:
            left = steady() - MEMORY_SECONDS
            self._seen = {session: seen for session, seen in self._seen.items() if seen.last > left}

    def _write(self, session: str) -> None:
        with self._lock:
            seen = self._seen.get(session)
            if seen is None:
                return
            seen.last = steady()
            brought, shown = set(seen.brought), seen.shown
        for name in brought:
            place = store.place_of(name)
            if not (store.touch(place / f"{store.OWNER}{owner_of(session)}") and store.touch(place)):
                with self._lock:
                    seen.brought.discard(name)  # removed, or given up for another
        if store.NAME.fullmatch(shown):
            store.touch(store.place_of(shown))

    def clock_jumped(self) -> bool | None:
        """Say whether the clock of the day has been set since the last call; None at the first."""
        difference = store.now() - steady()
        before, self._difference = self._difference, difference
        return None if before is None else abs(difference - before) > JUMP_SECONDS


PRESENCE = Presence()
