"""Many kept runs looked at in one go: how many there are, what they measured, every error that is known."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ecocviz.lab import store_rows as rows
from ecocviz.lab.store import Store
from ecocviz.lab.store_about import read_object

AT_ONCE = 500
"""Numbers of runs in one question: SQLite takes a thousand and more."""
TEST = "test"


@dataclass(frozen=True, slots=True)
class Totals:
    """What there is in all.

    Attributes
    ----------
    n_runs, n_recent
        Runs, and those among them that nobody asked for.
    sets
        Keys of their data sets.
    stamp
        Another one whenever a point was added or a run deleted.
    """

    n_runs: int
    n_recent: int
    sets: frozenset[str]
    stamp: tuple[int, int, float]


def totals(store: Store, owner: str | None) -> Totals:
    """Count the runs of an owner, None for everybody's."""

    def look(db: sqlite3.Connection) -> Totals:
        whose = "owner = COALESCE(?, owner)"
        n_runs, n_recent, n_points, touched = db.execute(
            f"SELECT COUNT(*), TOTAL(recent), TOTAL(n_done), TOTAL(touched) FROM runs WHERE {whose}",  # noqa: S608 - of our own words
            (owner,),
        ).fetchone()
        found = db.execute(f"SELECT DISTINCT data FROM runs WHERE {whose}", (owner,))  # noqa: S608 - as above
        sets = frozenset(name for (data,) in found for name in data.split("|") if name)
        return Totals(n_runs, int(n_recent), sets, (n_runs, int(n_points), touched))

    return store.look(look)


def some_runs(store: Store, numbers: Sequence[int], owner: str | None) -> dict[int, rows.Run]:
    """Return those of some runs that are there, by their numbers."""
    found: dict[int, rows.Run] = {}
    for part in _parts(numbers):
        where, values = f"id IN ({_marks(part)}) AND owner = COALESCE(?, owner)", (*part, owner)
        found |= {run.id: run for run in store.look(partial(rows.select, where=where, values=values))}
    return found


def points_of_runs(store: Store, numbers: Sequence[int]) -> dict[int, dict[str, dict[str, Any]]]:
    """Return the points of several runs: number -> key -> record."""
    found: dict[int, list[tuple[str, str]]] = {}
    for part in _parts(numbers):
        query = f"SELECT run, key, record FROM points WHERE run IN ({_marks(part)}) ORDER BY place"  # noqa: S608 - as above
        for run, key, record in _rows(store, query, part):
            found.setdefault(run, []).append((key, record))
    return {run: rows.readable(points) for run, points in found.items()}


def known_errors(store: Store, owner: str | None) -> list[tuple[Mapping[str, str], Mapping[str, Any]]]:
    """Return every scenario whose test error is kept, as flat text with the record of it, the latest first.

    Those of single runs, and those of the points of sweeps.
    """
    query = (
        "SELECT about, key, record FROM points JOIN runs ON run = id WHERE owner = COALESCE(?, owner)"
        " AND (kind = ? AND key = ? OR kind = ?) ORDER BY touched DESC, place DESC"
    )
    found: list[tuple[Mapping[str, str], Mapping[str, Any]]] = []
    for about, key, record in _rows(store, query, (owner, rows.RUN, TEST, rows.SWEEP)):
        flat: Any = read_object(key)  # of a sweep's point
        error: Any = read_object(record)
        if key == TEST:
            flat = (read_object(about) or {}).get("scenario")
        else:
            error = (error or {}).get(TEST)
        if isinstance(flat, dict) and isinstance(error, dict):
            found.append((flat, error))
    return found


def _rows(store: Store, query: str, values: Sequence[object]) -> list[Any]:
    return store.look(lambda db: db.execute(query, tuple(values)).fetchall())


def _parts(numbers: Sequence[int]) -> list[list[int]]:
    return [list(numbers[first : first + AT_ONCE]) for first in range(0, len(numbers), AT_ONCE)]


def _marks(part: Sequence[int]) -> str:
    return ", ".join("?" * len(part))
