"""Room in the store: when it is full, whoever holds most gives: recent runs, then old ones, none pinned."""

import sqlite3
import time
from collections import defaultdict, deque

from ecocviz.data.upload_presence import Presence
from ecocviz.lab.store_file import StoreError, read_size

MAX_BYTES = 200_000_000
"""Of the store."""
MAX_OWNED = 20_000_000
"""Of one visitor, where visitors do not know each other."""
FREED = 0.1
"""Part of the room that is made free at once, so that it is not made for every point."""
OWNED_SECONDS = 86_400.0
"""How long runs of a visitor are kept after they were last used: nobody else can find them."""
PER_RUN, PER_POINT = 400, 60
"""Bytes that a run and a point take beside what they hold, about."""
MOST_RECENT = 500
"""Runs that nobody asked for, of one owner."""
_CLOCK = Presence()


def make_room(db: sqlite3.Connection, run: int, owner: str | None = None) -> None:
    """Delete what must go so that a run has room; raise StoreError if all that could go is pinned.

    Parameters
    ----------
    db
        Within a transaction.
    run
        The one that is being written; it stays.
    owner
        Of whom the recent runs and the share are looked at, None for nobody's.
    """
    if owner is not None:
        db.execute(
            "DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE owner = ? AND recent AND id <> ?"
            " ORDER BY touched DESC LIMIT -1 OFFSET ?)",
            (owner, run, MOST_RECENT - 1),
        )
    if owner:
        now = time.time()
        if _CLOCK.clock_jumped():  # nobody knows how long ago they were used
            db.execute("UPDATE runs SET touched = ? WHERE owner <> ''", (now,))
        db.execute("DELETE FROM runs WHERE owner <> '' AND touched < ?", (now - OWNED_SECONDS,))
        _keep_to_share(db, run, owner)
    if read_size(db) <= MAX_BYTES:
        return
    goal = (1 - FREED) * MAX_BYTES
    to_give, held = defaultdict[str, deque[tuple[int, int]]](deque), defaultdict[str, int](int)
    for number, holder, n_bytes, pinned in db.execute(
        f"SELECT id, owner, {_BYTES}, pinned FROM runs ORDER BY {_FIRST}"  # noqa: S608 - of our own words
    ):
        held[holder] += n_bytes
        if number != run and not pinned:
            to_give[holder].append((number, n_bytes))
    while any(to_give.values()) and read_size(db) > goal:
        most = max((holder for holder in to_give if to_give[holder]), key=lambda holder: held[holder])
        number, n_bytes = to_give[most].popleft()
        held[most] -= n_bytes
        db.execute("DELETE FROM runs WHERE id = ?", (number,))
    if read_size(db) > MAX_BYTES:
        raise StoreError(
            f"The store of runs is full ({MAX_BYTES // 1_000_000} MB), and all that is in it is pinned: "
            "unpin or delete some runs."
        )


_BYTES = f"n_bytes + {PER_RUN} + {PER_POINT} * n_done"
_FIRST = "NOT recent, touched"


def _keep_to_share(db: sqlite3.Connection, run: int, owner: str) -> None:
    total = db.execute(f"SELECT SUM({_BYTES}) FROM runs WHERE owner = ?", (owner,)).fetchone()[0] or 0  # noqa: S608 - as above
    if total <= MAX_OWNED:
        return
    own = db.execute(
        f"SELECT id, {_BYTES} FROM runs WHERE owner = ? AND id <> ? AND NOT pinned ORDER BY {_FIRST}",  # noqa: S608 - as above
        (owner, run),
    ).fetchall()
    for number, n_bytes in own:
        db.execute("DELETE FROM runs WHERE id = ?", (number,))
        total -= n_bytes
        if total <= (1 - FREED) * MAX_OWNED:
            return
    if total > MAX_OWNED:
        raise StoreError(
            f"Your runs take all the room that one visitor has ({MAX_OWNED // 1_000_000} MB): "
            "unpin or delete some."
        )
