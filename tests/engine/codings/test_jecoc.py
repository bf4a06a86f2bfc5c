"""JECOC: both steps are exact and lower one objective."""

from itertools import pairwise

import numpy as np
import oracles_codes
import oracles_learned as oracles
import pytest
from strategies_learned import clouds, no_training

from ecocviz.engine.codings.jecoc import MAX_POINTS, JointProgramme, _picks, _programme, _rounded, jecoc


def problem(k=4, n_bits=5, seed=0, separation=0.1, spread=1.0):
    """A programme over a random ternary code."""
    rng = np.random.default_rng(seed)
    X, y = clouds(k, 8, spread=spread, seed=seed)
    return _programme(X, y, rng.choice([-1, 0, 1], size=(k, n_bits)), 1.0, separation)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("separation", [0.0, 0.1, 1.0])
def test_both_steps_lower_the_objective_of_the_definition(seed, separation):
    programme = problem(seed=seed, separation=separation)
    programme.train()
    before = programme.objective()
    for _ in range(4):
        signs = programme.code[programme.y]
        expected = oracles.joint_objective(
            programme.gram.tolist(),
            programme.alphas.tolist(),
            signs.tolist(),
            programme.y.tolist(),
            programme.code.tolist(),
            programme.C,
            programme.B,
        )
        assert programme.objective() == pytest.approx(expected, rel=1e-9)
        assert programme.recode() >= 1
        between = programme.objective()
        assert between <= before + 1e-9 * abs(before)
        programme.train()
        after = programme.objective()
        assert after <= between + 1e-4 * abs(between)  # machines are solved to that share
        before = after


def test_columns_that_lost_a_sign_get_it_back_from_the_class_that_leans_there():
    programme = problem(k=3, n_bits=3)
    programme.scores = np.repeat([[0.5, 2.0, 0.1], [0.2, -1.0, 0.3], [-0.1, 3.0, 0.2]], 8, axis=0)
    programme.code = np.array([[1.0, 0.04, 0.9], [0.5, -1.0, -0.9], [1.0, -0.5, 1.0]])
    assert programme.guard() == 2
    np.testing.assert_array_equal(_rounded(programme.code), [[1, 0, 1], [1, -1, -1], [-1, 1, 1]])
    programme.code = np.zeros((3, 3))
    assert programme.guard() == 6
    assert all(not oracles_codes.is_one_sided(column) for column in _rounded(programme.code).T.tolist())


def test_entries_near_zero_are_zero():
    assert _rounded(np.array([[0.09, -0.09, 0.11, -1.0]])).tolist() == [[0, 0, 1, -1]]


# --- the coding -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_the_story_falls_unless_it_says_why(seed):
    X, y = clouds(6, 10, spread=0.8, seed=seed)
    design = jecoc(X, y, no_training, seed=seed)
    rounds = [step for step in design.story if step.table is not None]
    assert rounds[0].label == "Machines for a sparse random code"
    for before, after in pairwise(rounds):
        if "restored" not in after.label:
            assert after.value <= before.value + 1e-3 * abs(before.value)
    assert len(rounds) > 1


def test_the_code_is_fitted_to_the_data():
    """Without separation a class that is on neither side leaves the machine or takes its side."""
    X, y = clouds(6, 12, spread=0.2)
    design = jecoc(X, y, no_training, separation=1.0)
    first, last = design.story[0].table, [s for s in design.story if s.table is not None][-1].table
    assert (np.sign(first) != np.sign(last)).any()
    assert (np.abs(last) > 0.1).mean() > (np.abs(first) > 0.1).mean()


def test_many_points_are_thinned_with_every_class_kept():
    y = np.r_[np.zeros(3 * MAX_POINTS, int), np.ones(2 * MAX_POINTS, int), 2, 3]
    picks = _picks(y, np.random.default_rng(0))
    assert (np.diff(y[picks]) >= 0).all() and np.unique(picks).size == picks.size
    assert np.bincount(y[picks]).tolist() == [600, 400, 1, 1]
    assert sorted(_picks(y[-5:] - 1, np.random.default_rng(0)).tolist()) == [0, 1, 2, 3, 4]


def test_the_programme_starts_without_machines():
    programme = problem(k=3, n_bits=2)
    assert isinstance(programme, JointProgramme)
    assert not programme.alphas.any() and programme.half_norm == 0
    assert programme.objective() == pytest.approx(
        programme.C * 2 * 24 - programme.B * oracles.separation_energy(programme.code.tolist())
    )
