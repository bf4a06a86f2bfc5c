"""Runs and points as rows of the store's tables: what is done within one transaction."""

import json
import os
import platform
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

import ecocviz
from ecocviz.lab.store_about import as_text, canonical, digest_of, read_object, sets_in, title_of
from ecocviz.lab.store_file import StoreError
from ecocviz.lab.store_room import make_room

if TYPE_CHECKING:
    from ecocviz.lab.scenario import Scenario

RUN, SWEEP, PAPER = KINDS = ("run", "sweep", "paper")
RUNNING, DONE, STOPPED, FAILED = STATES = ("running", "done", "stopped", "failed")
_COLUMNS = (
    *("id", "kind", "title", "name", "about", "state", "pinned", "n_points", "n_done"),
    *("began", "touched", "seconds", "version", "owner", "data", "n_bytes", "page", "recent", "process"),
)
DAMAGED = "Part of these runs is damaged and left out; it stays until they are deleted: {runs}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A kept run.

    Attributes
    ----------
    id
        Its number, never given twice.
    kind
        "run", "sweep" or "paper".
    title, name
        What it is called by itself, and by whom it belongs to: "" until somebody names it.
    about
        What is computed, as `Store.begin` has it.
    data
        Keys of its data sets; none for a paper's.
    state
        "running", "done", "stopped" (which it also is when its process was killed) or "failed".
    pinned
        Whether it stays when room is made.
    n_points, n_done
        Points it will have, and has.
    began, touched
        When it was first begun and last added to, in seconds of the clock.
    seconds
        What computing it took.
    version, owner
        By which ecocviz, and whose it is: "" where all visitors trust each other.
    n_bytes
        About the room that it takes.
    page
        Name, in links, of the page that showed it last; "" of what no page has shown.
    recent
        Whether a page computed it and nobody has asked for it, pinned, named or exported it.
    damaged
        Whether what it is about cannot be read; `about` is then empty.
    """

    id: int
    kind: str
    title: str
    name: str
    about: Mapping[str, Any]
    data: tuple[str, ...]
    state: str
    pinned: bool
    n_points: int
    n_done: int
    began: float
    touched: float
    seconds: float
    version: str
    owner: str
    n_bytes: int
    page: str
    recent: bool
    damaged: bool = False


def begin(
    db: sqlite3.Connection,
    kind: str,
    title: str,
    about: Mapping[str, Any],
    n_points: int,
    owner: str,
    page: str = "",
    *,
    fresh: bool = False,
    recent: bool = False,
) -> int:
    """Insert a run, or find the one of the same digest, and mark it as running here; return its number."""
    text, now, version = canonical(about), time.time(), ecocviz.__version__
    digest = digest_of(kind, text, owner, version)
    found = db.execute("SELECT id FROM runs WHERE digest = ?", (digest,)).fetchone()
    if found is None:
        new = {
            "digest": digest,
            "kind": kind,
            "title": title,
            "about": text,
            "data": sets_in(text),
            "version": version,
            "owner": owner,
            "state": RUNNING,
            "n_points": n_points,
            "n_bytes": len(text),
            "began": now,
            "touched": now,
            "recent": recent,
        }
        places = ", ".join(f":{name}" for name in new)
        added = db.execute(f"INSERT INTO runs ({', '.join(new)}) VALUES ({places})", new)  # noqa: S608 - of our own words
        found = (added.lastrowid,)
    run = int(found[0])
    if fresh:
        for table in ("points", "claims"):
            db.execute(f"DELETE FROM {table} WHERE run = ?", (run,))  # noqa: S608 - of our own words
        db.execute("UPDATE runs SET n_done = 0, n_bytes = ?, seconds = 0 WHERE id = ?", (len(text), run))
    db.execute(
        "UPDATE runs SET title = ?, about = ?, state = ?, n_points = ?, touched = ?, process = ?,"
        " page = COALESCE(NULLIF(?, ''), page), recent = MIN(recent, ?) WHERE id = ?",
        (title, text, RUNNING, n_points, now, _this_process(os.getpid()), page, recent, run),
    )
    make_room(db, run, owner)
    return run


def add(db: sqlite3.Connection, run: int, key: str, record: Mapping[str, Any]) -> None:
    """Keep a point of a run, in place of one of the same key; the time since the last one counts as its."""
    text, now = as_text(record), time.time()
    _put(db, run, key, text)
    db.execute(
        "UPDATE runs SET seconds = seconds + MAX(0, ? - touched), touched = ?,"
        " process = CASE state WHEN ? THEN ? ELSE '' END WHERE id = ?",
        (now, now, RUNNING, _this_process(os.getpid()), run),
    )
    make_room(db, run)


def claim(
    db: sqlite3.Connection, run: int, task: str, keys: Sequence[str]
) -> tuple[bool, dict[str, dict[str, Any]]]:
    """Note that this process begins a task, unless another one that lives has; see `Store.claim`."""
    marks = ", ".join("?" * len(keys))
    known = db.execute(f"SELECT key, record FROM points WHERE run = ? AND key IN ({marks})", (run, *keys))  # noqa: S608 - of our own words
    found = readable(known)
    mine = _this_process(os.getpid())
    held = db.execute("SELECT process FROM claims WHERE run = ? AND task = ?", (run, task)).fetchone()
    if held is not None and held[0] != mine and not _is_gone(held[0]):
        return False, found
    db.execute("INSERT OR REPLACE INTO claims (run, task, process) VALUES (?, ?, ?)", (run, task, mine))
    return True, found


def readable(points: Iterable[tuple[str, str]]) -> dict[str, dict[str, Any]]:
    """Return points, key and record as text, without those that are damaged: they can be measured again."""
    read = ((key, read_object(record)) for key, record in points)
    return {key: record for key, record in read if record is not None}


def damage_sentence(runs: Iterable[Run], n_read: Mapping[int, int] | None = None) -> str:
    """Say which runs are damaged, "" if none is; `n_read` says how many points of each could be read."""
    counts = n_read or {}
    found = [str(run.id) for run in runs if run.damaged or counts.get(run.id, run.n_done) < run.n_done]
    return DAMAGED.format(runs=", ".join(found)) if found else ""


def end(db: sqlite3.Connection, run: int, state: str) -> None:
    """Say how this process has ended a run; it goes on while another that lives measures the rest."""
    db.execute("DELETE FROM claims WHERE run = ? AND process = ?", (run, _this_process(os.getpid())))
    claimed = db.execute("SELECT DISTINCT process FROM claims WHERE run = ?", (run,)).fetchall()
    others = [process for (process,) in claimed if not _is_gone(process)]
    if others and state != DONE:
        changed(db, run, None, "process = ?", others[0])
    else:
        changed(db, run, None, "process = '', state = ?", state)


def _put(db: sqlite3.Connection, run: int, key: str, text: str) -> None:
    before = db.execute("SELECT LENGTH(record) FROM points WHERE run = ? AND key = ?", (run, key)).fetchone()
    new, more = (0, len(text) - before[0]) if before else (1, len(text) + len(key))
    counted = db.execute(
        "UPDATE runs SET n_done = n_done + ?, n_bytes = n_bytes + ? WHERE id = ?", (new, more, run)
    )
    if not counted.rowcount:
        raise _missing(run)
    db.execute(
        "INSERT INTO points (run, key, record) VALUES (?, ?, ?)"
        " ON CONFLICT (run, key) DO UPDATE SET record = excluded.record",
        (run, key, text),
    )


def record(
    db: sqlite3.Connection,
    scenario: "Scenario",
    found: Mapping[str, Mapping[str, Any]],
    seconds: float,
    owner: str,
    page: str = "",
    recent: bool = False,
) -> int:
    """Keep one finished scenario, a point for each measure; return the number of its run."""
    about = {"scenario": scenario.to_flat()}
    run = begin(db, RUN, title_of(scenario), about, len(found), owner, page, recent=recent)
    for measure, each in found.items():
        _put(db, run, measure, as_text(each))
    db.execute(
        "UPDATE runs SET state = ?, process = '', seconds = ?, n_points = n_done WHERE id = ?",
        (DONE, seconds, run),
    )
    return run


def find(db: sqlite3.Connection, run: int, owner: str | None) -> Run:
    """Return one run; raise StoreError where there is none of that number and owner."""
    found = select(db, "id = ? AND owner = COALESCE(?, owner)", [run, owner])
    if not found:
        raise _missing(run)
    return found[0]


def select(db: sqlite3.Connection, where: str, values: Sequence[Any]) -> list[Run]:
    """Return the runs for which a condition, in words of SQL, holds."""
    rows = db.execute(f"SELECT {', '.join(_COLUMNS)} FROM runs WHERE {where}", values)  # noqa: S608 - of our own words
    return [_run(dict(zip(_COLUMNS, row, strict=True))) for row in rows]


def delete(db: sqlite3.Connection, runs: Sequence[int], owner: str | None) -> None:
    """Delete runs with all that belongs to them; raise as `find`, with nothing deleted, if one is missing."""
    wanted = json.dumps(sorted(set(runs)))
    among = "id IN (SELECT value FROM json_each(?)) AND owner = COALESCE(?, owner)"
    there = db.execute(f"SELECT id FROM runs WHERE {among}", (wanted, owner))  # noqa: S608 - of our own words
    missing = sorted(set(runs) - {number for (number,) in there})
    if missing:
        raise _missing(missing[0])
    for table in ("points", "claims"):  # before the runs: then nothing is left to be looked for run by run
        db.execute(f"DELETE FROM {table} WHERE run IN (SELECT value FROM json_each(?))", (wanted,))  # noqa: S608 - as above
    db.execute(f"DELETE FROM runs WHERE {among}", (wanted, owner))  # noqa: S608 - as above


def changed(db: sqlite3.Connection, run: int, owner: str | None, what: str, value: object) -> None:
    """Set columns of one run; raise as `find`."""
    find(db, run, owner)
    db.execute(f"UPDATE runs SET {what} WHERE id = ?", (value, run))  # noqa: S608 - of our own words


def _missing(run: int) -> StoreError:
    return StoreError(f"There is no run {run}; it may have been deleted. `ecocviz runs list` shows all.")


def _run(row: dict[str, Any]) -> Run:
    process = row.pop("process")
    if row["state"] == RUNNING and _is_gone(process):
        row["state"] = STOPPED
    data = tuple(name for name in row["data"].split("|") if name)
    about = read_object(row["about"])
    flags = {name: bool(row[name]) for name in ("pinned", "recent")}
    more = {"about": about or {}, "data": data, "damaged": about is None, **flags}
    return Run(**row | more)


@lru_cache(maxsize=1)
def _this_process(pid: int) -> str:
    """Name this process so that no later one on this computer has the name."""
    return f"{platform.node()} {pid} {_begun(pid)}"


def _begun(pid: int) -> str:
    """Say when a process began: where the system tells, by ticks, which setting the clock does not change."""
    try:
        ticks = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[19]
        return f"{Path('/proc/sys/kernel/random/boot_id').read_text('ascii')[:8]}-{ticks}"
    except OSError:
        return f"{psutil.Process(pid).create_time():.2f}"


def _is_gone(process: str) -> bool:
    """Say whether a process of this computer has ended; of others nobody knows."""
    node, _, rest = process.rpartition(" ")[0].rpartition(" ")
    if node != platform.node() or not rest.isdigit():
        return False
    try:
        told, pid = process.rpartition(" ")[2], int(rest)
        return told not in {_begun(pid), f"{psutil.Process(pid).create_time():.2f}"}  # as told before, too
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False
