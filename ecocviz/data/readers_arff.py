"""ARFF, the text format of Weka: @relation, @attribute lines, then @data."""

import re
from dataclasses import dataclass, field

import numpy as np

from ecocviz.data.limits import current_limits, refuse
from ecocviz.data.readers_common import NUMBER, Column, Raw, decode, unique_names
from ecocviz.engine.params import shorten

_NUMERIC = {"numeric", "real", "integer"}


@dataclass(slots=True)
class _Attribute:
    """`levels` is None for numbers, empty for free text, else the words that may occur."""

    name: str
    levels: list[str] | None
    cells: list[str | None] = field(default_factory=list)

    @property
    def default(self) -> str:
        """What a sparse row means where it says nothing."""
        return "0" if self.levels is None else self.levels[0] if self.levels else ""


def read_arff(content: bytes) -> Raw:
    """Read an ARFF file: nominal, numeric and string attributes, dense or sparse rows."""
    lines = iter(enumerate(re.split(r"\r\n|\r|\n", decode(content)), start=1))
    attributes: list[_Attribute] = []
    for number, line in lines:
        text = line.strip()
        keyword = text[:10].lower()
        if keyword == "@attribute":
            attributes.append(_attribute(text[10:], number))
        elif keyword[:5] == "@data":
            break
        elif text and not text.startswith("%") and keyword[:9] != "@relation":
            raise ValueError(
                f"Line {number:,} of this ARFF file is neither an attribute nor a comment; correct it."
            )
    else:
        raise ValueError("This ARFF file has no @data line; add it before the first row.")
    if not attributes:
        raise ValueError("This ARFF file names no attributes; add an @attribute line for each column.")
    limits = current_limits()
    refuse("This table", len(attributes), limits.columns, "columns", "leave some out")
    n_rows = 0
    for number, line in lines:
        text = line.strip()
        if text and not text.startswith("%"):
            _row(text, number, attributes)
            n_rows += 1
            refuse("This table", n_rows, limits.rows, "rows", "upload a part of them")
    if not n_rows:
        raise ValueError("This ARFF file has no rows after @data; add some.")
    names = unique_names([attribute.name for attribute in attributes])
    columns = [_column(name, attribute) for name, attribute in zip(names, attributes, strict=True)]
    return Raw(columns, n_rows, named=True)


def _attribute(text: str, number: int) -> _Attribute:
    """Read what follows @attribute: a name, bare or quoted, and a type."""
    tokens = _tokens(text, number, separators=" \t")
    if not tokens:
        raise ValueError(f"Line {number:,} of this ARFF file names no attribute; correct it.")
    name, end = tokens[0][0], tokens[0][1]
    kind = text[end:].strip()
    if kind.startswith("{"):
        if not kind.endswith("}"):
            raise ValueError(f"Line {number:,} of this ARFF file has no closing brace; add it.")
        return _Attribute(name, [word or "" for word in _cells(kind[1:-1], number)])
    word = kind.split()[0].lower() if kind else ""
    if word in _NUMERIC:
        return _Attribute(name, None)
    if word in {"string", "date"}:
        return _Attribute(name, [])
    raise ValueError(
        f"Line {number:,} of this ARFF file has the type {shorten(word, 20)!r}, which is not read here;"
        " use numeric, string or a list of values."
    )


def _tokens(text: str, number: int, separators: str) -> list[tuple[str, int, bool]]:
    """Cut a line at separators, minding quotes and backslashes.

    Returns
    -------
    tokens
        Each token's text, the position after it, and whether it was quoted. With blanks as
        separators only the first token is read: the rest has its own grammar.
    """
    tokens: list[tuple[str, int, bool]] = []
    p = 0
    while True:
        while p < len(text) and text[p] in " \t":
            p += 1
        if p < len(text) and text[p] in "'\"":
            word, p = _quoted(text, p, number)
            was_quoted = True
            while p < len(text) and text[p] in " \t" and " " not in separators:
                p += 1
            if p < len(text) and text[p] not in separators:
                raise ValueError(
                    f"Line {number:,} of this ARFF file goes on after a closing quotation mark; correct it."
                )
        else:
            start = p
            while p < len(text) and text[p] not in separators:
                p += 1
            word, was_quoted = text[start:p].strip(), False
        if " " in separators:
            return [(word, p, was_quoted)] if word or was_quoted else []
        tokens.append((word, p, was_quoted))
        if p >= len(text):
            return tokens
        p += 1


def _quoted(text: str, p: int, number: int) -> tuple[str, int]:
    """Read a quoted word that starts at p; return it and the position after it."""
    quote, characters = text[p], []
    p += 1
    while p < len(text):
        if text[p] == "\\" and p + 1 < len(text):
            characters.append({"n": "\n", "t": "\t", "r": "\r"}.get(text[p + 1], text[p + 1]))
            p += 2
        elif text[p] == quote:
            return "".join(characters), p + 1
        else:
            characters.append(text[p])
            p += 1
    raise ValueError(f"Line {number:,} of this ARFF file has an unclosed quotation mark; close it.")


def _cells(text: str, number: int) -> list[str | None]:
    """Cut a dense row; a bare question mark is a missing value."""
    separator = "\t" if "," not in text and "\t" in text else ","
    if "'" not in text and '"' not in text:
        words = [word.strip() for word in text.split(separator)]
        return [None if word == "?" else word for word in words]
    return [
        None if word == "?" and not was_quoted else word
        for word, _, was_quoted in _tokens(text, number, separators=separator)
    ]


def _row(text: str, number: int, attributes: list[_Attribute]) -> None:
    """Read one row into the attributes' cells."""
    cells = _sparse(text, number, attributes) if text.startswith("{") else _cells(text, number)
    if len(cells) != len(attributes):
        raise ValueError(
            f"Line {number:,} of this ARFF file has {len(cells):,} values for {len(attributes):,} attributes;"
            " correct it."
        )
    for attribute, cell in zip(attributes, cells, strict=True):
        if cell is not None:
            if attribute.levels is None and not NUMBER.fullmatch(cell):
                raise ValueError(
                    f"Line {number:,} of this ARFF file has {shorten(cell, 20)!r} where"
                    f" {shorten(attribute.name)!r} takes a number; correct it."
                )
            if attribute.levels and cell not in attribute.levels:
                raise ValueError(
                    f"Line {number:,} of this ARFF file has {shorten(cell, 20)!r},"
                    f" which is not among the values of {shorten(attribute.name)!r}; correct it."
                )
        attribute.cells.append(cell)


def _sparse(text: str, number: int, attributes: list[_Attribute]) -> list[str | None]:
    """Read {index value, index value, ...}; what is not named has its default."""
    cells: list[str | None] = [attribute.default for attribute in attributes]
    wrong = ValueError(f"Line {number:,} of this ARFF file is not a proper sparse row; correct it.")
    if not text.endswith("}"):
        raise wrong
    inside = text[1:-1].strip()
    while inside:
        index, _, rest = inside.partition(" ")
        if not (index.isascii() and index.isdigit() and len(index) < 8 and int(index) < len(cells)):
            raise wrong
        rest = rest.lstrip()
        if rest[:1] in {"'", '"'}:
            word, end = _quoted(rest, 0, number)
            cells[int(index)] = word
        else:
            end = rest.find(",") if "," in rest else len(rest)
            word = rest[:end].strip()
            cells[int(index)] = None if word == "?" else word
        after = rest[end:].lstrip()
        if after and not after.startswith(","):
            raise wrong
        inside = after[1:].strip()
    return cells


def _column(name: str, attribute: _Attribute) -> Column:
    if attribute.levels is not None:
        return Column(name, [None if cell is None else cell.strip() for cell in attribute.cells])
    values = [float("nan") if cell is None else float(cell) for cell in attribute.cells]
    return Column(name, attribute.cells, np.array(values, dtype=np.float64))
