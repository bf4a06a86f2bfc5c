"""What a shared server writes about its errors: kind and place, nothing that may be of a visitor.

The text of an exception quotes names, cells and links, and so do the values in the messages of libraries.
Every record of every logger passes `logging`'s one factory: there the text is left out.
"""

import logging
import sys
import threading
import time
import traceback
import warnings
from collections import deque
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, TextIO

MOST_FRAMES, MOST_CAUSES, FRAMES_LOOKED = 12, 4, 12
ERRORS: deque[dict[str, Any]] = deque(maxlen=200)
"""Kind, place and time (seconds since 1970) of the latest errors of this process."""
USUAL = "usual_of_ecocviz"
"""Where our factory of records keeps the one that it asks."""
_PACKAGES = Path(__file__).resolve().parent.parent.parent


class Counted:
    """How many errors this process has had."""

    total = 0


def watch_errors(*, quiet: bool) -> None:
    """Count the errors of this process from now on; `quiet` leaves out what may be of a visitor."""
    known = logging.getLogRecordFactory()
    usual = getattr(known, USUAL, known)  # called again, it takes the place of the former

    def make(name: str, level: int, path: str, line: int, message: Any, *rest: Any, **more: Any) -> Any:  # noqa: ANN401 - as logging hands them over
        record = usual(name, level, path, line, message, *rest, **more)
        if level >= logging.ERROR:
            _count(record)
        return hushed(record) if quiet else record

    setattr(make, USUAL, usual)
    logging.setLogRecordFactory(make)
    if quiet:
        _hush_hooks()


def _count(record: logging.LogRecord) -> None:
    Counted.total += 1
    error = record.exc_info[1] if record.exc_info else None
    kind = record.levelname.lower() if error is None else type(error).__name__
    place = f"{_short(record.pathname)}:{record.lineno}" if error is None else last_place(error)
    ERRORS.append({"at": round(time.time(), 1), "kind": kind, "place": place})


# Records -------------------------------------------------------------------------------------------


def hushed(record: logging.LogRecord) -> logging.LogRecord:
    """Leave out of a record all that stands in no program: values but for numbers, the texts of errors."""
    text = _constant(record)
    error = record.exc_info[1] if record.exc_info else None
    lines = [text or f"(a message of {_short(record.pathname)}:{record.lineno})"]
    if error is not None:
        lines.append(places(error))
    record.msg, record.args = "\n".join(lines), ()
    record.exc_info = record.exc_text = record.stack_info = None
    for name in ("color_message", "scope", "websocket"):  # what servers attach
        record.__dict__.pop(name, None)
    return record


def _constant(record: logging.LogRecord) -> str | None:
    """Return a message that stands in the program as it is, its values but for numbers left out."""
    if not isinstance(record.msg, str) or not _written(record):
        return None
    values = record.args if isinstance(record.args, tuple) else ()
    shown = tuple(value if isinstance(value, int | float) else "…" for value in values)
    try:
        return record.msg % shown if shown else record.msg
    except (TypeError, ValueError):  # a number was to be written and none is there
        return record.msg


def _written(record: logging.LogRecord) -> bool:
    """Say whether the message is a constant of the function that logs it."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the only way to whoever called
    for _ in range(FRAMES_LOOKED):
        if frame is None:
            return False
        if frame.f_code.co_filename == record.pathname and frame.f_lineno == record.lineno:
            return any(record.msg == text for text in frame.f_code.co_consts if isinstance(text, str))
        frame = frame.f_back
    return False


# Errors --------------------------------------------------------------------------------------------


def places(error: BaseException) -> str:
    """Say of which kind an error is, and where it and its causes were raised; not what it says."""
    told: list[str] = []
    seen: BaseException | None = error
    while seen is not None and len(told) < MOST_CAUSES:
        frames = traceback.extract_tb(seen.__traceback__)[-MOST_FRAMES:]
        lines = [f"  {_short(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
        told.append("\n".join([type(seen).__name__, *lines]))
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)
    return "\nafter ".join(told)


def last_place(error: BaseException) -> str:
    """Say where an error was raised: the last line of ours, else of whoever."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "ecocviz" in _short(frame.filename)] or frames
    return f"{_short(own[-1].filename)}:{own[-1].lineno}" if own else ""


def _short(path: str) -> str:
    """Leave out where packages are installed."""
    for mark in ("site-packages/", "lib/python"):
        if mark in path:
            return path.rpartition(mark)[2]
    try:
        return str(Path(path).relative_to(_PACKAGES))
    except ValueError:
        return Path(path).name


def _hush_hooks() -> None:
    """Do the same to errors and warnings that no logger sees."""

    def say(what: str) -> None:
        sys.stderr.write(f"{what}\n")

    def ended(_kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        say(f"This process ends by an error: {places(error)}")

    def thread_ended(about: threading.ExceptHookArgs) -> None:
        if about.exc_value is not None and not isinstance(about.exc_value, SystemExit):
            say(f"A thread ended by an error: {places(about.exc_value)}")

    def unraisable(about: Any) -> None:  # noqa: ANN401 - its type has no name at run time
        say(f"An error that could not be raised: {places(about.exc_value) if about.exc_value else ''}")

    def warn(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        del message, file, line
        say(f"{category.__name__} at {_short(filename)}:{lineno}")

    sys.excepthook, threading.excepthook, sys.unraisablehook = ended, thread_ended, unraisable
    warnings.showwarning = warn
