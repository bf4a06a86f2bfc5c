"""Pair ascent for one support vector machine on replicas, whose kernel is a Kronecker product never formed.

Every example i is there once for each column r of a code; the kernel between the replicas (i, r) and
(j, s) is K_ij V_rs. Signed dual coefficients B = Y * alpha solve (Eq. 2 of [ElYaniv2008]_ halved)

    min <B, K B V> / 2 - <Y, B>   subject to   sum(B) = 0,   low <= B <= high.

Symbols: K -> gram (m, m), V -> class_kernel (c, c), Y -> targets (m, c), B -> coefficients (m, c),
E = Y - K B V -> residual (m, c).
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

RealArray: TypeAlias = npt.NDArray[Any]
"""Any precision, or whole numbers: whatever the compiled loop is called with."""

FLAT = 1e-12
"""A pair's curvature is at least this; duplicate points make it zero."""
NEAR = 1e-12
"""A coefficient within this share of its interval from a bound stands at the bound."""
SHRINK_EVERY = 1000
"""Steps after which replicas that stand rightly at their bounds are left out of the loops."""

RISES, FALLS = 1, 2
"""Bits of a replica's state: whether its coefficient may rise, and whether it may fall."""


class Active:
    """The replicas that a solver looks at: a packed list, kept between calls.

    Attributes
    ----------
    examples, columns : (n_replicas,), int32
        The first `size` entries name replica (examples[p], columns[p]).
    residual, diagonal : (n_replicas,)
        E and K_ii V_rr of the listed replicas.
    state : (n_replicas,), uint8
        Bits RISES and FALLS.
    size
        How many replicas are listed.
    """

    def __init__(self, n_replicas: int) -> None:
        self.examples = np.empty(n_replicas, dtype=np.int32)
        self.columns = np.empty(n_replicas, dtype=np.int32)
        self.residual = np.empty(n_replicas)
        self.diagonal = np.empty(n_replicas)
        self.state = np.empty(n_replicas, dtype=np.uint8)
        self.size = 0

    def fill(
        self,
        gram: RealArray,
        class_kernel: RealArray,
        low: RealArray,
        high: RealArray,
        coefficients: RealArray,
        residual: RealArray,
    ) -> float:
        """List all replicas that may take part in an improvement; return the largest violation of all."""
        size, violation = _fill(
            gram,
            class_kernel,
            low,
            high,
            coefficients,
            residual,
            self.examples,
            self.columns,
            self.residual,
            self.diagonal,
            self.state,
        )
        self.size = int(size)
        return float(violation)

    def ascend(
        self,
        gram: RealArray,
        class_kernel: RealArray,
        low: RealArray,
        high: RealArray,
        coefficients: RealArray,
        tol: float,
        max_updates: int,
        *,
        shrink: bool = True,
    ) -> tuple[int, float]:
        """Improve `coefficients` in place, pair by pair, looking at the listed replicas only.

        Parameters
        ----------
        gram : (m, m)
            Symmetric positive semidefinite, C-contiguous.
        class_kernel : (c, c)
            Symmetric positive semidefinite, C-contiguous.
        low, high, coefficients : (m, c)
        tol
            Largest violation of the optimality conditions at which the ascent ends.
        max_updates
            Most steps, each of one pair.
        shrink
            Whether to strike replicas off the list on the way.

        Returns
        -------
        n_updates : int
            Steps made.
        violation : float
            max E over those that may rise - min E over those that may fall, among the listed.

        Notes
        -----
        The working set is the one of [Fan2005]_: the largest residual that may rise, and the partner
        that gains most together with it.
        """
        n_updates, violation, size = _ascend(
            gram,
            class_kernel,
            low,
            high,
            coefficients,
            self.examples,
            self.columns,
            self.residual,
            self.diagonal,
            self.state,
            self.size,
            tol,
            max_updates,
            min(self.size, SHRINK_EVERY) if shrink else max_updates + 1,
        )
        self.size = int(size)
        return int(n_updates), float(violation)


@njit(cache=True, nogil=True)
def _state(b: float, low: float, high: float) -> int:
    """Say which way a coefficient may go."""
    near = NEAR * (high - low)
    may = 0
    if b < high - near:
        may |= RISES
    if b > low + near:
        may |= FALLS
    return may


@njit(cache=True, nogil=True)
def _fill(
    K: RealArray,
    V: RealArray,
    low: RealArray,
    high: RealArray,
    B: RealArray,
    E: RealArray,
    examples: RealArray,
    columns: RealArray,
    e: RealArray,
    diagonal: RealArray,
    state: RealArray,
) -> tuple[int, float]:
    """List (rises and falls) or (rises and E > min) or (falls and E < max); see `Active.fill`."""
    m, c = B.shape
    top, bottom = -np.inf, np.inf
    for i in range(m):
        for r in range(c):
            may = _state(B[i, r], low[i, r], high[i, r])
            if may & RISES:
                top = max(top, E[i, r])
            if may & FALLS:
                bottom = min(bottom, E[i, r])
    n = 0
    for i in range(m):
        for r in range(c):
            may = _state(B[i, r], low[i, r], high[i, r])
            if may == 3 or (may == RISES and E[i, r] > bottom) or (may == FALLS and E[i, r] < top):
                examples[n] = i
                columns[n] = r
                e[n] = E[i, r]
                diagonal[n] = K[i, i] * V[r, r]
                state[n] = may
                n += 1
    return n, top - bottom


@njit(cache=True, nogil=True)
def _pack(
    examples: RealArray,
    columns: RealArray,
    e: RealArray,
    diagonal: RealArray,
    state: RealArray,
    size: int,
    top: float,
    bottom: float,
) -> int:
    """Strike off the replicas that stand rightly at their bounds; return how many are left."""
    n = 0
    for p in range(size):
        may = state[p]
        if may == 3 or (may == RISES and e[p] > bottom) or (may == FALLS and e[p] < top):
            examples[n] = examples[p]
            columns[n] = columns[p]
            e[n] = e[p]
            diagonal[n] = diagonal[p]
            state[n] = may
            n += 1
    return n


@njit(cache=True, nogil=True)
def _extremes(e: RealArray, state: RealArray, size: int) -> tuple[int, float, float]:
    """Return where the largest residual that may rise stands, it, and the least that may fall."""
    first, top, bottom = -1, -np.inf, np.inf
    for p in range(size):
        if state[p] & RISES and e[p] > top:
            top = e[p]
            first = p
        if state[p] & FALLS and e[p] < bottom:
            bottom = e[p]
    return first, top, bottom


@njit(cache=True, nogil=True)
def _partner(
    K_i: RealArray,
    V_r: RealArray,
    a_i: float,
    top: float,
    examples: RealArray,
    columns: RealArray,
    e: RealArray,
    diagonal: RealArray,
    state: RealArray,
    size: int,
) -> int:
    """Return the replica of largest gain d^2 / a, with a = K_ii V_rr + K_jj V_ss - 2 K_ij V_rs."""
    best = -1
    best_square, best_bend = 0.0, 1.0
    for p in range(size):
        d = top - e[p]
        if state[p] & FALLS and d > 0.0:
            bend = max(a_i + diagonal[p] - 2.0 * K_i[examples[p]] * V_r[columns[p]], FLAT)
            if d * d * best_bend > best_square * bend:
                best_square, best_bend = d * d, bend
                best = p
    return best


@njit(cache=True, nogil=True)
def _move(
    K_i: RealArray,
    K_j: RealArray,
    step_r: RealArray,
    step_s: RealArray,
    examples: RealArray,
    columns: RealArray,
    e: RealArray,
    state: RealArray,
    size: int,
) -> tuple[int, float, float]:
    """Take a step off the residuals and find the next extremes in the same pass."""
    first, top, bottom = -1, -np.inf, np.inf
    for p in range(size):
        k, q = examples[p], columns[p]
        left = e[p] - (K_i[k] * step_r[q] - K_j[k] * step_s[q])
        e[p] = left
        if state[p] & RISES and left > top:
            top = left
            first = p
        if state[p] & FALLS and left < bottom:
            bottom = left
    return first, top, bottom


@njit(cache=True, nogil=True)
def _ascend(
    K: RealArray,
    V: RealArray,
    low: RealArray,
    high: RealArray,
    B: RealArray,
    examples: RealArray,
    columns: RealArray,
    e: RealArray,
    diagonal: RealArray,
    state: RealArray,
    size: int,
    tol: float,
    max_updates: int,
    shrink_every: int,
) -> tuple[int, float, int]:
    """Ascend as `Active.ascend` says; return steps, violation and the new length of the list."""
    n_updates = 0
    countdown = shrink_every
    first, top, bottom = _extremes(e, state, size)
    while n_updates < max_updates and top - bottom >= tol:
        countdown -= 1
        if countdown == 0:
            size = _pack(examples, columns, e, diagonal, state, size, top, bottom)
            countdown = min(size, shrink_every)
            first, top, bottom = _extremes(e, state, size)
        i, r = examples[first], columns[first]
        other = _partner(K[i], V[r], diagonal[first], top, examples, columns, e, diagonal, state, size)
        j, s = examples[other], columns[other]
        bend = max(diagonal[first] + diagonal[other] - 2.0 * K[i, j] * V[r, s], FLAT)
        t = (top - e[other]) / bend
        room_i, room_j = high[i, r] - B[i, r], B[j, s] - low[j, s]
        t = min(t, room_i, room_j)
        # A coefficient that uses up its room stands exactly at its bound.
        B[i, r] = high[i, r] if t == room_i else B[i, r] + t
        B[j, s] = low[j, s] if t == room_j else B[j, s] - t
        state[first] = _state(B[i, r], low[i, r], high[i, r])
        state[other] = _state(B[j, s], low[j, s], high[j, s])
        first, top, bottom = _move(K[i], K[j], t * V[r], t * V[s], examples, columns, e, state, size)
        n_updates += 1
    return n_updates, top - bottom, size


@njit(cache=True, nogil=True)
def replica_matrix(K: RealArray, V: RealArray, examples: RealArray, columns: RealArray) -> RealArray:
    """Return the kernel between replicas (examples[p], columns[p]) in double precision, (n, n)."""
    n = examples.size
    matrix = np.empty((n, n))
    for p in range(n):
        K_i, V_r = K[examples[p]], V[columns[p]]
        for q in range(n):
            matrix[p, q] = K_i[examples[q]] * V_r[columns[q]]
    return matrix
