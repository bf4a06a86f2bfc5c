"""Cells of text as numbers: in which of four ways a whole column writes them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ecocviz.engine.params import shorten
from ecocviz.engine.types import FloatArray

# No part can end in two ways: a long row of digits before a letter would be tried at every length.
NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
COMMA_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:,[0-9]*)?|,[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_DOTTED = re.compile(r"[+-]?[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]*)?")
_COMMAED = re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?")

MISSING = frozenset({"", "?", "NA", "N/A", "#N/A", "NaN", "nan", "null", "NULL"})
"""Cells that stand for a missing value. "none" is not among them: it is often a value."""

STRAY_SHARE = 0.1
"""If at most this share of a column is words, the column was probably meant to be numbers."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A way of writing numbers: the mark between thousands, "" for none, and the decimal point."""

    patterns: tuple[re.Pattern[str], ...]
    thousands: str
    point: str
    told: str = ""

    def fits(self, text: str) -> bool:
        return any(pattern.fullmatch(text) for pattern in self.patterns)

    def fits_all(self, lines: str) -> bool:
        """As `fits` for each line, but in one go."""
        each = "|".join(pattern.pattern for pattern in self.patterns)
        return re.fullmatch(rf"(?:(?:{each})\n)*+", lines) is not None

    def is_meant(self, text: str) -> bool:
        """Say whether a number can be meant in no other way: it has both marks, or thousands twice."""
        return text.count(self.thousands) > (self.point not in text)

    def number(self, text: str) -> float:
        return float(text.replace(self.thousands, "").replace(self.point, "."))


_PLAIN = _Form((NUMBER,), "", ".")
_COMMA = _Form((COMMA_NUMBER,), "", ",")
_GROUPED = (
    _Form((COMMA_NUMBER, _DOTTED), ".", ",", "with dots between thousands and a decimal comma"),
    _Form((NUMBER, _COMMAED), ",", ".", "with commas between thousands and a decimal point"),
)


def as_numbers(texts: list[str | None], *, decimal_comma: bool = False) -> tuple[FloatArray | None, str]:
    """Read a column's cells as numbers: plain, with decimal commas if allowed, or with marks for thousands.

    Marks between thousands are read where one cell leaves no doubt, as 4.589,94 and 1.234.567 do and 1.234
    does not, and all others fit.

    Returns
    -------
    numbers : (n_rows,) or None
        NaN where missing; None if some cell is a word.
    said
        How the column is read where that may surprise, as half a sentence; else "".

    Examples
    --------
    >>> as_numbers(["1", "2,5", ""], decimal_comma=True)[0].tolist()
    [1.0, 2.5, nan]
    >>> as_numbers(["1.234", "-4.589,94"])[0].tolist()
    [1234.0, -4589.94]
    >>> as_numbers(["1.234", "2,5"])
    (None, 'as words because its numbers are written in several ways')
    """
    if are_words(texts):
        return None, ""
    different = set(texts)
    here = {text for text in different.difference(MISSING) if text is not None}
    ways = (_PLAIN, _COMMA) if decimal_comma else (_PLAIN,)
    form = _form(here, ways)
    if form is not None:
        number: Callable[[Any], float] = float if form is _PLAIN else form.number
        if len(here) < len(different):
            value: dict[str | None, float] = dict.fromkeys([None, *MISSING], float("nan"))
            number = (value | dict(zip(here, map(number, here), strict=True))).__getitem__
        return np.fromiter(map(number, texts), np.float64, len(texts)), form.told
    strays = [found for way in ways if (found := _strays(texts, here, way))]
    if strays:
        return None, f"as words because of {shorten(min(strays, key=len)[0], 20)!r} among its numbers"
    mixed = all(any(way.fits(text) for way in _GROUPED) for text in here)
    return None, "as words because its numbers are written in several ways" if mixed else ""


def are_words(texts: list[str | None]) -> bool:
    """Say whether a column begins with so many words that it cannot be numbers with a few strays.

    Only to be quick: of most columns of words the rest need not be looked at.
    """
    n_words = 0
    for text in texts:
        if text is not None and text not in MISSING:
            if any(way.fits(text) for way in _GROUPED):
                return False
            n_words += 1
            if n_words > STRAY_SHARE * len(texts):
                return True
    return False


def _form(here: set[str], ways: tuple[_Form, ...]) -> _Form | None:
    """Return the first way that fits all cells; one with marks between thousands only if a cell shows it."""
    lines = "\n".join((*here, ""))
    if lines.count("\n") > len(here):  # a cell of several lines is no number
        return None
    plain = next((way for way in ways if way.fits_all(lines)), None)
    return plain or next(
        (way for way in _GROUPED if way.fits_all(lines) and any(map(way.is_meant, here))), None
    )


def _strays(texts: list[str | None], here: set[str], way: _Form) -> list[str]:
    """Return the cells that are words if they are few among those that are there, else none."""
    words: set[str] = set()
    for text in here:
        if not way.fits(text):
            words.add(text)
            if len(words) > STRAY_SHARE * len(texts):  # of a column of words the rest need not be looked at
                return []
    strays = [text for text in texts if text in words]
    n_here = len(texts) - sum(map(texts.count, [None, *MISSING]))
    return strays if len(strays) <= STRAY_SHARE * n_here else []
