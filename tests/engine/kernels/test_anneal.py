"""Simulated annealing of a code, against one that measures the whole code at every move."""

import numpy as np
import oracles_codes as oracles
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.codings.dense_random import dense_random
from ecocviz.engine.kernels.anneal import anneal
from ecocviz.engine.kernels.columns import usable_columns


def distances(code_matrix):
    rows = code_matrix.tolist()
    return oracles.smallest_row_distance(rows), oracles.mean_row_distance(rows)


@given(strategies.code_matrices(min_classes=3, ternary=False), st.integers(0, 99))
def test_annealing_keeps_a_legal_code_legal_and_never_makes_it_worse(code_matrix, seed):
    code_matrix = np.ascontiguousarray(code_matrix[:, usable_columns(code_matrix)])
    before = code_matrix.copy()
    rng = np.random.default_rng(seed)
    cells = rng.integers(code_matrix.size, size=60)
    result = anneal(code_matrix, cells, rng.random(60), 1.0, 0.01)
    np.testing.assert_array_equal(code_matrix, before)
    assert result.dtype == np.int8 and result.shape == code_matrix.shape
    assert set(np.unique(result)) <= {-1, 1}
    assert oracles.twins(result.tolist()) == ([], [])
    assert not any(oracles.is_one_sided(column) for column in oracles.columns(result.tolist()))
    assert distances(result) >= distances(code_matrix)


@pytest.mark.parametrize(
    ("n_classes", "n_bits", "seed"), [(4, 3, 0), (5, 5, 1), (6, 7, 2), (5, 8, 3), (7, 6, 4)]
)
@pytest.mark.parametrize(("hot", "cold"), [(1.0, 0.01), (20.0, 5.0)])
def test_annealing_follows_its_description(n_classes, n_bits, seed, hot, cold):
    start = dense_random(n_classes, n_bits, trials=1, seed=seed)
    rng = np.random.default_rng(seed)
    cells, chances = rng.integers(start.size, size=120), rng.random(120)
    expected = oracles.annealed(start.tolist(), cells, chances, hot, cold)
    assert anneal(start, cells, chances, hot, cold).tolist() == expected


def test_annealing_from_a_code_with_equal_rows_tells_them_apart():
    code_matrix = np.array([[1, 1, 1], [1, 1, -1], [-1, 1, 1], [-1, -1, 1], [-1, -1, 1]], dtype=np.int8)
    rng = np.random.default_rng(0)
    result = anneal(code_matrix, rng.integers(15, size=400), rng.random(400), 1.0, 0.01)
    assert oracles.smallest_row_distance(result.tolist()) == 1


def test_no_moves_change_nothing():
    code_matrix = dense_random(5, 6)
    none = np.zeros(0, dtype=np.int64)
    np.testing.assert_array_equal(anneal(code_matrix, none, np.zeros(0), 1.0, 0.01), code_matrix)
