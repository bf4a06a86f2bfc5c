"""A sweep that is killed at random moments and begun again, until it is through.

    python killed_sweeps.py KILLS SEED

Every attempt is a process that is forked from this one, so that none has to load anything. Prints as JSON
what the last attempt printed, what one that nobody disturbed printed in a store of its own, how often a
process was killed, and every task that was begun.
"""

import json
import os
import select
import signal
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from waiting import until

from ecocviz import cli
from ecocviz.lab import sweep

TASKS = 6
"""For every kill; a process lives for about so many at most: the sweep is not through before the last."""


def begin(home, log, n_tasks, before=lambda: None):
    """Begin the sweep in a process of its own; return its number and where it prints to.

    Each task is logged, and `before` is called, before it is measured.
    """
    command = ["sweep", "--set", "data=iris", "--measure", "test", "bound", "--json"]
    command += ["--over", f"machine.gamma=0.01:100:{n_tasks}", "decoding=hamming,likelihood"]
    heard, out = os.pipe()
    child = os.fork()
    if child:
        os.close(out)
        return child, heard
    status = 1
    try:
        os.environ["ECOCVIZ_HOME"] = str(home)
        os.dup2(out, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        real = sweep.measure_point

        def logged(task, *arguments, **options):
            os.write(log, f"{task.scenario.to_query()}\n".encode())
            before()
            return real(task, *arguments, **options)

        sweep.measure_point = logged
        status = cli.main(command)
        sys.stdout.flush()
    finally:
        os._exit(status)


def finish(child, heard):
    """Let a process come to its end; return what it printed."""
    with os.fdopen(heard) as out:
        printed = out.read()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return json.loads(printed)


def main(most, seed):
    chance, n_tasks = np.random.default_rng(seed), TASKS * most
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "log"
        log = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        began = time.perf_counter()
        child, heard = begin(Path(folder) / "undisturbed", log, n_tasks)
        until(file.read_text)
        start = time.perf_counter() - began
        undisturbed = finish(child, heard)
        each = (time.perf_counter() - began - start) / n_tasks
        os.truncate(log, 0)
        n_kills = 0
        for _ in range(most):
            n_before = len(file.read_text().splitlines())
            child, heard = begin(Path(folder) / "killed", log, n_tasks)
            # So many tasks are waited for, however busy the computer is, and then a moment.
            n_wanted = n_before + int(chance.integers(TASKS - 1))
            until(lambda n=n_wanted: len(file.read_text().splitlines()) >= n)
            moment = chance.uniform(0, start if n_wanted == n_before else each)
            # The end of what it prints is the end of the process: it may be faster than the shot.
            ended, _, _ = select.select([heard], [], [], moment)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(heard)
            n_kills += not ended
        last = finish(*begin(Path(folder) / "killed", log, n_tasks))
        begun = file.read_text().splitlines()
    found = {"undisturbed": undisturbed, "last": last, "kills": n_kills, "begun": begun}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
