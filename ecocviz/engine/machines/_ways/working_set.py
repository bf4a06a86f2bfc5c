"""Exact training where the Gram matrix of all points does not fit, or does not pay: on working sets."""

from collections.abc import Sequence

import numpy as np

from ecocviz.engine.kernels.dual_sums import judge
from ecocviz.engine.kernels.gram import SINGLE_PRECISION_ROWS, Blocks, kernel_diagonal
from ecocviz.engine.machines._ways.problem import Found, Problem, finest, warn_open
from ecocviz.engine.machines._ways.room import LEFT_OUT_SETS, limits_for, machines_at_once
from ecocviz.engine.machines._ways.rounds import Machines, Move, Rounds, Task
from ecocviz.engine.progress import Asking, Progress
from ecocviz.engine.types import FloatArray, IntArray, Scores

SAMPLE_SHARE = 3
"""All machines begin on one point in so many,"""
SAMPLE_ROWS = 500
"""and at least on so many."""
_ROUNDING = 6e-8
"""Of a kernel value in single precision."""
_ROUNDING_SHARE = 0.2
"""Share of the tolerance above which this rounding may show in a score."""


class WorkingSet:
    """The machines of all columns, trained in rounds: scores of points not shown come along.

    Parameters
    ----------
    problem
        What is to be solved.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._blocks: Blocks | None = None

    def release(self) -> None:
        """Give back the points as factors of kernel values."""
        self._blocks = None

    def train(self, alphas: FloatArray, progress: Progress) -> Found:
        """Go on from feasible coefficients, (n_bits, n_samples), to the solution, in place."""
        machines = self._machines(alphas)
        groups = [np.array([b]) for b in range(alphas.shape[0])]
        rounds = self._rounds(machines, groups, self.problem.tol, self.problem.dtype, progress)
        if alphas.any():
            rounds.move([_all_of(machines)])
            self._run(rounds, _supports(rounds))
        else:
            self._run(rounds, [(np.arange(alphas.shape[0]), self._sample(machines, rounds.limits.largest))])
        judged = np.empty((3, alphas.shape[0]))
        judge(machines.signs, alphas, machines.residuals, machines.bounds, judged)
        return Found(rounds.updates, judged, _scores(machines))

    def scores(self, alphas: FloatArray, progress: Progress) -> Scores:
        """Return the scores of all training points, (n_samples, n_bits)."""
        machines = self._machines(np.ascontiguousarray(alphas.T))
        self._rounds(machines, [], self.problem.tol, self.problem.dtype, progress).move([_all_of(machines)])
        return _scores(machines)

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
        at_once = machines_at_once(self.problem) // max(1, alphas.shape[1])
        firsts = range(0, len(held), at_once)
        n_open = 0
        for number, first in enumerate(firsts):
            part = held[first : first + at_once]
            name = f"folds {first + 1} to {first + len(part)} of {len(held)}"
            n_open += self._hold_out(part, alphas, known, out, progress.part(number, len(firsts), name))
        if n_open:
            warn_open(n_open, alphas.shape[1] * len(held), "a violation above the tolerance in their folds")
        return out

    def _hold_out(
        self, held: Sequence[IntArray], alphas: FloatArray, known: Scores, out: Scores, progress: Progress
    ) -> int:
        """Write the scores of each fold's points, indices in `held`; return how many machines are open."""
        problem, n_bits = self.problem, alphas.shape[1]
        full = self._machines(np.ascontiguousarray(alphas.T))
        full.residuals -= known.T
        folds = np.arange(len(held) * n_bits).reshape(len(held), n_bits)
        machines = full.take(np.tile(np.arange(n_bits), len(held)))
        moves = []
        for own, points in zip(folds, held, strict=True):
            moves.append(machines.leave_out(own, points))
        rounds = self._rounds(machines, list(folds.T), problem.tol, problem.dtype, progress)
        first = _supports(rounds)
        rounds.move(moves)
        self._run(rounds, first)
        for own, points in zip(folds, held, strict=True):
            at = np.ix_(own, points)
            out[points] = (machines.signs[at] - machines.residuals[at]).T
        return int((rounds.violations > problem.tol).sum())

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
        del scores, only_shown  # these machines are trained more finely, and all their scores come along
        n_samples, n_bits = alphas.shape
        exact = n_samples <= SINGLE_PRECISION_ROWS
        dtype: np.dtype[np.floating] = np.dtype(np.float64) if exact else np.dtype(np.float32)
        finer = finest(tol, exact=exact)
        full = self._machines(np.ascontiguousarray(alphas.T))
        rounds = self._rounds(full, [np.array([b]) for b in range(n_bits)], finer, dtype, progress.part(0, 2))
        rounds.move([_all_of(full)])
        self._run(rounds, [])
        out = _scores(full)
        n_open = int((rounds.violations > finer).sum())
        at_once = machines_at_once(self.problem) // LEFT_OUT_SETS
        parts = [
            (b, support[first : first + at_once])
            for b in range(n_bits)
            for support in [np.flatnonzero(full.alphas[b])]  # any other point's machine is the one at hand
            for first in range(0, support.size, at_once)
        ]
        firsts = range(0, len(parts), LEFT_OUT_SETS)
        for number, first in enumerate(firsts):
            some = parts[first : first + LEFT_OUT_SETS]
            told = progress.part(1, 2).part(
                number, len(firsts), f"leaving points out of machine {some[0][0] + 1}"
            )
            n_open += self._leave_out(full, some, finer, dtype, out, told)
        if n_open:
            warn_open(n_open, n_bits + int((full.alphas > 0).sum()), f"a violation above {finer:.1g}")
        return out

    def _leave_out(
        self,
        full: Machines,
        parts: Sequence[tuple[int, IntArray]],
        tol: float,
        dtype: np.dtype[np.floating],
        out: Scores,
        progress: Progress,
    ) -> int:
        """Write the scores of points, each by a machine without it; return how many machines are open.

        Parameters
        ----------
        full
            The machines of all columns, trained.
        parts
            Column and points of each working set.
        """
        columns = np.repeat([b for b, _ in parts], [points.size for _, points in parts])
        points = np.concatenate([points for _, points in parts])
        machines = full.take(columns)
        moves = [machines.leave_out(np.array([p]), points[p : p + 1]) for p in range(points.size)]
        ends = np.cumsum([part.size for _, part in parts])
        groups = np.split(np.arange(points.size), ends[:-1])
        rounds = self._rounds(machines, groups, tol, dtype, progress)
        first = _supports(rounds)
        rounds.move(moves)
        self._run(rounds, first)
        each = np.arange(points.size)
        out[points, columns] = machines.signs[each, points] - machines.residuals[each, points]
        return int((rounds.violations > tol).sum())

    def _machines(self, alphas: FloatArray) -> Machines:
        """Return machines with some coefficients, (n_bits, n_samples), and the residuals of none."""
        return Machines(self.problem.signs(), self.problem.bounds(), alphas, self.problem.signs())

    def _sample(self, machines: Machines, largest: int) -> IntArray:
        """Return the points on which all machines begin, drawn from those that some machine is shown."""
        shown = np.flatnonzero(machines.bounds.any(axis=0))
        wanted = min(largest, max(SAMPLE_ROWS, shown.size // SAMPLE_SHARE))
        return np.sort(np.random.default_rng(0).permutation(shown)[:wanted])

    def _rounds(
        self,
        machines: Machines,
        groups: Sequence[IntArray],
        tol: float,
        dtype: np.dtype[np.floating],
        progress: Progress,
    ) -> Rounds:
        problem = self.problem
        limits = limits_for(problem, machines.signs.shape[0], dtype.itemsize, tol)
        if self._blocks is None or self._blocks.dtype != dtype:
            self._blocks = None  # one at a time
            self._blocks = Blocks(problem.kernel, problem.X, dtype)
        return Rounds(self._blocks, machines, groups, limits, progress)

    def _run(self, rounds: Rounds, first: Sequence[Task]) -> None:
        """Train machines, in double precision in the end where rounding of single precision may show."""
        rounds.run(first)
        machines, limits = rounds.machines, rounds.limits
        diagonal = kernel_diagonal(self.problem.kernel, self.problem.X).max(initial=0.0)
        rounded = _ROUNDING * diagonal * np.linalg.norm(machines.alphas, axis=1)
        given_up = (rounds.violations > limits.tol) & (rounds.updates < limits.max_updates)
        coarse = rounds.blocks.dtype == np.float32
        if coarse and (given_up | (rounded > _ROUNDING_SHARE * limits.tol)).any():
            asking = Asking(rounds.progress)
            finer = self._rounds(machines, rounds.groups, limits.tol, np.dtype(np.float64), asking)
            finer.updates = rounds.updates
            machines.residuals[:] = machines.signs
            finer.move([_all_of(machines)])
            finer.run()
            rounds.violations = finer.violations
        rounds.progress.at(1.0)


def _all_of(machines: Machines) -> Move:
    """Return all coefficients as a change from none."""
    points = np.flatnonzero(machines.alphas.any(axis=0))
    steps = machines.alphas[:, points] * machines.signs[:, points]
    return Move(np.arange(steps.shape[0]), points, steps)


def _supports(rounds: Rounds) -> list[Task]:
    """Return each group and the points that any of its machines rests on, where they fit into its set.

    These take over at once what points left out have carried; far too many others would seem to be needed.
    """
    alphas, largest = rounds.machines.alphas, rounds.limits.largest
    supports = [(group, np.flatnonzero(alphas[group].any(axis=0))) for group in rounds.groups]
    return supports if all(0 < points.size <= largest for _, points in supports) else []


def _scores(machines: Machines) -> Scores:
    """Return the scores of all points, (n_samples, n_machines)."""
    return np.ascontiguousarray((machines.signs - machines.residuals).T)
