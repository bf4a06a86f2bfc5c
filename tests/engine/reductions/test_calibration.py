"""Calibration never misleads: what may speak does, and where nothing speaks the sigmoid rises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression

from ecocviz import ECOCClassifier, JointECOCClassifier, KernelMachine
from ecocviz.data.catalogue import DATASETS
from ecocviz.engine.entries import Evidence
from ecocviz.engine.kernels.sigmoid import fit_sigmoids
from ecocviz.engine.reductions._shared.calibration import ENOUGH, Source, calibrate, speaking

SETS = {"iris": load_iris, "wine": load_wine, "digits": load_digits}


def few(name, n, draw):
    """Draw n points per class to train on; return both parts."""
    X, y = SETS[name](return_X_y=True)
    random = np.random.default_rng(draw)
    train = np.concatenate([random.permutation(np.flatnonzero(y == c))[:n] for c in range(y.max() + 1)])
    rest = np.setdiff1d(np.arange(y.size), train)
    return X[train], y[train], X[rest], y[rest]


# Small numbers -------------------------------------------------------------------------------------


def test_two_points_are_told_apart():
    model = ECOCClassifier(random_state=0).fit([[0.0], [1.0]], ["a", "b"])
    assert model.predict([[0.0], [1.0]]).tolist() == ["a", "b"]


def test_one_point_a_class_is_its_own():
    model = ECOCClassifier(random_state=0).fit(np.eye(4), list("abcd"))
    assert model.predict(np.eye(4)).tolist() == list("abcd")
    assert model.calibration_note_ == (
        "4 of 4 machines turn scores into probabilities by a common rule: their own held-out points are too "
        "few, or do not tell how."
    )


@pytest.mark.parametrize("coding", ["one-vs-all", "one-vs-one"])
@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("name", SETS)
def test_few_points_cost_the_default_decoder_nothing(name, n, coding):
    draws = 20 if coding == "one-vs-all" else 5
    gains = []
    for draw in range(draws):
        X, y, X_new, y_new = few(name, n, draw)
        model = ECOCClassifier(coding, random_state=draw).fit(X, y)
        scores = model.scores(X_new)
        right = [
            np.mean(model.classes_[model.decode(scores, decoding).argmin(axis=1)] == y_new)
            for decoding in ("likelihood", "linear")
        ]
        gains.append(right[0] - right[1])
    assert np.mean(gains) > -0.02


@pytest.mark.parametrize("gamma", [10.0, 100.0])
def test_machines_that_know_only_their_own_points_are_no_worse_than_linear_decoding(gamma):
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    order = np.random.default_rng(0).permutation(y.size)
    train, rest = order[:120], order[120:]
    model = ECOCClassifier(machine=KernelMachine(gamma=gamma), random_state=0).fit(X[train], y[train])
    linear = np.mean(model.predict(X[rest], decoding="linear") == y[rest])
    assert model.score(X[rest], y[rest]) >= linear - 0.02 > 0.2


def test_joint_learning_that_learns_nothing_is_not_turned_round():
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    order = np.random.default_rng(0).permutation(y.size)
    train, rest = order[:120], order[120:]
    model = JointECOCClassifier("one-vs-all", lambda1=1e6, lambda2=1e6, random_state=0)
    model.fit(X[train], y[train])
    assert (model.sigmoids_[:, 0] < 0).all()
    linear = np.mean(model.predict(X[rest], decoding="linear") == y[rest])
    assert model.score(X[rest], y[rest]) >= linear - 0.02 > 0.2


# The rule ------------------------------------------------------------------------------------------


@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 40),
    st.floats(-2, 2),
    st.sampled_from([0.0, 1e-3, 1.0]),
)
def test_every_sigmoid_rises_and_is_finite(seed, n, signal, accuracy):
    random = np.random.default_rng(seed)
    sides = random.choice([-1, 0, 1], size=(n, 4)).astype(np.int8)
    scores = signal * sides + random.normal(size=sides.shape)
    found = calibrate(scores, sides, np.full(4, accuracy))
    assert (found.sigmoids[:, 0] < 0).all()
    assert np.isfinite(found.sigmoids).all()
    own = found.sources == Source.OWN
    np.testing.assert_array_equal(found.sigmoids[own], fit_sigmoids(scores, sides)[own])
    counts = np.minimum((sides > 0).sum(axis=0), (sides < 0).sum(axis=0))
    assert (counts[own] >= ENOUGH).all()


def test_a_good_machine_keeps_its_own_sigmoid_beside_one_that_says_nothing():
    random = np.random.default_rng(0)
    sides = random.choice([-1, 1], size=(200, 3)).astype(np.int8)
    scores = sides + random.normal(size=sides.shape)
    scores[:, 1] = random.normal(size=200)
    scores[:, 2] = -0.7 + 1e-9 * sides[:, 2]
    found = calibrate(scores, sides, np.full(3, 1e-9))
    assert found.sources.tolist() == [Source.OWN, Source.SHARED, Source.SHARED]
    assert found.sigmoids[1, 0] == found.sigmoids[2, 0]
    assert Evidence(sources=found.sources).calibration_note.startswith("2 of 3 machines turn ")
    # The third has a clear offset, so that its constant score means half of the points.
    assert found.sigmoids[2, 0] * -0.7 + found.sigmoids[2, 1] == pytest.approx(
        np.log((sides[:, 2] < 0).sum() / (sides[:, 2] > 0).sum()), abs=0.05
    )


def test_turning_a_machine_round_turns_its_sigmoid_round():
    random = np.random.default_rng(1)
    sides = random.choice([-1, 1], size=(60, 3)).astype(np.int8)
    sides[4:, 2] = 0
    scores = sides + random.normal(size=sides.shape)
    turn = np.array([1, -1, -1])
    found, turned = (calibrate(scores * t, (sides * t).astype(np.int8), np.zeros(3)) for t in (1, turn))
    np.testing.assert_array_equal(found.sources, turned.sources)
    np.testing.assert_allclose(turned.sigmoids[:, 0], found.sigmoids[:, 0], rtol=1e-6)
    np.testing.assert_allclose(turned.sigmoids[:, 1], turn * found.sigmoids[:, 1], atol=1e-6)


@given(st.data())
def test_who_may_speak_is_as_the_definition_says(data):
    n = data.draw(st.integers(2, 12))
    rows = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    folds = np.array(data.draw(st.lists(st.sampled_from([3, 5, 8]), min_size=n, max_size=n)))
    code = np.array(data.draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=8, max_size=8))).reshape(4, 2)
    targets = code[rows].astype(np.int8)
    spoken = speaking(targets, rows, folds)
    for i in range(n):
        kept = folds != folds[i]
        for b in range(2):
            both = {-1, 1} <= set(targets[kept, b].tolist())
            expected = targets[i, b] if rows[i] in rows[kept] and both else 0
            assert spoken[i, b] == expected


# Noise ---------------------------------------------------------------------------------------------


def vowel():
    table = DATASETS["vowel"].load()
    X = table.features.select_dtypes("number").to_numpy(dtype=np.float64)
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    _, first = np.unique(X, axis=0, return_index=True)
    return X[first], table.labels.to_numpy()[first]


@pytest.mark.thorough
def test_the_order_of_the_rows_does_not_matter():
    X, y = vowel()
    folds = np.arange(y.size) % 3
    order = np.random.default_rng(0).permutation(y.size)
    found = []
    for rows in (np.arange(y.size), order):
        machine = KernelMachine(kernel="linear", tol=1e-9)
        model = ECOCClassifier(machine=machine, calibration_folds=folds[rows], random_state=0)
        model.fit(X[rows], y[rows])
        found.append((model.predict(X), model.predict_proba(X)))
    np.testing.assert_array_equal(found[0][0], found[1][0])
    np.testing.assert_allclose(found[0][1], found[1][1], atol=1e-6)


def test_scores_that_are_equal_but_for_rounding_make_no_cliff():
    random = np.random.default_rng(0)
    sides = np.array([-1] * 40 + [1] * 10, dtype=np.int8)[:, None]
    scores = np.where(sides > 0, 0.5 + 0.3 * random.normal(size=sides.shape), -1.0)
    scores += 1e-15 * random.normal(size=sides.shape)
    slope, offset = fit_sigmoids(scores, sides)[0]
    assert -100 < slope < 0
    moved = 1 / (1 + np.exp(slope * np.array([-1.0, -1.0 + 1e-12]) + offset))
    assert abs(moved[1] - moved[0]) < 1e-9


def test_a_foreign_machine_is_calibrated_too():
    X, y = load_iris(return_X_y=True)
    model = ECOCClassifier(machine=LogisticRegression(), random_state=0).fit(X, y)
    assert (model.sigmoids_[:, 0] < 0).all()


# What is given -------------------------------------------------------------------------------------


def test_given_folds_are_used():
    X, y = load_iris(return_X_y=True)
    folds = np.arange(y.size) % 4
    model = ECOCClassifier(calibration_folds=folds, random_state=0).fit(X, y)
    expected = calibrate(
        model.columns_.held_out_scores(folds), model.columns_.targets, model.columns_.score_accuracy
    )
    np.testing.assert_array_equal(model.sigmoids_, expected.sigmoids)
    assert model.calibration_note_ is None


@pytest.mark.parametrize(
    "folds", [1000, 2.5, 1, 0, -3, True, "3", None, [0, 1], [[0] * 150], [0] * 150, [0.5] * 150]
)
def test_impossible_folds_are_refused_with_a_sentence(folds):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=r"[Cc]alibration .*\.$"):
        ECOCClassifier(calibration_folds=folds).fit(X, y)
