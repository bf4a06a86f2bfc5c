"""What the readers of all formats share: columns before their meaning is known."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ecocviz.data.limits import current_limits, refuse
from ecocviz.data.readers_numbers import MISSING, as_numbers
from ecocviz.engine.params import shorten
from ecocviz.engine.types import FloatArray

LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Column:
    """One column as a file has it.

    Attributes
    ----------
    texts : n_rows cells
        None where a value is missing; None altogether if the format holds numbers.
    numbers : (n_rows,)
        NaN where a value is missing; None if the column is words, or if it is not known yet.
    guess
        Whether the texts may turn out to be numbers.
    decimal_comma
        Whether a comma may be a decimal point in them.
    """

    name: str
    texts: list[str | None] | None = None
    numbers: FloatArray | None = None
    guess: bool = False
    decimal_comma: bool = False

    def label_texts(self) -> list[str | None]:
        """Return the cells as texts: whole numbers without a decimal point."""
        if self.texts is not None:
            return self.texts
        values = [] if self.numbers is None else self.numbers.tolist()
        return [None if value != value else _number_text(value) for value in values]  # noqa: PLR0124 - NaN


@dataclass(frozen=True, slots=True)
class Raw:
    """The columns of one file; `named` says whether the names come from the file."""

    columns: list[Column]
    n_rows: int
    named: bool
    notes: tuple[str, ...] = ()


def _number_text(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def missing_text(text: str | None) -> bool:
    """Say whether a cell stands for a missing value."""
    return text is None or text in MISSING


def identifies_rows(column: Column) -> bool:
    """Say whether a column only identifies the rows: another value in every row, none missing.

    Texts may come in any order; numbers must be whole and grow from row to row. Numbers among which
    a stray word stands are neither.

    Examples
    --------
    >>> identifies_rows(Column("id", ["7", "8", "10"], guess=True))
    True
    >>> identifies_rows(Column("size", ["7", "10", "8"], guess=True))
    False
    >>> identifies_rows(Column("name", ["s10", "s8", "s7"]))
    True
    """
    texts = column.label_texts()
    different = set(texts)
    if len(different) < len(texts) or None in different or different & MISSING:
        return False
    numbers, said = column.numbers, ""
    if numbers is None and column.guess:
        numbers, said = as_numbers(texts, decimal_comma=column.decimal_comma)
    if numbers is None:
        return not said
    return bool(np.all(numbers == np.floor(numbers)) and np.all(numbers[1:] > numbers[:-1]))


def unique_names(names: list[str]) -> list[str]:
    """Return usable names: none empty, none overlong, none twice.

    >>> unique_names(["a", "", "a"])
    ['a', 'column 2', 'a (2)']
    """
    used: set[str] = set()
    again: dict[str, int] = {}
    result = []
    for position, given in enumerate(names, start=1):
        base = shorten(" ".join(given.split()), LONGEST_NAME) or f"column {position}"
        name = base
        while name in used:
            # Names tried before are in use: thousands alike are not tried from the beginning.
            again[base] = again.get(base, 1) + 1
            name = f"{base} ({again[base]})"
        used.add(name)
        result.append(name)
    return result


_LINE = re.compile(r"[^\n]*+\n|[^\n]++")
_LINE_OF_ANY_END = re.compile(r"[^\r\n]*+(?:\r\n?|\n)|[^\r\n]++")
"""Slower, for the old line end of a single \\r."""


def text_lines(text: str) -> Iterator[str]:
    """Cut a text into lines, their ends included; raise before there are too many or one is too long."""
    limits = current_limits()
    line = _LINE if text.count("\r") == text.count("\r\n") else _LINE_OF_ANY_END
    for number, found in enumerate(line.finditer(text), start=1):
        if found.end() - found.start() > limits.row_characters:
            refuse_row(found.end() - found.start(), number)
        if number > limits.lines:
            n_lines = text.count("\n") or text.count("\r")
            refuse("This file", max(number, n_lines), limits.lines, "lines", "upload a part of them")
        yield found[0]


def refuse_row(n_characters: int, number: int) -> None:
    """Refuse a row that is longer than any table's; `number` is that of its last line."""
    limit = current_limits().row_characters
    refuse(f"The row at line {number:,}", n_characters, limit, "characters", "shorten it")


def check_characters(n_characters: int) -> None:
    """Refuse texts that take more room than any table's."""
    limit = current_limits().characters
    refuse("This table", n_characters, limit, "characters of text", "upload a part of it")


_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def decode(content: bytes) -> str:
    """Turn bytes into text: UTF-8, UTF-16 with its mark, else Windows or ISO Latin 1.

    Raises ValueError with one sentence if that leaves control characters, as any binary file does.
    """
    text = None
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", "cp1252", "latin-1"]
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        break
    if text is None or _CONTROL.search(text):
        raise ValueError("This file is not readable as text; save the table as CSV and upload that.")
    return text
