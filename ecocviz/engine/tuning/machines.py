"""One training of a search as `TrainedColumns`, so that decoders and bounds read it like any other."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from ecocviz.engine.kernels.dual_sums import judge
from ecocviz.engine.kernels.gram import Kernel
from ecocviz.engine.machines._ways.problem import Problem
from ecocviz.engine.machines._ways.whole import Whole
from ecocviz.engine.points import take
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions._shared.evidence import Training
from ecocviz.engine.reductions.ecoc import ECOCClassifier
from ecocviz.engine.tuning.paths import ColumnPaths
from ecocviz.engine.tuning.splits import Sets
from ecocviz.engine.types import Bits, BoolArray, FloatArray, IntArray, Points, Scores

LEAVE_OUT_TOL = 1e-6
"""Leaving one point out moves scores little: the solver must be finer than in training."""


@dataclass(frozen=True, slots=True)
class Use:
    """Which of all columns a code has, and whether as they are (1) or turned round (-1), (n_bits,) each."""

    columns: IntArray
    turns: FloatArray


@dataclass(frozen=True)
class PathColumns:
    """Machines of one code, trained without one set of points; attributes as `TrainedColumns`.

    Attributes
    ----------
    paths
        All machines at the C that was trained last.
    sets
        The sets of points that trainings do without.
    use
        The columns of the code.
    s
        Number of the set.
    kernel, X
        Of all points.
    """

    paths: ColumnPaths
    sets: Sets
    use: Use
    s: int
    kernel: Kernel
    X: Points

    probability_scale = False
    theorem = True

    @cached_property
    def rows(self) -> IntArray:
        """The points that the machines were trained on."""
        return np.flatnonzero(~self.paths.left_out[self.s])

    @cached_property
    def targets(self) -> Bits:
        """Sides of each machine, (n_rows, n_bits)."""
        sides = self.paths.columns[np.ix_(self.rows, self.use.columns)]
        return (sides * self.use.turns).astype(np.int8)

    @cached_property
    def alphas(self) -> FloatArray:
        """Coefficients, (n_rows, n_bits)."""
        return np.ascontiguousarray(self.paths.alphas[self.s, self.use.columns][:, self.rows].T)

    @cached_property
    def scores(self) -> Scores:
        """Scores of the points trained on, (n_rows, n_bits)."""
        return self.scores_of(self.rows)

    def scores_of(self, points: IntArray, s: int | None = None) -> Scores:
        """Return the scores of some of all points, (n_points, n_bits), by default of this set's machines."""
        residuals = self.paths.residuals[self.s if s is None else s, self.use.columns][:, points]
        scores = self.paths.signs[self.use.columns][:, points] - residuals
        return np.ascontiguousarray(scores.T) * self.use.turns

    @cached_property
    def diagonal(self) -> FloatArray:
        """Kernel of each point with itself, (n_rows,)."""
        return np.diagonal(self.paths.gram)[self.rows].astype(np.float64)

    @cached_property
    def upper(self) -> FloatArray:
        """C, (n_bits,)."""
        return np.full(self.use.columns.size, self.paths.C)

    @cached_property
    def weights(self) -> FloatArray | None:
        """By what C is multiplied at each point, (n_rows,) or (n_rows, n_bits); None for 1."""
        shares = self.paths.shares[self.s]
        if shares.ndim == 2:
            return np.ascontiguousarray(shares[self.use.columns][:, self.rows].T)
        weights: FloatArray = shares[self.rows]
        return None if (weights == 1).all() else weights

    @cached_property
    def _judged(self) -> FloatArray:
        """Duality gap, squared norm and largest violation of each machine, (3, n_bits)."""
        targets = np.ascontiguousarray(self.targets.T, dtype=np.float64)
        share = 1.0 if self.weights is None else self.weights.T
        bounds = np.where(targets != 0, self.paths.C * share, 0.0)
        judged = np.empty((3, self.use.columns.size))
        judge(targets, np.ascontiguousarray(self.alphas.T), targets - self.scores.T, bounds, judged)
        return judged

    @property
    def gaps(self) -> FloatArray:
        """Duality gap of each machine, (n_bits,)."""
        gaps: FloatArray = self._judged[0]
        return gaps

    @property
    def squared_norms(self) -> FloatArray:
        """Squared norm of each machine, (n_bits,)."""
        norms: FloatArray = self._judged[1]
        return norms

    @property
    def converged(self) -> BoolArray:
        """Whether each machine reached the tolerance, (n_bits,)."""
        converged: BoolArray = self.paths.left[self.s, self.use.columns] <= self.paths.tol
        return converged

    @property
    def n_updates(self) -> None:
        """Steps are not counted."""

    @property
    def score_accuracy(self) -> FloatArray:
        """What scores may be off by, (n_bits,): the tolerance."""
        return np.full(self.use.columns.size, self.paths.tol)

    def predict_scores(self, X: Points) -> Scores:
        """Refuse: the machines are there to be judged on the points of the search."""
        raise NotImplementedError

    def held_out_scores(self, fold_ids: IntArray, progress: Progress = NO_PROGRESS) -> Scores:
        """Return each point's scores by machines trained without its fold, too, (n_rows, n_bits)."""
        del progress  # they are trained already
        out = np.empty((self.rows.size, self.use.columns.size))
        for fold in np.unique(fold_ids):
            here = fold_ids == fold
            whole = self.paths.left_out[self.s]
            mask = whole.copy()
            mask[self.rows[here]] = True
            out[here] = self.scores_of(self.rows[here], self.sets.number(mask, whole))
        return out

    def leave_one_out_scores(self, progress: Progress = NO_PROGRESS, tol: float | None = None) -> Scores:
        """Return each point's scores by machines trained without it, (n_rows, n_bits).

        Parameters
        ----------
        progress
            Told the finished share; may raise to cancel.
        tol
            Largest violation of the optimality conditions; at most 1e-6 when left out.
        """
        everything = self.rows.size == self.paths.gram.shape[0]
        problem = Problem(
            kernel=self.kernel,
            X=take(self.X, self.rows, self.rows if self.kernel.name == "precomputed" else None),
            targets=self.targets,
            C=self.paths.C,
            weights=self.weights,
            tol=self.paths.tol,
            max_updates=self.paths.max_updates,
            n_jobs=1,
            memory_limit=None,
        )
        way = Whole(problem, self.paths.gram if everything else None)
        finer = min(self.paths.tol, LEAVE_OUT_TOL) if tol is None else tol
        return way.leave_out(self.alphas, self.scores, finer, progress, only_shown=False)

    def release(self) -> None:
        """Give back nothing: the Gram matrix belongs to the search."""


class JudgedClassifier(ECOCClassifier):
    """An ECOC classifier whose machines a search has trained."""

    def adopt(self, training: Training, y_index: IntArray, n_classes: int) -> Self:
        """Take a training run as one's own.

        Parameters
        ----------
        training
            The machines, and what they were trained on.
        y_index : (n_samples,)
            Class numbers of the points trained on; some classes may have none.
        n_classes
            How many classes there are.
        """
        self.classes_ = np.arange(n_classes)
        self.code_matrix_ = training.code_matrix
        self._adopt(training, y_index, None, 0)
        return self
