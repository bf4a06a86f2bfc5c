"""Coordinate ascent for the box-constrained dual of linear machines on explicit features.

Compiled loops: arrays in, arrays changed in place. One visit to a point costs two passes over its features,
however many points there are, because each machine's weights are kept up to date.

Symbols, in all functions: z_i -> features[i], t -> signs, a -> alphas, C -> bounds, w = sum_i a_i t_i z_i ->
weights, Q_ii = |z_i|^2 -> squares, v_i = 1 - t_i w.z_i -> slack, the slope of the dual along a_i.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

RealArray: TypeAlias = npt.NDArray[Any]
"""Single or double precision, or integers: whatever the compiled loop is called with."""

LANES = 64
"""Sums that run side by side in an inner product: we choose the order of its terms, not the compiler."""
_AS_WRITTEN = {"contract", "nsz", "nnan"}
"""See `box_dual`: nothing here lets the compiler choose an order of terms, so that every process, thread and
copy of these loops gives the same last bit."""


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_AS_WRITTEN)
def _product(row: RealArray, weights: RealArray, lanes: RealArray) -> float:
    """Return the inner product of two vectors of one length; `lanes` (LANES,) is scratch."""
    for k in range(LANES):
        lanes[k] = 0.0
    whole = row.size - row.size % LANES
    for first in range(0, whole, LANES):
        left, right = row[first : first + LANES], weights[first : first + LANES]
        for k in range(LANES):
            lanes[k] += left[k] * right[k]
    left, right = row[whole:], weights[whole:]
    for k in range(left.size):
        lanes[k] += left[k] * right[k]
    half = LANES // 2
    while half >= 4:
        for k in range(half):
            lanes[k] += lanes[k + half]
        half //= 2
    total: float = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
    return total


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_AS_WRITTEN)
def _add(row: RealArray, step: float, weights: RealArray) -> None:
    """Add step times a row to weights of the same length."""
    for k in range(weights.size):
        weights[k] += step * row[k]


@njit(cache=True, nogil=True)
def _shuffle(order: RealArray, state: RealArray) -> None:
    """Put numbers into a new order, drawn from the generator xorshift64 whose `state` (1,) it moves on."""
    x = state[0]
    for last in range(order.size - 1, 0, -1):
        x ^= x << np.uint64(13)
        x ^= x >> np.uint64(7)
        x ^= x << np.uint64(17)
        other = np.int64(x % np.uint64(last + 1))
        order[last], order[other] = order[other], order[last]
    state[0] = x


@njit(cache=True, nogil=True, error_model="numpy")
def sweep(
    features: RealArray,
    squares: RealArray,
    signs: RealArray,
    bounds: RealArray,
    alphas: RealArray,
    weights: RealArray,
    order: RealArray,
    state: RealArray,
    limits: RealArray,
) -> tuple[int, int, float, float]:
    """Visit points once, in a new order, and put each one's coefficient where the dual is largest.

    Maximises sum(a) - |w|^2 / 2 over 0 <= a <= bounds one coordinate at a time: Algorithm 3 of [Hsieh2008]_
    with its shrinking. A point whose coefficient is at a bound and whose slack says by more than `limits`
    that it stays there is dropped from the order.

    Parameters
    ----------
    features : (n_samples, n_features)
        In either precision; the bias constant is one of them.
    squares : (n_samples,)
        Squared length of each row.
    signs, bounds : (n_samples,)
        Sides, and upper bounds.
    alphas : (n_samples,)
        Changed in place.
    weights : (n_features,)
        In double precision, kept up to date.
    order : (n_visited,)
        Points to visit; those that are kept stand at its beginning afterwards.
    state : (1,)
        Of the generator of orders, not 0; moved on.
    limits : (2,)
        Slack above which a point stays at its upper bound, and below which, with a minus, at 0.

    Returns
    -------
    n_kept, n_updates : int
        Points that are kept, and coefficients that changed.
    rise, fall : float
        Largest violation of the optimality conditions that was met, of coefficients that ought to rise and to
        fall.
    """
    lanes = np.empty(LANES)
    n_kept, n_updates, rise, fall = 0, 0, 0.0, 0.0
    _shuffle(order, state)
    for s in range(order.size):
        i = order[s]
        slack = 1.0 - signs[i] * _product(features[i], weights, lanes)
        a, top = alphas[i], bounds[i]
        if a <= 0.0 and slack <= 0.0:
            stays = -slack > limits[1]
        elif a >= top and slack >= 0.0:
            stays = slack > limits[0]
        else:
            stays = False
            rise, fall = max(rise, slack), max(fall, -slack)
            goal = a + slack / squares[i] if squares[i] > 0.0 else top
            goal = min(max(goal, 0.0), top)
            if goal != a:
                alphas[i] = goal
                _add(features[i], (goal - a) * signs[i], weights)
                n_updates += 1
        if not stays:
            order[n_kept] = i
            n_kept += 1
    return n_kept, n_updates, rise, fall


@njit(cache=True, nogil=True)
def add_points(features: RealArray, coefficients: RealArray, rows: RealArray, weights: RealArray) -> None:
    """Add the rows of some points, (n_rows,) indices, times their coefficients, (n_rows,), to weights."""
    for s in range(rows.size):
        if coefficients[s] != 0.0:
            _add(features[rows[s]], coefficients[s], weights)


@njit(cache=True, nogil=True)
def scores_of(features: RealArray, weights: RealArray, rows: RealArray, scores: RealArray) -> None:
    """Write features[rows] @ weights, summed in double precision, into scores, (n_rows,)."""
    lanes = np.empty(LANES)
    for s in range(rows.size):
        scores[s] = _product(features[rows[s]], weights, lanes)
