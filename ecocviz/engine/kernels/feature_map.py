"""Ascent for the linear machines behind a fixed continuous code: the other half of joint training.

Symbols: X -> points (m, d), W -> linear machines (l, d), M -> code (k, l), class scores f = X W^T
M^T, b -> required margins, eta -> distributions, tau = one-hot(y) - eta, W = M^T tau^T X / beta.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

RealArray: TypeAlias = npt.NDArray[Any]
"""Any precision, or whole numbers: whatever the compiled loop is called with."""

PAIRS = 100
"""Most exchanges between two classes in one visit to an example."""
SETTLED = 0.1
"""A visit ends when the example's violation has fallen to this share."""


@njit(cache=True, nogil=True)
def ascend_on_map(  # noqa: C901, PLR0912 - one compiled pass
    X: RealArray,
    squares: RealArray,
    beta: float,
    M: RealArray,
    P: RealArray,
    b: RealArray,
    eta: RealArray,
    W: RealArray,
    order: RealArray,
) -> float:
    """Visit examples in a given order; return the worst violation met.

    An example's share of the dual is not a projection here, because the code is not orthogonal. Its
    weight is moved between the class of largest score and the worst class that has weight, exactly
    for each such pair, so the dual objective never decreases.

    Parameters
    ----------
    X : (m, d)
    squares : (m,)
        |x_i|^2.
    beta
        Weight of |W|^2 / 2.
    M : (k, l)
    P : (k, k)
        M M^T.
    b, eta : (m, k)
        eta is changed in place.
    W : (l, d)
        Changed in place.
    order : (n,)
    """
    k, n_bits = M.shape
    d = X.shape[1]
    g = np.empty(k)
    h = np.empty(n_bits)
    moved = np.empty(k)
    worst = 0.0
    for p in order:
        for t in range(n_bits):
            h[t] = np.dot(W[t], X[p])
        for r in range(k):
            g[r] = b[p, r] + np.dot(M[r], h)
            moved[r] = 0.0
        first = -1.0
        for _ in range(PAIRS):
            top = 0
            low = -1
            for r in range(k):
                if g[r] > g[top]:
                    top = r
                if eta[p, r] > 0.0 and (low < 0 or g[r] < g[low]):
                    low = r
            psi = g[top] - g[low]
            if first < 0.0:
                first = psi
                worst = max(worst, psi)
            if psi <= SETTLED * first:
                break
            curvature = squares[p] / beta * (P[top, top] + P[low, low] - 2.0 * P[top, low])
            step = eta[p, low]
            if psi < step * curvature:
                step = psi / curvature
                eta[p, low] -= step
            else:
                eta[p, low] = 0.0
            eta[p, top] += step
            moved[top] -= step
            moved[low] += step
            pull = step * squares[p] / beta
            for r in range(k):
                g[r] += pull * (P[r, low] - P[r, top])
        for t in range(n_bits):
            total = 0.0
            for r in range(k):
                total += moved[r] * M[r, t]
            if total != 0.0:
                for j in range(d):
                    W[t, j] += total / beta * X[p, j]
    return worst
