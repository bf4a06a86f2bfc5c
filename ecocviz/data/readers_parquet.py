"""Parquet files, through pyarrow."""

import io
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from ecocviz.data.limits import current_limits, refuse
from ecocviz.data.readers_common import Column, Raw, unique_names
from ecocviz.engine.params import shorten


def read_parquet(content: bytes) -> Raw:
    """Read a Parquet file with columns of numbers, truth values and texts."""
    limits = current_limits()
    try:
        file = parquet.ParquetFile(io.BytesIO(content))
        # Sizes come from the footer: a small file may claim to unpack into a large one.
        metadata = file.metadata
        unpacked = sum(metadata.row_group(g).total_byte_size for g in range(metadata.num_row_groups))
        refuse("This table", metadata.num_rows, limits.rows, "rows", "upload a part of them")
        refuse("This table", metadata.num_columns, limits.columns, "columns", "leave some out")
        refuse("This table", unpacked, limits.bytes, "bytes", "upload a part of it")
        table = file.read()
        columns = [
            _column(name, table.column(position))
            for position, name in enumerate(unique_names([str(name) for name in table.column_names]))
        ]
    except (pa.ArrowException, OSError, UnicodeDecodeError, OverflowError):
        raise ValueError(
            "This file is not a readable Parquet file; write it again or save the table as CSV."
        ) from None
    if not columns or table.num_rows == 0:
        raise ValueError("This Parquet file has no rows; choose another.")
    return Raw(columns, int(table.num_rows), named=True)


def _column(name: str, values: Any) -> Column:  # noqa: ANN401 - pyarrow has no types for the checker
    kind = values.type
    if pa.types.is_dictionary(kind):
        values = values.cast(kind.value_type)
        kind = kind.value_type
    if pa.types.is_null(kind) or pa.types.is_boolean(kind):
        values = values.cast(pa.int8())
        kind = values.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        numbers = values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        return Column(name, numbers=np.array(numbers, dtype=np.float64))
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return Column(name, [None if text is None else str(text).strip() for text in values.to_pylist()])
    raise ValueError(
        f"The column {shorten(name)!r} is of the type {shorten(str(kind), 20)}, which is not read here;"
        " turn it into numbers or text."
    )
