"""Heavy work in processes of its own: whatever happens to one task happens to nothing else.

Each slot is a pool of one process, so that a task can be ended by ending its process, and a process that
is lost is replaced at once (docs/decisions/0010-worker-processes.md).
"""

import threading
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.lab.jobs import TOO_LARGE
from ecocviz.lab.parcels import Depot, clear, pack, unpack
from ecocviz.lab.report import CancelledError
from ecocviz.lab.worker_process import Failure, Work
from ecocviz.lab.worker_slot import ASK_SECONDS, NotBegunError, Order, Slot

Value = TypeVar("Value")
P = ParamSpec("P")

SILENT_SECONDS = 600.0
"""What gives no sign of life for so long has lost its way."""
LOADED = ("ecocviz.lab.run", "ecocviz.lab.evaluate")
"""What most tasks need."""


class Workers(Executor):
    """Worker processes behind the interface of every executor, and `call` for work that tells how far it is.

    Parameters
    ----------
    n_slots
        Tasks that run at the same time, each in a process of its own.
    silent_seconds
        A task that gives no sign of life for so long is ended.
    loaded
        Modules that each process imports when it starts.
    roots
        Where values are handed over; shared memory and the folder for temporary files if not given.
    """

    def __init__(
        self,
        n_slots: int,
        *,
        silent_seconds: float = SILENT_SECONDS,
        loaded: Sequence[str] = LOADED,
        roots: Sequence[Path] | None = None,
    ) -> None:
        self._depot = Depot(roots)
        self._closed = threading.Event()
        self._slots = [Slot(loaded, self._closed) for _ in range(n_slots)]
        self._free = list(self._slots)
        self._changed = threading.Condition()
        self._silent_seconds = silent_seconds
        self._threads = ThreadPoolExecutor(n_slots, thread_name_prefix="ecocviz-worker")
        _ALL.add(self)

    def warm(self) -> None:
        """Start the processes that do not run yet, without waiting for them."""
        with self._changed:
            for slot in self._free:
                slot.warm()

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that are ready for work, or at it."""
        return tuple(pid for slot in self._slots if (pid := slot.pid) is not None)

    @property
    def idle(self) -> bool:
        """Whether a process would begin at once with what it is asked."""
        with self._changed:
            return bool(self._free)

    def submit(self, fn: Callable[P, Value], /, *args: P.args, **kwargs: P.kwargs) -> "Future[Value]":
        """Call a function in a worker process."""
        return self._threads.submit(self._run, Work(fn, args, kwargs, reported=False), NO_PROGRESS, None)

    def call(
        self, function: Callable[..., Value], *args: object, report: Progress, max_bytes: int | None = None
    ) -> Value:
        """Return function(*args, report) as a worker process computes it.

        Raises ValueError with one sentence where the task refuses, its process crashes or is killed, memory
        runs out, or it gives no sign of life; anything else as the task raises it.

        Parameters
        ----------
        function
            Of the top level of a module.
        args
            What can be pickled.
        report
            Told what the worker's report is told: shares and notes a few times a second, partial results all
            and in order. It is asked all the time, and what it raises ends the task within a second.
        max_bytes
            What the task may take beyond what its process has, where the system can see to that.
        """
        found: Value = self._run(Work(function, args, {}, reported=True), report, max_bytes)
        return found

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let what was submitted end, or cancel it, and end the processes; without waiting, cancel."""
        if cancel_futures or not wait:
            self._closed.set()
        self._threads.shutdown(wait=wait, cancel_futures=self._closed.is_set())
        self._closed.set()
        with self._changed:
            if wait:
                self._changed.wait_for(lambda: len(self._free) == len(self._slots))
            for slot in self._free:  # one that has a task ends with it
                slot.end(wait=wait)
        self._depot.close()

    def close(self) -> None:
        """Cancel everything, and end the processes."""
        self.shutdown(cancel_futures=True)

    def _run(self, work: Work, report: Progress, max_bytes: int | None) -> Any:  # noqa: ANN401 - its own
        places = self._depot.places()
        slot = self._take(report)
        try:
            try:
                found = slot.do(self._order(work, report, places, max_bytes))
            except NotBegunError:  # the process was lost while it had nothing to do
                found = slot.do(self._order(work, report, places, max_bytes))
            if not isinstance(found, Failure):
                return unpack(found)
        finally:
            clear(places)
            self._give(slot)
        raise _refusal(found.exception())

    def _order(self, work: Work, report: Progress, places: Sequence[Path], max_bytes: int | None) -> Order:
        def ask() -> None:
            self._ask(report)

        return Order(pack(work, places), places, max_bytes, report, ask, self._silent_seconds)

    def _take(self, report: Progress) -> Slot:
        with self._changed:
            while not self._free:
                self._ask(report)
                self._changed.wait(ASK_SECONDS)
            self._ask(report)
            return self._free.pop()  # the one that was used last: those never needed are not started

    def _give(self, slot: Slot) -> None:
        with self._changed:
            if self._closed.is_set():
                slot.end()
            self._free.append(slot)
            self._changed.notify_all()

    def _ask(self, report: Progress) -> None:
        if self._closed.is_set():
            raise CancelledError("The worker processes were closed.")
        report.check()


def _refusal(error: BaseException) -> BaseException:
    """Say in one sentence what a task has died of; leave any other exception as it is."""
    if not isinstance(error, MemoryError):
        return error
    refusal = ValueError(TOO_LARGE)
    refusal.__cause__ = error
    return refusal


_ALL: weakref.WeakSet[Workers] = weakref.WeakSet()


def close_all() -> None:
    """End all worker processes without waiting: the server is about to end."""
    for workers in list(_ALL):
        workers.shutdown(wait=False)
