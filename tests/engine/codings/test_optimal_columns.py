"""Optimal columns: each column is the best for its machine, given machines or trained ones."""

from itertools import pairwise, product

import numpy as np
import oracles_learned as oracles
import pytest
from strategies_learned import clouds, trainer

from ecocviz.engine.codings.optimal_columns import _start, optimal_columns
from ecocviz.engine.discrete import tie_aware_error


class Given:
    """Machines that answer what they were told to, whatever they are trained on."""

    def __init__(self, answers):
        self.answers = answers  # (n_samples, n_machines)
        self.asked = []

    def __call__(self, _X, targets, _progress):
        self.asked.append(targets)
        return self

    def held_out_scores(self, _fold_ids, _progress):
        return self.answers[:, [(len(self.asked) - 1) % self.answers.shape[1]]]


@pytest.mark.parametrize("seed", range(5))
def test_each_column_is_the_best_for_a_given_machine(seed):
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(4), rng.integers(4, size=20)]
    answers = rng.choice([-1.0, 1.0], size=(24, 3))
    design = optimal_columns(np.zeros((24, 1)), y, Given(answers), 3, 0, seed=seed)
    bits, columns = [], []
    for b in range(3):
        bits.append(answers[:, b].astype(int).tolist())
        column = design.code_matrix[:, b].tolist()
        every = oracles.best_column(list(zip(*bits, strict=True)), y.tolist(), columns, 4)
        columns.append(column)
        code = [list(row) for row in zip(*columns, strict=True)]
        reached = oracles.hits(list(zip(*bits, strict=True)), y.tolist(), code)
        assert design.story[b].value == pytest.approx(1 - float(reached) / 24)
        # Only columns that are taken may be better.
        assert reached == every or _best_new(bits, y, columns[:-1]) == reached


def _best_new(bits, y, columns):
    """The most hits over columns that are not there yet, nor their complements."""
    best = -1
    for column in product((-1, 1), repeat=4):
        flipped = tuple(-entry for entry in column)
        if len(set(column)) == 2 and not {column, flipped} & {tuple(c) for c in columns}:
            code = [[*(c[r] for c in columns), column[r]] for r in range(4)]
            best = max(best, oracles.hits(list(zip(*bits, strict=True)), y.tolist(), code))
    return best


def test_columns_change_until_they_suit_their_machine():
    """The machine always says + for classes 0 and 2: the column follows at once and stays."""
    y = np.repeat(np.arange(4), 6)
    answers = np.where(np.isin(y, [0, 2]), 1.0, -1.0)[:, None]
    machines = Given(answers)
    design = optimal_columns(np.zeros((24, 1)), y, machines, 1, 5)
    assert design.code_matrix[:, 0].tolist() == [1, -1, 1, -1]
    assert [targets[::6, 0].tolist() for targets in machines.asked][-1] == [1, -1, 1, -1]
    assert len(machines.asked) <= 2
    assert design.code_matrix.shape[1] == 2
    assert design.story[-1].label.startswith("Added to part classes")


def test_the_error_of_the_code_falls_with_good_machines():
    X, y = clouds(5, 12)
    design = optimal_columns(X, y, trainer(), 8)
    values = [step.value for step in design.story]
    assert values[-1] < 0.1 < values[0]
    assert all(later <= earlier + 0.1 for earlier, later in pairwise(values))
    assert set(np.unique(design.code_matrix)) == {-1, 1}


def test_first_columns_need_not_stay_as_they_were_drawn():
    X, y = clouds(6, 10, spread=1.5)
    labels = [
        step.label
        for seed in range(3)
        for step in optimal_columns(X, y, trainer(kernel="linear"), 6, 3, seed=seed).story
    ]
    assert any("changed" in label for label in labels)
    assert any("changed" not in label for label in labels)


def test_starts_are_new_and_part_the_closest_rows():
    rng = np.random.default_rng(0)
    there = [np.array([1, 1, -1, -1], np.int8)]
    for _ in range(10):
        column = _start(4, there, rng)
        assert column.sum() == 0 and column[0] == -column[1] and column[2] == -column[3]
    halves = [np.array(c, np.int8) for c in ([1, 1, -1, -1], [1, -1, 1, -1], [1, -1, -1, 1])]
    column = _start(4, halves, rng)
    assert abs(int(column.sum())) == 2


def test_many_classes():
    X, y = clouds(14, 4)
    design = optimal_columns(X, y, trainer(), 6, 1)
    assert design.code_matrix.shape[0] == 14
    assert tie_aware_error(design.code_matrix[y], y, design.code_matrix) == 0
