"""Training on explicit features of all points: a visit to one costs the same however many there are."""

from dataclasses import replace
from threading import Event

import numpy as np

from ecocviz.engine.kernels.box_dual import solve_box_dual
from ecocviz.engine.kernels.dual_sums import judge
from ecocviz.engine.kernels.gram import Kernel, kernel_diagonal
from ecocviz.engine.kernels.linear_dual import add_points, as_table, scores_of, sweep
from ecocviz.engine.machines._feature_map import FeatureMap, make_features
from ecocviz.engine.machines._ways.choice import choose_way
from ecocviz.engine.machines._ways.problem import STEPS_BETWEEN_REFRESHES, Found, Problem, warn_open
from ecocviz.engine.parallel import calling_thread_only, in_threads, nth_machine
from ecocviz.engine.points import is_sparse
from ecocviz.engine.progress import NO_PROGRESS, Asking, Progress
from ecocviz.engine.types import FloatArray, IntArray, Points, Scores

FEW = 1_000
"""So few open points are solved by pairs, on their own kernel matrix: single coefficients would crawl."""
SWEEPS = 100
"""Sweeps over so few points without zeros that take as long as making their kernel matrix does."""
POINTS_FOR_UPDATES = 1_000
"""`max_updates` is meant for so many points; more points may have more, because a step costs less here."""
FINER = 0.5
"""Share of the tolerance at which open points count as solved, before all points are looked at."""
_FIRST_ORDER = 0x9E3779B97F4A7C15
"""Where the orders of points begin; any odd number will do."""
_INNER = Kernel("linear", 1.0, 1, 0.0)
"""The kernel of points whose features are at hand."""


class Explicit:
    """The machines of all columns on one table of features, which all columns share.

    Parameters
    ----------
    problem
        What is to be solved; its kernel is the one that the features give.
    feature_map
        Which features.
    """

    def __init__(self, problem: Problem, feature_map: FeatureMap) -> None:
        self.problem = problem
        self.feature_map = feature_map
        self._features: Points | None = None

    def release(self) -> None:
        """Give the memory of the features back; they are made again if they are needed again."""
        self._features = None

    def features(self, progress: Progress) -> Points:
        """Return the features of the training points, (n_samples, width), kept."""
        problem = self.problem
        if self._features is None:
            progress.note("making features")
            asking = Asking(progress)
            with calling_thread_only():
                self._features = make_features(
                    self.feature_map,
                    problem.X,
                    problem.dtype,
                    problem.memory_limit,
                    lambda task, n_tasks: in_threads(
                        task, n_tasks, problem.n_jobs, asking, doing=lambda _number: "making features"
                    ),
                )
        return self._features

    def squares(self) -> FloatArray:
        """Return the kernel of each training point with itself, (n_samples,)."""
        features = self.features(NO_PROGRESS)
        if is_sparse(features):
            return kernel_diagonal(_INNER, features)
        squares: FloatArray = np.einsum("ij,ij->i", features, features, dtype=np.float64)
        return squares

    def weights(self, alphas: FloatArray) -> FloatArray:
        """Return the weights of the features, (n_bits, width), of coefficients (n_bits, n_samples)."""
        features = self.features(NO_PROGRESS)
        signs, table = self.problem.signs(), as_table(features)
        weights = np.zeros((alphas.shape[0], features.shape[1]))
        for b, own in enumerate(alphas):
            rows = np.flatnonzero(own)
            add_points(table, (own * signs[b])[rows], rows, weights[b])
        return weights

    def train(self, alphas: FloatArray, progress: Progress) -> Found:
        """Go on from feasible coefficients, (n_bits, n_samples), to the solution, in place."""
        features = self.features(progress)
        n_bits, n_samples = alphas.shape
        signs, bounds, weights = self.problem.signs(), self.problem.bounds(), self.weights(alphas)
        solver = _Solver(self.problem, features, self.squares())
        updates = np.zeros(n_bits, dtype=np.int64)
        scores = np.empty((n_bits, n_samples))

        def ascend(b: int) -> None:
            updates[b], _ = solver.solve(signs[b], bounds[b], alphas[b], weights[b])
            scores_of(solver.table, weights[b], np.arange(n_samples), scores[b])

        with calling_thread_only():
            in_threads(ascend, n_bits, self.problem.n_jobs, progress, solver.stop, nth_machine(n_bits))
        judged = np.empty((3, n_bits))
        judge(signs, alphas, signs - scores, bounds, judged)
        return Found(updates, judged, np.ascontiguousarray(scores.T))

    def scores(self, alphas: FloatArray, progress: Progress) -> Scores:
        """Return the scores of all training points, (n_samples, n_bits)."""
        table, weights = as_table(self.features(progress)), self.weights(np.ascontiguousarray(alphas.T))
        scores = np.empty(alphas.shape[::-1])
        for b, own in enumerate(weights):
            scores_of(table, own, np.arange(alphas.shape[0]), scores[b])
        return np.ascontiguousarray(scores.T)

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
        del scores, only_shown  # weights are enough, and make the others' scores for nothing
        features = self.features(progress)
        signs, bounds, alphas = self.problem.signs(), self.problem.bounds(), np.ascontiguousarray(alphas.T)
        weights = self.weights(alphas)
        solver = _Solver(self.problem, features, self.squares())
        n_bits = alphas.shape[0]
        still_open = np.zeros((len(held), n_bits), dtype=np.bool_)
        out = np.empty(alphas.shape)

        def retrain(number: int) -> None:
            k, b = divmod(number, n_bits)
            points = held[k]
            upper, start, own = bounds[b].copy(), alphas[b].copy(), weights[b].copy()
            add_points(solver.table, -(start * signs[b])[points], points, own)
            upper[points] = start[points] = 0.0
            _, left = solver.solve(signs[b], upper, start, own)
            still_open[k, b] = left > self.problem.tol
            here = np.empty(points.size)
            scores_of(solver.table, own, points, here)
            out[b, points] = here

        def doing(number: int) -> str:
            return f"fold {number // n_bits + 1} of {len(held)}: {nth_machine(n_bits)(number % n_bits)}"

        with calling_thread_only():
            in_threads(retrain, len(held) * n_bits, self.problem.n_jobs, progress, solver.stop, doing)
        if still_open.any():
            warn_open(
                int(still_open.sum()), still_open.size, "a violation above the tolerance in their folds"
            )
        return np.ascontiguousarray(out.T)

    def leave_out(
        self,
        alphas: FloatArray,
        scores: Scores | None,
        tol: float,
        progress: Progress,
        *,
        only_shown: bool,
    ) -> Scores:
        """Return each point's scores by machines trained without it, on kernel values of the features."""
        points = self.features(progress).astype(np.float64)
        way = choose_way(replace(self.problem, kernel=_INNER, X=points))
        return way.leave_out(alphas, scores, tol, progress, only_shown=only_shown)


class _Solver:
    """Solves one column after the other.

    Parameters
    ----------
    problem
        Tolerance and limit of updates.
    features : (n_samples, width)
    squares : (n_samples,)
        Squared length of each row.
    """

    def __init__(self, problem: Problem, features: Points, squares: FloatArray) -> None:
        self.features, self.squares, self.table = features, squares, as_table(features)
        self.tol = problem.tol
        self.max_updates = problem.max_updates * max(1, squares.size // POINTS_FOR_UPDATES)
        self.stop = Event()

    def solve(
        self, signs: FloatArray, bounds: FloatArray, alphas: FloatArray, weights: FloatArray
    ) -> tuple[int, float]:
        """Solve one column in place, or stop midway; return its updates and the largest violation left.

        Sweeps drop point after point until few are open; those are solved by pairs. Then all points are
        looked at, and those near enough to their margins to matter are open again.

        Parameters
        ----------
        signs, bounds, alphas : (n_samples,)
        weights : (width,)
        """
        shown = np.flatnonzero(bounds > 0)
        state, limits = np.array([_FIRST_ORDER], dtype=np.uint64), np.full(2, np.inf)
        order, spent, violation, scores = shown.copy(), 0, np.inf, np.empty(shown.size)
        spent_before = -1
        left_to_sweep = SWEEPS if is_sparse(self.features) else 0
        while not self.stop.is_set():
            few = 0 if left_to_sweep > 0 else FEW
            if order.size > few:
                kept, steps, *left = sweep(
                    self.table, self.squares, signs, bounds, alphas, weights, order, state, limits
                )
                spent += steps
                order, limits = order[:kept], np.where(np.array(left) > 0, left, np.inf)
                left_to_sweep -= kept <= FEW
                if max(left) > FINER * self.tol and kept > few and spent < self.max_updates:
                    continue
            if order.size <= few:
                spent += self._pairs(order, signs, bounds, alphas, weights, self.max_updates - spent)
            scores_of(self.table, weights, shown, scores)
            slack, own = 1 - signs[shown] * scores, alphas[shown]
            rises, falls = own < bounds[shown], own > 0
            violation = max(slack[rises].max(initial=0.0), -slack[falls].min(initial=0.0))
            if violation <= self.tol or spent >= self.max_updates or spent == spent_before:
                break
            spent_before = spent
            near = np.abs(slack) <= violation
            order, limits = shown[near | (rises & falls)], np.full(2, violation)
        return spent, violation

    def _pairs(
        self,
        points: IntArray,
        signs: FloatArray,
        bounds: FloatArray,
        alphas: FloatArray,
        weights: FloatArray,
        limit: int,
    ) -> int:
        """Solve for the coefficients of few points, the others fixed, in place; return the updates."""
        rows = self.features[points].astype(np.float64)
        gram, own, upper = rows @ rows.T, signs[points], bounds[points]
        gram = gram.toarray() if is_sparse(gram) else gram
        residual, found = own - rows @ weights, alphas[points]
        before, spent, left = found.copy(), 0, np.inf
        while left > FINER * self.tol and spent < limit and not self.stop.is_set():
            most = min(STEPS_BETWEEN_REFRESHES, limit - spent)
            steps, left = solve_box_dual(gram, own, upper, found, residual, FINER * self.tol, most)
            spent += steps
        alphas[points] = found
        weights += ((found - before) * own) @ rows
        return spent
