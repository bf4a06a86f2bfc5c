"""Parquet files, through pyarrow, once what they claim to hold has been added up."""

from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from ecocviz.data.readers_common import Column, Raw, check_characters, unique_names
from ecocviz.data.readers_parquet_parts import NotParquetError, check_parts
from ecocviz.engine.params import shorten
from ecocviz.engine.types import FloatArray


def read_parquet(content: bytes) -> Raw:
    """Read a Parquet file with columns of numbers, truth values and texts."""
    try:
        return _read(content)
    except (NotParquetError, pa.ArrowException, OSError, UnicodeDecodeError, OverflowError, MemoryError):
        raise ValueError(
            "This file is not a readable Parquet file; write it again or save the table as CSV."
        ) from None


def _read(content: bytes) -> Raw:
    flat = check_parts(content)
    source = pa.BufferReader(content)
    schema = parquet.ParquetFile(source).schema_arrow
    names = unique_names([str(name) for name in schema.names])
    kinds = [schema.field(position).type for position in range(len(names))]
    for name, kind in zip(names, kinds, strict=True):
        _check_kind(name, kind)
    if not flat:
        raise NotParquetError
    # A text that occurs often is kept once: as an entry of a dictionary.
    texts = [position for position, kind in enumerate(kinds) if _is_text(kind)]
    table = parquet.ParquetFile(source, read_dictionary=texts).read()
    table.validate(full=True)  # a page may name an entry that its dictionary does not have
    columns: list[Column] = []
    n_characters = 0
    for position, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        values = table.column(position)
        if _is_text(kind):
            counted, words = _words(values, n_characters)
            n_characters += counted
            columns.append(Column(name, words))
        else:
            columns.append(Column(name, numbers=_numbers(values)))
    return Raw(columns, int(table.num_rows), named=True)


def _value_kind(kind: Any) -> Any:  # noqa: ANN401 - pyarrow has no types for the checker
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_text(kind: Any) -> bool:  # noqa: ANN401 - as above
    values = _value_kind(kind)
    return bool(pa.types.is_string(values) or pa.types.is_large_string(values))


def _check_kind(name: str, kind: Any) -> None:  # noqa: ANN401 - as above
    values = _value_kind(kind)
    numeric = (pa.types.is_null, pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating)
    if not (_is_text(values) or pa.types.is_decimal(values) or any(asks(values) for asks in numeric)):
        raise ValueError(
            f"The column {shorten(name)!r} is of the type {shorten(str(values), 20)}, which is not read here;"
            " turn it into numbers or text."
        )


def _numbers(values: Any) -> FloatArray:  # noqa: ANN401 - as above
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if pa.types.is_null(values.type) or pa.types.is_boolean(values.type):
        values = values.cast(pa.int8())
    numbers = values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return np.array(numbers, dtype=np.float64)


def _words(values: Any, n_characters: int) -> tuple[int, list[str | None]]:  # noqa: ANN401 - as above
    """Return how many characters the cells have, on top of `n_characters`, and the cells."""
    counted = 0
    cells: list[str | None] = []
    for chunk in values.chunks:
        words: list[str | None] = [
            None if word is None else word.strip() for word in chunk.dictionary.to_pylist()
        ]
        # What is missing is the entry after the last.
        places = chunk.indices.cast(pa.int64()).fill_null(len(words)).to_numpy()
        words.append(None)
        lengths = np.array([len(word or "") for word in words])
        counted += int(lengths @ np.bincount(places, minlength=len(words)))
        check_characters(n_characters + counted)
        cells += [words[place] for place in places.tolist()]
    return counted, cells
