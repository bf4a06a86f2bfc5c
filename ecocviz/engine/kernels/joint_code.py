"""The two steps of JECOC: machines for a real-valued code, and code entries for given machines.

Symbols: K -> Gram matrix (n, n), m -> code entries of the points (n,), a -> dual coefficients (n,), f ->
scores (n,), M -> code (k, l), C -> price of errors, B -> weight of the separation of rows.
"""

import numpy as np
from numba import njit

from ecocviz.engine.types import FloatArray, IntArray


@njit(cache=True, nogil=True)
def _value_and_gap(m: FloatArray, a: FloatArray, f: FloatArray, C: float) -> tuple[float, float]:
    """Return the primal value, without the points that are left out, and the duality gap."""
    square = hinge = total = 0.0
    for i in range(m.size):
        if m[i] != 0:
            square += a[i] * m[i] * f[i]
            hinge += max(0.0, 1.0 - m[i] * f[i])
            total += a[i]
    value = square / 2 + C * hinge
    return value, value - (total - square / 2)


@njit(cache=True, nogil=True)
def _best_step(
    m: FloatArray, a: FloatArray, f: FloatArray, curvature: FloatArray, C: float
) -> tuple[int, float]:
    """Return the coordinate whose change gains most, and the change; -1 where none gains."""
    chosen, best_gain, best_step = -1, 0.0, 0.0
    for i in range(m.size):
        if curvature[i] <= 0:
            continue
        slope = 1.0 - m[i] * f[i]
        step = min(max(a[i] + slope / curvature[i], 0.0), C) - a[i]
        gain = step * (slope - step * curvature[i] / 2)
        if gain > best_gain:
            chosen, best_gain, best_step = i, gain, step
    return chosen, best_step


@njit(cache=True, nogil=True)
def start_column(K: FloatArray, m: FloatArray, C: float, a: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Bring coefficients into [0, C], 0 for points that are left out; return them and their scores.

    Parameters
    ----------
    K : (n, n)
        The bias is a constant inside it.
    m : (n,)
        Any real number; a point with 0 is left out.
    a : (n,)

    Returns
    -------
    a : (n,)
    f : (n,)
    """
    n = m.size
    a = a.copy()
    f = np.zeros(n)
    for i in range(n):
        a[i] = 0.0 if m[i] == 0 else min(max(a[i], 0.0), C)
        if a[i] > 0:
            for t in range(n):
                f[t] += a[i] * m[i] * K[i, t]
    return a, f


@njit(cache=True, nogil=True)
def improve_column(K: FloatArray, m: FloatArray, C: float, a: FloatArray, f: FloatArray, tol: float) -> bool:
    """Lower 1/2 |w|^2 + C sum of max(0, 1 - m_i f_i) over machines f = <w, phi>, by n steps of its dual.

    Coordinates are changed where that gains most. Changes a and f; returns True, and changes nothing,
    where the duality gap is at most tol times the primal value.

    Parameters
    ----------
    K : (n, n)
    m, a, f : (n,)
        As `start_column` has them.
    """
    n = m.size
    value, gap = _value_and_gap(m, a, f, C)
    if gap <= tol * value:
        return True
    curvature = np.empty(n)
    for i in range(n):
        curvature[i] = m[i] * m[i] * K[i, i]
    for _ in range(n):
        chosen, best_step = _best_step(m, a, f, curvature, C)
        if chosen < 0:
            return True
        a[chosen] += best_step
        change = best_step * m[chosen]
        for i in range(n):
            f[i] += change * K[chosen, i]
    return False


@njit(cache=True, nogil=True)
def best_entry(f: FloatArray, C: float, g: float) -> float:
    """Minimise C sum of max(0, 1 - m f_i) - g m over m in [-1, 1], exactly.

    The function is convex and piecewise linear with kinks at 1 / f_i, so its slope is followed from the
    left until it is no longer negative: the first of several minima.

    Parameters
    ----------
    f : (n,)
        Scores of one class's points.
    """
    slope = -g
    n_kinks = 0
    for value in f:
        if value >= -1.0:
            slope -= C * value
        n_kinks += abs(value) > 1.0
    if slope >= 0:
        return -1.0
    kinks = np.empty(n_kinks)
    n_kinks = 0
    for value in f:
        if abs(value) > 1.0:
            kinks[n_kinks] = 1.0 / value
            n_kinks += 1
    for kink in np.sort(kinks):
        slope += C / abs(kink)
        if slope >= 0:
            return float(kink)
    return 1.0


@njit(cache=True, nogil=True)
def update_code(
    F: FloatArray, starts: IntArray, M: FloatArray, C: float, B: float, n_steps: int
) -> tuple[FloatArray, int]:
    """Lower C sum of hinge losses - B/2 sum of squared row distances over codes in [-1, 1].

    The concave part is replaced by its tangent (the concave-convex procedure); what is left separates
    into one problem for each entry, solved exactly. No step raises the objective.

    Parameters
    ----------
    F : (n, l)
        Scores, points sorted by class.
    starts : (k + 1,)
        First point of each class.
    M : (k, l)
        Where to start.

    Returns
    -------
    M : (k, l)
    n_steps
        Taken until nothing changed, at most as many as asked for.
    """
    k, n_bits = M.shape
    M = M.copy()
    for step in range(n_steps):
        largest = 0.0
        for j in range(n_bits):
            mean = M[:, j].mean()
            for c in range(k):
                tangent = B * k * (M[c, j] - mean)
                entry = best_entry(F[starts[c] : starts[c + 1], j], C, tangent)
                largest = max(largest, abs(entry - M[c, j]))
                M[c, j] = entry
        if largest == 0:
            return M, step + 1
    return M, n_steps
