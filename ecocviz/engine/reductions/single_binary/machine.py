"""Training one support vector machine on replicas, with its class kernel or as the Kessler construction."""

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ecocviz.engine.kernels.gram import GramArray, Kernel
from ecocviz.engine.kernels.kessler import ascend_differences
from ecocviz.engine.progress import NO_PROGRESS, Falling, Progress
from ecocviz.engine.reductions.single_binary.class_kernels import combine
from ecocviz.engine.reductions.single_binary.replicas import (
    Replicas,
    Solution,
    balanced,
    dual_objective,
    duality_gap,
    intercept,
    product,
    total_price,
)
from ecocviz.engine.reductions.single_binary.solver import SLICE_WORK
from ecocviz.engine.reductions.single_binary.weights import Weighted, learn, prior_weights
from ecocviz.engine.types import Bits, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the single machine is trained with, all words settled.

    Attributes
    ----------
    kernel
        K of the points.
    basis : (n_matrices, n_columns, n_columns)
        The class kernels; empty for the Kessler construction, which has none.
    C
        Price of a unit of hinge loss of one replica.
    per_replica
        Whether C is divided by the number of replicas.
    radius
        Sum of the weights, or None for the square root of the number of training points.
    rule
        How the weights are found.
    """

    kernel: Kernel
    basis: FloatArray
    C: float
    per_replica: bool
    radius: float | None
    rule: str
    tol: float
    max_updates: int
    max_rounds: int


@dataclass(frozen=True, slots=True)
class Fitted:
    """A trained machine.

    Attributes
    ----------
    weights : (n_samples, n_columns)
        B V, so that the scores of a point x are k(x)' B V + b.
    coefficients, outputs : (n_samples, n_columns)
        B, and F = K B V without the bias.
    bias
        b.
    alphas : (n_samples, n_columns)
        Dual coefficients, at least 0.
    gap
        Duality gap of |w|^2 / 2 + C sum of hinge losses.
    violation
        Largest violation of the optimality conditions.
    learned
        Weights and class kernel; None for the Kessler construction.
    """

    weights: FloatArray
    coefficients: FloatArray
    outputs: FloatArray
    bias: float
    alphas: FloatArray
    objective: float
    gap: float
    n_updates: int
    violation: float
    learned: Weighted | None


def train(
    settings: Settings,
    gram: GramArray,
    targets: Bits,
    *,
    start: Fitted | None = None,
    weights: FloatArray | None = None,
    progress: Progress = NO_PROGRESS,
) -> Fitted:
    """Train on all points of the Gram matrix.

    Parameters
    ----------
    settings
    gram : (n_samples, n_samples)
    targets : (n_samples, n_columns)
    start
        The machine of a similar problem on the same points.
    weights : (n_samples,), optional
        As how many points each point counts.
    """
    counts = np.ones(targets.shape[0]) if weights is None else weights
    C = box(settings, counts, targets.shape[1])
    if not settings.basis.size:
        alphas = None if start is None else start.alphas
        fitted = train_differences(settings, gram, targets, C, alphas, progress)
    else:
        problem = Replicas.boxed(gram, np.asarray(targets, dtype=np.float64), C)
        n_matrices = settings.basis.shape[0]
        radius = np.sqrt(counts.sum()) if settings.radius is None else settings.radius
        mu = np.full(n_matrices, radius / n_matrices)
        if settings.rule == "prior" and n_matrices > 1:
            mu = prior_weights(counts @ (targets == 1), radius)
        warm = None
        if start is not None:
            if start.learned is not None and settings.rule in ("l2", "simplex"):
                mu = start.learned.mu * (radius / start.learned.mu.sum())
            warm = warm_start(problem, start.coefficients, combine(mu, settings.basis))
        learned = learn(
            problem,
            settings.basis,
            mu,
            settings.rule,
            tol=settings.tol,
            max_updates=settings.max_updates,
            max_rounds=settings.max_rounds,
            warm=warm,
            progress=progress,
        )
        fitted = expand(problem, learned)
    if fitted.violation >= settings.tol:
        warnings.warn(
            f"The single machine stopped after {fitted.n_updates} steps with a violation of "
            f"{fitted.violation:.2g} (asked: {settings.tol:g}); raise max_updates or tol, or "
            "scale the features.",
            ConvergenceWarning,
            stacklevel=2,
        )
    return fitted


def box(settings: Settings, counts: FloatArray, n_columns: int) -> FloatArray:
    """Return the upper bound of the copies' coefficients at each point, (n_samples,), by their counts."""
    C = settings.C / (counts.sum() * n_columns) if settings.per_replica else settings.C
    bounds: FloatArray = C * counts
    return bounds


def warm_start(problem: Replicas, coefficients: FloatArray, V: FloatArray) -> Solution:
    """Make a feasible start of the coefficients of a similar problem, (n_samples, n_columns).

    They are cut to the box, or scaled until the largest stands at C: whichever is the better start.
    """
    largest = np.abs(coefficients).max(axis=1)
    candidates = [balanced(problem, coefficients)]
    if largest.any() and (problem.high > problem.low).all():
        candidates.append(coefficients * (problem.C[largest > 0] / largest[largest > 0]).min())
    starts = []
    for B in candidates:
        T = product(problem.gram, B)
        E = problem.targets - T @ V
        starts.append(Solution(B, T, E, dual_objective(problem, B, E), 0, 0, np.inf))
    return max(starts, key=lambda start: start.objective)


def expand(problem: Replicas, learned: Weighted) -> Fitted:
    """Turn a dual solution into what scores need."""
    solution = learned.solution
    bias = intercept(problem, solution)
    return Fitted(
        solution.coefficients @ learned.class_kernel,
        solution.coefficients,
        problem.targets - solution.residual,
        bias,
        np.abs(solution.coefficients),
        solution.objective,
        duality_gap(problem, solution, bias),
        solution.n_updates,
        solution.violation,
        learned,
    )


def train_differences(
    settings: Settings,
    gram: GramArray,
    targets: Bits,
    C: FloatArray,
    start: FloatArray | None,
    progress: Progress,
) -> Fitted:
    """Train the Kessler construction: no bias, no class kernel, every replica on the positive side.

    `C` is the upper bound of each point, (n_samples,).

    Differs from the construction of [Duda1973]_: the box stands for data that cannot be separated;
    where they can, a large C gives the machine of largest margin.
    """
    y_index = targets.argmax(axis=1)
    own = (np.arange(y_index.size), y_index)
    alphas = np.zeros(targets.shape) if start is None else np.minimum(start, C[:, None])
    by_class = np.ascontiguousarray(alphas.T)
    outputs = np.ascontiguousarray(product(gram, differences(alphas, y_index)).T)
    falling = Falling(progress, settings.tol)
    slices = max(100, SLICE_WORK // alphas.size)
    n_updates, violation = 0, np.inf
    while violation >= settings.tol and n_updates < settings.max_updates:
        allowed = min(slices, settings.max_updates - n_updates)
        done, left = ascend_differences(gram, y_index, by_class, outputs, C, settings.tol, allowed)
        n_updates, violation = n_updates + int(done), float(left)
        falling.at(violation)
    alphas = np.ascontiguousarray(by_class.T)
    B = differences(alphas, y_index)
    F = product(gram, B)
    losses = np.maximum(0.0, 1.0 - F[own][:, None] + F)
    losses[own] = 0.0
    squared_norm = float(np.vdot(B, F))
    dual = float(alphas.sum()) - squared_norm / 2
    gap = max(0.0, squared_norm / 2 + total_price(C, losses) - dual)
    return Fitted(B, B, F, 0.0, alphas, 2 * dual, gap, n_updates, violation, None)


def differences(alphas: FloatArray, y_index: IntArray) -> FloatArray:
    """Return B_ir = [r = y_i] sum_s a_is - a_ir, (n_samples, n_classes): the blocks of the construction."""
    B = -alphas
    B[np.arange(y_index.size), y_index] = alphas.sum(axis=1)
    return B
