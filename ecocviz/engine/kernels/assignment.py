"""Swaps of codewords between classes, the moves of a quadratic assignment problem.

Symbols: D -> distances of classes (K, K), W -> distances of codewords (K, K), p -> codeword of each class
(K,). Both tables are symmetric; their diagonals do not matter.
"""

import numpy as np
from numba import njit

from ecocviz.engine.types import FloatArray, IntArray


@njit(cache=True, nogil=True)
def total(D: FloatArray, W: FloatArray, p: IntArray) -> float:
    """Return the sum of D[a, b] W[p[a], p[b]] over all pairs a < b."""
    found = 0.0
    for a in range(p.size):
        for b in range(a):
            found += D[a, b] * W[p[a], p[b]]
    return found


@njit(cache=True, nogil=True)
def climb(D: FloatArray, W: FloatArray, p: IntArray, least: float, sweeps: int) -> int:
    """Swap the codewords of two classes wherever that raises the total by more than `least`, in place.

    Parameters
    ----------
    D, W : (n_classes, n_classes)
    p : (n_classes,)
        The codeword of each class; changed.
    least
        Smaller gains are rounding.
    sweeps
        How often all pairs are tried at most.

    Returns
    -------
    used
        How often all pairs were tried: fewer than `sweeps` where no swap is left that gains.
    """
    K = p.size
    for sweep in range(sweeps):
        gained = False
        for a in range(K):
            for b in range(a):
                gain = 0.0
                for c in range(K):
                    if c not in (a, b):
                        gain += (D[a, c] - D[b, c]) * (W[p[b], p[c]] - W[p[a], p[c]])
                if gain > least:
                    p[a], p[b] = p[b], p[a]
                    gained = True
        if not gained:
            return sweep + 1
    return sweeps


@njit(cache=True, nogil=True)
def best_of_all(D: FloatArray, W: FloatArray, p: IntArray, least: float) -> IntArray:
    """Try all assignments and return the best, (K,); p among equals, to within `least`.

    Parameters
    ----------
    D, W : (n_classes, n_classes)
    p : (n_classes,)
        The codeword of each class now.
    least
        Smaller gains are rounding.
    """
    K = p.size
    best, most = p.copy(), total(D, W, p)
    now = np.arange(K)
    turns = np.zeros(K, dtype=np.int64)
    # Heap's way through all orders: each differs from the last by one swap.
    i = 1
    while True:
        value = total(D, W, now)
        if value > most + least:
            best, most = now.copy(), value
        while i < K and turns[i] >= i:
            turns[i] = 0
            i += 1
        if i >= K:
            return best
        other = turns[i] if i % 2 else 0
        now[i], now[other] = now[other], now[i]
        turns[i] += 1
        i = 1
