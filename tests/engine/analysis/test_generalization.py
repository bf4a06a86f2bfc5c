import numpy as np
import oracles_design as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ecocviz.engine.analysis.generalization import (
    RADIUS_CAVEAT,
    eliminate,
    empirical_loss,
    generalization_bounds,
)


@given(st.data())
def test_the_loss_is_the_exact_expectation_over_ties(data):
    shape = (data.draw(st.integers(1, 12)), data.draw(st.integers(1, 5)))
    scores = data.draw(arrays(np.int64, shape, elements=st.integers(-2, 2)))
    y = data.draw(arrays(np.int64, shape[0], elements=st.integers(0, shape[1] - 1)))
    assert empirical_loss(scores, y) == pytest.approx(float(oracle.tie_aware_loss(scores, y)), abs=1e-15)


@given(st.data())
def test_elimination_is_the_list_of_the_paper(data):
    k = data.draw(st.integers(2, 6))
    scores = data.draw(arrays(np.float64, (5, k), elements=st.integers(-3, 3).map(float)))
    order = np.array(data.draw(st.permutations(range(k))))
    assert eliminate(scores, order).tolist() == [oracle.eliminate(row, order) for row in scores]


@given(st.integers(0, 10**6), st.integers(2, 7))
def test_elimination_is_argmax_for_every_order_without_ties(seed, k):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(20, k))
    expected = scores.argmax(axis=1)
    np.testing.assert_array_equal(eliminate(scores), expected)
    np.testing.assert_array_equal(eliminate(scores, rng.permutation(k)), expected)


def test_an_order_that_forgets_a_class_is_refused():
    with pytest.raises(ValueError, match="each of the classes 0 to 2 once"):
        eliminate(np.zeros((1, 3)), np.array([0, 1, 1]))


def separable(seed, m=30, k=4):
    rng = np.random.default_rng(seed)
    y = np.arange(m) % k
    angles = 2 * np.pi * y / k
    X = np.stack([np.cos(angles), np.sin(angles)], axis=1) + 0.05 * rng.normal(size=(m, 2))
    M = np.stack([np.cos(2 * np.pi * np.arange(k) / k), np.sin(2 * np.pi * np.arange(k) / k)], axis=1)
    return X, y, M + 0.1 * rng.normal(size=(1, 2))  # not centred


@pytest.mark.parametrize("base", [np.e, 2.0])
def test_the_bounds_are_the_printed_formulas_of_the_scaled_and_centred_code(base):
    X, y, M = separable(0)
    radius = float((X * X).sum(axis=1).max())
    bounds = generalization_bounds(X @ M.T, y, M @ M.T, radius, delta=0.1, log_base=base)
    assert bounds.applicable
    margins = [
        float((M[label] - M[r]) @ x) for x, label in zip(X, y, strict=True) for r in range(4) if r != label
    ]
    assert bounds.margin == pytest.approx(min(margins))
    scaled = M / bounds.margin
    scaled -= scaled.mean(axis=0)
    assert bounds.spread == pytest.approx(oracle.spread(X, y, M))
    args = (radius, 30, 0.1, base)
    assert bounds.by_margins == pytest.approx(oracle.bound(bounds.spread, 6, *args))
    assert bounds.by_norm == pytest.approx(oracle.bound(4 * (scaled**2).sum(), 6, *args))
    for r in range(4):
        D = 4 * (scaled[r] ** 2).sum() + (scaled**2).sum()
        assert bounds.by_class[r] == pytest.approx(oracle.bound(D, 3, *args))
        pairs = sum(float((scaled[r] - scaled[s]) @ (scaled[r] - scaled[s])) for s in range(4))
        assert pytest.approx(pairs) == D
    assert bounds.spread <= 4 * (scaled**2).sum() + 1e-9  # Eq. 58
    assert bounds.by_margins <= bounds.by_norm
    assert bounds.caveat.startswith(RADIUS_CAVEAT)
    assert "says nothing" in bounds.caveat


def test_eq_58_needs_a_centred_code():
    X, y, M = separable(1)
    off = M + 100.0
    inner = generalization_bounds(X @ M.T, y, M @ M.T, 1.0)
    moved = generalization_bounds(X @ off.T, y, off @ off.T, 1.0)
    assert moved.by_norm == pytest.approx(inner.by_norm, rel=1e-6)
    # As printed, with the code as it comes, the same classifier would get another number.
    assert oracle.bound(4 * (off**2).sum() / moved.margin**2, 6, 1.0, 30, 0.05) > 100 * inner.by_norm


def test_a_large_sample_makes_the_bound_say_something():
    X, y, M = separable(2, m=40)
    many = 200_000
    index = np.arange(many) % 40
    bounds = generalization_bounds(X[index] @ M.T, y[index], M @ M.T, 1e-3)
    assert bounds.by_norm < 1
    assert bounds.caveat == RADIUS_CAVEAT


def test_huge_powers_do_not_overflow():
    k = 200
    scores = np.eye(k)
    bounds = generalization_bounds(scores, np.arange(k), np.eye(k), 1.0)
    assert np.isfinite(bounds.by_margins)


def test_a_training_error_leaves_no_bound():
    X, y, M = separable(3)
    y[0] = (y[0] + 1) % 4
    bounds = generalization_bounds(X @ M.T, y, M @ M.T, 1.0)
    assert not bounds.applicable
    assert bounds.margin < 0
    assert np.isinf([bounds.spread, bounds.by_margins, bounds.by_norm, *bounds.by_class]).all()
    assert bounds.caveat.startswith("Not applicable")


def test_a_pair_of_classes_without_points_has_no_margin():
    bounds = generalization_bounds(np.array([[2.0, 0.0, 0.0]]), np.array([0]), np.eye(3), 1.0)
    assert bounds.spread == pytest.approx(2 / 4 + 2 / 4)


@pytest.mark.parametrize(
    ("change", "sentence"), [({"delta": 1.0}, "delta"), ({"log_base": 1.0}, "logarithms")]
)
def test_bad_settings_are_refused(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        generalization_bounds(np.eye(2), np.arange(2), np.eye(2), 1.0, **change)
