"""Coordinate ascent for the box-constrained dual of linear machines on explicit features.

Compiled loops: arrays in, arrays changed in place. One visit to a point costs two passes over its features,
or over those that are not 0, however many points there are, because each machine's weights are kept up to
date.

Symbols, in all functions: z_i -> point i of the table, t -> signs, a -> alphas, C -> bounds,
w = sum_i a_i t_i z_i -> weights, Q_ii = |z_i|^2 -> squares, v_i = 1 - t_i w.z_i -> slack, the slope of the
dual along a_i.
"""

from typing import Any, NamedTuple, TypeAlias

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


class Table(NamedTuple):
    """The features of n points, the bias constant among them.

    Attributes
    ----------
    values : (n, width), or (1, n_held)
        All features in either precision, or those that are not 0, point after point.
    columns : (n_held,)
        Which feature each of those is; empty where all are there.
    starts : (n + 1,)
        Where those of each point begin; empty where all are there.
    """

    values: RealArray
    columns: RealArray
    starts: RealArray


_NONE = np.empty(0, dtype=np.int32)


def as_table(features: Any) -> Table:  # noqa: ANN401 - an array, or one of scipy's without zeros
    """Return the table of features (n, width), dense or in compressed rows."""
    if isinstance(features, np.ndarray):
        return Table(features, _NONE, _NONE)
    return Table(features.data[None], features.indices, features.indptr)


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_AS_WRITTEN)
def _product(table: Table, i: int, weights: RealArray, lanes: RealArray) -> float:
    """Return the inner product of a point and weights (width,); `lanes` (LANES,) is scratch."""
    if table.starts.size:
        return _held_product(table, i, weights)
    row = table.values[i]
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
def _held_product(table: Table, i: int, weights: RealArray) -> float:
    """Return the inner product of a point without its zeros and weights, as four sums side by side."""
    held, columns, end = table.values[0], table.columns, table.starts[i + 1]
    p = q = r = s = 0.0
    k = table.starts[i]
    while k + 3 < end:
        p += held[k] * weights[columns[k]]
        q += held[k + 1] * weights[columns[k + 1]]
        r += held[k + 2] * weights[columns[k + 2]]
        s += held[k + 3] * weights[columns[k + 3]]
        k += 4
    while k < end:
        p += held[k] * weights[columns[k]]
        k += 1
    return (p + q) + (r + s)


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_AS_WRITTEN)
def _add(table: Table, i: int, step: float, weights: RealArray) -> None:
    """Add step times a point to weights, (width,)."""
    if table.starts.size:
        held, columns = table.values[0], table.columns
        for k in range(table.starts[i], table.starts[i + 1]):
            weights[columns[k]] += step * held[k]
        return
    row = table.values[i]
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
    table: Table,
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
    table
        Features of n_samples points.
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
        slack = 1.0 - signs[i] * _product(table, i, weights, lanes)
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
                _add(table, i, (goal - a) * signs[i], weights)
                n_updates += 1
        if not stays:
            order[n_kept] = i
            n_kept += 1
    return n_kept, n_updates, rise, fall


@njit(cache=True, nogil=True)
def add_points(table: Table, coefficients: RealArray, rows: RealArray, weights: RealArray) -> None:
    """Add the features of some points, (n_rows,) indices, times their coefficients, (n_rows,), to weights."""
    for s in range(rows.size):
        if coefficients[s] != 0.0:
            _add(table, rows[s], coefficients[s], weights)


@njit(cache=True, nogil=True)
def scores_of(table: Table, weights: RealArray, rows: RealArray, scores: RealArray) -> None:
    """Write products of points, (n_rows,) indices, and weights, summed in double, into scores, (n_rows,)."""
    lanes = np.empty(LANES)
    for s in range(rows.size):
        scores[s] = _product(table, rows[s], weights, lanes)
