"""DECOC: every split is the best there is, and the library's variant is what it is said to be."""

import importlib

import numpy as np
import oracles_learned as oracles
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies_learned import clouds, labelled_points, no_training

from ecocviz.engine.codings.decoc import decoc, separation
from ecocviz.engine.partitions import median_distance

module = importlib.import_module("ecocviz.engine.codings.decoc")


@given(labelled_points(max_classes=5, max_points=12))
def test_every_split_is_the_most_informative_of_all(sample):
    X, y = sample
    k = int(y.max()) + 1
    assume(k > 2)
    design = decoc(X, y, no_training)
    assert design.code_matrix.shape == (k, k - 1) and design.kind == "tree"
    for b, step in enumerate(design.story):
        members = sorted(step.plus + step.minus)
        shown = np.isin(y, members)
        width = median_distance(X[shown])
        points, classes = X[shown].tolist(), y[shown]
        values = [
            oracles.quadratic_information(points, np.isin(classes, side).tolist(), width)
            for side in oracles.splits(members)
        ]
        assert step.value == pytest.approx(max(values), abs=1e-9)
        column = design.code_matrix[:, b]
        assert set(np.flatnonzero(column == 1)) == set(step.plus)
        assert set(np.flatnonzero(column == -1)) == set(step.minus)
        if step.parent >= 0:
            parent = design.story[step.parent]
            assert members in (sorted(parent.plus), sorted(parent.minus))
        assert step.bits == b + 1


def test_classes_are_parted_by_their_distance():
    X, y = clouds(2, 20)
    X = np.concatenate([X, X + np.array([20, 0])])
    y = np.r_[y, y + 2]
    design = decoc(X, y, no_training)
    assert {design.story[0].plus, design.story[0].minus} == {(0, 1), (2, 3)}


@given(
    st.lists(st.tuples(*[st.floats(0, 1)] * 2), min_size=2, max_size=12),
    st.data(),
)
def test_the_separation_of_histograms(points, data):
    sides = data.draw(st.lists(st.booleans(), min_size=len(points), max_size=len(points)))
    assume(any(sides) and not all(sides))
    # Away from the edges of bins, where rounding decides.
    assume(all(abs(10 * value % 1 - 0.5) > 1e-6 for point in points for value in point))
    expected = oracles.separation(points, sides)
    assert separation(np.array(points), np.array(sides)) == pytest.approx(expected)


@pytest.fixture
def scripted(monkeypatch):
    """Let the separation take given values, one a call."""

    def script(values):
        left = iter(values)
        monkeypatch.setattr(module, "separation", lambda _X, _side: next(left))

    return script


def first_split(criterion, scripted, values):
    X, y = clouds(6, 3)
    scripted([*values, *[0.0] * 100])
    return decoc(X, y, no_training, criterion).story[0]


def test_the_separation_rises_and_every_move_is_compared_with_the_last_that_was_kept(scripted):
    """A peer compares with the start for ever, and minimises what it calls a distance."""
    step = first_split("separation", scripted, [1.0, 3.0, 2.0, 2.5, 0.5, 1.5])
    assert step.value == 3.0


def test_the_librarys_variant_lowers_it_and_compares_with_the_start(scripted):
    step = first_split("library", scripted, [1.0, 0.5, 0.8, 1.2, 2.0, 0.9])
    assert step.value == 0.9


def test_without_moves_the_heuristics_cut_the_classes_in_label_order(scripted):
    for criterion in ("separation", "library"):
        step = first_split(criterion, scripted, [1.0] * 6)
        assert step.plus == (0, 1, 2) and step.minus == (3, 4, 5)


@pytest.mark.parametrize("criterion", ["separation", "library"])
@pytest.mark.parametrize("seed", range(5))
def test_the_heuristics_make_trees_too(criterion, seed):
    X, y = clouds(9, 5, seed=seed)
    X = np.column_stack([X, np.ones(y.size)])  # a constant feature separates nothing
    design = decoc(X, y, no_training, criterion, seed=seed)
    assert design.code_matrix.shape == (9, 8)
    assert design.value_name == "Separation"
    again = decoc(X, y, no_training, criterion, seed=seed)
    np.testing.assert_array_equal(design.code_matrix, again.code_matrix)
    assert len({column.tobytes() for column in design.code_matrix.T}) == 8


def test_the_heuristics_move_classes():
    X, y = clouds(10, 5)
    roots = {decoc(X, y, no_training, "separation", seed=seed).story[0].plus for seed in range(8)}
    assert len(roots) > 1
