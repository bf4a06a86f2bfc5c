"""Whose codewords the rows of a code are."""

import numpy as np
import pytest

from ecocviz.lab.codewords import asked_rows, part_names, rows_of, winning_classes
from ecocviz.lab.run import train
from ecocviz.lab.scenario import make_scenario

SPIRALS = ("spirals", {"n_samples": 150})


@pytest.mark.parametrize("reduction", ["ecoc", "continuous-code"])
def test_a_class_in_parts_has_a_row_each(reduction):
    shown = train(make_scenario(data=SPIRALS, coding="subclass-ecoc", reduction=reduction)).shown
    n_rows = shown.estimator.design_.code_matrix.shape[0]
    rows = rows_of(shown, n_rows)
    assert rows.size == n_rows > 3
    assert set(rows.tolist()) == {0, 1, 2}


def test_a_code_for_all_classes_has_a_row_for_each():
    shown = train(make_scenario(data=SPIRALS)).shown
    assert rows_of(shown, 3).tolist() == [0, 1, 2]


def test_parts_are_numbered_where_a_class_has_several():
    assert part_names(("a", "b"), np.array([1, 0, 1])) == ("b, part 1", "a", "b, part 2")


def test_a_point_is_compared_with_the_row_of_its_class_that_excuses_most():
    generator = np.random.default_rng(0)
    code = generator.integers(-1, 2, (7, 6)).astype(np.int8)
    rows, y = np.array([0, 0, 0, 1, 1, 3, 3]), generator.integers(0, 4, 50)
    scores = generator.normal(size=(50, 6))
    for i, found in enumerate(asked_rows(code, rows, y, scores)):
        wrong = {
            r: sum(1 for b in range(6) if code[r, b] and code[r, b] * scores[i, b] <= 0)
            for r in range(7)
            if rows[r] == y[i]
        }
        assert found == (min(wrong, key=wrong.get) if wrong else -1)


def test_the_best_row_of_a_class_decides_and_the_lowest_class_wins_a_tie():
    rows = np.array([2, 0, 2, 1])
    costs = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 1.0, 1.0, 1.0], [3.0, 2.0, 9.0, 2.0]])
    assert winning_classes(costs, rows).tolist() == [2, 0, 0]
