"""Work on several machines at the same time: threads, or what joblib's settings ask for.

Our own compiled loops let other threads run, so that they always take threads. Machines of others take
what `joblib.parallel_config` names: processes, or a cluster.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import lru_cache
from threading import Event, Lock
from typing import Any, TypeVar

from joblib.parallel import get_active_backend
from sklearn import config_context, get_config
from sklearn.utils.parallel import Parallel, delayed
from threadpoolctl import ThreadpoolController

from ecocviz.engine.progress import NO_PROGRESS, Progress

Outcome = TypeVar("Outcome")

LISTEN_SECONDS = 0.1
"""How often whoever waits for tasks asks whether to go on."""


def thread_count(n_jobs: int | None) -> int:
    """Translate scikit-learn's `n_jobs`: None is 1, or joblib's setting; -1 is one per processor."""
    processors = os.cpu_count() or 1
    if n_jobs is None:
        _, n_jobs = get_active_backend()
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs is a number of threads, or -1 for all processors; it cannot be 0.")
    return n_jobs if n_jobs > 0 else max(1, processors + 1 + n_jobs)


def _task(number: int) -> str:
    """Name a task that has no better name."""
    return f"part {number + 1}"


def in_threads(
    task: Callable[[int], Outcome],
    n_tasks: int,
    n_jobs: int | None = None,
    progress: Progress = NO_PROGRESS,
    stop: Event | None = None,
    doing: Callable[[int], str] = _task,
) -> list[Outcome]:
    """Return [task(0), ..., task(n_tasks - 1)], computed by a bounded pool of threads.

    Parameters
    ----------
    task
        Given its number.
    n_tasks
        How many.
    n_jobs
        As scikit-learn's.
    progress
        Told the finished share from the calling thread, now and then also while tasks go on; if it
        raises, tasks that have not begun never do.
    stop
        Set when `progress` raises: a task that takes long looks at it, and may return anything.
    doing
        Names a task, by its number, for `progress`.
    """
    n_threads = min(thread_count(n_jobs), n_tasks)
    if n_tasks == 0:
        return []
    settings = get_config()  # of this thread only: the others are to work by the same

    def work(number: int) -> Outcome:
        with config_context(**settings):
            return task(number)

    pool = ThreadPoolExecutor(n_threads)
    try:
        outcomes = []
        for number, future in enumerate([pool.submit(work, number) for number in range(n_tasks)]):
            progress.note(doing(number))
            while not wait((future,), LISTEN_SECONDS).done:
                progress.check()
            outcomes.append(future.result())
            progress.at((number + 1) / n_tasks)
    except BaseException:  # also a keyboard's: it goes on after the tasks have been told
        if stop is not None:
            stop.set()
        raise
    else:
        return outcomes
    finally:
        pool.shutdown(cancel_futures=True)


@lru_cache(maxsize=1)
def _algebra() -> list[Any]:
    """Find the libraries of linear algebra; that takes 200 times as long as to limit them."""
    return list(ThreadpoolController().select(user_api="blas").lib_controllers)


_setting = Lock()
_inside = 0
_usual: list[int] = []


@contextmanager
def calling_thread_only() -> Iterator[None]:
    """Let linear algebra keep to the thread that calls it, for work that has threads of its own.

    Many small products that each wake all threads of a library take many times as long, and their last bits
    depend on how many threads there are. The number is one for the whole process, and newer libraries hear
    only the thread that has set it first: so everybody puts back what was there before anybody came.
    """
    global _inside, _usual  # noqa: PLW0603 - there is one number in a process
    with _setting:
        if _inside == 0:
            _usual = [library.num_threads for library in _algebra()]
        _inside += 1
        for library in _algebra():
            library.set_num_threads(1)
    try:
        yield
    finally:
        with _setting:
            _inside -= 1
            for library, number in zip(_algebra(), _usual, strict=True):
                library.set_num_threads(number)


def nth_machine(n_bits: int) -> Callable[[int], str]:
    """Return what names, by its number, the machine that is trained of so many.

    Examples
    --------
    >>> nth_machine(10)(2)
    'training machine 3 of 10'
    """
    return lambda b: f"training machine {b + 1} of {n_bits}"


def in_parallel(
    task: Callable[[int], Callable[[], Outcome]],
    n_tasks: int,
    n_jobs: int | None = None,
    progress: Progress = NO_PROGRESS,
    doing: Callable[[int], str] = _task,
) -> list[Outcome]:
    """Return [task(0)(), ..., task(n_tasks - 1)()], in threads, or where joblib's settings ask for it.

    Parameters
    ----------
    task
        Given its number, returns what is to be done: something that can be sent to another process.
    n_tasks, n_jobs, progress, doing
        As in `in_threads`. Elsewhere than in threads, `progress` is asked between tasks only.
    """
    backend, _ = get_active_backend(prefer="threads")
    if getattr(backend, "supports_sharedmem", False):
        return in_threads(lambda number: task(number)(), n_tasks, n_jobs, progress, doing=doing)
    outcomes: list[Outcome] = []
    pool = Parallel(n_jobs=n_jobs, return_as="generator")
    for outcome in pool(delayed(_call)(task(number)) for number in range(n_tasks)):
        outcomes.append(outcome)
        progress.note(doing(len(outcomes) - 1))
        progress.at(len(outcomes) / n_tasks)
    return outcomes


def _call(task: Callable[[], Outcome]) -> Outcome:
    return task()
