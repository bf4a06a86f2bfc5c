"""How far scores may move when a point is left out, and the margins that are left at the worst.

Symbols: F -> scores (n, l), A -> dual coefficients (n, l), G -> kernel of each point with itself (n,),
M -> code_matrix (k, l), y -> class of each point (n,), T -> M[y] (n, l), eps -> duality gaps (l,), which
rounding may leave below zero.
"""

import numpy as np
from numba import njit

from ecocviz.engine.types import Bits, BoolArray, CodeMatrix, Costs, FloatArray, IntArray, Scores


@njit(cache=True, nogil=True, error_model="numpy")
def _reach(f: float, alpha: float, side: float, g: float, eps: float) -> float:
    """Return how far the score of a point that supports the machine may move against its side."""
    delta = eps + alpha * (1 - side * f) + 0.5 * alpha * alpha * g
    reach: float = alpha * g + min(eps / alpha, np.sqrt(2 * max(delta, 0.0) * g))
    return reach


@njit(cache=True, nogil=True)
def interval_ends(
    F: Scores, A: FloatArray, G: FloatArray, T: Bits, eps: FloatArray, rounding: float
) -> tuple[Scores, Scores]:
    """Return the least and greatest score of each point left out, (n, l) each.

    Parameters
    ----------
    rounding
        Share of 1 + |score| by which both ends move outwards.
    """
    n, n_bits = F.shape
    low, high = np.empty((n, n_bits)), np.empty((n, n_bits))
    eps = np.maximum(eps, 0.0)
    slips = np.sqrt(2 * eps)
    for i in range(n):
        root = np.sqrt(G[i])
        for s in range(n_bits):
            f, alpha, side = F[i, s], A[i, s], T[i, s]
            outward = slips[s] * root
            inward = _reach(f, alpha, side, G[i], eps[s]) if alpha > 0 else outward
            margin = rounding * (1 + abs(f))
            low[i, s] = f - (inward if side > 0 else outward) - margin
            high[i, s] = f + (inward if side < 0 else outward) + margin
    return low, high


@njit(cache=True, nogil=True)
def border_scores(
    F: Scores,
    A: FloatArray,
    G: FloatArray,
    M: CodeMatrix,
    y: IntArray,
    eps: FloatArray,
    rounding: float,
    falls: BoolArray,
) -> tuple[Scores, Scores]:
    """Return the scores at which classes with -1, and those with +1, lead the true class most, (n, l) each.

    They are ends of the intervals that `interval_ends` returns, and one and the same end where the
    machine was shown the point.

    Parameters
    ----------
    falls : (l,)
        Whether a falling score favours classes with -1; where not, it favours those with +1.
    """
    n, n_bits = F.shape
    for_minus, for_plus = np.empty((n, n_bits)), np.empty((n, n_bits))
    eps = np.maximum(eps, 0.0)
    slips, sides = np.sqrt(2 * eps), M.astype(np.float64)
    against = np.where(falls, 1.0, -1.0)
    distance = np.empty(n_bits)
    for i in range(n):
        # Three short loops: the first and the last, which go over all machines, are vectorised.
        root, own = np.sqrt(G[i]), sides[y[i]]
        for s in range(n_bits):
            distance[s] = slips[s] * root
        for s in range(n_bits):
            if A[i, s] > 0 and falls[s]:
                distance[s] = _reach(F[i, s], A[i, s], own[s], G[i], eps[s])
        for s in range(n_bits):
            f, side = F[i, s], own[s]
            step = against[s] * (distance[s] + rounding * (1 + abs(f)))
            for_minus[i, s] = f + step if side < 0 else f - step
            for_plus[i, s] = f - step if side > 0 else f + step
    return for_minus, for_plus


@njit(cache=True, nogil=True)
def margins_and_losers(D: Costs, y: IntArray, rounding: float) -> tuple[FloatArray, BoolArray]:
    """Return least cost of a wrong class minus that of the true one, and where the true one may not win.

    Parameters
    ----------
    D : (n, k)
        Costs of the classes.
    rounding
        Share of 1 + the largest |cost| up to which a margin counts as a tie, which is lost.

    Returns
    -------
    margins, losers : (n,)
    """
    n, k = D.shape
    margins, losers = np.empty(n), np.empty(n, dtype=np.bool_)
    for i in range(n):
        least, size = np.inf, 0.0
        for c in range(k):
            size = max(size, abs(D[i, c]))
            if c != y[i]:
                least = min(least, D[i, c])
        margins[i] = least - D[i, y[i]]
        losers[i] = margins[i] <= rounding * (1 + size)
    return margins, losers
