"""Long work in the background: a bounded pool, progress, partial results, cancel, many viewers of one job.

A job is known by its key (a scenario, or a tuple with one): whoever asks for the same key looks at
the same job. It is cancelled when its last viewer leaves; one that is only turned away from goes on
until another job needs its thread. Finished jobs are kept, the least recently looked at forgotten first.
"""

import logging
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError as NeverBegunError
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter
from typing import Any

from ecocviz.engine.progress import Part, Progress

LOG = logging.getLogger(__name__)

N_THREADS = 2
MAX_KEPT = 64
MAX_WAITING = 32

TOO_LARGE = "This problem does not fit into memory; choose fewer points, fewer machines or a linear kernel."


class JobState(StrEnum):
    """Where a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def over(self) -> bool:
        """Nothing more will come."""
        return self in {JobState.DONE, JobState.FAILED, JobState.CANCELLED}


class CancelledError(RuntimeError):
    """Raised inside the work when nobody waits for it any more."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A job as it is at one moment.

    Attributes
    ----------
    state
        Where it stands.
    share
        Share of the work done, 0 to 1.
    note
        What it is doing, in a few words.
    partial
        Results so far, in the order in which they were finished.
    result
        What the work returned, once done.
    error
        One sentence, if it failed.
    seconds
        Time since it began, or that it took.
    ahead
        Jobs that come before it, while it waits.
    expected
        Seconds that it is predicted to take once it begins, None where nobody can tell.
    """

    state: JobState
    share: float
    note: str
    partial: tuple[Any, ...]
    result: Any
    error: str | None
    seconds: float
    ahead: int = 0
    expected: float | None = None


class Report(Progress):
    """Handed to the work: it tells how far it is, and hears by `CancelledError` that it should stop."""

    def __init__(self) -> None:
        self.share = 0.0
        self.text = ""
        self.partial: list[Any] = []
        self.stopped = threading.Event()
        self.began: float | None = None
        self.ended: float | None = None

    def at(self, share: float) -> None:
        """Say which share of the work is done; it never goes back."""
        self.check()
        self.share = min(1.0, max(self.share, share))

    def note(self, text: str) -> None:
        """Say what comes now."""
        self.check()
        self.text = text

    def add(self, item: object) -> None:
        """Hand over a partial result."""
        self.check()
        self.partial.append(item)

    def check(self) -> None:
        """Raise if the job was cancelled."""
        if self.stopped.is_set():
            raise CancelledError("The job was cancelled.")

    def part(self, number: int, n_parts: int, name: str = "") -> Progress:
        """Return the progress of one of several equal parts."""
        return Part(self, number, n_parts, name)


@dataclass
class _Job:
    report: Report
    viewers: set[str]
    away: set[str]
    """Viewers who look elsewhere and may come back."""
    future: "Future[Any]"


class Jobs:
    """A bounded pool of background jobs.

    Parameters
    ----------
    n_threads
        Jobs that run at the same time.
    max_kept
        Jobs remembered, running ones included.
    max_waiting
        Jobs that may wait for a thread; one more is refused.
    """

    def __init__(
        self, n_threads: int = N_THREADS, max_kept: int = MAX_KEPT, max_waiting: int = MAX_WAITING
    ) -> None:
        self._pool = ThreadPoolExecutor(n_threads, thread_name_prefix="ecocviz-job")
        self._n_threads = n_threads
        self._max_kept = max_kept
        self._max_waiting = max_waiting
        self._jobs: OrderedDict[Hashable, _Job] = OrderedDict()
        self._lock = threading.Lock()
        _POOLS.add(self)

    def start(self, key: Hashable, work: Callable[[Report], Any], viewer: str = "") -> Snapshot:
        """Start the work, or join the job of that key; a failed or cancelled one is begun anew."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None or _snapshot(job).state in {JobState.FAILED, JobState.CANCELLED}:
                job = self._submit(key, work)
            job.viewers.add(viewer)
            job.away.discard(viewer)
            self._jobs.move_to_end(key)
            self._forget()
            return _snapshot(job)

    def _submit(self, key: Hashable, work: Callable[[Report], Any]) -> _Job:
        waiting = sum(_snapshot(job).state is JobState.WAITING for job in self._jobs.values())
        if waiting >= self._max_waiting:
            raise ValueError(
                f"{waiting} computations are already waiting; try again when some have finished."
            )
        self._make_way()
        report = Report()
        job = _Job(report, set(), set(), self._pool.submit(_work, work, report))
        self._jobs[key] = job
        return job

    def _make_way(self) -> None:
        """Cancel jobs that nobody looks at, the oldest first, until a new one finds a thread."""
        unfinished = [job for job in self._jobs.values() if not job.future.done()]
        wanting = len(unfinished) + 1 - self._n_threads
        for job in [job for job in unfinished if not job.viewers][: max(wanting, 0)]:
            _cancel(job)

    def _forget(self) -> None:
        """Drop the oldest finished jobs beyond the limit; unfinished ones are never dropped."""
        spare = len(self._jobs) - self._max_kept
        for key in [key for key, job in self._jobs.items() if _snapshot(job).state.over][: max(spare, 0)]:
            del self._jobs[key]

    def look(self, key: Hashable) -> Snapshot | None:
        """Return the job as it is now, or None if there is none."""
        with self._lock:
            job = self._jobs.get(key)
            return None if job is None else _snapshot(job)

    def leave(self, key: Hashable, viewer: str = "") -> None:
        """Stop waiting for a job; when nobody waits any more it is cancelled."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                return
            job.viewers.discard(viewer)
            job.away.discard(viewer)
            if not job.viewers | job.away and not job.future.done():
                _cancel(job)

    def look_away(self, key: Hashable, viewer: str = "") -> None:
        """Look elsewhere: a job that nobody looks at goes on as long as no other waits for its thread."""
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and viewer in job.viewers:
                job.viewers.remove(viewer)
                job.away.add(viewer)

    def forget(self, key: Hashable) -> None:
        """Drop a job that is over, so that the next one to ask begins it anew."""
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and _snapshot(job).state.over:
                del self._jobs[key]

    def leave_for(self, gone: Callable[[str], bool]) -> None:
        """Leave the unfinished jobs in the name of all viewers that are gone, such as closed windows."""
        with self._lock:
            open_jobs = [(key, job) for key, job in self._jobs.items() if not job.future.done()]
            watched = [(key, viewer) for key, job in open_jobs for viewer in job.viewers | job.away]
        for key, viewer in watched:
            if gone(viewer):
                self.leave(key, viewer)

    def wait(self, key: Hashable, timeout: float | None = None) -> Snapshot | None:
        """Wait until a job is over or the time is up."""
        with self._lock:
            job = self._jobs.get(key)
        if job is None:
            return None
        with suppress(TimeoutError, NeverBegunError):  # it may be cancelled while it is waited for
            job.future.exception(timeout)
        return _snapshot(job)

    def close(self, *, wait: bool = True) -> None:
        """Cancel everything, and wait for the threads unless told not to."""
        with self._lock:
            for job in self._jobs.values():
                job.report.stopped.set()
        self._pool.shutdown(wait=wait, cancel_futures=True)


_POOLS: weakref.WeakSet[Jobs] = weakref.WeakSet()


def close_all() -> None:
    """Cancel the jobs of every pool without waiting: the process is about to end."""
    for pool in list(_POOLS):
        pool.close(wait=False)


def _cancel(job: _Job) -> None:
    job.report.stopped.set()
    job.future.cancel()


def _work(work: Callable[[Report], Any], report: Report) -> Any:  # noqa: ANN401 - a job's result is the work's own
    report.began = perf_counter()
    try:
        report.check()
        return work(report)
    finally:
        report.ended = perf_counter()


def _snapshot(job: _Job) -> Snapshot:
    report, state, result, error = job.report, JobState.WAITING, None, None
    if job.future.cancelled():
        state = JobState.CANCELLED
    elif job.future.done():
        failure = job.future.exception()
        if failure is None:
            state, result = JobState.DONE, job.future.result()
        elif isinstance(failure, CancelledError):
            state = JobState.CANCELLED
        else:
            state, error = JobState.FAILED, _sentence(failure)
    elif report.stopped.is_set():
        state = JobState.CANCELLED
    elif report.began is not None:
        state = JobState.RUNNING
    seconds = 0.0 if report.began is None else (report.ended or perf_counter()) - report.began
    share = 1.0 if state is JobState.DONE else report.share
    return Snapshot(state, share, report.text, tuple(report.partial), result, error, seconds)


def _sentence(failure: BaseException) -> str:
    """Say what went wrong: our own refusals as they are, anything else by its kind (trace in the log)."""
    if isinstance(failure, ValueError):
        return str(failure)
    if isinstance(failure, MemoryError):
        return TOO_LARGE
    LOG.error("A background computation failed.", exc_info=failure)
    return f"The computation stopped unexpectedly ({type(failure).__name__}); change a setting and try again."
