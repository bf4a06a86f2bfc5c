"""Theorem 1, further columns, and whole codes for given machines, against looking at all of them."""

import numpy as np
import oracles_learned as oracles
import pytest
from hearing import shares_to
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies_learned import answered_samples

from ecocviz.engine import discrete
from ecocviz.engine.discrete import first_column, next_column, search_code, tie_aware_error

WORKED = np.repeat([0, 1, 2, 3], [4, 4, 3, 2]), np.array([1, 1, 1, -1, 1, -1, -1, -1, -1, -1, -1, 1, 1])
"""The spec's worked example: a+ = (3, 1, 0, 2), a- = (1, 3, 3, 0)."""


def scores_of(bits, columns):
    return bits.astype(int) @ np.array(columns, dtype=int).reshape(bits.shape[1], -1)


# --- Theorem 1 ------------------------------------------------------------------------------------


def test_the_worked_example():
    y, bits = WORKED
    column, error = first_column(bits, y, 4)
    assert column.tolist() == [1, -1, -1, 1]
    assert error == pytest.approx(15 / 26)
    assert tie_aware_error(bits[:, None], y, column[:, None]) == pytest.approx(15 / 26)


@given(answered_samples(max_classes=6, max_bits=1))
def test_the_first_column_is_the_best_of_all(sample):
    bits, y, k = sample
    column, error = first_column(bits[:, 0], y, k)
    assert set(column.tolist()) == {-1, 1}
    best = oracles.best_column(bits.tolist(), y.tolist(), [], k)
    assert error == pytest.approx(1 - float(best) / y.size)
    assert tie_aware_error(bits, y, column[:, None]) == pytest.approx(error)


@given(answered_samples(max_classes=5, max_bits=1), st.data())
def test_weights_count_as_copies(sample, data):
    bits, y, k = sample
    copies = data.draw(st.lists(st.integers(0, 3), min_size=y.size, max_size=y.size))
    assume(sum(copies))
    column, error = first_column(bits[:, 0], y, k, np.array(copies, dtype=float))
    repeated = first_column(np.repeat(bits[:, 0], copies), np.repeat(y, copies), k)
    assert column.tolist() == repeated[0].tolist()
    assert error == pytest.approx(repeated[1])


def test_among_equals_the_fewest_and_first_classes_are_on_the_plus_side():
    column, error = first_column(np.array([0, 0]), np.array([0, 1]), 4)
    assert column.tolist() == [1, -1, -1, -1] and error == 0.75


# --- further columns ------------------------------------------------------------------------------


@given(answered_samples(max_classes=4, max_bits=3), st.data())
def test_a_further_column_is_the_best_of_all(sample, data):
    bits, y, k = sample
    n_before = bits.shape[1] - 1
    entries = st.lists(st.sampled_from([-1, 1]), min_size=k, max_size=k)
    columns = data.draw(st.lists(entries, min_size=n_before, max_size=n_before))
    scores = scores_of(bits[:, :-1], columns) if columns else np.zeros((y.size, k), dtype=int)
    column, error = next_column(scores, bits[:, -1], y)
    best = oracles.best_column(bits.tolist(), y.tolist(), columns, k)
    assert error == pytest.approx(1 - float(best) / y.size)
    code = np.array([*columns, column.tolist()]).T
    assert tie_aware_error(bits, y, code) == pytest.approx(error)


def test_taken_columns_and_their_complements_are_not_offered():
    y, bits = WORKED
    scores = np.zeros((13, 4), dtype=int)
    taken = []
    for _ in range(7):
        column, _ = next_column(scores, bits, y, taken)
        assert len(set(column.tolist())) == 2
        assert not any((column == t).all() or (column == -t).all() for t in taken)
        taken.append(column)
    with pytest.raises(ValueError, match="Every column is taken; ask for fewer machines"):
        next_column(scores, bits, y, taken)


def test_where_all_climbs_end_at_a_taken_column_its_best_neighbour_is_taken():
    n_classes = discrete.EXACT_CLASSES + 3
    y = np.repeat(np.arange(n_classes), 2)
    side = np.where(np.arange(n_classes) % 2, 1, -1).astype(np.int8)
    scores = np.zeros((y.size, n_classes), dtype=np.int64)
    best, _ = next_column(scores, side[y], y, [np.roll(side, 2) * side], np.random.default_rng(0))
    assert (best == side).all() or (best == -side).all()  # every climb ends there
    column, error = next_column(scores, side[y], y, [side], np.random.default_rng(0))
    flips = [np.where(np.arange(n_classes) == place, -side, side) for place in range(n_classes)]
    assert 1 in (int((column != side).sum()), int((column != -side).sum()))
    errors = [tie_aware_error(side[y][:, None], y, flip[:, None]) for flip in flips]
    assert error == pytest.approx(min(errors))


def test_columns_of_many_classes_are_climbed_to():
    k = discrete.EXACT_CLASSES + 3
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(k), 4)
    truth = np.where(np.arange(k) % 3 == 0, 1, -1)
    bits = (truth[y] * rng.choice([1, 1, 1, 1, 1, 1, -1], size=y.size)).astype(np.int8)
    first = first_column(bits, y, k)[0]
    scores = np.multiply.outer(bits, first).astype(int)
    column, error = next_column(scores, bits, y, [first])
    assert error == pytest.approx(tie_aware_error(np.stack([bits, bits], 1), y, np.stack([first, column], 1)))
    assert abs(int(column.sum())) < k and (column != first).any() and (column != -first).any()
    again = next_column(scores, bits, y, [first])
    assert column.tolist() == again[0].tolist()


# --- whole codes ----------------------------------------------------------------------------------


@given(answered_samples(max_classes=3, max_bits=3))
def test_exhaustive_and_bounded_search_find_the_best_of_all_codes(sample):
    bits, y, k = sample
    best = 1 - float(oracles.best_code(bits.tolist(), y.tolist(), k, bits.shape[1])) / y.size
    for method in ("exhaustive", "branch-and-bound", "auto"):
        found = search_code(bits, y, k, method)
        assert found.error == pytest.approx(best) and found.proved
        assert tie_aware_error(bits, y, found.code_matrix) == pytest.approx(found.error)
        assert set(np.unique(found.code_matrix)) <= {-1, 1}
    local = search_code(bits, y, k, "local")
    assert not local.proved
    assert tie_aware_error(bits, y, local.code_matrix) == pytest.approx(local.error)
    assert local.error == pytest.approx(best)


@pytest.mark.parametrize("seed", range(4))
def test_branch_and_bound_agrees_with_all_codes_on_noisy_machines(seed):
    rng = np.random.default_rng(seed)
    k, n_bits = 4, 4
    y = rng.integers(k, size=60)
    code = rng.choice([-1, 1], size=(k, n_bits))
    bits = (code[y] * np.where(rng.random((60, n_bits)) < 0.2, -1, 1)).astype(np.int8)
    bounded = search_code(bits, y, k, "branch-and-bound")
    every = search_code(bits, y, k, "exhaustive")
    assert bounded.error == pytest.approx(every.error)
    assert bounded.proved and bounded.method == "branch-and-bound"


def test_a_planted_code_of_many_entries_is_proved_best():
    rng = np.random.default_rng(1)
    code = np.array([[1, 1, 1, 1, 1, 1], [-1, -1, -1, 1, 1, 1], [1, 1, -1, -1, -1, 1], [-1, 1, 1, -1, 1, -1]])
    code = np.concatenate([code, -code])[:6]
    y = rng.integers(6, size=300)
    bits = (code[y] * np.where(rng.random((300, 6)) < 0.05, -1, 1)).astype(np.int8)
    found = search_code(bits, y, 6)
    assert found.proved and found.method == "branch-and-bound"
    assert found.error <= tie_aware_error(bits, y, code)


def test_a_search_that_is_given_up_proves_nothing(monkeypatch):
    monkeypatch.setattr(discrete, "MAX_NODES", 40)
    rng = np.random.default_rng(2)
    bits = rng.choice(np.array([-1, 1], np.int8), size=(80, 5))
    y = rng.integers(5, size=80)
    found = search_code(bits, y, 5, "branch-and-bound", n_starts=1)
    assert not found.proved
    assert found.error <= search_code(bits, y, 5, "local", n_starts=1).error + 1e-12


@pytest.mark.parametrize(("method", "shape"), [("local", (5, 20)), ("local", (5, 6)), ("auto", (5, 5))])
def test_searches_tell_how_far_they_are_and_end_where_told(method, shape, monkeypatch):
    monkeypatch.setattr(discrete, "STRIDE", 1000)
    rng = np.random.default_rng(4)
    y = rng.integers(shape[0], size=80)
    bits = rng.choice(np.array([-1, 1], np.int8), size=(80, shape[1]))
    shares = []
    heard = search_code(bits, y, shape[0], method, n_starts=3, progress=shares_to(shares.append))
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] <= 1
    assert len(shares) >= 3 * 2 * shape[0], "after every row of every climb"
    for number in (1, len(shares) // 2, len(shares)):
        seen = []

        def stop(share, seen=seen, number=number):
            seen.append(share)
            if len(seen) == number:
                raise InterruptedError

        with pytest.raises(InterruptedError):
            search_code(bits, y, shape[0], method, n_starts=3, progress=shares_to(stop))
        assert seen == shares[:number]
    monkeypatch.setattr(discrete, "STRIDE", 10**9)
    silent = search_code(bits, y, shape[0], method, n_starts=3)
    np.testing.assert_array_equal(heard.code_matrix, silent.code_matrix)


def test_local_search_begins_with_the_given_code_and_never_loses():
    rng = np.random.default_rng(3)
    y = rng.integers(5, size=100)
    code = rng.choice(np.array([-1, 1], np.int8), size=(5, 20))
    bits = (code[y] * np.where(rng.random((100, 20)) < 0.3, -1, 1)).astype(np.int8)
    found = search_code(bits, y, 5, start=code, n_starts=1)
    assert found.method == "local"
    assert found.error <= tie_aware_error(bits, y, code)


@pytest.mark.parametrize(
    ("method", "n_bits", "sentence"),
    [
        ("guess", 2, "The method is one of auto, exhaustive, branch-and-bound, local"),
        ("exhaustive", 20, r"There are 2\^60 codes of this size"),
        ("branch-and-bound", 13, "lists all codewords, of up to 12 bits; these have 13"),
    ],
)
def test_what_cannot_be_searched_is_refused(method, n_bits, sentence):
    with pytest.raises(ValueError, match=sentence):
        search_code(np.ones((4, n_bits), np.int8), np.arange(4) % 3, 3, method)


@given(answered_samples())
def test_the_error_counts_ties_by_chance(sample):
    bits, y, k = sample
    code = np.resize(np.array([1, -1, -1, 1, 1]), (k, bits.shape[1]))
    hits = oracles.hits(bits.tolist(), y.tolist(), code.tolist())
    assert tie_aware_error(bits, y, code) == pytest.approx(1 - float(hits) / y.size)
