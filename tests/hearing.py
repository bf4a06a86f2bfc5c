"""Listeners for work that tells where it is."""

from ecocviz.engine.progress import Telling


def shares_to(function):
    """A progress that calls a function with every share; what it raises ends the work."""
    return Telling(lambda share, _note: function(share))


def notes_to(notes):
    """A progress that appends every new note to a list."""

    def hear(_share, note):
        if note and note not in notes[-1:]:
            notes.append(note)

    return Telling(hear)
