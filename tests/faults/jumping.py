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
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.store import open_store

DAY = 86_400.0


def tended(session):
    """Say that nobody is there."""
    del session
    return True


def jump(file):
    """Set the clock to and fro; what was brought stays."""
    began, name = time.time(), keep(CSV, "mine.csv")
    tend(tended)
    for text in ("+1d", "-1d", "+400d", "-400d", "+0"):
        file.write_text(text)
        told = time.time() - began
        assert abs(told - float(text.rstrip("d")) * DAY) < 60, f"The clock is not set: {told} is not {text}."
        tend(tended)
        tend(tended)
        assert load(digest=name).name == "mine.csv"


def runs(file):
    """Set the clock to and fro; what visitors of a shared server computed a moment ago stays."""
    store = open_store()
    for k, text in enumerate(("+0", "+2d", "-2d", "+0")):
        file.write_text(text)
        store.keep(make_scenario(k), {}, 0.1, "ann" if k % 2 else "bob")
        assert len(store.runs()) == k + 1, text


def compute(file):
    """Set the clock while a job runs; what it says of its seconds stays true."""

    def work(report):
        file.write_text("+400d")
        report.at(0.5)
        file.write_text("-400d")
        report.at(0.9)

    jobs, before = Jobs(), time.perf_counter()
    jobs.start("key", work)
    done = jobs.wait("key", 30)
    assert done is not None and done.state is JobState.DONE, done
    assert 0 <= done.seconds <= time.perf_counter() - before < 30, done.seconds
    jobs.close()


if __name__ == "__main__":
    jump(Path(sys.argv[1]))
    runs(Path(sys.argv[1]))
    compute(Path(sys.argv[1]))
