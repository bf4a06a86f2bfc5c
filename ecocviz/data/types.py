"""The records of the data layer: a table, what makes one, and what is made of it.

Everything here is read-only by convention: a table is shared by all who look at the same data.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ecocviz.engine.params import Param
from ecocviz.engine.types import FloatArray, IntArray

_WHOLE = re.compile(r"[+-]?[0-9]{1,15}")


def _no_rows() -> IntArray:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A multiclass problem before it is split and prepared.

    Attributes
    ----------
    name
        What to call it on screen.
    features : (n_samples, n_features)
        Text columns are those in `categorical`, all others are float64; NaN where a value is missing.
    labels : (n_samples,)
        The class of each row as text; never missing.
    categorical
        Names of the text columns.
    n_train
        The first `n_train` rows are the set's own training part; None if it has none.
    lost_n_train
        Size of an original training part of which it is no longer known which rows it held.
    notes
        One sentence each, to be shown beside the data.
    own_notes
        The same, on the set's own training and test part: to be shown where these are used.
    """

    name: str
    features: pd.DataFrame
    labels: "pd.Series[str]"
    categorical: tuple[str, ...] = ()
    n_train: int | None = None
    source: str = ""
    licence: str = ""
    notes: tuple[str, ...] = ()
    lost_n_train: int | None = None
    own_notes: tuple[str, ...] = ()

    @property
    def has_own_split(self) -> bool:
        """Whether it came in a training and a test part, be it that only their sizes are known."""
        n_samples, sizes = len(self.labels), (self.n_train, self.lost_n_train)
        return any(size is not None and 0 < size < n_samples for size in sizes)

    @property
    def classes(self) -> tuple[str, ...]:
        """The names that occur as labels: in order of number where all are numbers, else alphabetical."""
        names = [str(name) for name in self.labels.unique()]
        if all(_WHOLE.fullmatch(name) for name in names):
            return tuple(sorted(names, key=lambda name: (int(name), name)))
        return tuple(sorted(names))

    def codes(self) -> IntArray:
        """Return the labels as positions in `classes`, (n_samples,)."""
        position = {name: c for c, name in enumerate(self.classes)}
        return np.array([position[label] for label in self.labels.tolist()], dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Where a table comes from: `load(**params)`, and `seed=` too if `seeded`.

    `needs` says what `load` takes from outside: "" (nothing), "network" or "upload".
    """

    key: str
    title: str
    summary: str
    group: str
    load: Callable[..., Table]
    params: tuple[Param, ...] = ()
    seeded: bool = False
    source: str = ""
    licence: str = ""
    needs: str = ""
    order: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """How numbers are put on a common scale.

    `scale(values)` gets a training part without missing values, (n_samples, n_columns), no column
    constant, and returns what to subtract and what to divide by, both (n_columns,).
    """

    key: str
    title: str
    summary: str
    scale: Callable[[FloatArray], tuple[FloatArray, FloatArray]]
    params: tuple[Param, ...] = ()
    order: int = 100


@dataclass(frozen=True, slots=True)
class Fold:
    """One way to divide the rows of a table.

    Attributes
    ----------
    train, test : (n_train,), (n_test,)
        Row numbers, ascending.
    notes
        What had to be done otherwise than asked.
    """

    train: IntArray
    test: IntArray
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """How rows are divided: `cut(table, **params)`, and `seed=` too if `seeded`, returns the folds.

    `as_it_came` says that it takes the training and the test part that a set came in.
    """

    key: str
    title: str
    summary: str
    cut: Callable[..., list[Fold]]
    params: tuple[Param, ...] = ()
    seeded: bool = False
    as_it_came: bool = False
    order: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What learners get.

    Attributes
    ----------
    X_train, X_test : (n_train, n_columns), (n_test, n_columns)
        float64, finite. `X_test` may have no rows where rows with missing values are dropped.
    y_train, y_test : (n_train,), (n_test,)
        Positions in `classes`. A fold may train without some class: its number then simply does not
        occur in `y_train`; the numbering is that of the whole table.
    classes
        All class names of the table.
    feature_names : n_columns names
        Of the columns after one-hot coding.
    notes
        One sentence each: what was left out, filled in or done otherwise than asked.
    train_rows, test_rows : (n_train,), (n_test,)
        The table's row behind each row of X.
    """

    X_train: FloatArray
    y_train: IntArray
    X_test: FloatArray
    y_test: IntArray
    classes: tuple[str, ...]
    feature_names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    train_rows: IntArray = field(default_factory=_no_rows)
    test_rows: IntArray = field(default_factory=_no_rows)
