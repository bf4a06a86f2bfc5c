"""A server whose clock of the day is set while it runs: a program for libfaketime.

FAKETIME_TIMESTAMP_FILE=FILE python jumping.py FILE
"""

import sys
import time
from pathlib import Path

from fault_tools import CSV

from ecocviz.data.uploads import keep, load, tend
from ecocviz.lab.jobs import Jobs
from ecocviz.lab.report import JobState

FILE = Path(sys.argv[1])
DAY = 86_400.0
began = time.time()


def tended(session):
    """Say that nobody is there."""
    del session
    return True


def work(report):
    """Compute while the clock is set."""
    FILE.write_text("+400d")
    report.at(0.5)
    tend(tended)
    FILE.write_text("-400d")
    report.at(0.9)
    tend(tended)
    return time.time()


name = keep(CSV, "mine.csv")
tend(tended)
for jump in ("+1d", "-1d", "+400d", "-400d", "+0"):
    FILE.write_text(jump)
    told = time.time() - began
    assert abs(told - float(jump.rstrip("d")) * DAY) < 60, f"The clock is not set: {told} is not {jump}."
    tend(tended)
    tend(tended)
    assert load(digest=name).name == "mine.csv"
jobs = Jobs()
before = time.perf_counter()
jobs.start("key", work)
done = jobs.wait("key", 30)
assert done is not None and done.state is JobState.DONE, done
assert 0 <= done.seconds <= time.perf_counter() - before < 30, done.seconds
assert load(digest=name).name == "mine.csv"
jobs.close()
