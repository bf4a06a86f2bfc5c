"""What the theory of the single machine says as numbers: a risk bound, and where the loss is consistent."""

from dataclasses import dataclass

import numpy as np

from ecocviz.engine.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class RiskBound:
    """The bound of Lemma 4.1 of [ElYaniv2008]_, and what it is made of.

    Attributes
    ----------
    value
        The bound on the error as a probability, at most 1. It is 1 at any size met in practice, so
        that only comparisons of `raw` between settings tell anything.
    raw
        The same number as the formula gives it; infinite where the formula does not hold.
    margin_error
        Share of the replicas with a normalised margin below `margin`.
    complexity
        The square root of Q.
    margin, delta, radius
        gamma, the confidence 1 - delta, and R.
    n_classes, n_matrices, n_samples
        c, n and m.
    """

    value: float
    raw: float
    margin_error: float
    complexity: float
    margin: float
    delta: float
    radius: float
    n_classes: int
    n_matrices: int
    n_samples: int


def complexity(n_samples: int, n_matrices: int, radius: float, *, margin: float, delta: float) -> float:
    """Return sqrt(Q) of Lemma 4.1, infinite where its first logarithm is not positive.

    Q = 8/m (2 + 256 R / gamma^2 ln(gamma e m / (8 sqrt R)) ln(128 m R / gamma^2) - ln delta
    + n ln(128 e m^3 R / (gamma^2 n))), all logarithms natural.

    Examples
    --------
    >>> round(complexity(10**9, 3, 1.0, margin=1.0, delta=0.05), 3)
    0.032
    """
    m, n, R, gamma = float(n_samples), float(n_matrices), radius, margin
    if gamma * np.e * m <= 8 * np.sqrt(R):
        return float("inf")
    ratio = R / gamma**2
    size = 256 * ratio * np.log(gamma * np.e * m / (8 * np.sqrt(R))) * np.log(128 * m * ratio)
    search = n * np.log(128 * np.e * m**3 * ratio / n)
    Q = 8 / m * (2 + size - np.log(delta) + search)
    return float(np.sqrt(Q)) if Q >= 0 else float("inf")


def margin_error(
    scores: FloatArray, targets: FloatArray, norm: float, margin: float, draw: IntArray | None = None
) -> float:
    """Return the share of replicas with Y h / |w| < gamma.

    The paper's sample S_2 holds one random replica per point; without a draw this is the expectation
    over it.

    Differs from the paper: the theorem it cites is about predictors of norm one, so scores are
    divided by the norm of the machine.

    Parameters
    ----------
    scores, targets : (n_samples, n_columns)
    norm
        |w|.
    draw : (n_samples,), optional
        The replica taken of each point.
    """
    low = targets * scores < margin * norm
    if draw is None:
        return float(low.mean())
    return float(low[np.arange(low.shape[0]), draw].mean())


def risk_bound(
    scores: FloatArray,
    targets: FloatArray,
    norm: float,
    radius: float,
    n_matrices: int,
    *,
    margin: float,
    delta: float,
    seed: int | None = None,
) -> RiskBound:
    """Return c times margin error plus c sqrt(Q): Eq. 10 of [ElYaniv2008]_.

    Parameters
    ----------
    scores, targets : (n_samples, n_classes)
    norm
        |w|.
    radius
        R, at least the kernel of any replica with itself.
    n_matrices
        n, the number of class kernels that were combined.
    margin
        gamma.
    delta
        The bound holds with probability 1 - delta.
    seed
        Draws the paper's sample of replicas; None takes the expectation.
    """
    if not margin > 0:
        raise ValueError(f"The margin must be above 0, not {margin}.")
    if not 0 < delta < 1:
        raise ValueError(f"delta must lie between 0 and 1, not {delta}.")
    m, c = scores.shape
    draw: IntArray | None = None if seed is None else np.random.default_rng(seed).integers(0, c, (m,))
    missed = margin_error(scores, targets, norm, margin, draw)
    slack = complexity(m, n_matrices, radius, margin=margin, delta=delta)
    raw = c * (missed + slack)
    return RiskBound(min(1.0, raw), raw, missed, slack, margin, delta, radius, c, n_matrices, m)
