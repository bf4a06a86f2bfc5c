"""Pair ascent for the box-constrained dual of a support vector machine whose bias is in the kernel.

Compiled loops: arrays in, arrays changed in place. Everything that is as long as the problem is held
in the precision of the Gram matrix and written so that the compiler vectorises it; everything that
concerns one pair is held in double precision.

Symbols, in all functions: G -> rows, the kernel values of n points with each other, t -> signs (n,),
a -> alphas (n,), b = t * a the signed coefficients, r = t - G b -> residual (n,), C -> upper (n,).
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

RealArray: TypeAlias = npt.NDArray[Any]
"""Single or double precision, or integers: whatever the compiled loop is called with."""


class Rows(NamedTuple):
    """Kernel values of n points with each other: all there, or made row by row when the ascent needs them.

    Attributes
    ----------
    values : (n_slots, n)
        Rows of kernel values, bias constant included; at least 2 where they are made on demand.
    slots : (n,)
        Which row of `values` is each point's; -1 where it is not made.
    owners : (n_slots,)
        Which point's row stands in each slot, -1 if none; empty where all rows are there.
    turn : (1,)
        The slot that is given away next.
    points : (n_chunks, n_features, width)
        Features of the points, chunk by chunk, filled up with 0: features to a multiple of four, points to a
        multiple of the width. Of an rbf kernel they are scaled so that the exponents are those of 2.
    numbers : (3,)
        0 for an rbf kernel or 1 for powers of inner products, degree, bias constant. Degree 0 is the inner
        product itself, any other the power of it plus 1.
    diagonal : (n,)
        Kernel values of each point with itself, bias constant included.
    scratch : (3, width)
        In the precision of the points.
    bits : (width,)
        The last row of `scratch`, as integers.
    """

    values: RealArray
    slots: RealArray
    owners: RealArray
    turn: RealArray
    points: RealArray
    numbers: RealArray
    diagonal: RealArray
    scratch: RealArray
    bits: RealArray


_SERIES = np.cumprod(np.concatenate([[1.0], np.log(2.0) / np.arange(1, 16)]))
"""Coefficients of 2^x: those of 7 powers give single, those of 15 double precision on [-1/2, 1/2]."""
_BLOCK = 128
_SINGULAR = 1e-6
"""A pair whose determinant is below this share of the product of its diagonal counts as one direction."""
_TINY = 1e-30
_AS_WRITTEN = {"contract", "nsz", "nnan"}
"""What lets the compiler vectorise maxima and fuse products with sums, and nothing that lets it choose an
order: numba keeps one copy of a loop for itself and one inside each caller, and which of them runs depends
on whether the process compiled the caller or loaded it. All copies must give the same last bit."""


def solve_box_dual(
    gram: RealArray | Rows,
    signs: RealArray,
    upper: RealArray,
    alphas: RealArray,
    residual: RealArray,
    tol: float,
    max_updates: int,
) -> tuple[int, float]:
    """Maximise sum(a) - b' G b / 2 over 0 <= a <= upper with b = signs * a, from where `alphas` stands.

    Parameters
    ----------
    gram : (n, n), or Rows
        Symmetric positive semidefinite, C-contiguous, bias constant included.
    signs : (n,)
        -1.0 or +1.0.
    upper : (n,)
        Upper bounds; 0 takes a point out of training.
    alphas : (n,)
        Feasible starting point; holds the solution afterwards.
    residual : (n,), precision of gram
        signs - gram @ (signs * alphas), kept up to date for all points, also those taken out.
    tol
        Largest violation of the optimality conditions at which the ascent ends.
    max_updates
        Most steps, each of one pair of coefficients.

    Returns
    -------
    n_updates : int
        Steps made.
    violation : float
        Largest violation that is left.

    Notes
    -----
    Each step takes the coordinate of largest violation, the partner that gains most together with
    it, and solves the problem of the two exactly, the working set of [Steinwart2011]_ with the
    curvature term of [Fan2005]_. Single coordinates would crawl along the direction that changes
    the bias, which pairs of opposite sign step across.
    """
    rows = gram if isinstance(gram, Rows) else as_rows(gram)
    work, order = _scratch(rows)
    n_updates, violation = _ascend(rows, signs, upper, alphas, residual, tol, max_updates, work, order)
    return int(n_updates), float(violation)


def leave_each_out(
    gram: RealArray | Rows,
    signs: RealArray,
    upper: RealArray,
    alphas: RealArray,
    residual: RealArray,
    tol: float,
    max_updates: int,
    points: RealArray,
) -> tuple[RealArray, int]:
    """Return the scores of points by the machine trained without each, and how many did not converge.

    Parameters are those of `solve_box_dual` at its solution; nothing is changed. For each of the
    points, indices (n_points,), the bound becomes 0 and the ascent goes on.
    """
    rows = gram if isinstance(gram, Rows) else as_rows(gram)
    work, order = _scratch(rows)
    left_out = np.empty(points.size)
    n_open = _leave_each_out(
        rows, signs, upper, alphas, residual, tol, max_updates, work, order, points, left_out
    )
    return left_out, int(n_open)


def as_rows(gram: RealArray) -> Rows:
    """Return the rows of a whole matrix, (n, n)."""
    n = gram.shape[0]
    none, flat = (np.empty((0,) * n_axes, dtype=gram.dtype) for n_axes in (3, 2))
    whole = np.arange(n)
    nobody = whole[:0]
    return Rows(gram, whole, nobody, nobody, none, np.zeros(3), gram.diagonal().copy(), flat, nobody)


def _scratch(rows: Rows) -> tuple[RealArray, RealArray]:
    """Return what the ascent writes to, (4, n), with the diagonal in it, and its last row as integers."""
    work = np.empty((4, rows.slots.size), dtype=rows.values.dtype)
    work[2] = rows.diagonal
    return work, work[3].view(np.int32 if work.dtype == np.float32 else np.int64)


@njit(cache=True, nogil=True)
def signed_sums(rows: Rows, coefficients: RealArray) -> RealArray:
    """Return G @ coefficients, (n,), summed in double precision over those that are not 0."""
    out = np.zeros(coefficients.size)
    for i in range(coefficients.size):
        weight = coefficients[i]
        if weight != 0.0:
            slot = rows.slots[i] if rows.slots[i] >= 0 else _make(rows, i, -1)
            row = rows.values[slot]
            for k in range(out.size):
                out[k] += weight * row[k]
    return out


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_AS_WRITTEN)
def _raise_two(scratch: RealArray, bits: RealArray) -> None:
    """Replace exponents x in the first row of `scratch`, none above 0, by 2^x.

    Each is split into a whole number, which adding a large constant leaves in the last bits of the sum, and
    a rest, which goes into the series.
    """
    scalar: Any = scratch.dtype.type
    single = scratch.itemsize == 4
    lowest, large = scalar(-126.0 if single else -1022.0), scalar(1.5 * 2.0 ** (23 if single else 52))
    for k in range(bits.size):
        x = max(scratch[0, k], lowest)
        scratch[2, k] = x + large
        scratch[0, k] = x - (scratch[2, k] - large)
        scratch[1, k] = 0.0
    for c in range(8 if single else 16, 0, -4):
        p, q, r, s = (
            scalar(_SERIES[c - 1]),
            scalar(_SERIES[c - 2]),
            scalar(_SERIES[c - 3]),
            scalar(_SERIES[c - 4]),
        )
        for k in range(bits.size):
            x = scratch[0, k]
            scratch[1, k] = (((scratch[1, k] * x + p) * x + q) * x + r) * x + s
    shift, one = (23, 127 << 23) if single else (52, 1023 << 52)
    for k in range(bits.size):
        bits[k] = (bits[k] << shift) + one
    for k in range(bits.size):
        scratch[0, k] = scratch[1, k] * scratch[2, k]


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_AS_WRITTEN)
def _compare(points: RealArray, i: int, c: int, scratch: RealArray, distances: bool) -> None:
    """Write minus squared distances, or inner products, of point i and those of a chunk into scratch[0]."""
    width = points.shape[2]
    for k in range(width):
        scratch[0, k] = 0.0
    ci, ki = i // width, i % width
    for f in range(0, points.shape[1], 4):
        p, q = points[ci, f, ki], points[ci, f + 1, ki]
        r, s = points[ci, f + 2, ki], points[ci, f + 3, ki]
        if distances:
            for k in range(width):
                u, v = points[c, f, k] - p, points[c, f + 1, k] - q
                w, x = points[c, f + 2, k] - r, points[c, f + 3, k] - s
                scratch[0, k] -= (u * u + v * v) + (w * w + x * x)
        else:
            for k in range(width):
                u, v = points[c, f, k] * p, points[c, f + 1, k] * q
                w, x = points[c, f + 2, k] * r, points[c, f + 3, k] * s
                scratch[0, k] += (u + v) + (w + x)


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_AS_WRITTEN)
def _make_row(rows: Rows, i: int, out: RealArray) -> None:
    """Write the kernel values of point i with all points into out, (n,)."""
    points, scratch, bits = rows.points, rows.scratch, rows.bits
    scalar: Any = points.dtype.type
    rbf, degree, bias, one = (
        rows.numbers[0] == 0.0,
        int(rows.numbers[1]),
        scalar(rows.numbers[2]),
        scalar(1.0),
    )
    width = bits.size
    for c in range(points.shape[0]):
        _compare(points, i, c, scratch, rbf)
        if rbf:
            _raise_two(scratch, bits)
        elif degree > 0:
            for k in range(width):
                scratch[1, k] = scratch[0, k] + one
                scratch[0, k] = one
            for _ in range(degree):
                for k in range(width):
                    scratch[0, k] *= scratch[1, k]
        part = out[c * width : (c + 1) * width]
        for k in range(part.size):
            part[k] = scratch[0, k] + bias
    out[i] = rows.diagonal[i]


@njit(cache=True, nogil=True)
def _make(rows: Rows, i: int, kept: int) -> int:
    """Make the row of point i and return its slot, which it takes from any row but that of `kept`."""
    slot: int = rows.turn[0]
    if kept >= 0 and rows.owners[slot] == kept:
        slot = (slot + 1) % rows.owners.size
    if rows.owners[slot] >= 0:
        rows.slots[rows.owners[slot]] = -1
    rows.owners[slot], rows.slots[i] = i, slot
    rows.turn[0] = (slot + 1) % rows.owners.size
    _make_row(rows, i, rows.values[slot])
    return slot


@njit(cache=True, nogil=True)
def _first_largest(order: RealArray) -> int:
    """Return the first index of the largest entry.

    The bits of non-negative floats, read as integers, are ordered as the floats are; only the
    maximum of integers is vectorised.
    """
    best = order[0]
    start = 0
    for s in range(0, order.size, _BLOCK):
        part = order[s : s + _BLOCK]
        largest = part[0]
        for k in range(part.size):
            largest = max(largest, part[k])
        if largest > best:
            best = largest
            start = s
    while order[start] != best:
        start += 1
    return start


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_AS_WRITTEN)
def _partner(
    row: RealArray,
    residual: RealArray,
    rises: RealArray,
    falls: RealArray,
    diagonal: RealArray,
    gains: RealArray,
    order: RealArray,
    step: float,
    curvature: float,
) -> int:
    """Return the coordinate that gains most once i has made its own step.

    For the residual r' after that step the gain of j is r'_j^2 / (2 (G_jj - G_ij^2 / G_ii)), the
    second term only where i is free to answer (`curvature` is 1 / G_ii or 0).
    """
    singular, tiny = diagonal.dtype.type(_SINGULAR), diagonal.dtype.type(_TINY)
    for k in range(residual.size):
        left = residual[k] - row[k] * step
        size = max(left * rises[k], -left * falls[k])
        bend = diagonal[k] - row[k] * row[k] * curvature
        gains[k] = size * size / max(bend, singular * diagonal[k] + tiny)
    return _first_largest(order)


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_AS_WRITTEN)
def _move(
    row_i: RealArray,
    row_j: RealArray,
    step_i: float,
    step_j: float,
    residual: RealArray,
    rises: RealArray,
    falls: RealArray,
    sizes: RealArray,
    order: RealArray,
) -> int:
    """Take two steps off the residual and return the coordinate whose violation is largest now."""
    for k in range(residual.size):
        left = residual[k] - row_i[k] * step_i - row_j[k] * step_j
        residual[k] = left
        sizes[k] = max(left * rises[k], -left * falls[k])
    return _first_largest(order)


@njit(cache=True, nogil=True)
def _mark(k: int, signs: RealArray, upper: RealArray, alphas: RealArray, work: RealArray) -> None:
    """Note in `work` whether the signed coefficient of k may rise and whether it may fall."""
    grows = 1.0 if alphas[k] < upper[k] else 0.0
    shrinks = 1.0 if alphas[k] > 0.0 else 0.0
    work[0, k] = grows if signs[k] > 0.0 else shrinks
    work[1, k] = shrinks if signs[k] > 0.0 else grows


@njit(cache=True, nogil=True)
def _clip(x: float, low: float, high: float) -> float:
    return min(max(x, low), high)


@njit(cache=True, nogil=True, error_model="numpy")
def _box_pair(
    r_i: float,
    r_j: float,
    g_ii: float,
    g_jj: float,
    g_ij: float,
    box_i: tuple[float, float],
    box_j: tuple[float, float],
) -> tuple[float, float]:
    """Maximise r' d - d' G d / 2 over the steps of two coordinates within a box.

    `box_i` and `box_j` are the lower and upper limits of the steps. Either the free optimum lies
    inside, or the best of the four edges is the answer.
    """
    det = g_ii * g_jj - g_ij * g_ij
    if det > _SINGULAR * g_ii * g_jj:
        x = (g_jj * r_i - g_ij * r_j) / det
        y = (g_ii * r_j - g_ij * r_i) / det
        if box_i[0] <= x <= box_i[1] and box_j[0] <= y <= box_j[1]:
            return x, y
    best, best_x, best_y = -1.0, 0.0, 0.0
    for edge in range(4):
        if edge < 2:
            x = box_i[0] if edge == 0 else box_i[1]
            y = _clip((r_j - g_ij * x) / g_jj, box_j[0], box_j[1])
        else:
            y = box_j[0] if edge == 2 else box_j[1]
            x = _clip((r_i - g_ij * y) / g_ii, box_i[0], box_i[1])
        gain = x * (r_i - 0.5 * g_ii * x) + y * (r_j - 0.5 * g_jj * y) - g_ij * x * y
        if gain > best:
            best, best_x, best_y = gain, x, y
    return best_x, best_y


@njit(cache=True, nogil=True)
def _limits(k: int, signs: RealArray, upper: RealArray, alphas: RealArray) -> tuple[float, float]:
    """Return how far the signed coefficient of k may fall and rise."""
    if signs[k] > 0.0:
        return -alphas[k], upper[k] - alphas[k]
    return alphas[k] - upper[k], alphas[k]


@njit(cache=True, nogil=True)
def _take(
    k: int, step: float, box: tuple[float, float], signs: RealArray, upper: RealArray, alphas: RealArray
) -> None:
    """Move a coefficient by a signed step; a step to a limit lands on the bound exactly."""
    if step <= box[0]:
        alphas[k] = 0.0 if signs[k] > 0.0 else upper[k]
    elif step >= box[1]:
        alphas[k] = upper[k] if signs[k] > 0.0 else 0.0
    else:
        alphas[k] += step * signs[k]


@njit(cache=True, nogil=True, error_model="numpy")
def _ascend(
    rows: Rows,
    signs: RealArray,
    upper: RealArray,
    alphas: RealArray,
    residual: RealArray,
    tol: float,
    max_updates: int,
    work: RealArray,
    order: RealArray,
) -> tuple[int, float]:
    """Run the ascent of `solve_box_dual`; `work` (4, n), diagonal in [2], and `order`, [3], are scratch."""
    values, slots = rows.values, rows.slots
    rises, falls, diagonal, sizes = work[0], work[1], work[2], work[3]
    scalar: Any = values.dtype.type
    for k in range(signs.size):
        _mark(k, signs, upper, alphas, work)
        sizes[k] = max(residual[k] * rises[k], -residual[k] * falls[k])
    i = _first_largest(order)
    n_updates = 0
    while sizes[i] > tol and n_updates < max_updates:
        g_ii = max(float(diagonal[i]), _TINY)
        box_i = _limits(i, signs, upper, alphas)
        r_i = float(residual[i])
        x, y = _clip(r_i / g_ii, box_i[0], box_i[1]), 0.0
        curvature = 1.0 / g_ii if box_i[0] < x < box_i[1] else 0.0
        slot_i = slots[i]
        if slot_i < 0:
            slot_i = _make(rows, i, -1)
        row_i = values[slot_i]
        j = _partner(row_i, residual, rises, falls, diagonal, sizes, order, scalar(x), scalar(curvature))
        slot_j = slots[j]
        if slot_j < 0:
            slot_j = _make(rows, j, i)
        if j != i:
            box_j = _limits(j, signs, upper, alphas)
            r_j, g_jj, g_ij = float(residual[j]), max(float(diagonal[j]), _TINY), float(row_i[j])
            x, y = _box_pair(r_i, r_j, g_ii, g_jj, g_ij, box_i, box_j)
            _take(j, y, box_j, signs, upper, alphas)
            _mark(j, signs, upper, alphas, work)
        _take(i, x, box_i, signs, upper, alphas)
        _mark(i, signs, upper, alphas, work)
        i = _move(row_i, values[slot_j], scalar(x), scalar(y), residual, rises, falls, sizes, order)
        n_updates += 1
    return n_updates, float(sizes[i])


@njit(cache=True, nogil=True)
def _leave_each_out(
    rows: Rows,
    signs: RealArray,
    upper: RealArray,
    alphas: RealArray,
    residual: RealArray,
    tol: float,
    max_updates: int,
    work: RealArray,
    order: RealArray,
    points: RealArray,
    left_out: RealArray,
) -> int:
    """Write each point's score into left_out, (n_points,); return how many ascents did not converge."""
    scalar: Any = rows.values.dtype.type
    n_open = 0
    bounds = upper.copy()
    for number in range(points.size):
        i = points[number]
        trial = alphas.copy()
        rest = residual.copy()
        step = scalar(alphas[i] * signs[i])
        slot = rows.slots[i] if rows.slots[i] >= 0 else _make(rows, i, -1)
        row = rows.values[slot]
        for k in range(signs.size):
            rest[k] += step * row[k]
        trial[i] = 0.0
        bounds[i] = 0.0
        _, violation = _ascend(rows, signs, bounds, trial, rest, tol, max_updates, work, order)
        bounds[i] = upper[i]
        left_out[number] = signs[i] - rest[i]
        if violation > tol:
            n_open += 1
    return n_open
