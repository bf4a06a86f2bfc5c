import numpy as np
import oracles_single as oracle
import pytest
from hearing import EndedError, ending, shares_to
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.exceptions import ConvergenceWarning

from ecocviz.engine.reductions.single_binary import class_kernels, weights
from ecocviz.engine.reductions.single_binary.replicas import Replicas
from ecocviz.engine.reductions.single_binary.solver import solve
from ecocviz.engine.reductions.single_binary.weights import learn

GAMMA = 0.5


def problem(seed, m=14, c=3, C=8.0):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(m, 2)), np.r_[np.arange(c), rng.integers(0, c, m - c)]
    gram = oracle.rbf_gram(X, GAMMA)
    return Replicas.boxed(gram, oracle.labels(y, c).reshape(m, c), C)


def basis(c):
    return np.stack([class_kernels.class_kernel(M, GAMMA) for M in class_kernels.unit_extensions(c)])


def learned(replicas, rule, *, tol=1e-6, radius=None, mu=None, **options):
    m, c = replicas.targets.shape
    radius = np.sqrt(m) if radius is None else radius
    start = np.full(c, radius / c) if mu is None else mu
    return learn(replicas, basis(c), start, rule, tol=tol, max_updates=100_000, **options)


# Class kernels ---------------------------------------------------------------------------------------


@given(st.integers(2, 6), st.floats(0.01, 5))
def test_class_kernels_agree_with_loops(c, gamma):
    for extension in (
        class_kernels.identity_extension(c),
        class_kernels.single_extension(c),
        *class_kernels.unit_extensions(c),
    ):
        np.testing.assert_allclose(
            class_kernels.class_kernel(extension, gamma), oracle.class_kernel(extension, gamma), atol=1e-15
        )
    sigma = 1 / np.sqrt(2 * gamma)
    V = class_kernels.class_kernel(class_kernels.identity_extension(c), gamma)
    np.testing.assert_allclose(V, np.exp(-1 / sigma**2) + (1 - np.exp(-1 / sigma**2)) * np.eye(c))
    V = class_kernels.class_kernel(class_kernels.single_extension(c), gamma)
    assert V[0, 1] == pytest.approx(np.exp(-1 / (2 * sigma**2)))


@given(arrays(np.float64, 4, elements=st.floats(0, 5)), st.floats(0.05, 4))
def test_the_papers_matrices_have_a_closed_form(mu, gamma):
    """V_rr = sum mu, V_rs = sum mu - q (mu_r + mu_s) with q = 1 - exp(-gamma)."""
    kernels = np.stack([class_kernels.class_kernel(M, gamma) for M in class_kernels.unit_extensions(4)])
    V = class_kernels.combine(mu, kernels)
    q = 1 - np.exp(-gamma)
    expected = mu.sum() - q * (mu[:, None] + mu[None, :])
    np.fill_diagonal(expected, mu.sum())
    np.testing.assert_allclose(V, expected, atol=1e-12)
    np.testing.assert_allclose(V, oracle.combined(mu, gamma), atol=1e-12)


def test_the_rbf_kernel_of_copies_is_a_kronecker_product_and_the_linear_one_is_not():
    rng = np.random.default_rng(0)
    X, M = rng.normal(size=(4, 2)), rng.normal(size=(3, 2))
    V = class_kernels.class_kernel(M, GAMMA)
    points = oracle.copies(X, M)
    product = oracle.kronecker(oracle.rbf_gram(X, GAMMA), V)
    np.testing.assert_allclose(product, oracle.rbf_gram(points, GAMMA), atol=1e-14)
    linear = points @ points.T
    # A Kronecker product, rearranged, has rank one (Van Loan); a sum of two parts has rank two.
    rearranged = linear.reshape(4, 3, 4, 3).transpose(0, 2, 1, 3).reshape(16, 9)
    assert np.linalg.matrix_rank(rearranged) == 2
    assert np.linalg.matrix_rank(product.reshape(4, 3, 4, 3).transpose(0, 2, 1, 3).reshape(16, 9)) == 1


# Slopes ----------------------------------------------------------------------------------------------


@given(st.integers(0, 1000))
def test_slopes_are_minus_the_gradient(seed):
    replicas = problem(seed, m=8)
    mu = np.random.default_rng(seed).uniform(0.3, 2, 3)
    found = solve(replicas, class_kernels.combine(mu, basis(3)), tol=1e-10, max_updates=100_000)
    q = weights.slopes(found, basis(3))
    np.testing.assert_allclose(q, oracle.slopes(replicas.gram, found.coefficients, GAMMA), atol=1e-9)
    assert (q >= 0).all()
    for k in range(3):
        step = 1e-4 * np.eye(3)[k]
        values = [
            solve(replicas, class_kernels.combine(mu + sign * step, basis(3)), tol=1e-10, max_updates=100_000)
            for sign in (1, -1)
        ]
        difference = (values[0].objective - values[1].objective) / 2e-4
        assert difference == pytest.approx(-q[k], rel=1e-2, abs=1e-3)


def test_no_other_weights_of_the_same_sum_beat_the_gap():
    replicas = problem(3)
    at = learned(replicas, "uniform", tol=1e-8)
    assert at.gap > 0
    best = oracle.best_on_grid(replicas.gram, replicas.targets.ravel(), 8.0, GAMMA, np.sqrt(14), 6)
    assert at.solution.objective - at.gap <= best + 1e-6


# The three ways to learn them ------------------------------------------------------------------------


def test_literal_is_algorithm_2_as_printed():
    replicas = problem(1)
    found = learned(replicas, "literal", tol=1e-8)
    told = oracle.literal_rounds(
        replicas.gram, replicas.targets.ravel(), 3, 8.0, GAMMA, np.sqrt(14), len(found.history)
    )
    assert found.converged
    np.testing.assert_allclose(found.mu_history, [mu for mu, _ in told], atol=1e-4)
    np.testing.assert_allclose(found.history, [value for _, value in told], rtol=1e-6)


@given(st.integers(0, 10_000))
def test_l2_ends_where_slopes_are_parallel_to_the_weights(seed):
    replicas = problem(seed)
    found = learned(replicas, "l2", tol=1e-7)
    assert found.converged and len(found.history) <= 20
    q = weights.slopes(found.solution, basis(3))
    cosine = q @ found.mu / np.linalg.norm(q) / np.linalg.norm(found.mu)
    assert cosine == pytest.approx(1, abs=1e-4)
    assert found.mu.sum() == pytest.approx(np.sqrt(14))


def test_literal_and_l2_share_their_fixed_points_and_miss_the_problem_as_stated():
    """Algorithm 2 claims the least g_d on the simplex; its fixed point is that of a ball of the l2 norm."""
    for seed in (1, 2, 4):
        replicas = problem(seed)
        literal = learned(replicas, "literal", tol=1e-7)
        l2 = learned(replicas, "l2", tol=1e-7)
        simplex = learned(replicas, "simplex")
        assert literal.converged and simplex.converged
        np.testing.assert_allclose(literal.mu, l2.mu, atol=0.02)
        assert simplex.solution.objective < literal.solution.objective - 0.1
        assert simplex.mu.sum() == pytest.approx(literal.mu.sum())
        assert literal.gap >= literal.solution.objective - simplex.solution.objective - 1e-3


def test_l2_is_the_optimum_on_a_ball():
    replicas = problem(2)
    found = learned(replicas, "l2", tol=1e-8)
    rng = np.random.default_rng(0)
    for _ in range(30):
        other = np.abs(found.mu + rng.normal(scale=0.5, size=3))
        other *= np.linalg.norm(found.mu) / np.linalg.norm(other)
        value = solve(
            replicas, class_kernels.combine(other, basis(3)), tol=1e-8, max_updates=100_000
        ).objective
        assert value >= found.solution.objective - 1e-3


@pytest.mark.parametrize("seed", [0, 5])
def test_simplex_finds_the_least_objective(seed):
    replicas = problem(seed)
    found = learned(replicas, "simplex")
    assert found.converged
    assert found.gap <= weights.SIMPLEX_GAP * found.solution.objective
    best = oracle.best_on_grid(replicas.gram, replicas.targets.ravel(), 8.0, GAMMA, np.sqrt(14), 8)
    assert found.solution.objective <= best + 1e-3
    assert (np.diff(found.history) < 0).all()
    assert (found.mu >= 0).all()


def test_literal_may_swing_for_ever_and_says_so():
    replicas = problem(163, c=4)
    with pytest.warns(ConvergenceWarning, match=r"did not settle in 60 rounds: they still change by 0\.\d+"):
        swinging = learned(replicas, "literal", max_rounds=60)
    assert not swinging.converged
    assert swinging.change > 0.5
    last = swinging.history[-4:]
    np.testing.assert_allclose(last[:2], last[2:], rtol=1e-4)  # a cycle of two
    assert abs(last[0] - last[1]) > 10
    assert last.min() > swinging.history[0]  # and worse than where it began
    assert learned(replicas, "l2").solution.objective < swinging.history[0]


def test_literal_stops_at_once_where_slopes_are_small_and_l2_does_not():
    replicas = problem(6, C=8 / (14 * 3) / 50)
    literal = learned(replicas, "literal", tol=1e-9)
    assert literal.converged and len(literal.history) == 1
    l2 = learned(replicas, "l2", tol=1e-9)
    assert len(l2.history) > 1
    assert np.abs(l2.mu - literal.mu).max() > 0.05


def test_weights_that_are_given_stay():
    replicas = problem(7)
    counts = (replicas.targets > 0).sum(axis=0)
    mu = weights.prior_weights(counts, 5.0)
    np.testing.assert_allclose(mu, [5 * n / 14 for n in counts])
    for rule in ("prior", "uniform"):
        found = learned(replicas, rule, mu=mu)
        np.testing.assert_array_equal(found.mu, mu)
        assert found.history.size == 1
        np.testing.assert_allclose(found.class_kernel, oracle.combined(mu, GAMMA))
    one = learn(replicas, basis(3)[:1], np.array([2.0]), "simplex", tol=1e-6, max_updates=10_000)
    assert one.mu.tolist() == [2.0] and one.gap == 0
    with pytest.raises(ValueError, match="mu_rule is one of"):
        learned(replicas, "guess")


def test_steps_by_hand():
    mu, q = np.array([1.0, 3.0]), np.array([8.0, 1.0])
    np.testing.assert_allclose(weights.literal_step(mu, q, 100.0), [9, 4])
    np.testing.assert_allclose(weights.literal_step(mu, q, 6.5), [4.5, 2])
    np.testing.assert_allclose(
        weights.l2_step(mu, q, 4.0), np.array([2, 9 ** (1 / 3)]) * 4 / (2 + 9 ** (1 / 3))
    )
    np.testing.assert_allclose(weights.l2_step(mu, 1e-9 * q, 4.0), weights.l2_step(mu, q, 4.0))
    np.testing.assert_array_equal(weights.l2_step(mu, np.zeros(2), 4.0), mu)


@given(arrays(np.float64, st.integers(1, 6), elements=st.floats(-5, 5)), st.floats(0.1, 9))
def test_projection_onto_the_simplex(point, radius):
    nearest = weights.on_simplex(point, radius)
    assert (nearest >= 0).all() and nearest.sum() == pytest.approx(radius)
    # Optimal: what is positive was shifted by one number, what is zero would have become negative.
    shift = point - nearest
    top = shift[nearest > 0]
    assert np.ptp(top) < 1e-9
    assert (point[nearest == 0] <= top.max() + 1e-9).all()


def test_simplex_gives_up_after_its_rounds_and_says_by_how_much_it_may_miss():
    replicas = problem(0)
    with pytest.warns(ConvergenceWarning, match=r"after 1 rounds: the objective may still fall by"):
        found = learned(replicas, "simplex", max_rounds=1)
    assert not found.converged
    assert found.change > weights.SIMPLEX_GAP


def test_a_line_search_that_finds_nothing_ends_the_search(monkeypatch):
    replicas = problem(0)
    monkeypatch.setattr(weights, "ARMIJO", 1e9)
    with pytest.warns(ConvergenceWarning, match="after 0 rounds"):
        found = learned(replicas, "simplex")
    np.testing.assert_allclose(found.mu, np.full(3, np.sqrt(14) / 3))


@pytest.mark.parametrize("rule", ["l2", "literal", "simplex", "uniform"])
def test_progress_grows_and_cancels(rule):
    told = []
    learned(problem(1), rule, progress=shares_to(told.append))
    assert told[-1] == 1 and (np.diff(told) >= 0).all()

    with pytest.raises(EndedError):
        learned(problem(1), rule, progress=ending())
