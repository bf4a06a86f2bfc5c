import pickle

import numpy as np
import oracles_ddag as oracles
import pytest
from expected_checks import unequal_copies
from hearing import EndedError, ending
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecocviz import DDAGClassifier, KernelMachine
from ecocviz.engine.catalogue import build_code
from ecocviz.engine.entries import Parts
from ecocviz.engine.params import complete
from ecocviz.engine.reductions.ddag import REDUCTION
from ecocviz.engine.reductions.ddag.walk import duels, walk

X, y = load_iris(return_X_y=True)


@parametrize_with_checks(
    [
        DDAGClassifier(),
        DDAGClassifier(DecisionTreeClassifier(random_state=0), order="random", random_state=3),
    ],
    expected_failed_checks=unequal_copies,
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@given(n_classes=st.integers(2, 7), seed=st.integers(0, 10_000))
def test_the_walk_follows_the_definition(n_classes, seed):
    generator = np.random.default_rng(seed)
    code_matrix = build_code("one-vs-one", n_classes)
    # Few values, so that scores of 0 occur.
    scores = generator.integers(-2, 3, size=(9, code_matrix.shape[1])).astype(float)
    order = generator.permutation(n_classes)
    dropped, path = walk(scores, code_matrix, order)
    for i in range(9):

        def prefers(r, s, i=i):
            column = next(b for b in range(code_matrix.shape[1]) if code_matrix[r, b] and code_matrix[s, b])
            return code_matrix[r, column] * scores[i, column] > 0

        winner, compared = oracles.decide(prefers, order)
        assert dropped[i].argmax() == winner
        assert sorted(dropped[i]) == list(range(n_classes))
        asked = [tuple(sorted(np.flatnonzero(code_matrix[:, b]))) for b in path[i]]
        assert asked == [tuple(sorted(pair)) for pair in compared]


@given(n_classes=st.integers(2, 7), seed=st.integers(0, 10_000))
def test_machines_induced_by_one_ranking_give_its_best_class_for_every_order(n_classes, seed):
    generator = np.random.default_rng(seed)
    strengths = generator.normal(size=(20, n_classes))
    code_matrix = build_code("one-vs-one", n_classes)
    scores = strengths @ code_matrix
    for _ in range(3):
        dropped, _ = walk(scores, code_matrix, generator.permutation(n_classes))
        assert (dropped.argmax(axis=1) == strengths.argmax(axis=1)).all()


def test_duels_find_machine_and_side():
    machines, sides = duels(build_code("one-vs-one", 3))
    assert machines.tolist() == [[-1, 0, 1], [0, -1, 2], [1, 2, -1]]
    assert sides.tolist() == [[0, 1, 1], [-1, 0, 1], [-1, -1, 0]]
    assert duels(build_code("one-vs-one", 2))[1].tolist() == [[0, -1], [1, 0]]


def test_the_classifier_reads_its_own_machines():
    model = DDAGClassifier(order=[1, 2, 0]).fit(X, y)
    scores = model.scores(X)
    for i in range(0, 150, 7):

        def prefers(r, s, i=i):
            column = np.flatnonzero((model.code_matrix_[r] != 0) & (model.code_matrix_[s] != 0))[0]
            return model.code_matrix_[r, column] * scores[i, column] > 0

        assert model.predict(X[i : i + 1])[0] == oracles.decide(prefers, [1, 2, 0])[0]
    assert model.n_evaluations_ == 2
    assert model.paths(X).shape == (150, 2)
    assert (np.sort(model.costs(X), axis=1) == [0, 1, 2]).all()
    assert (model.costs(X, "linear") == model.decode(scores)).all()


def test_contradicting_machines_make_the_order_matter():
    # Rock, paper, scissors.
    code_matrix = build_code("one-vs-one", 3)
    scores = np.array([[1.0, -1.0, 1.0]])
    winners = {
        tuple(order): walk(scores, code_matrix, np.array(order))[0].argmax()
        for order in ([0, 1, 2], [0, 2, 1], [1, 0, 2])
    }
    assert len(set(winners.values())) == 3


def test_orders_by_word_and_by_label():
    names = np.array(["x", "y", "z"])[y]
    kept = np.concatenate([np.arange(10), np.arange(50, 100), np.arange(100, 120)])
    assert DDAGClassifier().fit(X[kept], names[kept]).order_.tolist() == [0, 1, 2]
    assert DDAGClassifier(order="frequency").fit(X[kept], names[kept]).order_.tolist() == [1, 2, 0]
    assert DDAGClassifier(order=["z", "x", "y"]).fit(X[kept], names[kept]).order_.tolist() == [2, 0, 1]
    drawn = {tuple(DDAGClassifier(order="random", random_state=s).fit(X, y).order_) for s in range(8)}
    assert len(drawn) > 2


@pytest.mark.parametrize(
    "order, message",
    [
        ("alphabetic", "one of sorted, frequency, random"),
        ([0, 1], "each of the 3"),
        ([0, 1, 1], "each of the 3"),
    ],
)
def test_orders_that_are_none_are_refused(order, message):
    with pytest.raises(ValueError, match=message):
        DDAGClassifier(order=order).fit(X, y)


def test_leaving_one_out_walks_with_machines_that_did_not_see_the_point():
    some = np.arange(0, 150, 5)
    model = DDAGClassifier(KernelMachine(C=10.0)).fit(X[some], y[some])
    loo = model.exact_loo()
    for i in (0, 14, 17, 29):
        rest = np.arange(len(some)) != i
        alone = DDAGClassifier(KernelMachine(C=10.0, gamma=model.columns_.kernel.gamma)).fit(
            X[some][rest], y[some][rest]
        )
        assert (alone.predict(X[some][[i]])[0] != y[some][i]) == loo.flagged[i]


def test_two_classes_pickle_and_other_machines():
    model = DDAGClassifier(LogisticRegression()).fit(X[:100], y[:100] == 1)
    assert model.decision_function(X[:100]).shape == (100,)
    assert model.score(X[:100], y[:100] == 1) == 1
    again = pickle.loads(pickle.dumps(model))  # noqa: S301 - our own bytes
    assert (again.predict(X) == model.predict(X)).all()


def test_progress_may_cancel():
    with pytest.raises(EndedError):
        DDAGClassifier().fit(X, y, progress=ending())


def test_the_catalogue_entry_makes_the_estimator():
    machine = KernelMachine()
    params = complete(REDUCTION.params, {"order": "frequency"})
    model = REDUCTION.make(Parts(coding="one-vs-all", machine=machine, seed=5), **params)
    assert isinstance(model, DDAGClassifier)
    assert (model.machine, model.order, model.random_state) == (machine, "frequency", 5)
    assert REDUCTION.uses == {"machine"}
