"""Processes that use one store: killed at any moment, or all at once.

    python store_processes.py FOLDER killed TIMES SEED
    python store_processes.py FOLDER together HOW_MANY     on a file of version 1
    python store_processes.py FOLDER begun HOW_MANY        on none

The processes are forked from this one, so that none has to load anything.
"""

import os
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
from store_tools import VERSION_1, in_sql

from ecocviz.lab.store import Store

ABOUT = {"scenario": {"v": "1", "data": "glass"}}
MOST = 60
"""Points of a run; a process that adds them all begins the next run."""


def forked(work):
    """Do something in a process of its own; return its number."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        work()
        status = 0
    finally:
        os._exit(status)


def record_of(key):
    return {"key": key, "text": key * 300, "third": int(key) / 3}


def write_until_killed(path, attempt, out):
    """Add points, each told once it is kept."""
    store = Store(path)
    assert store.problem is None, store.problem
    while True:
        run = store.begin("sweep", "A sweep", {**ABOUT, "attempt": attempt}, MOST)
        os.write(out, f"begun {run}\n".encode())
        for k in range(len(store.known(run)), MOST):
            store.add(run, str(k), record_of(str(k)))
            os.write(out, f"{k}\n".encode())
        store.end(run, "done")
        attempt += 1_000


def killed(path, times, seed):
    """Kill a process that writes, again and again; nothing that it has told of may be missing."""
    chance = np.random.default_rng(seed)
    lost = more = 0
    for attempt in range(times):
        heard, out = os.pipe()
        child = forked(lambda a=attempt, o=out: write_until_killed(path, a, o))
        os.close(out)
        with os.fdopen(heard, "rb") as lines:
            told = [lines.readline() for _ in range(chance.choice([0, 0, 1, 2, 5, 20, 90]))]
            os.kill(child, signal.SIGKILL)
            told += lines.readlines()
        os.waitpid(child, 0)
        found, kept = {}, []
        for line in told:
            if line.startswith(b"begun"):
                kept = found.setdefault(int(line.split()[1]), [])
            elif line.endswith(b"\n"):
                kept.append(line.decode().strip())
        forked_check = forked(lambda f=found: check(path, f))
        lost += os.waitstatus_to_exitcode(os.waitpid(forked_check, 0)[1]) != 0
        more += len(told)
    sys.stdout.write(f"{lost} {more}")


def check(path, found):
    """See that a store has all that was told, of each run at most one point more, and is whole."""
    store = Store(path)
    assert store.problem is None and store.notes == ()
    for run, kept in found.items():
        points = store.known(run)
        assert list(points)[: len(kept)] == kept and len(points) <= len(kept) + 1
        assert all(points[key] == record_of(key) for key in points)
        about = store.find(run)
        assert about.n_done == len(points)
        assert about.state in ({"done", "stopped"} if len(points) == MOST else {"stopped"})
    store.close()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def together(path, n):
    """Open a file in many processes at once, all of which write to one run and to their own."""
    heard, out = os.pipe()

    def work(k):
        os.read(heard, 1)  # all begin together
        store = Store(path)
        assert store.problem is None, store.problem
        shared = store.begin("sweep", "Shared", ABOUT, n * MOST)
        own = store.begin("sweep", "Own", {**ABOUT, "k": k}, MOST)
        for i in range(MOST):
            store.add(shared, str(1_000 * k + i), record_of(str(i)))
            store.add(own, str(i), record_of(str(i)))
        store.close()

    children = [forked(lambda k=k: work(k)) for k in range(n)]
    os.write(out, b"x" * n)
    failed = sum(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0 for child in children)
    store = Store(path)
    found = {each.title: each.n_done for each in store.runs()}
    numbers = failed, len(store.runs()), found["Shared"], found["Own"], len(store.notes)
    sys.stdout.write(" ".join(map(str, numbers)))
    store.close()


if __name__ == "__main__":
    place, what, number, *rest = sys.argv[1:]
    if what == "killed":
        killed(Path(place) / "runs.sqlite3", int(number), int(rest[0]))
    else:
        if what == "together":
            in_sql(Path(place) / "runs.sqlite3", VERSION_1)
        together(Path(place) / "runs.sqlite3", int(number))
