"""What a trained code promises: exact empirical loss, elimination rounds, and bounds as numbers.

The bounds are vacuous at usual sample sizes. They are computed all the same, because how far they
are from saying anything is worth seeing, and are never clipped at 1.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ecocviz.engine.types import FloatArray, IntArray

RADIUS_CAVEAT = "R is estimated from the sample, while the theorem asks for the radius of the whole support."


@dataclass(frozen=True, slots=True)
class GeneralizationBounds:
    """Bounds on the probability of error, each with probability 1 - delta over samples.

    Attributes
    ----------
    applicable
        Whether every training point beats all other classes; all numbers below are infinite if not.
    margin
        rho: by how much the true class leads at the worst training point.
    radius_squared
        R^2.
    spread
        D' of Theorem 4: sum over pairs of classes of one over the squared margin.
    by_margins
        Theorem 4, from the pairs' own margins.
    by_norm
        Corollary 2, from the norm of the code.
    by_class : (n_classes,)
        Corollary 3: error in telling each class from the rest.
    caveat
        What to say next to the numbers.
    """

    applicable: bool
    margin: float
    radius_squared: float
    spread: float
    by_margins: float
    by_norm: float
    by_class: FloatArray
    caveat: str


def empirical_loss(class_scores: npt.NDArray[np.generic], y_index: IntArray) -> float:
    """Return the expected share of errors when ties are broken by lot.

    Implements Eq. 1 of [Crammer2002]_. Scores are compared exactly: integers as integers, floats
    without a tolerance.

    Symbols: H(x) -> the classes of largest score, y -> y_index.

    Parameters
    ----------
    class_scores : (n_samples, n_classes)
        Larger is better.
    y_index : (n_samples,)

    Examples
    --------
    >>> empirical_loss(np.array([[1, 1, 0], [0, 2, 0]]), np.array([0, 1]))
    0.25
    """
    winners = class_scores == class_scores.max(axis=1, keepdims=True)
    right = winners[np.arange(y_index.size), y_index] / winners.sum(axis=1)
    return float(1.0 - right.mean())


def eliminate(class_scores: FloatArray, order: IntArray | None = None) -> IntArray:
    """Return the class that survives pairwise elimination, (n_samples,).

    The decision DAG of section 7 of [Crammer2002]_: the first and the last label of a list are
    compared, the loser leaves, k - 1 times. For classifiers induced by one code this finds a largest
    score whatever the order.

    Parameters
    ----------
    class_scores : (n_samples, n_classes)
    order : (n_classes,), optional
        Order of the list at the start; 0, 1, ... when left out.
    """
    n_samples, n_classes = class_scores.shape
    labels = np.arange(n_classes) if order is None else np.asarray(order)
    if not np.array_equal(np.sort(labels), np.arange(n_classes)):
        raise ValueError(f"The order must name each of the classes 0 to {n_classes - 1} once.")
    first = np.zeros(n_samples, dtype=np.int64)
    last = np.full(n_samples, n_classes - 1)
    rows = np.arange(n_samples)
    for _ in range(n_classes - 1):
        keeps_first = class_scores[rows, labels[first]] > class_scores[rows, labels[last]]
        last = np.where(keeps_first, last - 1, last)
        first = np.where(keeps_first, first, first + 1)
    survivors: IntArray = labels[first].astype(np.int64)
    return survivors


def generalization_bounds(
    class_scores: FloatArray,
    y_index: IntArray,
    codeword_gram: FloatArray,
    radius_squared: float,
    *,
    delta: float = 0.05,
    log_base: float = np.e,
) -> GeneralizationBounds:
    """Compute the bounds for the classifier that takes the largest class score.

    Implements Theorem 4 and Corollaries 2 and 3 of [Crammer2002]_.

    Symbols: M_r . x_i -> class_scores, M M^T -> codeword_gram, R^2 -> radius_squared, k ->
    n_classes, m -> n_samples.

    Differs from the paper: the code is divided by its margin rho and centred first, because the
    corollaries need a functional margin of at least 1 and rest on codewords that sum to zero.

    Parameters
    ----------
    class_scores : (n_samples, n_classes)
        On the training points.
    y_index : (n_samples,)
    codeword_gram : (n_classes, n_classes)
        Inner products of the codewords, in the space of the kernel.
    radius_squared
        Largest K(x, x).
    delta
        Probability that the bounds do not hold.
    log_base
        The paper does not name the base of its logarithms; 2 about doubles the numbers.
    """
    if not 0 < delta < 1:
        raise ValueError(f"delta is a probability between 0 and 1, not {delta}.")
    if not log_base > 1:
        raise ValueError(f"The base of the logarithms must be above 1, not {log_base}.")
    n_samples, n_classes = class_scores.shape
    rows = np.arange(n_samples)
    leads = class_scores[rows, y_index][:, None] - class_scores
    leads[rows, y_index] = np.inf
    margin = float(leads.min())
    if not margin > 0:
        infinite = np.full(n_classes, np.inf)
        return GeneralizationBounds(
            False, margin, radius_squared, np.inf, np.inf, np.inf, infinite,
            "Not applicable: some training point is not told apart from another class.",
        )  # fmt: skip
    # Distances do not change under a shift of all codewords; norms are least when centred.
    centred = codeword_gram - codeword_gram.mean(axis=0) - codeword_gram.mean(axis=1)[:, None]
    centred = (centred + codeword_gram.mean()) / margin**2
    norms = np.diagonal(centred)
    spread = _spread(class_scores, y_index, codeword_gram)
    unit = np.log(log_base)

    def bound(D: FloatArray | float, n_nodes: int) -> FloatArray:
        logs = np.log(4 * np.e * n_samples) * np.log(4 * n_samples) / unit**2
        rest = (np.log(2 / delta) + n_nodes * np.log(2 * n_samples)) / unit
        return np.asarray(130.0 * radius_squared / n_samples * (D * logs + rest))

    n_pairs = n_classes * (n_classes - 1) // 2
    by_norm = float(bound(n_classes * float(norms.sum()), n_pairs))
    caveat = RADIUS_CAVEAT
    if by_norm >= 1:
        caveat += " At this sample size the bound says nothing: an error rate is never above 1."
    return GeneralizationBounds(
        True,
        margin,
        radius_squared,
        spread,
        float(bound(spread, n_pairs)),
        by_norm,
        bound(n_classes * norms + norms.sum(), n_classes - 1),
        caveat,
    )


def _spread(class_scores: FloatArray, y_index: IntArray, codeword_gram: FloatArray) -> float:
    """Return D' = sum over pairs r < s of gamma_rs^-2; a pair without examples has no margin."""
    n_classes = class_scores.shape[1]
    norms = np.diagonal(codeword_gram)
    spread = 0.0
    for r in range(n_classes):
        for s in range(r + 1, n_classes):
            shown = (y_index == r) | (y_index == s)
            if shown.any():
                nearest = np.abs(class_scores[shown, r] - class_scores[shown, s]).min()
                spread += float((norms[r] + norms[s] - 2 * codeword_gram[r, s]) / nearest**2)
    return spread
