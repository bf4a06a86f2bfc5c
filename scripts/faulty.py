"""Let the n-th file operation of this thread fail, or let the process die at it, as a database tests itself.

with Faults(3, errno.ENOSPC) as faults:
    keep(...)
faults.happened  # "write", or None if there were fewer than three operations
"""

import errno
import io
import os
import threading
from collections.abc import Callable
from typing import Any, Self

CALLS = (
    "open", "mkdir", "rename", "replace", "stat", "lstat", "utime", "unlink", "rmdir", "scandir", "listdir",
    "fsync",
)  # fmt: skip
ERRORS = {name: getattr(errno, name) for name in ("ENOSPC", "EACCES", "EROFS", "EIO", "EINTR")}
DIE = -1
"""In place of an error: the process ends there, as by kill -9."""


class Faults:
    """Between `with` and its end, the n-th operation fails; all later ones too if it is lasting.

    Attributes
    ----------
    count
        Operations so far.
    happened
        The name of the first that failed, None if none did.
    """

    def __init__(self, n: int, error: int, *, lasting: bool = False) -> None:
        self._n, self._error, self._lasting = n, error, lasting
        self._thread = threading.get_ident()
        self._real: dict[str, Any] = {}
        self.count = 0
        self.happened: str | None = None

    def __enter__(self) -> Self:
        self._real = {name: getattr(os, name) for name in CALLS} | {"io.open": io.open}
        for name in CALLS:
            setattr(os, name, self._faulty(name, self._real[name]))
        opened = self._faulty("open", self._real["io.open"])
        io.open = lambda *args, **options: _File(opened(*args, **options), self)  # type: ignore[assignment]  # what it returns is one in all that is used
        return self

    def __exit__(self, *_: object) -> None:
        for name in CALLS:
            setattr(os, name, self._real[name])
        io.open = self._real["io.open"]

    def _faulty(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:  # noqa: ANN401 - as what it stands for
            self.at(name)
            return real(*args, **options)

        return call

    def at(self, name: str) -> None:
        """Count an operation that is about to begin."""
        if threading.get_ident() != self._thread:
            return
        self.count += 1
        if self.count == self._n or (self._lasting and self.count > self._n):
            if self._error == DIE:
                os._exit(9)
            self.happened = self.happened or name
            raise OSError(self._error, os.strerror(self._error))


class _File:
    """An open file whose reads and writes are counted."""

    def __init__(self, real: Any, faults: Faults) -> None:  # noqa: ANN401 - any file
        self._real, self._faults = real, faults

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._real.close()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as the file's
        return getattr(self._real, name)

    def read(self, *args: Any) -> Any:  # noqa: ANN401 - as the file's
        self._faults.at("read")
        return self._real.read(*args)

    def write(self, data: Any) -> Any:  # noqa: ANN401 - as the file's
        self._faults.at("write")
        return self._real.write(data)
