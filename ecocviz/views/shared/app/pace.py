"""How often a browser asks after a job that it waits for, and when what it shows is drawn again."""

from collections.abc import Hashable
from dataclasses import dataclass
from time import perf_counter

from ecocviz.lab.report import JobState, Snapshot
from ecocviz.views.shared.draw.waits import seconds_left, steadied

SOONEST_SECONDS, LATEST_SECONDS = 0.3, 3.0
MOST_SHARE, LEAST_SHARE = 0.12, 0.04
"""Of the time that was waited: nobody sees a result much later than that, and nobody asks more often."""
STREAM_SECONDS = 1.0
"""Partial results are drawn at most this often, the first at once."""


@dataclass(slots=True)
class Wait:
    """One browser's wait for one job.

    Attributes
    ----------
    job
        Pool and key.
    since
        When it began.
    left
        Seconds left that were told last, if any.
    told
        When that was.
    mark
        Seconds and share of the job when its first step was seen to be over.
    """

    job: Hashable
    since: float
    left: float | None = None
    told: float = 0.0
    mark: tuple[float, float] | None = None

    def estimate(self, snapshot: Snapshot, now: float) -> float | None:
        """Return the seconds left to tell now."""
        if self.mark is None and snapshot.share > 0:
            self.mark = snapshot.seconds, snapshot.share
        self.left = steadied(self.left, now - self.told, seconds_left(snapshot, self.mark or (0.0, 0.0)))
        self.told = now
        return self.left


@dataclass(frozen=True, slots=True)
class Drawn:
    """A job as its section was drawn with it."""

    snapshot: Snapshot
    at: float

    @classmethod
    def now(cls, snapshot: Snapshot) -> "Drawn":
        """Note what is being drawn."""
        return cls(snapshot, perf_counter())

    def is_old(self, snapshot: Snapshot | None) -> bool:
        """Say whether the section has to be drawn again: the job is over or gone, or has found more."""
        if snapshot is None or snapshot.state.over:
            return True
        shown = len(self.snapshot.partial)
        if len(snapshot.partial) <= shown:
            return False
        return not shown or perf_counter() - self.at >= STREAM_SECONDS


def next_look(snapshot: Snapshot, waited: float, left: float | None) -> float:
    """Return after how many seconds the job is looked at again.

    Parameters
    ----------
    snapshot
        The job.
    waited
        Seconds for which it has been waited for; for a job that runs its own seconds count.
    left
        Seconds that it still takes, None where nobody can tell: a look just then comes in time.
    """
    # A job that waits is not over before it has run.
    spent = snapshot.seconds if snapshot.state is JobState.RUNNING else max(waited, snapshot.expected or 0.0)
    latest = _within(MOST_SHARE * spent)
    return latest if left is None else min(max(left, _within(LEAST_SHARE * spent)), latest)


def _within(seconds: float) -> float:
    return min(max(seconds, SOONEST_SECONDS), LATEST_SECONDS)
