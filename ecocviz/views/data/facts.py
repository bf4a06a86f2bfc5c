"""What a data set holds, and what its preparation and split make of it; nothing is trained here."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ecocviz.data.prepare import MISSING_NAME, folds, prepare
from ecocviz.data.types import Fold, Prepared, Table
from ecocviz.engine.params import TextParam
from ecocviz.engine.types import BoolArray, FloatArray, IntArray
from ecocviz.lab.regions import PCA, make_plane
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.selection import DIGITS

AXES = TextParam(name="axes", label="Axes of the data", default="", alphabet=f"pca{DIGITS},", max_length=20)
"""The main directions "pca", or two columns' numbers."""

SELECTION = (AXES,)
FORGOTTEN = {"data": SELECTION}


JITTER = 0.22
"""Words, and numbers that repeat a lot, are drawn scattered around their place by this share of the
distance to the next, so that equal ones do not hide each other."""

FEW_VALUES, REPEATED = 20, 4
"""A column of numbers repeats a lot if it has at most so many values, each so many times on average."""


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """One column of a table: `told` is its range, or its most frequent word."""

    name: str
    kind: str
    n_missing: int
    n_values: int
    told: str


@dataclass(frozen=True, slots=True)
class Consequences:
    """What preparation and split make of a table.

    Attributes
    ----------
    prepared
        The arrays of the shown fold: the only one, or for several folds all rows as training part.
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


@dataclass(frozen=True, slots=True)
class Cloud:
    """The rows of a table as points of a plane.

    Attributes
    ----------
    key
        "pca", "i,j" for two columns of the table, or "i" where it has one only.
    names
        Of the two axes.
    coordinates : (n_points, 2)
    rows, codes, is_test : (n_points,)
        The table's row, its class, and whether it is tested on and not trained on.
    levels
        For each axis the words at 0, 1, 2, ..., or nothing where it holds numbers.
    n_hidden
        Rows not drawn because a value is missing there.
    scattered
        Names of the axes whose numbers are drawn around their place, because they repeat a lot.
    """

    key: str
    names: tuple[str, str]
    coordinates: FloatArray
    rows: IntArray
    codes: IntArray
    is_test: BoolArray
    levels: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    n_hidden: int = 0
    scattered: tuple[str, ...] = ()


def describe_columns(table: Table) -> list[ColumnFacts]:
    """Return the facts of every column of a table.

    Examples
    --------
    >>> table = Table(name="", features=pd.DataFrame({"a": [1.0, 2.5, None]}), labels=pd.Series(["x"] * 3))
    >>> describe_columns(table)
    [ColumnFacts(name='a', kind='numbers', n_missing=1, n_values=2, told='1 to 2.5')]
    """
    found = []
    for position, name in enumerate(table.features.columns):
        column = table.features.iloc[:, position]
        present = column.dropna()
        if name in table.categorical:
            kind = "words"
            usual = present.value_counts(sort=True)
            told = f"mostly {usual.index[0]} ({int(usual.iloc[0]):,})" if len(usual) else ""
        else:
            kind = "numbers"
            told = f"{present.min():.6g} to {present.max():.6g}" if len(present) else ""
        found.append(
            ColumnFacts(str(name), kind, int(column.isna().sum()), int(present.nunique()), told),
        )
    return found


def make_consequences(scenario: Scenario, table: Table) -> Consequences:
    """Split and prepare a table as a scenario says; raise ValueError with a sentence where it cannot be."""
    parts = folds(table, scenario.split.key, scenario.split.values, scenario.seed)
    rows = np.arange(table.labels.size)
    shown = parts[0] if len(parts) == 1 else Fold(rows, rows[:0], parts[0].notes)
    prepared = prepare(table, shown, scenario.preparation.key, scenario.preparation.values)
    codes, n = table.codes(), len(table.classes)
    tested = prepared.test_rows
    if len(parts) > 1:
        tested = np.intersect1d(np.concatenate([part.test for part in parts]), prepared.train_rows)
    used = np.union1d(shown.train, shown.test)
    kept = np.union1d(prepared.train_rows, prepared.test_rows)
    names = [str(name) for name in table.features.columns]
    used_names = _used(table, prepared)
    return Consequences(
        prepared,
        np.bincount(codes, minlength=n),
        np.bincount(codes[prepared.train_rows], minlength=n),
        np.bincount(codes[tested], minlength=n),
        np.array([[part.train.size, part.test.size] for part in parts], dtype=np.int64),
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
        told = name in table.categorical and f"{name} = {MISSING_NAME}" in made
        total += 0 if told or name not in used else n_gaps
    return total


def cloud_keys(n_features: int) -> tuple[str, ...]:
    """Return what an axis can show of a table: the default first.

    >>> cloud_keys(1), cloud_keys(2), cloud_keys(3)
    (('0',), ('0,1', 'pca'), ('pca', '0,1'))
    """
    if n_features == 1:
        return ("0",)
    return ("0,1", PCA) if n_features == 2 else (PCA, "0,1")


def read_axes(text: str, n_features: int) -> str:
    """Return the axes that a link asks for, or the default where they do not exist.

    >>> read_axes("2,0", 4), read_axes("2,9", 4), read_axes("pca", 1)
    ('2,0', 'pca', '0')
    """
    default = cloud_keys(n_features)
    if text in default:
        return text
    parts = text.split(",")
    if n_features > 1 and len(parts) == 2 and all(part.isdecimal() and len(part) < 6 for part in parts):
        i, j = map(int, parts)
        if max(i, j) < n_features and i != j:
            return f"{i},{j}"
    return default[0]


def make_cloud(table: Table, found: Consequences, axes: str) -> Cloud:
    """Place the rows of a table on two of its columns as they are, or on two directions as prepared.

    Parameters
    ----------
    axes
        As `read_axes` returns it.
    """
    prepared, codes = found.prepared, table.codes()
    tested = np.zeros(codes.size, dtype=np.bool_)
    tested[prepared.test_rows] = True
    tested[prepared.train_rows] = False  # the split that trains on everything tests nothing else
    if axes == PCA:
        plane = make_plane(prepared, PCA)
        # With that split the rows of both parts are the same: each is drawn once.
        rows, first = np.unique(np.concatenate([prepared.train_rows, prepared.test_rows]), return_index=True)
        points = plane.project(np.concatenate([prepared.X_train, prepared.X_test])[first])
        n_hidden = codes.size - rows.size
        return Cloud(PCA, plane.names, points, rows, codes[rows], tested[rows], n_hidden=n_hidden)
    rng = np.random.default_rng(0)
    columns = [int(part) for part in axes.split(",")]
    placed = [_place(table, column, rng) for column in columns]
    if len(placed) == 1:
        placed.append((rng.uniform(-JITTER, JITTER, codes.size), (), False))
    points = np.stack([values for values, _, _ in placed], axis=1)
    rows = np.flatnonzero(~np.isnan(points).any(axis=1))
    names = [str(table.features.columns[column]) for column in columns] + [""]
    return Cloud(
        axes,
        (names[0], names[1]),
        points[rows],
        rows,
        codes[rows],
        tested[rows],
        (placed[0][1], placed[1][1]),
        codes.size - rows.size,
        tuple(name for name, (_, _, scattered) in zip(names, placed, strict=False) if scattered),
    )


def _place(table: Table, column: int, rng: np.random.Generator) -> tuple[FloatArray, tuple[str, ...], bool]:
    """Return a column as places on an axis, NaN where missing; its words; if it is scattered."""
    values = table.features.iloc[:, column]
    if table.features.columns[column] not in table.categorical:
        numbers = values.to_numpy(dtype=np.float64)
        different = np.unique(numbers[~np.isnan(numbers)])
        if not 1 < different.size <= FEW_VALUES or different.size * REPEATED > numbers.size:
            return numbers, (), False
        gap = float(np.diff(different).min())
        return numbers + gap * rng.uniform(-JITTER, JITTER, numbers.size), (), True
    levels = sorted(str(level) for level in values.dropna().unique())
    index = pd.Index(levels).get_indexer(pd.Index(values)).astype(np.float64)
    index[values.isna().to_numpy()] = np.nan
    return index + rng.uniform(-JITTER, JITTER, index.size), tuple(levels), False


def thin(codes: IntArray, most: int) -> IntArray:
    """Return the numbers of at most about `most` points, evenly spread over every class, ascending.

    Examples
    --------
    >>> thin(np.array([0, 0, 0, 0, 0, 0, 0, 1]), 4).tolist()
    [0, 2, 4, 6, 7]
    """
    if codes.size <= most:
        return np.arange(codes.size)
    kept = []
    for c in np.unique(codes):
        members = np.flatnonzero(codes == c)
        size = -(-members.size * most // codes.size)
        kept.append(members[np.rint(np.linspace(0, members.size - 1, size)).astype(np.int64)])
    chosen: IntArray = np.sort(np.concatenate(kept))
    return chosen
