"""What a Parquet file claims to hold, added up before anything of it is unpacked.

Encoded sizes lie: a page of a few bytes may be a dictionary and a run that names one of its entries a
hundred thousand times, or unpack into gigabytes. So the footer and the head of every page are read here
first. What the two say must agree with each other and with the limits.
"""

from typing import Any

from ecocviz.data.limits import current_limits, refuse
from ecocviz.data.readers_thrift import Compact, NotThriftError, TooManyValuesError

MAGIC = b"PAR1"
MOST_VALUES = 1_000_000
"""Of footer and page heads together; a file of 2,000 columns has some 110,000 for each row group."""

_DEEPEST = 20
_DATA, _DICTIONARY, _DATA_V2 = 0, 2, 3
_DICTIONARY_HEAD = 7
_HEADS, _ENCODINGS = {_DATA: 5, _DATA_V2: 8}, {_DATA: 2, _DATA_V2: 4}
"""Fields of a page's head: what its kind has of its own, and in that the encoding."""
_REPEATED = 2
_BYTE_ARRAY, _FIXED = 6, 7
_LEAST_BYTES = {1: 4, 2: 8, 3: 12, 4: 4, 5: 8, _BYTE_ARRAY: 4}
"""Bytes that a value in a dictionary takes at least, by its physical type."""
_BESIDE = 50
"""Bytes that a text takes in memory beside its letters."""
_ENTRIES = (2, 8)
"""Encodings that name entries of a dictionary; with any other every value may be a text of its own."""
_DELTA_BYTE_ARRAY = 7
"""An encoding by which each text repeats the beginning of the one before: a few bytes may mean any length."""


class NotParquetError(Exception):
    """The file contradicts itself."""


def check_parts(content: bytes) -> bool:
    """Go through footer and page heads; raise NotParquetError, or ValueError with one sentence.

    Returns
    -------
    flat
        Whether no column holds columns or lists. Where one does, pages have not been looked at: no such
        file may be read further than its schema.
    """
    try:
        return _check(content)
    except TooManyValuesError:
        raise ValueError(
            "This Parquet file is cut into too many pieces; write it again in fewer row groups."
        ) from None
    except (NotThriftError, KeyError, IndexError, TypeError, AttributeError):
        # A field that must be there is not, or is of another kind.
        raise NotParquetError from None


def _check(content: bytes) -> bool:
    length = int.from_bytes(content[-8:-4], "little")
    if content[-4:] != MAGIC or length > len(content) - 12:
        raise NotParquetError
    reader = Compact(content, len(content) - 8 - length, MOST_VALUES)
    footer = reader.struct()
    schema, n_rows, groups = footer[2], footer[3], footer[4]
    depth = _depth(schema)
    leaves = [element for element in schema[1:] if not element.get(5)]
    _check_size(n_rows, len(leaves))
    if n_rows == 0:
        raise ValueError("This Parquet file has no rows; choose another.")
    if depth > _DEEPEST or n_rows < 0:
        raise NotParquetError
    if depth > 1 or any(element.get(3) == _REPEATED for element in leaves):
        return False
    if sum(group[3] for group in groups) != n_rows or any(group[3] < 0 for group in groups):
        raise NotParquetError
    unpacked = 0
    for group in groups:
        if len(group[1]) != len(leaves):
            raise NotParquetError
        for chunk, element in zip(group[1], leaves, strict=True):
            unpacked += _Chunk(reader, chunk[3], element, group[3]).unpacked(content)
    limit = current_limits().unpacked_bytes
    refuse("This table", unpacked, limit, "bytes once it is unpacked", "upload a part of it")
    return True


def _check_size(n_rows: int, n_columns: int) -> None:
    limits = current_limits()
    n_cells = n_rows * n_columns
    refuse("This table", n_rows, limits.rows, "rows", "upload a part of them")
    refuse("This table", n_columns, limits.columns, "columns", "leave some out")
    refuse("This table", 8 * n_cells, limits.bytes, "bytes", "upload a part of it")
    refuse("This table", n_cells, limits.cells, "cells", "upload fewer rows or columns")


def _depth(schema: list[dict[int, Any]]) -> int:
    """Return how deep columns stand within columns: 1 in a plain table."""
    still = [schema[0].get(5, 0)]  # children to come, of every column that is open
    deepest = 1
    for element in schema[1:]:
        while still and not still[-1]:
            still.pop()
        still[-1] -= 1
        deepest = max(deepest, len(still))
        still.append(element.get(5, 0))
    if any(still):
        raise NotParquetError
    return deepest


class _Chunk:
    """The pages of one column in one group of rows."""

    def __init__(self, reader: Compact, about: dict[int, Any], element: dict[int, Any], n_rows: int) -> None:
        self._reader = reader
        self._least = element[2] if element[1] == _FIXED else _LEAST_BYTES.get(element[1], 1)
        self._text = element[1] == _BYTE_ARRAY
        self._left = n_rows
        self._start = about[9]
        if 0 < about.get(11, 0) < self._start:
            self._start = about[11]
        if about[1] != element[1] or about[5] != n_rows or (n_rows and self._start < len(MAGIC)):
            raise NotParquetError

    def unpacked(self, content: bytes) -> int:
        """Return the bytes that all pages claim to unpack to, as texts in memory take them."""
        position, total = self._start, 0
        while self._left > 0:
            self._reader.position = position
            head = self._reader.struct()
            size, packed = head[2], head[3]
            position = self._reader.position + packed
            if size < 0 or packed < 0 or position > len(content):
                raise NotParquetError
            total += size + self._note(head, size)
        return total

    def _note(self, head: dict[int, Any], size: int) -> int:
        """Return what one page's texts take beside its bytes; raise where it cannot hold what it says."""
        kind, n_texts = head[1], 0
        if kind == _DICTIONARY:
            n_words = head[_DICTIONARY_HEAD][1]
            if not 0 <= n_words * self._least <= size:
                raise NotParquetError
            n_texts = n_words
        elif kind in (_DATA, _DATA_V2):
            data = head[_HEADS[kind]]
            n_values, encoding = data[1], data[_ENCODINGS[kind]]
            if not 0 <= n_values <= self._left:
                raise NotParquetError
            if encoding == _DELTA_BYTE_ARRAY:
                raise ValueError(
                    "This Parquet file uses the encoding DELTA_BYTE_ARRAY, which is not read here;"
                    " write it with another or save the table as CSV."
                )
            self._left -= n_values
            n_texts = 0 if encoding in _ENTRIES else n_values
        return _BESIDE * n_texts if self._text else 0
