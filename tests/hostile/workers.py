"""Runs hostile cases in processes of their own, bounded in time and memory: whatever happens is noted."""

import contextlib
import os
import queue
import resource
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

from loky.backend import get_context

from tests.hostile.cases import Kind, Noted, case_of, collect, note

HANGS_AFTER = 30.0
"""Seconds by the clock after which a case is given up, with its process."""
STARTS_WITHIN = 120.0
MEMORY = 3 << 30
CHUNK = 100
WARM = 20
"""Cases that are run first and not noted: what is imported or compiled once is no case's time."""


@dataclass(frozen=True, slots=True)
class Result:
    """A case by its kind and number, and what became of it."""

    kind: str
    number: int
    noted: Noted


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some cases of one kind: numbers `first` to `last` - 1."""

    kind: str
    first: int
    last: int


def chunks(kinds: Sequence[Kind], n_cases: int) -> list[Chunk]:
    """Divide so many cases among the kinds by their shares, each kind in pieces."""
    whole = sum(kind.share for kind in kinds)
    found = []
    for kind in kinds:
        count = max(1, round(n_cases * kind.share / whole))
        found += [Chunk(kind.name, k, min(k + CHUNK, count)) for k in range(0, count, CHUNK)]
    # All kinds go forward together, so that a run that is cut off has seen each.
    return sorted(found, key=lambda chunk: chunk.first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How cases are run: which, where, and until when (of `time.monotonic`)."""

    seed: int = 0
    n_workers: int = 2
    until: float = float("inf")
    package: str = "tests.hostile"


def run(asked: Sequence[Chunk], form: Form, tell: Callable[[Result], None]) -> None:
    """Run chunks in processes of their own; tell of every case."""
    waiting: queue.SimpleQueue[Chunk] = queue.SimpleQueue()
    for chunk in asked:
        waiting.put(chunk)
    lock = threading.Lock()

    def told(result: Result) -> None:
        with lock:
            tell(result)

    threads = [threading.Thread(target=_drive, args=(waiting, form, told)) for _ in range(form.n_workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _drive(waiting: "queue.SimpleQueue[Chunk]", form: Form, tell: Callable[[Result], None]) -> None:
    """Hand chunks to one process after another; a new one takes over where one died."""
    worker = _Worker(form)
    try:
        while time.monotonic() < form.until:
            try:
                chunk = waiting.get_nowait()
            except queue.Empty:
                break
            number = chunk.first
            while number < chunk.last:
                for noted in worker.notes(Chunk(chunk.kind, number, chunk.last)):
                    tell(Result(chunk.kind, number, noted))
                    number += 1
                if number < chunk.last:
                    tell(Result(chunk.kind, number, worker.end()))
                    number += 1
                    worker = _Worker(form)
    finally:
        worker.end()


class _Worker:
    """One process that runs chunks, seen from outside."""

    def __init__(self, form: Form) -> None:
        # Not "spawn": it would first run what the main module is by now, a page that a test has shown.
        context = get_context("loky")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, form), daemon=True)
        self._process.start()
        theirs.close()
        assert self._connection.poll(STARTS_WITHIN), "A worker did not start."
        self._connection.recv()

    def notes(self, chunk: Chunk):
        """Go through what becomes of a chunk's cases; ends early where the process dies or hangs."""
        self._connection.send(chunk)
        for _ in range(chunk.first, chunk.last):
            try:
                if not self._connection.poll(HANGS_AFTER):
                    return
                yield self._connection.recv()
            except (EOFError, ConnectionError):
                return

    def end(self) -> Noted:
        """End the process; return what that says about the case it was at."""
        alive = self._process.is_alive() and not self._process.join(0.5) and self._process.exitcode is None
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()
        self._connection.close()
        if alive:
            return Noted("hang", HANGS_AFTER, 0.0, f"no answer within {HANGS_AFTER:.0f} s")
        return Noted("crash", 0.0, 0.0, f"the process died with status {self._process.exitcode}")


def _work(connection: Connection, form: Form) -> None:
    """Run chunks until nobody asks any more."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    kinds = collect(form.package)
    connection.send("ready")
    warm = set()
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            chunk = connection.recv()
            kind = kinds[chunk.kind]
            for number in range(0 if chunk.kind in warm else WARM):
                note(kind, case_of(kind, form.seed + 1, number))
            warm.add(chunk.kind)
            for number in range(chunk.first, chunk.last):
                connection.send(note(kind, case_of(kind, form.seed, number)))
