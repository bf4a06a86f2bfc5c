"""The analysis of codes against loop definitions and brute force over all words of bits."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import oracles_codes as oracles
import pytest
import strategies
from hypothesis import example, given
from hypothesis import strategies as st

from ecocviz.engine.analysis.codes import MAX_COLUMN_TABLE, code_report, describe_code
from ecocviz.engine.catalogue import CODINGS, DECODINGS, build_code
from ecocviz.engine.kernels import columns as column_kernels
from ecocviz.engine.kernels.columns import column_distances, ternary_columns, usable_columns
from ecocviz.engine.kernels.row_distances import hamming_repairs, largest_distance

ANY = st.one_of(strategies.ternary_arrays(), strategies.continuous_arrays())


def pairs(array):
    return {tuple(pair) for pair in np.asarray(array).tolist()}


def row_pairs(rows, holds):
    return {(a, b) for a, b in combinations(range(len(rows)), 2) if holds(rows[a], rows[b])}


@given(ANY)
def test_row_distances_follow_their_definitions(code_matrix):
    report = code_report(code_matrix)
    rows = code_matrix.tolist()
    for a, b in product(range(len(rows)), repeat=2):
        assert report.row_distances[a, b] == pytest.approx(oracles.row_distance(rows[a], rows[b]))
        assert report.hamming_distances[a, b] == pytest.approx(oracles.hamming_distance(rows[a], rows[b]))
    distances = [oracles.row_distance(a, b) for a, b in combinations(rows, 2)] or [0]
    hamming = [oracles.hamming_distance(a, b) for a, b in combinations(rows, 2)] or [0]
    assert report.min_distance == pytest.approx(min(distances))
    assert report.mean_distance == pytest.approx(sum(distances) / len(distances))
    assert report.min_hamming_distance == pytest.approx(min(hamming))


@given(strategies.ternary_arrays())
def test_rows_that_are_close_equal_or_never_opposed_are_listed(code_matrix):
    report = code_report(code_matrix)
    rows = code_matrix.tolist()
    assert not report.continuous
    assert pairs(report.equal_rows) == row_pairs(rows, lambda a, b: a == b)
    apart = row_pairs(rows, lambda a, b: all(x * y != -1 for x, y in zip(a, b, strict=True)))
    assert pairs(report.unseparated_rows) == apart
    assert report.disjoint == (not apart)
    assert pairs(report.closest_rows) == row_pairs(
        rows, lambda a, b: oracles.row_distance(a, b) == report.min_distance
    )
    assert report.zeros_per_row.tolist() == [row.count(0) for row in rows]


@given(strategies.continuous_arrays())
def test_signs_decide_for_continuous_codes(code_matrix):
    report = code_report(code_matrix)
    rows = code_matrix.tolist()
    assert report.disjoint == all(
        any(x * y < 0 for x, y in zip(a, b, strict=True)) for a, b in combinations(rows, 2)
    )
    assert pairs(report.equal_rows) == row_pairs(rows, lambda a, b: a == b)
    assert (report.repairable_bits is None) == (report.continuous or len(rows) < 2)
    assert report.continuous == any(entry not in (-1, 0, 1) for row in rows for entry in row)


@given(ANY)
def test_columns_are_judged_by_their_definitions(code_matrix):
    report = code_report(code_matrix)
    n_bits = code_matrix.shape[1]
    listed = [tuple(column) for column in code_matrix.T.tolist()]
    assert report.one_sided_columns.tolist() == [
        b for b, column in enumerate(listed) if oracles.is_one_sided(column)
    ]
    assert report.positive_classes.tolist() == [sum(entry > 0 for entry in column) for column in listed]
    assert report.negative_classes.tolist() == [sum(entry < 0 for entry in column) for column in listed]
    for b, e in product(range(n_bits), repeat=2):
        assert report.column_distances[b, e] == pytest.approx(oracles.column_distance(listed[b], listed[e]))
    least = min((oracles.column_distance(u, v) for u, v in combinations(listed, 2)), default=0)
    assert report.min_column_distance == pytest.approx(least)
    if len(code_matrix):
        copies, complements = oracles.twins(code_matrix.tolist())
        assert report.repeated_columns.tolist() == [list(pair) for pair in copies]
        assert report.complementary_columns.tolist() == [list(pair) for pair in complements]


@given(strategies.ternary_arrays(min_rows=1), st.integers(1, 3))
def test_columns_are_compared_in_blocks_where_there_are_many(code_matrix, block):
    clean = code_matrix[:, usable_columns(code_matrix)]
    listed = oracles.columns(clean.tolist())
    least = min((oracles.column_distance(u, v) for u, v in combinations(listed, 2)), default=0)
    for matrix, factor in ((clean, 1), (clean * 1.5, 1.5)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(column_kernels, "_BLOCK", block)
            assert column_kernels.smallest_column_distance(matrix) == pytest.approx(factor * least)


def test_the_closest_columns_may_come_last():
    # The first column is 3 from the two others, which are 2 apart; a fourth is 1 from the third.
    listed = [(1, 1, 1, 1, -1, -1, -1, -1), (1, 1, 1, 1, 1, 1, 1, -1), (1, 1, 1, 1, 1, 1, -1, 1)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(column_kernels, "_BLOCK", 1)
        for matrix, expected in ((listed, 2.0), ([*listed, (1, 1, 1, -1, 1, 1, -1, 1)], 1.0)):
            assert column_kernels.smallest_column_distance(np.array(matrix, dtype=np.int8).T) == expected


def test_half_a_class_may_come_after_a_whole_one():
    listed = [(1, 1, 1, -1, -1, -1), (1, 1, 1, 1, -1, -1), (1, -1, 1, -1, 1, -1), (1, -1, 1, -1, 1, 0)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(column_kernels, "_BLOCK", 1)
        assert column_kernels.smallest_column_distance(np.array(listed, dtype=np.int8).T) == 0.5


@given(st.integers(0, 99))
def test_dense_columns_in_blocks_stop_at_one(seed):
    columns = np.random.default_rng(seed).choice([-1, 1], size=(9, 40)).astype(np.int8)
    clean = columns[:, usable_columns(columns)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(column_kernels, "_BLOCK", 7)
        found = column_kernels.smallest_column_distance(clean)
    table = column_distances(clean)
    assert found == table[~np.eye(len(table), dtype=bool)].min()


# --- repairs: brute force over all words ---------------------------------------------------------


@given(strategies.ternary_arrays(min_rows=2, max_rows=5, min_columns=1))
@example(np.array([[1, 1, 1, 1, 1, 1], [-1, 0, 0, 0, 0, 0]], dtype=np.int8))
@example(np.array([[1, 1, 1, 1, 1, 1, 1], [-1, -1, 0, 0, 0, 0, 0]], dtype=np.int8))
@example(np.array([[1, 1, 1, 1], [0, 0, 0, 1]], dtype=np.int8))
def test_hamming_repairs_exactly_what_is_promised(code_matrix):
    rows = code_matrix.tolist()
    expected = [oracles.repairs(rows, c, zero_cost=Fraction(1, 2)) for c in range(len(rows))]
    assert hamming_repairs(code_matrix).tolist() == expected
    report = code_report(code_matrix)
    assert report.class_repairs.tolist() == expected
    assert report.repairable_bits_hamming == min(expected)


@given(strategies.ternary_arrays(min_rows=2, max_rows=5, min_columns=1))
def test_decoders_that_ignore_zeros_repair_what_is_promised(code_matrix):
    rows = code_matrix.tolist()
    promised = code_report(code_matrix).repairable_bits
    found = min(oracles.repairs(rows, c, zero_cost=0) for c in range(len(rows)))
    assert promised == math.floor((oracles.smallest_row_distance(rows) - 1) / 2) == found


@given(strategies.code_matrices(max_bits=8))
def test_the_hamming_decoder_keeps_the_promise(code_matrix):
    n_classes, n_bits = code_matrix.shape
    words = np.array(list(product((-1.0, 1.0), repeat=n_bits)))
    labels = np.argmin(DECODINGS["hamming"].costs(words, code_matrix), axis=1)
    repairs = code_report(code_matrix).class_repairs
    for c in range(n_classes):
        wrong = (words * code_matrix[c] < 0).sum(axis=1)
        assert (labels[wrong <= repairs[c]] == c).all()


@given(strategies.code_matrices(ternary=False))
def test_without_zeros_both_promises_are_the_same(code_matrix):
    report = code_report(code_matrix)
    assert report.repairable_bits == report.repairable_bits_hamming
    np.testing.assert_array_equal(report.row_distances, report.hamming_distances)


@pytest.mark.parametrize("n_classes", [3, 4, 6, 9])
def test_all_pairs_and_single_trees_promise_the_right_machines_only(n_classes):
    pairs_report = code_report(build_code("one-vs-one", n_classes))
    assert (pairs_report.min_distance, pairs_report.repairable_bits_hamming) == (1, 0)
    assert pairs_report.disjoint
    # In a tree, classes that hang high have few machines; the votes of the others can outweigh them.
    chain = np.array([[1, 0, 0, 0], [-1, 1, 0, 0], [-1, -1, 1, 0], [-1, -1, -1, 1], [-1, -1, -1, -1]])
    tree = code_report(chain)
    assert (tree.repairable_bits, tree.repairable_bits_hamming) == (0, -1)


# --- bounds, costs, sizes ------------------------------------------------------------------------


@given(strategies.code_matrices())
def test_no_code_beats_the_largest_distance(code_matrix):
    report = code_report(code_matrix)
    assert report.min_distance <= report.largest_distance == largest_distance(*code_matrix.shape)


@pytest.mark.parametrize(("n_classes", "n_bits"), [(2, 3), (3, 3), (3, 4), (4, 3), (5, 2)])
def test_the_largest_distance_holds_over_all_dense_codes(n_classes, n_bits):
    best = max(
        oracles.smallest_row_distance(rows)
        for rows in product(product((-1, 1), repeat=n_bits), repeat=n_classes)
    )
    assert best <= largest_distance(n_classes, n_bits)
    if n_classes < 5:
        assert best == largest_distance(n_classes, n_bits)


def test_there_is_no_largest_distance_without_two_rows():
    assert largest_distance(1, 5) == largest_distance(0, 5) == 0


@given(st.data())
def test_costs_count_the_samples_that_machines_are_shown(data):
    code_matrix = data.draw(strategies.ternary_arrays())
    counts = data.draw(strategies.class_counts(code_matrix.shape[0]))
    report = code_report(code_matrix, counts)
    listed = code_matrix.T.tolist()
    for b, column in enumerate(listed):
        plus = sum(int(n) for n, entry in zip(counts, column, strict=True) if entry == 1)
        minus = sum(int(n) for n, entry in zip(counts, column, strict=True) if entry == -1)
        assert report.sizes[b] == plus + minus
        assert report.balance[b] == pytest.approx(min(plus, minus) / (plus + minus) if plus + minus else 0)
    assert report.linear_cost == sum(report.sizes)
    assert report.quadratic_cost == sum(size * size for size in report.sizes)


def test_all_pairs_cost_little_though_they_are_many():
    counts = np.full(10, 100)
    one_vs_all = code_report(build_code("one-vs-all", 10), counts)
    one_vs_one = code_report(build_code("one-vs-one", 10), counts)
    assert one_vs_all.quadratic_cost == 10 * 1000**2
    assert one_vs_one.quadratic_cost == 45 * 200**2
    assert one_vs_all.balance.tolist() == [0.1] * 10
    assert one_vs_one.balance.tolist() == [0.5] * 45


def test_large_codes_are_measured_without_a_table():
    code_matrix = ternary_columns(8)
    assert code_matrix.shape[1] > MAX_COLUMN_TABLE
    report = code_report(code_matrix)
    assert report.column_distances is None
    assert report.min_column_distance == 0.5
    assert report.min_distance == 729  # one class +1, the other -1, any of 3^6 others, sign fixed
    twice = code_report(np.concatenate([code_matrix, -code_matrix], axis=1))
    assert twice.min_column_distance == 0.0
    assert len(twice.complementary_columns) == code_matrix.shape[1]


# --- input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code_matrix", "counts", "sentence"),
    [
        ([1, -1], None, "this array has 1 dimensions"),
        ([[1.0, np.nan], [-1.0, 1.0]], None, "finite numbers only"),
        ([[1], [-1]], [1, 2, 3], "must be 2 numbers"),
        ([[1], [-1]], [1, -2], "none negative"),
        ([[1], [-1]], [1, np.nan], "none negative"),
    ],
)
def test_other_input_is_refused_with_a_sentence(code_matrix, counts, sentence):
    with pytest.raises(ValueError, match=sentence):
        code_report(code_matrix, counts)


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.uint8, np.float32, np.float64])
def test_the_type_of_the_numbers_does_not_matter(kind):
    code_matrix = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0]])
    report = code_report(code_matrix.astype(kind))
    assert not report.continuous and report.zeros_per_row.tolist() == [1, 1, 1]


# --- in words ------------------------------------------------------------------------------------


@given(ANY)
def test_words_are_found_for_every_matrix(code_matrix):
    text = describe_code(code_report(code_matrix))
    assert text.endswith(".") and "  " not in text and "None" not in text


@pytest.mark.parametrize("key", [key for key in CODINGS if CODINGS[key].build])
def test_words_of_every_coding(key):
    text = describe_code(code_report(build_code(key, 6)))
    assert text.startswith("Row distance ")
    clean = "one-sided, repeated or mirrored" if CODINGS[key].distinct_columns else "one-sided"
    assert f"No {clean}" in text and text.endswith(" columns.")


@pytest.mark.parametrize(
    ("code_matrix", "sentence"),
    [
        (np.zeros((1, 3)), "A code matrix needs at least two rows (classes) and one column (machine)."),
        (np.zeros((3, 0)), "A code matrix needs at least two rows (classes) and one column (machine)."),
        ([[1, 1], [-1, -1], [1, 1]], "Rows 1 and 3 are equal: no decoder tells these classes apart."),
        (
            [[1, 0], [0, 1], [-1, -1]],
            "Rows 1 and 2 are never on opposite sides: no machine was taught to tell these classes apart.",
        ),
        ([[1, 1, 1, 1], [-1, -1, -1, -1]], "Row distance 4, so one wrong bit is always repaired; no code"),
        ([[1] * 5, [-1] * 5], "Row distance 5, so 2 wrong bits are always repaired; no code of this size"),
        (
            [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]],
            "so one wrong bit can be enough to lose the class; no code of this size does better",
        ),
        ([[1, 1, -1], [-1, 1, -1], [1, -1, 1], [-1, -1, 1]], "no code of this size can have more than 2."),
        (
            [[1, 1, 0], [-1, 0, 1], [0, -1, -1]],
            "It holds whatever the machines that never saw the class answer.",
        ),
        (
            [[1, 0, 0, 0], [-1, 1, 0, 0], [-1, -1, 1, 0], [-1, -1, -1, 1], [-1, -1, -1, -1]],
            "where each of these costs one half, a class can be lost even when no bit is wrong.",
        ),
        (
            [[1, 1, 1, 0, 0], [-1, -1, -1, -1, -1]],
            "where each of these costs one half, one wrong bit can be enough to lose the class.",
        ),
        ([[0.5, -1.0], [1.0, 2.0]], "A continuous code: bits cannot be counted as wrong or right"),
        ([[1, 1], [-1, 1]], "Column 2 has no class on one side: no machine can be trained. No repeated or"),
        ([[1, 1, 0], [-1, 1, 0]], "Columns 2, 3 have no class on one side: no machine can be trained."),
        (
            [[1, 1], [-1, -1]],
            "Columns 1 and 2 are equal: the same machine twice. No one-sided or mirrored",
        ),
        ([[1, -1], [-1, 1]], "Columns 1 and 2 are mirrored: the same machine twice."),
        ([[1] * 6, [-1] * 6], "Columns 1 and 2, 1 and 3, 1 and 4 and 2 more are equal"),
    ],
)
def test_words_for_known_cases(code_matrix, sentence):
    assert sentence in describe_code(code_report(code_matrix))


def test_nothing_is_said_of_flaws_that_are_all_there():
    text = describe_code(code_report([[1, 1, -1, 0], [-1, -1, 1, 0]]))
    assert text.endswith("mirrored: the same machine twice.") and "No one-sided" not in text
