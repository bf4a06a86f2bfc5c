"""How likely more machines err than a code repairs: for independent machines, and for correlated ones.

A point with S wrong bits is decided rightly by Hamming decoding if S is at most what the code repairs. So
P(S > repairs) bounds the error from above, and what is known of the machines bounds that: their rates of
error alone where they err independently, the correlations of every two of them where they do not. After
[Nguyen2021]_, of which the abstract could be had only: the bounds are rebuilt from the literature it builds
on (Chernoff for independent machines, Bahadur's expansion for correlated ones), and two that need no model
stand beside them.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from ecocviz.engine.analysis.bits import BitReport
from ecocviz.engine.types import FloatArray

NEGATIVE = 1e-9
"""A chance below zero by more than rounding."""
SLACK = 1e-6
"""By which a computed bound is raised for what the solver's tolerance may have taken."""


def independent_counts(rates: FloatArray) -> FloatArray:
    """Return the chances of 0, 1, 2, ... wrong bits of independent machines, (n_bits + 1,).

    Parameters
    ----------
    rates : (n_bits,)
        How often each machine errs.

    Examples
    --------
    >>> independent_counts(np.array([0.5, 0.5])).tolist()
    [0.25, 0.5, 0.25]
    """
    counts = np.zeros(rates.size + 1)
    counts[0] = 1.0
    for rate in rates.tolist():
        counts[1:] = counts[1:] * (1 - rate) + counts[:-1] * rate
        counts[0] *= 1 - rate
    return counts


def first_order_counts(rates: FloatArray, covariances: FloatArray) -> FloatArray:
    """Return the counts of machines that are correlated two by two, and no further, (n_bits + 1,).

    Bahadur's expansion cut after the pairs: the chance of every pattern of errors is that of independent
    machines times 1 + the sum over pairs of cov_ij z_i z_j / (p_i q_i p_j q_j), z being the error minus its
    mean. Its counts have the generating function prod(q_i + p_i t) + (t - 1)^2 sum over pairs of
    cov_ij prod over the others of (q_k + p_k t). They sum to 1 and have the mean and the variance asked for;
    strong correlations make some of them negative, which says that no such machines exist.

    Symbols: p_i -> rates, q_i -> 1 - rates.

    Parameters
    ----------
    rates : (n_bits,)
    covariances : (n_bits, n_bits)
        Of the errors; the diagonal is not read.

    Examples
    --------
    >>> first_order_counts(np.array([0.5, 0.5]), np.array([[0.0, 0.25], [0.25, 0.0]])).round(9).tolist()
    [0.5, 0.0, 0.5]
    """
    n = rates.size
    at = np.exp(-2j * np.pi * np.arange(n + 1 + n % 2) / (n + 1 + n % 2))  # oddly many: -1 is not one of them
    factors = (1 - rates) + rates * at[:, None]
    inverse = 1 / factors
    pairs = covariances - np.diag(np.diag(covariances))
    added = ((inverse @ pairs) * inverse).sum(axis=1) / 2
    values = factors.prod(axis=1) * (1 + (at - 1) ** 2 * added)
    counts: FloatArray = np.fft.ifft(values).real[: n + 1]
    return counts


def chernoff_tail(rate: float, n_bits: int, k: int) -> float:
    """Bound the chance that more than k of n independent machines err, which they do at a mean rate.

    exp(-n KL(r | p)) with r = (k + 1) / n: exponential in the length of the code [Hoeffding1963]_.

    Examples
    --------
    >>> round(chernoff_tail(0.1, 15, 3), 3), chernoff_tail(0.5, 15, 3), chernoff_tail(0.0, 15, 3)
    (0.188, 1.0, 0.0)
    """
    reached = (k + 1) / n_bits
    if reached > 1:
        return 0.0
    if reached <= rate:
        return 1.0
    if rate <= 0:
        return 0.0
    far = reached * np.log(reached / rate)
    far += (1 - reached) * np.log((1 - reached) / (1 - rate)) if reached < 1 else 0.0
    return float(np.exp(-n_bits * far))


def cantelli_tail(mean: float, variance: float, k: int) -> float:
    """Bound the chance that a number with a mean and a variance is more than k: Cantelli's inequality.

    >>> cantelli_tail(1.0, 1.0, 1), cantelli_tail(2.0, 1.0, 1)
    (0.5, 1.0)
    """
    above = k + 1 - mean
    return 1.0 if above <= 0 else float(variance / (variance + above * above))


def sharp_tail(mean: float, variance: float, n_bits: int, k: int) -> float:
    """Return the largest chance of more than k wrong bits that a mean and a variance of their number allow.

    The linear program over all distributions on 0, 1, ..., n_bits (see [Prekopa1988]_): no bound that
    knows only these two is smaller.

    Examples
    --------
    >>> round(sharp_tail(1.0, 0.5, 4, 1), 4), round(sharp_tail(0.0, 0.0, 4, 1), 4)
    (0.25, 0.0)
    """
    counts = np.arange(n_bits + 1, dtype=np.float64)
    beyond = (counts > k).astype(np.float64)
    share = counts / max(n_bits, 1)  # of numbers near 1 the solver loses least
    moments = [1.0, mean / max(n_bits, 1), (variance + mean * mean) / max(n_bits, 1) ** 2]
    found = linprog(-beyond, A_eq=np.vstack([np.ones_like(share), share, share**2]), b_eq=moments)
    if found.fun is None or found.status != 0:  # moments that rounding has put beside every distribution
        return cantelli_tail(mean, variance, k)
    return float(min(max(-found.fun, 0.0) + SLACK, 1.0))


@dataclass(frozen=True, slots=True)
class Tails:
    """Shares of points with more than 0, 1, 2, ... wrong bits, (n_shown,) each.

    Attributes
    ----------
    observed
        As it is.
    independent
        If machines with these rates erred independently: exact under that assumption.
    chernoff
        An exponential bound on that.
    first_order
        If they were correlated as they are, two by two and no further; between 0 and 1.
    cantelli, sharp
        No set of machines with this mean and this variance of wrong bits can have more.
    paired_exist
        False where there are certainly no machines that are correlated as these, two by two and no further:
        some of their counts would be negative, so that `first_order` is no distribution. True does not show
        that there are: the counts may hide a pattern of errors whose chance is negative.
    """

    observed: FloatArray
    independent: FloatArray
    chernoff: FloatArray
    first_order: FloatArray
    cantelli: FloatArray
    sharp: FloatArray
    paired_exist: bool


def tails(report: BitReport, most: int) -> Tails:
    """Bound how often more than 0, 1, ..., most wrong bits come together.

    Points that are asked by other machines, which ternary codes have, count as a mixture: what bounds every
    part bounds the whole.

    Parameters
    ----------
    report
        Of at least one point.
    most
        The last number of wrong bits that is looked at.
    """
    n, n_bits = report.wrong.shape
    shown = np.arange(min(most, n_bits) + 1)
    wrong = report.wrong.astype(np.float64)
    mean, variance = float(report.wrong_bits.mean()), float(report.wrong_bits.var())
    counts = np.zeros(n_bits + 1)
    chernoff = np.zeros(shown.size)
    rates = 1 - np.nan_to_num(report.accuracies, nan=1.0)
    patterns, points = np.unique(report.asked, axis=0, return_counts=True)
    for pattern, weight in zip(patterns, (points / n).tolist(), strict=True):
        asked = rates[pattern]
        counts[: asked.size + 1] += weight * independent_counts(asked)
        chernoff += weight * _chernoff_tails(asked, shown.tolist())
    centred = wrong - wrong.mean(axis=0)
    paired = first_order_counts(wrong.mean(axis=0), centred.T @ centred / n)
    return Tails(
        _beyond(report.histogram / n, shown.size),
        _beyond(counts, shown.size),
        chernoff,
        np.clip(_beyond(paired, shown.size), 0.0, 1.0),
        np.array([cantelli_tail(mean, variance, k) for k in shown.tolist()]),
        np.array([sharp_tail(mean, variance, n_bits, k) for k in shown.tolist()]),
        bool((paired > -NEGATIVE).all()),
    )


def _chernoff_tails(rates: FloatArray, shown: list[int]) -> FloatArray:
    if not rates.size:
        return np.zeros(len(shown))
    return np.array([chernoff_tail(float(rates.mean()), rates.size, k) for k in shown])


def _beyond(chances: FloatArray, n_shown: int) -> FloatArray:
    """Return the chances of more than 0, 1, 2, ..., (n_shown,)."""
    found: FloatArray = np.append(np.cumsum(chances[::-1])[::-1][1:], 0.0)[:n_shown]
    return found
