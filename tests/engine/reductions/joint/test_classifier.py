import pickle

import numpy as np
import oracles_joint as oracles
import pandas as pd
import pytest
from expected_checks import unequal_copies
from hearing import EndedError, ending, shares_to
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecocviz import JointECOCClassifier
from ecocviz.engine.catalogue import DECODINGS, build_code
from ecocviz.engine.columns import stratified_fold_ids
from ecocviz.engine.entries import Parts
from ecocviz.engine.kernels.gram import scaled_gamma
from ecocviz.engine.kernels.sigmoid import fit_sigmoids
from ecocviz.engine.machines.kernel_machine import KernelMachine
from ecocviz.engine.params import complete
from ecocviz.engine.reductions.joint import REDUCTION

# Some of these problems are hard: what is reached is compared, not how near the optimum it is.
pytestmark = pytest.mark.filterwarnings("ignore:Joint learning stopped after")

X, y = load_iris(return_X_y=True)


@pytest.mark.thorough
@parametrize_with_checks(
    [
        JointECOCClassifier(),
        JointECOCClassifier("one-vs-one", decoding="hamming", probability="paper"),
        JointECOCClassifier("one-vs-one", kernel="linear"),
        JointECOCClassifier("dense-random", kernel="linear", decoding="linear", probability="paper"),
    ],
    expected_failed_checks=unequal_copies,
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
@pytest.mark.parametrize("coding", ["one-vs-all", "one-vs-one", "dense-random"])
def test_the_fitted_machines_solve_the_papers_system(coding, kernel):
    rows = np.arange(0, 150, 3)
    points = X[rows] - X[rows].mean(axis=0)
    model = JointECOCClassifier(coding, kernel=kernel, lambda1=1e-3, lambda2=1e-2, random_state=0)
    model.fit(points, y[rows])
    targets = model.code_matrix_[y[rows]]
    if kernel == "rbf":
        gram = oracles.rbf(points, points, scaled_gamma(points))
    else:
        gram = points @ points.T if kernel == "linear" else (points @ points.T + 1) ** 3
    S = oracles.inverse_penalty(model.relation_, 1e-3, 1e-2)
    alphas, b = oracles.dense_system(gram, targets, S)
    assert np.allclose(model.alphas_, alphas, atol=1e-8)
    assert np.allclose(model.intercepts_, b, atol=1e-8)
    assert np.allclose(model.scores(points), oracles.predict(gram, alphas, targets, S, b), atol=1e-8)
    assert np.allclose(model.columns_.scores, model.scores(points), atol=1e-8)
    assert np.allclose(np.diag(model.weight_products_), model.columns_.squared_norms)
    assert (np.diff(model.objective_history_) <= 1e-9 * model.objective_history_[0]).all()
    assert 0 <= model.gap_ < 1e-2 * model.columns_.objective
    if kernel == "linear":
        assert np.allclose(points @ model.weights_ + b, model.scores(points), atol=1e-8)
    else:
        assert np.allclose(gram @ model.coefficients_ + b, model.scores(points), atol=1e-8)


@pytest.mark.parametrize("lambda1", [1e-2, 0.0])
def test_the_control_is_least_squares_machine_by_machine(lambda1):
    model = JointECOCClassifier("one-vs-one", kernel="linear", lambda1=lambda1, lambda2=1e-2, random_state=0)
    control = model.fit(X, y).independent_
    assert control is model.independent_ and control is control.independent_
    ridge = lambda1 if lambda1 > 0 else 3e-2
    targets = model.code_matrix_[y]
    for b in range(3):
        shown = targets[:, b] != 0
        alphas, bias = oracles.dense_system(
            X[shown] @ X[shown].T, targets[shown, b : b + 1], np.eye(1) / ridge
        )
        w = X[shown].T @ (alphas * targets[shown, b : b + 1]) / ridge
        assert np.allclose(control.scores(X)[:, b], (X @ w)[:, 0] + bias[0], atol=1e-8)
    assert control.gap_ < 1e-9
    assert control.score(X, y) > 0.9
    other = clone(control).fit(X, y)
    assert np.allclose(other.scores(X), control.scores(X)) and other.independent_ is other
    assert np.allclose(other.sigmoids_, control.sigmoids_)


def test_the_relation_pulls_related_machines_together():
    model = JointECOCClassifier("one-vs-one", lambda1=1e-6, lambda2=1.0).fit(X, y)
    joint = np.linalg.eigvalsh(model.weight_products_)
    alone = np.linalg.eigvalsh(model.independent_.weight_products_)
    # Fewer directions: the squared trace norm drives singular values to zero.
    assert joint[0] / joint[-1] < 0.1 * alone[0] / alone[-1]
    # M is the root of W'W: it shares its eigenvectors.
    commuted = model.relation_ @ model.weight_products_ - model.weight_products_ @ model.relation_
    assert np.abs(commuted).max() < 1e-3 * np.abs(model.weight_products_).max()


@pytest.mark.parametrize("decoding", sorted(set(DECODINGS) - {"srm", "drm"}))
def test_every_decoder_reads_the_scores(decoding):
    model = JointECOCClassifier("one-vs-one").fit(X, y)
    costs = model.costs(X, decoding)
    assert costs.shape == (150, 3) and np.isfinite(costs).all()
    assert (model.classes_[costs.argmin(axis=1)] == y).mean() > 0.9
    assert (model.decode(model.scores(X), decoding) == costs).all()


@pytest.mark.parametrize("decoding", ["srm", "drm"])
def test_reliability_decoders_are_refused_with_a_sentence(decoding):
    model = JointECOCClassifier().fit(X, y)
    with pytest.raises(ValueError, match="kernel machines; choose"):
        model.costs(X, decoding)


@pytest.mark.parametrize("coding", ["one-vs-all", "one-vs-one"])
def test_sigmoids_come_from_machines_that_did_not_see_the_point(coding):
    model = JointECOCClassifier(coding, gamma=200.0, lambda1=1e-6, lambda2=1e-6, random_state=0).fit(X, y)
    folds = stratified_fold_ids(y, 3, np.random.RandomState(0).randint(2**31 - 1))
    held_out = np.empty(model.columns_.scores.shape)
    for fold in range(3):
        rest = folds != fold
        refit = JointECOCClassifier(coding, gamma=200.0, lambda1=1e-6, lambda2=1e-6).fit(X[rest], y[rest])
        held_out[~rest] = refit.scores(X[~rest])
    assert np.abs(held_out - model.columns_.scores).max() > 0.5
    assert np.allclose(model.sigmoids_, fit_sigmoids(held_out, model.code_matrix_[y]), atol=1e-3)


def test_exact_leave_one_out_counts_errors():
    model = JointECOCClassifier(kernel="linear").fit(X, y)
    left_out = model.columns_.leave_one_out_scores()
    assert model.exact_loo("linear").error == pytest.approx(
        (model.decode(left_out, "linear").argmin(axis=1) != y).mean()
    )


def test_labels_frames_pickles_and_grids():
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = JointECOCClassifier("one-vs-all", random_state=1).fit(frame, names)
    assert model.independent_.predict(frame)[0] == "setosa"
    assert list(model.independent_.feature_names_in_) == ["a", "b", "c", "d"]
    again = pickle.loads(pickle.dumps(model))  # noqa: S301 - our own bytes
    assert (again.scores(frame) == model.scores(frame)).all()
    assert np.allclose(again.columns_.leave_one_out_scores(), model.columns_.leave_one_out_scores())
    grid = GridSearchCV(JointECOCClassifier(), {"lambda2": [1e-4, 1e-2]}, cv=2).fit(X, y)
    assert grid.best_score_ > 0.9


def test_two_classes():
    model = JointECOCClassifier().fit(X[:100], y[:100] == 1)
    assert model.decision_function(X[:100]).shape == (100,)
    assert model.score(X[:100], y[:100] == 1) == 1


def test_what_a_kernel_does_not_have_is_not_there():
    linear = JointECOCClassifier(kernel="linear").fit(X, y)
    rbf = JointECOCClassifier().fit(X, y)
    assert not hasattr(linear, "coefficients_") and linear.weights_.shape == (4, 3)
    assert not hasattr(rbf, "weights_") and rbf.coefficients_.shape == (150, 3)


@pytest.mark.parametrize(
    "coding, kernel", [("one-vs-all", "rbf"), ("one-vs-one", "rbf"), ("one-vs-one", "linear")]
)
def test_progress_is_told_and_may_cancel(coding, kernel):
    told = []
    JointECOCClassifier(coding, kernel=kernel, decoding="hamming").fit(X, y, progress=shares_to(told.append))
    assert told[-1] == 1.0 and all(0 <= share <= 1 for share in told)

    with pytest.raises(EndedError):
        JointECOCClassifier(coding, kernel=kernel).fit(X, y, progress=ending())
    model = JointECOCClassifier(coding, kernel=kernel).fit(X, y)
    shares = []
    model.columns_.held_out_scores(np.arange(150) % 3, progress=shares_to(shares.append))
    assert shares[0] == 0.0 and max(shares) == shares[-1] == 1.0


def test_many_new_points_are_scored_in_chunks(monkeypatch):
    model = JointECOCClassifier().fit(X, y)
    whole = model.scores(X)
    monkeypatch.setattr("ecocviz.engine.reductions._shared.chunks.CHUNK_BYTES", 8 * 150 * 7)
    assert np.allclose(model.scores(X), whole, atol=1e-12)


def test_the_catalogue_entry_makes_the_estimator():
    params = complete(REDUCTION.params, {"lambda2": 0.1, "kernel": "linear"})
    code_matrix = build_code("one-vs-all", 3)
    model = REDUCTION.make(
        Parts(coding=code_matrix, machine=KernelMachine(), decoding="linear", seed=3), **params
    )
    assert isinstance(model, JointECOCClassifier)
    assert (model.lambda1, model.lambda2, model.kernel, model.random_state) == (1e-4, 0.1, "linear", 3)
    assert (model.fit(X, y).code_matrix_ == code_matrix).all()
    assert REDUCTION.uses == {"coding", "decoding"}
