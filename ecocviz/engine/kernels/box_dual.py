"""Pair ascent for the box-constrained dual of a support vector machine whose bias is in the kernel.

Compiled loops: arrays in, arrays changed in place. Everything that is as long as the problem is held
in the precision of the Gram matrix and written so that the compiler vectorises it; everything that
concerns one pair is held in double precision.

Symbols, in all functions: G -> gram (n, n), t -> signs (n,), a -> alphas (n,), b = t * a the signed
coefficients, r = t - G b -> residual (n,), C -> upper (n,).
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

RealArray: TypeAlias = npt.NDArray[Any]
"""Single or double precision, or integers: whatever the compiled loop is called with."""

_BLOCK = 128
_SINGULAR = 1e-6
"""A pair whose determinant is below this share of the product of its diagonal counts as one direction."""
_TINY = 1e-30
_AS_WRITTEN = {"contract", "nsz", "nnan"}
"""What lets the compiler vectorise maxima and fuse products with sums, and nothing that lets it choose an
order: numba keeps one copy of a loop for itself and one inside each caller, and which of them runs depends
on whether the process compiled the caller or loaded it. All copies must give the same last bit."""


def solve_box_dual(
    gram: RealArray,
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
    gram : (n, n)
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
    work = np.empty((4, signs.size), dtype=gram.dtype)
    order = work[3].view(np.int32 if gram.dtype == np.float32 else np.int64)
    n_updates, violation = _ascend(gram, signs, upper, alphas, residual, tol, max_updates, work, order)
    return int(n_updates), float(violation)


def leave_each_out(
    gram: RealArray,
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
    work = np.empty((4, signs.size), dtype=gram.dtype)
    order = work[3].view(np.int32 if gram.dtype == np.float32 else np.int64)
    left_out = np.empty(points.size)
    n_open = _leave_each_out(
        gram, signs, upper, alphas, residual, tol, max_updates, work, order, points, left_out
    )
    return left_out, int(n_open)


@njit(cache=True, nogil=True)
def judge(
    signs: RealArray, alphas: RealArray, residuals: RealArray, upper: RealArray, out: RealArray
) -> None:
    """Write each machine's duality gap, squared norm and largest violation into out, (3, n_bits).

    The gap |f|^2 + sum C |v|_+ - sum(a) of [Passerini2004]_'s machine is summed point by point as
    C |v|_+ - a v with v = 1 - t f = t r, whose terms are non-negative.

    Parameters
    ----------
    signs : (n_bits, n)
        0 where the machine was not shown the point.
    alphas, residuals : (n_bits, n)
    upper : (n_bits, n)
        C of each point.
    out : (3, n_bits)
        Written to.
    """
    for b in range(signs.shape[0]):
        gap, norm, worst = 0.0, 0.0, 0.0
        for k in range(signs.shape[1]):
            t = signs[b, k]
            if t == 0.0:
                continue
            v, a, c = t * residuals[b, k], alphas[b, k], upper[b, k]
            gap += c * max(v, 0.0) - a * v
            norm += a * (1.0 - v)
            if a < c:
                worst = max(worst, v)
            if a > 0.0:
                worst = max(worst, -v)
        out[0, b], out[1, b], out[2, b] = gap, max(norm, 0.0), worst


@njit(cache=True, nogil=True)
def cut_square(gram: RealArray, rows: RealArray) -> RealArray:
    """Copy the rows and columns of a few points into a contiguous matrix, (n_rows, n_rows)."""
    n = rows.size
    out = np.empty((n, n), dtype=gram.dtype)
    for i in range(n):
        source = gram[rows[i]]
        target = out[i]
        for j in range(n):
            target[j] = source[rows[j]]
    return out


@njit(cache=True, nogil=True)
def add_rows(gram: RealArray, coefficients: RealArray) -> RealArray:
    """Return coefficients @ gram, (n_bits, n), where few of the coefficients, (n_bits, n), are not 0."""
    out = np.zeros_like(coefficients)
    for b in range(coefficients.shape[0]):
        total = out[b]
        for i in range(coefficients.shape[1]):
            weight = coefficients[b, i]
            if weight != 0.0:
                row = gram[i]
                for k in range(total.size):
                    total[k] += weight * row[k]
    return out


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
    work: RealArray,
    order: RealArray,
    step: float,
    curvature: float,
    singular: float,
    tiny: float,
) -> int:
    """Return the coordinate that gains most once i has made its own step.

    For the residual r' after that step the gain of j is r'_j^2 / (2 (G_jj - G_ij^2 / G_ii)), the
    second term only where i is free to answer (`curvature` is 1 / G_ii or 0).
    """
    rises, falls, diagonal, gains = work[0], work[1], work[2], work[3]
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
    work: RealArray,
    order: RealArray,
) -> int:
    """Take two steps off the residual and return the coordinate whose violation is largest now."""
    rises, falls, sizes = work[0], work[1], work[3]
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


@njit(cache=True, nogil=True, error_model="numpy")
def _box_pair(
    r_i: float, r_j: float, g_ii: float, g_jj: float, g_ij: float, box: RealArray
) -> tuple[float, float]:
    """Maximise r' d - d' G d / 2 over the steps of two coordinates within a box.

    `box` holds the lower and upper limit of the step of i, then of j. Either the free optimum lies
    inside, or the best of the four edges is the answer.
    """
    det = g_ii * g_jj - g_ij * g_ij
    if det > _SINGULAR * g_ii * g_jj:
        x = (g_jj * r_i - g_ij * r_j) / det
        y = (g_ii * r_j - g_ij * r_i) / det
        if box[0] <= x <= box[1] and box[2] <= y <= box[3]:
            return x, y
    best, best_x, best_y = -1.0, 0.0, 0.0
    for edge in range(4):
        if edge < 2:
            x = box[edge]
            y = min(max((r_j - g_ij * x) / g_jj, box[2]), box[3])
        else:
            y = box[edge]
            x = min(max((r_i - g_ij * y) / g_ii, box[0]), box[1])
        gain = x * (r_i - 0.5 * g_ii * x) + y * (r_j - 0.5 * g_jj * y) - g_ij * x * y
        if gain > best:
            best, best_x, best_y = gain, x, y
    return best_x, best_y


@njit(cache=True, nogil=True)
def _limits(k: int, signs: RealArray, upper: RealArray, alphas: RealArray, out: RealArray) -> None:
    """Write how far the signed coefficient of k may fall and rise into out, (2,)."""
    if signs[k] > 0.0:
        out[0] = -alphas[k]
        out[1] = upper[k] - alphas[k]
    else:
        out[0] = alphas[k] - upper[k]
        out[1] = alphas[k]


@njit(cache=True, nogil=True)
def _take(k: int, step: float, box: RealArray, signs: RealArray, upper: RealArray, alphas: RealArray) -> None:
    """Move a coefficient by a signed step; a step to a limit lands on the bound exactly."""
    if step <= box[0]:
        alphas[k] = 0.0 if signs[k] > 0.0 else upper[k]
    elif step >= box[1]:
        alphas[k] = upper[k] if signs[k] > 0.0 else 0.0
    else:
        alphas[k] += step * signs[k]


@njit(cache=True, nogil=True, error_model="numpy")
def _ascend(
    gram: RealArray,
    signs: RealArray,
    upper: RealArray,
    alphas: RealArray,
    residual: RealArray,
    tol: float,
    max_updates: int,
    work: RealArray,
    order: RealArray,
) -> tuple[int, float]:
    """Run the ascent of `solve_box_dual`; `work` (4, n) and `order`, its last row, are scratch."""
    scalar: Any = gram.dtype.type
    box = np.empty(4)
    for k in range(signs.size):
        _mark(k, signs, upper, alphas, work)
        work[2, k] = gram[k, k]
    i = _move(gram[0], gram[0], scalar(0.0), scalar(0.0), residual, work, order)
    n_updates = 0
    while work[3, i] > tol and n_updates < max_updates:
        g_ii = max(float(work[2, i]), _TINY)
        _limits(i, signs, upper, alphas, box[:2])
        r_i = float(residual[i])
        x = min(max(r_i / g_ii, box[0]), box[1])
        curvature = 1.0 / g_ii if box[0] < x < box[1] else 0.0
        j = _partner(
            gram[i], residual, work, order, scalar(x), scalar(curvature), scalar(_SINGULAR), scalar(_TINY)
        )
        y = 0.0
        if j != i:
            _limits(j, signs, upper, alphas, box[2:])
            x, y = _box_pair(
                r_i, float(residual[j]), g_ii, max(float(work[2, j]), _TINY), float(gram[i, j]), box
            )
            _take(j, y, box[2:], signs, upper, alphas)
            _mark(j, signs, upper, alphas, work)
        _take(i, x, box[:2], signs, upper, alphas)
        _mark(i, signs, upper, alphas, work)
        i = _move(gram[i], gram[j], scalar(x), scalar(y), residual, work, order)
        n_updates += 1
    return n_updates, float(work[3, i])


@njit(cache=True, nogil=True)
def _leave_each_out(
    gram: RealArray,
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
    scalar: Any = gram.dtype.type
    n_open = 0
    bounds = upper.copy()
    for number in range(points.size):
        i = points[number]
        trial = alphas.copy()
        rest = residual.copy()
        step = scalar(alphas[i] * signs[i])
        row = gram[i]
        for k in range(signs.size):
            rest[k] += step * row[k]
        trial[i] = 0.0
        bounds[i] = 0.0
        _, violation = _ascend(gram, signs, bounds, trial, rest, tol, max_updates, work, order)
        bounds[i] = upper[i]
        left_out[number] = signs[i] - rest[i]
        if violation > tol:
            n_open += 1
    return n_open
