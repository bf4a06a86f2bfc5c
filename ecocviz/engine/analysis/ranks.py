"""Methods compared over several data sets: average ranks, Friedman and Nemenyi, and tests of two methods.

Smaller is better throughout, as errors are. Two errors are a tie where they differ by rounding only:
neighbours in the order of a set's errors that differ by no more than 1e-9 of the largest. (One wrong of
10 million points is a hundred times that.) So a mean over folds added up in another order is never a win.

Follows [Demsar2006]_.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from scipy import stats

from ecocviz.engine.analysis.statistics import sign_test
from ecocviz.engine.types import BoolArray, FloatArray, IntArray

ROUNDING = 1e-9
"""What share of the largest error two errors must differ by to be different ones."""
MOST_EXACT = 200
"""Up to so many differences Wilcoxon's test counts all ways to give them signs; beyond, it approximates."""


@dataclass(frozen=True, slots=True)
class Friedman:
    """Whether methods differ at all: the tests of Friedman and of Iman and Davenport.

    Attributes
    ----------
    chi_square, chi_square_p
        Friedman's statistic, with n_methods - 1 degrees of freedom.
    f, f_p
        Iman and Davenport's, which is less timid; infinite where all sets rank the methods alike.
    freedom
        Its degrees of freedom: n_methods - 1 and (n_methods - 1)(n_sets - 1).
    """

    chi_square: float
    chi_square_p: float
    f: float
    f_p: float
    freedom: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Methods over data sets.

    Attributes
    ----------
    ranks : (n_methods,)
        Average ranks; 1 is best.
    n_sets
        Data sets.
    friedman
        Whether the methods differ at all.
    critical_difference
        Nemenyi's: two methods differ where their average ranks do by at least this.
    cliques
        Groups of methods that cannot be told apart, best first: the bars of a critical-difference diagram.
    """

    ranks: FloatArray
    n_sets: int
    friedman: Friedman
    critical_difference: float
    cliques: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two methods on the same data sets.

    Attributes
    ----------
    first, second
        Which methods.
    wins, ties, losses
        Sets on which the first is better, level, worse.
    wilcoxon, sign
        Two-sided p-values of Wilcoxon's signed-rank test and of the sign test.
    wilcoxon_holm, sign_holm
        The same, corrected by Holm for all pairs of one comparison.
    lead
        Share of the signed ranks that speaks for the first: above 0.5 Wilcoxon's test leans to it.
    """

    first: int
    second: int
    wins: int
    ties: int
    losses: int
    wilcoxon: float
    wilcoxon_holm: float
    sign: float
    sign_holm: float
    lead: float


# Ranks -----------------------------------------------------------------------------------------------


def rank_methods(errors: FloatArray, level: float = 0.05) -> Ranking:
    """Rank methods over data sets and say which can be told apart.

    Parameters
    ----------
    errors : (n_sets, n_methods)
        Smaller is better.
    level
        Of Nemenyi's test.

    Examples
    --------
    >>> found = rank_methods([[0.1, 0.2, 0.3], [0.2, 0.2, 0.4], [0.0, 0.1, 0.2]])
    >>> found.ranks.round(2).tolist(), found.cliques
    ([1.17, 1.83, 3.0], ((0, 1, 2),))
    """
    ranks = rank_each(errors)
    n_sets, n_methods = ranks.shape
    average: FloatArray = ranks.mean(axis=0)
    difference = critical_difference(n_methods, n_sets, level)
    return Ranking(average, n_sets, friedman(errors), difference, cliques(average, difference))


def rank_each(errors: FloatArray) -> FloatArray:
    """Return the ranks of methods on each data set, (n_sets, n_methods); ties share theirs."""
    table = _as_table(errors)
    return np.array([stats.rankdata(_levels(row, float(np.abs(row).max()))) for row in table])


def friedman(errors: FloatArray) -> Friedman:
    """Test whether methods differ at all.

    Friedman's statistic is corrected for ties, which changes nothing where there are none.

    Parameters
    ----------
    errors : (n_sets, n_methods)
    """
    ranks = rank_each(errors)
    n_sets, n_methods = ranks.shape
    counts = [np.unique(row, return_counts=True)[1].astype(np.float64) for row in ranks]
    in_ties = sum(float((count**3 - count).sum()) for count in counts)
    untied = 1 - in_ties / (n_sets * (n_methods**3 - n_methods))
    return _friedman(ranks.mean(axis=0), n_sets, untied)


def _friedman(ranks: FloatArray, n_sets: int, untied: float) -> Friedman:
    """Test average ranks; `untied` is the share of the greatest spread of ranks that ties leave."""
    n_methods = ranks.size
    freedom = (n_methods - 1, (n_methods - 1) * (n_sets - 1))
    greatest = n_sets * (n_methods - 1)
    if untied <= 0 or n_sets == 1:  # All level, or nothing to compare the order with: no evidence at all.
        chi_square = 0.0 if untied <= 0 else float(greatest)
        return Friedman(chi_square, float(stats.chi2.sf(chi_square, n_methods - 1)), 0.0, 1.0, freedom)
    spread = float(((ranks - (n_methods + 1) / 2) ** 2).sum())
    chi_square = min(12 * n_sets * spread / (n_methods * (n_methods + 1) * untied), greatest)
    left = greatest - chi_square
    f = (n_sets - 1) * chi_square / left if left > ROUNDING * greatest else float("inf")
    return Friedman(
        chi_square,
        float(stats.chi2.sf(chi_square, n_methods - 1)),
        f,
        float(stats.f.sf(f, *freedom)),
        freedom,
    )


def critical_difference(n_methods: int, n_sets: int, level: float = 0.05) -> float:
    """Return Nemenyi's critical difference of average ranks.

    Examples
    --------
    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    if n_methods < 2 or n_sets < 1:
        raise ValueError("A comparison needs two methods or more, on one data set or more.")
    return _quantile(n_methods, level) * float(np.sqrt(n_methods * (n_methods + 1) / (6 * n_sets)))


@lru_cache(maxsize=256)
def _quantile(n_methods: int, level: float) -> float:
    """Return the quantile of the studentised range over sqrt(2); a slow integral."""
    return float(stats.studentized_range.ppf(1 - level, n_methods, np.inf)) / float(np.sqrt(2))


def cliques(ranks: FloatArray, difference: float) -> tuple[tuple[int, ...], ...]:
    """Return the largest groups of two or more methods whose ranks differ by less than `difference`.

    Parameters
    ----------
    ranks : (n_methods,)

    Examples
    --------
    >>> cliques([1.0, 3.0, 1.8, 2.5], 1.0)
    ((0, 2), (2, 3), (3, 1))
    """
    values = np.asarray(ranks, dtype=np.float64)
    order = [int(method) for method in np.argsort(values, kind="stable")]
    found: list[tuple[int, ...]] = []
    reached = 0
    for start, best in enumerate(order):
        end = start + sum(bool(values[method] - values[best] < difference) for method in order[start:])
        if end - start > 1 and end > reached:
            found.append(tuple(order[start:end]))
            reached = end
    return tuple(found)


# Pairs -----------------------------------------------------------------------------------------------


def compare_pairs(errors: FloatArray, pairs: Sequence[tuple[int, int]] | None = None) -> tuple[Pair, ...]:
    """Compare two methods at a time.

    Parameters
    ----------
    errors : (n_sets, n_methods)
    pairs
        Which; None for all. Holm's correction is for as many as are asked for here.
    """
    table = _as_table(errors)
    chosen = list(combinations(range(table.shape[1]), 2)) if pairs is None else list(pairs)
    counted = [win_tie_loss(table[:, first], table[:, second]) for first, second in chosen]
    ranked = [wilcoxon(table[:, first], table[:, second]) for first, second in chosen]
    # A tie speaks for both: half of them counts for each; an odd one is left out.
    signed = [sign_test(wins + ties // 2, losses + ties // 2) for wins, ties, losses in counted]
    leads = [signed_rank_share(table[:, first], table[:, second]) for first, second in chosen]
    return tuple(
        Pair(first, second, *counts, *numbers)
        for (first, second), counts, *numbers in zip(
            chosen, counted, ranked, holm(ranked), signed, holm(signed), leads, strict=True
        )
    )


def win_tie_loss(first: FloatArray, second: FloatArray) -> tuple[int, int, int]:
    """Count the sets on which the first method is better, level and worse.

    Parameters
    ----------
    first, second : (n_sets,)

    Examples
    --------
    >>> win_tie_loss([0.1, 0.1 + 0.2, 0.5], [0.2, 0.3, 0.4])
    (1, 1, 1)
    """
    signs = np.sign(_differences(first, second))
    return int((signs < 0).sum()), int((signs == 0).sum()), int((signs > 0).sum())


def wilcoxon(first: FloatArray, second: FloatArray) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test.

    Exact up to `MOST_EXACT` sets, with ties too: every way to give the differences signs is equally likely.

    Differs from the paper: where there is an odd number of level sets none is ignored, because half of
    the ranks that they share goes to each side anyway.

    Parameters
    ----------
    first, second : (n_sets,)
    """
    used, positive = _signed_ranks(first, second)
    if not used.size:
        return 1.0
    if used.size > MOST_EXACT:
        z = 2 * (used[positive].sum() - used.sum() / 2) / np.sqrt((used**2).sum())
        return float(2 * stats.norm.sf(abs(z)))
    # Twice a rank is a whole number: count by dynamic programming how often every sum of them occurs.
    doubled = np.rint(2 * used).astype(np.int64)
    share = np.zeros(int(doubled.sum()) + 1)
    share[0] = 1.0
    for rank in doubled:
        share = share / 2
        share[rank:] += share[:-rank].copy()
    sums = np.arange(share.size)
    as_far = np.abs(2 * sums - doubled.sum()) >= abs(2 * doubled[positive].sum() - doubled.sum())
    return min(1.0, float(share[as_far].sum()))


def signed_rank_share(first: FloatArray, second: FloatArray) -> float:
    """Return the share of Wilcoxon's signed ranks that speaks for the first; 0.5 where all is level.

    Parameters
    ----------
    first, second : (n_sets,)

    Examples
    --------
    >>> round(signed_rank_share([0.1, 0.1, 0.3], [0.2, 0.3, 0.25]), 2)
    0.83
    """
    used, positive = _signed_ranks(first, second)
    return float(used[~positive].sum() / used.sum()) if used.size else 0.5


def _signed_ranks(first: FloatArray, second: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return the ranks of the differences that are not 0, and which of these are above 0."""
    differences = _differences(first, second)
    ranks = stats.rankdata(_levels(np.abs(differences), _largest(first, second)))
    return ranks[differences != 0], differences[differences != 0] > 0


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Correct the p-values of several tests by Holm's step-down rule.

    Examples
    --------
    >>> holm([0.04, 0.01, 0.5])
    (0.08, 0.03, 0.5)
    """
    order = np.argsort(p_values, kind="stable")
    left = len(order) - np.arange(len(order))
    corrected = np.empty(len(order))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(np.asarray(p_values)[order] * left))
    return tuple(corrected.tolist())


# What counts as level --------------------------------------------------------------------------------


def _as_table(errors: FloatArray) -> FloatArray:
    table = np.asarray(errors, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < 2:
        raise ValueError("A comparison needs two methods or more, on one data set or more.")
    if not np.isfinite(table).all():
        raise ValueError(
            "A comparison needs the error of every method on every data set: leave out what lacks one."
        )
    return table


def _levels(values: FloatArray, largest: float) -> IntArray:
    """Give values the numbers of their places; those that differ by rounding of `largest` share one."""
    order = np.argsort(values, kind="stable")
    rises = np.diff(values[order], prepend=values[order[:1]]) > ROUNDING * largest
    levels: IntArray = np.empty(values.size, dtype=np.int64)
    levels[order] = np.cumsum(rises)
    return levels


def _largest(first: FloatArray, second: FloatArray) -> float:
    return float(max(np.abs(first).max(initial=0.0), np.abs(second).max(initial=0.0)))


def _differences(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return first - second, exactly 0 where a set's two errors are level."""
    first, second = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    differences: FloatArray = first - second
    differences[np.abs(differences) <= ROUNDING * np.maximum(np.abs(first), np.abs(second))] = 0.0
    return differences
