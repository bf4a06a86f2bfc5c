"""Errors that differ by chance: over seeds their mean and how far they scatter, never the least of them."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Generic, TypeVar

Place = TypeVar("Place", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Spread(Generic[Place]):
    """The errors of one setting, one for each seed."""

    place: Place
    errors: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Their mean."""
        return fmean(self.errors)

    def told(self, digits: int = 1) -> str:
        """Say mean, standard deviation and how many there are.

        >>> Spread("", (0.1, 0.2, 0.3)).told()
        '20.0 % on average over 3 seeds (standard deviation 10.0 %)'
        >>> Spread("", (0.125,)).told()
        '12.5 % with one seed'
        """
        mean = f"{100 * self.mean:.{digits}f} %"
        if len(self.errors) == 1:
            return f"{mean} with one seed"
        scatter = f"standard deviation {100 * stdev(self.errors):.{digits}f} %"
        return f"{mean} on average over {len(self.errors)} seeds ({scatter})"


def over_seeds(found: Iterable[tuple[Place, float]]) -> list[Spread[Place]]:
    """Gather errors by all that is varied but the seed, in the order in which settings come first."""
    errors: dict[Place, list[float]] = {}
    for place, error in found:
        errors.setdefault(place, []).append(error)
    return [Spread(place, tuple(each)) for place, each in errors.items()]


def range_text(errors: Iterable[float], digits: int = 1) -> str:
    """Say from where to where errors go.

    >>> range_text([0.25, 0.1]), range_text([0.25, 0.25])
    ('from 10.0 % to 25.0 %', '25.0 %')
    """
    shown = [round(100 * error, digits) for error in errors]
    low, high = min(shown), max(shown)
    return f"{low:.{digits}f} %" if low == high else f"from {low:.{digits}f} % to {high:.{digits}f} %"
