"""Training every column on its own points, whose kernel values are made row by row when needed."""

from collections.abc import Callable
from threading import Event

import numpy as np
import numpy.typing as npt

from ecocviz.engine.kernels.box_dual import Rows, leave_each_out, signed_sums, solve_box_dual
from ecocviz.engine.kernels.dual_sums import judge
from ecocviz.engine.kernels.gram import expand
from ecocviz.engine.machines._ways.problem import (
    LEFT_OUT_AT_ONCE,
    STEPS_BETWEEN_REFRESHES,
    TRAINING_SHARE,
    Found,
    Problem,
    finest,
    warn_open,
)
from ecocviz.engine.machines._ways.rows import RowMaker, Shown
from ecocviz.engine.parallel import in_threads
from ecocviz.engine.progress import Progress
from ecocviz.engine.types import FloatArray, IntArray, Scores

_TASKS = 16
"""Columns are handed to threads in about so many lots: handing over hundreds of small ones costs time."""


class ByColumn:
    """The machines of all columns, each on its own points: no column pays for those that it is not shown.

    Parameters
    ----------
    problem
        What is to be solved; its kernel is one that `RowMaker` knows.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.shown = Shown(problem)
        self._maker: RowMaker | None = None

    def release(self) -> None:
        """Give back the points as rows are made of them."""
        self._maker = None

    def _rows(self) -> RowMaker:
        if self._maker is None:
            self._maker = RowMaker(self.problem, self.shown)
        return self._maker

    def _each(self, work: Callable[[int, Event], None], progress: Progress, doing: str) -> None:
        """Call `work` with the number of every column, in threads."""
        n_bits, stop = self.problem.targets.shape[1], Event()
        edges = np.linspace(0, n_bits, min(_TASKS, n_bits) + 1).astype(int)

        def some(number: int) -> None:
            for b in range(edges[number], edges[number + 1]):
                if not stop.is_set():
                    work(b, stop)

        in_threads(
            some,
            edges.size - 1,
            self.problem.n_jobs,
            progress,
            stop,
            lambda number: f"{doing} {edges[number] + 1} of {n_bits}",
        )

    def train(self, alphas: FloatArray, progress: Progress) -> Found:
        """Solve every column on its own points."""
        n_bits = alphas.shape[0]
        updates, judged = np.zeros(n_bits, dtype=np.int64), np.zeros((3, n_bits))
        maker = self._rows()

        def ascend(b: int, stop: Event) -> None:
            points, signs, upper = self.shown.column(b)
            if not points.size:
                return
            own = alphas[b, points]
            with maker.rows(b) as rows:
                residual, updates[b], _ = self._solve(rows, signs, upper, own, self._tol, stop)
            alphas[b, points] = own
            told = np.empty((3, 1))
            judge(signs[None], own[None], residual[None], upper[None], told)
            judged[:, b] = told[:, 0]

        self._each(ascend, progress, "training machine")
        return Found(updates, judged, None)

    @property
    def _tol(self) -> float:
        return TRAINING_SHARE * self.problem.tol

    def _solve(
        self,
        rows: Rows,
        signs: FloatArray,
        upper: FloatArray,
        alphas: FloatArray,
        tol: float,
        stop: Event,
        residual: FloatArray | None = None,
    ) -> tuple[FloatArray, int, float]:
        """Solve one column in place as `solve_box_dual` does, or stop midway.

        Returns
        -------
        residual : (n_shown,)
        n_updates : int
        violation : float
        """
        spent, most = 0, self.problem.max_updates
        if residual is None:
            residual = _residual(rows, signs, alphas)
        while True:
            rounded = residual.astype(rows.values.dtype)
            limit = min(STEPS_BETWEEN_REFRESHES, most - spent)
            steps, left = solve_box_dual(rows, signs, upper, alphas, rounded, tol, limit)
            spent += steps
            if left <= tol or spent >= most or stop.is_set():
                return rounded.astype(np.float64), spent, left
            residual = _residual(rows, signs, alphas)

    def scores(self, alphas: FloatArray, progress: Progress) -> Scores:
        """Return the scores of all training points, (n_samples, n_bits)."""
        progress.check()
        return self._scores_of(np.arange(alphas.shape[0]), alphas, self.problem.dtype)

    def _scores_of(self, points: IntArray, alphas: FloatArray, dtype: npt.DTypeLike) -> Scores:
        """Return the scores that coefficients, (n_samples, n_bits), give to some training points."""
        problem = self.problem
        support = np.flatnonzero(alphas.any(axis=1))
        if not support.size:
            return np.zeros((points.size, alphas.shape[1]))
        coefficients = alphas[support] * problem.targets[support]
        return expand(problem.kernel, problem.X[points], problem.X[support], coefficients, dtype)

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
        del scores
        n_samples, n_bits = alphas.shape
        fold_of = np.empty(n_samples, dtype=np.int64)
        for k, points in enumerate(held):
            fold_of[points] = k
        out = np.zeros((n_samples, n_bits))
        still_open = np.zeros(n_bits, dtype=np.int64)
        changed: list[list[tuple[int, FloatArray]]] = [[] for _ in held]
        maker = self._rows()

        def retrain(b: int, stop: Event) -> None:
            points, signs, upper = self.shown.column(b)
            if not points.size:
                return
            own, fold = alphas[points, b], fold_of[points]
            with maker.rows(b) as rows:
                full = _residual(rows, signs, own)
                for k in np.unique(fold):
                    out_of = fold == k
                    start = np.where(out_of, 0.0, own)
                    rest = full + signed_sums(rows, np.where(out_of, own * signs, 0.0))
                    bounds = np.where(out_of, 0.0, upper)
                    rest, _, left = self._solve(rows, signs, bounds, start, self._tol, stop, rest)
                    still_open[b] += left > self.problem.tol
                    out[points[out_of], b] = signs[out_of] - rest[out_of]
                    if not only_shown:
                        changed[k].append((b, start))

        self._each(retrain, progress, "training machine")
        if still_open.any():
            warn_open(
                int(still_open.sum()), n_bits * len(held), "a violation above the tolerance in their folds"
            )
        if not only_shown:
            self._score_others(held, alphas, changed, out, progress)
        return out

    def _score_others(
        self,
        held: list[IntArray],
        alphas: FloatArray,
        changed: list[list[tuple[int, FloatArray]]],
        out: Scores,
        progress: Progress,
    ) -> None:
        """Write the scores of held-out points that machines were not shown into out, (n_samples, n_bits)."""
        for points, columns in zip(held, changed, strict=True):
            progress.check()
            without = alphas.copy()
            for b, own in columns:
                without[self.shown.column(b)[0], b] = own
            others = self.problem.targets[points] == 0
            out[points] = np.where(others, self._scores_of(points, without, self.problem.dtype), out[points])

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
        out, trained = np.zeros(alphas.shape), alphas.copy()
        still_open, n_trained = np.zeros((2, alphas.shape[1]), dtype=np.int64)
        maker = self._rows()

        def leave_out(b: int, stop: Event) -> None:
            points, signs, upper = self.shown.column(b)
            if not points.size:
                return
            own = alphas[points, b]
            with maker.rows(b, exact=True) as rows:
                finer = finest(tol, exact=rows.values.dtype == np.float64)
                residual, _, left = self._solve(rows, signs, upper, own, finer, stop)
                still_open[b] = left > finer
                out[points, b] = signs - residual
                rounded = residual.astype(rows.values.dtype)
                trained[points, b] = own
                support = np.flatnonzero(own)  # any other point's machine is the one at hand
                n_trained[b] = 1 + support.size
                for first in range(0, support.size, LEFT_OUT_AT_ONCE):
                    if stop.is_set():
                        return
                    some = support[first : first + LEFT_OUT_AT_ONCE]
                    out[points[some], b], n_open = leave_each_out(
                        rows, signs, upper, own, rounded, finer, self.problem.max_updates, some
                    )
                    still_open[b] += n_open

        self._each(leave_out, progress, "leaving points out of machine")
        if still_open.any():
            warn_open(int(still_open.sum()), int(n_trained.sum()), "a violation above the tolerance")
        if not only_shown and not self.problem.targets.all():
            progress.check()
            others = self._scores_of(np.arange(alphas.shape[0]), trained, np.float64)
            out = np.where(self.problem.targets != 0, out, others)
        return out


def _residual(rows: Rows, signs: FloatArray, alphas: FloatArray) -> FloatArray:
    """Return the sides less the scores, (n_shown,), in double precision."""
    if not alphas.any():
        return signs.copy()
    left: FloatArray = signs - signed_sums(rows, alphas * signs)
    return left
