"""The single machine seen as the machines of a code: one score per replica, whatever the variant."""

from dataclasses import replace

import numpy as np

from ecocviz.engine.columns import accuracy_of
from ecocviz.engine.kernels.gram import GramArray, gram_matrix, kernel_diagonal, training_dtype
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions._shared.chunks import kernel_expansion
from ecocviz.engine.reductions.single_binary.machine import (
    Fitted,
    Settings,
    box,
    train,
    train_differences,
    warm_start,
)
from ecocviz.engine.reductions.single_binary.replicas import Replicas, intercept, product
from ecocviz.engine.reductions.single_binary.solver import solve
from ecocviz.engine.types import Bits, BoolArray, FloatArray, IntArray, Points, Scores

_LEAVE_OUT_TOL = 1e-5
"""Leaving one point out moves scores little: the solver must be finer than in training."""


class SingleColumns:
    """The replicas' scores of one machine; attributes as `TrainedColumns`."""

    probability_scale = False
    theorem = False

    def __init__(
        self,
        settings: Settings,
        X: Points,
        targets: Bits,
        *,
        weights: FloatArray | None = None,
        gram: GramArray | None = None,
        start: Fitted | None = None,
        progress: Progress = NO_PROGRESS,
    ) -> None:
        self.settings = settings
        self.X = X
        self.targets = targets
        self.weights = weights
        gram = self.gram() if gram is None else gram
        self.fitted = train(settings, gram, targets, start=start, weights=weights, progress=progress)
        n_columns = targets.shape[1]
        self.scores: Scores = self.fitted.outputs + self.fitted.bias
        self.alphas: FloatArray | None = self.fitted.alphas
        self.diagonal: FloatArray | None = kernel_diagonal(settings.kernel, X)
        self.gaps: FloatArray | None = None
        self.upper: FloatArray | None = None
        self.squared_norms: FloatArray | None = None
        self.n_updates: IntArray | None = None
        self.converged: BoolArray = np.full(n_columns, self.fitted.violation < settings.tol)

    @property
    def score_accuracy(self) -> FloatArray:
        """What scores may be off by: the solver's tolerance."""
        return accuracy_of(self.scores, self.settings.tol)

    def gram(self) -> GramArray:
        """Return the kernel of the points, (n_samples, n_samples); made when needed, never kept."""
        dtype = training_dtype(self.X.shape[0], self.settings.tol)
        return gram_matrix(self.settings.kernel, self.X, dtype=dtype)

    def release(self) -> None:
        """Give back nothing: no kernel values are kept."""

    def predict_scores(self, X: Points) -> Scores:
        """Return h of the replicas of new points, (n, n_columns): Eq. 9 of [ElYaniv2008]_."""
        supports = np.flatnonzero(self.fitted.coefficients.any(axis=1))
        weights, points = self.fitted.weights[supports], self.X[supports]
        return kernel_expansion(self.settings.kernel, X, points, weights) + self.fitted.bias

    def held_out_scores(self, fold_ids: IntArray, progress: Progress = NO_PROGRESS) -> Scores:
        """Return each training point's scores by machines trained without its fold, (n_samples, n_columns).

        Weights of class kernels are learned again without the fold.
        """
        gram = self.gram()
        folds = np.unique(fold_ids)
        scores = np.empty(self.targets.shape)
        for number, fold in enumerate(folds):
            held, kept = np.flatnonzero(fold_ids == fold), np.flatnonzero(fold_ids != fold)
            step = progress.part(number, folds.size, f"fold {number + 1} of {folds.size}")
            step.note("training the machine")
            part, weights = gram[np.ix_(kept, kept)], None if self.weights is None else self.weights[kept]
            fitted = train(self.settings, part, self.targets[kept], weights=weights, progress=step)
            scores[held] = product(gram[np.ix_(held, kept)], fitted.weights) + fitted.bias
        return scores

    def leave_one_out_scores(self, progress: Progress = NO_PROGRESS, tol: float | None = None) -> Scores:
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
            progress.note(f"leaving out support {number + 1} of {supports.size}")
            step = progress.part(number, supports.size)
            scores[i] = self._without(settings, gram, int(i), step)
        return scores

    def _without(self, settings: Settings, gram: GramArray, i: int, progress: Progress) -> FloatArray:
        """Return the scores of one point by the machine trained without it, (n_columns,)."""
        fitted, targets = self.fitted, self.targets
        counts = np.ones(targets.shape[0]) if self.weights is None else self.weights
        C = box(settings, counts, targets.shape[1])
        shown = np.arange(self.X.shape[0]) != i
        if fitted.learned is None:
            part = gram[np.ix_(shown, shown)]
            other = train_differences(
                settings, part, targets[shown], C[shown], fitted.alphas[shown], progress
            )
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
