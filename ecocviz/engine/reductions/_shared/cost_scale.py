"""Class probabilities of a decoder's costs: how fast they fall with the cost, learned from held-out points.

Why so, and what else was tried, stands in docs/decisions/0028.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from ecocviz.engine.types import Costs, FloatArray, IntArray

CALIBRATED, PAPER = "calibrated", "paper"
PROBABILITY = (CALIBRATED, PAPER)
"""Which probabilities of classes a classifier gives."""
HOTTEST, COLDEST = 1e6, 1e-9
"""Bounds of a temperature, in mean excess costs: then held-out costs say nothing, or all."""
BENDS = 4.0 ** np.arange(-2, 8)
"""What is tried beside 0, over the mean excess cost."""
TELLING = 2.0
"""Nats by which a bend must beat none, as sigmoids of their own must beat the bare share of the sides."""
COUPLED_SHARES = (0.5, 1.0)
"""What shares of the probabilities may be those of pairwise coupling, beside none,"""
TELLING_SHARE = 0.01
"""and by what share of the log-loss they must beat none: coupling takes far longer."""
LARGEST_COST = 1e150
"""Excess costs beyond this are as good as infinite."""


class CostScale(NamedTuple):
    """How fast probability falls with what a class costs more than the cheapest.

    Attributes
    ----------
    temperature
        The excess cost that makes a class e times less probable, near 0.
    bend
        b: an excess cost of e counts like log(1 + b e) / b, so that far ones count less; 0 for e itself.
    """

    temperature: float
    bend: float


def check_probability(probability: object) -> str:
    """Return which probabilities are asked for, or raise with a sentence.

    >>> check_probability("exact")
    Traceback (most recent call last):
        ...
    ValueError: probability is "calibrated" or "paper", not 'exact'.
    """
    if not isinstance(probability, str) or probability not in PROBABILITY:
        raise ValueError(f'probability is "calibrated" or "paper", not {probability!r}.')
    return probability


def _excess(costs: Costs) -> FloatArray:
    """Return by how much each class costs more than the cheapest, (n_samples, n_classes)."""
    least = costs.min(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", over="ignore"):
        excess: FloatArray = np.where(costs == least, 0.0, costs - least)
    return excess


def _bent(excess: FloatArray, bend: float) -> FloatArray:
    bent: FloatArray = np.log1p(bend * excess) / bend if bend else excess
    return bent


def cost_shares(costs: Costs, scale: CostScale) -> FloatArray:
    """Return probabilities proportional to exp(-excess cost / temperature), bent, (n_samples, n_classes).

    The first class of least cost always is the first of largest probability: where rounding makes others
    equal to it, it gets the next larger number.

    Examples
    --------
    >>> costs = np.array([[0.0, np.log(3.0)], [np.inf, 1.0], [1e-30, 0.0]])
    >>> cost_shares(costs, CostScale(1.0, 0.0)).round(4).tolist()
    [[0.75, 0.25], [0.0, 1.0], [0.5, 0.5]]
    """
    with np.errstate(over="ignore"):
        shares: FloatArray = np.exp(-_bent(_excess(costs), scale.bend) / scale.temperature)
    return settled(shares, costs)


def settled(shares: FloatArray, costs: Costs) -> FloatArray:
    """Return shares, (n_samples, n_classes), summing to one; the first largest is the class decided for."""
    shares = shares / shares.sum(axis=1, keepdims=True)
    winners = np.argmin(costs, axis=1)
    tied = np.flatnonzero(shares.argmax(axis=1) != winners)
    shares[tied, winners[tied]] = np.nextafter(shares[tied].max(axis=1), np.inf)
    return shares


def coupled_shares(shares: FloatArray, coupled: FloatArray, share: float, costs: Costs) -> FloatArray:
    """Return shares of which some are from coupling, (n_samples, n_classes), and which keep the decision.

    Where coupling would decide otherwise, the class of least cost and what is above it meet at their mean.

    Examples
    --------
    >>> costs = np.array([[0.0, 1.0, 2.0]])
    >>> coupled_shares(np.exp(-costs), np.array([[0.2, 0.6, 0.2]]), 1.0, costs)
    array([[0.4, 0.4, 0.2]])
    """
    shares = (1.0 - share) * shares + share * coupled
    rows, winners = np.arange(shares.shape[0]), np.argmin(costs, axis=1)
    own = shares[rows, winners]
    shares[rows, winners] = -np.inf
    others = -np.sort(-shares, axis=1)[:, :-1]
    means = (own[:, None] + np.cumsum(others, axis=1)) / np.arange(2.0, shares.shape[1] + 1)
    level = np.maximum(own, means.max(axis=1, initial=0.0))
    shares = np.minimum(shares, level[:, None])
    shares[rows, winners] = level
    return settled(shares, costs)


def fit_coupled_share(
    shares: FloatArray, coupled: FloatArray, costs: Costs, truth: IntArray, counts: FloatArray
) -> float:
    """Return coupling's share of least log-loss, by the targets of `fit_scale`; 0 where little is gained.

    What is known of the points is as it is there, `shares` and `coupled` are (n_samples, n_classes).
    """
    targets = _soft_targets(truth, counts, costs.shape[1])

    def loss(share: float) -> float:
        found = coupled_shares(shares, coupled, share, costs) if share else shares
        return -float((targets * np.log(np.maximum(found, np.finfo(np.float64).tiny))).sum())

    best = min(COUPLED_SHARES, key=loss)
    return best if loss(best) < (1.0 - TELLING_SHARE) * loss(0.0) else 0.0


def _soft_targets(truth: IntArray, counts: FloatArray, n_classes: int) -> FloatArray:
    """Return what the probabilities should be, times what the points count, (n_samples, n_classes)."""
    missed = 1.0 / (counts.sum() + 2.0)
    targets = np.full((truth.size, n_classes), missed / (n_classes - 1))
    targets[np.arange(truth.size), truth] = 1.0 - missed
    return targets * counts[:, None]


def fit_scale(costs: Costs, truth: IntArray, counts: FloatArray) -> CostScale:
    """Return the scale of least log-loss; (1, 0) where no point counts or no class costs more than another.

    The true class of n points is taken to be so with probability 1 - 1 / (n + 2), each other one with an
    equal share of the rest, as sigmoids are fitted to soft targets: costs that are never wrong then have a
    temperature above 0, in whatever unit they are.

    Parameters
    ----------
    costs : (n_samples, n_classes)
        Of points by machines that were not trained on them.
    truth : (n_samples,)
        Class numbers.
    counts : (n_samples,)
        As how many points each point counts.

    Examples
    --------
    >>> costs, truth = np.array([[0.0, 2.0]] * 4), np.array([0, 0, 0, 1])
    >>> fit_scale(costs, truth, np.full(4, 1e6)).temperature.__round__(3)  # a quarter is wrong: 2 / log 3
    1.82
    """
    used = counts > 0
    excess, truth, counts = np.minimum(_excess(costs[used]), LARGEST_COST), truth[used], counts[used]
    unit = float(counts @ excess.mean(axis=1)) / float(counts.sum()) if truth.size else 0.0
    if unit == 0.0:
        return CostScale(1.0, 0.0)
    targets = _soft_targets(truth, counts, excess.shape[1])
    tried = [(*_best_coldness(_bent(excess / unit, bend), targets), bend) for bend in (0.0, *BENDS)]
    loss, coldness, bend = min(tried, key=lambda found: found[0])
    if loss > tried[0][0] - TELLING:
        _, coldness, bend = tried[0]
    return CostScale(unit / coldness, float(bend) / unit)


def _best_coldness(excess: FloatArray, targets: FloatArray) -> tuple[float, float]:
    """Return the least log-loss in nats and 1 / temperature there: it is convex in that.

    Parameters
    ----------
    excess : (n_samples, n_classes)
    targets : (n_samples, n_classes)
        Probabilities of the classes, times what the point counts.
    """
    counts, wanted = targets.sum(axis=1), float((targets * excess).sum())

    def slope(log_coldness: float) -> float:
        """Return what the targets cost over what the probabilities say: it rises with the coldness."""
        shares = np.exp(-np.exp(log_coldness) * excess)
        said: FloatArray = (shares * excess).sum(axis=1) / shares.sum(axis=1)
        return wanted - float(counts @ said)

    low, high = -np.log(HOTTEST), -np.log(COLDEST)
    best = high if slope(low) < 0.0 else low
    if slope(low) < 0.0 < slope(high):
        best = brentq(slope, low, high, xtol=1e-9)
    coldness = float(np.exp(best))
    partition: FloatArray = np.log(np.exp(-coldness * excess).sum(axis=1))
    return coldness * wanted + float(counts @ partition), coldness
