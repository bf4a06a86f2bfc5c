"""How long work says where it is, and hears that it should stop: one object, handed down.

`Progress` itself says nothing to nobody: it is the default of every `progress` parameter, so that no
function asks whether somebody listens. Whoever listens overrides `at`, `note` and `check`.
"""

import math
from collections.abc import Callable


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

    Parameters
    ----------
    tell : callable
        Called with the share of the work that is done, 0 to 1, and the latest note, a string.

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


class Asking(Progress):
    """Progress that only asks the whole whether to go on: of work that is no known share of it.

    Examples
    --------
    >>> whole = Telling(lambda share, note: print(share, note))
    >>> whole.note("iterating")
    0.0 iterating
    >>> whole.at(0.5)
    0.5 iterating
    >>> Asking(whole).at(0.9)
    0.5 iterating
    """

    def __init__(self, whole: Progress) -> None:
        self._whole = whole

    def at(self, share: float) -> None:
        """Ask whether to go on."""
        del share
        self.check()

    def check(self) -> None:
        """Ask whether to go on."""
        self._whole.check()


class Falling:
    """Tells how far a number has fallen, in decades between the largest it was and a goal.

    The share never falls, even where the number rises again.

    Examples
    --------
    >>> gap = Falling(Telling(lambda share, note: print(share)), goal=0.01)
    >>> gap.at(1.0)
    0.0
    >>> gap.at(0.1)
    0.5
    """

    def __init__(self, progress: Progress, goal: float) -> None:
        self._progress, self._goal = progress, goal
        self._largest = self._share = 0.0

    def at(self, value: float) -> None:
        """Tell the share that a value stands for."""
        if math.isfinite(value):
            self._largest = max(self._largest, value)
        if value <= self._goal:
            self._share = 1.0
        elif self._largest > value:
            decades = math.log(self._largest / value) / math.log(self._largest / self._goal)
            self._share = max(self._share, decades)
        self._progress.at(self._share)

    def check(self) -> None:
        """Ask whether to go on."""
        self._progress.check()


NO_PROGRESS = Progress()
"""Nobody listens."""
