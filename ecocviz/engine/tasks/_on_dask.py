"""To a Dask cluster: the data are scattered once, and a task hears from its worker that it is cancelled."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from functools import partial
from typing import Any

from ecocviz.engine.parallel import LISTEN_SECONDS
from ecocviz.engine.progress import Progress
from ecocviz.engine.tasks._crates import MOST_OPENED, Crate, pack
from ecocviz.engine.tasks._inside import Asking, Call, Failed, Lost, failed, one_thread_for_good

GONE = "The scheduler {address} is gone, so this was not computed; what was finished before is kept."
NO_WORKERS = (
    "The cluster at {address} has no worker that takes the data; start one with: dask worker {address}"
)
AGAIN = "The workers that had the data of this were lost again and again."
KILLED = (
    "The workers that computed this were lost one after the other; it may need more memory than a worker has."
)


def client_of(executor: object) -> Any:  # noqa: ANN401 - Dask is not loaded here: it may not be installed
    """Return the Dask client behind an executor or a joblib backend, None if there is none."""
    client = getattr(executor, "_client", None) or getattr(executor, "client", None)
    return client if hasattr(client, "scatter") and hasattr(client, "get_executor") else None


class OnDask:
    """To the workers of a cluster.

    Parameters
    ----------
    call
        What to do.
    executor
        Of a Dask client, or joblib's backend of one; the keywords that it was made with go with every task.
    progress
        Asked whether to go on while the client looks for its scheduler again.
    """

    width: int | None = None

    def __init__(self, call: Call[Any, Any, Any], executor: Any, progress: Progress) -> None:  # noqa: ANN401 - Dask's
        self._client, self._progress = client_of(executor), progress
        given: Mapping[str, Any] = getattr(executor, "_kwargs", None) or getattr(
            executor, "submit_kwargs", {}
        )
        self._asked = {"pure": False, **given}  # a keyword said twice would be an error
        self._address = self._client.scheduler.address
        self._work, self._settings = call.work, call.settings
        packed = pack(call)
        self._crate = Crate(packed.digest, call.shared, packed.content)
        self._data: Any = None
        self._refused: Failed | None = None

    def submit(self, task: Any) -> "Future[Any]":  # noqa: ANN401 - the caller's
        """Send a task, and the data before the first one."""
        while self._client.status == "connecting":
            self._progress.check()
            time.sleep(LISTEN_SECONDS)
        future: Future[Any] = Future()
        try:
            if self._refused is None:
                self._scatter()
                about = self._work, self._settings, self._data, task
                theirs = self._client.submit(_do, *about, **self._asked)
                future.add_done_callback(partial(_cancel, theirs))
                theirs.add_done_callback(partial(_hand_over, future))
                return future
            future.set_result(self._refused)
        except Exception as error:  # noqa: BLE001 - whatever Dask says of a cluster that is not there
            self._refused = self._why_refused(error)
            future.set_result(self._refused)
        return future

    def found(self, future: "Future[Any]") -> Any:  # noqa: ANN401 - an outcome, Failed or Lost
        """Return what a task has found; Dask itself has begun it again where its worker was lost."""
        try:
            return future.result()
        except CancelledError:
            gone = self._client.status not in {"running", "connecting"}
            return Failed(GONE.format(address=self._address)) if gone else Lost(AGAIN)
        except Exception as error:  # noqa: BLE001 - what Dask says, or an outcome that cannot be pickled
            if type(error).__name__ == "KilledWorker":
                return Failed(KILLED)
            # The line to the scheduler broke while the result was fetched: a task's own errors are outcomes.
            broken = isinstance(error, OSError) or self._client.status != "running"
            return Lost(AGAIN) if broken else failed(error)

    def look_after(self, running: "Iterable[Future[Any]]") -> None:
        """Cancel what a client without its scheduler would await for ever."""
        if self._client.status != "running":
            for future in list(running):
                future.cancel()

    def close(self) -> None:
        """Nothing: a worker hears from its scheduler that a task is cancelled."""

    def _scatter(self) -> None:
        """Send the data to one worker unless the cluster has them; the others fetch them from there."""
        kept: OrderedDict[str, Any] = vars(self._client).setdefault("_ecocviz_kept", OrderedDict())
        digest = self._crate.digest
        if digest not in kept or kept[digest].status != "finished":
            key = f"ecocviz-{digest}"
            kept[digest] = self._client.scatter({key: self._crate}, broadcast=False)[key]
        kept.move_to_end(digest)
        while len(kept) > MOST_OPENED:
            kept.popitem(last=False)
        self._data = kept[digest]

    def _why_refused(self, error: Exception) -> Failed:
        if self._client.status != "running":
            return Failed(GONE.format(address=self._address))
        if isinstance(error, TimeoutError):
            return Failed(NO_WORKERS.format(address=self._address))
        return failed(error)


def _hand_over(ours: "Future[Any]", theirs: Any) -> None:  # noqa: ANN401 - a future of Dask
    """Give our future what Dask's has found.

    Dask's own futures of executors are forgotten where the worker that has a result is lost before the result
    is fetched; `result` waits until it is found again.
    """
    try:
        found = theirs.result()
    except CancelledError:
        ours.cancel()
    except Exception as error:  # noqa: BLE001 - whatever the task, or Dask, has raised
        _settle(ours, error=error)
    else:
        _settle(ours, found)


def _settle(ours: "Future[Any]", found: object = None, *, error: Exception | None = None) -> None:
    """End our future, unless it was cancelled meanwhile."""
    with suppress(InvalidStateError):
        if error is None:
            ours.set_result(found)
        else:
            ours.set_exception(error)


def _cancel(theirs: Any, ours: "Future[Any]") -> None:  # noqa: ANN401 - a future of Dask
    if ours.cancelled() and theirs.status != "cancelled":
        theirs.cancel()


def _do(work: Callable[[Any, Any], Any], settings: dict[str, Any], crate: Crate, task: Any) -> Any:  # noqa: ANN401 - the caller's
    """Do one task in a worker."""
    one_thread_for_good()
    return Call(work, crate.shared, settings).do(task, Asking(_cancelled()))


def _cancelled() -> Callable[[], bool]:
    """Return what says whether the task of this thread is cancelled, as its worker knows it."""
    from distributed import get_worker  # noqa: PLC0415 - only where Dask runs

    worker = get_worker()
    tasks, key = worker.state.tasks, worker.get_current_task()

    def cancelled() -> bool:
        task = tasks.get(key)
        return task is None or task.state == "cancelled"

    return cancelled
