"""How far a command is: a bar on a terminal, a line now and then elsewhere."""

import os
import shutil
import sys
from time import perf_counter

LENGTH = 24
"""Characters of the bar."""
TOLD = 10
"""How often, at most, the share is told where there is no terminal."""


class Bar:
    """Tells how many of `n` things are done.

    Parameters
    ----------
    n, what
        How many there are, and what they are called: "points".
    lines
        Whether each has a line of its own: elsewhere than on a terminal nothing else is needed then.
    """

    def __init__(self, n: int, what: str, *, lines: bool = True) -> None:
        self._n, self._what, self._lines = n, what, lines
        self._n_done = self._n_before = 0
        self._began = perf_counter()
        self._drawn = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def clear(self) -> None:
        """Make room for a line."""
        if self._drawn:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def known(self, n: int) -> None:
        """Count things that were done before."""
        self._n_before += n
        self._n_done += n

    def one_more(self) -> None:
        """Count one, and tell."""
        self._n_done += 1
        n, n_done = self._n, self._n_done
        if self._drawn:
            filled = LENGTH * n_done // n
            left = (perf_counter() - self._began) * (n - n_done) / max(1, n_done - self._n_before)
            told = f"{n_done} of {n}, about {_time(left)} left"
            bar = f"[{'#' * filled}{'.' * (LENGTH - filled)}] "
            room = shutil.get_terminal_size().columns - 1  # what is longer stays behind on lines of its own
            shown = f"{bar if len(bar + told) <= room else ''}{told}"[:room]
            print(f"\r\033[K{shown}", end="", file=sys.stderr, flush=True)
        elif not self._lines and TOLD * n_done // n > TOLD * (n_done - 1) // n:
            print(f"{n_done} of {n} {self._what}", file=sys.stderr, flush=True)


def _time(seconds: float) -> str:
    """Write a time as a person would.

    >>> _time(8.4), _time(600.0), _time(40_000.0)
    ('8 s', '10 minutes', '11 hours')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 6000 else f"{seconds / 3600:.0f} hours"
