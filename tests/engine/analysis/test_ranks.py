"""Ranks and tests against the definitions, written out as loops, permutations and sign flips."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from strategies import examples

from ecocviz.engine.analysis import ranks
from ecocviz.engine.analysis.ranks import (
    _friedman,
    cliques,
    compare_pairs,
    critical_difference,
    friedman,
    holm,
    rank_each,
    rank_methods,
    wilcoxon,
    win_tie_loss,
)

ROUNDED = 0.1 + 0.2
"""Differs from 0.3 by rounding only."""


@st.composite
def tables(draw, max_sets=6, max_methods=5):
    """Errors of methods on sets, many of them level."""
    n_sets, n_methods = draw(st.integers(1, max_sets)), draw(st.integers(2, max_methods))
    values = st.sampled_from([0.0, 0.1, 0.25, 0.3, ROUNDED, 0.5])
    row = st.lists(values, min_size=n_methods, max_size=n_methods)
    return np.array(draw(st.lists(row, min_size=n_sets, max_size=n_sets)))


def close(a, b):
    return abs(a - b) < 1e-6


def plain_ranks(row):
    """1 + how many are better + half of how many others are level."""
    return [
        1 + sum(b < a and not close(a, b) for b in row) + sum(close(a, b) for b in row) / 2 - 0.5 for a in row
    ]


@given(tables())
def test_ranks_are_places_that_ties_share(errors):
    np.testing.assert_allclose(rank_each(errors), [plain_ranks(row) for row in errors])
    found = rank_methods(errors)
    np.testing.assert_allclose(found.ranks, np.mean([plain_ranks(row) for row in errors], axis=0))
    assert found.n_sets == len(errors)


@given(tables())
def test_friedman_is_scipys_and_iman_davenport_follows_from_it(errors):
    found = friedman(errors)
    n, k = errors.shape
    assert found.freedom == (k - 1, (k - 1) * (n - 1))
    clean = np.where(errors == ROUNDED, 0.3, errors)
    if all(len(set(row)) == 1 for row in clean):
        assert (found.chi_square, found.chi_square_p, found.f, found.f_p) == (0.0, 1.0, 0.0, 1.0)
        return
    if k >= 3:
        expected = stats.friedmanchisquare(*clean.T)
        assert found.chi_square == pytest.approx(expected.statistic, abs=1e-9)
        assert found.chi_square_p == pytest.approx(expected.pvalue, abs=1e-9)
    if n == 1:
        assert (found.f, found.f_p) == (0.0, 1.0)
    elif found.chi_square > n * (k - 1) - 1e-6:
        assert (found.f, found.f_p) == (math.inf, 0.0)
    else:
        f = (n - 1) * found.chi_square / (n * (k - 1) - found.chi_square)
        assert found.f == pytest.approx(f)
        assert found.f_p == pytest.approx(stats.f.sf(f, *found.freedom))


def test_iman_davenport_is_the_analysis_of_variance_of_the_ranks():
    # F of a two-way analysis of variance of ranks (methods against methods x sets), with ties.
    table = np.array(
        [plain_ranks(row) for row in np.random.default_rng(0).integers(0, 4, (9, 4)).astype(float)]
    )
    n, k = table.shape
    methods = n * ((table.mean(axis=0) - table.mean()) ** 2).sum()
    within = ((table - table.mean(axis=1, keepdims=True)) ** 2).sum() - methods
    f = (methods / (k - 1)) / (within / ((k - 1) * (n - 1)))
    assert friedman(table).f == pytest.approx(f)


def test_the_test_of_friedman_is_near_to_permuting_every_set():
    errors = np.array([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3], [1, 2, 3]], dtype=float)
    orders = list(itertools.permutations(range(3)))
    seen = friedman(errors).chi_square
    as_far = 0
    for drawn in itertools.product(orders, repeat=4):  # the first set's order may stay, by symmetry
        permuted = np.array(
            [errors[0], *(row[list(order)] for row, order in zip(errors[1:], drawn, strict=True))]
        )
        means = np.array([plain_ranks(row) for row in permuted]).mean(axis=0)
        as_far += 12 * 5 / (3 * 4) * ((means - 2) ** 2).sum() >= seen - 1e-9
    exact = as_far / len(orders) ** 4
    found = friedman(errors)
    assert abs(found.chi_square_p - exact) < 0.005
    assert abs(found.f_p - exact) < 0.03  # bolder, with so few sets


def test_the_example_of_demsar_2006():
    # Table 6 there: C4.5 with and without two parameters, average ranks of four methods on 14 sets.
    found = _friedman(np.array([3.143, 2.000, 2.893, 1.964]), 14, 1.0)
    assert (round(found.chi_square, 2), round(found.f, 2), found.freedom) == (9.28, 3.69, (3, 39))
    assert found.f_p < 0.05
    printed = {2: 1.960, 3: 2.343, 4: 2.569, 5: 2.728, 6: 2.850, 7: 2.949, 8: 3.031, 9: 3.102, 10: 3.164}
    for k, q in printed.items():
        assert critical_difference(k, 14) / math.sqrt(k * (k + 1) / (6 * 14)) == pytest.approx(q, abs=1e-3)


@pytest.mark.parametrize(("k", "level"), [(2, 0.05), (13, 0.05), (50, 0.05), (200, 0.01)])
def test_the_critical_difference_is_that_of_the_range_of_normal_numbers(k, level):
    """Chance that k standard normal numbers lie within q sqrt(2) of each other, by the integral itself."""
    q = critical_difference(k, 14, level) / math.sqrt(k * (k + 1) / (6 * 14)) * math.sqrt(2)
    z = np.linspace(-10, 10, 200_001)
    within = k * stats.norm.pdf(z) * (stats.norm.cdf(z) - stats.norm.cdf(z - q)) ** (k - 1)
    assert within.sum() * (z[1] - z[0]) == pytest.approx(1 - level, abs=1e-6)


@given(st.lists(st.sampled_from([1.0, 1.5, 2.0, 2.25, 3.0, 4.0]), min_size=1, max_size=7), st.floats(0.1, 3))
def test_cliques_are_the_largest_groups_within_the_difference(values, difference):
    n = len(values)
    near = [
        set(group)
        for size in range(2, n + 1)
        for group in itertools.combinations(range(n), size)
        if max(values[m] for m in group) - min(values[m] for m in group) < difference
    ]
    largest = [group for group in near if not any(group < other for other in near)]
    found = cliques(np.array(values), difference)
    assert sorted(map(sorted, found)) == sorted(map(sorted, largest))
    for group in found:
        assert [values[m] for m in group] == sorted(values[m] for m in group)
    assert [values[group[0]] for group in found] == sorted(values[group[0]] for group in found)


def plain_wilcoxon(first, second):
    """Two-sided p over all signs of the differences that are not level."""
    differences = [0.0 if close(a, b) else a - b for a, b in zip(first, second, strict=True)]
    places = plain_ranks([abs(d) for d in differences])
    used = [(place, d > 0) for place, d in zip(places, differences, strict=True) if d]
    middle = sum(place for place, _ in used) / 2
    seen = abs(sum(place for place, up in used if up) - middle)
    sums = [
        abs(sum(place for (place, _), up in zip(used, signs, strict=True) if up) - middle)
        for signs in itertools.product([False, True], repeat=len(used))
    ]
    return sum(s >= seen - 1e-9 for s in sums) / len(sums)


def plain_lead(first, second):
    """How many of the ranks of differences are where the first is better, among those that are not level."""
    differences = [0.0 if close(a, b) else b - a for a, b in zip(first, second, strict=True)]
    ranked = list(zip(plain_ranks([abs(d) for d in differences]), differences, strict=True))
    places = sum(place for place, d in ranked if d)
    return sum(place for place, d in ranked if d > 0) / places if places else 0.5


@examples(30)
@given(tables(max_sets=8, max_methods=2))
def test_wilcoxon_counts_all_signs(errors):
    first, second = errors[:, 0], errors[:, 1]
    assert wilcoxon(first, second) == pytest.approx(plain_wilcoxon(first, second))
    assert wilcoxon(second, first) == pytest.approx(wilcoxon(first, second))


def test_wilcoxon_is_scipys_without_ties_and_near_itself_where_it_is_approximated(monkeypatch):
    rng = np.random.default_rng(0)
    first, second = rng.random(40), rng.random(40) + 0.1
    exact = wilcoxon(first, second)
    assert exact == pytest.approx(stats.wilcoxon(first, second, method="exact").pvalue)
    monkeypatch.setattr(ranks, "MOST_EXACT", 10)
    assert wilcoxon(first, second) == pytest.approx(exact, rel=0.1)


@given(tables())
def test_pairs_are_counted_tested_and_corrected(errors):
    pairs = compare_pairs(errors)
    assert [(pair.first, pair.second) for pair in pairs] == list(
        itertools.combinations(range(errors.shape[1]), 2)
    )
    for pair in pairs:
        first, second = errors[:, pair.first], errors[:, pair.second]
        level = sum(map(close, first, second))
        won = sum(a < b and not close(a, b) for a, b in zip(first, second, strict=True))
        assert (pair.wins, pair.ties, pair.losses) == (won, level, len(errors) - won - level)
        n, least = won + pair.losses + level // 2 * 2, min(won, pair.losses) + level // 2
        tail = sum(math.comb(n, k) for k in range(least + 1)) / 2**n
        assert pair.sign == pytest.approx(min(1.0, 2 * tail))
        assert pair.wilcoxon == wilcoxon(first, second)
        assert pair.lead == pytest.approx(plain_lead(first, second))
    assert [pair.wilcoxon_holm for pair in pairs] == list(holm([pair.wilcoxon for pair in pairs]))
    assert [pair.sign_holm for pair in pairs] == list(holm([pair.sign for pair in pairs]))
    assert win_tie_loss(errors[:, 0], errors[:, 0]) == (0, len(errors), 0)


def test_only_the_pairs_asked_for_are_corrected_for():
    errors = np.random.default_rng(1).random((6, 4))
    one = compare_pairs(errors, [(2, 0)])[0]
    assert (one.first, one.second) == (2, 0)
    assert one.wilcoxon_holm == one.wilcoxon


@given(st.lists(st.sampled_from([0.0, 0.01, 0.02, 0.04, 0.5, 1.0]), max_size=5))
def test_holm_is_the_closed_test_of_bonferroni(p_values):
    # Its definition: a test's corrected p is the largest Bonferroni p of all groups of tests that hold it.
    n = len(p_values)
    for test, found in enumerate(holm(p_values)):
        groups = [
            group
            for size in range(1, n + 1)
            for group in itertools.combinations(range(n), size)
            if test in group
        ]
        expected = max(min(1.0, len(group) * min(p_values[m] for m in group)) for group in groups)
        assert found == pytest.approx(expected)


@given(tables(), st.floats(0.1, 100))
def test_percent_or_share_makes_no_difference(errors, scale):
    assume(scale != 1)
    found, scaled = rank_methods(errors), rank_methods(errors * scale)
    np.testing.assert_array_equal(found.ranks, scaled.ranks)
    assert (found.friedman, found.cliques) == (scaled.friedman, scaled.cliques)
    assert compare_pairs(errors) == compare_pairs(errors * scale)


@pytest.mark.parametrize(
    ("errors", "refused"),
    [
        (np.zeros((0, 3)), "two methods or more"),
        (np.zeros((3, 1)), "two methods or more"),
        (np.zeros(3), "two methods or more"),
        (np.array([[0.1, np.nan]]), "every method on every data set"),
    ],
)
def test_what_cannot_be_compared_is_refused(errors, refused):
    for compare in (rank_methods, friedman, compare_pairs):
        with pytest.raises(ValueError, match=refused):
            compare(errors)
    with pytest.raises(ValueError, match="two methods or more"):
        critical_difference(1, 5)
