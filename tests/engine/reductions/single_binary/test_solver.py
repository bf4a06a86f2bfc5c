import numpy as np
import oracles_single as oracle
import pytest
from hearing import ending, shares_to
from hypothesis import example, given
from hypothesis import strategies as st

from ecocviz.engine.reductions.single_binary import newton, solver
from ecocviz.engine.reductions.single_binary.replicas import (
    Replicas,
    Solution,
    balanced,
    dual_objective,
    duality_gap,
    free_coefficients,
    intercept,
    product,
)
from ecocviz.engine.reductions.single_binary.solver import solve

GAMMA = 0.7


def problem(seed, m=8, c=3, C=1.0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 2))
    y = np.r_[np.arange(c), rng.integers(0, c, m - c)]
    gram = oracle.rbf_gram(X, GAMMA)
    V = oracle.combined(rng.uniform(0.1, 3, c), GAMMA)
    return Replicas.boxed(gram.astype(dtype), oracle.labels(y, c).reshape(m, c), C), V


def explicit(problem, V):
    return oracle.kronecker(problem.gram, V), problem.targets.ravel()


@given(st.integers(0, 10_000), st.sampled_from([0.1, 1.0, 30.0]), st.booleans(), st.sampled_from([0, 1, 100]))
def test_objective_and_bias_agree_with_libsvm(seed, C, bursts, after):
    replicas, V = problem(seed, C=C)
    before, solver.BURST_AFTER = solver.BURST_AFTER, after
    try:
        solution = solve(replicas, V, tol=1e-8, max_updates=100_000, bursts=bursts and after > 0)
    finally:
        solver.BURST_AFTER = before
    K, Y = explicit(replicas, V)
    _, bias, value = oracle.explicit_machine(K, Y, C)
    assert solution.objective == pytest.approx(value, rel=1e-7)
    assert solution.violation < 1e-8
    np.testing.assert_allclose(solution.residual.ravel(), Y - K @ solution.coefficients.ravel(), atol=1e-9)
    np.testing.assert_allclose(solution.expansion, replicas.gram @ solution.coefficients, atol=1e-9)
    assert intercept(replicas, solution) == pytest.approx(bias, abs=1e-5 * max(1, C))
    assert abs(solution.coefficients.sum()) <= 1e-10 * C
    for trial in (bias, bias + 0.3):
        primal = oracle.primal(K, Y, solution.coefficients.ravel(), trial, C)  # twice that of the solver
        gap = (primal - solution.objective) / 2
        assert duality_gap(replicas, solution, trial) == pytest.approx(gap, abs=1e-9 * C, rel=1e-6)


def test_the_papers_bias_is_wrong_where_coefficients_stand_at_c():
    replicas, V = problem(2, m=12, C=1.0)
    solution = solve(replicas, V, tol=1e-9, max_updates=100_000)
    K, Y = explicit(replicas, V)
    b, bias, _ = oracle.explicit_machine(K, Y, 1.0)
    at_bound = (np.abs(b) > 1 - 1e-9).sum()
    assert 0 < at_bound < (b != 0).sum()
    assert oracle.free_bias(K, Y, b, 1.0) == pytest.approx(bias, abs=1e-6)
    assert intercept(replicas, solution) == pytest.approx(bias, abs=1e-6)
    assert abs(oracle.footnote_bias(K, Y, b) - bias) > 0.05
    # It is not optimal either: the primal objective at the footnote's bias is larger.
    right = oracle.primal(K, Y, b, bias, 1.0)
    assert oracle.primal(K, Y, b, oracle.footnote_bias(K, Y, b), 1.0) > right + 1e-3


def test_without_free_coefficients_the_bias_is_in_the_middle():
    replicas, V = problem(0, c=2, C=1e-4)  # as many copies of either sign: all stand at C
    solution = solve(replicas, V, tol=1e-9, max_updates=10_000)
    assert not free_coefficients(replicas, solution.coefficients).any()
    bias = intercept(replicas, solution)
    K, Y = explicit(replicas, V)
    b = solution.coefficients.ravel()
    best = oracle.primal(K, Y, b, bias, 1e-4)
    assert all(oracle.primal(K, Y, b, bias + shift, 1e-4) >= best - 1e-15 for shift in (-0.1, 0.1))


def test_targets_of_one_sign_teach_nothing():
    gram = np.eye(3)
    for sign in (-1.0, 1.0):
        replicas = Replicas.boxed(gram, np.full((3, 2), sign), 1.0)
        solution = solve(replicas, np.eye(2), tol=1e-6, max_updates=10)
        assert not solution.coefficients.any()
        assert intercept(replicas, solution) == sign


def test_the_box_of_eq_7_is_c_and_not_that_of_eqs_1_or_3():
    """(7) prices slacks at 2C; of the boxes C/2 (Eq. 1), C and C/(cm) (Eq. 3), C minimises it."""
    C = 2.0
    replicas, V = problem(4, m=10, C=C)
    K, Y = explicit(replicas, V)
    values = {}
    for box in (C, C / 2, C / Y.size):
        boxed = Replicas.boxed(replicas.gram, replicas.targets, box)
        solution = solve(boxed, V, tol=1e-9, max_updates=100_000)
        bias = intercept(boxed, solution)
        values[box] = oracle.primal(K, Y, solution.coefficients.ravel(), bias, C)
        if box == C:
            assert values[box] == pytest.approx(solution.objective, rel=1e-6)  # strong duality with (2)
    assert values[C] < min(values[C / 2], values[C / Y.size]) * (1 - 1e-3)


def test_bursts_end_long_searches_and_never_lose():
    replicas, V = problem(7, m=15, C=1e4)
    plain = solve(replicas, V, tol=1e-7, max_updates=1_000_000, bursts=False)
    fast = solve(replicas, V, tol=1e-7, max_updates=1_000_000)
    assert fast.n_bursts > 0
    assert fast.n_updates < plain.n_updates / 2
    assert fast.objective == pytest.approx(plain.objective, rel=1e-8)


def test_bursts_that_are_declined_leave_it_to_pair_steps(monkeypatch):
    monkeypatch.setattr(newton, "BURST_MOST_FREE", 0)
    monkeypatch.setattr(solver, "BURST_AFTER", 1)
    replicas, V = problem(7, m=15, C=100.0)
    solution = solve(replicas, V, tol=1e-7, max_updates=1_000_000)
    assert solution.n_bursts == 0 and solution.violation < 1e-7


def test_a_burst_that_loses_is_not_taken(monkeypatch):
    monkeypatch.setattr(solver, "BURST_AFTER", 1)
    monkeypatch.setattr(solver, "newton_burst", lambda *_: (np.zeros((15, 3)), 1, False))
    replicas, V = problem(7, m=15, C=100.0)
    solution = solve(replicas, V, tol=1e-7, max_updates=1_000_000)
    plain = solve(replicas, V, tol=1e-7, max_updates=1_000_000, bursts=False)
    assert solution.n_bursts > 0
    assert solution.objective == pytest.approx(plain.objective, rel=1e-9)


def burst(replicas, V, B, tol=1e-6):
    E = replicas.targets - replicas.gram @ B @ V
    calls = []
    moved, steps, finished = newton.newton_burst(replicas, V, B, E, tol, lambda: calls.append(1))
    assert len(calls) >= steps
    before = dual_objective(replicas, B, E)
    after = dual_objective(replicas, moved, replicas.targets - replicas.gram @ moved @ V)
    return moved, steps, finished, after - before


@given(st.integers(0, 10_000), st.integers(0, 60))
def test_a_burst_stays_in_the_box_and_gains(seed, n_steps):
    replicas, V = problem(seed, C=1.0)
    B = solve(replicas, V, tol=1e-9, max_updates=n_steps, bursts=False).coefficients
    moved, steps, finished, gain = burst(replicas, V, B)
    assert (moved >= replicas.low - 1e-12).all() and (moved <= replicas.high + 1e-12).all()
    assert abs(moved.sum()) <= 1e-12
    assert gain >= -1e-10
    assert steps <= newton.BURST_STEPS
    if finished and steps:  # the residual of what is free is one number, the bias
        E = replicas.targets - replicas.gram @ moved @ V
        assert np.ptp(E[free_coefficients(replicas, moved)]) < 1e-6


def test_a_burst_is_declined_with_nothing_or_too_much_free(monkeypatch):
    replicas, V = problem(1, C=5.0)
    zero = np.zeros_like(replicas.targets)
    moved, steps, finished, _ = burst(replicas, V, zero)
    assert moved is zero and steps == 0 and finished
    B = solve(replicas, V, tol=1e-3, max_updates=1000, bursts=False).coefficients
    n_free = int(free_coefficients(replicas, B).sum())
    assert n_free > 8  # more than points: not worth it for a coarse solution
    assert burst(replicas, V, B, tol=1e-3)[1] == 0
    assert burst(replicas, V, B, tol=1e-5)[1] > 0
    monkeypatch.setattr(newton, "BURST_FREE", n_free)
    assert burst(replicas, V, B, tol=1e-3)[1] == 0
    assert burst(replicas, V, B, tol=1e-5)[1] > 0
    monkeypatch.setattr(newton, "BURST_MOST_FREE", n_free - 1)
    assert burst(replicas, V, B, tol=1e-5)[1] == 0


def test_duplicate_points_need_the_ridge_and_hopeless_systems_are_left():
    e = np.array([1.0, -1.0, 0.5])
    flat = np.ones((3, 3))
    direction, _ = newton.newton_step(flat.copy(), e)
    assert abs(direction.sum()) < 1e-3 * np.abs(direction).max()
    assert direction @ e > 0
    assert newton.newton_step(-np.eye(3), e) is None


def test_a_newton_step_makes_the_residual_one_number():
    G = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.3], [0.0, 0.3, 3.0]])
    e = np.array([1.0, -1.0, 0.5])
    direction, change = newton.newton_step(G.copy(), e)
    np.testing.assert_allclose(change, G @ direction, atol=1e-12)
    assert np.ptp(e - change) < 1e-8 and abs(direction.sum()) < 1e-12


def test_a_hopeless_system_ends_the_burst(monkeypatch):
    replicas, V = problem(1, C=5.0)
    B = solve(replicas, V, tol=1e-3, max_updates=1000, bursts=False).coefficients
    monkeypatch.setattr(newton, "newton_step", lambda _G, _e: None)
    moved, steps, finished, gain = burst(replicas, V, B)
    assert (steps, finished) == (0, False)
    assert gain == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(moved, B, atol=1e-12)
    monkeypatch.setattr(solver, "BURST_AFTER", 1)
    assert solve(replicas, V, tol=1e-6, max_updates=100_000).violation < 1e-6


@given(st.integers(0, 10_000), st.floats(0.05, 3))
@example(seed=455, C=2.0)
def test_balanced_coefficients_are_feasible(seed, C):
    rng = np.random.default_rng(seed)
    replicas, _ = problem(seed, C=C)
    B = balanced(replicas, 2 * rng.normal(size=replicas.targets.shape))
    np.testing.assert_array_equal(B, np.clip(B, replicas.low, replicas.high))
    assert abs(B.sum()) < 1e-12
    again = balanced(replicas, B)
    np.testing.assert_allclose(again, B, atol=1e-12)


def test_a_warm_start_needs_fewer_steps():
    replicas, V = problem(5, m=20, C=5.0)
    cold = solve(replicas, V, tol=1e-6, max_updates=100_000)
    warm = solve(replicas, V * 1.01, cold, tol=1e-6, max_updates=100_000, bursts=False)
    again = solve(replicas, V * 1.01, tol=1e-6, max_updates=100_000, bursts=False)
    assert warm.n_updates < again.n_updates
    assert warm.objective == pytest.approx(again.objective, rel=1e-7)
    assert solve(replicas, V, cold, tol=1e-6, max_updates=100_000).n_updates == 0


def test_progress_grows_and_can_cancel(monkeypatch):
    monkeypatch.setattr(solver, "SLICE_WORK", 1)
    replicas, V = problem(5, m=30, C=50.0)
    told = []
    solve(replicas, V, tol=1e-6, max_updates=100_000, progress=shares_to(told.append))
    assert told[0] == 0 and told[-1] == 1 and len(told) > 3
    assert (np.diff(told) >= 0).all()

    with pytest.raises(KeyboardInterrupt):
        solve(replicas, V, tol=1e-6, max_updates=100_000, progress=ending(0.2, error=KeyboardInterrupt))


def test_the_number_of_steps_is_kept():
    replicas, V = problem(5, m=30, C=50.0)
    solution = solve(replicas, V, tol=1e-9, max_updates=17)
    assert solution.n_updates == 17
    assert solution.violation > 1e-9


def test_products_with_single_precision_are_exact(monkeypatch):
    monkeypatch.setattr("ecocviz.engine.reductions.single_binary.replicas.BLOCK_BYTES", 100)
    replicas, _ = problem(0, dtype=np.float32)
    B = np.random.default_rng(0).normal(size=replicas.targets.shape)
    np.testing.assert_allclose(
        product(replicas.gram, B), replicas.gram.astype(np.float64) @ B, rtol=1e-14, atol=1e-14
    )


def test_the_gap_leaves_out_what_is_not_shown():
    replicas, V = problem(3)
    shown = np.arange(8) != 4
    part = Replicas.boxed(replicas.gram, replicas.targets, 1.0, shown)
    solution = solve(part, V, tol=1e-8, max_updates=10_000)
    assert not solution.coefficients[4].any()
    smaller = Replicas.boxed(replicas.gram[np.ix_(shown, shown)], replicas.targets[shown], 1.0)
    other = solve(smaller, V, tol=1e-8, max_updates=10_000)
    assert isinstance(other, Solution)
    assert solution.objective == pytest.approx(other.objective, rel=1e-8)
    bias = intercept(part, solution)
    assert bias == pytest.approx(intercept(smaller, other), abs=1e-6)
    assert duality_gap(part, solution, bias) < 1e-6
