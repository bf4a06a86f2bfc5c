"""Walks through a graph without circles whose vertices are numbered from its source to its sink.

Symbols: s -> first edge of each vertex (V + 1,), h -> vertex each edge leads to (E,), r -> number of paths by
earlier edges of the same vertex (E,). Edges stand in the order of the
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
def sums_in_order(plus: FloatArray, minus: FloatArray, M: CodeMatrix) -> FloatArray:
    """Add up a number for each entry of every row of a code, from the first column to the last, (n, k).

    Parameters
    ----------
    plus, minus : (n, l)
        What an entry of +1 adds, and any other.
    M : (l, k)
        The code, a row for each column.
    """
    sums = np.zeros((plus.shape[0], M.shape[1]))
    for i in range(plus.shape[0]):
        for b in range(M.shape[0]):
            for c in range(M.shape[1]):
                sums[i, c] += plus[i, b] if M[b, c] > 0 else minus[i, b]
    return sums


@njit(cache=True, nogil=True)
def _two_least(
    s: IntArray,
    h: IntArray,
    r: IntArray,
    plus: FloatArray,
    minus: FloatArray,
    first: int,
    so_far: float,
    least: FloatArray,
    numbers: IntArray,
) -> None:
    """Write the smallest sum that paths from a vertex come to, its first path's number, and the next sum.

    Whoever is ahead never falls behind when the same number is added to both, however it is rounded: at each
    vertex the two smallest sums that lead to it are enough. Where rounding makes them equal, they are written
    as equal, and the number may not be that of the first path.

    Parameters
    ----------
    plus, minus : (E,)
        What an edge on the path adds to its sum, and one that is not; in the order of the edges.
    first, so_far
        Where paths begin, and the sum of the edges before.
    least : (V, 2)
        The two sums of each vertex; written to, from `first` on.
    numbers : (V,)
        Of the first path of the smaller one; written to.
    """
    least[first:] = np.inf
    least[first, 0], numbers[first:] = so_far, 0
    for v in range(first, s.size - 2):
        near, far = least[v]
        for e in range(s[v], s[v + 1]):
            head, one, two = h[e], near + plus[e], far + plus[e]
            for other in range(e + 1, s[head]):
                one += minus[other]
                two += minus[other]
            if one < least[head, 0]:
                least[head, 1] = min(least[head, 0], two)
                least[head, 0], numbers[head] = one, numbers[v] + r[e]
            elif one == least[head, 0]:
                least[head, 1] = min(least[head, 1], two)
                numbers[head] = min(numbers[head], numbers[v] + r[e])
            else:
                least[head, 1] = min(least[head, 1], one)
            near += minus[e]
            far += minus[e]


@njit(cache=True, nogil=True)
def cheapest_paths(s: IntArray, h: IntArray, r: IntArray, plus: FloatArray, minus: FloatArray) -> IntArray:
    """Return the number of the path of least sum, the lowest among equals, of each row, (n,).

    Sums are those of `sums_in_order` to the last bit.

    Parameters
    ----------
    plus, minus : (n, E)
        Finite, as their sums.
    """
    sink = s.size - 2
    least, numbers = np.empty((sink + 1, 2)), np.empty(sink + 1, dtype=np.int64)
    found = np.empty(plus.shape[0], dtype=np.int64)
    for i in range(plus.shape[0]):
        here = plus[i], minus[i]
        _two_least(s, h, r, *here, 0, 0.0, least, numbers)
        goal, v, number, so_far, total = least[sink, 0], 0, 0, 0.0, 0.0
        # Where rounding made sums equal, the first path keeps to the first edges: each is tried.
        while v != sink and not least[sink, 0] < least[sink, 1]:
            for e in range(s[v], s[v + 1]):
                total = so_far + plus[i, e]
                for other in range(e + 1, s[h[e]]):
                    total += minus[i, other]
                _two_least(s, h, r, *here, h[e], total, least, numbers)
                if least[sink, 0] == goal:
                    break
                so_far += minus[i, e]
            number, v, so_far = number + r[e], h[e], total
        found[i] = number + numbers[sink]
    return found
