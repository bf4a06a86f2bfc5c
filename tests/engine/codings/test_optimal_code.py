"""The redesigned code: best for given machines, and kept only where its own machines err less."""

import numpy as np
import oracles_learned as oracles
import pytest
from strategies_learned import clouds, trainer

from ecocviz.engine.codings.optimal_code import _feasible, _without_twins, optimal_code
from ecocviz.engine.discrete import tie_aware_error


class Scripted:
    """Machines whose bits are the code's own with given entries turned, one pattern a training."""

    def __init__(self, *flips):
        self.flips = flips
        self.asked = []

    def __call__(self, _X, targets, _progress):
        self.asked.append(targets)
        return self

    def held_out_scores(self, _fold_ids, _progress=None):
        share = self.flips[min(len(self.asked), len(self.flips)) - 1]
        scores = self.asked[-1].astype(float)
        wrong = np.arange(scores.shape[0]) < round(share * scores.shape[0])
        scores[wrong] *= -1
        return scores


def test_perfect_machines_leave_the_code_alone():
    y = np.repeat(np.arange(4), 5)
    machines = Scripted(0.0)
    design = optimal_code(np.zeros((20, 1)), y, machines, 3)
    assert len(machines.asked) == 1
    assert [step.value for step in design.story] == [0.0, 0.0]
    assert design.story[-1].label == "The code is the best for its machines"


def test_the_code_whose_machines_err_least_is_kept():
    rng = np.random.default_rng(0)
    y = rng.permutation(np.repeat(np.arange(4), 6))
    machines = Scripted(0.5, 0.05, 0.4, 0.3)
    design = optimal_code(np.zeros((24, 1)), y, machines, 4, rounds=3)
    rounds = [step for step in design.story if step.table is not None]
    best = min(rounds, key=lambda step: step.value)
    np.testing.assert_array_equal(design.code_matrix, best.table)
    assert best is not rounds[0]
    for step, targets in zip(rounds, machines.asked, strict=True):
        np.testing.assert_array_equal(step.table[y], targets)


@pytest.mark.parametrize("method", ["exhaustive", "branch-and-bound", "auto"])
def test_a_redesign_is_the_best_code_for_the_machines(method):
    rng = np.random.default_rng(1)
    y = np.r_[np.arange(3), rng.integers(3, size=15)]
    machines = Scripted(0.4)
    design = optimal_code(np.zeros((18, 1)), y, machines, 3, method, 1, seed=2)
    first = design.story[0].table
    machines.asked = [machines.asked[0]]
    bits = machines.held_out_scores(None).astype(int)
    best = oracles.best_code(bits.tolist(), y.tolist(), 3, 3)
    assert design.story[0].value == pytest.approx(
        1 - float(oracles.hits(bits.tolist(), y.tolist(), first.astype(int).tolist())) / 18
    )
    assert 1 - float(best) / 18 <= design.story[0].value


def test_no_redesign_is_the_random_code():
    X, y = clouds(5, 8)
    design = optimal_code(X, y, trainer(), 7, rounds=0)
    assert len(design.story) == 1 and design.code_matrix.shape == (5, 7)
    np.testing.assert_array_equal(design.code_matrix, design.story[0].table)


def test_columns_that_would_repeat_another_stay_as_they_were():
    before = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1]], np.int8)
    after = np.array([[1, -1, 1], [1, -1, -1], [-1, 1, -1]], np.int8)
    kept = np.stack(_without_twins(after, before), axis=1)
    assert kept.tolist() == [[1, 1, 1], [1, -1, -1], [-1, 1, -1]]
    # The column's old form is taken by another: it goes.
    after = np.array([[1, 1, 1], [-1, -1, -1], [1, 1, -1]], np.int8)
    assert np.stack(_without_twins(after, before), axis=1).shape == (3, 2)


def test_the_length_never_grows_from_round_to_round():
    X, y = clouds(7, 8, spread=2.0)
    for seed in range(4):
        design = optimal_code(X, y, trainer(kernel="linear"), 3, rounds=6, seed=seed)
        assert design.code_matrix.shape[1] <= 3 + 3
        assert tie_aware_error(design.code_matrix[y], y, design.code_matrix) == 0


def test_methods_that_cannot_give_way():
    small, large = np.zeros((4, 5), np.int8), np.zeros((5, 9), np.int8)
    assert [_feasible(m, small) for m in ("exhaustive", "branch-and-bound", "local")] == [
        "exhaustive",
        "branch-and-bound",
        "local",
    ]
    assert [_feasible(m, large) for m in ("exhaustive", "branch-and-bound", "local")] == [
        "auto",
        "auto",
        "local",
    ]
