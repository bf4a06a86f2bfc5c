"""Bursts of Newton's method: all free coefficients of a machine on replicas solved for at once."""

from collections.abc import Callable

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from ecocviz.engine.kernels.kronecker_smo import replica_matrix
from ecocviz.engine.reductions.single_binary.replicas import Replicas, free_coefficients
from ecocviz.engine.types import FloatArray

BURST_FREE = 500
"""Coarse solutions are finished by Newton's method only if fewer coefficients are free."""
BURST_MOST_FREE = 1_500
"""Above so many free coefficients a factorisation costs more than it gains."""
BURST_TOL = 1e-4
"""Tolerances finer than this are reached by Newton's method whatever the number below the limit."""
BURST_STEPS = 30
RIDGE = 1e-10
"""Duplicate points make the free system singular."""


def newton_burst(
    problem: Replicas, V: FloatArray, B: FloatArray, E: FloatArray, tol: float, beat: Callable[[], None]
) -> tuple[FloatArray, int, bool]:
    """Solve for the free coefficients at once, until all of them are optimal.

    Each step solves G_FF d + lambda 1 = E_F with 1'd = 0 and goes as far as the box allows; what
    meets its bound is free no more. The objective never gets worse, the sum stays zero. `beat` is
    called before each step; it may raise to cancel.

    Returns
    -------
    coefficients : (n_samples, n_columns)
        B itself where nothing was to be done or gained.
    n_steps : int
    finished : bool
        Whether the last step was not cut short by the box.
    """
    r, i = np.nonzero(free_coefficients(problem, B).T)  # sorted by column
    # Where pair steps would do as well, the system takes no more memory than the Gram matrix.
    most = BURST_MOST_FREE if tol < BURST_TOL else min(BURST_FREE - 1, problem.gram.shape[0])
    if not 2 <= i.size <= most:
        return B, 0, True
    low, high, b, e = problem.low[i, r], problem.high[i, r], B[i, r], E[i, r]
    inside = np.arange(i.size)
    finished, n_steps = False, 0
    while not finished and n_steps < BURST_STEPS and inside.size > 1:
        beat()
        step = newton_step(replica_matrix(problem.gram, V, i[inside], r[inside]), e[inside])
        if step is None:
            break
        direction, change = step
        room = np.where(direction > 0, high[inside] - b[inside], b[inside] - low[inside])
        with np.errstate(divide="ignore"):
            reach = room / np.abs(direction)
        length = min(1.0, float(reach.min()))
        b[inside] += length * direction
        e[inside] -= length * change
        blocked = reach <= length
        b[inside[blocked]] = np.where(direction > 0, high[inside], low[inside])[blocked]
        inside = inside[~blocked]
        finished = not blocked.any()
        n_steps += 1
    moved = B.copy()
    moved[i, r] = np.clip(b, low, high)
    roomiest = int(np.argmax(np.minimum(high - moved[i, r], moved[i, r] - low)))
    moved[i[roomiest], r[roomiest]] -= moved.sum()  # what rounding left of the sum
    return moved, n_steps, finished


def newton_step(G: FloatArray, e: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Solve G d + lambda 1 = e with 1'd = 0; return d and G d, or None where G is too far from definite.

    Parameters
    ----------
    G : (n_free, n_free)
        Positive semidefinite; changed.
    e : (n_free,)
    """
    ridge = RIDGE * float(np.trace(G)) / e.size
    G.flat[:: e.size + 1] += ridge
    try:
        # Transposed, because only columns in order are overwritten; G is symmetric.
        factor = cho_factor(G.T, lower=True, overwrite_a=True, check_finite=False)
    except LinAlgError:
        return None
    solved = cho_solve(factor, np.stack([e, np.ones(e.size)], axis=1), check_finite=False)
    shift = solved[:, 0].sum() / solved[:, 1].sum()
    direction: FloatArray = solved[:, 0] - shift * solved[:, 1]
    return direction, e - shift - ridge * direction
