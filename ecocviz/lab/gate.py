"""Who may compute now: small before large, one large job a session, memory admitted before it is taken.

Small work gets one of a few slots in the order in which it was asked for. Large work waits by
when it was asked for plus what it is predicted to take, so that a small one overtakes and a large one still
gets its turn; it also waits until the memory that it is predicted to need is not promised to others.
Small work that is done aside, in a process of its own, has slots of its own.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from time import monotonic
from typing import Protocol

from ecocviz.lab.cost import Cost

N_SMALL, N_LARGE, N_ASIDE = 4, 2, 1
MAX_LARGE_WAITING = 64
UNBOUNDED = 1 << 62
OVERDUE_SECONDS = 2.0
"""Small work that takes longer was predicted badly: it keeps its slot from nobody any more."""
MOST_OVERDUE = 3
"""How many times as many as there are slots may have been predicted badly."""
LATER = 4.0
"""How many times as long as it takes something counts that nobody waits for alone: a sweep, a comparison."""


class Lane(Enum):
    """Which queue."""

    SMALL = "small"
    ASIDE = "aside"
    LARGE = "large"


@dataclass(eq=False, slots=True)
class Ticket:
    """A place in the queue.

    Attributes
    ----------
    due
        Who has the smallest comes first.
    owner
        Who asks; "" is nobody in particular.
    n_bytes
        Memory that is needed; 0 for small work.
    lane
        Which queue.
    called
        Set when it may begin, or when it has been taken out of the queue.
    begun
        When it began.
    """

    due: float
    owner: str
    n_bytes: int
    lane: Lane
    called: threading.Event = field(default_factory=threading.Event)
    begun: float = 0.0


class Asker(Protocol):
    """Who asks to be let in: a job's report."""

    owner: str
    later: bool
    """Whether it counts as longer than it is."""
    expected: float | None
    ticket: Ticket | None
    """Its place in the queue while it waits."""
    slot: Ticket | None
    """The slot of small work that it holds."""

    def check(self) -> None:
        """Raise if the work is not wanted any more."""


class Gate:
    """Admits work.

    Parameters
    ----------
    n_small, n_large, n_aside
        Works of each kind that run at the same time.
    room
        Bytes that may be taken now.
    limit
        Bytes that one work may ever take.
    max_waiting
        Large works that may wait; one more is refused.
    """

    def __init__(
        self,
        n_small: int = N_SMALL,
        n_large: int = N_LARGE,
        *,
        n_aside: int = N_ASIDE,
        room: Callable[[], int] = lambda: UNBOUNDED,
        limit: int = UNBOUNDED,
        max_waiting: int = MAX_LARGE_WAITING,
    ) -> None:
        self._n_slots = {Lane.SMALL: n_small, Lane.ASIDE: n_aside, Lane.LARGE: n_large}
        self._room, self._limit, self._max_waiting = room, limit, max_waiting
        self._waiting: dict[Lane, list[Ticket]] = {lane: [] for lane in Lane}
        self._inside: list[Ticket] = []
        self._lock = threading.Lock()
        self.crowded: list[Callable[[], None]] = []
        """Called when somebody has to wait."""

    @contextmanager
    def small(self, asker: Asker) -> Iterator[None]:
        """Wait for a slot of small work, and give it back in the end."""
        self._begin_small(asker, Ticket(monotonic(), asker.owner, 0, Lane.SMALL))
        try:
            yield
        finally:
            self._end_small(asker)

    @contextmanager
    def large(self, cost: Cost, asker: Asker) -> Iterator[int]:
        """Wait until a slot and memory for large work are free; gives the bytes that it may take.

        The slot of small work is free for others meanwhile.
        """
        if cost.n_bytes > self._limit:
            raise ValueError(
                f"This needs about {_gib(cost.n_bytes)} of memory, but a computation may take "
                f"at most {_gib(self._limit)} here; choose fewer points, fewer machines or a linear machine."
            )
        with self.outside(asker):
            asker.expected = cost.seconds
            due = monotonic() + cost.seconds * (LATER if asker.later else 1.0)
            ticket = Ticket(due, asker.owner, cost.n_bytes, Lane.LARGE)
            self._enter(ticket, asker)
            try:
                yield max(cost.n_bytes, min(self._limit, self._free_bytes() + cost.n_bytes))
            finally:
                self._leave(ticket)

    @contextmanager
    def aside(self, asker: Asker) -> Iterator[None]:
        """Wait for a slot of small work that is done in a process of its own; else as `large`."""
        with self.outside(asker):
            ticket = Ticket(monotonic(), asker.owner, 0, Lane.ASIDE)
            self._enter(ticket, asker)
            try:
                yield
            finally:
                self._leave(ticket)

    @contextmanager
    def outside(self, asker: Asker) -> Iterator[None]:
        """Leave the slot of small work to others while the asker waits for what is done elsewhere."""
        small = asker.slot
        self._end_small(asker)
        try:
            yield
        finally:
            if small is not None:
                self._begin_small(asker, Ticket(small.due, asker.owner, 0, Lane.SMALL))

    def ahead(self, ticket: Ticket) -> int:
        """Return how many works of its kind come before one that waits, those inside included."""
        with self._lock:
            waiting = self._waiting[ticket.lane]
            if ticket not in waiting:
                return 0
            before = sum(other.due < ticket.due for other in waiting)
            return before + sum(other.lane is ticket.lane for other in self._inside)

    def withdraw(self, ticket: Ticket) -> None:
        """Take a ticket out of the queue: who waits with it is woken."""
        with self._lock:
            if ticket in self._waiting[ticket.lane]:
                self._waiting[ticket.lane].remove(ticket)
                ticket.called.set()
            self._call()

    def _begin_small(self, asker: Asker, ticket: Ticket) -> None:
        self._enter(ticket, asker)
        asker.slot = ticket

    def _end_small(self, asker: Asker) -> None:
        if asker.slot is not None:
            self._leave(asker.slot)
            asker.slot = None

    def _enter(self, ticket: Ticket, asker: Asker) -> None:
        with self._lock:
            if ticket.lane is Lane.LARGE and len(self._waiting[Lane.LARGE]) >= self._max_waiting:
                raise ValueError(
                    f"{self._max_waiting} long computations are already waiting; try again in a while."
                )
            self._waiting[ticket.lane].append(ticket)
            asker.ticket = ticket
            self._call()
        try:
            if not ticket.called.is_set():
                for tell in self.crowded:
                    tell()
            asker.check()  # it may have been cancelled before it had a ticket that could be withdrawn
            while not ticket.called.wait(OVERDUE_SECONDS / 2 if ticket.lane is Lane.SMALL else None):
                with self._lock:  # somebody may be overdue by now
                    self._call()
            asker.check()
        except BaseException:
            self._leave(ticket)
            raise
        finally:
            asker.ticket = None

    def _leave(self, ticket: Ticket) -> None:
        with self._lock:
            if ticket in self._inside:
                self._inside.remove(ticket)
            elif ticket in self._waiting[ticket.lane]:
                self._waiting[ticket.lane].remove(ticket)
            self._call()

    def _call(self) -> None:
        """Let in whoever may begin now."""
        for lane in Lane:
            large = lane is Lane.LARGE
            for ticket in sorted(self._waiting[lane], key=lambda one: one.due):
                if not self._free(lane):
                    break
                if large and self._owner_inside(ticket.owner):
                    continue
                if large and not self._fits(ticket):
                    break  # smaller ones that came later would keep it waiting for ever
                self._waiting[lane].remove(ticket)
                self._inside.append(ticket)
                ticket.begun = monotonic()
                ticket.called.set()

    def _free(self, lane: Lane) -> bool:
        """Say whether there is a slot; small work that is overdue needs none, up to a bound."""
        inside = [ticket for ticket in self._inside if ticket.lane is lane]
        small = lane is Lane.SMALL
        in_time = [ticket for ticket in inside if not small or monotonic() - ticket.begun < OVERDUE_SECONDS]
        most = self._n_slots[lane] * (1 + MOST_OVERDUE if small else 1)
        return len(in_time) < self._n_slots[lane] and len(inside) < most

    def _owner_inside(self, owner: str) -> bool:
        return bool(owner) and any(one.lane is Lane.LARGE and one.owner == owner for one in self._inside)

    def _fits(self, ticket: Ticket) -> bool:
        """Say whether memory is free; what is alone is let in, its own check refuses it where it must."""
        alone = not any(other.lane is Lane.LARGE for other in self._inside)
        return alone or ticket.n_bytes <= self._free_bytes()

    def _free_bytes(self) -> int:
        return self._room() - sum(other.n_bytes for other in self._inside)


def _gib(n_bytes: int) -> str:
    return f"{n_bytes / 2**30:.1f} GiB"
