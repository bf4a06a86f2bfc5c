"""Long work in the background: progress, partial results, cancel, many viewers of one job.

A job is known by its key (a scenario, or a tuple with one): whoever asks for the same key looks at
the same job. It is cancelled when its last viewer leaves; one that is only turned away from goes on
until another has to wait. Results are kept within bytes, the least recently looked at forgotten first.

A job is small work of a gate until it asks for more (`lab/away.py`).
"""

import logging
import threading
import weakref
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError as NeverBegunError
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from ecocviz.lab.gate import Gate
from ecocviz.lab.keeper import size_of
from ecocviz.lab.report import CancelledError, Elsewhere, JobState, Report, Snapshot, working_for
from ecocviz.lab.shares import Shares
from ecocviz.lab.threads import step_back_here

LOG = logging.getLogger(__name__)

MAX_BYTES = 100_000_000
MAX_KEPT = 500
MAX_WAITING = 150

TOO_LARGE = "This problem does not fit into memory; choose fewer points, fewer machines or a linear kernel."


@dataclass
class _Job:
    report: Report
    viewers: set[str]
    away: set[str]
    """Viewers who look elsewhere and may come back."""
    future: "Future[Any]"
    before: tuple[Any, ...]
    """What was found before it was begun anew, shown until it has found as much."""
    n_bytes: int | None = None
    """Size of what it found, once it is over and has been weighed."""


class Jobs:
    """A pool of background jobs, each in a thread of its own that waits at the gate for its turn.

    Parameters
    ----------
    gate
        Says which job may compute; one of its own where none is given.
    workers
        Do the large parts of jobs; without them all is done in the job's thread.
    max_bytes
        Room for the results of jobs that are over.
    max_kept
        Jobs remembered, whatever their size, those that are not over included.
    max_waiting
        Jobs that may wait for their turn; one more is refused.
    later
        Whether somebody who waits for one result comes before these jobs: they are sweeps, comparisons.
    shares
        How many jobs one viewer may have under way, in all pools that are given the same; else there is
        no limit.
    """

    def __init__(
        self,
        gate: Gate | None = None,
        workers: Elsewhere | None = None,
        *,
        max_bytes: int = MAX_BYTES,
        max_kept: int = MAX_KEPT,
        max_waiting: int = MAX_WAITING,
        later: bool = False,
        shares: Shares | None = None,
    ) -> None:
        self._gate, self._workers, self._shares = gate or Gate(), workers, shares or Shares()
        self._pool = ThreadPoolExecutor(
            2 * max_waiting, thread_name_prefix="ecocviz-job", initializer=step_back_here
        )
        self._max_bytes, self._max_kept, self._max_waiting = max_bytes, max_kept, max_waiting
        self._later = later
        self._jobs: OrderedDict[Hashable, _Job] = OrderedDict()
        self._open: dict[Hashable, _Job] = {}
        """Those that were not over when last looked at; hundreds that are over are not gone through."""
        self._pinned: set[Hashable] = set()
        self._lock = threading.RLock()
        self._gate.crowded.append(self._make_way)
        self._shares.crowded.append(self._make_way_for)
        _POOLS.add(self)

    def start(self, key: Hashable, work: Callable[[Report], Any], viewer: str = "") -> Snapshot:
        """Start the work, or join the job of that key; a failed or cancelled one is begun anew."""
        self._shares.make_way(viewer)
        with self._lock:
            job = self._jobs.get(key)
            told = None if job is None else self._told(job)
            if job is None or told is None or told.state in {JobState.FAILED, JobState.CANCELLED}:
                job = self._submit(key, work, viewer, () if told is None else told.partial)
            job.viewers.add(viewer)
            job.away.discard(viewer)
            self._jobs.move_to_end(key)
            return self._told(job)

    def pin(self, key: Hashable) -> None:
        """Never drop what the job of a key finds; those who pin keep to what is small."""
        with self._lock:
            self._pinned.add(key)

    def _submit(
        self, key: Hashable, work: Callable[[Report], Any], viewer: str, before: tuple[Any, ...]
    ) -> _Job:
        waiting = sum(self._told(job).state is JobState.WAITING for job in self._unfinished().values())
        if waiting >= self._max_waiting:
            raise ValueError(
                f"{waiting} computations are already waiting; try again when some have finished."
            )
        report = Report(viewer, later=self._later, gate=self._gate, workers=self._workers)
        self._shares.enter(report)
        job = _Job(report, {viewer}, set(), self._pool.submit(_work, work, report, self._gate), before)
        self._jobs[key] = self._open[key] = job
        self._forget(key)
        return job

    def _unfinished(self) -> dict[Hashable, _Job]:
        self._open = {key: job for key, job in self._open.items() if not job.future.done()}
        return self._open

    def _make_way(self) -> None:
        """Cancel a job that nobody looks at, the oldest: somebody has to wait."""
        with self._lock:
            for job in [job for job in self._unfinished().values() if not job.viewers][:1]:
                self._cancel(job)

    def _make_way_for(self, viewer: str) -> None:
        """Cancel the jobs that one viewer alone has begun and looks away from: it asks for others."""
        with self._lock:
            for job in self._unfinished().values():
                if not job.viewers and job.away == {viewer}:
                    self._cancel(job)

    def _forget(self, latest: Hashable) -> None:
        """Drop the oldest jobs that are over beyond the limits, but for the latest one."""
        spared = {latest, *self._pinned}
        over = [key for key, job in self._jobs.items() if job.future.done() and key not in spared]
        total, n_kept = sum(map(self._weight, over)), len(self._jobs.keys() - self._pinned)
        for key in over:
            if total <= self._max_bytes and n_kept <= self._max_kept:
                break
            total, n_kept = total - self._weight(key), n_kept - 1
            del self._jobs[key]

    def _weight(self, key: Hashable) -> int:
        """Return the size of what a job that is over has found."""
        job = self._jobs[key]
        if job.n_bytes is None:
            snapshot = self._told(job)
            job.n_bytes = size_of((snapshot.result, snapshot.partial))
        return job.n_bytes

    @property
    def n_bytes(self) -> int:
        """Size of the results that are kept."""
        with self._lock:
            return sum(self._weight(key) for key, job in self._jobs.items() if job.future.done())

    def counts(self) -> dict[JobState, int]:
        """Return how many jobs are in which state."""
        with self._lock:
            states = [self._told(job).state for job in self._jobs.values()]
        return {state: states.count(state) for state in JobState}

    def under_way(self) -> dict[JobState, int]:
        """Return how many jobs that are not over are in which state; the others are not looked at."""
        with self._lock:
            return Counter(self._told(job).state for job in self._unfinished().values())

    def look(self, key: Hashable) -> Snapshot | None:
        """Return the job as it is now, or None if there is none."""
        with self._lock:
            job = self._jobs.get(key)
            return None if job is None else self._told(job)

    def leave(self, key: Hashable, viewer: str = "") -> None:
        """Stop waiting for a job; when nobody waits any more it is cancelled."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                return
            job.viewers.discard(viewer)
            job.away.discard(viewer)
            if not job.viewers | job.away and not job.future.done():
                self._cancel(job)

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
            if job is not None and self._told(job).state.over:
                del self._jobs[key]

    def clear(self) -> None:
        """Drop all jobs that are over, pinned ones too."""
        with self._lock:
            for key in [key for key, job in self._jobs.items() if job.future.done()]:
                del self._jobs[key]

    def leave_for(self, gone: Callable[[str], bool]) -> None:
        """Leave the unfinished jobs in the name of all viewers that are gone, such as closed windows."""
        with self._lock:
            watched = [
                (key, viewer) for key, job in self._unfinished().items() for viewer in job.viewers | job.away
            ]
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
        return self._told(job)

    def _cancel(self, job: _Job) -> None:
        job.report.stopped.set()
        job.future.cancel()
        ticket = job.report.ticket
        if ticket is not None:
            self._gate.withdraw(ticket)

    def _told(self, job: _Job) -> Snapshot:
        ticket = job.report.ticket
        return _snapshot(job, 0 if ticket is None else self._gate.ahead(ticket))

    def close(self, *, wait: bool = True) -> None:
        """Cancel everything, and wait for the threads unless told not to."""
        with self._lock:
            for job in self._unfinished().values():
                self._cancel(job)
        self._pool.shutdown(wait=wait, cancel_futures=True)


_POOLS: weakref.WeakSet[Jobs] = weakref.WeakSet()


def close_all() -> None:
    """Cancel the jobs of every pool without waiting: the process is about to end."""
    for pool in list(_POOLS):
        pool.close(wait=False)


def _work(work: Callable[[Report], Any], report: Report, gate: Gate) -> Any:  # noqa: ANN401 - a job's result is the work's own
    report.check()
    try:
        with gate.small(report):
            report.began = perf_counter()
            with working_for(report):
                return work(report)
    finally:
        report.ended = perf_counter()


def _snapshot(job: _Job, ahead: int) -> Snapshot:
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
    elif report.began is not None and report.ticket is None:
        state = JobState.RUNNING
    seconds = 0.0 if report.began is None else (report.ended or perf_counter()) - report.began
    share = 1.0 if state is JobState.DONE else report.share
    partial = tuple(report.partial)
    if state is not JobState.DONE and len(partial) < len(job.before):
        partial = job.before
    return Snapshot(state, share, report.text, partial, result, error, seconds, ahead, report.expected)


def _sentence(failure: BaseException) -> str:
    """Say what went wrong: our own refusals as they are, anything else by its kind (trace in the log)."""
    if isinstance(failure, ValueError):
        return str(failure)
    if isinstance(failure, MemoryError):
        return TOO_LARGE
    LOG.error("A background computation failed.", exc_info=failure)
    return f"The computation stopped unexpectedly ({type(failure).__name__}); change a setting and try again."
