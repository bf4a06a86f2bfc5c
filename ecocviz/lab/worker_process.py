"""What runs inside a worker process: one task at a time, and a line to the server beside it.

The task's own thread only notes how far it is. Another one tells the server, a few times a second, and
hears when the task should stop, or that the server is gone: then the process ends at once.
"""

import os
import signal
import threading
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_info, threadpool_limits

from ecocviz.data.policy import current_policy
from ecocviz.engine.memory import limited
from ecocviz.lab.parcels import Parcel, pack, unpack
from ecocviz.lab.quiet import watch_errors
from ecocviz.lab.report import Report

NICENESS = 15
"""Pages come first: at 10 they still waited for turns of a worker. In the idle class workers get next to
nothing while other programs want the processors."""
TELL_SECONDS = 0.05
"""How often the server is told at most how far a task is."""
MESSAGE_BYTES = 8_000
"""So much goes over the line at once: a process that is killed leaves a whole message there, or none."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a task does: a function of the top level of a module, its arguments, and whether it reports."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    keywords: dict[str, Any]
    reported: bool


@dataclass(frozen=True, slots=True)
class Failure:
    """How a task failed: its exception, packed, or, if that cannot be, its kind and text; and where."""

    packed: Parcel | None
    kind: str
    text: str
    trace: str

    def exception(self) -> BaseException:
        """Return the exception, with a note that says where in the worker it was raised."""
        error: BaseException
        if self.packed is None:
            error = type(self.kind, (RuntimeError,), {})(self.text)
        else:
            error = unpack(self.packed)
        error.add_note(f"In a worker process:\n{self.trace}")
        return error


def failure(error: BaseException) -> Failure:
    """Describe an exception so that it can be sent."""
    packed: Parcel | None
    try:
        packed = pack(error)
        unpack(packed)
    except Exception:  # noqa: BLE001 - its class may do anything when it is put together again
        packed = None
    trace = "".join(traceback.format_exception(error))
    return Failure(packed, type(error).__name__, str(error), trace)


class Line:
    """The line to the server.

    The server says ("begin", task) and ("stop", task). It is told ("begun", pid), ("at", share, note),
    ("add", parcel) and, last, ("end",).
    """

    def __init__(self, pipe: "Connection[Any, Any]") -> None:
        self._pipe = pipe
        self._sending = threading.Lock()
        self._heard = threading.Lock()
        self._begun = self._stopped = -1
        self._report: _Sending | None = None
        threading.Thread(target=self._listen, name="ecocviz-line", daemon=True).start()

    def begin(self, task: int, report: "_Sending") -> None:
        """Begin a task: from now on the server hears of it."""
        with self._heard:
            self._report = report
            if self._stopped == task:
                report.stopped.set()
        self.send("begun", os.getpid())

    def end(self) -> None:
        """End the task: nothing is told of it any more."""
        with self._heard:
            self._tell()
            self._report, self._begun = None, -1
        self.send("end")

    def send(self, *message: object) -> None:
        """Tell the server."""
        with self._sending:
            self._pipe.send(message)

    def _listen(self) -> None:
        try:
            while True:
                if self._pipe.poll(None if self._begun < 0 else TELL_SECONDS):
                    self._hear(*self._pipe.recv())
                with self._heard:
                    self._tell()
        except (EOFError, OSError):
            os._exit(0)  # the server is gone, and nobody waits for what this process does

    def _hear(self, word: str, task: int) -> None:
        with self._heard:
            if word == "begin":
                self._begun = task
            else:
                self._stopped = task
                if self._report is not None and self._begun == task:
                    self._report.stopped.set()

    def _tell(self) -> None:
        """Tell where the task is if it has given a sign of life since it was told last."""
        report = self._report
        if report is not None and report.signs != report.told:
            report.told = report.signs
            self.send("at", report.share, report.text)


class _Sending(Report):
    """The report of a task in a worker: what it says comes to the report that the server was given."""

    def __init__(self, line: Line, places: Sequence[Path]) -> None:
        super().__init__()
        self._line, self._places = line, places
        self.signs = self.told = 0

    def at(self, share: float) -> None:
        """Say which share of the task is done."""
        super().at(share)
        self.signs += 1

    def note(self, text: str) -> None:
        """Say what comes now."""
        super().note(text)
        self.signs += 1

    def add(self, item: object) -> None:
        """Send a partial result at once."""
        self.check()
        self._line.send("add", pack(item, self._places, MESSAGE_BYTES))

    def check(self) -> None:
        """Raise if the server says that the task should stop."""
        self.signs += 1
        super().check()


_LINE: list[Line] = []


def start(pipe: "Connection[Any, Any]", loaded: Sequence[str], threads: dict[str, int]) -> None:
    """Make this process a worker: it steps back behind the pages, and loads what tasks need.

    Parameters
    ----------
    pipe
        To the server.
    loaded
        Modules to import now, so that the first task does not wait for them.
    threads
        How many threads each of the server's numeric libraries uses: the last digits of sums depend on them.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in the terminal is for the server, which ends us
    watch_errors(quiet=current_policy().shared)
    step_back()
    for module in loaded:
        import_module(module)
    threadpool_limits(threads)
    _LINE.append(Line(pipe))


def step_back() -> None:
    """Let pages come first; a worker that a niced thread of the server starts is as nice as the others."""
    if hasattr(os, "getpriority"):
        server = os.getpriority(os.PRIO_PROCESS, os.getppid())
        os.nice(max(server + NICENESS - os.nice(0), 0))


def thread_counts() -> dict[str, int]:
    """Return how many threads each kind of numeric library uses here."""
    return {about["user_api"]: int(about["num_threads"]) for about in threadpool_info()}


def ready() -> int:
    """Say that the process has started: which one it is."""
    return os.getpid()


def perform(task: int, parcel: Parcel, places: Sequence[Path], max_bytes: int | None) -> Parcel | Failure:
    """Do one task, a packed `Work`; return its value, packed, or how it failed."""
    line = _LINE[0]
    report = _Sending(line, places)
    line.begin(task, report)
    try:
        work: Work = unpack(parcel)
        given = (*work.args, report) if work.reported else work.args
        with limited(max_bytes):
            value = work.function(*given, **work.keywords)
        return pack(value, places)
    except BaseException as error:  # noqa: BLE001 - whatever ends the task, the process is there for the next one
        return failure(error)
    finally:
        line.end()
