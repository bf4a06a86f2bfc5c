"""Code matrices and codings as text: pasted, uploaded, downloaded, in links."""

import csv
import re
from collections.abc import Sequence
from urllib.parse import parse_qsl, urlencode

import numpy as np
import pandas as pd

from ecocviz.engine.catalogue import CODINGS
from ecocviz.engine.entries import MAX_BITS
from ecocviz.engine.params import MAX_PACKED_ENTRIES, ParamValue, shorten
from ecocviz.engine.types import AnyCode, CodeMatrix
from ecocviz.lab.scenario import Choice, choose

MAX_TEXT = 1_000_000
SIGNS = {"+": 1, "-": -1, "\u2212": -1, "0": 0}
_NUMBER = re.compile(r"[+\-\u2212]?[0-9]{1,3}(?:\.0{1,6})?")
_DELIMITERS = ("\t", ";", ",")


def matrix_table(code_matrix: AnyCode, names: Sequence[str]) -> pd.DataFrame:
    """Return a code matrix (n_rows, n_bits) as a table with the rows' names in front."""
    table = pd.DataFrame(code_matrix, columns=[f"machine {b + 1}" for b in range(code_matrix.shape[1])])
    table.insert(0, "class", list(names))
    return table


def read_matrix(text: str, classes: Sequence[str]) -> CodeMatrix:
    r"""Read a pasted or uploaded code matrix; raise ValueError with one sentence if that is impossible.

    Rows are lines; entries are -1, 0, 1 (or +, -) between commas, semicolons, tabs or blanks, or a line of
    signs such as +-0. A first line of names is skipped; a first column of class names puts the rows in
    the order of the classes.

    Parameters
    ----------
    classes
        Their names, in order.

    Returns
    -------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, 0, +1}; whether machines can be trained on it is not asked here.

    Examples
    --------
    >>> read_matrix("class,machine 1,machine 2\nb,-1,1\na,1,0\n", ["a", "b"]).tolist()
    [[1, 0], [-1, 1]]
    >>> read_matrix("+-0\n-++", ["a", "b"]).tolist()
    [[1, -1, 0], [-1, 1, 1]]
    """
    lines = _cut(text)
    if _is_header(lines, len(classes)):
        lines = lines[1:]
    if len(lines) != len(classes):
        raise ValueError(
            f"This matrix has {len(lines):,} rows but the data have {len(classes):,} classes; "
            "give one row for each class."
        )
    rows = [cells for _, cells in lines]
    order = _named_order(rows, classes)
    shift = 0 if order is None else 1
    width = len(rows[0]) - shift
    if not 1 <= width <= MAX_BITS or width * len(classes) > MAX_PACKED_ENTRIES:
        most = min(MAX_BITS, MAX_PACKED_ENTRIES // len(classes))
        raise ValueError(f"This matrix has {width:,} columns; between 1 and {most:,} are allowed here.")
    entries = np.zeros((len(classes), width), dtype=np.int8)
    for position, (number, cells) in enumerate(lines):
        if len(cells) - shift != width:
            raise ValueError(
                f"Line {number:,} has {len(cells) - shift:,} entries but the first row has {width:,}; "
                "give every row the same number."
            )
        for b, cell in enumerate(cells[shift:]):
            value = _entry(cell)
            if value is None:
                raise ValueError(
                    f"Line {number:,}, entry {b + 1:,} is {shorten(cell, 20)!r}; "
                    "the entries of a code matrix are -1, 0 and 1."
                )
            entries[position if order is None else order[position], b] = value
    return entries


def _cut(text: str) -> list[tuple[int, list[str]]]:
    """Cut a text into numbered lines of cells; empty lines are skipped."""
    if len(text) > MAX_TEXT:
        raise ValueError(f"This text has {len(text):,} characters; a code matrix has at most {MAX_TEXT:,}.")
    counts = {delimiter: text.count(delimiter) for delimiter in _DELIMITERS}
    delimiter = max(counts, key=counts.__getitem__) if any(counts.values()) else None
    lines = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        bare = line.strip(" \r\n" if delimiter == "\t" else " \t\r\n")
        if bare:
            lines.append((number, _cells(bare, delimiter)))
    if not lines:
        raise ValueError("There is no matrix in this text; give one row for each class.")
    return lines


def _cells(line: str, delimiter: str | None) -> list[str]:
    if delimiter is not None:
        try:
            return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, strict=True), [])]
        except csv.Error:
            raise ValueError("A quotation mark in this text is not closed; close or remove it.") from None
    if set(line) <= SIGNS.keys() and len(line) > 1:
        return list(line)
    return line.split()


def _entry(cell: str) -> int | None:
    """Read one entry; None if it is none."""
    if cell in SIGNS:
        return SIGNS[cell]
    if not _NUMBER.fullmatch(cell):
        return None
    value = float(cell.replace("\u2212", "-"))
    return int(value) if value in (-1.0, 0.0, 1.0) else None


def _is_header(lines: list[tuple[int, list[str]]], n_classes: int) -> bool:
    """Say whether the first line holds names: one line more than classes, and not one entry in it."""
    cells = lines[0][1]
    names = all(_entry(cell) is None for cell in cells) or cells[0].casefold() in {"class", "row"}
    return len(lines) == n_classes + 1 and names


def _named_order(rows: list[list[str]], classes: Sequence[str]) -> list[int] | None:
    """Return the class of each row if the first cells are names, else None.

    Names that are none of the classes' leave the rows as they are; some that are and some that are not
    are refused.
    """
    if all(len(row) == 1 for row in rows):
        return None
    firsts = [row[0].removeprefix("'") for row in rows]
    matched = sorted(firsts) == sorted(classes)
    values = [_entry(first) for first in firsts]
    if all(value is not None for value in values) and (not matched or {1, -1} <= set(values)):
        return None
    if matched:
        return [list(classes).index(first) for first in firsts]
    if any(first in classes for first in firsts):
        stray = next(
            (f for k, f in enumerate(firsts) if f not in classes or f in firsts[:k]),
            firsts[0],
        )
        raise ValueError(
            f"The row name {shorten(stray, 30)!r} is not a class of these data or comes twice; "
            "name each class once, or leave the names out."
        )
    return list(range(len(rows))) if all(value is None for value in values) else None


# A coding in a link ----------------------------------------------------------------------------------


def write_coding(coding: Choice) -> str:
    """Write a coding with its parameters as a short text for a link.

    >>> write_coding(choose("coding", "dense-random", {"n_bits": 9}))
    'dense-random?n_bits=9'
    """
    entry = CODINGS[coding.key]
    values = dict(coding.params)
    differing = {p.name: p.text(values[p.name]) for p in entry.params if values[p.name] != p.default}
    return f"{coding.key}?{urlencode(differing)}" if differing else coding.key


def read_coding(text: str) -> Choice | None:
    """Read what `write_coding` wrote; None for anything else.

    >>> read_coding("one-vs-all").key, read_coding("none")
    ('one-vs-all', None)
    """
    key, _, query = text.partition("?")
    entry = CODINGS.get(key)
    if entry is None:
        return None
    declared = {param.name: param for param in entry.params}
    values: dict[str, ParamValue] = {}
    try:
        for name, value in parse_qsl(query, keep_blank_values=True, max_num_fields=40):
            values[name] = declared[name].parse(value)
        return choose("coding", key, values)
    except (KeyError, ValueError):
        return None
