"""Random codes: what is drawn, what is rejected, which draw is kept."""

import math
from collections import Counter
from itertools import combinations

import numpy as np
import oracles_codes as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine import random_codes
from ecocviz.engine.codings.dense_random import CODING as DENSE
from ecocviz.engine.codings.dense_random import dense_random
from ecocviz.engine.codings.sparse_random import CODING as SPARSE
from ecocviz.engine.codings.sparse_random import sparse_random
from ecocviz.engine.kernels.columns import dense_columns, ternary_columns
from ecocviz.engine.random_codes import best_random_code, fewest_bits


def merit(code_matrix):
    rows = code_matrix.tolist()
    return oracles.smallest_row_distance(rows), oracles.mean_row_distance(rows)


@pytest.mark.parametrize(
    ("build", "widths"),
    [
        (dense_random, {8: 30, 10: 34, 11: 35, 16: 40, 26: 48}),
        (sparse_random, {6: 39, 8: 45, 10: 50, 16: 60}),
    ],
)
def test_the_default_widths_are_ten_and_fifteen_times_log2(build, widths):
    for n_classes, n_bits in widths.items():
        assert build(n_classes, trials=1).shape == (n_classes, n_bits)


@pytest.mark.parametrize(("build", "entries"), [(dense_random, (-1, 1)), (sparse_random, (-1, 0, 1))])
@pytest.mark.parametrize("n_classes", [3, 4])
def test_asking_for_more_columns_than_exist_gives_all_of_them(build, entries, n_classes):
    code_matrix = build(n_classes, n_bits=500)
    columns = oracles.columns(code_matrix.tolist())
    assert set(columns) == oracles.dichotomies(n_classes, entries)
    assert len(columns) == len(set(columns))


def draw(pool, zero_share, n_classes, n_bits, rng):
    none = np.zeros((n_classes, 0), dtype=np.int8)
    if pool is None:
        return random_codes._draw_entries(n_classes, n_bits, zero_share, rng, none)
    return random_codes._draw_from_pool(pool, random_codes._log_weights(pool, zero_share), n_bits, rng, none)


@pytest.mark.parametrize("pooled", [True, False])
@pytest.mark.parametrize("zero_share", [0.0, 0.5])
def test_the_best_of_many_draws_is_kept(pooled, zero_share, monkeypatch):
    # Neither the last draw nor the farthest pair decides: the smallest distance does, then the mean.
    n_classes, n_bits, trials = 6, 14, 40
    pool = (ternary_columns(n_classes) if zero_share else dense_columns(n_classes)) if pooled else None
    if not pooled:
        monkeypatch.setattr(random_codes, "LISTED_TERNARY" if zero_share else "LISTED_DENSE", n_classes - 1)
    best = best_random_code(
        n_classes, n_bits, zero_share=zero_share, trials=trials, rng=np.random.default_rng(5)
    )
    rng = np.random.default_rng(5)
    merits = [merit(draw(pool, zero_share, n_classes, n_bits, rng)) for _ in range(trials)]
    assert merit(best) == max(merits)
    assert merits[-1] < max(merits) and len(set(merits)) > 5


@given(st.integers(3, 12), st.integers(0, 1_000))
def test_more_draws_are_never_worse(n_classes, seed):
    few, many = (dense_random(n_classes, 9, trials, seed=seed) for trials in (1, 20))
    assert merit(many) >= merit(few)


@pytest.mark.parametrize("build", [dense_random, sparse_random])
@pytest.mark.parametrize("n_classes", [4, 5, 8, 11, 16, 17, 33])
def test_the_fewest_machines_still_tell_all_classes_apart(build, n_classes):
    # Hardly any draw does at this length: the binary digits of the row numbers step in.
    code_matrix = build(n_classes, n_bits=1, trials=1)
    assert code_matrix.shape == (n_classes, fewest_bits(n_classes))
    assert merit(code_matrix)[0] >= 1
    assert not any(oracles.is_one_sided(column) for column in oracles.columns(code_matrix.tolist()))


@pytest.mark.parametrize("n_classes", [12, 16])
def test_digits_are_joined_by_drawn_columns(n_classes):
    needed = fewest_bits(n_classes)
    for seed in range(20):
        code_matrix = sparse_random(n_classes, n_bits=needed + 2, trials=1, seed=seed)
        assert code_matrix.shape == (n_classes, needed + 2)
        assert merit(code_matrix)[0] >= 1
        assert oracles.twins(code_matrix.tolist()) == ([], [])


@pytest.mark.parametrize("pooled", [True, False])
@pytest.mark.parametrize("n_classes", [3, 5, 8])
def test_single_columns_follow_the_law(n_classes, pooled):
    # Entries 0 with chance 1/2, -1 and +1 with 1/4 each, given that both signs occur: as for entries
    # drawn one by one, so for columns taken from the list of all.
    n_draws = 2_000
    pool = ternary_columns(n_classes) if pooled else None
    rng = np.random.default_rng(1)
    counts = Counter(tuple(draw(pool, 0.5, n_classes, 1, rng)[:, 0].tolist()) for _ in range(n_draws))
    chances = {
        column: math.prod(0.5 if entry == 0 else 0.25 for entry in column)
        for column in oracles.dichotomies(n_classes, (-1, 0, 1))
    }
    assert set(counts) <= set(chances)
    for zeros in range(n_classes - 1):
        weight = sum(chance for column, chance in chances.items() if column.count(0) == zeros)
        expected = weight / sum(chances.values())
        found = sum(count for column, count in counts.items() if column.count(0) == zeros) / n_draws
        assert abs(found - expected) <= 4 * math.sqrt(expected * (1 - expected) / n_draws)


@given(st.integers(2, 60), st.integers(1, 30), st.integers(0, 99))
def test_columns_are_named_apart(n_classes, n_columns, seed):
    columns = np.random.default_rng(seed).integers(-1, 2, (n_classes, n_columns)).astype(np.int8)
    columns = np.concatenate([columns, columns[:, :5]], axis=1)
    first = [b for b in range(columns.shape[1]) if (columns[:, b, None] != columns[:, :b]).any(axis=0).all()]
    assert random_codes._first_of_each(columns).tolist() == first


def test_the_declared_width_counts_columns_not_classes():
    assert DENSE.n_bits(10) == 34
    assert SPARSE.n_bits(10) == 50
    assert DENSE.n_bits(10, n_bits=12, trials=5) == dense_random(10, 12, 5).shape[1] == 12


def test_sparse_rows_are_never_left_together():
    for seed in range(30):
        code_matrix = sparse_random(9, n_bits=16, trials=1, seed=seed)
        for a, b in combinations(code_matrix.tolist(), 2):
            assert oracles.row_distance(a, b) >= 1


@pytest.mark.parametrize(("build", "n_classes"), [(dense_random, 14), (sparse_random, 9)])
def test_hundreds_of_drawn_columns_are_all_different(build, n_classes):
    # Drawn entry by entry, some of 500 columns out of 8191 or 9330 always meet another again.
    for seed in range(3):
        columns = oracles.columns(build(n_classes, 500, trials=1, seed=seed).tolist())
        assert len({oracles.first_sign_positive(column) for column in columns}) == 500
