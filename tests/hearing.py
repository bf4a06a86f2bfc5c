"""Listeners for work that tells where it is."""

import itertools

from ecocviz.engine.progress import Telling
from ecocviz.lab.report import CancelledError, Report


class EndedError(Exception):
    """What ends the work that `ending` listens to."""


def ending(above=-1.0, calls=1, error=EndedError):
    """A progress that ends the work: at so many calls that tell of more than a share."""
    heard = itertools.count(1)

    def hear(share, _note):
        if share > above and next(heard) >= calls:
            raise error

    return Telling(hear)


def shares_to(function):
    """A progress that calls a function with every share; what it raises ends the work."""
    return Telling(lambda share, _note: function(share))


def notes_to(notes):
    """A progress that appends every new note to a list."""

    def hear(_share, note):
        if note and note not in notes[-1:]:
            notes.append(note)

    return Telling(hear)


class Impatient(Report):
    """What a job tells a page, which cancels the work once a share of it is done."""

    def __init__(self, above):
        super().__init__()
        self.above = above

    def note(self, text):
        assert text
        super().note(text)

    def at(self, share):
        super().at(share)
        if share > self.above:
            raise CancelledError("enough")
