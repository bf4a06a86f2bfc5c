"""From a user's file to a table: which format it is, which column is the label, and what is refused.

Whatever the bytes are, the answer is a table or a ValueError with one sentence. Nothing is ever
unpickled or evaluated.
"""

import itertools
from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath

import numpy as np
import pandas as pd

from ecocviz.data.limits import current_limits, raising, refuse
from ecocviz.data.readers_arff import read_arff
from ecocviz.data.readers_common import Column, Raw, identifies_rows, missing_text
from ecocviz.data.readers_csv import read_csv
from ecocviz.data.readers_numbers import MISSING, as_numbers
from ecocviz.data.readers_parquet import read_parquet
from ecocviz.data.types import Table
from ecocviz.engine.params import shorten
from ecocviz.engine.types import BoolArray, FloatArray

LABEL_NAMES = ("class", "label", "target", "species", "y")
"""Names by which a label column is recognised, whatever the case of their letters."""

LONGEST_CLASS = 100

_NOT_READ = {
    ".xlsx": "a spreadsheet",
    ".xls": "a spreadsheet",
    ".ods": "a spreadsheet",
    ".zip": "packed",
    ".gz": "packed",
    ".7z": "packed",
    ".pkl": "a pickle",
    ".pickle": "a pickle",
}


def read_table(
    content: bytes,
    filename: str,
    label: str | None = None,
    test: bytes | None = None,
    test_filename: str = "",
    left_out: Collection[str] | None = None,
) -> Table:
    """Read a CSV, TSV, ARFF or Parquet file, and optionally a second one with the test rows.

    Parameters
    ----------
    content
        The file's bytes.
    filename
        Its name: the ending tells the format, the rest becomes the table's name.
    label
        Name of the label column; None takes the one of `LABEL_NAMES`, else the last.
    test
        Bytes of a file with the same columns; its rows become the test part of the own split.
    test_filename
        The name of that file.
    left_out
        Names of columns that become no features; not the label, and not all others. None leaves out those
        that only identify the rows, and says so.
    """
    train_raw = read_columns(content, filename)
    raws = [train_raw]
    if test is not None:
        raws.append(_same_columns(train_raw, read_columns(test, test_filename or filename)))
    position = _label_position(train_raw, label)
    _check_shape(raws)
    name = train_raw.columns[position].name
    notes = list(dict.fromkeys(note for raw in raws for note in raw.notes))
    if left_out is None:
        left_out = identifiers(train_raw, name)
        notes += [f"{identifier_words(left_out)}."] if left_out else []
    notes += left_out_notes([column.name for column in train_raw.columns], name, left_out)
    labels = [text for raw in raws for text in raw.columns[position].label_texts()]
    named = np.array([not missing_text(text) for text in labels], dtype=np.bool_)
    if not named.all():
        notes.append(f"{int((~named).sum()):,} rows without a label are left out.")
    kept = [str(text) for text, is_named in zip(labels, named, strict=True) if is_named]
    check_labels(name, len(set(kept)), max(map(len, kept), default=0))
    features = _features(raws, {name, *left_out}, named, notes)
    n_train = int(named[: train_raw.n_rows].sum())
    if test is not None and not 0 < n_train < len(kept):
        raise ValueError("One of the two files has no rows with a label; both need some.")
    title = PurePath(filename.replace("\\", "/")).name
    return Table(
        name=shorten(title, 80) or "Uploaded file",
        features=features,
        labels=pd.Series(kept, name=name, dtype="str"),
        categorical=tuple(str(key) for key, series in features.items() if series.dtype != np.float64),
        n_train=n_train if test is not None else None,
        source=f"Uploaded file {shorten(title, 80)}",
        licence="Yours",
        notes=tuple(notes),
    )


def read_columns(content: bytes, filename: str) -> Raw:
    """Read a file into named columns without deciding which is the label."""
    limits = current_limits()
    refuse("This file", len(content), limits.file_bytes, "bytes", "upload a part of its rows")
    ending = PurePath(filename.lower()).suffix
    if not content.strip():
        raise ValueError("This file is empty; choose another.")
    if content[:4] == b"PAR1" or ending in {".parquet", ".pq"}:
        return read_parquet(content)
    packed = content[:2] in (b"PK", b"\x1f\x8b")
    kind = "a compressed file or a spreadsheet" if packed else _NOT_READ.get(ending)
    if kind is not None:
        raise ValueError(
            f"This file is {kind}, which cannot be read here; save the table as CSV and upload that."
        )
    return read_arff(content) if ending == ".arff" else read_csv(content, LABEL_NAMES)


def label_column(raw: Raw) -> str:
    """Return the name of the column that is the label unless another is chosen."""
    for wanted in LABEL_NAMES:
        for column in raw.columns:
            if column.name.casefold() == wanted:
                return column.name
    return raw.columns[-1].name


def identifiers(raw: Raw, label: str | None = None) -> tuple[str, ...]:
    """Name the columns but the label that only identify the rows; none where no feature would remain.

    The one rule for the app, the command line and `read_table`, by which columns are left out unless somebody
    says which.
    """
    found = tuple(column.name for column in raw.columns if identifies_rows(column))
    return tuple(name for name in found if name != label) if len(raw.columns) - len(found) >= 2 else ()


def identifier_words(names: Sequence[str]) -> str:
    """Say why columns are left out by themselves, without a full stop.

    >>> identifier_words(["id"])
    'id has a different value in every row, so it is left out'
    """
    if len(names) == 1:
        return f"{shorten(names[0], 40)} has a different value in every row, so it is left out"
    return f"{_listed(names)} have a different value in every row, so they are left out"


def _label_position(raw: Raw, label: str | None) -> int:
    names = [column.name for column in raw.columns]
    wanted = label_column(raw) if label is None else label
    if wanted not in names:
        raise ValueError(
            f"There is no column {shorten(wanted)!r} for the label; the columns are {_listed(names)}."
        )
    return names.index(wanted)


def left_out_notes(names: list[str], label: str, left_out: Collection[str]) -> list[str]:
    """Say which columns of these are left out; raise where they cannot be, beside this label."""
    for name in left_out:
        if name not in names:
            raise ValueError(
                f"There is no column {shorten(name)!r} to leave out; the columns are {_listed(names)}."
            )
    if label in left_out:
        raise ValueError(
            f"The column {shorten(label)!r} holds the class and cannot be left out; put it back."
        )
    gone = [name for name in names if name in left_out]
    if len(gone) == len(names) - 1:
        raise ValueError("All columns but the label are left out; put at least one back.")
    return [f"Columns left out: {_listed(gone)}."] if gone else []


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(shorten(name, 20) for name in names[:6])
    return f"{shown} and others" if len(names) > 6 else shown


def _same_columns(train: Raw, test: Raw) -> Raw:
    """Return the test columns in the order of the training columns, or raise."""
    by_name = {column.name: column for column in test.columns}
    if test.named and train.named:
        for column in train.columns:
            if column.name not in by_name:
                raise ValueError(
                    f"The test file has no column {shorten(column.name)!r}; both files need the same columns."
                )
        ordered = [by_name[column.name] for column in train.columns]
        return Raw(ordered, test.n_rows, named=True, notes=test.notes)
    if len(train.columns) != len(test.columns):
        raise ValueError(
            f"The test file has {len(test.columns)} columns and the training file {len(train.columns)};"
            " both need the same."
        )
    return test


def _check_shape(raws: list[Raw]) -> None:
    limits = current_limits()
    n_rows, n_columns = sum(raw.n_rows for raw in raws), len(raws[0].columns)
    if n_columns < 2:
        raise ValueError("Only one column was found, but a label and at least one feature are needed.")
    refuse("This table", n_rows, limits.rows, "rows", "upload a part of them")
    refuse("This table", n_columns, limits.columns, "columns", "leave some out")
    refuse("This table", 8 * n_rows * n_columns, limits.bytes, "bytes", "upload fewer rows or columns")


def check_labels(name: str, n_classes: int, longest: int) -> None:
    """Refuse a label with too few or too many classes, or one whose name has too many characters."""
    shown = shorten(name)
    if longest > LONGEST_CLASS:
        raise ValueError(
            f"The label column {shown!r} holds a text of {longest:,} characters, which is too long for a "
            "class name;"
            " choose another column."
        )
    subject, limit = f"The label column {shown!r}", current_limits().classes
    refuse(subject, n_classes, limit, "different values", "choose another column")
    if n_classes < 2:
        raise ValueError(
            f"The label column {shown!r} has {n_classes} class{'es' if n_classes == 0 else ''},"
            " but at least two are needed; choose another column."
        )


def _features(raws: list[Raw], others: Collection[str], named: BoolArray, notes: list[str]) -> pd.DataFrame:
    """Join all columns but `others`, of the rows that have a label; add to the notes what is odd.

    Words are counted before any becomes more than a cell: each different one would become a column.
    """
    read: dict[str, FloatArray | list[str | None]] = {}
    n_words: dict[str, int] = {}
    for p, column in enumerate(raws[0].columns):
        if column.name not in others:
            values = _values([raw.columns[p] for raw in raws], notes)
            read[column.name] = values
            if isinstance(values, list):
                n_words[column.name] = len(set(values) - MISSING - {None})
    check_words(n_words)
    kept: list[bool] = named.tolist()
    return pd.DataFrame(
        {
            name: pd.Series(_words(values, kept), dtype="str")
            if isinstance(values, list)
            else pd.Series(_finite(name, values)[named], dtype="float64")
            for name, values in read.items()
        }
    )


def check_words(n_words: Mapping[str, int]) -> None:
    """Refuse columns of words that have too many different ones together, and name the fullest."""
    limit = current_limits().words
    kept = sum(n_words.values())
    if kept <= limit:
        return
    full: list[str] = []
    for name in sorted(n_words, key=lambda name: -n_words[name]):
        if kept > limit:
            full.append(name)
            kept -= n_words[name]
    one = len(full) == 1
    raise ValueError(
        f"The column{'' if one else 's'} {_listed(full)} hold{'s' * one} "
        f"{sum(n_words[name] for name in full):,} different words but at most {limit:,} are accepted "
        f"altogether; leave {'it' if one else 'them'} out{raising(limit)}."
    )


def _values(parts: list[Column], notes: list[str]) -> FloatArray | list[str | None]:
    """Join a column's parts: numbers if all parts are or can be read as such, else words."""
    name = parts[0].name
    if all(part.numbers is not None for part in parts):
        return np.concatenate([part.numbers for part in parts if part.numbers is not None])
    texts = (
        parts[0].label_texts() if len(parts) == 1 else [text for part in parts for text in part.label_texts()]
    )
    if all(part.guess or part.numbers is not None for part in parts):
        decimal_comma = any(part.decimal_comma for part in parts)
        read, said = as_numbers(texts, decimal_comma=decimal_comma)
        if said:
            notes.append(f"The column {shorten(name)} is read {said}.")
        if read is not None:
            return read
    return texts


def _words(texts: list[str | None], kept: list[bool]) -> list[str | None]:
    return [None if text in MISSING else text for text in itertools.compress(texts, kept)]


def _finite(name: str, numbers: FloatArray) -> FloatArray:
    if np.isinf(numbers).any():
        raise ValueError(
            f"The column {shorten(name)!r} holds a number too large to compute with;"
            " correct it or leave the column out."
        )
    return numbers
