"""What is written down under load, and what becomes of it."""

import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from math import ceil

KNOWN = ("cached change", "page switch, cached", "everybody at once")
"""Kinds of changes for which nothing has to be trained."""


@dataclass
class Log:
    """Everything that happened.

    Attributes
    ----------
    seconds
        Kind of a wait -> when it began to be waited for, and how long that took.
    errors
        Sentence -> how many times.
    gave_up
        Visitors who waited too long.
    """

    began: float = field(default_factory=time.perf_counter)
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    gave_up: int = 0
    bytes: int = 0
    polls: int = 0

    def took(self, kind: str, seconds: float) -> None:
        """Write down how long something took."""
        self.seconds[kind].append(seconds)

    def wrong(self, what: str) -> None:
        """Write down that something went wrong."""
        self.errors[what] += 1

    def told(self) -> dict[str, dict[str, float]]:
        """Return, for each kind and for all that is known, how many there were and how long they took."""
        known = [seconds for kind in KNOWN for seconds in self.seconds.get(kind, [])]
        kinds = sorted(self.seconds.items()) + ([("all that is known", known)] if known else [])
        return {kind: summary(seconds) for kind, seconds in kinds}


def summary(seconds: list[float]) -> dict[str, float]:
    """Return the number of some times, and their middle, 95th percentile and longest in ms."""
    return {
        "n": len(seconds),
        "p50_ms": round(1000 * quantile(seconds, 0.5), 1),
        "p95_ms": round(1000 * quantile(seconds, 0.95), 1),
        "max_ms": round(1000 * max(seconds), 1),
    }


def quantile(values: list[float], share: float) -> float:
    """Return the smallest value that at least this share of the values does not exceed.

    >>> quantile([4.0, 1.0, 3.0, 2.0], 0.5), quantile([1.0], 0.95)
    (2.0, 1.0)
    """
    ordered = sorted(values)
    return ordered[max(ceil(len(ordered) * share) - 1, 0)]
