"""What is done with a file of any format: what the Data page does with it."""

from ecocviz.data.readers import identifiers, label_column, read_columns, read_table
from ecocviz.data.types import Table

SMALL = 100_000
"""Bytes of a file up to which it is also looked at as before its label is chosen."""
HEAVY = 0.004
"""The share of cases that are as large as a file may be."""
LARGEST = 24_900_000


def take_table(content: bytes, name: str) -> str:
    """Read a file; assert what holds for every table."""
    if len(content) < SMALL:
        raw = read_columns(content, name)
        assert label_column(raw) in {column.name for column in raw.columns}
        assert len({column.name for column in raw.columns}) == len(raw.columns)
        identifiers(raw)
    table = read_table(content, name)
    assert isinstance(table, Table)
    assert len(table.features) == len(table.labels) >= 2
    assert 2 <= len(table.classes) <= 200
    assert len(table.codes()) == len(table.labels)
    return "table"
