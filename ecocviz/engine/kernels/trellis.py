"""Walks through a graph without circles whose vertices are numbered from its source to its sink.

Symbols: s -> first edge of each vertex (V + 1,), h -> vertex each edge leads to (E,), r -> number of paths by
earlier edges of the same vertex (E,), w -> weights of the edges (n, E). Edges stand in the order of the
vertices that they leave; the source is vertex 0, the sink the last. Path c is the c-th in the order in
which each vertex lists its edges.
"""

import numpy as np
from numba import njit

from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray


@njit(cache=True, nogil=True)
def all_paths(s: IntArray, h: IntArray, r: IntArray, n_paths: int) -> CodeMatrix:
    """Write every path as a row, +1 on its edges and -1 elsewhere, (n_paths, E)."""
    sink = s.size - 2
    M = np.full((n_paths, h.size), -1, dtype=np.int8)
    for c in range(n_paths):
        v, left = 0, c
        while v != sink:
            e = s[v + 1] - 1
            while r[e] > left:
                e -= 1
            M[c, e] = 1
            left -= r[e]
            v = h[e]
    return M


@njit(cache=True, nogil=True)
def lightest_paths(s: IntArray, h: IntArray, r: IntArray, w: FloatArray) -> IntArray:
    """Return the number of the path of least weight, the lowest among equals, of each row of w, (n,)."""
    sink = s.size - 2
    best = np.zeros(sink + 1)
    chosen = np.zeros(sink + 1, dtype=np.int64)
    found = np.empty(w.shape[0], dtype=np.int64)
    for i in range(w.shape[0]):
        for v in range(sink - 1, -1, -1):
            chosen[v] = s[v]  # also where no weight is a number: a walk always ends
            least = w[i, s[v]] + best[h[s[v]]]
            for e in range(s[v] + 1, s[v + 1]):
                weight = w[i, e] + best[h[e]]
                if weight < least:
                    least = weight
                    chosen[v] = e
            best[v] = least
        v, number = 0, 0
        while v != sink:
            e = chosen[v]
            number += r[e]
            v = h[e]
        found[i] = number
    return found
