"""Nested dichotomies are trees: their law, their balance, and what a column means."""

from collections import Counter
from itertools import combinations

import numpy as np
import oracles_codes as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.codings.balanced_nested_dichotomies import balanced_nested_dichotomies
from ecocviz.engine.codings.nested_dichotomies import CODING, nested_dichotomies

BUILDERS = [nested_dichotomies, balanced_nested_dichotomies]


def sides(column):
    return (
        frozenset(c for c, entry in enumerate(column) if entry == 1),
        frozenset(c for c, entry in enumerate(column) if entry == -1),
    )


@pytest.mark.parametrize("build", BUILDERS)
@given(n_classes=st.integers(3, 20), seed=st.integers(0, 999))
def test_one_tree_splits_every_group_of_classes_down_to_single_ones(build, n_classes, seed):
    columns = oracles.columns(build(n_classes, seed=seed).tolist())
    assert len(columns) == n_classes - 1
    groups = {frozenset(range(n_classes))}
    for column in columns:  # a node comes before the nodes below it
        plus, minus = sides(column)
        assert plus and minus and min(plus) < min(minus)
        groups.remove(plus | minus)
        groups.update(side for side in (plus, minus) if len(side) > 1)
        if build is balanced_nested_dichotomies:
            assert abs(len(plus) - len(minus)) <= 1
    assert not groups


@pytest.mark.parametrize("build", BUILDERS)
@pytest.mark.parametrize("n_classes", [3, 6, 11])
def test_every_two_classes_are_opposed_once_in_each_tree(build, n_classes):
    for a, b in combinations(build(n_classes, seed=4).tolist(), 2):
        assert oracles.row_distance(a, b) == 1


@pytest.mark.parametrize("build", BUILDERS)
@pytest.mark.parametrize(("n_classes", "n_trees"), [(3, 20), (4, 20), (6, 8), (9, 5)])
def test_trees_never_share_a_column(build, n_classes, n_trees):
    # The first split of a later tree may well be an earlier one's: it is not repeated.
    code_matrix = build(n_classes, n_trees, seed=2)
    columns = oracles.columns(code_matrix.tolist())
    assert oracles.twins(code_matrix.tolist()) == ([], [])
    assert n_classes - 1 <= len(columns) <= CODING.n_bits(n_classes, n_trees)
    assert oracles.columns(build(n_classes, 1, seed=2).tolist()) == columns[: n_classes - 1]


def test_more_trees_repair_more():
    one, many = (
        oracles.smallest_row_distance(nested_dichotomies(8, n_trees, seed=0).tolist()) for n_trees in (1, 20)
    )
    assert one == 1 and many >= 5


def test_all_fifteen_trees_of_four_classes_are_equally_likely():
    n_draws = 3_000
    rng = np.random.default_rng(0)
    drawn = Counter(
        frozenset(oracles.columns(nested_dichotomies(4, seed=int(seed)).tolist()))
        for seed in rng.integers(2**31, size=n_draws)
    )
    assert len(drawn) == 15
    expected = n_draws / 15
    chi_square = sum((count - expected) ** 2 / expected for count in drawn.values())
    assert chi_square < 36.1  # the 0.999 quantile of 14 degrees of freedom


def test_balanced_trees_are_shallow():
    code_matrix = balanced_nested_dichotomies(16, seed=1)
    assert (np.abs(code_matrix).sum(axis=1) == 4).all()
