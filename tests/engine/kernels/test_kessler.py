import numpy as np
import oracles_single as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.kernels.kessler import ascend_differences


def solve(X, y, c, C, tol=1e-9, most=1_000_000):
    gram = X @ X.T
    alphas, outputs = np.zeros((c, len(y))), np.zeros((c, len(y)))
    done, violation = ascend_differences(gram, y, alphas, outputs, np.full(len(y), C), tol, most)
    return alphas, outputs, done, violation


@given(st.integers(0, 10_000), st.sampled_from([0.05, 1.0]))
def test_class_weights_agree_with_the_written_out_differences(seed, C):
    rng = np.random.default_rng(seed)
    c, m = 3, 8
    X, y = rng.normal(size=(m, 3)), np.r_[np.arange(c), rng.integers(0, c, m - c)]
    alphas, outputs, _, violation = solve(X, y, c, C, tol=1e-6)
    weights, value = oracle.kessler_weights(X, y, c, C)
    assert violation < 1e-6
    assert (alphas >= 0).all() and (alphas <= C).all()
    assert (alphas[y, np.arange(m)] == 0).all()
    np.testing.assert_allclose(outputs, weights @ X.T, atol=1e-3)
    B = -alphas
    B[y, np.arange(m)] = alphas.sum(axis=0)
    assert alphas.sum() - np.vdot(B, B @ X @ X.T) / 2 == pytest.approx(value, rel=1e-5)


def test_separable_data_get_a_margin_of_one():
    X = np.array([[4.0, 0, 0], [5, 1, 0], [0, 4, 0], [1, 5, 0], [0, 0, 4], [0, 1, 5]])
    y = np.array([0, 0, 1, 1, 2, 2])
    _, outputs, _, _ = solve(X, y, 3, 1e6)
    own = outputs[y, np.arange(6)]
    others = np.where(np.eye(3, dtype=bool)[:, y], -np.inf, outputs)
    assert (own - others.max(axis=0)).min() == pytest.approx(1, abs=1e-6)


def test_a_point_at_the_origin_pays_its_full_price():
    alphas, _, done, violation = solve(np.zeros((2, 1)), np.array([0, 1]), 2, 0.7)
    assert (done, violation) == (2, 0.0)
    np.testing.assert_array_equal(alphas, [[0, 0.7], [0.7, 0]])


def test_steps_are_counted_and_limited():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(10, 2)), np.arange(10) % 3
    _, _, done, violation = solve(X, y, 3, 10.0, most=4)
    assert done == 4
    assert violation > 1e-9
