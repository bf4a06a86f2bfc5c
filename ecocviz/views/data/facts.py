"""What a data set holds, and what its preparation and split make of it; nothing is trained here."""

from dataclasses import dataclass

import numpy as np

from ecocviz.data.prepare import MISSING_NAME, folds, prepare
from ecocviz.data.types import Fold, Prepared, Table
from ecocviz.engine.params import TextParam
from ecocviz.engine.types import IntArray
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.selection import DIGITS

AXES = TextParam(name="axes", label="Axes of the data", default="", alphabet=f"pca{DIGITS},", max_length=20)
"""The main directions "pca", or two columns' numbers."""

SELECTION = (AXES,)
FORGOTTEN = {"data": SELECTION}


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """One column of a table: `summary` is its range, or its most frequent word."""

    name: str
    kind: str
    n_missing: int
    n_values: int
    summary: str


@dataclass(frozen=True, slots=True)
class TableFacts:
    """A table before anything is made of it.

    Attributes
    ----------
    name
        What to call it.
    classes
        Names.
    counts : (n_classes,)
        Rows of each.
    columns
        Without the class.
    """

    name: str
    classes: tuple[str, ...]
    counts: IntArray
    columns: tuple[ColumnFacts, ...]


@dataclass(frozen=True, slots=True)
class Consequences:
    """What preparation and split make of a table.

    Attributes
    ----------
    prepared
        The arrays of the shown fold: the only one, or for several folds all rows as training part.
    classes
        Names.
    counts, train, test : (n_classes,)
        Rows of each class: in the table, in training, in testing. With several folds every row is
        in training at some time, and `test` counts the rows that are ever tested.
    fold_sizes : (n_folds, 2)
        Training and test rows of every fold, before rows are left out for missing values.
    encoded, constant
        Names of the columns of words that became 0/1 columns, and of those left out as constant.
    n_filled
        Missing values filled in, over training and test rows.
    n_dropped
        Rows left out for missing values.
    """

    prepared: Prepared
    classes: tuple[str, ...]
    counts: IntArray
    train: IntArray
    test: IntArray
    fold_sizes: IntArray
    n_columns: int
    encoded: tuple[str, ...]
    constant: tuple[str, ...]
    n_filled: int
    n_dropped: int

    @property
    def n_folds(self) -> int:
        """Number of folds."""
        return len(self.fold_sizes)

    @property
    def tests_trained(self) -> bool:
        """Whether the rows that test are rows that train."""
        return bool(np.isin(self.prepared.test_rows, self.prepared.train_rows).any())


def describe_table(table: Table) -> TableFacts:
    """Return the facts of a table."""
    counts = np.bincount(table.codes(), minlength=len(table.classes))
    return TableFacts(table.name, table.classes, counts, tuple(describe_columns(table)))


def describe_columns(table: Table) -> list[ColumnFacts]:
    """Return the facts of every column of a table.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(name="", features=pd.DataFrame({"a": [1.0, 2.5, None]}), labels=pd.Series(["x"] * 3))
    >>> describe_columns(table)
    [ColumnFacts(name='a', kind='numbers', n_missing=1, n_values=2, summary='1 to 2.5')]
    """
    found = []
    for position, name in enumerate(table.features.columns):
        column = table.features.iloc[:, position]
        present = column.dropna()
        if name in table.categorical:
            kind = "words"
            usual = present.value_counts(sort=True)
            summary = f"mostly {usual.index[0]} ({int(usual.iloc[0]):,})" if len(usual) else ""
        else:
            kind = "numbers"
            summary = f"{present.min():.6g} to {present.max():.6g}" if len(present) else ""
        found.append(
            ColumnFacts(str(name), kind, int(column.isna().sum()), int(present.nunique()), summary),
        )
    return found


def make_consequences(scenario: Scenario, table: Table) -> Consequences:
    """Split and prepare a table as a scenario says; raise ValueError with a sentence where it cannot be."""
    cuts = folds(table, scenario.split.key, scenario.split.values, scenario.seed)
    rows = np.arange(table.labels.size)
    shown = cuts[0] if len(cuts) == 1 else Fold(rows, rows[:0], cuts[0].notes)
    prepared = prepare(table, shown, scenario.preparation.key, scenario.preparation.values)
    codes, classes = table.codes(), table.classes
    n = len(classes)
    tested = prepared.test_rows
    if len(cuts) > 1:
        tested = np.intersect1d(np.concatenate([cut.test for cut in cuts]), prepared.train_rows)
    used = np.union1d(shown.train, shown.test)
    kept = np.union1d(prepared.train_rows, prepared.test_rows)
    names = [str(name) for name in table.features.columns]
    used_names = _used(table, prepared)
    return Consequences(
        prepared,
        classes,
        np.bincount(codes, minlength=n),
        np.bincount(codes[prepared.train_rows], minlength=n),
        np.bincount(codes[tested], minlength=n),
        np.array([[cut.train.size, cut.test.size] for cut in cuts], dtype=np.int64),
        len(names),
        tuple(name for name in names if name in table.categorical and name in used_names),
        tuple(name for name in names if name not in used_names),
        _count_filled(table, prepared, used_names),
        used.size - kept.size,
    )


def _used(table: Table, prepared: Prepared) -> frozenset[str]:
    """Return the columns of a table that something was made of."""
    made, words = set(prepared.feature_names), set(table.categorical)
    # A column of words becomes "name = word"; either of the two may hold an equals sign itself.
    begun = {name.partition(" = ")[0] for name in made} | {name.rpartition(" = ")[0] for name in made}
    names = map(str, table.features.columns)
    return frozenset(name for name in names if name in (begun if name in words else made))


def _count_filled(table: Table, prepared: Prepared, used: frozenset[str]) -> int:
    """Count the missing values in used columns, but for words whose being missing is a column of its own."""
    rows, made = np.union1d(prepared.train_rows, prepared.test_rows), set(prepared.feature_names)
    gaps = table.features.iloc[rows].isna().sum()
    total = 0
    for name, n_gaps in zip(map(str, table.features.columns), gaps.tolist(), strict=True):
        kept = name in table.categorical and f"{name} = {MISSING_NAME}" in made
        total += 0 if kept or name not in used else n_gaps
    return total
