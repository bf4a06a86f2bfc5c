"""Codes by integer programming, against every choice of columns and against what annealing finds."""

from itertools import combinations

import numpy as np
import oracles_codes as oracles
import pytest

from ecocviz.engine.catalogue import CODINGS, build_code
from ecocviz.engine.codings import integer_programming as module
from ecocviz.engine.codings.integer_programming import guarantee, solution
from ecocviz.engine.kernels.columns import dense_columns
from ecocviz.engine.kernels.row_distances import largest_distance, plotkin_distance

SMALL = [(3, 2), (4, 2), (4, 3), (4, 4), (4, 5), (5, 3), (5, 4), (5, 5), (5, 6), (5, 8), (6, 3), (6, 4)]


def measured(code_matrix):
    """Least row distance, and least number of classes that part two columns."""
    rows = oracles.smallest_row_distance(code_matrix)
    K = len(code_matrix)
    pairs = combinations(code_matrix.T, 2)
    apart = [min(int((u != v).sum()), K - int((u != v).sum())) for u, v in pairs]
    return rows, min(apart, default=K)


@pytest.mark.parametrize(("K", "L"), SMALL)
def test_no_choice_of_columns_is_better(K, L):
    columns = dense_columns(K)
    every = [measured(columns[:, list(choice)]) for choice in combinations(range(columns.shape[1]), L)]
    best = max(rows for rows, _ in every)
    found = solution(K, L)
    rows, apart = measured(found.code_matrix)
    assert rows == found.distance == found.bound == best
    spread = max(apart for rows, apart in every if rows == best)
    assert found.columns_proved and min(apart, 3) == min(spread, 3) == found.columns_apart


@pytest.mark.parametrize(("K", "L", "d"), [(10, 11, 6), (7, 10, 5), (8, 16, 8), (6, 26, 14), (9, 12, 6)])
def test_the_proved_distance_is_never_behind_annealing(K, L, d):
    found = solution(K, L)
    annealed = build_code("minimum-distance", K, n_bits=L)
    assert found.distance == found.bound == d >= oracles.smallest_row_distance(annealed)
    assert oracles.smallest_row_distance(found.code_matrix) == d
    assert oracles.twins(found.code_matrix.tolist()) == oracles.twins(annealed.tolist())


def test_it_finds_a_code_that_annealing_misses():
    assert oracles.smallest_row_distance(build_code("minimum-distance", 10, n_bits=11)) == 5
    assert oracles.smallest_row_distance(build_code("integer-programming", 10, n_bits=11)) == 6


@pytest.mark.parametrize("apart", [2, 3])
@pytest.mark.parametrize("K", [3, 4, 5, 6])
def test_sets_of_near_columns_are_near_and_hold_every_near_pair(K, apart):
    columns = dense_columns(K)
    sets = module._at_most_one(columns, apart)
    n = columns.shape[1]
    assert sets.shape[1] == n + 1 and not sets[:, n].any()
    together = {pair for row in sets[:, :n] for pair in combinations(np.flatnonzero(row), 2)}
    near = {
        (i, j)
        for i, j in combinations(range(n), 2)
        if oracles.column_distance(columns[:, i], columns[:, j]) < apart
    }
    assert together == near


def test_every_code_that_exists_keeps_plotkins_bound():
    for K in (3, 4, 5):
        columns = dense_columns(K)
        for L in range(1, 6):
            codes = combinations(range(columns.shape[1]), min(L, columns.shape[1]))
            best = max(oracles.smallest_row_distance(columns[:, list(code)]) for code in codes)
            assert best <= plotkin_distance(K, min(L, columns.shape[1])) <= largest_distance(K, L)


@pytest.mark.parametrize(
    ("K", "L", "most"), [(8, 7, 4), (16, 15, 8), (8, 16, 8), (12, 11, 6), (4, 6, 4), (2, 5, 5), (10, 13, 6)]
)
def test_plotkins_bound_has_its_known_values(K, L, most):
    assert plotkin_distance(K, L) == most


def test_the_guarantee_says_what_was_proved(monkeypatch):
    assert guarantee(5, 5).startswith("Proved: no code of 5 classes and 5 different machines")
    assert "differ in 3 classes or more" in guarantee(7, 7)
    assert guarantee(2) == "Two classes take one machine."
    assert CODINGS["integer-programming"].guarantee is guarantee
    # A solver that gives up proves nothing, and what it has found is still a code.
    monkeypatch.setattr(module, "_choose", lambda *_, **__: (None, False))
    module.solution.cache_clear()
    found = module.solution(10, 11)
    assert oracles.smallest_row_distance(found.code_matrix) == found.distance == 5 and found.bound == 6
    assert guarantee(10, 11).startswith("Not proved: this code has row distance 5")
    module.solution.cache_clear()


def test_what_is_kept_is_not_handed_out():
    first = build_code("integer-programming", 5, n_bits=5)
    first[:] = 0
    assert build_code("integer-programming", 5, n_bits=5).any()
