"""Machines trained together, each on the points that matter to it, in rounds.

A machine is decided by the few points whose coefficients are not 0, and it can only be improved at points
that violate the optimality conditions. So each is trained on a working set: the points that violate them,
those where both conditions hold with equality, and those that keep them just so. This is the decomposition
of [Joachims1999]_ with sets of thousands of points; the Gram matrix of a set is small and contiguous. Then
one pass over kernel values, a cache block at a time and for all machines together, tells all points which
coefficients have moved, and the next sets are chosen, until no point violates the conditions by more than
the tolerance.

Each round raises the dual objective of each machine that goes on: the point that violates most is in its
set, and the set's own problem is solved to less than that violation. So it converges also where the
points that decide a machine do not fit into one set.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from threading import Event
from typing import TypeAlias, TypeVar

import numpy as np

from ecocviz.engine.kernels.box_dual import solve_box_dual
from ecocviz.engine.kernels.gram import Blocks, GramArray
from ecocviz.engine.kernels.violations import raise_violations
from ecocviz.engine.machines._ways.problem import STEPS_BETWEEN_REFRESHES
from ecocviz.engine.parallel import calling_thread_only, in_threads, thread_count
from ecocviz.engine.progress import Asking, Falling, Progress
from ecocviz.engine.types import BoolArray, Float32Array, FloatArray, IntArray

MARGIN = 0.02
"""Points that keep the conditions by less are taken into a set too: they may violate them next."""
GOAL = 0.7
"""Share of the tolerance to which a set is solved: the sets of other rounds move its points a little."""
PATIENCE = 20
"""Rounds without a smaller violation or a larger objective after which a machine is given up."""
ROWS = 512
"""Points that are told of changes at once."""

Outcome = TypeVar("Outcome")
Task: TypeAlias = tuple[IntArray, IntArray]
"""Numbers of machines, and of the points to train them on."""


@dataclass(slots=True)
class Machines:
    """Machines in training, of any columns; arrays (n_machines, n_samples), changed in place.

    Attributes
    ----------
    signs
        Sides, 0 where a machine is not shown a point.
    bounds
        Upper bounds of the coefficients; 0 leaves a point out.
    alphas
        Coefficients, within the bounds.
    residuals
        signs - (signs * alphas) @ gram, of all points.
    """

    signs: FloatArray
    bounds: FloatArray
    alphas: FloatArray
    residuals: FloatArray

    def take(self, numbers: IntArray) -> "Machines":
        """Return copies of some machines, (n_taken, n_samples)."""
        parts = (self.signs, self.bounds, self.alphas, self.residuals)
        return Machines(*(part[numbers] for part in parts))

    def leave_out(self, numbers: IntArray, points: IntArray) -> "Move":
        """Take points out of some machines; return how their coefficients change."""
        self.bounds[np.ix_(numbers, points)] = 0.0
        carried = points[self.alphas[np.ix_(numbers, points)].any(axis=0)]
        at = np.ix_(numbers, carried)
        move = Move(numbers, carried, -self.alphas[at] * self.signs[at])
        self.alphas[at] = 0.0
        return move


@dataclass(frozen=True, slots=True)
class Move:
    """By what signed coefficients change: steps (n_machines, n_points), machines and points by number."""

    machines: IntArray
    points: IntArray
    steps: FloatArray


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop, and how much to take.

    Attributes
    ----------
    tol
        Largest violation of the optimality conditions at which a machine counts as trained.
    max_updates
        Steps after which a machine is given up.
    largest
        Most points in a working set.
    room
        Bytes for the Gram matrices of working sets, and all else that threads take.
    tile
        Bytes that a thread takes besides.
    n_jobs
        Threads over groups of machines, and over points.
    """

    tol: float
    max_updates: int
    largest: int
    room: float
    tile: int
    n_jobs: int | None

    def n_threads(self, n_tasks: int, task_bytes: int = 0) -> int:
        """Return how many threads for so many tasks there is room for."""
        fitting = int(self.room // (self.tile + task_bytes))
        return max(1, min(thread_count(self.n_jobs), fitting, n_tasks))


class Rounds:
    """The training of some machines; attributes say how far it is.

    Parameters
    ----------
    blocks
        Makes kernel values.
    machines
        Where they start, and in the end what they are.
    groups
        Numbers of the machines that share a working set.
    limits
        When to stop, and how much to take.
    progress
        Told the finished share; may raise to cancel.

    Attributes
    ----------
    updates : (n_machines,)
        Steps made.
    violations : (n_machines,)
        Largest violation of each.
    """

    def __init__(
        self,
        blocks: Blocks,
        machines: Machines,
        groups: Sequence[IntArray],
        limits: Limits,
        progress: Progress,
    ) -> None:
        n_machines = machines.signs.shape[0]
        self.blocks, self.machines, self.groups, self.limits = blocks, machines, groups, limits
        self.progress = progress
        self.updates: IntArray = np.zeros(n_machines, dtype=np.int64)
        self.violations: FloatArray = np.full(n_machines, np.inf)
        self._best = np.tile([[np.inf], [-np.inf]], n_machines)
        self._idle = np.zeros(n_machines, dtype=np.int64)
        self._stop = Event()

    def run(self, first: Sequence[Task] = ()) -> None:
        """Go on until every machine is trained or given up.

        Parameters
        ----------
        first
            What to begin with; nothing for the points that matter most.
        """
        falling = Falling(self.progress, self.limits.tol)
        going: BoolArray = np.ones(self.updates.size, dtype=np.bool_)
        needs: Float32Array = np.empty((len(self.groups), self.machines.signs.shape[1]), np.float32)
        for number in count(1):
            self._look(going, needs)
            going &= self.violations > self.limits.tol
            going &= (self.updates < self.limits.max_updates) & (self._idle < PATIENCE)
            if not going.any():
                return
            self.progress.note(f"round {number}: {np.count_nonzero(going)} machines to go on with")
            falling.at(float(self.violations[going].max()))
            tasks = list(first) if number == 1 else []
            tasks = tasks or [
                task
                for group, need in zip(self.groups, needs, strict=True)
                for task in self._tasks(group[going[group]], need)
            ]
            self.move(self._solve_all(tasks))

    def move(self, moves: Sequence[Move]) -> None:
        """Tell all points of coefficients that have changed; no machine may be in two moves."""
        points = np.unique(np.concatenate([move.points for move in moves]))
        weights = np.zeros((points.size, sum(move.machines.size for move in moves)))
        last = 0
        for move in moves:
            first, last = last, last + move.machines.size
            weights[np.searchsorted(points, move.points), first:last] = move.steps.T
        moved = np.concatenate([move.machines for move in moves])
        contributions = self.blocks.contributions(points, weights)
        residuals = self.machines.residuals

        def tell(number: int) -> None:
            if not self._stop.is_set():
                rows = slice(number * ROWS, (number + 1) * ROWS)
                residuals[moved, rows] -= contributions(rows).T

        if points.size:
            n_tasks = -(-residuals.shape[1] // ROWS)
            self._in_threads(tell, n_tasks, self.limits.n_threads(n_tasks))

    def _look(self, going: BoolArray, needs: Float32Array) -> None:
        """Write how much each group needs each point, and judge the machines that go on."""
        needs.fill(-np.inf)
        for group, need in zip(self.groups, needs, strict=True):
            for p in group[going[group]]:
                now = self._raise(p, need)
                better = now[0] < self._best[0, p] or now[1] > self._best[1, p]
                self._idle[p] = 0 if better else self._idle[p] + 1
                self._best[:, p] = min(now[0], self._best[0, p]), max(now[1], self._best[1, p])
                self.violations[p] = now[0]

    def _raise(self, p: int, need: Float32Array) -> tuple[float, float]:
        """Raise a need to that of one machine; return its largest violation and its objective."""
        parts = self.machines
        worst, objective = raise_violations(
            parts.signs[p], parts.bounds[p], parts.alphas[p], parts.residuals[p], need
        )
        return float(worst), float(objective)

    def _tasks(self, group: IntArray, need: Float32Array) -> list[Task]:
        """Return machines, and the points to train them on: all together, if what they need fits in."""
        points = np.flatnonzero(need > -MARGIN)
        largest = self.limits.largest
        if points.size <= largest:
            return [(group, points)] if group.size else []
        tasks = []
        for p in group:
            own = need if group.size == 1 else np.full_like(need, -np.inf)
            self._raise(p, own)
            points = np.flatnonzero(own > -MARGIN)
            if points.size > largest:
                order = np.argpartition(own[points], points.size - largest)
                points = np.sort(points[order[-largest:]])
            tasks.append((np.array([p]), points))
        return tasks

    def _solve_all(self, tasks: Sequence[Task]) -> list[Move]:
        """Solve tasks, machines on points, each on its own Gram matrix: as many at once as there is room."""
        most = max(points.size for _, points in tasks)
        n_threads = self.limits.n_threads(len(tasks), self.blocks.dtype.itemsize * most**2)
        free = [np.empty(most**2, dtype=self.blocks.dtype) for _ in range(n_threads)]

        def solve(k: int) -> Move:
            room = free.pop()
            try:
                return self._solve(*tasks[k], room)
            finally:
                free.append(room)

        return self._in_threads(solve, len(tasks), n_threads)

    def _in_threads(self, task: Callable[[int], Outcome], n_tasks: int, n_threads: int) -> list[Outcome]:
        """Return what the tasks return; they stop where `progress` raises."""
        with calling_thread_only():
            return in_threads(task, n_tasks, n_threads, Asking(self.progress), self._stop)

    def _solve(self, group: IntArray, points: IntArray, room: GramArray) -> Move:
        """Train machines on some points, the contributions of all others fixed."""
        machines, limits = self.machines, self.limits
        gram = self.blocks.square(points, room)
        steps = np.zeros((group.size, points.size))
        for k, p in enumerate(group):
            if self._stop.is_set():
                break
            signs, alphas = machines.signs[p, points], machines.alphas[p, points]
            steps[k] -= signs * alphas
            made, _ = solve_box_dual(
                gram,
                signs,
                machines.bounds[p, points],
                alphas,
                machines.residuals[p, points].astype(gram.dtype),
                GOAL * limits.tol,
                min(STEPS_BETWEEN_REFRESHES, limits.max_updates - int(self.updates[p])),
            )
            self.updates[p] += made
            machines.alphas[p, points] = alphas
            steps[k] += signs * alphas
        moved = np.flatnonzero(steps.any(axis=0))
        return Move(group, points[moved], steps[:, moved])
