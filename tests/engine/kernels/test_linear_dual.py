import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from strategies import examples

from ecocviz.engine.kernels.linear_dual import add_points, as_table, scores_of, sweep


def problem(n=30, m=5, seed=0):
    generator = np.random.default_rng(seed)
    features = generator.normal(size=(n, m))
    features[3] = 0.0  # a point at the origin: nothing tells its side
    features[4] = features[5]
    signs = generator.choice([-1.0, 1.0], size=n)
    bounds = generator.uniform(0.1, 2.0, size=n)
    return features, signs, bounds


def state(seed=1):
    return np.array([seed], dtype=np.uint64)


def dual(features, signs, alphas):
    weights = features.T @ (alphas * signs)
    return alphas.sum() - weights @ weights / 2


@pytest.mark.parametrize("thin", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("width", [1, 4, 63, 64, 65, 200])
def test_products_are_summed_in_double_precision(width, dtype, thin):
    generator = np.random.default_rng(width)
    features, weights = generator.normal(size=(9, width)).astype(dtype), generator.normal(size=width)
    features[:, generator.random(width) < 0.3] = 0.0
    table = as_table(csr_array(features) if thin else features)
    rows, scores = np.array([8, 0, 3]), np.empty(3)
    scores_of(table, weights, rows, scores)
    np.testing.assert_allclose(scores, features[rows].astype(np.float64) @ weights, rtol=1e-12, atol=1e-12)
    moved = weights.copy()
    add_points(table, np.array([0.5, 0.0, -2.0]), rows, moved)
    expected = weights + 0.5 * features[8].astype(np.float64) - 2.0 * features[3].astype(np.float64)
    np.testing.assert_allclose(moved, expected, rtol=1e-12, atol=1e-12)


@given(seed=st.integers(0, 10_000), thin=st.booleans())
@examples(30)
def test_every_sweep_raises_the_dual_and_keeps_weights_and_box(seed, thin):
    features, signs, bounds = problem(seed=seed)
    table = as_table(csr_array(features) if thin else features)
    squares = (features**2).sum(axis=1)
    alphas, weights, order = np.zeros(30), np.zeros(5), np.arange(30)
    before, drawn = 0.0, state(seed + 1)
    for _ in range(6):
        kept, _, rise, fall = sweep(
            table, squares, signs, bounds, alphas, weights, order, drawn, np.full(2, np.inf)
        )
        assert kept == 30 and sorted(order) == [*range(30)]
        assert rise >= 0 and fall >= 0
        assert ((alphas >= 0) & (alphas <= bounds)).all()
        np.testing.assert_allclose(weights, features.T @ (alphas * signs), atol=1e-10)
        assert dual(features, signs, alphas) >= before - 1e-12
        before = dual(features, signs, alphas)
    assert alphas[3] == bounds[3]


def test_a_visit_is_the_best_step_of_one_coefficient():
    features, signs, bounds = problem()
    squares = (features**2).sum(axis=1)
    for i in (0, 7, 11):
        alphas = np.random.default_rng(i).uniform(0, bounds)
        weights = features.T @ (alphas * signs)
        grid = [
            dual(features, signs, np.where(np.arange(30) == i, a, alphas))
            for a in np.linspace(0, bounds[i], 999)
        ]
        kept, n_updates, _, _ = sweep(
            as_table(features),
            squares,
            signs,
            bounds,
            alphas,
            weights,
            np.array([i]),
            state(),
            np.full(2, np.inf),
        )
        assert (kept, n_updates) == (1, 1)
        assert dual(features, signs, alphas) >= max(grid) - 1e-12


def test_points_are_dropped_only_beyond_the_limits():
    features = np.array([[1.0], [-1.0], [0.3], [-0.3]])
    signs, bounds, squares = np.array([1.0, 1.0, 1.0, 1.0]), np.full(4, 1e-9), (features**2).ravel()
    table = as_table(features)
    alphas, weights = np.array([0.0, 1e-9, 0.0, 1e-9]), np.array([4.0])
    # Slacks -3, 5, -0.2 and 2.2: the first and third stay at 0, the others at their bound.
    for limits, left in ((np.inf, {0, 1, 2, 3}), (4.0, {0, 2, 3}), (2.5, {2, 3}), (1.0, {2}), (0.1, set())):
        order = np.arange(4)
        kept, n_updates, rise, fall = sweep(
            table, squares, signs, bounds, alphas, weights, order, state(), np.full(2, limits)
        )
        assert set(order[:kept]) == left
        assert (n_updates, rise, fall) == (0, 0.0, 0.0)


def test_orders_differ_and_follow_the_state():
    features, signs, bounds = problem(n=200)
    squares, table = (features**2).sum(axis=1), as_table(features)

    def orders(seed):
        alphas, weights, order, drawn = np.zeros(200), np.zeros(5), np.arange(200), state(seed)
        seen = []
        for _ in range(3):
            sweep(table, squares, signs, bounds, alphas, weights, order, drawn, np.full(2, np.inf))
            seen.append(order.tolist())
        return seen

    first = orders(5)
    assert first == orders(5) != orders(6)
    assert first[0] != first[1] != first[2]
