"""The data of a run on their way to other processes: packed once, opened once in each process."""

import hashlib
import pickle
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from loky.backend.reduction import dumps

from ecocviz.engine.progress import Progress
from ecocviz.engine.tasks._inside import Asking, Call, Lost

MOST_OPENED = 2
"""Data that a process keeps opened: those of the run, and of one before or beside it."""
NO_DATA = "The data did not reach the process that was to compute this."


@dataclass(frozen=True, slots=True)
class Packed:
    """Work and its data, packed; the same content has the same digest."""

    digest: str
    content: bytes
    work: Callable[[Any, Any], Any]
    settings: dict[str, Any]


def pack(call: Call[Any, Any, Any]) -> Packed:
    """Pack what a call needs; functions of a notebook may be among the data."""
    content = bytes(dumps(call.shared, protocol=5))
    digest = hashlib.blake2b(content, digest_size=16).hexdigest()
    return Packed(digest, content, call.work, call.settings)


_OPENED: OrderedDict[str, Any] = OrderedDict()
_OPENING = threading.Lock()


def opened(digest: str, content: Callable[[], bytes]) -> Any:  # noqa: ANN401 - the data are the caller's
    """Return the data of a digest, unpacked now unless this process has them."""
    with _OPENING:
        if digest not in _OPENED:
            _OPENED[digest] = pickle.loads(content())  # noqa: S301 - from the process that this one works for
        _OPENED.move_to_end(digest)
        while len(_OPENED) > MOST_OPENED:
            _OPENED.popitem(last=False)
        return _OPENED[digest]


@dataclass(frozen=True, slots=True)
class Errand:
    """What goes along with every task to a process of this computer: where the data lie.

    The file is also the sign that somebody waits: it is taken away when nobody does.
    """

    work: Callable[[Any, Any], Any]
    settings: dict[str, Any]
    digest: str
    file: Path

    def do(self, task: Any) -> Any:  # noqa: ANN401 - the caller's
        """Do one task; return `Lost` where the file cannot be seen: this is another computer."""
        try:
            shared = opened(self.digest, self.file.read_bytes)
        except FileNotFoundError:
            return Lost(NO_DATA)
        return Call(self.work, shared, self.settings).do(task, Asking(lambda: not self.file.exists()))


@dataclass(frozen=True, slots=True)
class Laden:
    """As `Errand`, with the data: for processes that have no files with us."""

    packed: Packed

    def do(self, task: Any, progress: Progress) -> Any:  # noqa: ANN401 - the caller's
        """Do one task."""
        shared = opened(self.packed.digest, lambda: self.packed.content)
        return Call(self.packed.work, shared, self.packed.settings).do(task, progress)


class Crate:
    """The data as a cluster keeps them: packed on the way, opened once where they arrive.

    Pickled by our own hand, so that arrays arrive writeable: compiled loops are not made anew for them.
    """

    def __init__(self, digest: str, shared: Any, content: bytes | None = None) -> None:  # noqa: ANN401 - the caller's
        self.digest, self.shared = digest, shared
        self._content = content

    def __reduce__(self) -> tuple[Callable[..., "Crate"], tuple[str, bytes]]:
        return _arrived, (self.digest, self._content or bytes(dumps(self.shared, protocol=5)))


def _arrived(digest: str, content: bytes) -> Crate:
    return Crate(digest, opened(digest, partial(bytes, content)))
