"""Cross-validation inside cross-validation, in the folds of a scenario's own split."""

from dataclasses import replace

from ecocviz.data.prepare import folds, prepare
from ecocviz.data.types import Prepared, Table
from ecocviz.engine.types import IntArray


def part_of(table: Table, rows: IntArray) -> Table:
    """Return some rows of a table as a table of their own."""
    features, labels = table.features.iloc[rows], table.labels.iloc[rows]
    return replace(table, features=features, labels=labels, n_train=None, lost_n_train=None)


def standardised_folds(table: Table, n_folds: int, seed: int) -> list[Prepared]:
    """Cut a table into stratified folds, and standardise each by its training part.

    With the seed of a scenario whose split is "k-fold" these are its folds.
    """
    cut = folds(table, "k-fold", {"n_folds": n_folds}, seed)
    return [prepare(table, fold, "standardise") for fold in cut]
