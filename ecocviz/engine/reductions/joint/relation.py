"""Joint learning: the relation of the machines, learned in turn with the machines.

Symbols of all files of this package, after [Liu2016]_: n points x_i, code entries Y_il of the classes (0
leaves a point out), f_l(x) = w_l . phi(x) + b_l, N_l points shown to machine l, W = [w_1 .. w_L],
M -> relation (L, L). What is minimised over W, b and M (M positive semidefinite, trace 1) is

    F = sum_l 1/N_l sum_i (Y_il - f_l(x_i))^2 + lambda1/2 tr W'W + lambda2/2 tr W M^-1 W'     (Eq. 4)

With M fixed, W = Theta S where S = (lambda1 I + lambda2 M^-1)^-1, Theta = Phi'B and B_il are the
signed dual coefficients.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import FloatArray

SMOOTHING = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 0.0)
"""eps^2 of each stage of the continuation, as shares of the mean squared norm of the first machines."""
MOST_GAP, LEAST_GAP = 100.0, 1e-12
"""So many times the tolerance, and never less than rounding, may the gap be a share of the objective.

A slow alternation falls by less than the tolerance in one cycle while it is still far above its end.
"""
STAGE_TOL = 1e-6
"""Relative decrease at which eps falls: no stage but the last need be finished."""


@dataclass(frozen=True, slots=True)
class MachineStep:
    """The machines that are best for a fixed relation M = V diag(m) V'.

    Attributes
    ----------
    loss
        Sum over machines of the mean squared error.
    penalty
        tr W S^-1 W' / 2.
    factor : (rank, n_eigenvectors)
        G with G'G = V'W'W V.
    """

    loss: float
    penalty: float
    factor: FloatArray


class MachineSolver(Protocol):
    """Finds the machines of a fixed relation; one for each shape of problem.

    Attributes
    ----------
    n_tasks
        Number of machines learned jointly.
    """

    n_tasks: int

    def solve(self, vectors: FloatArray, weights: FloatArray, *, exact: bool) -> MachineStep:
        """Minimise F over W and b with S = vectors diag(weights) vectors'.

        Parameters
        ----------
        vectors : (n_tasks, n_eigenvectors)
            Orthonormal columns.
        weights : (n_eigenvectors,)
        exact
            Solve to rounding; else to what keeps the objective falling.
        """

    def slopes(self) -> FloatArray:
        """Return (rank, n_tasks), a factor of Theta'Theta for the machines solved last."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The outcome of the alternation.

    Attributes
    ----------
    relation : (n_tasks, n_tasks)
        M, of trace 1.
    history : (n_steps,)
        Smoothed objective after every half step; it never rises.
    objective
        The objective itself, minimised over M: loss + lambda1/2 |W|^2 + lambda2/2 |W|_*^2.
    gap
        Duality gap of that objective: how far above the optimum it may be.
    cycles
        Alternations done.
    converged
        Whether the objective stopped falling before the cycles ran out, and near its least value.
    vectors : (n_tasks, n_tasks)
    weights : (n_tasks,)
        S = vectors diag(weights) vectors' of the final machines.
    factor : (rank, n_tasks)
        G with G'G = W'W.
    """

    relation: FloatArray
    history: FloatArray
    objective: float
    gap: float
    cycles: int
    converged: bool
    vectors: FloatArray
    weights: FloatArray
    factor: FloatArray


def shrunken(values: npt.NDArray[np.floating], quadratic: float, trace_norm: float) -> FloatArray:
    """Return the non-negative s that maximises v.s - quadratic/2 |s|^2 - trace_norm/2 (sum s)^2.

    Values are lowered by one threshold, trace_norm * sum(s), and cut at 0. With values of a step W
    and quadratic = 1 it is the proximal map of the squared trace norm.

    Parameters
    ----------
    values : (n,)
        Not negative, falling.
    quadratic, trace_norm
        Not negative, and not both 0.

    Examples
    --------
    >>> shrunken(np.array([3.0, 1.0]), 1.0, 1.0).tolist()
    [1.5, 0.0]
    """
    if values.size == 0 or values[0] <= 0:
        return np.zeros_like(values)
    if quadratic == 0:
        # Only the largest values can be worth their share of the sum; ties share it.
        top = values >= values[0] * (1 - 1e-15)
        return np.where(top, values[0] / (trace_norm * top.sum()), 0.0)
    counts = np.arange(1, values.size + 1)
    thresholds = trace_norm * np.cumsum(values) / (quadratic + counts * trace_norm)
    last = int(np.flatnonzero(values > thresholds)[-1])
    cut: FloatArray = np.maximum(values - thresholds[last], 0.0) / quadratic
    return cut


def trace_norm_penalty(values: FloatArray, lambda1: float, lambda2: float) -> float:
    """Return lambda1/2 |W|^2 + lambda2/2 |W|_*^2 of a W with these singular values, (n,)."""
    return 0.5 * (lambda1 * float(values @ values) + lambda2 * float(values.sum()) ** 2)


def conjugate_penalty(slopes: npt.NDArray[np.floating], lambda1: float, lambda2: float) -> float:
    """Return the convex conjugate of `trace_norm_penalty` at a matrix with these singular values, (n,)."""
    return 0.5 * float(slopes @ shrunken(slopes, lambda1, lambda2))


def right_singular(factor: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return all singular values (n,), zeros included, and right singular vectors (n, n) of (rank, n)."""
    rank, n = factor.shape
    _, values, rows = np.linalg.svd(factor, full_matrices=rank < n)
    return np.concatenate([values, np.zeros(n - values.size)]), rows.T


def step_weights(eigenvalues: FloatArray, lambda1: float, lambda2: float) -> FloatArray:
    """Return the eigenvalues m / (lambda1 m + lambda2) of S, (n,); M^-1 is never formed.

    Parameters
    ----------
    eigenvalues : (n,)
        Of the relation M; 0 gives 0.
    """
    if lambda2 == 0:
        return np.full(eigenvalues.size, 1 / lambda1)
    weights: FloatArray = eigenvalues / (lambda1 * eigenvalues + lambda2)
    return weights


def learn_alone(solver: MachineSolver, lambda1: float) -> Learned:
    """Train every machine by itself (lambda2 = 0); the relation is what their weights then show.

    It is the control of the method: least squares with a ridge, S = I / lambda1.
    """
    n = solver.n_tasks
    weights = np.full(n, 1 / lambda1)
    step = solver.solve(np.eye(n), weights, exact=True)
    values, vectors = right_singular(step.factor)
    objective = step.loss + step.penalty
    gap = _gap(solver, step, objective, lambda1, 0.0)
    return Learned(
        relation=_relation(vectors, values),
        history=np.array([objective]),
        objective=objective,
        gap=gap,
        cycles=0,
        converged=True,
        vectors=np.eye(n),
        weights=weights,
        factor=step.factor,
    )


def _relation(vectors: FloatArray, roots: FloatArray) -> FloatArray:
    """Return V diag(roots / sum) V', symmetric to the last bit, (n, n); I / n where W is zero."""
    total = float(roots.sum())
    if total == 0:
        return np.asarray(np.eye(vectors.shape[0]) / vectors.shape[0])
    half = vectors * np.sqrt(roots / total)
    relation: FloatArray = half @ half.T
    return relation


def _gap(solver: MachineSolver, step: MachineStep, objective: float, lambda1: float, lambda2: float) -> float:
    """Bound how far the objective is above its least value.

    The dual of the objective at t B is t a - t^2 (q + R*(Theta)) with a = sum of B Y =
    2 (loss + tr W S^-1 W' / 2) and q = sum_l N_l/4 |B_l|^2 = loss; the best t is taken.
    """
    slopes = np.linalg.svd(solver.slopes(), compute_uv=False)
    curvature = step.loss + conjugate_penalty(slopes, lambda1, lambda2)
    # Never 0: without machines the loss is the variance of the targets, with machines Theta is not 0.
    return max(objective - (step.loss + step.penalty) ** 2 / curvature, 0.0)


def learn_relation(
    solver: MachineSolver,
    lambda1: float,
    lambda2: float,
    *,
    start: float,
    levels: tuple[float, ...],
    tol: float,
    max_cycles: int,
    progress: Progress = NO_PROGRESS,
) -> Learned:
    """Alternate between the machines (relation fixed) and the relation (machines fixed).

    Implements the loop of [Liu2016]_ with its Eq. 15 as M = R / tr R, R = (W'W + eps^2 I)^(1/2).

    Differs from the paper: eps^2 goes inside the root, where M is the exact minimiser of
    F + lambda2/2 eps^2 tr M^-1, so that the recorded objective never rises; the root is taken from
    the singular values of a factor of W'W, because squaring loses half the digits; and eps falls
    from large to small, because with eps = 0 a direction that W has once lost stays lost.

    Parameters
    ----------
    solver
        Finds the machines of a fixed relation.
    lambda1, lambda2
        Weights of the two penalties; lambda2 > 0.
    start
        The first relation is this number times the identity. (Starting from the relation of a similar
        problem takes more cycles, not fewer: its small eigenvalues grow slowly.)
    levels
        eps^2 of each stage, falling, as shares of |W|^2 / n_tasks of the first machines.
    tol
        Relative decrease in one cycle at which the alternation (or a stage of eps) ends.
    max_cycles
        Alternations at most.
    progress
        Told the finished share; may raise to cancel.
    """
    n = solver.n_tasks
    vectors, eigenvalues = np.eye(n), np.full(n, start)
    step = solver.solve(vectors, step_weights(eigenvalues, lambda1, lambda2), exact=False)
    scale = float(np.einsum("ij,ij->", step.factor, step.factor)) / n
    stage, squared_eps = 0, levels[0] * scale
    previous = step.loss + step.penalty + 0.5 * lambda2 * squared_eps * float((1 / eigenvalues).sum())
    history = [previous]
    cycles, converged = 0, scale == 0
    while not converged and cycles < max_cycles:
        cycles += 1
        values, turn = right_singular(step.factor)
        vectors = vectors @ turn
        roots = np.sqrt(values**2 + squared_eps)
        total = float(roots.sum())
        eigenvalues = roots / total
        squares = float(values @ values)
        history.append(step.loss + 0.5 * (lambda1 * squares + lambda2 * total**2))
        step = solver.solve(vectors, step_weights(eigenvalues, lambda1, lambda2), exact=False)
        floor = 0.5 * lambda2 * total * float((squared_eps / np.where(roots > 0, roots, 1)).sum())
        history.append(step.loss + step.penalty + floor)
        last = stage == len(levels) - 1
        if previous - history[-1] <= (tol if last else max(tol, STAGE_TOL)) * history[-1]:
            converged = last
            stage += not last
            squared_eps = levels[stage] * scale
        previous = history[-1]
        progress.at(max(cycles / max_cycles, stage / len(levels)))
    weights = step_weights(eigenvalues, lambda1, lambda2)
    step = solver.solve(vectors, weights, exact=True)
    values, _ = right_singular(step.factor)
    penalty = trace_norm_penalty(values, lambda1, lambda2)
    objective = step.loss + penalty
    gap = _gap(solver, step, objective, lambda1, lambda2)
    return Learned(
        relation=_relation(vectors, eigenvalues),
        history=np.array(history),
        objective=objective,
        gap=gap,
        cycles=cycles,
        converged=converged and gap <= max(MOST_GAP * tol, LEAST_GAP) * objective,
        vectors=vectors,
        weights=weights,
        factor=step.factor @ vectors.T,
    )
