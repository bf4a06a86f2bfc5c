"""The rows of a table as points of a plane: over two of its columns, or over two directions as prepared."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pandas as pd

from ecocviz.data.types import Table
from ecocviz.engine.types import BoolArray, FloatArray, IntArray
from ecocviz.lab.plane import PCA, make_plane
from ecocviz.views.data.facts import Consequences

Names: TypeAlias = tuple[str, str]
Levels: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]

MAX_DRAWN = 3_000
"""More rows are thinned."""
JITTER = 0.22
"""Words, and numbers that repeat a lot, are drawn scattered around their place by this share of the
distance to the next, so that equal ones do not hide each other."""

FEW_VALUES, REPEATED = 20, 4
"""A column of numbers repeats a lot if it has at most so many values, each so many times on average."""


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
    classes
        Names.
    drawn : (n_drawn,)
        The points that are drawn: all, or not too many of them, evenly from every class.
    levels
        For each axis the words at 0, 1, 2, ..., or nothing where it holds numbers.
    n_hidden
        Rows not drawn because a value is missing there.
    scattered
        Names of the axes whose numbers are drawn around their place, because they repeat a lot.
    """

    key: str
    names: Names
    coordinates: FloatArray
    rows: IntArray
    codes: IntArray
    is_test: BoolArray
    classes: tuple[str, ...]
    drawn: IntArray
    levels: Levels = ((), ())
    n_hidden: int = 0
    scattered: tuple[str, ...] = ()


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
    numbers = text.split(",")
    if n_features > 1 and len(numbers) == 2 and all(one.isdecimal() and len(one) < 6 for one in numbers):
        i, j = map(int, numbers)
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
    levels: Levels = ((), ())
    scattered: tuple[str, ...] = ()
    if axes == PCA:
        plane = make_plane(prepared, PCA)
        # With that split the rows of both parts are the same: each is drawn once.
        rows, first = np.unique(np.concatenate([prepared.train_rows, prepared.test_rows]), return_index=True)
        points = plane.project(np.concatenate([prepared.X_train, prepared.X_test])[first])
        names = plane.names
    else:
        points, names, levels, scattered = _over_columns(table, [int(number) for number in axes.split(",")])
        rows = np.flatnonzero(~np.isnan(points).any(axis=1))
        points = points[rows]
    return Cloud(
        axes,
        names,
        points,
        rows,
        codes[rows],
        tested[rows],
        found.classes,
        thin(codes[rows], MAX_DRAWN),
        levels,
        codes.size - rows.size,
        scattered,
    )


def _over_columns(table: Table, columns: list[int]) -> tuple[FloatArray, Names, Levels, tuple[str, ...]]:
    """Return all rows over one column or two, (n, 2); names, words and scattered names of the axes."""
    rng = np.random.default_rng(0)
    placed = [_place(table, column, rng) for column in columns]
    if len(placed) == 1:
        placed.append((rng.uniform(-JITTER, JITTER, table.labels.size), (), False))
    names = [str(table.features.columns[column]) for column in columns] + [""]
    return (
        np.stack([values for values, _, _ in placed], axis=1),
        (names[0], names[1]),
        (placed[0][1], placed[1][1]),
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
