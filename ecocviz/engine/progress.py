"""How long work says where it is, and hears that it should stop: one object, handed down.

`Progress` itself says nothing to nobody: it is the default of every `progress` parameter, so that no
function asks whether somebody listens. Whoever listens overrides `at`, `note` and `check`.
"""

from collections.abc import Callable
from typing import TypeAlias, TypeVar


class Progress:
    """Where a piece of work is; this one does nothing.

    Each of the three calls may raise, which ends the work.

    Examples
    --------
    >>> Progress().part(1, 4).at(0.5)
    """

    def at(self, share: float) -> None:
        """Say which share of the work is done, 0 to 1."""

    def note(self, text: str) -> None:
        """Say what comes now, in a few words."""

    def check(self) -> None:
        """Ask whether to go on, without a step forward."""

    def part(self, number: int, n_parts: int, name: str = "") -> "Progress":
        """Return the progress of one of several equal parts of the work, counted from 0.

        A name stands in front of the part's notes.
        """
        del number, n_parts, name
        return self


class Telling(Progress):
    """Progress that calls a function with the share and the latest note; what it raises ends the work.

    Examples
    --------
    >>> progress = Telling(lambda share, note: print(share, note))
    >>> fold = progress.part(1, 4, "fold 2")
    >>> fold.note("training")
    0.0 fold 2: training
    >>> fold.at(0.5)
    0.375 fold 2: training
    """

    def __init__(self, tell: Callable[[float, str], None]) -> None:
        self._tell = tell
        self._share = 0.0
        self._note = ""

    def at(self, share: float) -> None:
        """Tell the share."""
        self._share = share
        self.check()

    def note(self, text: str) -> None:
        """Tell the note."""
        self._note = text
        self.check()

    def check(self) -> None:
        """Tell both again."""
        self._tell(self._share, self._note)

    def part(self, number: int, n_parts: int, name: str = "") -> Progress:
        """Return the progress of one of several equal parts."""
        return Part(self, number, n_parts, name)


class Part(Progress):
    """The progress of one of several equal parts of a work, told to the whole."""

    def __init__(self, whole: Progress, number: int, n_parts: int, name: str = "") -> None:
        self._whole, self._number, self._n_parts, self._name = whole, number, n_parts, name

    def at(self, share: float) -> None:
        """Say which share of the part is done."""
        self._whole.at((self._number + share) / self._n_parts)

    def note(self, text: str) -> None:
        """Say what comes now in this part."""
        self._whole.note(f"{self._name}: {text}" if self._name else text)

    def check(self) -> None:
        """Ask whether to go on."""
        self._whole.check()

    def part(self, number: int, n_parts: int, name: str = "") -> Progress:
        """Return the progress of a part of this part."""
        return Part(self, number, n_parts, name)


NO_PROGRESS = Progress()
"""Nobody listens."""

# The calls that this object replaces, until the last of them is gone.

Check: TypeAlias = Callable[[], None]
Told = TypeVar("Told", Callable[[float], None], Callable[[float], None] | None)


def silent(_share: float) -> None:
    """Tell nobody."""


def asking(progress: Callable[[float], None]) -> Check:
    """Return a call that asks whether to go on, without a step forward."""
    return lambda: progress(0.0)


def part_of(progress: Told, number: int, n_parts: int) -> Told:
    """Return a progress call for one of several equal parts of the work."""
    if progress is None:
        return progress
    return lambda share: progress((number + share) / n_parts)
