import pickle

import numpy as np
import oracles_design as oracle
import pandas as pd
import pytest
from expected_checks import unequal_copies
from hearing import EndedError, ending, shares_to
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecocviz.engine.entries import Parts, Reduction
from ecocviz.engine.params import complete
from ecocviz.engine.reductions._shared import chunks
from ecocviz.engine.reductions.support_pattern import REDUCTION, SupportPatternClassifier, settings


@parametrize_with_checks(
    [SupportPatternClassifier(), SupportPatternClassifier(kernel="linear", bias=0.5)],
    expected_failed_checks=unequal_copies,
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def blobs(seed=0, m=60, k=3, labels=None):
    rng = np.random.default_rng(seed)
    y = np.arange(m) % k
    X = 3 * rng.normal(size=(k, 2))[y] + rng.normal(size=(m, 2))
    return X, y if labels is None else np.asarray(labels)[y]


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
def test_the_objective_is_that_of_the_class_scores(kernel):
    X, y = blobs()
    model = SupportPatternClassifier(kernel, degree=2, beta=0.3, tol=1e-6, gamma=0.4).fit(X, y)
    scores = model.class_scores(X)
    norm = (model.taus_ * scores).sum() / 0.3  # |M|^2 = <tau, f> / beta
    loss = sum(
        max(f + (r != label) for r, f in enumerate(row)) - row[label]
        for row, label in zip(scores, y, strict=True)
    )
    assert model.objective_ == pytest.approx(0.3 / 2 * norm + loss, rel=1e-6)
    assert model.gap_ <= 1e-6 * model.objective_
    assert model.n_iter_ == model.history_.shape[0]
    np.testing.assert_array_equal(model.predict(X), scores.argmax(axis=1))
    np.testing.assert_array_equal(model.costs(X, "hamming", {"any": 1}), -scores)
    np.testing.assert_array_equal(model.decision_function(X), scores)


@pytest.mark.parametrize("bias", [0.0, 2.0])
def test_all_ways_to_solve_the_linear_kernel_agree(bias):
    X, y = blobs(1)
    b = oracle.default_margins(y, 3)
    points = np.hstack([X, np.full((60, 1), np.sqrt(bias))])
    found = {}
    for solver in settings.SOLVERS:
        model = SupportPatternClassifier(
            "linear", beta=0.5, bias=bias, tol=1e-6, solver=solver, random_state=0
        )
        model.fit(X, y)
        assert model.codewords_.shape == (3, 3 if bias else 2)
        full = np.zeros((3, 3))
        full[:, : model.codewords_.shape[1]] = model.codewords_
        assert model.objective_ == pytest.approx(oracle.objective(points, y, full, b, "l2", 0.5), rel=1e-6)
        found[solver] = model.objective_
    assert max(found.values()) - min(found.values()) <= 2e-6 * min(found.values())


def test_auto_works_on_the_gram_matrix_where_codewords_are_long(monkeypatch):
    monkeypatch.setattr(settings, "MOST_UNKNOWNS", 8)
    X, y = blobs(2)
    long = SupportPatternClassifier("linear", tol=1e-5).fit(X, y)
    assert long.history_[0].tolist() == [0.0, 60.0]  # starts at tau = 0
    monkeypatch.setattr(settings, "MOST_UNKNOWNS", 9)
    short = SupportPatternClassifier("linear", tol=1e-5).fit(X, y)
    assert short.history_[0, 0] != 0.0
    np.testing.assert_allclose(long.class_scores(X), short.class_scores(X), atol=0.05)


def test_only_support_patterns_count():
    X, y = blobs(3)
    model = SupportPatternClassifier(gamma=0.3, beta=0.5, tol=1e-8).fit(X, y)
    assert 0 < model.support_.size < 60
    np.testing.assert_array_equal(model.support_, np.flatnonzero(model.taus_.any(axis=1)))
    np.testing.assert_allclose(model.taus_.sum(axis=1), 0, atol=1e-12)
    again = SupportPatternClassifier(gamma=0.3, beta=0.5, tol=1e-8).fit(X[model.support_], y[model.support_])
    np.testing.assert_allclose(again.class_scores(X), model.class_scores(X), atol=1e-3)


def test_scores_come_in_chunks(monkeypatch):
    X, y = blobs(4)
    model = SupportPatternClassifier().fit(X, y)
    whole = model.class_scores(X)
    monkeypatch.setattr(chunks, "CHUNK_BYTES", 1)
    np.testing.assert_allclose(model.class_scores(X), whole, atol=1e-12)


def test_a_machine_without_support_patterns_says_zero():
    X, y = np.zeros((6, 2)), np.arange(6) % 2
    model = SupportPatternClassifier("poly", bias=0.0, max_rounds=1, tol=1.0).fit(X, y)
    assert model.support_.size == 0
    np.testing.assert_array_equal(model.class_scores(X), np.zeros((6, 2)))
    assert model.predict(X).tolist() == [0] * 6  # ties go to the lowest class


@pytest.mark.parametrize(
    "labels", [["a", "b", "c"], [True, False, True], [10, -3, 7], np.array(["x", "y", "z"], dtype=object)]
)
def test_labels_of_every_kind(labels):
    X, y = blobs(5, labels=labels)
    model = SupportPatternClassifier(beta=0.1).fit(pd.DataFrame(X, columns=["p", "q"]), y)
    assert set(model.predict(pd.DataFrame(X, columns=["p", "q"]))) <= set(y)
    assert model.score(pd.DataFrame(X, columns=["p", "q"]), y) > 0.8
    if np.unique(y).size == 2:
        decision = model.decision_function(pd.DataFrame(X, columns=["p", "q"]))
        np.testing.assert_array_equal(
            decision > 0, model.predict(pd.DataFrame(X, columns=["p", "q"])) == model.classes_[1]
        )


def test_c_is_one_over_beta():
    X, y = blobs(6)
    one = SupportPatternClassifier(C=4.0).fit(X, y)
    other = SupportPatternClassifier(beta=0.25).fit(X, y)
    np.testing.assert_array_equal(one.taus_, other.taus_)


def test_pickle_clone_and_grid_search():
    X, y = blobs(7)
    model = SupportPatternClassifier().fit(X, y)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))  # noqa: S301 - made in the line itself
    assert clone(model).get_params() == model.get_params()
    search = GridSearchCV(
        SupportPatternClassifier(), {"beta": [0.1, 1.0], "gamma": ["scale", 1.0]}, cv=2
    ).fit(X, y)
    assert search.best_score_ > 0.5


def test_a_path_is_the_same_machines_cheaper():
    X, y = blobs(8)
    betas = [5.0, 0.5, 0.4]
    model = SupportPatternClassifier(tol=1e-6, C=3.0)
    shares = []
    path = model.fit_path(X, y, betas, progress=shares_to(shares.append))
    assert shares[-1] == 1.0
    for beta, fitted in zip(betas, path, strict=True):
        cold = SupportPatternClassifier(tol=1e-6, beta=beta).fit(X, y)
        assert fitted.get_params() == cold.get_params()
        assert fitted.objective_ == pytest.approx(cold.objective_, rel=2e-6)
        np.testing.assert_allclose(fitted.class_scores(X), cold.class_scores(X), atol=0.02)
    np.testing.assert_array_equal(model.predict(X), path[-1].predict(X))
    with pytest.raises(ValueError, match="at least one beta"):
        model.fit_path(X, y, [])


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_elimination_decides_like_the_largest_score(kernel):
    X, y = blobs(9, k=5, labels=list("vwxyz"))
    model = SupportPatternClassifier(kernel, beta=0.1).fit(X, y)
    grid = np.random.default_rng(0).normal(size=(200, 2)) * 3
    for order in (None, [4, 2, 0, 1, 3]):
        np.testing.assert_array_equal(model.predict_by_elimination(grid, order), model.predict(grid))


def test_bounds_of_the_linear_machine_are_those_of_its_codewords():
    X, y = blobs(10)
    X = 10 * np.eye(3)[y][:, :2] + 0.1 * X  # separable
    for solver in ("auto", "two-level"):
        model = SupportPatternClassifier("linear", beta=0.01, bias=1.0, tol=1e-6, solver=solver).fit(X, y)
        bounds = model.generalization_bounds(delta=0.1, log_base=2)
        points = np.hstack([X, np.ones((60, 1))])
        assert bounds.applicable
        assert bounds.radius_squared == pytest.approx((points**2).sum(axis=1).max())
        assert bounds.spread == pytest.approx(oracle.spread(points, y, model.codewords_), rel=1e-6)
    assert not SupportPatternClassifier("linear", beta=1e6).fit(X, y).generalization_bounds().applicable


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"solver": "guess"}, "solver is one of"),
        ({"solver": "interior-point"}, "for the linear kernel"),
        ({"max_rounds": 0}, "max_rounds"),
        ({"C": 0.0}, "C must be above 0"),
        ({"beta": -1.0}, "beta must be"),
        ({"kernel": "cosine"}, "kernel is one of"),
    ],
)
def test_bad_settings_are_refused_in_a_sentence(change, sentence):
    X, y = blobs()
    with pytest.raises(ValueError, match=sentence):
        SupportPatternClassifier(**change).fit(X, y)


def test_one_class_is_refused_and_unfitted_machines_say_so():
    with pytest.raises(ValueError, match="one class"):
        SupportPatternClassifier().fit(np.eye(3), [1, 1, 1])
    with pytest.raises(NotFittedError):
        SupportPatternClassifier().predict(np.eye(3))
    with pytest.raises(NotFittedError):
        SupportPatternClassifier().generalization_bounds()


def test_the_entry_makes_what_it_declares():
    assert isinstance(REDUCTION, Reduction)
    params = complete(REDUCTION.params, {"beta": 0.2})
    model = REDUCTION.make(Parts(coding="one-vs-all", seed=3), **params)
    assert (model.beta, model.random_state) == (0.2, 3)
    X, y = blobs()
    assert model.fit(X, y).score(X, y) > 0.8
    assert REDUCTION.uses == frozenset()


def test_progress_cancels():
    X, y = blobs()
    for kernel in ("rbf", "linear"):
        with pytest.raises(EndedError):
            SupportPatternClassifier(kernel).fit(X, y, progress=ending())
