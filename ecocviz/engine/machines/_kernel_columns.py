"""Kernel machines of all columns, whichever way their coefficients are found."""

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ecocviz.engine.columns import ROUNDING, accuracy_of
from ecocviz.engine.kernels.gram import GramArray, Kernel, expand, gram_matrix, kernel_diagonal
from ecocviz.engine.machines._ways.by_column import ByColumn
from ecocviz.engine.machines._ways.choice import SMALL_ROWS, choose_way
from ecocviz.engine.machines._ways.problem import Problem, Way, warn_open
from ecocviz.engine.machines._ways.whole import Whole
from ecocviz.engine.memory import why_no_room
from ecocviz.engine.points import is_sparse
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import Bits, BoolArray, FloatArray, IntArray, Points, Scores

_LEAVE_OUT_TOL = 1e-6
"""Leaving one point out moves scores little: the solver must be finer than in training."""
_LARGEST_KERNEL_VALUE = 1e18
"""Beyond this, squares of kernel values leave the range of single precision."""
UNSCALED = ("linear", "poly")
"""Kernels whose values grow with the features."""
_LARGEST_STEP = 1e4
"""What C times a kernel value is at most where features are scaled and C is usual."""
_FINER = (0.1, 0.01)
"""Shares of the tolerance to which machines with large gaps are trained,"""
_MORE_UPDATES = 10
"""each in so many times as many steps as before, and in one for each point."""
LARGEST_GAP = 0.5
"""Share of the primal objective above which a duality gap says that a machine is not the one asked for.

The tolerance is about margins. Where C is huge, margins within it may still cost more than all the rest: the
objective of such a machine says nothing about the least one.
"""


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
        Bytes that kernel values may take, and what training holds beside them.
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
        n_samples, n_bits = targets.shape
        reason = why_no_room(f"Training {n_bits:,} machines on {n_samples:,} points", 16.0 * targets.size)
        if reason:
            raise ValueError(reason)
        self.weights = weights
        self.memory_limit = memory_limit
        self.kernel = kernel
        self.X = X
        self.targets = targets
        self.C = C
        self.tol = tol
        self.max_updates = max_updates
        self.n_jobs = n_jobs
        self.dtype = self._problem().dtype
        self.diagonal: FloatArray = kernel_diagonal(kernel, X)
        if not self.diagonal.max(initial=0) < _LARGEST_KERNEL_VALUE:
            raise ValueError("Kernel values overflow on these data; scale the features or lower the degree.")
        self.upper: FloatArray = np.full(targets.shape[1], C)
        self._way: Way | None = None
        self._scores: Scores | None = None
        self._train(self._feasible(start), progress)

    def __getstate__(self) -> dict[str, Any]:
        """Leave kernel values out of pickles: they are made again when they are needed."""
        return {**self.__dict__, "_way": None}

    @property
    def score_accuracy(self) -> FloatArray:
        """What scores may be off by: the solver's tolerance."""
        # No score is larger than the norm of its machine times the length of its point.
        largest: FloatArray = np.sqrt(self.squared_norms * self.diagonal.max(initial=0.0))
        if (ROUNDING * largest < self.tol).all():
            return np.full(largest.shape, float(self.tol))
        return accuracy_of(self.scores, self.tol)

    @property
    def scores(self) -> Scores:
        """Scores of all training points, (n_samples, n_bits): made when they are first asked for."""
        if self._scores is None:
            self._scores = self._solver().scores(self.alphas, NO_PROGRESS)
        return self._scores

    @property
    def gram(self) -> GramArray:
        """The (n_samples, n_samples) kernel values with the bias constant."""
        way = self._solver()
        if isinstance(way, Whole):
            return way.gram(NO_PROGRESS)
        return gram_matrix(self.kernel, self.X, dtype=self.dtype)

    def _problem(self) -> Problem:
        return Problem(
            self.kernel,
            self.X,
            self.targets,
            self.C,
            self.weights,
            self.tol,
            self.max_updates,
            self.n_jobs,
            self.memory_limit,
        )

    def _solver(self) -> Way:
        """Return the way that the coefficients are found; pickles leave it out."""
        if self._way is None:
            self._way = choose_way(self._problem())
        return self._way

    def _feasible(self, start: FloatArray | None) -> FloatArray:
        """Return coefficients to start from, (n_bits, n_samples), within the box."""
        if start is None:
            if isinstance(self._solver(), ByColumn):  # of many machines: no second copy, turned, in the end
                return np.zeros(self.targets.shape).T
            return np.zeros(self.targets.shape[::-1])
        if start.shape != self.targets.shape:
            raise ValueError(
                f"The starting coefficients have shape {start.shape}; "
                f"these columns need {self.targets.shape}."
            )
        feasible: FloatArray = np.clip(start.T, 0, self._problem().bounds())
        return np.ascontiguousarray(feasible)

    def release(self) -> None:
        """Give the memory of kernel values back; they are made again if they are needed again."""
        if self._way is not None:
            self._way.release()

    def _train(self, alphas: FloatArray, progress: Progress) -> None:
        """Solve every column, from feasible coefficients, (n_bits, n_samples)."""
        n_bits = self.targets.shape[1]
        found = self._solver().train(alphas, progress)
        self.n_updates: IntArray = found.n_updates
        self.alphas: FloatArray = np.ascontiguousarray(alphas.T)
        self._scores = found.scores
        self.gaps, self.squared_norms, self.violations = found.judged
        stopped = self.violations > self.tol
        for share in _FINER:
            self._refine(np.flatnonzero(~stopped & self._vague()), share * self.tol, progress)
        primal, vague = self._primal(), ~stopped & self._vague()
        self.converged: BoolArray = ~(stopped | vague)
        if stopped.any():
            what = f"a duality gap of up to {self.gaps[stopped].max():.2g}"
            warn_open(int(stopped.sum()), n_bits, what, self._largest_unscaled())
        if vague.any():
            _warn_of_gaps(self.gaps[vague], primal[vague], n_bits)

    def _largest_unscaled(self) -> float | None:
        """Return the largest kernel value where it says that the features are not scaled, or None."""
        largest = float(self.diagonal.max(initial=0.0))
        return largest if self.kernel.name in UNSCALED and self.C * largest > _LARGEST_STEP else None

    def _primal(self) -> FloatArray:
        """Return each machine's objective, (n_bits,)."""
        primal: FloatArray = self.gaps + self.alphas.sum(axis=0) - self.squared_norms / 2
        return primal

    def _vague(self) -> BoolArray:
        """Say of which machines the gap is too large for their objective, (n_bits,)."""
        vague: BoolArray = self.gaps > LARGEST_GAP * self._primal()
        return vague

    def _refine(self, columns: IntArray, tol: float, progress: Progress) -> None:
        """Train some machines of many points, whose gaps are large, to a finer tolerance."""
        way = self._solver()
        if not columns.size or self.targets.shape[0] <= SMALL_ROWS or not isinstance(way, Whole | ByColumn):
            return
        weights = self.weights
        if weights is not None and weights.ndim == 2:
            weights = weights[:, columns % weights.shape[1]]
        most = _MORE_UPDATES * int(self.n_updates[columns].max()) + self.targets.shape[0]
        finer = replace(
            self._problem(),
            targets=np.ascontiguousarray(self.targets[:, columns]),
            weights=weights,
            tol=tol,
            max_updates=min(self.max_updates, most),
        )
        again = Whole(finer, way.gram(progress)) if isinstance(way, Whole) else ByColumn(finer)
        alphas = np.ascontiguousarray(self.alphas[:, columns].T)
        found = again.train(alphas, progress)
        better = (found.judged[0] < self.gaps[columns]) & (found.judged[2] <= self.tol)
        at = columns[better]
        self.alphas[:, at] = alphas[better].T
        self.gaps[at], self.squared_norms[at], self.violations[at] = found.judged[:, better]
        self.n_updates[columns] += found.n_updates
        if self._scores is not None and found.scores is not None:
            self._scores[:, at] = found.scores[:, better]

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
        return self._hold_out(fold_ids, progress, only_shown=False)

    def held_out_scores_of_shown(self, fold_ids: IntArray, progress: Progress = NO_PROGRESS) -> Scores:
        """Return what `held_out_scores` does, with anything finite where a machine was not shown a point."""
        return self._hold_out(fold_ids, progress, only_shown=True)

    def _hold_out(self, fold_ids: IntArray, progress: Progress, *, only_shown: bool) -> Scores:
        fold_ids = np.asarray(fold_ids)
        n_samples = self.targets.shape[0]
        if fold_ids.shape != (n_samples,):
            raise ValueError(
                f"fold_ids must hold one number for each of the {n_samples} points, "
                f"not have shape {fold_ids.shape}."
            )
        held = [np.flatnonzero(fold_ids == fold) for fold in np.unique(fold_ids)]
        return self._solver().hold_out(held, self.alphas, self._scores, progress, only_shown=only_shown)

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
        finer = min(self.tol, _LEAVE_OUT_TOL) if tol is None else tol
        return self._solver().leave_out(self.alphas, self._scores, finer, progress, only_shown=False)


def _warn_of_gaps(gaps: FloatArray, primal: FloatArray, n_bits: int) -> None:
    worst = int(np.argmax(gaps / primal))
    warnings.warn(
        f"{gaps.size} of {n_bits} kernel machines keep the tolerance, but their duality gap is up to "
        f"{gaps[worst]:.2g} at an objective of {primal[worst]:.2g}; lower C or tol.",
        ConvergenceWarning,
        stacklevel=2,
    )
