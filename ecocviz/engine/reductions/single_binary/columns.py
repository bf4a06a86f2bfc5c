"""The single machine seen as the machines of a code: one score per replica, whatever the variant."""

import warnings
from dataclasses import dataclass, replace

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ecocviz.engine.kernels.gram import GramArray, Kernel, gram_matrix, kernel_diagonal, training_dtype
from ecocviz.engine.kernels.kessler import ascend_differences
from ecocviz.engine.progress import Progress, part_of
from ecocviz.engine.reductions.single_binary.solver import (
    SLICE_WORK,
    Replicas,
    Solution,
    balanced,
    dual_objective,
    duality_gap,
    intercept,
    log_share,
    product,
    solve,
)
from ecocviz.engine.reductions.single_binary.weights import Weighted, combine, learn, prior_weights
from ecocviz.engine.types import Bits, BoolArray, FloatArray, IntArray, Scores

_CHUNK_BYTES = 1 << 26
_LEAVE_OUT_TOL = 1e-5
"""Leaving one point out moves scores little: the solver must be finer than in training."""


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
    progress: Progress | None = None,
) -> Fitted:
    """Train on all points of the Gram matrix.

    Parameters
    ----------
    settings
    gram : (n_samples, n_samples)
    targets : (n_samples, n_columns)
    start
        The machine of a similar problem on the same points.
    """
    C = settings.C / targets.size if settings.per_replica else settings.C
    if not settings.basis.size:
        alphas = None if start is None else start.alphas
        fitted = _train_differences(settings, gram, targets, C, alphas, progress)
    else:
        problem = Replicas.boxed(gram, np.asarray(targets, dtype=np.float64), C)
        n_matrices = settings.basis.shape[0]
        radius = np.sqrt(gram.shape[0]) if settings.radius is None else settings.radius
        weights = np.full(n_matrices, radius / n_matrices)
        if settings.rule == "prior" and n_matrices > 1:
            weights = prior_weights((targets == 1).sum(axis=0), radius)
        warm = None
        if start is not None:
            if start.learned is not None and settings.rule in ("l2", "simplex"):
                weights = start.learned.mu * (radius / start.learned.mu.sum())
            warm = warm_start(problem, start.coefficients, combine(weights, settings.basis))
        learned = learn(
            problem,
            settings.basis,
            weights,
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


def warm_start(problem: Replicas, coefficients: FloatArray, V: FloatArray) -> Solution:
    """Make a feasible start of the coefficients of a similar problem, (n_samples, n_columns).

    They are cut to the box, or scaled until the largest stands at C: whichever is the better start.
    """
    largest = float(np.abs(coefficients).max())
    candidates = [balanced(problem, coefficients)]
    if largest > 0 and (problem.high > problem.low).all():
        candidates.append(coefficients * (problem.C / largest))
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


def _train_differences(
    settings: Settings,
    gram: GramArray,
    targets: Bits,
    C: float,
    start: FloatArray | None,
    progress: Progress | None,
) -> Fitted:
    """Train the Kessler construction: no bias, no class kernel, every replica on the positive side.

    Differs from the construction of [Duda1973]_: the box stands for data that cannot be separated;
    where they can, a large C gives the machine of largest margin.
    """
    y_index = targets.argmax(axis=1)
    own = (np.arange(y_index.size), y_index)
    alphas = np.zeros(targets.shape) if start is None else np.minimum(start, C)
    by_class = np.ascontiguousarray(alphas.T)
    outputs = np.ascontiguousarray(product(gram, differences(alphas, y_index)).T)
    tell = log_share(progress, settings.tol)
    slices = max(100, SLICE_WORK // alphas.size)
    n_updates, violation = 0, np.inf
    while violation >= settings.tol and n_updates < settings.max_updates:
        allowed = min(slices, settings.max_updates - n_updates)
        done, left = ascend_differences(gram, y_index, by_class, outputs, C, settings.tol, allowed)
        n_updates, violation = n_updates + int(done), float(left)
        tell(violation)
    alphas = np.ascontiguousarray(by_class.T)
    B = differences(alphas, y_index)
    F = product(gram, B)
    losses = np.maximum(0.0, 1.0 - F[own][:, None] + F)
    losses[own] = 0.0
    squared_norm = float(np.vdot(B, F))
    dual = float(alphas.sum()) - squared_norm / 2
    gap = max(0.0, squared_norm / 2 + C * float(losses.sum()) - dual)
    return Fitted(B, B, F, 0.0, alphas, 2 * dual, gap, n_updates, violation, None)


def differences(alphas: FloatArray, y_index: IntArray) -> FloatArray:
    """Return B_ir = [r = y_i] sum_s a_is - a_ir, (n_samples, n_classes): the blocks of the construction."""
    B = -alphas
    B[np.arange(y_index.size), y_index] = alphas.sum(axis=1)
    return B


class SingleColumns:
    """The replicas' scores of one machine; attributes as `TrainedColumns`."""

    probability_scale = False
    theorem = False

    def __init__(
        self,
        settings: Settings,
        X: FloatArray,
        targets: Bits,
        *,
        gram: GramArray | None = None,
        start: Fitted | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.settings = settings
        self.X = X
        self.targets = targets
        gram = self.gram() if gram is None else gram
        self.fitted = train(settings, gram, targets, start=start, progress=progress)
        n_columns = targets.shape[1]
        self.scores: Scores = self.fitted.outputs + self.fitted.bias
        self.alphas: FloatArray | None = self.fitted.alphas
        self.diagonal: FloatArray | None = kernel_diagonal(settings.kernel, X)
        self.gaps: FloatArray | None = None
        self.upper: FloatArray | None = None
        self.squared_norms: FloatArray | None = None
        self.n_updates: IntArray | None = None
        self.converged: BoolArray = np.full(n_columns, self.fitted.violation < settings.tol)

    def gram(self) -> GramArray:
        """Return the kernel of the points, (n_samples, n_samples); made when needed, never kept."""
        dtype = training_dtype(self.X.shape[0], self.settings.tol)
        return gram_matrix(self.settings.kernel, self.X, dtype=dtype)

    def predict_scores(self, X: FloatArray) -> Scores:
        """Return h of the replicas of new points, (n, n_columns): Eq. 9 of [ElYaniv2008]_."""
        supports = np.flatnonzero(self.fitted.coefficients.any(axis=1))
        weights, points = self.fitted.weights[supports], self.X[supports]
        scores = np.full((X.shape[0], self.targets.shape[1]), self.fitted.bias)
        step = max(1, _CHUNK_BYTES // (8 * max(1, supports.size)))
        if supports.size:
            for first in range(0, X.shape[0], step):
                part = slice(first, first + step)
                scores[part] += gram_matrix(self.settings.kernel, X[part], points) @ weights
        return scores

    def held_out_scores(self, fold_ids: IntArray, progress: Progress | None = None) -> Scores:
        """Return each training point's scores by machines trained without its fold, (n_samples, n_columns).

        Weights of class kernels are learned again without the fold.
        """
        gram = self.gram()
        folds = np.unique(fold_ids)
        scores = np.empty(self.targets.shape)
        for number, fold in enumerate(folds):
            held, kept = np.flatnonzero(fold_ids == fold), np.flatnonzero(fold_ids != fold)
            step = part_of(progress, number, folds.size)
            fitted = train(self.settings, gram[np.ix_(kept, kept)], self.targets[kept], progress=step)
            scores[held] = product(gram[np.ix_(held, kept)], fitted.weights) + fitted.bias
        return scores

    def leave_one_out_scores(self, progress: Progress | None = None, tol: float | None = None) -> Scores:
        """Return each training point's scores by machines trained without it, (n_samples, n_columns).

        The class kernel stays the one that all points have taught. A point that supports nothing
        keeps its scores; the others' machines start from the full one.
        """
        gram = self.gram()
        tol = min(self.settings.tol, _LEAVE_OUT_TOL) if tol is None else tol
        settings = replace(self.settings, tol=tol)
        scores = self.scores.copy()
        supports = np.flatnonzero(self.fitted.coefficients.any(axis=1))
        for number, i in enumerate(supports):
            step = part_of(progress, number, supports.size)
            scores[i] = self._without(settings, gram, int(i), step)
        return scores

    def _without(self, settings: Settings, gram: GramArray, i: int, progress: Progress | None) -> FloatArray:
        """Return the scores of one point by the machine trained without it, (n_columns,)."""
        fitted, targets = self.fitted, self.targets
        C = settings.C / targets.size if settings.per_replica else settings.C
        shown = np.arange(self.X.shape[0]) != i
        if fitted.learned is None:
            part = gram[np.ix_(shown, shown)]
            other = _train_differences(settings, part, targets[shown], C, fitted.alphas[shown], progress)
            outputs: FloatArray = product(gram[i : i + 1, shown], other.weights)[0]
            return outputs
        V = fitted.learned.class_kernel
        problem = Replicas.boxed(gram, np.asarray(targets, dtype=np.float64), C, shown)
        solution = solve(
            problem,
            V,
            warm_start(problem, fitted.coefficients, V),
            tol=settings.tol,
            max_updates=settings.max_updates,
            progress=progress,
        )
        outputs = targets[i] - solution.residual[i]
        return outputs + intercept(problem, solution)
