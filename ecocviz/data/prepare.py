"""From a table and a fold to the arrays that learners get. Everything is learned from the training part.

Numbers are scaled by the chosen preparation; words become one 0/1 column per value seen in
training (an unseen value is 0 in all of them) and are not scaled; columns that are constant in the
training part are left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ecocviz.data.catalogue import PREPARATIONS, SPLITS
from ecocviz.data.limits import current_limits, raising
from ecocviz.data.types import Fold, Prepared, Table
from ecocviz.engine.lookup import look_up
from ecocviz.engine.params import ParamValue, complete, shorten
from ecocviz.engine.types import BoolArray, FloatArray, IntArray

TINY_WIDTH = 1e-100
LARGEST = 1e100
"""Columns narrower than the one are constant, numbers larger than the other are refused: between
them no product of two numbers overflows."""

MISSING_NAME = "(missing)"


def folds(
    table: Table, split_key: str, split_params: Mapping[str, ParamValue] | None = None, seed: int = 0
) -> list[Fold]:
    """Divide the rows of a table.

    Parameters
    ----------
    split_key
        One of SPLITS.
    split_params
        The split's own parameters; defaults where not given.
    seed
        Used by random splits only.
    """
    split = look_up(SPLITS, "split", split_key)
    values = complete(split.params, dict(split_params or {}))
    return split.cut(table, **values, **({"seed": seed} if split.seeded else {}))


@dataclass(slots=True)
class _Columns:
    """Columns under construction, in training and test; `numeric` ones are still to be scaled."""

    names: list[str] = field(default_factory=list)
    train: list[FloatArray] = field(default_factory=list)
    test: list[FloatArray] = field(default_factory=list)
    numeric: list[bool] = field(default_factory=list)
    constant: list[str] = field(default_factory=list)
    filled: list[str] = field(default_factory=list)

    def add(self, name: str, train: FloatArray, test: FloatArray, *, numeric: bool) -> None:
        self.names.append(name)
        self.train.append(train)
        self.test.append(test)
        self.numeric.append(numeric)


def prepare(
    table: Table,
    fold: Fold,
    preparation_key: str = "min-max",
    preparation_params: Mapping[str, ParamValue] | None = None,
) -> Prepared:
    """Make the arrays of one fold.

    Parameters
    ----------
    fold
        One of `folds(table, ...)`.
    preparation_key
        One of PREPARATIONS.
    preparation_params
        The preparation's own parameters; defaults where not given.
    """
    preparation = look_up(PREPARATIONS, "preparation", preparation_key)
    missing = str(complete(preparation.params, dict(preparation_params or {}))["missing"])
    train_rows, test_rows, notes = fold.train, fold.test, list(fold.notes)
    if missing == "drop":
        train_rows, test_rows = _drop(table, fold, notes)
    codes = table.codes()
    _check_classes(codes[train_rows])
    train, test = table.features.iloc[train_rows], table.features.iloc[test_rows]
    columns = _Columns()
    for position, name in enumerate(table.features.columns):
        add = _add_words if name in table.categorical else _add_numbers
        add(columns, str(name), train.iloc[:, position], test.iloc[:, position], missing == "category")
        _check_size(len(columns.names), len(table.labels), str(name))
    if not columns.names:
        raise ValueError(
            "Every column is constant in the training part, so there is nothing to learn from; add a column."
        )
    X_train, X_test = _stack(columns.train, train_rows.size), _stack(columns.test, test_rows.size)
    scaled = np.flatnonzero(columns.numeric)
    if scaled.size:
        subtract, divide = preparation.scale(X_train[:, scaled])
        X_train[:, scaled] = (X_train[:, scaled] - subtract) / divide
        X_test[:, scaled] = (X_test[:, scaled] - subtract) / divide
    for X in (X_train, X_test):
        _check_numbers(X, columns.names)
    _note(notes, "Left out, because constant in the training part: ", columns.constant)
    _note(notes, "Missing values filled in from the training part: ", columns.filled)
    return Prepared(
        X_train=X_train,
        y_train=codes[train_rows],
        X_test=X_test,
        y_test=codes[test_rows],
        classes=table.classes,
        feature_names=tuple(columns.names),
        notes=tuple(notes),
        train_rows=train_rows,
        test_rows=test_rows,
    )


def _drop(table: Table, fold: Fold, notes: list[str]) -> tuple[IntArray, IntArray]:
    """Return the rows of both parts that miss nothing."""
    whole: BoolArray = np.asarray(table.features.notna().to_numpy().all(axis=1))
    train, test = fold.train[whole[fold.train]], fold.test[whole[fold.test]]
    if train.size == 0:
        raise ValueError(
            "Every training row has a missing value, so leaving them out leaves nothing;"
            " fill missing values in instead."
        )
    n_train, n_test = fold.train.size - train.size, fold.test.size - test.size
    if n_train + n_test:
        notes.append(f"Left out for missing values: {n_train:,} training and {n_test:,} test rows.")
    return train, test


def _check_classes(y_train: IntArray) -> None:
    if np.unique(y_train).size < 2:
        raise ValueError(
            "The training part has rows of fewer than two classes, so there is nothing to tell apart;"
            " choose another split or more data."
        )


def _add_numbers(
    columns: _Columns, name: str, train: "pd.Series[float]", test: "pd.Series[float]", mark: bool
) -> None:
    seen, asked = np.array(train, dtype=np.float64), np.array(test, dtype=np.float64)
    gaps, asked_gaps = np.isnan(seen), np.isnan(asked)
    if gaps.all():
        columns.constant.append(name)
        return
    for values in (seen[~gaps], asked[~asked_gaps]):
        _check_numbers(values[:, None], [name])
    median = np.median(seen[~gaps])
    seen[gaps], asked[asked_gaps] = median, median
    if gaps.any() or asked_gaps.any():
        columns.filled.append(name)
    if float(seen.max()) - float(seen.min()) < TINY_WIDTH:
        columns.constant.append(name)
    else:
        columns.add(name, seen, asked, numeric=True)
    if mark and gaps.any():
        columns.add(
            f"{name} = {MISSING_NAME}",
            gaps.astype(np.float64),
            asked_gaps.astype(np.float64),
            numeric=False,
        )


def _add_words(
    columns: _Columns, name: str, train: "pd.Series[str]", test: "pd.Series[str]", mark: bool
) -> None:
    gaps, asked_gaps = train.isna().to_numpy(), test.isna().to_numpy()
    levels = sorted(str(level) for level in train[~gaps].unique())
    marked = mark and bool(gaps.any())
    if len(levels) + marked < 2:
        columns.constant.append(name)
        return
    # Positions among the levels; -1 where missing, or not seen in training.
    index = pd.Index(levels)
    seen, asked = index.get_indexer(pd.Index(train)), index.get_indexer(pd.Index(test))
    if not marked and (gaps.any() or asked_gaps.any()):
        # Of equally frequent values the first in the alphabet, so that row order does not matter.
        usual = int(np.bincount(seen[~gaps]).argmax())
        seen, asked = np.where(gaps, usual, seen), np.where(asked_gaps, usual, asked)
        columns.filled.append(name)
    _check_size(len(columns.names) + len(levels), train.size + test.size, name)
    for position, level in enumerate(levels):
        columns.add(
            f"{name} = {level}",
            (seen == position).astype(np.float64),
            (asked == position).astype(np.float64),
            numeric=False,
        )
    if marked:
        columns.add(
            f"{name} = {MISSING_NAME}",
            gaps.astype(np.float64),
            asked_gaps.astype(np.float64),
            numeric=False,
        )


def _check_size(n_columns: int, n_rows: int, name: str) -> None:
    """Refuse words with so many values that one column for each would not fit."""
    limits = current_limits()
    if n_columns > limits.columns or 8 * n_columns * n_rows > limits.bytes:
        raise ValueError(
            f"With one column for every value of {shorten(name)!r} there would be {n_columns:,} columns"
            f" of {n_rows:,} rows, more than is accepted; leave that column out"
            f"{raising(limits.columns if n_columns > limits.columns else limits.bytes)}."
        )


def _stack(columns: list[FloatArray], n_rows: int) -> FloatArray:
    stacked = np.empty((n_rows, len(columns)), dtype=np.float64)
    for j, column in enumerate(columns):
        stacked[:, j] = column
    return stacked


def _check_numbers(X: FloatArray, names: list[str]) -> None:
    if X.size and not np.abs(X).max() <= LARGEST:
        column = int(np.abs(X).max(axis=0).argmax())
        raise ValueError(
            f"The column {shorten(names[column])!r} holds numbers too far from the others to compute with;"
            " correct them or leave the column out."
        )


def _note(notes: list[str], start: str, names: list[str]) -> None:
    if names:
        shown = ", ".join(shorten(name) for name in names[:6])
        more = f" and {len(names) - 6} more" if len(names) > 6 else ""
        notes.append(f"{start}{shown}{more}.")
