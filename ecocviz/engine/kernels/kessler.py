"""Coordinate ascent for the Kessler construction: one machine without bias on differences of classes.

Example i of class y_i stands for one point for every other class r, in block y_i minus in block r,
all on the positive side. With the sums B_ir = [r = y_i] sum_s a_is - a_ir the dual is

    max  sum(a) - <B, K B> / 2   subject to   0 <= a_ir <= C_i,   a_{i, y_i} = 0.

Arrays are class-major, (n_classes, n_samples), so that what a step changes is contiguous.

Symbols: K -> gram (m, m), y -> y_index (m,), a -> alphas (c, m), F = K B -> outputs (c, m).
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

RealArray: TypeAlias = npt.NDArray[Any]
"""Any precision, or whole numbers: whatever the compiled loop is called with."""

FLAT = 1e-12
"""A step's curvature is at least this; a point at the origin of a linear kernel has none."""


@njit(cache=True, nogil=True)
def _worst(
    y: RealArray, alphas: RealArray, outputs: RealArray, scale: RealArray, C: RealArray
) -> tuple[int, int, float]:
    """Return the replica of largest gain, and the largest violation of all.

    Parameters
    ----------
    scale : (m,)
        One over the square root of each example's curvature.
    """
    c, m = alphas.shape
    best_i, best_r, best, violation = -1, -1, 0.0, 0.0
    for r in range(c):
        for i in range(m):
            if r == y[i]:
                continue
            slope = 1.0 - outputs[y[i], i] + outputs[r, i]
            a = alphas[r, i]
            wrong = slope if (slope > 0.0 and a < C[i]) else (-slope if (slope < 0.0 and a > 0.0) else 0.0)
            violation = max(violation, wrong)
            if wrong * scale[i] > best:
                best = wrong * scale[i]
                best_i, best_r = i, r
    return best_i, best_r, violation


@njit(cache=True, nogil=True)
def ascend_differences(
    gram: RealArray,
    y: RealArray,
    alphas: RealArray,
    outputs: RealArray,
    C: RealArray,
    tol: float,
    max_updates: int,
) -> tuple[int, float]:
    """Improve `alphas` and `outputs` in place, one coefficient at a time.

    Parameters
    ----------
    gram : (m, m)
        Symmetric positive semidefinite, C-contiguous.
    y : (m,)
        Class of each example.
    alphas, outputs : (c, m)
    C : (m,)
        Upper bound of the coefficients of each example.
    tol
        Largest violation of the optimality conditions at which the ascent ends.
    max_updates
        Most steps.

    Returns
    -------
    n_updates : int
        Steps made.
    violation : float
        Largest violation that is left.
    """
    m = y.size
    scale = np.empty(m)
    for i in range(m):
        scale[i] = 1.0 / np.sqrt(max(2.0 * gram[i, i], FLAT))
    n_updates = 0
    i, r, violation = _worst(y, alphas, outputs, scale, C)
    while n_updates < max_updates and violation >= tol:
        bend = max(2.0 * gram[i, i], FLAT)
        goal = alphas[r, i] + (1.0 - outputs[y[i], i] + outputs[r, i]) / bend
        goal = min(max(goal, 0.0), C[i])
        t = goal - alphas[r, i]
        alphas[r, i] = goal
        row, own, other = gram[i], outputs[y[i]], outputs[r]
        for k in range(m):
            own[k] += t * row[k]
            other[k] -= t * row[k]
        n_updates += 1
        i, r, violation = _worst(y, alphas, outputs, scale, C)
    return n_updates, violation
