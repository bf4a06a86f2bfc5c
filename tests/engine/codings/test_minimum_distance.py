"""The search for distance: never worse than a random code, often better, always legal."""

import oracles_codes as oracles
import pytest

from ecocviz.engine.codings.dense_random import dense_random
from ecocviz.engine.codings.minimum_distance import minimum_distance

SIZES = [(6, 8), (6, 12), (7, 20), (8, 7), (8, 16), (8, 30), (10, 15), (10, 34), (16, 24)]


def distances(code_matrix):
    rows = code_matrix.tolist()
    return oracles.smallest_row_distance(rows), oracles.mean_row_distance(rows)


@pytest.fixture(scope="module")
def found():
    """(start, result) for every size, with a short search."""
    return {size: (dense_random(*size, seed=1), minimum_distance(*size, sweeps=20, seed=1)) for size in SIZES}


@pytest.mark.parametrize("size", SIZES)
def test_never_worse_than_the_dense_random_code_of_the_same_seed(found, size):
    start, result = found[size]
    assert result.shape == start.shape == size
    assert distances(result) >= distances(start)


def test_strictly_better_on_most_sizes(found):
    better = [size for size in SIZES if distances(found[size][1])[0] > distances(found[size][0])[0]]
    assert len(better) >= 6
    assert {(10, 34), (8, 30), (16, 24)} <= set(better)


@pytest.mark.parametrize(
    ("n_classes", "n_bits", "distance"), [(8, 7, 4), (6, 10, 6), (8, 14, 8), (12, 11, 6)]
)
def test_optimal_codes_are_found(n_classes, n_bits, distance):
    # A column opposes at most (K/2)^2 of the row pairs, so the mean distance, and with it the
    # smallest, has a bound that these codes meet.
    assert distance == n_bits * (n_classes // 2) ** 2 * 2 // (n_classes * (n_classes - 1))
    code_matrix = minimum_distance(n_classes, n_bits, sweeps=100)
    assert oracles.smallest_row_distance(code_matrix.tolist()) == distance


def test_where_all_columns_are_taken_there_is_nothing_to_search():
    code_matrix = minimum_distance(4, 100)
    assert set(oracles.columns(code_matrix.tolist())) == oracles.dichotomies(4, (-1, 1))
