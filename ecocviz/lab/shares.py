"""How many background computations one visitor may have under way, in all pools together."""

import threading
from collections.abc import Callable

from ecocviz.lab.report import Report

UNLIMITED = 1 << 30


class Shares:
    """Counts, for each viewer, the jobs that it has begun and that are not over.

    Parameters
    ----------
    most
        So many; one more is refused. Nobody in particular, "", has no limit.
    """

    def __init__(self, most: int = UNLIMITED) -> None:
        self._most = most
        self._reports: dict[str, list[Report]] = {}
        self._lock = threading.Lock()
        self.crowded: list[Callable[[str], None]] = []
        """Called when a viewer has all that it may: what it looks away from makes way."""

    def make_way(self, owner: str) -> None:
        """End what a viewer looks away from if it has all that it may; hold no pool's lock meanwhile."""
        if owner and self._under_way(owner) >= self._most:
            for tell in self.crowded:
                tell(owner)

    def enter(self, report: Report) -> None:
        """Count a job that begins; raise a sentence where its owner has too many."""
        if not report.owner:
            return
        if self._under_way(report.owner) >= self._most:
            raise ValueError(
                f"{self._most} of your computations are running or waiting; "
                "cancel one, or wait until one has ended."
            )
        with self._lock:
            self._reports.setdefault(report.owner, []).append(report)

    def _under_way(self, owner: str) -> int:
        """Return how many jobs of an owner are not over; one that was cancelled is."""
        with self._lock:
            left = [
                report
                for report in self._reports.pop(owner, ())
                if report.ended is None and not report.stopped.is_set()
            ]
            if left:
                self._reports[owner] = left
            return len(left)
