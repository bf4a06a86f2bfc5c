"""The store: everything that was computed, kept in the user's data folder beyond the process.

A run is one scenario, a sweep or a study of a paper; its points are written as they finish. Any number of
threads and processes may use the store at the same time, and any of them may be killed: what was added is
kept. Nothing here fails but with one sentence (`StoreError`), and where the folder cannot be used the runs of
this process are kept in its memory, so that pages need not ask.
"""

import atexit
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TypeVar
from unicodedata import category

from ecocviz.data.home import home
from ecocviz.lab import store_file as file
from ecocviz.lab import store_rows as rows
from ecocviz.lab.store_file import StoreError, transaction
from ecocviz.lab.store_rows import KINDS, STATES, Run
from ecocviz.lab.store_writer import Writer

if TYPE_CHECKING:
    from ecocviz.lab.scenario import Scenario

__all__ = ["Run", "Store", "StoreError", "open_store"]

Found = TypeVar("Found")
Recorded = tuple["Scenario", Mapping[str, Mapping[str, Any]], float, str, str, bool]
"""A scenario, what was found of it, what that took, whose it is, the page that shows it, whether unasked."""

MAX_NAME = 200
"""Characters of a name that somebody gives a run."""


class Store:
    """The kept runs; `open_store` gives the one of this process.

    Parameters
    ----------
    path
        The file; None keeps everything in memory.

    Attributes
    ----------
    problem
        Why nothing is kept beyond this process, or could not be the last time; None if all is well.
    notes
        What somebody should know, such as that a damaged file was set aside.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None
        self._writer = Writer(self._record_all)
        self.problem: str | None = None
        self.notes: tuple[str, ...] = ()
        try:
            self._do(file.read_size)
        except StoreError as problem:
            self.problem, self._path = str(problem), None

    def close(self) -> None:
        """Write what is still to be written and close the file; using the store again opens it again."""
        self._writer.flush()
        with self._lock:
            if self._db is not None and self._path is not None:
                self._db.close()
                self._db = None

    # Computing ---------------------------------------------------------------------------------------

    def begin(
        self,
        kind: str,
        title: str,
        about: Mapping[str, Any],
        n_points: int,
        owner: str = "",
        page: str = "",
        *,
        fresh: bool = False,
        recent: bool = False,
    ) -> int:
        """Begin a run, or go on with the one that computes the same, by the same version; return its number.

        Parameters
        ----------
        kind, title, owner, page
            As those of `Run`.
        about
            What is computed, as JSON has it: {"scenario": flat} of a run; {"scenario", "over", "measures"}
            of a sweep; {"paper", "study", "setting"} of a paper's study.
        n_points
            How many points it will have.
        fresh
            Whether the points that it has are forgotten.
        recent
            Whether nobody asked for it; what somebody has asked for before stays so.
        """
        if kind not in KINDS:
            raise ValueError(f"A run is one of {', '.join(KINDS)}, not {kind!r}.")
        return self._do(
            lambda db: rows.begin(db, kind, title, about, n_points, owner, page, fresh=fresh, recent=recent),
            writes=True,
        )

    def known(self, run: int) -> dict[str, dict[str, Any]]:
        """Return the points of a run that were measured, by their keys, in the order of finishing."""
        return self.points(run)

    def add(self, run: int, key: str, record: Mapping[str, Any]) -> None:
        """Keep a point, in place of one of the same key; it is on the disk's side when this returns."""
        self._do(lambda db: rows.add(db, run, key, record), writes=True)

    def claim(self, run: int, task: str, keys: Sequence[str]) -> tuple[bool, dict[str, dict[str, Any]]]:
        """Ask, before a task of a run is begun, whether it is free; if so it is this process's from now on.

        Who measures the same run at the same time then takes another one. The tasks of a process that was
        killed are free again; those of another computer cannot be known to be.

        Parameters
        ----------
        run, task
            Which; `task` is any text by which all who measure the run know it.
        keys
            Of the points that it has.

        Returns
        -------
        free
            Whether no other process has begun it.
        found
            Those of its points that are there already, by their keys.
        """
        return self._do(lambda db: rows.claim(db, run, task, keys), writes=True)

    def end(self, run: int, state: str, seconds: float | None = None) -> None:
        """Say how a run has ended: "done", "stopped" or "failed".

        `seconds` is what computing it took, where the times at which its points were added do not tell.
        """
        if state not in STATES[1:]:
            raise ValueError(f"A run ends as one of {', '.join(STATES[1:])}, not as {state!r}.")

        def write(db: sqlite3.Connection) -> None:
            rows.end(db, run, state)
            if seconds is not None:
                rows.changed(db, run, None, "seconds = ?", seconds)

        self._do(write, writes=True)

    def keep(
        self, scenario: "Scenario", found: Mapping[str, Mapping[str, Any]], seconds: float, owner: str = ""
    ) -> int:
        """Keep one finished scenario, a point for each measure; return the number of its run."""
        return self._do(lambda db: rows.record(db, scenario, found, seconds, owner), writes=True)

    def record(
        self,
        scenario: "Scenario",
        found: Mapping[str, Mapping[str, Any]],
        seconds: float,
        owner: str = "",
        page: str = "",
        recent: bool = False,
    ) -> None:
        """Keep one finished scenario as `keep`, but return at once and never fail.

        It is written a moment later by a thread: who is killed may lose the last second.
        """
        self._writer.put((scenario, found, seconds, owner, page, recent))

    def flush(self) -> None:
        """Return when everything recorded so far is written."""
        self._writer.flush()

    # Looking -----------------------------------------------------------------------------------------

    def runs(
        self,
        owner: str | None = None,
        *,
        kind: str | None = None,
        data: str | None = None,
        text: str = "",
        pinned: bool | None = None,
        recent: bool | None = None,
        beside: Sequence[int] = (),
        limit: int | None = None,
        skip: int = 0,
    ) -> list[Run]:
        """Return runs, the last used first.

        Parameters
        ----------
        owner
            Whose; None for all.
        kind, data, pinned, recent
            As those of `Run`; None for all.
        beside
            Numbers of runs for which `recent` does not matter.
        text
            Words that must all stand in the title, the name or what it is about.
        limit, skip
            How many, after how many.
        """
        where, values = ["1"], list[Any]()
        for column, value in (("owner", owner), ("kind", kind), ("pinned", pinned)):
            if value is not None:
                where.append(f"{column} = ?")
                values.append(value)
        if data is not None:
            where.append("INSTR(data, ?)")
            values.append(f"|{data}|")
        if recent is not None:
            where.append(f"(recent = {recent:d} OR id IN ({', '.join(map(str, beside))}))")
        for word in text.split():
            where.append("INSTR(FOLDED(title || ' ' || name || ' ' || about), ?)")
            values.append(word.casefold())
        order = "ORDER BY touched DESC, id DESC LIMIT ? OFFSET ?"
        values += [-1 if limit is None else limit, skip]
        return self._do(lambda db: rows.select(db, f"{' AND '.join(where)} {order}", values))

    def find(self, run: int, owner: str | None = None) -> Run:
        """Return one run; raise StoreError where there is none of that number and owner."""
        return self._do(lambda db: rows.find(db, run, owner))

    def points(self, run: int, owner: str | None = None) -> dict[str, dict[str, Any]]:
        """Return the points of a run by their keys, in the order in which they were finished."""

        def read(db: sqlite3.Connection) -> dict[str, dict[str, Any]]:
            rows.find(db, run, owner)
            found = db.execute("SELECT key, record FROM points WHERE run = ? ORDER BY place", (run,))
            return rows.readable(found)

        return self._do(read)

    def look(self, question: Callable[[sqlite3.Connection], Found]) -> Found:
        """Answer a question that changes nothing, such as those of `store_looks.py`."""
        return self._do(question)

    # Changing ----------------------------------------------------------------------------------------

    def rename(self, run: int, name: str, owner: str | None = None) -> None:
        """Give a run a name, which makes it one that somebody wants; "" takes the name away."""
        if len(name) > MAX_NAME:
            raise ValueError(f"A name of a run has at most {MAX_NAME} characters.")
        written = name.encode("utf-8", "replace").decode()
        # What steers a terminal is no part of a name.
        text = " ".join("".join(" " if category(c) == "Cc" else c for c in written).split())
        what = "name = ?1, recent = recent AND ?1 = ''"
        self._do(lambda db: rows.changed(db, run, owner, what, text), writes=True)

    def pin(self, run: int, pinned: bool = True, owner: str | None = None) -> None:
        """Let a run stay when room is made, as somebody wants it, or no longer."""
        what = "pinned = ?1, recent = recent AND NOT ?1"
        self._do(lambda db: rows.changed(db, run, owner, what, int(pinned)), writes=True)

    def want(self, runs: Sequence[int], owner: str | None = None) -> None:
        """Note that somebody wants runs, which are not recent then; never fails."""
        for run in runs:
            with suppress(StoreError):
                self._do(partial(rows.changed, run=run, owner=owner, what="recent = ?", value=0), writes=True)

    def delete(self, runs: int | Sequence[int], owner: str | None = None) -> None:
        """Delete runs and their points; none is if one of them is not there."""
        which = [runs] if isinstance(runs, int) else runs
        self._do(lambda db: rows.delete(db, which, owner), writes=True)
        self._do(file.give_back)

    def export(self, runs: Sequence[int], kind: str, owner: str | None = None) -> bytes:
        """Write runs with their points as "csv", "json" or "parquet": in tables, a row for each point."""
        from ecocviz.lab.store_export import export  # noqa: PLC0415 - pandas, only when somebody exports

        return export([(self.find(run, owner), self.points(run, owner)) for run in runs], kind)

    # How it is done ----------------------------------------------------------------------------------

    def _do(self, work: Callable[[sqlite3.Connection], Found], *, writes: bool = False) -> Found:
        """Do something with the file; who waits for another program lets others of this process look."""
        end = monotonic() + file.BUSY_SECONDS
        while True:
            try:
                return self._try(work, writes=writes)
            except StoreError as refusal:
                if not file.is_busy(refusal.__cause__) or monotonic() > end:
                    raise
            sleep(file.PAUSE_SECONDS)

    def _try(self, work: Callable[[sqlite3.Connection], Found], *, writes: bool) -> Found:
        """Do it once; a file that turns out to be damaged is set aside, and it is done anew."""
        with self._lock:
            for attempt in range(2):
                try:
                    db = self._open()
                    if not writes:
                        return work(db)
                    with transaction(db):
                        found = work(db)
                except StoreError:
                    raise
                except (sqlite3.Error, OSError) as error:
                    if attempt or not self._set_aside(error):
                        self.problem = file.sentence(error)
                        raise StoreError(self.problem) from error
                else:
                    if self._path is not None:
                        self.problem = None
                    return found
        raise AssertionError("unreachable")

    def _open(self) -> sqlite3.Connection:
        """Return the connection, a new one where the file was removed or replaced under it."""
        now = None if self._path is None else file.identity(self._path)
        if self._db is not None and now != self._opened:
            self._db.close()
            self._db = None
        if self._db is None:
            self._opened = now
            self._db = file.connect(self._path)
            self._opened = None if self._path is None else file.identity(self._path)
        return self._db

    def _set_aside(self, error: Exception) -> bool:
        if self._path is None or not file.is_damage(error, self._path):
            return False
        if self._db is not None:
            self._db.close()
            self._db = None
        with suppress(OSError):
            said = file.set_aside(self._path, self._opened)
            self.notes = (*self.notes, said) if said else self.notes
            return True
        return False

    def _record_all(self, items: Sequence[Recorded]) -> None:
        """Write recorded scenarios; what cannot be is forgotten, and `problem` says why."""

        def write(db: sqlite3.Connection) -> None:
            for item in items:
                rows.record(db, *item)

        with suppress(StoreError):
            self._do(write, writes=True)


# The one of this process -----------------------------------------------------------------------------

_OPEN: dict[Path, Store] = {}
_OPENING = threading.Lock()


def open_store() -> Store:
    """Return the store in the user's data folder; never fails, `Store.problem` says what is wrong."""
    path = home() / file.NAME
    with _OPENING:
        if path not in _OPEN:
            _OPEN[path] = Store(path)
        return _OPEN[path]


@atexit.register
def _close_all() -> None:
    for store in _OPEN.values():
        store.close()
