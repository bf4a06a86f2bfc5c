"""The machines and the code entries of JECOC are each optimal for the other."""

import numpy as np
import oracles_learned as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from strategies_learned import plain

from ecocviz.engine.codings.jecoc import solve_column
from ecocviz.engine.kernels.joint_code import best_entry, update_code

values = st.floats(-4, 4, allow_nan=False).map(lambda value: round(value, 3))


def gram_of(seed=0, n=32):
    """A Gaussian kernel with a constant, of points in the plane, (n, n)."""
    X = np.random.default_rng(seed).normal(size=(n, 2))
    return np.exp(-((X[:, None] - X) ** 2).sum(axis=2)) + 1


@given(st.lists(values, max_size=8), st.floats(0.1, 3), st.floats(-8, 8))
def test_an_entry_is_the_least_of_a_dense_grid(f, C, g):
    entry = best_entry(np.array(f, dtype=float), C, g)
    assert -1 <= entry <= 1
    value = C * oracles.hinge_sum(f, entry) - g * entry
    for m in np.linspace(-1, 1, 2001):
        assert value <= C * oracles.hinge_sum(f, m) - g * m + 1e-9
    assert plain(best_entry)(np.array(f, dtype=float), C, g) == pytest.approx(entry)


@pytest.mark.parametrize(
    ("f", "g", "expected"),
    [
        ([2.0, 2.0], 0.0, 0.5),  # both points are content from 1/2 on
        ([-2.0], 0.0, -1.0),  # from -1 to -1/2 all are equal: the first
        ([0.5], 0.0, 1.0),
        ([-1.0], 0.0, -1.0),
        ([], 1.0, 1.0),
        ([], -1.0, -1.0),
        ([2.0, -2.0], 0.0, -0.5),
    ],
)
def test_entries_by_hand(f, g, expected):
    assert best_entry(np.array(f), 1.0, g) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_a_machine_is_the_optimum_of_its_programme(seed, C):
    gram = gram_of(seed)
    m = np.random.default_rng(seed).uniform(-1, 1, size=gram.shape[0])
    m[::5] = 0
    n = m.size
    alphas, scores = solve_column(gram, m, C, np.zeros(n), 1e-8, 10**5)
    assert (alphas >= 0).all() and (alphas <= C).all() and not alphas[m == 0].any()
    np.testing.assert_allclose(scores, gram @ (alphas * m), atol=1e-9)
    Q = np.outer(m, m) * gram
    found = minimize(
        lambda a: (a @ Q @ a / 2 - a[m != 0].sum(), Q @ a - (m != 0)),
        np.zeros(n),
        jac=True,
        bounds=[(0, C)] * n,
        method="L-BFGS-B",
        options={"maxiter": 10_000, "ftol": 1e-14, "gtol": 1e-9},
    )
    dual = alphas.sum() - alphas @ Q @ alphas / 2
    assert dual == pytest.approx(-found.fun, rel=1e-6)
    primal = alphas @ Q @ alphas / 2 + C * sum(max(0, 1 - a * b) for a, b in zip(m, scores, strict=True) if a)
    assert primal == pytest.approx(dual, rel=1e-6)


def test_a_machine_starts_from_where_it_was():
    gram = gram_of()
    m = np.where(np.arange(gram.shape[0]) % 2 == 0, 0.7, -1.0)
    alphas, _ = solve_column(gram, m, 1.0, np.zeros(m.size), 1e-8, 10**5)
    again, _ = solve_column(gram, m, 1.0, alphas, 1e-8, 0)
    np.testing.assert_array_equal(alphas, again)
    cut, _ = solve_column(gram, m, 0.5, alphas * 9, 1e-8, 0)
    assert cut.max() <= 0.5


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("B", [0.0, 0.5, 5.0])
def test_no_step_of_the_code_raises_the_objective(seed, B):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(4), 6)
    F = rng.normal(scale=1.5, size=(24, 3))
    starts = np.arange(5) * 6
    M = rng.uniform(-1, 1, size=(4, 3))

    def objective(code):
        hinge = sum(oracles.hinge_sum(F[y == c, j], code[c, j]) for c in range(4) for j in range(3))
        return hinge - B * oracles.separation_energy(code.tolist())

    before = objective(M)
    for _ in range(6):
        M, _ = update_code(F, starts, M, 1.0, B, 1)
        assert np.abs(M).max() <= 1
        after = objective(M)
        assert after <= before + 1e-9
        before = after
    settled, n_steps = update_code(F, starts, M, 1.0, B, 1000)
    assert n_steps < 1000
    np.testing.assert_array_equal(update_code(F, starts, settled, 1.0, B, 1)[0], settled)
