"""A thread that writes what others hand it, so that they need not wait for the disk."""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")

MOST_WAITING = 10_000
"""Items that wait at most: beyond them the oldest are forgotten."""


IDLE_SECONDS = 30.0
"""How long the thread waits for more before it ends: it need not be started for each item."""


class Writer(Generic[Item]):
    """Hands items to a function, all that wait at once, in a thread of its own.

    Parameters
    ----------
    write
        Takes the items; must not raise.
    """

    def __init__(self, write: Callable[[Sequence[Item]], object]) -> None:
        self._write = write
        self._waiting: deque[Item] = deque(maxlen=MOST_WAITING)
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._writing = False

    def put(self, item: Item) -> None:
        """Hand over an item; returns at once."""
        with self._changed:
            self._waiting.append(item)
            self._changed.notify_all()
            if self._thread is None:
                # It may be waiting when the process ends, which does not wait for it: see `flush`.
                self._thread = threading.Thread(target=self._work, name="ecocviz-store", daemon=True)
                self._thread.start()

    def flush(self) -> None:
        """Return when all items so far are written."""
        with self._changed:
            self._changed.wait_for(lambda: not (self._waiting or self._writing))

    def _work(self) -> None:
        while True:
            with self._changed:
                self._writing = False
                self._changed.notify_all()
                if not self._changed.wait_for(lambda: self._waiting, IDLE_SECONDS):
                    self._thread = None
                    return
                items = list(self._waiting)
                self._waiting.clear()
                self._writing = True
            self._write(items)
