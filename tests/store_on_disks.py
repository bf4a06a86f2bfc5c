"""A disk that is full, cannot be written to, or is taken away: a program, to be run where it may mount.

unshare -rm python store_on_disks.py FOLDER
"""

import subprocess
import sys
from pathlib import Path

from ecocviz.lab.store import Store, StoreError

ABOUT = {"scenario": {"v": "1"}}
FULL = "Runs are not kept: the disk is full; make room on it."
READ_ONLY = (
    "Runs are not kept: nothing may be written to the data folder; name another folder in ECOCVIZ_HOME."
)


def mount(*arguments):
    subprocess.run(["mount", *arguments], check=True)


def refused(work):
    """Return the sentence that work raises."""
    try:
        work()
    except StoreError as error:
        return str(error)
    sys.exit("It was not refused.")


def full(path):
    """Add points until the disk is full, then go on when there is room; nothing that was kept is lost."""
    store = Store(path)
    number, n_kept = store.begin("sweep", "A sweep", ABOUT, 9), 0
    filler = path.with_name("filler")
    filler.write_bytes(bytes(200_000))

    def fill():
        nonlocal n_kept
        for k in range(1_000):
            store.add(number, str(k), {"x": "y" * 2_000})
            n_kept += 1

    assert refused(fill) == FULL == store.problem
    assert len(store.known(number)) == n_kept > 0
    filler.unlink()
    store.add(number, "more", {})
    assert store.problem is None and len(store.known(number)) == n_kept + 1
    store.close()
    assert store.find(number).n_done == n_kept + 1
    store.close()
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(512))
        except OSError:
            pass
    assert Store(path.with_name("other") / "runs.sqlite3").problem == FULL
    filler.unlink()
    return n_kept + 1


def read_only(path, n_kept):
    """A store that was open says why it keeps nothing, and one that begins keeps to its memory."""
    store = Store(path)
    [before] = store.runs()
    store.close()  # no file may be open for writing then
    mount("-o", "remount,ro", str(path.parent))
    assert refused(lambda: store.add(before.id, "new", {})) == READ_ONLY
    begun = Store(path)
    assert begun.problem == READ_ONLY and begun.notes == ()
    begun.add(begun.begin("run", "A run", ABOUT, 1), "x", {})
    mount("-o", "remount,rw", str(path.parent))
    store.add(before.id, "new", {})
    assert store.find(before.id).n_done == n_kept + 1
    return store


def gone(path, store):
    """Go on, on an empty folder, when the disk has been taken away."""
    subprocess.run(["umount", "-l", str(path.parent)], check=True)
    store.add(store.begin("run", "A run", ABOUT, 1), "x", {})
    assert store.problem is None and [each.n_done for each in store.runs()] == [1]


if __name__ == "__main__":
    place = Path(sys.argv[1]) / "home"
    place.mkdir()
    mount("-t", "tmpfs", "-o", "size=600k", "tmpfs", str(place))
    gone(place / "runs.sqlite3", read_only(place / "runs.sqlite3", full(place / "runs.sqlite3")))
