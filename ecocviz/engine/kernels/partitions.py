"""Searching a split of a set of classes in two by the quadratic mutual information.

Symbols: S -> sums of Gaussian potentials between the points of classes a and b (k, k), n -> points
per class (k,), T -> rows of S summed over all classes (k,), N -> number of points, inside -> classes
of the + side (k,).
"""

import numpy as np
from numba import njit

from ecocviz.engine.types import BoolArray, FloatArray, IntArray


@njit(cache=True, nogil=True)
def add_potentials(X: FloatArray, y: IntArray, width: float, S: FloatArray, first: int, last: int) -> None:
    """Add exp(-|x_i - x_j|^2 / (4 width^2)) for some points i and all j <= i to the sums of their classes.

    Parameters
    ----------
    X : (n_samples, n_features)
    y : (n_samples,)
        Classes 0..k-1.
    S : (k, k)
        Changed: a pair of different points counts both ways, a point with itself once.
    first, last
        i goes from the first to the one before the last.
    """
    d = X.shape[1]
    scale = -1.0 / (4.0 * width * width)
    for i in range(first, last):
        S[y[i], y[i]] += 1.0
        for j in range(i):
            squares = 0.0
            for t in range(d):
                step = X[i, t] - X[j, t]
                squares += step * step
            value = np.exp(scale * squares)
            S[y[i], y[j]] += value
            S[y[j], y[i]] += value


@njit(cache=True, nogil=True)
def _information(within: float, across: float, points: float, whole: float, N: float) -> float:
    """Return the quadratic mutual information of a split.

    `within` sums the potentials inside the + side, `across` those between it and all points, `whole`
    all of them; `points` counts the + side.
    """
    p = points / N
    q = 1.0 - p
    same = 2.0 * within + whole - 2.0 * across
    return (same + (p * p + q * q) * whole - 2.0 * (p * across + q * (whole - across))) / (N * N)


@njit(cache=True, nogil=True)
def _row_sums(S: FloatArray) -> FloatArray:
    """Return T, (k,)."""
    T = np.zeros(S.shape[0])
    for a in range(S.shape[0]):
        for b in range(S.shape[0]):
            T[a] += S[a, b]
    return T


@njit(cache=True, nogil=True)
def split_values(S: FloatArray, n: FloatArray) -> FloatArray:
    """Return the quadratic mutual information of all 2^(k-1) - 1 splits in two, (2^(k-1) - 1,).

    Split number s puts class 0 on the - side and class c > 0 on the + side iff bit c - 1 of s + 1 is
    set. The splits are walked in Gray order, so that each costs one class's sums.
    """
    k = n.size
    values = np.empty((1 << (k - 1)) - 1)
    T = _row_sums(S)
    N, whole = n.sum(), T.sum()
    inside = np.zeros(k, dtype=np.bool_)
    within = across = points = 0.0
    previous = 0
    for number in range(1, 1 << (k - 1)):
        gray = number ^ (number >> 1)
        c = 1
        while not (gray ^ previous) >> (c - 1) & 1:
            c += 1
        previous = gray
        links = 0.0
        for b in range(k):
            if inside[b] and b != c:
                links += S[c, b]
        sign = -1.0 if inside[c] else 1.0
        inside[c] = not inside[c]
        within += sign * (2.0 * links + S[c, c])
        across += sign * T[c]
        points += sign * n[c]
        values[gray - 1] = _information(within, across, points, whole, N)
    return values


@njit(cache=True, nogil=True)
def _is_taken(taken: BoolArray, inside: BoolArray) -> bool:
    """Tell whether a side or its complement is among the taken ones, (n_taken, k)."""
    for t in range(taken.shape[0]):
        n_equal = 0
        for b in range(inside.size):
            n_equal += taken[t, b] == inside[b]
        if n_equal == 0 or n_equal == inside.size:  # noqa: PLR1714 - compiles faster than a tuple
            return True
    return False


@njit(cache=True, nogil=True)
def floating_search(  # noqa: C901 - one search is one loop
    S: FloatArray, n: FloatArray, taken: BoolArray
) -> tuple[BoolArray, float]:
    """Search the + side by sequential forward floating selection; return it and its information.

    Classes are included one by one, the best first; after each inclusion classes are excluded again
    as long as that beats the best set of the smaller size. Every set that is looked at may be the
    answer, unless it is taken.

    Parameters
    ----------
    taken : (n_taken, k)
        Sides that may not be the answer, nor may their complements.

    Returns
    -------
    inside : (k,)
        All False where every set met was taken.
    value
        Minus infinity in that case.
    """
    k = n.size
    T = _row_sums(S)
    whole, N = T.sum(), n.sum()
    inside = np.zeros(k, dtype=np.bool_)
    links = np.zeros(k)  # sums between each class and the + side
    best_of_size = np.full(k + 1, -np.inf)
    answer, answer_value = np.zeros(k, dtype=np.bool_), -np.inf
    within = across = points = 0.0
    size, including = 0, True
    while True:
        chosen, chosen_value = -1, -np.inf
        for c in range(k):
            if inside[c] == including:
                continue
            sign = 1.0 if including else -1.0
            # The links of a class inside hold its own sum once, so that one formula serves both ways.
            w = within + sign * 2.0 * links[c] + S[c, c]
            value = _information(w, across + sign * T[c], points + sign * n[c], whole, N)
            if value > chosen_value:
                chosen, chosen_value = c, value
            if value > answer_value:
                inside[c] = not inside[c]
                if not _is_taken(taken, inside):
                    for b in range(k):
                        answer[b] = inside[b]
                    answer_value = value
                inside[c] = not inside[c]
        # A gain must be more than rounding, or the search could go to and fro.
        if not including and chosen_value <= best_of_size[size - 1] + 1e-12:
            if size == k - 1:
                break
            including = True
            continue
        sign = 1.0 if including else -1.0
        within += sign * 2.0 * links[chosen] + S[chosen, chosen]
        across += sign * T[chosen]
        points += sign * n[chosen]
        inside[chosen] = including
        for b in range(k):
            links[b] += sign * S[chosen, b]
        size += 1 if including else -1
        best_of_size[size] = max(best_of_size[size], chosen_value)
        if size <= 2 and size == k - 1:
            break
        including = size <= 2
    return answer, answer_value
