"""How tasks and their data get to threads, to other processes, to a cluster; how those hear of an end."""

from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any, Literal, Protocol

from joblib.parallel import get_active_backend
from loky import get_reusable_executor

from ecocviz.engine.parallel import thread_count
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.tasks._crates import Errand, Laden, pack
from ecocviz.engine.tasks._inside import Asking, Call, Failed, Lost, WorkerLostError, failed, one_thread
from ecocviz.engine.tasks._on_dask import OnDask, client_of

LOST = "The process that computed this was lost again and again; it may need more memory than there is."
BROKEN = (
    "The pool of processes that was given is broken, because one of them was killed or crashed; "
    "go on with a new pool."
)
CANCELLED = "The task was cancelled by somebody else."

Joblib = Literal["joblib"]
JOBLIB: Joblib = "joblib"


class Route(Protocol):
    """A way for tasks to workers and back."""

    width: int | None
    """Tasks on their way at the same time where one lost process takes all others along, else None."""

    def submit(self, task: Any) -> "Future[Any]":  # noqa: ANN401 - the caller's
        """Send a task; what goes wrong at once is in the future."""

    def found(self, future: "Future[Any]") -> Any:  # noqa: ANN401 - an outcome, Failed or Lost
        """Return what became of a task that is done."""

    def look_after(self, running: Iterable["Future[Any]"]) -> None:
        """Cancel what can have no end any more; called while nothing comes."""

    def close(self) -> None:
        """End what still runs."""


def route_to(
    call: Call[Any, Any, Any], executor: Executor | None, n_jobs: int | None, progress: Progress
) -> Route | Joblib | None:
    """Choose the way: None where tasks are done here, one by one; `JOBLIB` where a backend has its own."""
    if executor is None:
        backend, _ = get_active_backend(prefer="threads")
        if client_of(backend) is None:
            return _by_backend(call, backend, thread_count(n_jobs))
        return OnDask(call, backend, progress)
    if client_of(executor) is not None:
        return OnDask(call, executor, progress)
    if isinstance(executor, ThreadPoolExecutor):
        return InThreads(call, executor, own=False)
    return ByFile(call, lambda: executor, width=None)


def _by_backend(call: Call[Any, Any, Any], backend: object, n_workers: int) -> Route | Joblib | None:
    if n_workers == 1:
        return None
    if getattr(backend, "supports_sharedmem", False):
        return InThreads(call, ThreadPoolExecutor(n_workers), own=True)
    if type(backend).__name__ == "LokyBackend":
        return ByFile(call, lambda: get_reusable_executor(n_workers), width=2 * n_workers)
    return JOBLIB


def sent(submit: Callable[..., "Future[Any]"], *about: object) -> "Future[Any]":
    """Return what `submit` returns, or a future with what it raises."""
    try:
        return submit(*about)
    except Exception as error:  # noqa: BLE001 - a pool that is closed or broken is told for each task
        future: Future[Any] = Future()
        future.set_exception(error)
        return future


class InThreads:
    """To threads of this process: nothing is packed."""

    width: int | None = None

    def __init__(self, call: Call[Any, Any, Any], executor: Executor, *, own: bool) -> None:
        self._call, self._executor, self._own = call, executor, own
        self._stop = Event()
        self._one_thread = one_thread()  # owned by the caller's thread until all are done
        self._one_thread.__enter__()

    def submit(self, task: Any) -> "Future[Any]":  # noqa: ANN401 - the caller's
        """Send a task."""
        return sent(self._executor.submit, self._call.do, task, Asking(self._stop.is_set))

    def found(self, future: "Future[Any]") -> Any:  # noqa: ANN401 - the caller's
        """Return what it has found."""
        return result_of(future)

    def look_after(self, running: Iterable["Future[Any]"]) -> None:
        """Nothing: threads end."""

    def close(self) -> None:
        """Tell what still runs; wait for threads of our own."""
        self._stop.set()
        if self._own:
            self._executor.shutdown(cancel_futures=True)
        self._one_thread.__exit__(None, None, None)


class ByFile:
    """To processes, which read the data from a file of this computer; those elsewhere get them with the task.

    Parameters
    ----------
    call
        What to do.
    pool
        Returns the processes; with a width, they are ours, and it returns new ones when they are broken.
    width
        Of the route.
    """

    def __init__(self, call: Call[Any, Any, Any], pool: Callable[[], Executor], width: int | None) -> None:
        self._pool, self.width = pool, width
        self._packed = pack(call)
        self._folder = TemporaryDirectory(prefix="ecocviz-tasks-", ignore_cleanup_errors=True)
        file = Path(self._folder.name) / self._packed.digest
        file.write_bytes(self._packed.content)
        self._errand = Errand(call.work, call.settings, self._packed.digest, file)
        self._elsewhere = False

    def submit(self, task: Any) -> "Future[Any]":  # noqa: ANN401 - the caller's
        """Send a task."""
        if self._elsewhere:
            return sent(self._pool().submit, Laden(self._packed).do, task, NO_PROGRESS)
        return sent(self._pool().submit, self._errand.do, task)

    def found(self, future: "Future[Any]") -> Any:  # noqa: ANN401 - the caller's
        """Return what it has found; what lost processes had can be begun again where there are others."""
        if not future.cancelled():
            error = future.exception()
            if isinstance(error, WorkerLostError):
                return Lost(str(error))
            if isinstance(error, BrokenExecutor):
                return Failed(BROKEN) if self.width is None else Lost(LOST)
        found = result_of(future)
        self._elsewhere = self._elsewhere or isinstance(found, Lost)
        return found

    def look_after(self, running: Iterable["Future[Any]"]) -> None:
        """Nothing: the pool tells of lost processes."""

    def close(self) -> None:
        """Take the file away, which tells what still runs."""
        self._folder.cleanup()


def result_of(future: "Future[Any]") -> Any:  # noqa: ANN401 - the caller's
    """Return a done task's outcome, or how it failed."""
    try:
        return future.result()
    except CancelledError:
        return Failed(CANCELLED)
    except Exception as error:  # noqa: BLE001 - such as an outcome that cannot be pickled
        return failed(error)
