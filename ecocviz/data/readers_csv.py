"""Separated text: the delimiter, the decimal comma and the header are found by looking."""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ecocviz.data.limits import Limits, current_limits, refuse
from ecocviz.data.readers_common import (
    Column,
    Raw,
    decode,
    missing_text,
    refuse_row,
    text_lines,
    unique_names,
)
from ecocviz.data.readers_numbers import NUMBER

if TYPE_CHECKING:
    import _csv

DELIMITERS = ("\t", ";", "|", ",", " ")
"""In order of preference: a comma may also be a decimal point, a space may also be part of a word."""

_SAMPLE_CHARACTERS = 50_000
_SAMPLE_ROWS = 200
_HEADER_CELLS = 200_000
"""Cells that are looked at to tell a header from data: of a wide table fewer rows."""

_DECLARED = re.compile(r"sep=([\t;|, ])\r*(?:\n|\Z)", re.IGNORECASE)
NO_HEADER = "The file has no header: its columns are called x1, x2, and so on, the last one class."


def read_csv(content: bytes, label_names: tuple[str, ...]) -> Raw:
    """Read separated text.

    Parameters
    ----------
    label_names
        Names that mark the first row as a header when it has them and no other row does.
    """
    text = decode(content)
    delimiter, text = _declared_delimiter(text)
    if delimiter is None:
        delimiter = _find_delimiter(text)
    rows = _rows(text, delimiter)
    named = has_header(rows, label_names)
    header = rows[0] if named else []
    body = rows[1:] if named else rows
    if not body:
        raise ValueError("This file has a header but no rows; add some.")
    width = len(rows[0])
    # A delimiter at the end of every line makes a last column without name or content.
    if width > 1 and not any(row[-1] for row in rows):
        width -= 1
    limits = current_limits()
    refuse("This table", len(body), limits.rows, "rows", "upload a part of them")
    refuse("This table", width, limits.columns, "columns", "leave some out")
    names = unique_names(header[:width]) if named else [*(f"x{p}" for p in range(1, width)), "class"]
    columns: list[Column] = []
    # The rows may have one more, empty column.
    for name, cells in zip(names, zip(*body, strict=True), strict=False):
        columns.append(Column(name, list(cells), guess=True, decimal_comma=delimiter != ","))
    notes = () if named else (NO_HEADER,)
    return Raw(columns, len(body), named, notes)


def _declared_delimiter(text: str) -> tuple[str | None, str]:
    """Obey the line "sep=;" that spreadsheet programs understand at the top of a file."""
    found = _DECLARED.match(text)
    return (found[1], text[found.end() :]) if found else (None, text)


class _Lines(Iterator[str]):
    """The lines of a text for the reader that cuts them: a row that goes on over too many is refused.

    `in_row` counts the characters of the row that is being cut; who gets the row puts it back to 0.
    """

    def __init__(self, text: str) -> None:
        self._lines = enumerate(text_lines(text), start=1)
        self._limit = current_limits().row_characters
        self.in_row = 0

    def __next__(self) -> str:
        number, line = next(self._lines)
        self.in_row += len(line)
        if self.in_row > self._limit:
            refuse_row(self.in_row, number)
        return line


def _parse(lines: Iterator[str], delimiter: str) -> "_csv.Reader":
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True)


def _find_delimiter(text: str) -> str:
    """Return the first delimiter that cuts all sampled rows into equally many cells, else the best."""
    sample, whole = text[:_SAMPLE_CHARACTERS], len(text) <= _SAMPLE_CHARACTERS
    best, best_share = None, 0.0
    for delimiter in DELIMITERS:
        widths: list[int] = []
        try:
            for row in _parse(text_lines(sample), delimiter):
                if row:
                    widths.append(len(row))
                if len(widths) > _SAMPLE_ROWS:
                    break
        except csv.Error:
            continue
        if not whole and len(widths) > 1:
            widths.pop()  # the sample may end in the middle of a row
        common = [(width, count) for width, count in Counter(widths).most_common(1) if width > 1]
        if common and common[0][1] / len(widths) > best_share:
            best, best_share = delimiter, common[0][1] / len(widths)
    if best is None:
        raise ValueError(
            "Only one column was found in this file; separate the columns by commas, semicolons or tabs."
        )
    return best


def _rows(text: str, delimiter: str) -> list[list[str]]:
    """Cut the text into rows of equally many stripped cells; empty lines are skipped."""
    lines, limits = _Lines(text), current_limits()
    reader = _parse(lines, delimiter)
    rows: list[list[str]] = []
    n_cells = 0
    try:
        for row in reader:
            lines.in_row = 0
            cells = list(map(str.strip, row))
            if any(cells):
                _check_width(cells, rows, reader.line_num, limits)
                rows.append(cells)
            n_cells += len(cells)
            if len(rows) > limits.rows + 1 or n_cells > limits.cells:
                break
    except csv.Error:
        raise ValueError(
            f"Line {reader.line_num:,} cannot be cut into cells; look for an unclosed quotation mark there."
        ) from None
    if not rows:
        raise ValueError("This file has no rows; choose another.")
    if len(rows) > limits.rows + 1 or n_cells > limits.cells:
        # Reading stopped early: line ends tell how many rows there are below a header.
        n_rows = max(len(rows) - 1, text.rstrip().count("\n"))
        refuse("This table", n_rows, limits.rows, "rows", "upload a part of them")
        n_cells = max(n_cells, n_rows * len(rows[0]))
        refuse("This table", n_cells, limits.cells, "cells", "upload fewer rows or columns")
    return rows


def _check_width(cells: list[str], rows: list[list[str]], number: int, limits: Limits) -> None:
    """Refuse a row that has another number of cells than the first, or too many."""
    if rows and len(cells) != len(rows[0]):
        raise ValueError(
            f"Line {number:,} has {len(cells):,} cells but the first has {len(rows[0]):,}; correct the line."
        )
    # One more may be an empty one, after a delimiter at the end of every line.
    if len(cells) > limits.columns + 1:
        refuse("This table", len(cells), limits.columns, "columns", "leave some out")


def has_header(rows: list[list[str]], label_names: tuple[str, ...]) -> bool:
    """Say whether the first row holds names.

    It does if it holds a label name that its column never has again; or if it has a word where the
    rest of the column is numbers; or if it has no number, no gap and no word that occurs again.

    Examples
    --------
    >>> has_header([["a", "b"], ["1", "x"]], ()), has_header([["1", "x"], ["2", "x"]], ())
    (True, False)
    """
    first = rows[0]
    body = rows[1 : 1 + min(_SAMPLE_ROWS * 5, _HEADER_CELLS // len(first))]
    for position, cell in enumerate(first):
        if cell.casefold() in label_names and all(row[position] != cell for row in body):
            return True
    if not body:
        return False
    numeric = [_is_number(cell) for cell in first]
    for position, cell in enumerate(first):
        if numeric[position] or missing_text(cell):
            continue
        below = [row[position] for row in body if not missing_text(row[position])]
        if below and all(map(_is_number, below)):
            return True
    if any(numeric) or any(map(missing_text, first)) or len(set(first)) < len(first):
        return False
    return all(row[position] != cell for position, cell in enumerate(first) for row in body)


def _is_number(cell: str) -> bool:
    return NUMBER.fullmatch(cell) is not None or NUMBER.fullmatch(cell.replace(",", ".", 1)) is not None
