"""Bring an upload again and again, each time in a process that dies at the next file operation.

    python dying.py FOLDER STEP

Prints how often. The processes are forked from this one, so that none has to load anything.
"""

import os
import sys
from pathlib import Path

from fault_tools import CSV, TEST, age, look_over, sweep_out

from ecocviz.data import upload_store as store
from ecocviz.data import uploads
from ecocviz.data.uploads import UploadedFiles, bring
from scripts.faulty import DIE, Faults

os.fsync = lambda _handle: None  # nobody cuts the power here
MINE = UploadedFiles(content=CSV, filename="mine.csv", test=TEST, test_filename="more.csv")


FEW = 20


def attempt(folder, n):
    """Bring something, make room for it and remove what has expired; return whether it died meanwhile."""
    child = os.fork()
    if not child:
        status = 1
        try:
            uploads.tidy()
            with Faults(n, DIE) as faults:
                name = bring(MINE, f"session {n}").name
                age(folder / name, 90 * 86_400)
                uploads.tidy()
            status = 0 if faults.count < n else 2
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status not in (0, 9):
        sys.exit(f"The process at operation {n} ended with {status}.")
    return status == 9


def main(folder, step):
    """Die at every `step`-th operation."""
    n = 1
    while attempt(folder, n):
        look_over(folder, leftovers=True)
        if n > FEW:  # else every death makes more operations for the next
            sweep_out(folder)
        for kept in store.scan():
            if uploads.is_kept_as(kept.name, MINE):
                store.remove(folder / kept.name)
        n += step
    return (n - 1) // step


if __name__ == "__main__":
    uploads.bring(MINE).name  # noqa: B018 - loads what reading needs
    for found in store.scan():
        if uploads.is_kept_as(found.name, MINE):
            store.remove(store.place_of(found.name))
    print(main(Path(sys.argv[1]), int(sys.argv[2])))  # noqa: T201 - a program
