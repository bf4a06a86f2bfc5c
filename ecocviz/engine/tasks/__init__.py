"""Many tasks on any executor: threads, processes, a Dask cluster, or what joblib's settings ask for.

`run_tasks` is the one way in which independent work (columns, folds, grid points, points of a curve) is
spread. The data travel once to each worker; outcomes come as they finish, and are those of the serial run to
the last bit: every task has one thread of linear algebra, also in the serial run.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from ecocviz.engine.parallel import LISTEN_SECONDS
from ecocviz.engine.progress import NO_PROGRESS, Part, Progress
from ecocviz.engine.tasks._inside import Call, Failed, Lost, WorkerLostError, task_progress
from ecocviz.engine.tasks._joblib import by_joblib
from ecocviz.engine.tasks._routes import JOBLIB, Route, route_to

__all__ = ["Failed", "WorkerLostError", "run_tasks", "task_progress"]

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Outcome = TypeVar("Outcome")

MOST_LOSSES = 2
"""How often a task is begun again after the worker that had it was lost."""


def run_tasks(
    work: Callable[[Shared, Task], Outcome],
    tasks: Sequence[Task],
    *,
    shared: Shared,
    executor: Executor | None = None,
    n_jobs: int | None = None,
    progress: Progress = NO_PROGRESS,
    wanted: Callable[[int], bool] = lambda _position: True,
) -> Iterator[tuple[int, Outcome | Failed]]:
    """Yield (position, outcome) of every task, in the order in which they finish.

    A task that raises is yielded as `Failed`, and the others go on. One whose worker is lost is begun again,
    at most `MOST_LOSSES` times. Leaving the iteration early, or a `progress` that raises, ends everything:
    what has not begun never does, and what runs hears of it from `task_progress()`.

    Parameters
    ----------
    work : callable
        Called as work(shared, task); of the top level of a module, where it is sent to other processes.
    tasks
        What differs from one call to the next: small.
    shared
        The data: sent to each worker once, however many tasks it does, and known by a digest of its content.
        Work must not change it.
    executor
        Threads, processes, or a cluster's `distributed.Client(...).get_executor()`. Without one the tasks run
        here, or where `joblib.parallel_config` says.
    n_jobs
        As scikit-learn's, where there is no executor; None is 1, or what joblib's settings say.
    progress
        Told the share of the tasks that are finished; asked all the time whether to go on.
    wanted
        Asked, just before a task begins, whether it is still to be done; one that is not is not yielded.

    Examples
    --------
    >>> dict(run_tasks(divmod, [7, 0], shared=20))
    {0: (2, 6), 1: Failed(why='ZeroDivisionError: integer division or modulo by zero')}
    """
    call = Call(work, shared)
    route = route_to(call, executor, n_jobs, progress)
    if route is None:
        yield from _one_by_one(call, tasks, progress, wanted)
    elif route == JOBLIB:
        yield from by_joblib(call, tasks, n_jobs, progress, wanted)
    else:
        yield from _Spread(route, tasks, progress, wanted).outcomes()


def _one_by_one(
    call: Call[Shared, Task, Outcome],
    tasks: Sequence[Task],
    progress: Progress,
    wanted: Callable[[int], bool],
) -> Iterator[tuple[int, Outcome | Failed]]:
    listener = _Remembering(progress)
    for position, task in enumerate(tasks):
        if not wanted(position):
            continue
        found = call.do(task, listener.part(position, len(tasks)))
        if listener.raised is not None:  # not the task has failed: somebody has ended it
            raise listener.raised
        yield position, found
        progress.at((position + 1) / len(tasks))


class _Remembering(Progress):
    """Hands everything on, and remembers what the listener has raised."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.raised: BaseException | None = None

    def _tell(self, tell: Callable[..., None], *about: object) -> None:
        try:
            tell(*about)
        except BaseException as error:
            self.raised = error
            raise

    def at(self, share: float) -> None:
        """Say which share is done."""
        self._tell(self._progress.at, share)

    def note(self, text: str) -> None:
        """Say what comes now."""
        self._tell(self._progress.note, text)

    def check(self) -> None:
        """Ask whether to go on."""
        self._tell(self._progress.check)

    def part(self, number: int, n_parts: int, name: str = "") -> Progress:
        """Return the progress of one of several equal parts."""
        return Part(self, number, n_parts, name)


class _Spread:
    """Tasks on their way over a route, and back."""

    def __init__(
        self, route: Route, tasks: Sequence[Any], progress: Progress, wanted: Callable[[int], bool]
    ) -> None:
        self._route, self._tasks, self._progress, self._wanted = route, tasks, progress, wanted
        self._waiting = deque(range(len(tasks)))
        self._running: dict[Future[Any], int] = {}
        self._losses = [0] * len(tasks)
        self._done: SimpleQueue[Future[Any]] = SimpleQueue()

    def outcomes(self) -> Iterator[tuple[int, Any]]:
        """Yield what the tasks have found; end what is left when nobody wants more."""
        n_finished = 0
        try:
            while self._waiting or self._running:
                while self._waiting and self._may_begin():
                    self._begin(self._waiting.popleft())
                if not self._running:
                    break  # nobody wants what was left
                future = self._next()
                position = self._running.pop(future)
                found = self._route.found(future)
                if isinstance(found, Lost):
                    self._losses[position] += 1
                    if self._losses[position] <= MOST_LOSSES:
                        self._waiting.appendleft(position)
                        continue
                    found = Failed(found.why)
                n_finished += 1
                yield position, found
                self._progress.at(n_finished / len(self._tasks))
        finally:
            for future in self._running:
                future.cancel()
            self._route.close()

    def _may_begin(self) -> bool:
        """Say whether one more may begin: who was there when a process took all others along runs alone."""
        if self._route.width is None:
            return True
        suspects = any(self._losses[position] for position in self._running.values())
        if suspects or (self._running and self._losses[self._waiting[0]]):
            return False
        return len(self._running) < self._route.width

    def _begin(self, position: int) -> None:
        if not self._losses[position] and not self._wanted(position):
            return
        future = self._route.submit(self._tasks[position])
        self._running[future] = position
        future.add_done_callback(self._done.put)

    def _next(self) -> Future[Any]:
        """Wait for the next task that ends, and ask meanwhile whether to go on."""
        while True:
            self._progress.check()
            try:
                return self._done.get(timeout=LISTEN_SECONDS)
            except Empty:
                self._route.look_after(self._running)
