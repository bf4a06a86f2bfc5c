"""Sums of potentials, the values of all splits, and floating selection."""

import numpy as np
import pytest
from hypothesis import given
from strategies_learned import labelled_points, plain

from ecocviz.engine.kernels.partitions import add_potentials, floating_search, split_values
from ecocviz.engine.partitions import class_sums, information


def random_sums(k, seed):
    """Class sums of random points: a legal table for any number of classes."""
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(k), rng.integers(k, size=2 * k)]
    X = rng.normal(size=(y.size, 2))
    return class_sums(X, y, np.arange(k))


@given(labelled_points())
def test_the_value_of_every_split_is_its_information(sample):
    X, y = sample
    k = int(y.max()) + 1
    table = class_sums(X, y, np.arange(k))
    values = split_values(table.sums, table.counts)
    np.testing.assert_allclose(plain(split_values)(table.sums, table.counts), values, atol=1e-14)
    for number in range(values.size):
        inside = np.array([False] + [bool((number + 1) >> c & 1) for c in range(k - 1)])
        assert values[number] == pytest.approx(information(table, inside), abs=1e-12)


def test_potentials_reach_from_one_to_zero():
    sums = np.zeros((2, 2))
    for i in range(3):
        add_potentials(np.array([[0.0], [0.0], [1e9]]), np.array([0, 0, 1]), 1.0, sums, i, i + 1)
    np.testing.assert_allclose(sums, [[4, 0], [0, 1]], atol=1e-300)


@pytest.mark.parametrize("k", [2, 3, 4, 6, 9])
@pytest.mark.parametrize("seed", range(4))
def test_floating_selection_finds_splits_nearly_as_good_as_all(k, seed):
    table = random_sums(k, seed)
    none = np.zeros((0, k), dtype=bool)
    inside, value = floating_search(table.sums, table.counts, none)
    assert value == pytest.approx(information(table, inside), abs=1e-12)
    best = split_values(table.sums, table.counts).max()
    assert best + 1e-12 >= value >= 0.9 * best
    again = plain(floating_search)(table.sums, table.counts, none)
    np.testing.assert_array_equal(inside, again[0])


@pytest.mark.parametrize("k", [3, 5, 8])
def test_floating_selection_leaves_taken_splits_and_their_complements_alone(k):
    table = random_sums(k, 1)
    taken = []
    while len(taken) < 3:
        side, value = floating_search(
            table.sums, table.counts, np.array(taken, dtype=bool).reshape(len(taken), k)
        )
        if not side.any():
            assert value == -np.inf
            break
        assert all((side != other).any() and (side == other).any() for other in taken)
        taken.append(~side if len(taken) == 1 else side)
    assert len(taken) >= (3 if k > 3 else 2)
