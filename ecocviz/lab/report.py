"""What a background job tells: where it stands, how far it is, what it has found; how it hears to stop."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from ecocviz.engine.progress import Part, Progress
from ecocviz.lab.gate import Gate, Ticket


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


class Elsewhere(Protocol):
    """Where large work is done: worker processes."""

    def call(
        self,
        function: Callable[..., Any],
        /,
        *arguments: Any,  # noqa: ANN401 - the function's own
        report: Progress,
        max_bytes: int | None = None,
    ) -> Any:  # noqa: ANN401 - what the function returns
        """Return function(*arguments, progress), computed there; `report` hears of its progress."""


class Report(Progress):
    """Handed to the work: it tells how far it is, and hears by `CancelledError` that it should stop.

    Attributes
    ----------
    owner
        Who began the job.
    later
        Whether somebody who waits for one result comes first.
    expected
        Seconds that it is predicted to take, once that is known.
    ticket
        Where it stands in the queue while it waits for its turn.
    slot
        The slot of small work that it holds.
    gate, workers
        Where its large parts wait for their turn, and who does them; None where they are done here.
    """

    def __init__(
        self,
        owner: str = "",
        *,
        later: bool = False,
        gate: Gate | None = None,
        workers: Elsewhere | None = None,
    ) -> None:
        self.gate, self.workers = gate, workers
        self.share = 0.0
        self.text = ""
        self.partial: list[Any] = []
        self.stopped = threading.Event()
        self.began: float | None = None
        self.ended: float | None = None
        self.owner = owner
        self.later = later
        self.expected: float | None = None
        self.ticket: Ticket | None = None
        self.slot: Ticket | None = None

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


_HERE = threading.local()


def working() -> Report | None:
    """Return the report of the job that this thread works for, None outside a job."""
    report: Report | None = getattr(_HERE, "report", None)
    return report


@contextmanager
def working_for(report: Report) -> Iterator[None]:
    """Let this thread work for a job inside."""
    _HERE.report = report
    try:
        yield
    finally:
        _HERE.report = None
