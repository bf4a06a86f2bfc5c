"""A thread that writes what others hand it, so that they need not wait for the disk."""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")

MOST_WAITING = 10_000
"""Items that wait at most: beyond them the oldest are forgotten."""


class Writer(Generic[Item]):
    """Hands items to a function, all that wait at once, in a thread that ends when there are none.

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

    def put(self, item: Item) -> None:
        """Hand over an item; returns at once."""
        with self._changed:
            self._waiting.append(item)
            if self._thread is None:
                # No daemon: the process waits for the last items when it ends.
                self._thread = threading.Thread(target=self._work, name="ecocviz-store")
                self._thread.start()

    def flush(self) -> None:
        """Return when all items so far are written."""
        with self._changed:
            self._changed.wait_for(lambda: self._thread is None)

    def _work(self) -> None:
        while True:
            with self._changed:
                if not self._waiting:
                    self._thread = None
                    self._changed.notify_all()
                    return
                items = list(self._waiting)
                self._waiting.clear()
            self._write(items)
