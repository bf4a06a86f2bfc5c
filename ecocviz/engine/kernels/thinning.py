"""Removing columns from a code one by one, by what they are worth on held-out answers.

Symbols: M -> code (k, l), F -> outputs of the machines (n, l), D -> scores of the classes by the columns
that are left (n, k).
"""

import numpy as np
from numba import njit

from ecocviz.engine.types import BoolArray, CodeMatrix, FloatArray, IntArray


@njit(cache=True, nogil=True)
def hits_without(D: FloatArray, F: FloatArray, M: CodeMatrix, y: IntArray, left: BoolArray) -> FloatArray:
    """Count right answers without each column that is left, and after them those with all, (l + 1,).

    The class of highest score wins, the first among equals; scores that differ by less than 1e-9 are
    equal, so that running sums tie where the sums they stand for do.

    Parameters
    ----------
    left : (l,)
    """
    n, k = D.shape
    n_bits = M.shape[1]
    right = np.zeros(n_bits + 1)
    for i in range(n):
        for j in range(n_bits + 1):
            if j < n_bits and not left[j]:
                continue
            top, winner = -np.inf, 0
            for c in range(k):
                value = D[i, c]
                if j < n_bits:
                    value -= M[c, j] * F[i, j]
                if value > top + 1e-9:
                    top, winner = value, c
            right[j] += winner == y[i]
    return right


@njit(cache=True, nogil=True)
def needed_columns(M: CodeMatrix, left: BoolArray) -> BoolArray:
    """Tell which columns alone put some two rows on opposite sides, (l,)."""
    k, n_bits = M.shape
    needed = np.zeros(n_bits, dtype=np.bool_)
    for a in range(k):
        for b in range(a):
            n_apart, last = 0, -1
            for j in range(n_bits):
                if left[j] and M[a, j] * M[b, j] == -1:
                    n_apart += 1
                    last = j
            if n_apart == 1:
                needed[last] = True
    return needed
