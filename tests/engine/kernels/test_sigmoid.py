"""The sigmoid fit against a general optimiser on the same objective, and at its edges."""

import numpy as np
import oracles_decodings as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit

from ecocviz.engine.kernels import sigmoid
from ecocviz.engine.kernels.sigmoid import fit_sigmoids


def least(scores, targets, raw=False):
    """Least objective that BFGS and Nelder-Mead find together."""

    def objective(line):
        return oracles.sigmoid_objective(*line, scores, targets, raw)

    first = minimize(objective, (0.0, 0.0), method="BFGS", options={"gtol": 1e-9})
    return minimize(
        objective, first.x, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000}
    ).fun


@st.composite
def columns(draw, scale=1.0, max_samples=25):
    """Scores and sides of one machine; separable, repeated and useless ones occur."""
    numbers = st.integers(-20, 20).map(lambda number: scale * number / 8)
    pairs = draw(st.lists(st.tuples(numbers, st.sampled_from((-1, 1, 0))), min_size=2, max_size=max_samples))
    scores, targets = zip(*[*pairs, (0.0, 1), (0.0, -1)], strict=True)
    return np.array(scores)[:, None], np.array(targets, dtype=np.int8)[:, None]


@given(case=columns())
def test_the_fit_reaches_the_least_objective(case):
    scores, targets = case
    a, b = fit_sigmoids(scores, targets)[0]
    reached = oracles.sigmoid_objective(a, b, scores[:, 0], targets[:, 0])
    best = least(scores[:, 0], targets[:, 0])
    assert reached <= best + 1e-7 * (1 + best)


@pytest.mark.parametrize("scale", [1e-8, 1e-3, 1e6, 1e12])
def test_the_fit_follows_the_scale_of_the_scores(scale):
    rng = np.random.default_rng(4)
    scores = rng.normal(size=(60, 1))
    targets = np.where(scores + rng.normal(size=(60, 1)) > 0, 1, -1).astype(np.int8)
    a, b = fit_sigmoids(scores, targets)[0]
    scaled = fit_sigmoids(scores * scale, targets)[0]
    np.testing.assert_allclose(scaled, (a / scale, b), rtol=1e-6)
    shifted = fit_sigmoids(scores + 100, targets)[0]
    np.testing.assert_allclose(shifted, (a, b - 100 * a), rtol=1e-6)


def test_many_columns_are_fitted_each_for_itself():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(80, 4)) * (1, 10, 0.1, 3) + (0, 5, -1, 0)
    targets = rng.choice([-1, 0, 1], size=(80, 4), p=[0.3, 0.2, 0.5]).astype(np.int8)
    together = fit_sigmoids(scores, targets)
    for column in range(4):
        used = targets[:, column] != 0
        alone = fit_sigmoids(scores[used, column][:, None], targets[used, column][:, None])
        np.testing.assert_array_equal(together[column], alone[0])
        best = least(scores[:, column], targets[:, column])
        assert (
            oracles.sigmoid_objective(*together[column], scores[:, column], targets[:, column]) <= best + 1e-6
        )


def test_complementary_targets_give_complementary_probabilities():
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(50, 1))
    targets = np.where(scores + rng.normal(size=(50, 1)) > 0.3, 1, -1).astype(np.int8)
    a, b = fit_sigmoids(scores, targets)[0]
    np.testing.assert_allclose(fit_sigmoids(scores, -targets)[0], (-a, -b), rtol=1e-6)
    np.testing.assert_allclose(fit_sigmoids(-scores, -targets)[0], (a, -b), rtol=1e-6)


def test_useful_machines_get_negative_slopes_and_useless_ones_do_not():
    scores = np.array([[-2.0], [-1], [-0.5], [0.5], [1], [2]])
    targets = np.array([[-1], [-1], [1], [-1], [1], [1]], dtype=np.int8)
    assert fit_sigmoids(scores, targets)[0, 0] < 0
    assert fit_sigmoids(-scores, targets)[0, 0] > 0


def test_separable_scores_stop_at_the_soft_targets():
    scores = np.array([[-3.0], [-3], [4], [4], [4]])
    targets = np.array([[-1], [-1], [1], [1], [1]], dtype=np.int8)
    a, b = fit_sigmoids(scores, targets)[0]
    np.testing.assert_allclose(expit(-(a * np.array([-3, 4]) + b)), (1 / 4, 4 / 5), atol=1e-5)


def test_hard_targets_go_further_and_stay_finite_on_separable_scores():
    scores = np.array([[-3.0, -2.0], [-3, 1], [4, -1], [4, 2], [4, 0]])
    targets = np.array([[-1, -1], [-1, -1], [1, 1], [1, 1], [1, 1]], dtype=np.int8)
    raw, soft = fit_sigmoids(scores, targets, raw=True), fit_sigmoids(scores, targets)
    assert np.isfinite(raw).all()
    assert raw[0, 0] < 2 * soft[0, 0]
    reached = oracles.sigmoid_objective(*raw[1], scores[:, 1], targets[:, 1], raw=True)
    assert reached <= least(scores[:, 1], targets[:, 1], raw=True) + 1e-6


@pytest.mark.parametrize("raw", [False, True])
def test_one_sided_and_empty_columns_keep_the_start(raw):
    scores = np.random.default_rng(0).normal(size=(7, 3))
    targets = np.zeros((7, 3), dtype=np.int8)
    targets[:4, 0], targets[2:, 1] = 1, -1
    expected = [(0, np.log(1 / 5)), (0, np.log(6)), (0, 0)]
    np.testing.assert_allclose(fit_sigmoids(scores, targets, raw=raw), expected)


@pytest.mark.parametrize("value", [0.0, 3.5, -1e9])
def test_constant_scores_give_the_share_of_the_sides(value):
    targets = np.array([[1]] * 6 + [[-1]] * 2, dtype=np.int8)
    a, b = fit_sigmoids(np.full((8, 1), value), targets)[0]
    assert a == 0
    mean_target = (6 * 7 / 8 + 2 / 4) / 8
    assert expit(-b) == pytest.approx(mean_target, abs=1e-5)


@given(case=columns(scale=1e9))
def test_huge_scores_stay_finite_and_optimal(case):
    scores, targets = case
    a, b = fit_sigmoids(scores, targets)[0]
    assert np.isfinite([a, b]).all()
    small = fit_sigmoids(scores / 1e9, targets)[0]
    np.testing.assert_allclose((a * 1e9, b), small, rtol=1e-5, atol=1e-5)


def test_an_outlier_does_not_stop_the_fit():
    """One score of ten million, on the right side, leaves the hard-target fit of the others alone."""
    rng = np.random.default_rng(3)
    scores = np.concatenate([rng.normal(size=40), [1e7]])[:, None]
    targets = np.concatenate([np.where(scores[:40, 0] + rng.normal(size=40) > 0, 1, -1), [1]])[:, None]
    targets = targets.astype(np.int8)
    line = fit_sigmoids(scores, targets, raw=True)
    np.testing.assert_allclose(line, fit_sigmoids(scores[:40], targets[:40], raw=True), rtol=1e-4)


def test_the_fit_stops_where_rounding_hides_every_descent():
    """A wrong score of 1e14 makes the objective so large that small decreases are lost in it."""
    rng = np.random.default_rng(5)
    scores = np.concatenate([rng.normal(size=30), [-1e14, 1e14]])[:, None]
    targets = np.array([-1, 1] * 15 + [1, 1], dtype=np.int8)[:, None]
    a, b = fit_sigmoids(scores, targets)[0]
    reached = oracles.sigmoid_objective(a, b, scores[:, 0], targets[:, 0])
    assert reached <= oracles.sigmoid_objective(0, np.log(16 / 18), scores[:, 0], targets[:, 0])


def test_the_fit_stops_without_a_descent_and_after_the_last_iteration(monkeypatch):
    run = getattr(sigmoid._newton, "py_func", sigmoid._newton)
    z, soft = np.array([-1.0, 0.5, 2.0, 3.0]), np.array([0.1, 0.8, 0.2, 0.9])
    ones = np.ones(4)
    best = run(z, soft, ones, 0.0)
    monkeypatch.setattr(sigmoid, "MAX_ITERATIONS", 1)
    once = run(z, soft, ones, 0.0)
    monkeypatch.setattr(sigmoid, "SMALLEST_STEP", 2.0)
    assert run(z, soft, ones, 0.0) == (0.0, 0.0)
    values = [oracles.soft_objective(a, b, z, soft) for a, b in (best, once, (0.0, 0.0))]
    assert values[0] < values[1] < values[2]


def test_inputs_are_checked_and_left_alone():
    scores, targets = np.array([[1.0, 2.0], [3.0, 0.0]]), np.array([[1, -1], [-1, 1]], dtype=np.int8)
    before = scores.copy()
    fit_sigmoids(np.asfortranarray(scores), targets.astype(np.int64))
    fit_sigmoids(scores.astype(np.float32), targets)
    np.testing.assert_array_equal(scores, before)
    with pytest.raises(ValueError, match="tables of one shape"):
        fit_sigmoids(scores, targets[:1])
    with pytest.raises(ValueError, match="tables of one shape"):
        fit_sigmoids(scores[0], targets[0])
    with pytest.raises(ValueError, match="not finite"):
        fit_sigmoids(scores * np.nan, targets)
