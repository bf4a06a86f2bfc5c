"""Whose codewords the rows of a code are."""

import numpy as np
import pytest

from ecocviz.lab.codewords import part_names, rows_of
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
