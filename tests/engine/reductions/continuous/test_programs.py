import numpy as np
import oracles_design as oracle
import pytest
from hearing import EndedError, ending, shares_to
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ecocviz.engine.reductions.continuous import joint, programs
from ecocviz.engine.reductions.continuous.columns import corrective_columns, literal_columns
from ecocviz.engine.reductions.continuous.joint import fit_machines, joint_design
from ecocviz.engine.reductions.continuous.programs import Design, code_norm, design_code, total_loss

NORMS = ("l1", "l2", "linf")


def problem(seed, m=12, k=3, n_bits=2, signs=False):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, m)
    H = rng.normal(size=(k, n_bits))[y] + rng.normal(size=(m, n_bits))
    return (np.sign(H) if signs else H), y


def least(H, y, b, beta, norm, floor=0.0):
    if norm == "l2":
        return oracle.quadratic_optimum(H, y, b, beta)
    return oracle.linear_optimum(H, y, b, beta, norm, floor)


@pytest.mark.parametrize("norm", NORMS)
@examples(10)
@given(st.integers(0, 10**6), st.integers(2, 4), st.floats(-1.5, 1.5), st.booleans())
def test_designs_cost_what_the_papers_programs_cost(norm, seed, k, log_beta, signs):
    H, y = problem(seed, m=9, k=k, signs=signs)
    beta = 10**log_beta
    b = oracle.default_margins(y, k)
    design = design_code(H, y, k, norm=norm, beta=beta, tol=1e-6)
    assert design.objective == pytest.approx(oracle.objective(H, y, design.code, b, norm, beta), rel=1e-9)
    best = least(H, y, b, beta, norm)
    assert best - 1e-6 <= design.objective <= best + 1e-5 * (1 + best)
    assert 0 <= design.gap <= 1e-5 * (1 + best)
    np.testing.assert_allclose(design.eta.sum(axis=1), 1, atol=1e-9)


@pytest.mark.parametrize("norm", ["l1", "linf"])
def test_the_gap_of_a_linear_program_is_proved_by_its_multipliers(norm):
    """Any distributions that keep the dual bound prove a lower bound, whatever the solver did."""
    H, y = problem(1, m=30, k=4, n_bits=3)
    b = oracle.default_margins(y, 4)
    design = design_code(H, y, 4, norm=norm, beta=2.0)
    T = np.abs((np.eye(4)[y] - design.eta).T @ H)
    assert (T.max() if norm == "l1" else T.sum()) <= 2.0 * (1 + 1e-12)
    assert (design.eta >= 0).all()
    assert design.objective - design.gap == pytest.approx((design.eta * b).sum())


def test_multipliers_outside_their_bounds_are_pulled_inside():
    H, y = problem(2, m=10)
    S = np.eye(3)[y].T @ H
    wild = np.roll(np.eye(3)[y], 1, axis=1)
    b = oracle.default_margins(y, 3)
    for norm, size in (("l1", np.max), ("linf", np.sum)):
        eta, value = programs.feasible(H, S, y, b, wild, norm, 0.5, 0.0)
        assert size(np.abs(S - eta.T @ H)) == pytest.approx(0.5)
        assert value == pytest.approx((eta * b).sum())
    eta, value = programs.feasible(0 * H, 0 * S, y, b, wild, "l1", 0.5, 0.0)
    np.testing.assert_array_equal(eta, wild)


def test_the_optimal_code_is_not_unique():
    """One example of two classes, h = (1): M = (1, 0) and (0, -1) cost the same."""
    H, y = np.ones((1, 1)), np.array([0])
    b = oracle.default_margins(y, 2)
    costs = [oracle.objective(H, y, np.array(M), b, "l1", 0.5) for M in ([[1.0], [0.0]], [[0.0], [-1.0]])]
    design = design_code(H, y, 2, norm="l1", beta=0.5)
    assert costs[0] == costs[1] == pytest.approx(design.objective)


@pytest.mark.parametrize("norm", NORMS)
def test_a_heavy_norm_leaves_a_code_of_zeros(norm):
    H, y = problem(3)
    design = design_code(H, y, 3, norm=norm, beta=1e7, tol=1e-6)
    assert design.objective == pytest.approx(12, rel=1e-4)
    assert np.abs(design.code).max() < 1e-4


@pytest.mark.parametrize("floor", [0.3, 5.0])
def test_a_floor_under_the_largest_entry_costs_nothing_below_it(floor):
    H, y = problem(4)
    b = oracle.default_margins(y, 3)
    design = design_code(H, y, 3, norm="linf", beta=1.0, floor=floor)
    assert design.objective == pytest.approx(oracle.linear_optimum(H, y, b, 1.0, "linf", floor), rel=1e-7)
    assert design.gap < 1e-6
    cost = 1.0 * max(floor, np.abs(design.code).max()) + sum(oracle.losses(H, y, design.code, b))
    assert design.objective == pytest.approx(cost)


def test_linear_programs_can_be_watched_and_cancelled(monkeypatch):
    monkeypatch.setattr(programs, "WATCH_SECONDS", 1e-4)
    H, y = problem(5, m=200, k=5, n_bits=8)
    shares = []
    design_code(H, y, 5, norm="l1", beta=1.0, progress=shares_to(shares.append))
    assert shares[0] == 0.0 and shares[-1] == 1.0 and 0.5 in shares

    with pytest.raises(EndedError):
        design_code(H, y, 5, norm="linf", beta=1.0, progress=ending(0.0))


def test_what_cannot_be_solved_is_refused(monkeypatch):
    H, y = problem(6)
    with pytest.raises(ValueError, match="norm is one of l1, l2, linf"):
        design_code(H, y, 3, norm="l7", beta=1.0)
    with pytest.raises(ValueError, match="beta must be"):
        design_code(H, y, 3, norm="l1", beta=0.0)
    monkeypatch.setattr(programs, "MOST_NONZEROS", 100)
    with pytest.raises(ValueError, match="too large"):
        design_code(H, y, 3, norm="l1", beta=1.0)
    monkeypatch.undo()
    result = type("Result", (), {"status": 4, "message": "numerical trouble"})()
    monkeypatch.setattr(programs, "linprog", lambda *_a, **_k: result)
    with pytest.raises(ValueError, match="numerical trouble"):
        design_code(H, y, 3, norm="l1", beta=1.0)


@pytest.mark.parametrize("norm", NORMS)
def test_columns_one_by_one_never_cost_more(norm):
    H, y = problem(7, m=40, k=4, n_bits=5)
    b = oracle.default_margins(y, 4)
    shares = []
    progress = shares_to(shares.append)
    design, objectives = literal_columns(H, y, 4, norm=norm, beta=0.5, tol=1e-6, progress=progress)
    assert objectives.shape == (6,)
    assert objectives[0] == 40
    assert (np.diff(objectives) <= 0).all()
    assert objectives[-1] == pytest.approx(oracle.objective(H, y, design.code, b, norm, 0.5))
    assert shares[-1] == 1.0
    # Each column is the best one for what was there before.
    F = H[:, :2] @ design.code[:, :2].T
    margins = b + F - F[np.arange(40), y][:, None]
    floor = np.abs(design.code[:, :2]).max() if norm == "linf" else 0.0
    alone = least(H[:, 2:3], y, margins, 0.5, norm, floor)
    charged = 0.5 * oracle.norm_of(design.code[:, :2], norm) if norm != "linf" else 0.0
    assert objectives[3] == pytest.approx(alone + charged, rel=1e-4)


@pytest.mark.parametrize("norm", NORMS)
def test_fully_corrective_columns_end_at_the_batch_optimum(norm):
    H, y = problem(8, m=40, k=4, n_bits=5)
    shares = []
    progress = shares_to(shares.append)
    design, objectives = corrective_columns(H, y, 4, norm=norm, beta=0.5, tol=1e-6, progress=progress)
    batch = design_code(H, y, 4, norm=norm, beta=0.5, tol=1e-6)
    assert design.objective == objectives[-1] == pytest.approx(batch.objective, rel=1e-5)
    assert (np.diff(objectives) <= 0).all()
    _, literal = literal_columns(H, y, 4, norm=norm, beta=0.5, tol=1e-6)
    assert (objectives <= literal + 1e-4).all()
    assert shares[-1] == 1.0


def test_a_single_column_often_cannot_help_more_than_two_classes():
    """The spec's caveat: with +-1 outputs and six classes the first columns of the literal way are zero."""
    H, y = problem(9, m=120, k=6, n_bits=4, signs=True)
    design, objectives = literal_columns(H, y, 6, norm="l2", beta=5.0, tol=1e-6)
    np.testing.assert_array_equal(objectives, np.full(5, 120.0))
    np.testing.assert_array_equal(design.code, np.zeros((6, 4)))
    assert corrective_columns(H, y, 6, norm="l2", beta=5.0, tol=1e-6)[1][-1] < 119


def test_a_design_that_is_worse_within_its_tolerance_is_not_taken(monkeypatch):
    H, y = problem(10, m=20)
    count = []

    def sloppy(scores, *_arguments, **_options):
        count.append(scores.shape[1])
        code = np.ones((3, scores.shape[1]))
        return Design(code, 10.0 + scores.shape[1], 2.5, np.eye(3)[y])

    monkeypatch.setattr("ecocviz.engine.reductions.continuous.columns.design_code", sloppy)
    design, objectives = corrective_columns(H, y, 3, norm="l2", beta=1.0)
    assert count == [1, 2]
    assert objectives.tolist() == [20.0, 11.0, 11.0]
    assert design.code.tolist() == [[1.0, 0.0]] * 3
    assert design.gap == pytest.approx(11.0 - (12.0 - 2.5))


def test_norms_and_losses_agree_with_loops():
    H, y = problem(11)
    M = np.random.default_rng(0).normal(size=(3, 2))
    b = oracle.default_margins(y, 3)
    for norm in NORMS:
        assert code_norm(M, norm) == pytest.approx(oracle.norm_of(M, norm))
    assert total_loss(H @ M.T, b, y) == pytest.approx(sum(oracle.losses(H, y, M, b)))


@examples(8)
@given(st.integers(0, 10**6), st.floats(-1, 1))
def test_machines_for_a_fixed_code_reach_their_optimum(seed, log_beta):
    X, y = problem(seed, m=9, k=3, n_bits=2)
    M = np.random.default_rng(seed + 1).normal(size=(3, 2))
    beta = 10**log_beta
    b = oracle.default_margins(y, 3)
    step = fit_machines(X, y, M, beta, tol=1e-5)
    W = step.machines
    cost = beta / 2 * (W * W).sum() + sum(oracle.losses(X @ W.T, y, M, b))
    assert step.objective == pytest.approx(cost)
    assert step.gap <= 1e-5 * step.objective
    best = oracle.machine_optimum(X, y, M, b, beta)
    assert best - 1e-6 - step.gap <= step.objective <= best + step.gap + 1e-6


def test_machine_steps_may_run_out_of_sweeps():
    X, y = problem(12, m=40)
    step = fit_machines(X, y, np.eye(3, 2), 1e-3, tol=1e-9, max_sweeps=5)
    assert step.gap > 1e-9 * step.objective


def test_joint_training_never_loses_and_learns():
    X, y = problem(13, m=60, k=4, n_bits=2)
    X = np.hstack([3 * X, np.ones((60, 1))])
    shares = []
    designed = joint_design(
        X, y, 4, 3, beta=0.5, map_beta=0.5, n_rounds=4, tol=1e-4, seed=1, progress=shares_to(shares.append)
    )
    assert designed.objectives.shape == (9,)
    assert (np.diff(designed.objectives) <= 0).all()
    assert designed.objectives[-1] < designed.objectives[1] < 61 + 60
    cost = 0.25 * ((designed.code**2).sum() + (designed.machines**2).sum())
    cost += sum(oracle.losses(X @ designed.machines.T, y, designed.code, oracle.default_margins(y, 4)))
    assert designed.objectives[-1] == pytest.approx(cost)
    assert max(shares) == 1.0


def test_joint_steps_that_gain_nothing_are_not_taken(monkeypatch):
    X, y = problem(14, m=20)
    bad = joint.MachineStep(np.full((2, 2), 1e3), 0.0, 0.0)
    monkeypatch.setattr(joint, "fit_machines", lambda *_a, **_k: bad)
    designed = joint_design(X, y, 3, 2, beta=1.0, map_beta=1.0, n_rounds=2)
    assert (np.diff(designed.objectives) <= 0).all()
    assert np.abs(designed.machines).max() < 1e3


def test_a_code_to_start_from_gets_its_best_machines_first():
    X, y = problem(15, m=40, k=3)
    code = 2 * np.eye(3) - 1
    designed = joint_design(X, y, 3, 3, beta=0.5, map_beta=0.5, n_rounds=2, start=code, tol=1e-5)
    machines = fit_machines(X, y, code, 0.5, tol=1e-5)
    assert designed.objectives[0] == pytest.approx(machines.objective + 0.25 * (code**2).sum())
    assert (np.diff(designed.objectives) <= 0).all()
    assert designed.objectives[-1] < designed.objectives[0]
    np.testing.assert_array_equal(code, 2 * np.eye(3) - 1)
