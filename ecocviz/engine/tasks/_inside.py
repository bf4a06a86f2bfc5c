"""What is done where a task runs: one thread of linear algebra, an ear for the end, sentences."""

import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from sklearn import config_context, get_config
from threadpoolctl import ThreadpoolController

from ecocviz.engine.parallel import LISTEN_SECONDS
from ecocviz.engine.progress import NO_PROGRESS, Progress

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Outcome = TypeVar("Outcome")

NO_MEMORY = "There is not enough memory for this; choose fewer points, or fewer tasks at the same time."


class WorkerLostError(ValueError):
    """The process that had a task is gone: another one can do it."""


class StoppedError(RuntimeError):
    """Raised inside a task when nobody waits for it any more."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A task that has no outcome.

    Attributes
    ----------
    why
        One sentence.
    trace
        Where it was raised, for whoever wrote the work.
    """

    why: str
    trace: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Lost:
    """A task whose worker is gone, or without its data: it can be begun again."""

    why: str


def failed(error: BaseException) -> Failed:
    """Say in one sentence what a task has died of."""
    trace = "".join(traceback.format_exception(error))
    if isinstance(error, MemoryError):
        return Failed(NO_MEMORY, trace)
    if isinstance(error, ValueError) and str(error):  # what users can cause is a sentence already
        return Failed(str(error), trace)
    return Failed(f"{type(error).__name__}: {error}", trace)


# How far, and whether to stop ------------------------------------------------------------------------

_PROGRESS: ContextVar[Progress] = ContextVar("ecocviz_task_progress", default=NO_PROGRESS)


def task_progress() -> Progress:
    """Return the progress of the task that is done here: whoever hands it down hears when to stop."""
    return _PROGRESS.get()


class Asking(Progress):
    """Progress of a task that somebody else waits for: it raises when `stopped()` says so.

    Parameters
    ----------
    stopped
        Asked a few times a second, however often the work asks.
    """

    def __init__(self, stopped: Callable[[], bool]) -> None:
        self._stopped = stopped
        self._next = 0.0

    def at(self, share: float) -> None:
        """Ask whether to go on."""
        del share
        self.check()

    def note(self, text: str) -> None:
        """Ask whether to go on."""
        del text
        self.check()

    def check(self) -> None:
        """Raise if nobody waits any more."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + LISTEN_SECONDS
            if self._stopped():
                raise StoppedError("Nobody waits for this task any more.")


# One thread ------------------------------------------------------------------------------------------


class _OneThread:
    """Linear algebra has one thread while any task of this process runs: sums are rounded alike everywhere.

    The libraries' settings are those of the whole process: the first task sets them, the last one restores.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._libraries = ThreadpoolController()
        self._looked_at = 0
        self._before: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if self._looked_at != len(
                sys.modules
            ):  # looking for libraries takes 300 times as long as setting them
                self._looked_at = len(sys.modules)
                self._libraries = ThreadpoolController()
            limits = self._libraries.limit(limits=1)
            if not self._inside:
                self._before = limits
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._before.restore_original_limits()


_ONE_THREAD = _OneThread()

# The call --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Call(Generic[Shared, Task, Outcome]):
    """What every task does, with the data, and scikit-learn's settings of the thread that asks for it."""

    work: Callable[[Shared, Task], Outcome]
    shared: Shared
    settings: dict[str, Any] = field(default_factory=get_config)

    def do(self, task: Task, progress: Progress) -> Outcome | Failed:
        """Do one task here."""
        token = _PROGRESS.set(progress)
        try:
            with _ONE_THREAD, config_context(**self.settings):
                return self.work(self.shared, task)
        except Exception as error:  # noqa: BLE001 - one task that fails is told, and the others go on
            return failed(error)
        finally:
            _PROGRESS.reset(token)
