"""What is to be seen of a file before it is used: little, whatever the file's size."""

from collections.abc import Collection
from dataclasses import dataclass

from ecocviz.data.limits import current_limits
from ecocviz.data.readers import (
    check_labels,
    check_words,
    identifiers,
    label_column,
    left_out_notes,
    read_columns,
)
from ecocviz.data.readers_common import Column
from ecocviz.data.readers_numbers import MISSING, are_words

HEAD_ROWS = 6


@dataclass(frozen=True, slots=True)
class SeenColumn:
    """A column: its first cells, how many different values it has, and these where they can be classes.

    `longest` is the number of characters of the longest value; `n_words` counts the values that would each
    become a column, as far as that is known.
    """

    name: str
    head: tuple[float | str | None, ...]
    n_values: int
    classes: tuple[str, ...]
    longest: int
    n_words: int


@dataclass(frozen=True, slots=True)
class Look:
    """A file: `label` is the column that holds the class, `proposed` those better left out, unless chosen."""

    n_rows: int
    columns: tuple[SeenColumn, ...]
    label: str
    proposed: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """The columns' names."""
        return [column.name for column in self.columns]

    def column(self, name: str) -> SeenColumn:
        """Return a column by its name."""
        return next(column for column in self.columns if column.name == name)

    def check(self, label: str, left_out: Collection[str]) -> None:
        """Raise ValueError with the reader's sentence where the file will be refused with these choices."""
        left_out_notes(self.names, label, left_out)
        check_labels(label, self.column(label).n_values, self.column(label).longest)
        check_words({each.name: each.n_words for each in self.columns if each.name not in {label, *left_out}})


def look(content: bytes, filename: str) -> Look:
    """Read a file and return what is to be seen of it."""
    raw = read_columns(content, filename)
    columns = tuple(map(_seen, raw.columns))
    return Look(raw.n_rows, columns, label_column(raw), identifiers(raw))


def _seen(column: Column) -> SeenColumn:
    texts = column.label_texts()
    values = {text for text in set(texts).difference(MISSING) if text is not None}
    words = column.numbers is None and (are_words(texts) if column.guess else True)
    head = texts[:HEAD_ROWS] if column.numbers is None else column.numbers[:HEAD_ROWS].tolist()
    return SeenColumn(
        column.name,
        tuple(head),
        len(values),
        tuple(sorted(values)) if len(values) <= current_limits().classes else (),
        max(map(len, values), default=0),
        len(values) if words else 0,
    )
