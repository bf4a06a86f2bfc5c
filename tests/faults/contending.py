"""One of several servers on one folder, which bring uploads and remove what has expired, all at once.

    python contending.py NUMBER SECONDS

Files expire, and the room is full, within a moment. What is read is whole, or said to be no longer kept.
Prints how much was brought, read and gone.
"""

import os
import sys
import time
from dataclasses import replace

from fault_tools import CSV

from ecocviz.data import upload_presence, uploads
from ecocviz.data import upload_store as store
from ecocviz.data.policy import current_policy
from ecocviz.data.uploads import UploadedFiles, bring, load, reopen


def contend(number, seconds):
    """Bring, remove and read for so long; return how much was brought, read and gone."""
    end, turn, read, gone, kept = time.monotonic() + seconds, 0, 0, 0, []
    while time.monotonic() < end:
        turn += 1
        same = turn % 3 == 0  # of which all bring the same
        upload = UploadedFiles(content=CSV + b"%d,1,u\n" % (turn % 7), filename="all" if same else number)
        try:
            kept.append((bring(upload, f"session {number} {turn % 5}").name, upload.content))
        except ValueError as refused:
            if "leave no room" not in str(refused):
                raise
        uploads.tend(lambda session: session.endswith("3"))
        for name, content in kept[-4:]:
            try:
                load(digest=name)
                if reopen(digest=name).content != content:
                    sys.exit("Another file came back.")
                read += 1
            except ValueError as told:
                if "no longer kept" not in str(told):
                    raise
                gone += 1
    return turn, read, gone


if __name__ == "__main__":
    policy = replace(current_policy(), upload_seconds=0.2, upload_bytes=1_000)
    uploads.current_policy = lambda: policy
    store.LEFTOVER_SECONDS = 5.0
    os.fsync = lambda _handle: None  # nobody cuts the power here
    upload_presence.PRESENCE.clock_jumped()
    print(*contend(sys.argv[1], float(sys.argv[2])))  # noqa: T201 - a program
