"""How long work tells how far it is, and how it is told to stop."""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

Progress: TypeAlias = Callable[[float], None]
"""Told the share of the work that is done; may raise to cancel the rest."""

Check: TypeAlias = Callable[[], None]
"""Called now and then; may raise to cancel the rest."""

Told = TypeVar("Told", Progress, Progress | None)


def silent(_share: float) -> None:
    """Tell nobody."""


def asking(progress: Progress) -> Check:
    """Return a call that asks whether to go on, without a step forward."""
    return lambda: progress(0.0)


def part_of(progress: Told, number: int, n_parts: int) -> Told:
    """Return a progress call for one of several equal parts of the work.

    >>> shares = []
    >>> part_of(shares.append, 1, 4)(0.5)
    >>> shares
    [0.375]
    """
    if progress is None:
        return progress
    return lambda share: progress((number + share) / n_parts)
