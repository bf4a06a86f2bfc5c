"""One support vector machine on all replicas: shrinking pair ascent, and bursts of Newton's method."""

import numpy as np

from ecocviz.engine.kernels.kronecker_smo import Active
from ecocviz.engine.progress import NO_PROGRESS, Falling, Progress
from ecocviz.engine.reductions.single_binary.newton import newton_burst
from ecocviz.engine.reductions.single_binary.replicas import Replicas, Solution, dual_objective, product
from ecocviz.engine.types import FloatArray

SLICE_WORK = 20_000_000
"""Replicas looked at between two reports of progress: well below half a second."""
BURST_AFTER = 4
"""Bursts come after so many steps per replica."""


def solve(
    problem: Replicas,
    class_kernel: FloatArray,
    start: Solution | None = None,
    *,
    tol: float,
    max_updates: int,
    shrink: bool = True,
    bursts: bool = True,
    progress: Progress = NO_PROGRESS,
) -> Solution:
    """Train the machine for one class kernel.

    Minimises <B, K B V> / 2 - <Y, B> with sum(B) = 0 in the box: half of Eq. 2 of [ElYaniv2008]_,
    the constraint of Eq. 3, for the matrix of Eq. 8, which is never formed.

    Differs from the paper: the box is [0, C], the one of Eq. 7; Eq. 1 implies C / 2 and Eq. 3 says
    C / (c m), and the three cannot all hold.

    Parameters
    ----------
    problem
    class_kernel : (n_columns, n_columns)
    start
        A feasible solution for another class kernel, or None.
    tol
        Largest violation of the optimality conditions.
    max_updates
        Most pair steps.
    shrink, bursts
        Whether to leave settled replicas out of the loops, and to end by Newton's method.
    progress
        Told the share of the work, on a log scale of the violation; may raise to cancel.
    """
    V = np.ascontiguousarray(class_kernel, dtype=np.float64)
    n_replicas = problem.targets.size
    B = np.zeros(problem.targets.shape) if start is None else start.coefficients.copy()
    T = np.zeros(problem.targets.shape) if start is None else start.expansion
    E = problem.targets - T @ V
    falling = Falling(progress, tol)
    active = Active(n_replicas)
    n_updates, n_bursts, waited = 0, 0, 0
    patience = BURST_AFTER * n_replicas if bursts else max_updates + 1
    while True:
        violation = active.fill(problem.gram, V, problem.low, problem.high, B, E)
        falling.at(violation)
        if violation < tol or n_updates >= max_updates:
            break
        due = min(max_updates - n_updates, patience - waited)
        done = _descend(problem, V, B, active, tol, due, falling, shrink=shrink)
        n_updates += done
        waited += done
        T, E = _expand(problem, V, B)
        if waited >= patience:
            waited = 0
            moved, steps, finished = newton_burst(problem, V, B, E, tol, progress.check)
            n_bursts += steps
            if not finished:  # too early: the free coefficients were not yet the right ones
                patience *= 2
            if steps:
                expansion, residual = _expand(problem, V, moved)
                if dual_objective(problem, moved, residual) > dual_objective(problem, B, E):
                    B, T, E = moved, expansion, residual
    return Solution(B, T, E, dual_objective(problem, B, E), n_updates, n_bursts, violation)


def _expand(problem: Replicas, V: FloatArray, B: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return T = K B and E = Y - T V by two matrix products, each (n_samples, n_columns)."""
    T = product(problem.gram, B)
    E: FloatArray = problem.targets - T @ V
    return T, E


def _descend(
    problem: Replicas,
    V: FloatArray,
    B: FloatArray,
    active: Active,
    tol: float,
    due: int,
    falling: Falling,
    *,
    shrink: bool,
) -> int:
    """Take up to `due` steps on the listed replicas, in slices; return how many were taken."""
    n_updates = 0
    while n_updates < due:
        allowed = min(due - n_updates, max(100, SLICE_WORK // max(1, active.size)))
        done, violation = active.ascend(
            problem.gram, V, problem.low, problem.high, B, tol, allowed, shrink=shrink
        )
        n_updates += done
        if violation < tol:
            break
        falling.at(violation)
    return n_updates
