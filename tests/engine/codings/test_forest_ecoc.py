"""Forest-ECOC: no column twice, not even at the root of a tree, and the first tree is DECOC's."""

import numpy as np
import oracles_learned as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_learned import clouds, labelled_points, no_training

from ecocviz.engine.codings.decoc import decoc
from ecocviz.engine.codings.forest_ecoc import forest_ecoc
from ecocviz.engine.partitions import column_name, median_distance


@given(labelled_points(), st.integers(1, 6))
def test_no_column_is_there_twice(sample, n_trees):
    """A peer checks moves only, so that the split a tree starts from may repeat a column."""
    X, y = sample
    k = int(y.max()) + 1
    design = forest_ecoc(X, y, no_training, n_trees)
    names = [column_name(column) for column in design.code_matrix.T]
    assert len(set(names)) == len(names) <= max(1, n_trees * (k - 1))


@given(labelled_points())
def test_the_first_tree_is_the_discriminant_tree(sample):
    X, y = sample
    k = int(y.max()) + 1
    tree = decoc(X, y, no_training)
    forest = forest_ecoc(X, y, no_training, 2)
    np.testing.assert_array_equal(forest.code_matrix[:, : k - 1], tree.code_matrix)
    assert forest.story[0].plus == tree.story[0].plus


def test_later_trees_start_from_the_next_best_split():
    X, y = clouds(5, 4)
    width = median_distance(X)
    values = sorted(
        (
            oracles.quadratic_information(X.tolist(), np.isin(y, side).tolist(), width)
            for side in oracles.splits(list(range(5)))
        ),
        reverse=True,
    )
    roots = [step for step in forest_ecoc(X, y, no_training, 4).story if step.parent == -1]
    assert [root.value for root in roots] == pytest.approx(values[:4])


def test_three_classes_have_six_columns_and_then_no_more():
    X, y = clouds(3, 5)
    assert forest_ecoc(X, y, no_training, 3).code_matrix.shape == (3, 6)
    design = forest_ecoc(X, y, no_training, 5)
    assert design.code_matrix.shape == (3, 6)
    assert [step.label for step in design.story[6:]] == ["A split that is a column already"] * 4
    assert [step.bits for step in design.story[5:]] == [6] * 5
    assert [step.parent for step in design.story] == [-1, 0, -1, 2, -1, 4, -1, 6, -1, 8]


def test_many_classes():
    X, y = clouds(20, 4)
    design = forest_ecoc(X, y, no_training, 3)
    assert design.code_matrix.shape[0] == 20 and 40 <= design.code_matrix.shape[1] <= 57
