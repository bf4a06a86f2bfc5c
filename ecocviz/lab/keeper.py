"""A store of computed values, bounded in bytes: what is asked for twice is computed once.

Whoever asks for a value that somebody is just computing waits for it; if that computation is cancelled
or fails, one of those who wait begins anew.
"""

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

import numpy as np
import pandas as pd

from ecocviz.engine.progress import NO_PROGRESS, Progress

Value = TypeVar("Value")

LISTEN_SECONDS = 0.1
"""How often whoever waits for another's computation asks whether to go on."""


class Keeper(Generic[Value]):
    """Values by key, the least recently used forgotten first.

    Parameters
    ----------
    max_bytes
        Room for what is kept; the latest is kept even if it alone needs more.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._kept: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._total = 0
        self._pinned: set[Hashable] = set()
        self._begun: set[Hashable] = set()
        self._changed = threading.Condition()

    def find(self, key: Hashable) -> Value | None:
        """Return a value if it is remembered."""
        with self._changed:
            return self._find(key)

    def pin(self, key: Hashable) -> None:
        """Never forget the value of a key, kept already or later; those who pin keep to what is small."""
        with self._changed:
            self._pinned.add(key)

    def get(
        self, key: Hashable, make: Callable[[Progress], Value], progress: Progress = NO_PROGRESS
    ) -> Value:
        """Return a value, computed now unless it is remembered."""
        with self._changed:
            while key in self._begun:
                progress.note("waiting for the same computation")
                self._changed.wait(LISTEN_SECONDS)
            known = self._find(key)
            if known is not None:
                return known
            self._begun.add(key)
        try:
            value = make(progress)
            size = size_of(value)
            with self._changed:
                self._keep(key, value, size)
            return value
        finally:
            with self._changed:
                self._begun.discard(key)
                self._changed.notify_all()

    @property
    def n_bytes(self) -> int:
        """Size of what is kept; counted as values come and go."""
        return self._total

    def forget(self, which: Callable[[Hashable], bool]) -> None:
        """Forget the values whose keys are of a kind."""
        with self._changed:
            for key in [key for key in self._kept if which(key)]:
                self._total -= self._kept.pop(key)[1]

    def clear(self) -> None:
        """Forget everything."""
        with self._changed:
            self._kept.clear()
            self._total = 0

    def _find(self, key: Hashable) -> Value | None:
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def _keep(self, key: Hashable, value: Value, size: int) -> None:
        self._total += size - self._kept.get(key, (None, 0))[1]
        self._kept[key] = (value, size)
        while self._total > self._max_bytes:
            oldest = next((one for one in self._kept if one not in self._pinned and one != key), None)
            if oldest is None:
                break
            self._total -= self._kept.pop(oldest)[1]


def size_of(value: object) -> int:
    """Return about how many bytes a value holds: its arrays, tables and texts, each counted once.

    Examples
    --------
    >>> a = np.zeros(1000)
    >>> 8000 <= size_of({"a": a, "again": a}) < 9000
    True
    """
    seen: set[int] = set()
    waiting, total = [value], 0
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            base = one.base if isinstance(one.base, np.ndarray) else one
            total += 0 if id(base) in seen and base is not one else base.nbytes
            seen.add(id(base))
        elif isinstance(one, pd.DataFrame | pd.Series):
            total += int(np.sum(one.memory_usage(index=True, deep=False)))
        else:
            total += sys.getsizeof(one)
            waiting += _held(one)
    return total


def _held(value: object) -> list[Any]:
    """Return what a value holds that is worth counting."""
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set | frozenset):
        return list(value)
    if isinstance(value, type) or callable(value):
        return []
    slots = [
        getattr(value, name, None) for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())
    ]
    return [*getattr(value, "__dict__", {}).values(), *slots]
