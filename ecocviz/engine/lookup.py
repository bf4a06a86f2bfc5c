"""Finding what a key names, or which key was meant."""

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeVar

Entry = TypeVar("Entry")


def nearest(text: str, known: Iterable[str]) -> str | None:
    """Return the known name that a mistyped one is most like, if one is like it.

    >>> nearest("one-vs-al", ["one-vs-one", "one-vs-all"])
    'one-vs-all'
    >>> nearest("teapot", ["one-vs-one", "one-vs-all"]) is None
    True
    """
    found = difflib.get_close_matches(text.lower()[:80], names := {name.lower(): name for name in known}, n=1)
    return names[found[0]] if found else None


def look_up(catalogue: Mapping[str, Entry], kind: str, key: object) -> Entry:
    """Return the entry of a key, or raise with a sentence that says which was meant, or which there are.

    >>> look_up({"linear": 1, "hamming": 2}, "decoding", "linaer")
    Traceback (most recent call last):
        ...
    ValueError: There is no decoding 'linaer'; did you mean 'linear'? Known: linear, hamming.
    """
    if isinstance(key, str) and key in catalogue:
        return catalogue[key]
    # Imported here: the command line suggests names without waiting for the numerics.
    from ecocviz.engine.params import shorten  # noqa: PLC0415 - see above

    near = nearest(key, catalogue) if isinstance(key, str) else None
    meant = "known" if near is None else f"did you mean {near!r}? Known"
    raise ValueError(f"There is no {kind} {shorten(str(key))!r}; {meant}: {', '.join(catalogue)}.")
