"""The fonts of printed text: DejaVu Sans, which comes with matplotlib, and what else the computer has."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any
from unicodedata import bidirectional, category

import numpy as np

from ecocviz.views.shared.draw.outside import plain

FIRST = "DejaVu Sans"
"""It has Latin, Greek, Cyrillic, Hebrew and Arabic letters."""
GENERIC = "sans-serif"
"""In an SVG, whatever font its reader has."""
UNDRAWN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"})
"""Categories of letters that have no picture: control, what joins letters, blanks."""
MOST_NAMED = 6
"""Letters that a sentence lists."""
BOXES = "Last Resort"
"""A font that comes with matplotlib and draws a box for every letter."""
PREFERRED = ("noto sans", "source han sans", "wenquanyi", "droid sans", "sans")
"""What the names of fonts begin with, or hold, that suit a figure: the first first."""


def letters_in(part: Any) -> set[str]:  # noqa: ANN401 - any part of a figure's specification
    """Return all letters of the texts in a specification, or in whatever holds texts.

    >>> sorted(letters_in({"name": "ab", "text": [None, 1, ["b"]]}))
    ['a', 'b']
    """
    if isinstance(part, str):
        return set(part)
    if isinstance(part, np.ndarray):
        part = part.ravel().tolist() if part.dtype.kind in "OU" else ()
    if isinstance(part, Mapping):
        part = part.values()
    return set().union(*map(letters_in, part)) if isinstance(part, Iterable) else set()


def families(letters: Iterable[str]) -> list[str]:
    """Return the families that letters are written in: what the first lacks is taken from a later one."""
    return [FIRST, *_beside(_strange(letters))[0], GENERIC]


def font_sentence(letters: Iterable[str]) -> str:
    """Say which letters cannot be printed as they should be, "" for none; an SVG is not concerned."""
    far = {letter for letter in letters if not _usual(letter)}
    if not far:
        return ""  # matplotlib need not be loaded for that
    lost = _beside(_strange(far))[1]
    told = []
    if lost:
        listed = " ".join(plain(letter) for letter in lost[:MOST_NAMED])
        more = f" and {len(lost) - MOST_NAMED} more" if len(lost) > MOST_NAMED else ""
        told.append(
            f"No font of the computer that ecocviz runs on has {listed}{more}: "
            "PDF and PNG show boxes there, SVG keeps the text."
        )
    if not _shapes() and any(bidirectional(letter) in {"R", "AL"} for letter in far):
        told.append("PDF and PNG write from the left what is read from the right; SVG keeps the text.")
    return " ".join(told)


def _usual(letter: str) -> bool:
    """Say whether a letter is Latin, Greek, Cyrillic or a usual sign, all of which the first font has."""
    return ord(letter) < 0x0530 or 0x2000 <= ord(letter) < 0x2300


def _strange(letters: Iterable[str]) -> frozenset[str]:
    """Return the letters that the first font lacks."""
    from matplotlib.font_manager import findfont  # noqa: PLC0415 - only where a figure is saved

    far = {letter for letter in letters if not _usual(letter) and category(letter) not in UNDRAWN}
    if not far:
        return frozenset()
    known = _letters(findfont(FIRST))
    return frozenset(letter for letter in far if ord(letter) not in known)


@lru_cache(maxsize=64)
def _beside(letters: frozenset[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return as few more families as have these letters, and the letters that none has."""
    left, found = set(letters), []
    for name, path in _fonts() if letters else ():
        own = _having(path, left)
        if own:
            found.append(name)
            left -= own
        if not left:
            break
    return tuple(found), tuple(sorted(left))


def _fonts() -> Iterator[tuple[str, str]]:
    """Yield family and file of the upright fonts of usual weight, those that suit a figure first."""
    from matplotlib.font_manager import fontManager  # noqa: PLC0415 - only where a figure is saved

    def rank(name: str) -> tuple[int, str]:
        low = name.lower()
        return next((k for k, part in enumerate(PREFERRED) if part in low), len(PREFERRED)), low

    upright: dict[str, str] = {}
    for entry in fontManager.ttflist:
        if (
            not entry.name.startswith(BOXES)
            and entry.style == "normal"
            and entry.weight in {400, "normal", "regular", "book"}
        ):
            upright.setdefault(entry.name, entry.fname)
    yield from sorted(upright.items(), key=lambda one: rank(one[0]))


def _having(path: str, letters: set[str]) -> set[str]:
    """Return which letters a font has; none where its file cannot be read."""
    try:
        font = _opened(path)
    except (OSError, RuntimeError):  # it was taken away, or is damaged
        return set()
    return {letter for letter in letters if font.get_char_index(ord(letter))}


def _opened(path: str) -> Any:  # noqa: ANN401 - matplotlib's font
    from matplotlib.ft2font import FT2Font  # noqa: PLC0415 - only where a figure is saved

    return FT2Font(path)


@lru_cache(maxsize=1)
def _letters(path: str) -> frozenset[int]:
    return frozenset(_opened(path).get_charmap())


@lru_cache(maxsize=1)
def _shapes() -> bool:
    """Say whether matplotlib joins letters and turns what is read from the right: it does so since 3.11."""
    from matplotlib import ft2font  # noqa: PLC0415 - only where a figure is saved

    return hasattr(ft2font, "__libraqm_version__")
