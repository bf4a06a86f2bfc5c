"""Generated hostile cases: what a kind of them is, how one is made from its number, and how it is judged.

A kind is a module `kind_<name>.py` beside this one, which ends in `KIND`: how to make a case, bytes, from
a generator of random numbers, and what is to be done with it. A case is right where that returns, or
raises ValueError with one sentence, within the bounds; anything else is a failure.
"""

import ctypes
import gc
import importlib
import pkgutil
import re
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

MOST_SECONDS, MOST_MEGABYTES = 2.0, 500.0
LONGEST_SENTENCE = 400
_TIDY_MEGABYTES = 20.0
_OBJECT = re.compile(r"<[\w.]+ object|<class |<function | at 0x[0-9a-f]{6}|Traceback")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of hostile cases.

    Attributes
    ----------
    make
        Makes a case; all that is random comes from its argument.
    take
        Does with a case what the app does. Returns a word for what became of it; may assert besides.
    share
        How many of all cases are of this kind, relative to other kinds.
    """

    name: str
    make: Callable[[Random], bytes]
    take: Callable[[bytes], str]
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Noted:
    """What became of a case. `failure` is empty, or says what was wrong with it.

    `seconds` are of the processor: other programs on the machine do not count.
    """

    outcome: str
    seconds: float
    megabytes: float
    failure: str = ""


def collect(package: str = "tests.hostile") -> Mapping[str, Kind]:
    """Return name -> kind, of all modules of a package that are called `kind_...`."""
    found = {}
    for info in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if info.name.startswith("kind_"):
            kind = importlib.import_module(f"{package}.{info.name}").KIND
            found[kind.name] = kind
    return found


def case_of(kind: Kind, seed: int, number: int) -> bytes:
    """Make a case from its number: always the same bytes."""
    return kind.make(Random(f"{kind.name} {seed} {number}"))  # noqa: S311 - no secret


def no_sentence(text: str) -> str:
    """Say what keeps a text from being one plain sentence; nothing if it is one."""
    if not text.endswith("."):
        return "ends without a full stop"
    if len(text.splitlines()) != 1:
        return "has several lines"
    if len(text) > LONGEST_SENTENCE:
        return f"has {len(text)} characters"
    return "shows an object" if _OBJECT.search(text) else ""


def check_sentence(text: str) -> None:
    """Raise AssertionError if a text is not one plain sentence."""
    why = no_sentence(text)
    assert not why, f"{why}: {text[:500]!r}"


def note(kind: Kind, content: bytes) -> Noted:
    """Do with a case what the app does, and note what became of it."""
    before = _start_peak()
    start = time.process_time()
    failure = ""
    try:
        outcome = kind.take(content)
    except ValueError as error:
        outcome, why = "sentence", no_sentence(str(error))
        if type(error) is not ValueError or why:
            failure = f"{type(error).__name__} {why}: {str(error)[:500]}"
    except BaseException:  # noqa: BLE001 - whatever it is, it is noted
        outcome, failure = "traceback", traceback.format_exc(limit=-6)
    seconds = time.process_time() - start
    megabytes = max(0.0, _peak() - before)
    if megabytes > _TIDY_MEGABYTES:
        _tidy()
    if not failure and seconds > MOST_SECONDS:
        failure = f"took {seconds:.2f} s"
    if not failure and megabytes > MOST_MEGABYTES:
        failure = f"took {megabytes:.0f} MB"
    return Noted(outcome, seconds, megabytes, failure)


# Memory (Linux) --------------------------------------------------------------------------------------


def _start_peak() -> float:
    """Forget the highest memory so far; return what is taken now, in MB."""
    Path("/proc/self/clear_refs").write_text("5", "ascii")
    return _status("VmRSS")


def _peak() -> float:
    return _status("VmHWM")


def _status(name: str) -> float:
    found = re.search(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    assert found is not None
    return int(found[1]) / 1024


def _tidy() -> None:
    """Give freed memory back, so that the next case does not live on it unseen."""
    import pyarrow as pa  # noqa: PLC0415 - most kinds have no use for it

    gc.collect()
    pa.default_memory_pool().release_unused()
    ctypes.CDLL(None).malloc_trim(0)
