"""The file of the store: its schema, how older ones become it, what is done when it is damaged.

A damaged file is renamed, never deleted; a file of a newer ecocviz is left alone.
"""

import errno
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil

from ecocviz.data.home import close_to_others, why_not_written
from ecocviz.lab.store_about import sets_in

NAME = "runs.sqlite3"
PARTS = ("", "-wal", "-shm")
"""Files that are one file of SQLite: the file, what was written last, and its index."""
BUSY_SECONDS = 20.0
"""How long to wait for another process that writes; what we write ourselves takes milliseconds."""
TURN_SECONDS, PAUSE_SECONDS = 0.1, 0.01
"""How long one try of these waits, and after how long the next begins: in between others may read."""
NETWORKS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afpfs", "afs", "9p", "ceph", "lustre", "gpfs", "fuse.sshfs"}
)
"""Kinds of disks that several computers may use at the same time."""
WAL_BYTES = 4_000_000
"""Room that the file of what was written last keeps once it has been worked into the other."""

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_ERRNOS = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_PERM: errno.EACCES,
}


class StoreError(ValueError):
    """What could not be kept or found, and why, in a sentence."""


class NewerError(StoreError):
    """The file was written by a newer ecocviz."""


class DamagedError(sqlite3.DatabaseError):
    """The file is none of ours."""


# The schema ------------------------------------------------------------------------------------------


def _first(db: sqlite3.Connection) -> None:
    db.execute(
        """CREATE TABLE runs (
            id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never given twice
            digest TEXT NOT NULL UNIQUE,  -- of kind, about, owner and version
            kind TEXT NOT NULL, title TEXT NOT NULL, name TEXT NOT NULL DEFAULT '', about TEXT NOT NULL,
            version TEXT NOT NULL, owner TEXT NOT NULL DEFAULT '',
            state TEXT NOT NULL, pinned INTEGER NOT NULL DEFAULT 0, n_points INTEGER NOT NULL,
            began REAL NOT NULL, touched REAL NOT NULL, seconds REAL NOT NULL DEFAULT 0,
            process TEXT NOT NULL DEFAULT ''  -- which computes it
        )"""
    )
    db.execute("CREATE INDEX runs_of ON runs (owner, touched)")
    db.execute(
        """CREATE TABLE points (
            place INTEGER PRIMARY KEY,  -- in the order in which they were finished
            run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            key TEXT NOT NULL, record TEXT NOT NULL, UNIQUE (run, key)
        )"""
    )


def _second(db: sqlite3.Connection) -> None:
    """Count points and bytes of a run where it stands, and name its data sets, so that lists are quick."""
    db.execute("ALTER TABLE runs ADD COLUMN n_done INTEGER NOT NULL DEFAULT 0")
    db.execute("ALTER TABLE runs ADD COLUMN n_bytes INTEGER NOT NULL DEFAULT 0")
    db.execute("ALTER TABLE runs ADD COLUMN data TEXT NOT NULL DEFAULT ''")
    db.execute(
        """UPDATE runs SET n_done = (SELECT COUNT(*) FROM points WHERE run = id),
            n_bytes = LENGTH(about) + (SELECT COALESCE(SUM(LENGTH(key) + LENGTH(record)), 0)
                FROM points WHERE run = id)"""
    )
    for number, about in db.execute("SELECT id, about FROM runs").fetchall():
        db.execute("UPDATE runs SET data = ? WHERE id = ?", (sets_in(about), number))


def _third(db: sqlite3.Connection) -> None:
    """Remember which page showed a run, and which process has begun which of its tasks."""
    db.execute("ALTER TABLE runs ADD COLUMN page TEXT NOT NULL DEFAULT ''")
    db.execute(
        """CREATE TABLE claims (
            run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            task TEXT NOT NULL, process TEXT NOT NULL, PRIMARY KEY (run, task)
        ) WITHOUT ROWID"""
    )


def _fourth(db: sqlite3.Connection) -> None:
    """Tell what nobody asked for; of older runs it is not known, so they count as asked for."""
    db.execute("ALTER TABLE runs ADD COLUMN recent INTEGER NOT NULL DEFAULT 0")
    db.execute("CREATE INDEX runs_recent ON runs (owner, touched) WHERE recent")


STEPS: tuple[Callable[[sqlite3.Connection], None], ...] = (_first, _second, _third, _fourth)
"""Each makes a file of the version before it into one of the next; a new file takes them all."""


# Opening ---------------------------------------------------------------------------------------------


def connect(path: Path | None) -> sqlite3.Connection:
    """Open the file, made anew or brought up to date where needed; without a path, one in memory.

    Raises NewerError, DamagedError, or another sqlite3.Error or OSError.
    """
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(OSError):  # it is there, or SQLite says why it cannot be
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
    where = ":memory:" if path is None else path
    db = sqlite3.connect(where, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        version = _known_version(db, path)  # before anything is written: what is not ours stays as it is
        if path is not None:
            _patiently(lambda: _set_up(db, new=not version, shared=on_network(path)))
            for file in [*path.parent.glob(f"{path.name}*"), *path.parent.glob(f"{path.stem}-damaged-*")]:
                close_to_others(file)
        db.execute("PRAGMA foreign_keys = ON")
        db.create_function("FOLDED", 1, str.casefold, deterministic=True)
        if version < len(STEPS):
            with transaction(db):
                for step in STEPS[_known_version(db, path) :]:  # another process may have done it meanwhile
                    step(db)
                db.execute(f"PRAGMA user_version = {len(STEPS)}")
        db.execute(f"PRAGMA busy_timeout = {1_000 * TURN_SECONDS:.0f}")
    except BaseException:
        db.close()
        raise
    return db


def _known_version(db: sqlite3.Connection, path: Path | None) -> int:
    """Return the version of the file, 0 if it is empty; raise NewerError or DamagedError."""
    # In one statement: between two of them another process may make the tables.
    version, n_tables = db.execute(
        "SELECT user_version, (SELECT COUNT(*) FROM sqlite_master) FROM pragma_user_version"
    ).fetchone()
    if version > len(STEPS):
        raise NewerError(
            f"The store of runs, {path}, was written by a newer ecocviz and is left alone: use that one, "
            "or name another folder in ECOCVIZ_HOME."
        )
    if version < 0 or (not version and n_tables):
        raise DamagedError("somebody else's tables")
    return int(version)


def _set_up(db: sqlite3.Connection, *, new: bool, shared: bool) -> None:
    if new:  # before the first table: what is deleted is then given back to the disk
        db.execute("PRAGMA auto_vacuum = INCREMENTAL")
    # WAL needs memory that all who write share: computers that share a disk have none.
    db.execute(f"PRAGMA journal_mode = {'DELETE' if shared else 'WAL'}").fetchall()
    db.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
    # A killed process loses nothing; a power cut at worst the last commits, never the file.
    db.execute("PRAGMA synchronous = NORMAL")


def on_network(path: Path) -> bool:
    """Say whether a file is on a disk that other computers may write to at the same time."""
    place = path.resolve()
    try:
        disks = [disk for disk in psutil.disk_partitions(all=True) if place.is_relative_to(disk.mountpoint)]
    except OSError:  # a system that does not tell
        return False
    nearest = max(disks, key=lambda disk: len(Path(disk.mountpoint).parts), default=None)
    return nearest is not None and ("remote" in nearest.opts or nearest.fstype.lower() in NETWORKS)


def _patiently(work: Callable[[], None]) -> None:
    """Try again while another process holds the file: SQLite itself does not wait for the change to WAL."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return work()
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > end:
                raise
        time.sleep(PAUSE_SECONDS)


class transaction:  # noqa: N801 - reads as the context manager it is
    """All that is done within is done, or nothing of it; others' writing waits meanwhile."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> sqlite3.Connection:
        self._db.execute("BEGIN IMMEDIATE")
        return self._db

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            try:
                self._db.execute("COMMIT")
            except sqlite3.Error:
                self._roll_back()
                raise
        else:
            self._roll_back()

    def _roll_back(self) -> None:
        with suppress(sqlite3.Error):  # SQLite has done it already where the disk is full
            self._db.execute("ROLLBACK")


# Faults ----------------------------------------------------------------------------------------------


def is_damage(error: Exception, path: Path | None) -> bool:
    """Say whether an error means that the file is none, or no longer one."""
    if path is None or isinstance(error, NewerError):
        return False
    if isinstance(error, DamagedError) or _code(error) & 0xFF in _DAMAGED:
        return True
    return any(Path(f"{path}{part}").is_dir() for part in PARTS)


def set_aside(path: Path, seen: tuple[int, int] | None) -> str | None:
    """Rename a damaged file, if it is still the one that was seen; return a sentence if it was renamed."""
    if identity(path) != seen:
        return None  # another process has set it aside and begun anew
    path = path.resolve()  # a link stays, and what was written last lies beside the file itself
    when = time.strftime("%Y-%m-%d-%H%M%S")
    aside = next(
        place
        for n in range(1_000)
        if not os.path.lexists(place := path.with_name(f"{path.stem}-damaged-{when}{f'-{n}' * (n > 0)}"))
    )
    for part in PARTS:
        with suppress(FileNotFoundError):
            Path(f"{path}{part}").rename(f"{aside}{part}")
    return f"The store of runs was damaged. It was set aside as {aside}, and a new one was begun."


def identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another of the same name, None where there is none."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def sentence(error: Exception) -> str:
    """Say why nothing can be kept, and what to do."""
    if isinstance(error, StoreError):
        return str(error)
    code = _code(error) & 0xFF
    if is_busy(error):
        return "Runs are not kept: another program is holding the store of runs; end it, or try again."
    found = error if isinstance(error, OSError) else OSError(_ERRNOS.get(code, 0), str(error))
    plainly = f"{found.filename}: {found.strerror}" if found.filename else str(error)
    why, what = why_not_written(found) or (plainly or "the disk has failed", "look at the data folder")
    return f"Runs are not kept: {why}; {what}."


def is_busy(error: BaseException | None) -> bool:
    """Say whether an error means that another program holds the file."""
    return error is not None and _code(error) & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def _code(error: BaseException) -> int:
    return int(getattr(error, "sqlite_errorcode", None) or 0)


def read_size(db: sqlite3.Connection) -> int:
    """Return the bytes that are in use."""
    pages, free, size = (
        db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def give_back(db: sqlite3.Connection) -> None:
    """Give the room of what was deleted back to the disk; outside of transactions."""
    db.executescript("PRAGMA incremental_vacuum")  # `execute` takes its first step only
