"""The server's side of one worker process: it is started, given tasks, listened to, ended if it must be."""

import signal
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from multiprocessing import Pipe, active_children
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any

from loky.process_executor import BrokenProcessPool, ProcessPoolExecutor, ShutdownExecutorError

from ecocviz.engine.progress import Progress
from ecocviz.engine.tasks import WorkerLostError
from ecocviz.lab.parcels import Parcel, unpack
from ecocviz.lab.report import Report
from ecocviz.lab.worker_process import Failure, perform, ready, start, thread_counts

GRACE = 0.5
"""Seconds that a task which is not wanted any more gets to end by itself."""
ASK_SECONDS = 0.02
"""How often is asked whether the task is still wanted."""
EXIT_SECONDS = 2.0
"""How long the system may take to say how a process ended."""

CRASHED = "The computation crashed ({how}), and nothing else was disturbed; change a setting and try again."
KILLED = (
    "The system stopped the computation, as it does when memory runs out; "
    "choose fewer points, fewer machines or a linear kernel."
)
SILENT = (
    "The computation did not respond for {minutes:g} minutes and was stopped; change a setting and try again."
)


class NotBegunError(RuntimeError):
    """The process was gone before it heard of the task: another one can do it."""


@dataclass(frozen=True, slots=True)
class Order:
    """A task for a worker process.

    Attributes
    ----------
    parcel
        What `perform` unpacks.
    places
        Where it may put files.
    max_bytes
        What it may take beyond what the process has.
    report
        Told how far it is.
    ask
        Asked all the time whether to go on; what it raises ends the task.
    silent_seconds
        How long it may give no sign of life.
    """

    parcel: Parcel
    places: Sequence[Path]
    max_bytes: int | None
    report: Progress
    ask: Callable[[], None]
    silent_seconds: float


class Slot:
    """One worker process, started when it is first needed and replaced whenever it is lost.

    Parameters
    ----------
    loaded
        Modules that it imports when it starts.
    closed
        Set when all are about to end, and no process is replaced any more.
    """

    def __init__(self, loaded: Sequence[str], closed: Event) -> None:
        self._loaded, self._closed = loaded, closed
        self._pool: ProcessPoolExecutor | None = None
        self._ends: tuple[Connection[Any, Any], Connection[Any, Any]] | None = None
        self._ready: Future[int] | None = None
        self._task = 0

    @property
    def pid(self) -> int | None:
        """The process, once it has started and loaded what tasks need."""
        begun = self._ready
        if begun is None or not begun.done() or begun.exception() is not None:
            return None
        return begun.result()

    def warm(self) -> None:
        """Start the process unless it runs; do not wait for it."""
        if self._pool is None:
            # Our process holds both ends: one that is replaced by the pool itself finds its end open.
            self._ends = Pipe()
            about = self._ends[1], self._loaded, thread_counts()
            self._pool = ProcessPoolExecutor(1, initializer=start, initargs=about)
            self._ready = self._pool.submit(ready)

    def end(self, *, wait: bool = False) -> None:
        """End the process, whatever it does."""
        if self._pool is not None:
            self._pool.shutdown(wait=wait, kill_workers=True)
        for connection in self._ends or ():
            connection.close()
        self._pool = self._ends = self._ready = None

    def do(self, order: Order) -> Parcel | Failure:
        """Let the process do a task and return what `perform` returns; a lost process is replaced."""
        self._task += 1
        listening = _Listening(order.report)
        try:
            self.warm()
            pipe, future = self._send(order)
            self._attend(pipe, future, order, listening)
            return future.result()
        except (BrokenProcessPool, ShutdownExecutorError) as broken:
            status = _exit_status(listening.process)
            self._replace()
            if listening.process is None:
                raise NotBegunError from broken
            raise WorkerLostError(_sentence(status)) from broken

    def _send(self, order: Order) -> "tuple[Connection[Any, Any], Future[Parcel | Failure]]":
        assert self._pool is not None and self._ends is not None  # noqa: S101, PT018 - it was started just now
        pipe = self._ends[0]
        future = self._pool.submit(perform, self._task, order.parcel, order.places, order.max_bytes)
        pipe.send(("begin", self._task))
        return pipe, future

    def _attend(
        self, pipe: "Connection[Any, Any]", future: "Future[Any]", order: Order, listening: "_Listening"
    ) -> None:
        """Listen until the task ends, and end it where somebody says so."""
        try:
            while not listening.over:
                order.ask()
                done = future.done()  # asked first: what is over has said all that it says
                if pipe.poll(0.0 if done else ASK_SECONDS):
                    listening.hear(*pipe.recv())
                elif done:
                    return
                else:
                    listening.expect_life(order.silent_seconds)
        except BaseException:
            self._stop(pipe, future)
            raise

    def _stop(self, pipe: "Connection[Any, Any]", future: "Future[Any]") -> None:
        """Ask the process to end its task; if it does not, end the process."""
        pipe.send(("stop", self._task))
        last = monotonic() + GRACE
        while not future.done() and monotonic() < last:
            if pipe.poll(ASK_SECONDS):
                pipe.recv()
        if not future.done() or future.exception() is not None:
            self._replace()
            return
        while pipe.poll():
            pipe.recv()

    def _replace(self) -> None:
        self.end()
        if not self._closed.is_set():
            self.warm()


class _Listening:
    """What has been heard of a task so far; all of it is told to the report."""

    def __init__(self, report: Progress) -> None:
        self._report = report
        self._text, self._share = "", 0.0
        self.process: BaseProcess | None = None
        """Which has begun the task."""
        self.over = False
        self._heard = monotonic()

    def expect_life(self, seconds: float) -> None:
        """Raise if nothing was heard for so long."""
        if monotonic() - self._heard > seconds:
            raise ValueError(SILENT.format(minutes=seconds / 60))

    def hear(self, word: str, *about: Any) -> None:  # noqa: ANN401 - a word decides what comes with it
        """Hear one message."""
        self._heard = monotonic()
        if word == "begun":
            self.process = next((one for one in active_children() if one.pid == about[0]), None)
        elif word == "end":
            self.over = True
        elif word == "add":
            item = unpack(about[0])
            if isinstance(self._report, Report):
                self._report.add(item)
        else:
            self._tell(*about)

    def _tell(self, share: float, text: str) -> None:
        if text != self._text:
            self._text = text
            self._report.note(text)
        if share > self._share:
            self._share = share
            self._report.at(share)


def _exit_status(process: BaseProcess | None) -> int | None:
    """Return a lost process's exit status, below 0 for a signal; None if the system does not say."""
    last = monotonic() + EXIT_SECONDS
    # The pool waits for it as well: whichever of us hears it, the process then knows.
    while process is not None and process.exitcode is None and monotonic() < last:
        sleep(ASK_SECONDS)
    return None if process is None else process.exitcode


def _sentence(status: int | None) -> str:
    """Say how a process ended."""
    if status is None:
        return CRASHED.format(how="its process ended")
    if status >= 0:
        return CRASHED.format(how=f"its process ended with status {status}")
    name = signal.Signals(-status).name
    return KILLED if name == "SIGKILL" else CRASHED.format(how=name)
