"""How wide the columns of a table are: as its widest text asks for, so that no number is cut."""

from collections.abc import Iterable

NARROW, WIDE = frozenset(" .,:;'|!()[]-fijlrtI"), frozenset("mwMW%@<+–")
"""Letters much narrower, and wider, than a digit."""
LETTER, NARROW_LETTER, WIDE_LETTER, AROUND = 8.3, 5.0, 12.8, 20
"""Pixels, in the widest of the usual system fonts at 13 pixels; what stands free around a text."""


def text_width(text: str) -> float:
    """Return the pixels that a text takes at most.

    >>> text_width("12.5 %") < text_width("100.0 %") < text_width("38.1 to 61.9")
    True
    """
    return sum(
        NARROW_LETTER if letter in NARROW else WIDE_LETTER if letter in WIDE else LETTER for letter in text
    )


def column_width(head: str, texts: Iterable[object]) -> int:
    """Return the width of a column that shows all of its texts, and its head.

    >>> column_width("p", ["1.00", "< 0.001"]) > column_width("p", ["1.00"])
    True
    """
    return AROUND + round(max(text_width(str(text)) for text in (head, *texts)))


def fitted(text: str, width: int) -> str:
    """Cut a text so that a column of this width shows where it was cut: the browser cuts without a word.

    >>> fitted("short", 300), fitted("Passerini et al. 2004: decoding with margins", 160)
    ('short', 'Passerini et al. 20…')
    """
    if AROUND + text_width(text) <= width:
        return text
    kept = text
    while kept and AROUND + text_width(f"{kept}…") > width:
        kept = kept[:-1]
    return f"{kept}…"


def three_digits(value: float | None) -> str:
    """Write a number as a column does whose format is `THREE_DIGITS`.

    >>> three_digits(5345.8), three_digits(0.03125), three_digits(12.0), three_digits(None)
    ('5350', '0.0312', '12', '–')
    """
    if value is None or value != value:  # noqa: PLR0124 - nan is the only value unlike itself
        return "–"
    return f"{float(f'{value:.3g}'):.10g}"


THREE_DIGITS = "%.3g"
"""The format, for Streamlit's columns of numbers, of three significant digits."""
