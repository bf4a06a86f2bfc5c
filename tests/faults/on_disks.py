"""A disk that is full, cannot be written to, or is taken away: a program, to be run where it may mount.

unshare -rm python on_disks.py FOLDER
"""

import subprocess
import sys
from pathlib import Path

from fault_tools import CSV, look_over

from ecocviz.data.uploads import bring, keep, load, reopen, tend

ROWS = b"a,b,class\n" + b"1,2,u\n3,4,v\n" * 40_000


def mount(*arguments):
    subprocess.run(["mount", *arguments], check=True)


def refused(work):
    """Return the sentence that work raises."""
    try:
        work()
    except ValueError as error:
        return str(error)
    sys.exit("It was not refused.")


def expect(told, *parts):
    if not all(part in told for part in parts):
        sys.exit(f"{told!r} does not say {parts}.")


def full(home):
    """Bring too much, then so little that only files' entries are missing."""
    mine = keep(CSV, "mine.csv")
    expect(refused(lambda: keep(ROWS, "large.csv")), "the disk is full; make room on it")
    look_over(home / "uploads", leftovers=False)
    filler = home / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
    expect(refused(lambda: keep(CSV * 100, "small.csv")), "the disk is full; make room on it")
    look_over(home / "uploads", leftovers=False)
    tend(lambda _session: False)
    assert load(digest=mine).name == "mine.csv"
    filler.unlink()
    assert reopen(digest=keep(CSV * 100, "small.csv")).content == CSV * 100
    return mine


def read_only(home, mine):
    """Read what is there, bring nothing; afterwards all is as before."""
    mount("-o", "remount,ro", str(home))
    assert load(digest=mine).name == "mine.csv"
    expect(refused(lambda: keep(CSV, "new.csv")), "nothing may be written to the data folder; name another")
    for _ in range(3):
        tend(lambda _session: False)
    assert keep(CSV, "mine.csv") == mine  # it is there
    mount("-o", "remount,rw", str(home))
    look_over(home / "uploads", leftovers=False)
    assert bring(reopen(digest=keep(CSV, "new.csv"))).gone == ()


def gone(home, mine):
    """Go on, on an empty folder, when the disk has been taken away."""
    subprocess.run(["umount", "-l", str(home)], check=True)
    expect(refused(lambda: load(digest=mine)), "not on this computer")
    tend(lambda _session: False)
    assert load(digest=keep(CSV, "mine.csv")).name == "mine.csv"


if __name__ == "__main__":
    place = Path(sys.argv[1])
    mount("-t", "tmpfs", "-o", "size=300k", "tmpfs", str(place))
    found = full(place)
    read_only(place, found)
    gone(place, found)
