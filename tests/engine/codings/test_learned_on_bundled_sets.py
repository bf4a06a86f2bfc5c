"""Every learned coding makes a legal code for every bundled data set."""

from functools import cache

import numpy as np
import oracles_codes
import pytest
from strategies_learned import trainer

from ecocviz.data.bundled import BUNDLED
from ecocviz.data.catalogue import load_table
from ecocviz.data.prepare import Fold, prepare
from ecocviz.engine.catalogue import CODINGS, design_code
from ecocviz.engine.params import complete

LEARNED = [key for key, coding in CODINGS.items() if coding.design]
N_POINTS = 130


@cache
def sample(name):
    """Few points of a set as the app would prepare them, three of each class where there are so many."""
    table = load_table(name)
    labels = np.unique(table.labels, return_inverse=True)[1]
    order = np.random.default_rng(0).permutation(labels.size)
    share = N_POINTS / labels.size
    rows = [order[labels[order] == c] for c in range(labels.max() + 1)]
    rows = np.sort(np.concatenate([part[: max(3, round(share * part.size))] for part in rows]))
    prepared = prepare(table, Fold(train=rows, test=rows[:0]), "standardise", {})
    return prepared.X_train, np.unique(prepared.y_train, return_inverse=True)[1]


@pytest.mark.thorough
@pytest.mark.parametrize("name", [dataset.key for dataset in BUNDLED])
def test_the_code_is_legal(name):
    X, y = sample(name)
    k = int(y.max()) + 1
    for key in LEARNED:
        design = design_code(key, X, y, trainer(), 1)
        matrix, coding = design.code_matrix, CODINGS[key]
        assert matrix.shape[1] <= coding.n_bits(k, **complete(coding.params, {}))
        assert coding.ternary or 0 not in matrix
        classes = np.arange(k) if design.row_classes is None else design.row_classes
        assert np.unique(classes).tolist() == list(range(k))
        shown = np.abs(matrix.astype(int))
        opposite = shown @ shown.T - matrix.astype(int) @ matrix.T.astype(int) > 0
        assert (opposite | np.equal.outer(classes, classes)).all()
        assert not any(map(oracles_codes.is_one_sided, matrix.T.tolist()))
