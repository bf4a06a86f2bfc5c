"""Quadratic mutual information, searches of splits, trees, and repairs of codes."""

import numpy as np
import oracles_codes
import oracles_learned as oracles
import pytest
from hearing import EndedError, ending, shares_to
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies_learned import clouds, labelled_points

from ecocviz.engine import partitions
from ecocviz.engine.partitions import (
    ClassSums,
    added_bits,
    apart,
    best_split,
    class_sums,
    column_name,
    grow_tree,
    information,
    median_distance,
    repair,
)


def random_sums(k, seed):
    """Class sums of random points: a legal table for any number of classes."""
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(k), rng.integers(k, size=2 * k)]
    X = rng.normal(size=(y.size, 2))
    return class_sums(X, y, np.arange(k))


# --- the criterion --------------------------------------------------------------------------------


@given(labelled_points(), st.data())
def test_information_is_its_definition_over_pairs_of_points(sample, data):
    X, y = sample
    k = int(y.max()) + 1
    inside = np.array(data.draw(st.lists(st.booleans(), min_size=k, max_size=k)))
    assume(inside.any() and not inside.all())
    table = class_sums(X, y, np.arange(k))
    width = median_distance(X)
    np.testing.assert_allclose(
        table.sums, oracles.sums_by_class(X.tolist(), y.tolist(), width), rtol=1e-9, atol=1e-12
    )
    expected = oracles.quadratic_information(X.tolist(), inside[y].tolist(), width)
    assert information(table, inside) == pytest.approx(expected, abs=1e-12)
    assert information(table, inside) == pytest.approx(information(table, ~inside), abs=1e-12)
    assert expected > -1e-12


@given(labelled_points())
def test_the_best_split_is_the_best_of_all_pairs_of_points(sample):
    X, y = sample
    k = int(y.max()) + 1
    width = median_distance(X)
    inside, value = best_split(class_sums(X, y, np.arange(k)))
    every = [
        oracles.quadratic_information(X.tolist(), np.isin(y, side).tolist(), width)
        for side in oracles.splits(list(range(k)))
    ]
    assert value == pytest.approx(max(every), abs=1e-12)
    assert not inside[0] and inside.any()


def test_members_are_the_only_points_that_count():
    X, y = clouds(5, 6)
    members = np.array([1, 3, 4])
    shown = np.isin(y, members)
    part = class_sums(X[shown], np.searchsorted(members, y[shown]), np.arange(3))
    whole = class_sums(X, y, members)
    np.testing.assert_allclose(whole.sums, part.sums)
    np.testing.assert_array_equal(whole.counts, part.counts)


def test_sums_of_many_points_are_estimated_with_the_classes_own_sizes(monkeypatch):
    X, y = clouds(3, 200, spread=0.8)
    keep = np.r_[:200, 200:300, 400:420]
    X, y = X[keep], y[keep]
    exact = class_sums(X, y, np.arange(3))
    monkeypatch.setattr(partitions, "MAX_POINTS", 120)
    estimate = class_sums(X, y, np.arange(3))
    np.testing.assert_array_equal(estimate.counts, exact.counts)
    np.testing.assert_allclose(estimate.sums, exact.sums, rtol=0.15)
    assert (estimate.sums != exact.sums).any()
    np.testing.assert_array_equal(class_sums(X, y, np.arange(3)).sums, estimate.sums)


def test_sums_come_in_blocks_and_end_where_told(monkeypatch):
    X, y = clouds(3, 20)
    whole = class_sums(X, y, np.arange(3))
    monkeypatch.setattr(partitions, "BLOCK", 7)
    shares = []
    np.testing.assert_array_equal(class_sums(X, y, np.arange(3), shares_to(shares.append)).sums, whole.sums)
    assert shares == pytest.approx([*(7 * n / 60 for n in range(1, 9)), 1])

    with pytest.raises(EndedError):
        class_sums(X, y, np.arange(3), ending(0.3))


@pytest.mark.parametrize(
    ("X", "expected"),
    [([[0.0], [2.0]], 2.0), ([[1.0], [1.0], [1.0]], 1.0), ([[5.0]], 1.0), ([[0.0], [1.0], [3.0]], 2.0)],
)
def test_the_window_is_the_median_distance_and_never_zero(X, expected):
    assert median_distance(np.array(X)) == pytest.approx(expected)


def test_the_median_of_many_points_is_taken_over_some():
    X = np.random.default_rng(0).normal(size=(3000, 2))
    assert median_distance(X) == pytest.approx(np.sqrt(4 * np.log(2)), rel=0.05)


# --- searches -------------------------------------------------------------------------------------


def test_many_classes_are_split_by_floating_selection():
    X, y = clouds(20, 4)
    table = class_sums(X, y, np.arange(20))
    inside, value = best_split(table)
    assert value == pytest.approx(information(table, inside)) and not inside[0]
    # Clouds on a circle: the best halves are arcs.
    assert np.count_nonzero(inside != np.roll(inside, 1)) == 2
    other, lower = best_split(table, [inside])
    assert lower <= value and (other != inside).any()


def test_a_set_of_classes_whose_splits_are_all_taken_has_none_left():
    table = random_sums(3, 0)
    taken = []
    values = []
    while (found := best_split(table, taken)) is not None:
        taken.append(found[0] if len(taken) % 2 else ~found[0])
        values.append(found[1])
    assert len(taken) == 3 and values == sorted(values, reverse=True)
    large = random_sums(partitions.EXACT_CLASSES + 1, 0)
    met = []
    while (found := best_split(large, met)) is not None:
        met.append(found[0])
    assert len(met) > 14


# --- trees ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth_first", [False, True])
def test_a_tree_parts_all_classes_and_knows_its_parents(depth_first):
    def choose(members, _progress):
        return np.arange(members.size) == members.size - 1, float(members.size), members.size != 2

    columns, steps = grow_tree(4, choose, 5, 2, depth_first=depth_first)
    assert [c.tolist() for c in columns] == [[-1, -1, -1, 1], [-1, -1, 1, 0]]
    assert [s.parent for s in steps] == [-1, 5, 6]
    assert [s.bits for s in steps] == [3, 4, 4]
    assert [s.plus for s in steps] == [(3,), (2,), (1,)]
    assert [s.label for s in steps] == [
        "Split 4 classes",
        "Split 3 classes",
        "A split that is a column already",
    ]


def test_trees_grow_level_by_level_or_one_side_first():
    def halves(members, _progress):
        return np.arange(members.size) < members.size // 2, 0.0, True

    _, level = grow_tree(8, halves)
    _, depth = grow_tree(8, halves, depth_first=True)
    assert [s.parent for s in level] == [-1, 0, 0, 1, 1, 2, 2]
    assert [s.parent for s in depth] == [-1, 0, 1, 1, 0, 4, 4]
    assert depth[1].plus == (0, 1)


# --- repairs --------------------------------------------------------------------------------------


@given(st.integers(2, 9), st.data())
def test_any_columns_are_mended_to_a_code_that_parts_all_classes(k, data):
    column = st.lists(st.sampled_from([-1, 0, 1]), min_size=k, max_size=k)
    columns = [np.array(c, np.int8) for c in data.draw(st.lists(column, min_size=1, max_size=6))]
    story = []
    matrix = repair(columns, story)
    rows = matrix.tolist()
    assert oracles_codes.smallest_row_distance(rows) >= 1
    assert not any(map(oracles_codes.is_one_sided, oracles_codes.columns(rows)))
    assert oracles_codes.twins(rows) == ([], [])
    names = {column_name(c) for c in columns if (c == 1).any() and (c == -1).any()}
    n_added = sum(step.label.startswith("Added") for step in story)
    assert matrix.shape[1] == len(names) + n_added and n_added <= added_bits(k)
    assert any(step.label.startswith("Left out") for step in story) == (len(names) < len(columns))
    assert apart(matrix).all()


def test_a_sound_code_stays_as_it_is_and_nothing_is_told():
    columns = [np.array([1, -1, 0], np.int8), np.array([0, -1, 1], np.int8), np.array([-1, 0, 1], np.int8)]
    story = []
    np.testing.assert_array_equal(repair(columns, story), np.stack(columns, axis=1))
    assert story == []


def test_columns_are_named_alike_with_their_complements():
    assert column_name(np.array([0, 1, -1], np.int8)) == column_name(np.array([0, -1, 1], np.int8))
    assert column_name(np.array([0, 1, -1], np.int8)) != column_name(np.array([1, 0, -1], np.int8))
    assert column_name(np.zeros(2, np.int8)) == b"\0\0"


def test_a_subset_of_sums_is_that_of_its_classes():
    table = random_sums(5, 0)
    part = table.subset(np.array([1, 4]))
    assert isinstance(part, ClassSums)
    assert part.sums[0, 1] == table.sums[1, 4] and part.counts.tolist() == table.counts[[1, 4]].tolist()
