"""Searches of columns and codes by number of hits, from starts good and bad."""

from itertools import product

import numpy as np
import oracles_learned as oracles
import pytest
from hypothesis import given
from strategies_learned import answered_samples, plain

from ecocviz.engine.discrete import climb_code, climb_rows
from ecocviz.engine.kernels.discrete_codes import (
    branch_and_bound,
    climb_column,
    column_hits,
    count_hits,
    open_search,
    try_all,
)


@given(answered_samples(max_classes=4, max_bits=1))
def test_hits_of_all_columns_in_gray_order(sample):
    bits, y, k = sample
    counts = np.eye(k)[y]
    scores = np.arange(y.size * k).reshape(y.size, k) % 3
    values = column_hits(scores, bits[:, 0].astype(int), counts)
    np.testing.assert_array_equal(values, plain(column_hits)(scores, bits[:, 0].astype(int), counts))
    for number in range(1 << k):
        column = np.array([1 if number >> r & 1 else -1 for r in range(k)])
        assert values[number] == count_hits(
            scores + np.multiply.outer(bits[:, 0].astype(int), column), counts
        )


def noisy(k, n_bits, seed, n=40):
    """Patterns (n, l), counts (n, k), and scores of all codewords (n, 2^l), of machines that often err."""
    rng = np.random.default_rng(seed)
    y = rng.integers(k, size=n)
    code = rng.choice([-1, 1], size=(k, n_bits))
    bits = (code[y] * np.where(rng.random((n, n_bits)) < 0.2, -1, 1)).astype(np.int8)
    words = np.array([[1 if w >> t & 1 else -1 for t in range(n_bits)] for w in range(1 << n_bits)])
    return bits, np.eye(k)[y], bits.astype(int) @ words.T, y, words


@pytest.mark.parametrize("seed", range(3))
def test_branch_and_bound_needs_no_good_start(seed):
    bits, counts, S, y, words = noisy(3, 3, seed)
    worst = np.zeros(3, dtype=np.int64)
    search = open_search(S, counts, worst, 0.0)
    ended, n_nodes = branch_and_bound(S, counts, search, 10**6)
    rows, hits = search.rows, search.best[0]
    every, best = try_all(S, counts)
    assert hits == pytest.approx(best) and ended and n_nodes < 10**6
    assert hits == pytest.approx(float(oracles.hits(bits.tolist(), y.tolist(), words[rows].tolist())))
    assert best == pytest.approx(float(oracles.best_code(bits.tolist(), y.tolist(), 3, 3)))
    assert count_hits(S[:, every], counts) == best
    paused = open_search(S, counts, worst, 0.0)
    ended, n_nodes = branch_and_bound(S, counts, paused, 1)
    assert paused.rows.tolist() == [0, 0, 0] and paused.best[0] == 0 and n_nodes >= 1 and not ended
    n_pauses = 0
    while not ended:
        ended, n_nodes = branch_and_bound(S, counts, paused, n_nodes + 1)
        n_pauses += 1
    assert n_pauses > 2
    whole = open_search(S, counts, worst, 0.0)
    assert branch_and_bound(S, counts, whole, 10**6) == (True, n_nodes)
    assert paused.rows.tolist() == whole.rows.tolist() and paused.best[0] == whole.best[0]


@pytest.mark.parametrize("seed", range(3))
def test_climbs_end_where_no_single_move_gains(seed):
    bits, counts, S, y, words = noisy(3, 4, seed, 25)
    start = np.random.default_rng(seed).choice(np.array([-1, 1], np.int8), size=(3, 4))
    code, hits = climb_code(bits, counts, start)
    assert hits == pytest.approx(float(oracles.hits(bits.tolist(), y.tolist(), code.tolist())))
    for r, t in product(range(3), range(4)):
        moved = code.copy()
        moved[r, t] *= -1
        assert float(oracles.hits(bits.tolist(), y.tolist(), moved.tolist())) <= hits + 1e-9
    rows, more = climb_rows(S, counts, np.array([0, 5, 9]))
    for r, word in product(range(3), range(16)):
        moved = rows.copy()
        moved[r] = word
        assert count_hits(S[:, moved], counts) <= more + 1e-9
    assert more == pytest.approx(float(oracles.hits(bits.tolist(), y.tolist(), words[rows].tolist())))


@pytest.mark.parametrize("seed", range(3))
def test_a_climbing_column_keeps_both_sides(seed):
    rng = np.random.default_rng(seed)
    counts, h = np.eye(4)[rng.integers(4, size=30)], np.ones(30, dtype=int)
    scores = np.zeros((30, 4), dtype=int)
    # All points say +: the best column would put one class alone on the + side, and it may not be empty.
    column, hits = climb_column(scores, h, counts, np.array([-1, 1, 1, 1], np.int8))
    assert set(column.tolist()) == {-1, 1}
    values = column_hits(scores, h, counts)
    flips = [column * np.where(np.arange(4) == r, -1, 1) for r in range(4)]
    powers = 1 << np.arange(4)
    assert all(values[powers @ (f == 1)] <= hits + 1e-9 for f in flips if len(set(f.tolist())) == 2)
    alone, _ = climb_column(scores, h, counts * 0, np.array([1, -1, -1, -1], np.int8))
    assert alone.tolist() == [1, -1, -1, -1]
