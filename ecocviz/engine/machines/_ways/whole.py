"""Training on one Gram matrix of all points, which all columns share."""

from threading import Event

import numpy as np
import numpy.typing as npt

from ecocviz.engine.kernels.box_dual import RealArray, leave_each_out, solve_box_dual
from ecocviz.engine.kernels.dual_sums import add_rows, cut_square, judge
from ecocviz.engine.kernels.gram import SINGLE_PRECISION_ROWS, GramArray, gram_matrix
from ecocviz.engine.machines._ways.problem import (
    LEFT_OUT_AT_ONCE,
    STEPS_BETWEEN_REFRESHES,
    TRAINING_SHARE,
    Found,
    Problem,
    finest,
    warn_open,
)
from ecocviz.engine.memory import check_memory
from ecocviz.engine.parallel import in_threads, nth_machine
from ecocviz.engine.progress import Progress
from ecocviz.engine.types import Bits, FloatArray, IntArray, Scores

FOLD_BYTES = 1 << 28
"""Coefficients of so many folds are held at once."""
ALIKE_ROWS = 1_000
"""Up to so many points every machine starts from nothing."""
_ALIKE = 0.03
"""Share of points of which columns may be told otherwise than the first, to start from its solution."""
_SPARSE = 0.1
"""Share of non-zero coefficients below which adding rows beats a matrix product."""


class Whole:
    """The machines of all columns on one Gram matrix: scores of points not shown come along.

    Parameters
    ----------
    problem
        What is to be solved.
    gram : (n_samples, n_samples), optional
        Its Gram matrix, where it has been made already.
    """

    def __init__(self, problem: Problem, gram: GramArray | None = None) -> None:
        self.problem = problem
        self._gram = gram

    def release(self) -> None:
        """Give the memory of the Gram matrix back; it is made again if it is needed again."""
        self._gram = None

    def gram(self, progress: Progress) -> GramArray:
        """Return the (n_samples, n_samples) kernel values with the bias constant, kept."""
        if self._gram is None:
            self._gram = self._make_gram(self.problem.dtype, progress)
        return self._gram

    def _make_gram(self, dtype: npt.DTypeLike, progress: Progress) -> GramArray:
        problem, n_samples = self.problem, self.problem.X.shape[0]
        check_memory(n_samples, n_samples, np.dtype(dtype).itemsize, limit=problem.memory_limit)
        return gram_matrix(problem.kernel, problem.X, dtype=dtype, check=progress.check)

    def train(self, alphas: FloatArray, progress: Progress) -> Found:
        """Solve every column on the whole Gram matrix, so that scores of left-out points come along.

        Single-precision residuals drift a little with every step: they are computed afresh in double
        precision after many, and the column goes on from there.
        """
        problem, gram = self.problem, self.gram(progress)
        n_bits = alphas.shape[0]
        signs, bounds = problem.signs(), problem.bounds()
        residuals = signs - _contributions(gram, alphas * signs)
        alike = not alphas.any() and _alike(problem.targets)
        updates = np.zeros(n_bits, dtype=np.int64)
        tol = TRAINING_SHARE * problem.tol
        stop = Event()

        def ascend(b: int) -> None:
            while not stop.is_set():
                rounded = residuals[b].astype(gram.dtype)
                limit = min(STEPS_BETWEEN_REFRESHES, problem.max_updates - int(updates[b]))
                steps, violation = solve_box_dual(gram, signs[b], bounds[b], alphas[b], rounded, tol, limit)
                updates[b] += steps
                residuals[b] = rounded
                if violation <= tol or updates[b] >= problem.max_updates:
                    return
                residuals[b] = signs[b] - _contributions(gram, (alphas[b] * signs[b])[None])[0]

        if alike:
            ascend(0)
            same = (signs[1:] == signs[0]) & (alphas[0] <= bounds[1:])
            residuals[1:] = signs[1:] - (signs[0] - residuals[0])
            residuals[1:] += _contributions(gram, np.where(same, 0.0, alphas[0] * signs[0]))
            np.multiply(same, alphas[0], out=alphas[1:])
        in_threads(ascend, n_bits, problem.n_jobs, progress, stop, nth_machine(n_bits))
        judged = np.empty((3, n_bits))
        judge(signs, alphas, residuals, bounds, judged)
        return Found(updates, judged, np.ascontiguousarray((signs - residuals).T))

    def scores(self, alphas: FloatArray, progress: Progress) -> Scores:
        """Return the scores of all training points, (n_samples, n_bits)."""
        coefficients = np.ascontiguousarray((alphas * self.problem.targets).T)
        return np.ascontiguousarray(_contributions(self.gram(progress), coefficients).T)

    def hold_out(
        self,
        held: list[IntArray],
        alphas: FloatArray,
        scores: Scores | None,
        progress: Progress,
        *,
        only_shown: bool,
    ) -> Scores:
        """Return each point's scores by machines trained without its fold, (n_samples, n_bits)."""
        del only_shown  # the others come for nothing
        known = self.scores(alphas, progress) if scores is None else scores
        out = np.empty(alphas.shape)
        group = max(1, FOLD_BYTES // max(1, self.problem.dtype.itemsize * alphas.size))
        firsts = range(0, len(held), group)
        for number, first in enumerate(firsts):
            part = held[first : first + group]
            name = f"folds {first + 1} to {first + len(part)} of {len(held)}"
            self._hold_out(part, alphas, known, out, progress.part(number, len(firsts), name))
        return out

    def _hold_out(
        self, held: list[IntArray], alphas: FloatArray, known: Scores, scores: Scores, progress: Progress
    ) -> None:
        """Write the scores of each fold's points, indices in `held`, into scores (n_samples, n_bits)."""
        problem, gram = self.problem, self.gram(progress)
        n_samples, n_bits = alphas.shape
        signs, bounds, alphas = problem.signs(), problem.bounds(), np.ascontiguousarray(alphas.T)
        residuals = np.empty((len(held), n_bits, n_samples), dtype=gram.dtype)
        for k, points in enumerate(held):
            only = np.zeros((n_bits, n_samples), dtype=gram.dtype)
            only[:, points] = alphas[:, points] * signs[:, points]
            residuals[k] = signs - known.T
            residuals[k] += _contributions(gram, only)
        still_open = np.zeros(n_bits, dtype=np.int64)
        tol = TRAINING_SHARE * problem.tol
        stop = Event()

        def retrain(b: int) -> None:
            for k, points in enumerate(held):
                upper = bounds[b].copy()
                upper[points] = 0
                start = np.minimum(alphas[b], upper)
                left = self._solve(gram, signs[b], upper, start, residuals[k, b], tol, stop)
                still_open[b] += left > problem.tol
                scores[points, b] = signs[b, points] - residuals[k, b, points]

        in_threads(retrain, n_bits, problem.n_jobs, progress, stop, nth_machine(n_bits))
        if still_open.any():
            warn_open(
                int(still_open.sum()), n_bits * len(held), "a violation above the tolerance in their folds"
            )

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
        left, spent, most = np.inf, 0, self.problem.max_updates
        while left > tol and spent < most and not stop.is_set():
            limit = min(STEPS_BETWEEN_REFRESHES, most - spent)
            steps, left = solve_box_dual(gram, signs, upper, alphas, residual, tol, limit)
            spent += steps
        return left

    def leave_out(
        self,
        alphas: FloatArray,
        scores: Scores | None,
        tol: float,
        progress: Progress,
        *,
        only_shown: bool,
    ) -> Scores:
        """Return each point's scores by machines trained without it, (n_samples, n_bits)."""
        del scores  # these machines are trained more finely
        problem, gram = self.problem, self.gram(progress)
        exact = problem.X.shape[0] <= SINGLE_PRECISION_ROWS
        if exact and gram.dtype != np.float64:
            gram = self._make_gram(np.float64, progress)
        finer = finest(tol, exact=exact)
        n_samples, n_bits = alphas.shape
        out = np.zeros(alphas.shape)
        still_open, n_trained = np.zeros((2, n_bits), dtype=np.int64)
        stop = Event()

        def leave_out(b: int) -> None:
            rows, signs, upper = problem.column(b)
            if not rows.size:
                return
            # Many ascents on few points: here the column's own contiguous matrix pays.
            sub = gram if rows.size == gram.shape[0] else cut_square(gram, rows)
            own = alphas[rows, b]
            residual = (signs - _contributions(sub, (own * signs)[None])[0]).astype(gram.dtype)
            left = self._solve(sub, signs, upper, own, residual, finer, stop)
            still_open[b] = left > finer
            support = np.flatnonzero(own)  # any other point's machine is the one at hand
            n_trained[b] = 1 + support.size
            if rows.size < n_samples and not only_shown:
                finished = np.zeros((1, n_samples))
                finished[0, rows] = own * signs
                out[:, b] = _contributions(gram, finished)[0]
            out[rows, b] = signs - residual
            for first in range(0, support.size, LEFT_OUT_AT_ONCE):
                if stop.is_set():
                    return
                some = support[first : first + LEFT_OUT_AT_ONCE]
                out[rows[some], b], n_open = leave_each_out(
                    sub, signs, upper, own, residual, finer, problem.max_updates, some
                )
                still_open[b] += n_open

        in_threads(
            leave_out,
            n_bits,
            problem.n_jobs,
            progress,
            stop,
            lambda b: f"leaving points out of machine {b + 1} of {n_bits}",
        )
        if still_open.any():
            warn_open(int(still_open.sum()), int(n_trained.sum()), f"a violation above {finer:.1g}")
        return out


def _alike(targets: Bits) -> bool:
    """Say whether columns tell nearly the same of many points: each then starts from the first's solution."""
    few = _ALIKE * targets.shape[0]
    alike = targets.shape[0] > ALIKE_ROWS and targets.shape[1] > 1
    return alike and bool((np.count_nonzero(targets != targets[:, :1], axis=0) <= few).all())


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
