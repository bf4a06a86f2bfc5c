"""Sub-class ECOC: classes are divided where a machine fails, and only there."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from strategies_learned import clouds, trainer

from ecocviz import ECOCClassifier, KernelMachine
from ecocviz.engine.codings.decoc import decoc
from ecocviz.engine.codings.subclass_ecoc import subclass_ecoc, two_means
from ecocviz.engine.entries import check_code_matrix

LINEAR = trainer(kernel="linear", C=10.0)


def four_corners(n_points=15, seed=0):
    """Two classes on opposite corners: no line parts them."""
    X, corner = clouds(4, n_points, spread=0.2, seed=seed)
    return X, corner % 2


def assert_consistent(design, y):
    n_rows = design.code_matrix.shape[0]
    check_code_matrix(design.code_matrix, n_rows)
    assert (design.row_classes is None) == (design.sample_rows is None)
    if design.row_classes is None:
        assert n_rows == y.max() + 1
        return
    assert design.row_classes.shape == (n_rows,) and (np.diff(design.row_classes) >= 0).all()
    np.testing.assert_array_equal(design.row_classes[design.sample_rows], y)
    assert np.unique(design.sample_rows).size == n_rows
    for b, step in enumerate(design.story):
        assert set(np.flatnonzero(design.code_matrix[:, b] == 1)) == set(step.plus)
        assert set(np.flatnonzero(design.code_matrix[:, b] == -1)) == set(step.minus)


def test_corners_are_parted_by_lines_once_the_classes_are_divided():
    X, y = four_corners()
    design = subclass_ecoc(X, y, LINEAR)
    assert_consistent(design, y)
    # One divided class is enough: a line cuts off one corner, another its opposite.
    assert design.row_classes.tolist() in ([0, 1, 1], [0, 0, 1])
    assert "a new sub-class lowers the error from" in design.story[0].label
    assert design.story[0].value == 0
    plain = ECOCClassifier("decoc", decoding="hamming", machine=KernelMachine("linear", C=10.0)).fit(X, y)
    divided = ECOCClassifier("subclass-ecoc", decoding="hamming", machine=KernelMachine("linear", C=10.0))
    assert divided.fit(X, y).score(X, y) == 1
    assert plain.score(X, y) < 0.9


def test_where_machines_serve_the_code_is_the_discriminant_tree():
    X, y = clouds(6, 10, spread=0.2)
    design = subclass_ecoc(X, y, trainer())
    assert_consistent(design, y)
    np.testing.assert_array_equal(design.code_matrix, decoc(X, y, None).code_matrix)
    assert design.row_classes is None


@pytest.mark.parametrize("max_splits", [0, 1, 2, 5])
def test_no_more_sub_classes_than_allowed(max_splits):
    X, y = clouds(12, 10, spread=0.2)
    y = y % 3
    design = subclass_ecoc(X, y, LINEAR, max_splits)
    assert_consistent(design, y)
    assert 3 <= design.code_matrix.shape[0] <= 3 + max_splits
    assert design.code_matrix.shape[1] <= 3 + max_splits - 1
    if max_splits == 5:
        assert design.code_matrix.shape[0] > 4


@pytest.mark.parametrize(
    "params",
    [{"max_error": 0.5}, {"min_points": 16}, {"max_splits": 0}],
)
def test_thresholds_keep_classes_whole(params):
    X, y = four_corners()
    design = subclass_ecoc(X, y, LINEAR, **params)
    assert design.row_classes is None and design.code_matrix.tolist() == [[-1], [1]]


def test_divisions_that_do_not_lower_the_error_enough_are_dropped():
    X, corner = clouds(4, 15, spread=1.5)
    assert subclass_ecoc(X, corner % 2, LINEAR, improvement=0.05).row_classes is not None
    assert subclass_ecoc(X, corner % 2, LINEAR, improvement=1.0).row_classes is None


def test_a_side_with_few_points_is_not_mended():
    X, y = four_corners()
    X, y = np.concatenate([X[y == 0], X[y == 1][:4]]), np.r_[np.zeros(30, int), np.ones(4, int)]
    assert subclass_ecoc(X, y, trainer(DummyClassifier()), min_points=5).row_classes is None


def test_dividing_does_not_help_a_machine_that_cannot_learn():
    X, y = four_corners()
    design = subclass_ecoc(X, y, trainer(DummyClassifier(strategy="prior")))
    assert design.row_classes is None and design.story[0].value == 0.5


def test_later_divisions_take_over_the_entries_of_earlier_columns():
    """Two corners classes far from a third: the root is easy, the node below is divided."""
    X, y = four_corners()
    X, y = np.concatenate([X, clouds(1, 15)[0] + 40]), np.r_[y, np.full(15, 2)]
    design = subclass_ecoc(X, y, LINEAR)
    assert_consistent(design, y)
    assert design.row_classes.tolist() in ([0, 0, 1, 2], [0, 1, 1, 2])
    root = design.code_matrix[:, 0]
    assert len(set(root[:3].tolist())) == 1 and root[3] == -root[0]
    assert "new sub-class" in design.story[1].label and design.story[1].parent == 0


def test_groups_of_a_class_that_end_alike_are_one_row():
    for seed in range(6):
        X, y = clouds(12, 8, spread=0.9, seed=seed)
        design = subclass_ecoc(X, y % 3, LINEAR, seed=seed, improvement=0.05)
        assert_consistent(design, y % 3)
        rows = [row.tobytes() for row in design.code_matrix]
        assert len(set(rows)) == len(rows)


# --- two-means ------------------------------------------------------------------------------------


def test_two_means_finds_two_clouds():
    X, y = clouds(2, 10)
    second = two_means(X, np.random.default_rng(0))
    assert (second == y).all() or (second != y).all()


@pytest.mark.parametrize("X", [np.zeros((5, 2)), np.zeros((1, 3)), np.zeros((0, 1))])
def test_points_that_cannot_be_divided_stay_together(X):
    assert not two_means(X, np.random.default_rng(0)).any()


@pytest.mark.parametrize("seed", range(5))
def test_two_means_is_a_division_by_the_nearer_mean(seed):
    X = np.random.default_rng(seed).normal(size=(40, 3))
    second = two_means(X, np.random.default_rng(seed))
    means = np.stack([X[~second].mean(axis=0), X[second].mean(axis=0)])
    nearer = ((X[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(nearer.astype(bool), second)
