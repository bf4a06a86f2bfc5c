"""ARFF, the text format of Weka: @relation, @attribute lines, then @data."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ecocviz.data.limits import current_limits, refuse
from ecocviz.data.readers_common import (
    Column,
    Raw,
    check_characters,
    decode,
    text_lines,
    unique_names,
)
from ecocviz.data.readers_numbers import NUMBER
from ecocviz.engine.params import shorten

_NUMERIC = {"numeric", "real", "integer"}
_SPACES = re.compile(r" *+")
_BLANKS = re.compile(r"[ \t]*+")
_NAME = re.compile(r"[^ \t]*+")
# Possessive: what was read is never tried in another way, and takes no memory.
_QUOTED = re.compile(r"'((?:[^'\\]++|\\.)*+)'|\"((?:[^\"\\]++|\\.)*+)\"", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Attribute:
    """`levels` is None for numbers, empty for free text, else the words that may occur, in order."""

    name: str
    levels: dict[str, None] | None

    @property
    def default(self) -> str:
        """What a sparse row means where it says nothing."""
        return "0" if self.levels is None else next(iter(self.levels), "")


@dataclass(frozen=True, slots=True)
class _Row:
    """The cells of one row, and the line on which it stands."""

    number: int
    cells: list[str | None]


def read_arff(content: bytes) -> Raw:
    """Read an ARFF file: nominal, numeric and string attributes, dense or sparse rows."""
    text = decode(content)
    lines = _said(text)
    attributes = _header(lines)
    if attributes is None:
        raise ValueError("This ARFF file has no @data line; add it before the first row.")
    if not attributes:
        raise ValueError("This ARFF file names no attributes; add an @attribute line for each column.")
    rows = _rows(lines, attributes)
    if not rows:
        raise ValueError("This ARFF file has no rows after @data; add some.")
    names = unique_names([attribute.name for attribute in attributes])
    numbers = [row.number for row in rows]
    columns: list[Column] = []
    n_characters = 0
    for position, (name, attribute) in enumerate(zip(names, attributes, strict=True)):
        cells = [row.cells[position] for row in rows]
        _check_cells(attribute, cells, numbers)
        if attribute.levels is not None:
            n_characters += sum(len(cell) for cell in cells if cell is not None)
            check_characters(n_characters)
        columns.append(_column(name, attribute, cells))
    return Raw(columns, len(rows), named=True)


def _said(text: str) -> Iterator[tuple[int, str]]:
    """Go through the lines that are neither empty nor comments: (number, line without its ends)."""
    for number, line in enumerate(text_lines(text), start=1):
        said = line.strip()
        if said and not said.startswith("%"):
            yield number, said


def _header(lines: Iterator[tuple[int, str]]) -> list[_Attribute] | None:
    """Read the lines up to @data; None if there is no such line."""
    limits = current_limits()
    attributes: list[_Attribute] = []
    n_attributes = n_levels = 0
    for number, text in lines:
        keyword = text[:10].lower()
        if keyword == "@attribute":
            n_attributes += 1
            if n_attributes <= limits.columns:
                # At most so many: a comma may also stand inside a value.
                most = n_levels + text.count(",") + 1
                refuse("This ARFF file's header", most, limits.levels, "values", "make those columns strings")
                attributes.append(_attribute(text[10:], number))
                n_levels += len(attributes[-1].levels or ())
        elif keyword[:5] == "@data":
            refuse("This table", n_attributes, limits.columns, "columns", "leave some out")
            return attributes
        elif keyword[:9] != "@relation":
            raise ValueError(
                f"Line {number:,} of this ARFF file is neither an attribute nor a comment; correct it."
            )
    return None


def _attribute(text: str, number: int) -> _Attribute:
    """Read what follows @attribute: a name, bare or quoted, and a type."""
    name, end = _name(text, number)
    kind = text[end:].strip()
    if kind.startswith("{"):
        if not kind.endswith("}"):
            raise ValueError(f"Line {number:,} of this ARFF file has no closing brace; add it.")
        return _Attribute(name, dict.fromkeys(word or "" for word in _cells(kind[1:-1], number)))
    word = kind.split(maxsplit=1)[0].lower() if kind else ""
    if word in _NUMERIC:
        return _Attribute(name, None)
    if word in {"string", "date"}:
        return _Attribute(name, {})
    raise ValueError(
        f"Line {number:,} of this ARFF file has the type {shorten(word, 20)!r}, which is not read here;"
        " use numeric, string or a list of values."
    )


def _name(text: str, number: int) -> tuple[str, int]:
    """Read an attribute's name; return it and the position after it."""
    start = _end(_BLANKS, text, 0)
    if text[start : start + 1] in {"'", '"'}:
        word, end = _quoted(text, start, number)
        if text[end : end + 1] not in {"", " ", "\t"}:
            raise _goes_on(number)
        return word, end
    end = _end(_NAME, text, start)
    word = text[start:end].strip()
    if not word:
        raise ValueError(f"Line {number:,} of this ARFF file names no attribute; correct it.")
    return word, end


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Return the position after what a pattern, which fits anything, takes from `start` on."""
    found = pattern.match(text, start)
    return start if found is None else found.end()


def _goes_on(number: int) -> ValueError:
    return ValueError(
        f"Line {number:,} of this ARFF file goes on after a closing quotation mark; correct it."
    )


def _quoted(text: str, start: int, number: int) -> tuple[str, int]:
    """Read a quoted word; return it and the position after it."""
    found = _QUOTED.match(text, start)
    if found is None:
        raise ValueError(f"Line {number:,} of this ARFF file has an unclosed quotation mark; close it.")
    word = found[0][1:-1]
    if "\\" in word:
        # A text has no \0 (see `decode`): it stands for a backslash that is meant.
        word = word.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r")
        word = word.replace("\\", "").replace("\0", "\\")
    return word, found.end()


def _cells(text: str, number: int) -> list[str | None]:
    """Cut a dense row; a bare question mark is a missing value."""
    separator = "\t" if "," not in text and "\t" in text else ","
    if "'" not in text and '"' not in text:
        words = list(map(str.strip, text.split(separator)))
        return [None if word == "?" else word for word in words]
    blanks = _SPACES if separator == "\t" else _BLANKS
    cells: list[str | None] = []
    p = 0
    while True:
        p = _end(blanks, text, p)
        if text[p : p + 1] in {"'", '"'}:
            word, p = _quoted(text, p, number)
            cells.append(word)
            p = _end(blanks, text, p)
            if text[p : p + 1] not in {"", separator}:
                raise _goes_on(number)
        else:
            word, p = _bare(text, p, separator)
            cells.append(None if word == "?" else word)
        if p >= len(text):
            return cells
        p += 1


def _bare(text: str, start: int, separator: str) -> tuple[str, int]:
    """Read a word without quotes; return it and the position of the separator after it, or of the end."""
    found = text.find(separator, start)
    end = len(text) if found < 0 else found
    return text[start:end].strip(), end


def _rows(lines: Iterator[tuple[int, str]], attributes: list[_Attribute]) -> list[_Row]:
    """Read what follows @data, row by row; whether the cells are allowed is asked column by column."""
    limits = current_limits()
    defaults = [attribute.default for attribute in attributes]
    rows: list[_Row] = []
    for number, text in lines:
        cells = _sparse(text, number, defaults) if text.startswith("{") else _cells(text, number)
        if len(cells) != len(attributes):
            raise ValueError(
                f"Line {number:,} of this ARFF file has {len(cells):,} values for"
                f" {len(attributes):,} attributes; correct it."
            )
        rows.append(_Row(number, cells))
        refuse("This table", len(rows), limits.rows, "rows", "upload a part of them")
        n_cells = len(rows) * len(attributes)
        refuse("This table", n_cells, limits.cells, "cells", "upload fewer rows or columns")
    return rows


def _sparse(text: str, number: int, defaults: list[str]) -> list[str | None]:
    """Read {index value, index value, ...}; what is not named has its default."""
    cells: list[str | None] = list(defaults)
    wrong = ValueError(f"Line {number:,} of this ARFF file is not a proper sparse row; correct it.")
    if not text.endswith("}"):
        raise wrong
    for count, (index, word) in enumerate(_items(text[1:-1].strip(), number, wrong), start=1):
        if not (index.isascii() and index.isdigit() and len(index) < 8 and int(index) < len(cells)):
            raise wrong
        if count > len(cells):
            raise wrong
        cells[int(index)] = word
    return cells


def _items(text: str, number: int, wrong: ValueError) -> Iterator[tuple[str, str | None]]:
    """Go through what stands in the braces of a sparse row: (index, value)."""
    quoted = "'" in text or '"' in text
    if text and not quoted:
        for item in text.removesuffix(",").split(","):
            index, _, word = item.strip().partition(" ")
            word = word.strip()
            yield index, None if word == "?" else word
    p = 0
    while quoted and p < len(text):
        index, p = _bare(text, p, " ")
        p = _end(_BLANKS, text, p)
        if text[p : p + 1] in {"'", '"'}:
            word, p = _quoted(text, p, number)
            yield index, word
            p = _end(_BLANKS, text, p)
            if text[p : p + 1] not in {"", ","}:
                raise wrong
        else:
            word, p = _bare(text, p, ",")
            yield index, None if word == "?" else word
        p = _end(_BLANKS, text, p + 1)


def _check_cells(attribute: _Attribute, cells: list[str | None], numbers: list[int]) -> None:
    """Refuse a cell that its attribute does not allow, and say on which line it stands."""
    distinct = {cell for cell in set(cells) if cell is not None}
    if attribute.levels is None:
        wrong = {cell for cell in distinct if not NUMBER.fullmatch(cell)}
        why = f"where {shorten(attribute.name)!r} takes a number"
    else:
        wrong = distinct - attribute.levels.keys() if attribute.levels else set()
        why = f"which is not among the values of {shorten(attribute.name)!r}"
    if wrong:
        position, cell = next((k, cell) for k, cell in enumerate(cells) if cell in wrong)
        comma = "," if attribute.levels else ""
        raise ValueError(
            f"Line {numbers[position]:,} of this ARFF file has {shorten(cell, 20)!r}{comma} {why};"
            " correct it."
        )


def _column(name: str, attribute: _Attribute, cells: list[str | None]) -> Column:
    """Make a column of checked cells; each different one is turned into what it means once."""
    distinct = {cell for cell in set(cells) if cell is not None}
    if attribute.levels is not None:
        word: dict[str | None, str | None] = {None: None} | {cell: cell.strip() for cell in distinct}
        return Column(name, list(map(word.__getitem__, cells)))
    value = {None: float("nan")} | {cell: float(cell) for cell in distinct}
    return Column(name, cells, np.fromiter(map(value.__getitem__, cells), np.float64, len(cells)))
