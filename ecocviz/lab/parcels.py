"""Values on their way between the server and its worker processes: arrays go through shared memory.

A value is pickled with its arrays left out; they are written, one after the other, to a file in memory
that the receiver maps. The map is the receiver's own (copy on write), so that arrays can be written to
as before, and what the other process does is not seen. The file has no name any more as soon as it is
mapped: it vanishes with the last array, however the processes end.
"""

import mmap
import os
import pickle
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

if sys.platform != "win32":
    import fcntl

INLINE_BYTES = 64_000
"""What is smaller goes along with the message."""
MAPPED_BYTES = 4_000_000
"""What is smaller is read instead of mapped: a map costs an open file for as long as it is used."""
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - the files are made in a folder of our own, with a random name
_ALIGNMENT = 64
_SPARE = 16_000_000
"""Room that is left to others in shared memory: what fills it up to the end cannot be told from a fault."""
_PREFIX = "ecocviz-parcels-"
_NEW_SECONDS = 60.0
"""A folder without a lock that is younger is just being made."""

Part = bytes | memoryview


class ParcelError(TypeError):
    """A value that cannot be sent to another process."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """A value, packed.

    Attributes
    ----------
    parts
        The pickle and the arrays' bytes; empty if they are in a file.
    file
        Where they are; "" if they are here.
    sizes
        Bytes of each part of the file, the pickle first.
    """

    parts: tuple[bytes, ...] = ()
    file: str = ""
    sizes: tuple[int, ...] = ()

    @property
    def n_bytes(self) -> int:
        """Size of what travels."""
        return sum(self.sizes) if self.file else sum(map(len, self.parts))


def pack(value: object, places: Sequence[Path] = (), inline: int | None = None) -> Parcel:
    """Pack a value; raise ParcelError if something in it cannot be pickled.

    Parameters
    ----------
    value
        Anything that can be pickled. Functions and classes go by name.
    places
        Folders for a file, the first with enough room; without any the value goes along.
    inline
        What is smaller goes along; INLINE_BYTES if not given.
    """
    buffers: list[pickle.PickleBuffer] = []
    try:
        body = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as reason:
        kind = type(value).__name__
        raise ParcelError(f"A {kind} cannot be sent to another process: {reason}") from reason
    parts: list[Part] = [body, *(buffer.raw() for buffer in buffers)]
    sizes = tuple(memoryview(part).nbytes for part in parts)
    if not places or sum(sizes) < (INLINE_BYTES if inline is None else inline):
        return Parcel(parts=tuple(bytes(part) for part in parts))
    return Parcel(file=str(_write(parts, sizes, places)), sizes=sizes)


def unpack(parcel: Parcel) -> Any:  # noqa: ANN401 - what was packed
    """Return the value; the file's name is taken away, so this works once."""
    if not parcel.file:
        body, *arrays = parcel.parts
        return pickle.loads(body, buffers=[bytearray(part) for part in arrays])  # noqa: S301 - from our own process
    with open(parcel.file, "rb") as file:  # noqa: PTH123 - a file in memory
        with suppress(PermissionError):  # Windows keeps the name of what is open; `clear` takes it away
            os.unlink(parcel.file)  # noqa: PTH108 - as above
        whole: mmap.mmap | bytearray
        if parcel.n_bytes < MAPPED_BYTES:
            whole = bytearray(os.fstat(file.fileno()).st_size)
            file.readinto(whole)
        else:
            whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    view = memoryview(whole)
    found = [
        view[first : first + size] for first, size in zip(_starts(parcel.sizes), parcel.sizes, strict=True)
    ]
    return pickle.loads(found[0], buffers=found[1:])  # noqa: S301 - from our own process


def _starts(sizes: Sequence[int]) -> Iterator[int]:
    """Go through where each part begins: arrays lie as they would in memory of their own."""
    first = 0
    for size in sizes:
        yield first
        first += -(-size // _ALIGNMENT) * _ALIGNMENT


def _write(parts: Sequence[Part], sizes: Sequence[int], places: Sequence[Path]) -> Path:
    """Write the parts to a new file in the first place that has room for them."""
    needed = sum(sizes) + _ALIGNMENT * len(sizes) + _SPARE
    for place in places[:-1]:
        with suppress(OSError):  # others fill it at the same time
            if shutil.disk_usage(place.parent).free > needed:
                return _write_in(place, parts, sizes)
    return _write_in(places[-1], parts, sizes)


def _write_in(place: Path, parts: Sequence[Part], sizes: Sequence[int]) -> Path:
    place.mkdir(mode=0o700, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=place)
    with open(handle, "wb") as file:  # noqa: PTH123 - opened already
        for first, part in zip(_starts(sizes), parts, strict=True):
            file.write(bytes(first - file.tell()))
            file.write(part)
    return Path(name)


class Depot:
    """Folders of one server for the files of its tasks: in shared memory, and on disk where that is small.

    They are locked as long as the server lives; the next one removes what those left behind that were killed.
    """

    def __init__(self, roots: Sequence[Path] | None = None) -> None:
        chosen = [SHARED_MEMORY, Path(tempfile.gettempdir())] if roots is None else roots
        usable = [root for root in chosen if root.is_dir() and os.access(root, os.W_OK)]
        for root in usable:
            _sweep(root)
        prefix = f"{_PREFIX}{os.getpid()}-"
        self._folders = [Path(tempfile.mkdtemp(prefix=prefix, dir=root)) for root in usable]
        self._locks = [_lock(folder) for folder in self._folders]
        self._numbers = count()

    def places(self) -> tuple[Path, ...]:
        """Return the places for the files of one task; they are made when they are needed."""
        number = next(self._numbers)
        return tuple(folder / str(number) for folder in self._folders)

    def close(self) -> None:
        """Remove everything."""
        for folder in self._folders:
            shutil.rmtree(folder, ignore_errors=True)
        for lock in self._locks:
            with suppress(OSError):
                os.close(lock)
        self._folders, self._locks = [], []


def clear(places: Sequence[Path]) -> None:
    """Remove what a task has left in its places."""
    for place in places:
        shutil.rmtree(place, ignore_errors=True)


def _lock(folder: Path) -> int:
    """Hold the lock of a folder as long as this process lives; raise OSError if somebody does."""
    handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    if sys.platform != "win32":
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            raise
    return handle


def _sweep(root: Path) -> None:
    """Remove the folders of our servers that do not live any more: nobody holds their lock."""
    for folder in root.glob(f"{_PREFIX}*"):
        with suppress(OSError):  # somebody else's, locked, or gone meanwhile
            about = folder.lstat()
            age = time.time() - about.st_mtime
            if sys.platform == "win32" or about.st_uid != os.getuid() or not stat.S_ISDIR(about.st_mode):
                continue
            if (folder / "lock").exists():
                os.close(_lock(folder))
            elif age < _NEW_SECONDS:
                continue
            shutil.rmtree(folder, ignore_errors=True)
