"""Kernel machines of all columns on one shared Gram matrix."""

import warnings
from threading import Event
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from ecocviz.engine.columns import accuracy_of
from ecocviz.engine.kernels.box_dual import (
    RealArray,
    add_rows,
    cut_square,
    judge,
    leave_each_out,
    solve_box_dual,
)
from ecocviz.engine.kernels.gram import (
    SINGLE_PRECISION_ROWS,
    GramArray,
    Kernel,
    expand,
    gram_matrix,
    kernel_diagonal,
    training_dtype,
)
from ecocviz.engine.memory import check_memory
from ecocviz.engine.parallel import in_threads, nth_machine
from ecocviz.engine.points import is_sparse
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import Bits, BoolArray, FloatArray, IntArray, Points, Scores

FOLD_BYTES = 1 << 28
"""Coefficients of so many folds are held at once."""
_LEAVE_OUT_TOL = 1e-6
"""Leaving one point out moves scores little: the solver must be finer than in training."""
_SINGLE_PRECISION_TOL = 1e-4
"""The finest tolerance asked of a solver on a single-precision Gram matrix when points are left out."""
_LARGEST_KERNEL_VALUE = 1e18
"""Beyond this, squares of kernel values leave the range of single precision."""
STEPS_BETWEEN_REFRESHES = 20_000
"""A step rounds single-precision residuals by about 1e-7; errors of so many add up like a random walk.

Also the steps between two looks at whether to stop.
"""
LEFT_OUT_AT_ONCE = 16
"""Points left out between two looks at whether to stop."""
LARGEST_GAP = 0.5
"""Share of the primal objective above which a duality gap says that a machine is not the one asked for.

The tolerance is about margins. Where C is huge, margins within it may still cost more than all the rest: the
objective of such a machine says nothing about the least one.
"""
_SPARSE = 0.1
"""Share of non-zero coefficients below which adding rows beats a matrix product."""


class KernelColumns:
    """The trained kernel machines of all columns; attributes as `TrainedColumns`.

    Parameters
    ----------
    kernel
        Kernel with its numbers settled.
    X : (n_samples, n_features)
    targets : (n_samples, n_bits)
        Sides of each machine, 0 leaves a point out.
    C
        Upper bound of the dual coefficients, one for all columns.
    tol
        Largest violation of the optimality conditions at which a machine counts as trained.
    max_updates
        Steps after which a machine is given up as unconverged.
    weights : (n_samples,) or (n_samples, n_bits), optional
        By what C is multiplied at each point: its upper bound.
    memory_limit
        Bytes that the Gram matrix may take.
    """

    probability_scale = False
    theorem = True

    def __init__(
        self,
        kernel: Kernel,
        X: Points,
        targets: Bits,
        *,
        C: float,
        tol: float,
        max_updates: int,
        n_jobs: int | None = None,
        progress: Progress = NO_PROGRESS,
        start: FloatArray | None = None,
        weights: FloatArray | None = None,
        memory_limit: float | None = None,
    ) -> None:
        self.weights = weights
        self.memory_limit = memory_limit
        self.kernel = kernel
        self.X = X
        self.targets = targets
        self.C = C
        self.tol = tol
        self.max_updates = max_updates
        self.n_jobs = n_jobs
        self.dtype = training_dtype(X.shape[0], tol)
        self._gram: GramArray | None = None
        self.diagonal: FloatArray = kernel_diagonal(kernel, X)
        if not self.diagonal.max(initial=0) < _LARGEST_KERNEL_VALUE:
            raise ValueError("Kernel values overflow on these data; scale the features or lower the degree.")
        self.upper: FloatArray = np.full(targets.shape[1], C)
        self._train(self._feasible(start), progress)

    def __getstate__(self) -> dict[str, Any]:
        """Leave the Gram matrix out of pickles: it is made again when it is needed."""
        return {**self.__dict__, "_gram": None}

    @property
    def score_accuracy(self) -> FloatArray:
        """What scores may be off by: the solver's tolerance."""
        return accuracy_of(self.scores, self.tol)

    @property
    def gram(self) -> GramArray:
        """The (n_samples, n_samples) kernel values with the bias constant."""
        return self._made_gram(NO_PROGRESS)

    def _made_gram(self, progress: Progress) -> GramArray:
        if self._gram is None:
            self._gram = self._make_gram(self.dtype, progress)
        return self._gram

    def _make_gram(self, dtype: npt.DTypeLike, progress: Progress) -> GramArray:
        n_samples = self.X.shape[0]
        check_memory(n_samples, n_samples, np.dtype(dtype).itemsize, limit=self.memory_limit)
        return gram_matrix(self.kernel, self.X, dtype=dtype, check=progress.check)

    def _bounds(self) -> FloatArray:
        """Return the upper bound of every coefficient, (n_bits, n_samples): 0 where a point is left out."""
        weights = 1.0 if self.weights is None else self.weights.reshape(self.X.shape[0], -1)
        bounds: FloatArray = np.where(self.targets != 0, self.C * weights, 0.0)
        return np.ascontiguousarray(bounds.T)

    def _feasible(self, start: FloatArray | None) -> FloatArray:
        """Return coefficients to start from, (n_samples, n_bits), within the box."""
        if start is None:
            return np.zeros(self.targets.shape)
        if start.shape != self.targets.shape:
            raise ValueError(
                f"The starting coefficients have shape {start.shape}; "
                f"these columns need {self.targets.shape}."
            )
        return np.clip(start, 0, self._bounds().T)

    def release(self) -> None:
        """Give the memory of the Gram matrix back; it is made again if it is needed again."""
        self._gram = None

    def _train(self, alphas: FloatArray, progress: Progress) -> None:
        """Solve every column on the whole Gram matrix, so that scores of left-out points come along.

        Single-precision residuals drift a little with every step: they are computed afresh in double
        precision after many, and the column goes on from there.
        """
        gram = self._made_gram(progress)
        n_bits = self.targets.shape[1]
        signs = np.ascontiguousarray(self.targets.T, dtype=np.float64)
        coefficients = np.ascontiguousarray(alphas.T)
        residuals = signs - _contributions(gram, coefficients * signs)
        updates = np.zeros(n_bits, dtype=np.int64)
        bounds = self._bounds()
        stop = Event()

        def ascend(b: int) -> None:
            while not stop.is_set():
                rounded = residuals[b].astype(gram.dtype)
                limit = min(STEPS_BETWEEN_REFRESHES, self.max_updates - int(updates[b]))
                steps, violation = solve_box_dual(
                    gram, signs[b], bounds[b], coefficients[b], rounded, 0.95 * self.tol, limit
                )
                updates[b] += steps
                residuals[b] = rounded
                if violation <= 0.95 * self.tol or updates[b] >= self.max_updates:
                    return
                residuals[b] = signs[b] - _contributions(gram, (coefficients[b] * signs[b])[None])[0]

        in_threads(ascend, n_bits, self.n_jobs, progress, stop, nth_machine(n_bits))
        self.n_updates: IntArray = updates
        self.alphas: FloatArray = np.ascontiguousarray(coefficients.T)
        self.scores: Scores = np.ascontiguousarray((signs - residuals).T)
        self.gaps, self.squared_norms, self.violations = judged = np.empty((3, n_bits))
        judge(signs, coefficients, residuals, bounds, judged)
        stopped = self.violations > self.tol
        primal = self.gaps + coefficients.sum(axis=1) - self.squared_norms / 2
        vague = ~stopped & (self.gaps > LARGEST_GAP * primal)
        self.converged: BoolArray = ~(stopped | vague)
        if stopped.any():
            _warn(int(stopped.sum()), n_bits, f"a duality gap of up to {self.gaps[stopped].max():.2g}")
        if vague.any():
            _warn_of_gaps(self.gaps[vague], primal[vague], n_bits)

    def predict_scores(self, X: Points) -> Scores:
        """Return the scores of new points, (n, n_bits), by two matrix products per block of points."""
        X = X if is_sparse(X) else np.asarray(X, dtype=np.float64)
        support = np.flatnonzero(self.alphas.any(axis=1))
        if not support.size:
            return np.zeros((X.shape[0], self.alphas.shape[1]))
        coefficients = self.alphas[support] * self.targets[support]
        if self.kernel.name == "precomputed":
            X = X[:, support]
        return expand(self.kernel, X, self.X[support], coefficients, self.dtype)

    def held_out_scores(self, fold_ids: IntArray, progress: Progress = NO_PROGRESS) -> Scores:
        """Return each training point's scores by machines trained without its fold, (n_samples, n_bits).

        The upper bounds of held-out points become 0 and the solver goes on from the full solution.

        Parameters
        ----------
        fold_ids : (n_samples,)
            Number of the fold that each point is held out with.
        progress
            Told the finished share; may raise to cancel.
        """
        fold_ids = np.asarray(fold_ids)
        n_samples, n_bits = self.targets.shape
        if fold_ids.shape != (n_samples,):
            raise ValueError(
                f"fold_ids must hold one number for each of the {n_samples} points, "
                f"not have shape {fold_ids.shape}."
            )
        folds = np.unique(fold_ids)
        scores = np.empty((n_samples, n_bits))
        group = max(1, FOLD_BYTES // max(1, self.dtype.itemsize * n_samples * n_bits))
        firsts = range(0, folds.size, group)
        for number, first in enumerate(firsts):
            part = folds[first : first + group]
            name = f"folds {first + 1} to {first + part.size} of {folds.size}"
            told = progress.part(number, len(firsts), name)
            self._hold_out([np.flatnonzero(fold_ids == fold) for fold in part], scores, told)
        return scores

    def _hold_out(self, held: list[IntArray], scores: Scores, progress: Progress) -> None:
        """Write the scores of each fold's points, indices in `held`, into scores (n_samples, n_bits)."""
        gram = self._made_gram(progress)
        n_samples, n_bits = self.targets.shape
        signs = np.ascontiguousarray(self.targets.T, dtype=np.float64)
        alphas = np.ascontiguousarray(self.alphas.T)
        residuals = np.empty((len(held), n_bits, n_samples), dtype=gram.dtype)
        for k, points in enumerate(held):
            only = np.zeros((n_bits, n_samples), dtype=gram.dtype)
            only[:, points] = alphas[:, points] * signs[:, points]
            residuals[k] = signs - self.scores.T
            residuals[k] += _contributions(gram, only)
        still_open = np.zeros(n_bits, dtype=np.int64)
        bounds = self._bounds()
        stop = Event()

        def retrain(b: int) -> None:
            for k, points in enumerate(held):
                upper = bounds[b].copy()
                upper[points] = 0
                start = np.minimum(alphas[b], upper)
                left = self._solve(gram, signs[b], upper, start, residuals[k, b], 0.95 * self.tol, stop)
                still_open[b] += left > self.tol
                scores[points, b] = signs[b, points] - residuals[k, b, points]

        in_threads(retrain, n_bits, self.n_jobs, progress, stop, nth_machine(n_bits))
        if still_open.any():
            _warn(int(still_open.sum()), n_bits * len(held), "a violation above the tolerance in their folds")

    def _solve(
        self,
        gram: GramArray,
        signs: FloatArray,
        upper: FloatArray,
        alphas: FloatArray,
        residual: RealArray,
        tol: float,
        stop: Event,
    ) -> float:
        """Solve one column in place as `solve_box_dual` does, or stop midway; return the violation left."""
        left, spent = np.inf, 0
        while left > tol and spent < self.max_updates and not stop.is_set():
            limit = min(STEPS_BETWEEN_REFRESHES, self.max_updates - spent)
            steps, left = solve_box_dual(gram, signs, upper, alphas, residual, tol, limit)
            spent += steps
        return left

    def leave_one_out_scores(self, progress: Progress = NO_PROGRESS, tol: float | None = None) -> Scores:
        """Return each training point's scores by machines trained without it, (n_samples, n_bits).

        Exact up to the tolerance: for each machine and each point that supports it, the upper bound
        of the point becomes 0 and the solver goes on from the full solution.

        Parameters
        ----------
        progress
            Told the finished share; may raise to cancel.
        tol
            Largest violation of the optimality conditions; at most 1e-6 when left out.
        """
        exact = self.X.shape[0] <= SINGLE_PRECISION_ROWS
        gram = self._made_gram(progress)
        if exact and gram.dtype != np.float64:
            gram = self._make_gram(np.float64, progress)
        finer = min(self.tol, _LEAVE_OUT_TOL) if tol is None else tol
        finer = finer if exact else max(finer, _SINGLE_PRECISION_TOL)
        scores = self.scores.copy()
        still_open = np.zeros(scores.shape[1], dtype=np.int64)
        bounds = self._bounds()
        stop = Event()

        def leave_out(b: int) -> None:
            rows = np.flatnonzero(self.targets[:, b])
            if not rows.size:
                return
            # Many ascents on few points: here the column's own contiguous matrix pays.
            sub = gram if rows.size == gram.shape[0] else cut_square(gram, rows)
            signs = self.targets[rows, b].astype(np.float64)
            upper = bounds[b, rows]
            alphas = self.alphas[rows, b]
            residual = (signs - _contributions(sub, (alphas * signs)[None])[0]).astype(gram.dtype)
            left = self._solve(sub, signs, upper, alphas, residual, finer, stop)
            still_open[b] = left > finer
            support = np.flatnonzero(alphas)  # any other point's machine is the one at hand
            scores[rows, b] = signs - residual
            for first in range(0, support.size, LEFT_OUT_AT_ONCE):
                if stop.is_set():
                    return
                some = support[first : first + LEFT_OUT_AT_ONCE]
                scores[rows[some], b], n_open = leave_each_out(
                    sub, signs, upper, alphas, residual, finer, self.max_updates, some
                )
                still_open[b] += n_open

        n_bits = scores.shape[1]
        in_threads(
            leave_out,
            n_bits,
            self.n_jobs,
            progress,
            stop,
            lambda b: f"leaving points out of machine {b + 1} of {n_bits}",
        )
        if still_open.any():
            _warn(int(still_open.sum()), int((self.alphas > 0).sum()), f"a violation above {finer:.1g}")
        return scores


def _warn(n_open: int, n_machines: int, what: str) -> None:
    warnings.warn(
        f"{n_open} of {n_machines} kernel machines stopped at max_updates with {what}; "
        "raise max_updates or tol, lower C, or scale the features.",
        ConvergenceWarning,
        stacklevel=2,
    )


def _warn_of_gaps(gaps: FloatArray, primal: FloatArray, n_bits: int) -> None:
    worst = int(np.argmax(gaps / primal))
    warnings.warn(
        f"{gaps.size} of {n_bits} kernel machines keep the tolerance, but their duality gap is up to "
        f"{gaps[worst]:.2g} at an objective of {primal[worst]:.2g}; lower C or tol.",
        ConvergenceWarning,
        stacklevel=2,
    )


def _contributions(gram: RealArray, coefficients: RealArray) -> RealArray:
    """Return the scores that signed coefficients give to all points, (n_bits, n_samples).

    Parameters
    ----------
    gram : (n_samples, n_samples)
        In either precision.
    coefficients : (n_bits, n_samples)
        Sums are made in their precision.
    """
    if np.count_nonzero(coefficients) < _SPARSE * coefficients.size:
        return add_rows(gram, coefficients)
    if gram.dtype == coefficients.dtype:
        return coefficients @ gram
    product = np.empty(coefficients.shape, dtype=coefficients.dtype)
    step = max(16, (1 << 19) // max(1, gram.shape[1]))
    for first in range(0, gram.shape[0], step):
        rows = gram[first : first + step].astype(coefficients.dtype)
        product[:, first : first + step] = coefficients @ rows.T
    return product
