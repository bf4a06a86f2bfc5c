"""The same sweep by two processes at once; each has begun a task before either goes on.

    python sweeps_together.py both|killed|stuck

The first process then goes on, is killed with -9, or waits until the second one is through. Prints as JSON
what those printed that came to their end, what one that nobody disturbed printed in a store of its own, and
every task that was begun.
"""

import json
import os
import signal
import sys
import tempfile
from pathlib import Path

from killed_sweeps import begin, finish

N_TASKS = 12


class Gate:
    """Holds a process at its first task until it is opened."""

    def __init__(self):
        self._here, self._is_here = os.pipe()
        self._opened, self._open = os.pipe()
        self._passed = False

    def hold(self):
        """Wait, in the process, the first time."""
        if not self._passed:
            self._passed = True
            os.write(self._is_here, b"x")
            os.read(self._opened, 1)

    def reached(self):
        """Wait until the process is there."""
        os.read(self._here, 1)

    def open(self):
        """Let it go on."""
        os.write(self._open, b"x")


def main(how):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "log"
        log = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        undisturbed = finish(*begin(Path(folder) / "undisturbed", log, N_TASKS))
        os.truncate(log, 0)
        gates, processes = (Gate(), Gate()), []
        for gate in gates:
            processes.append(begin(Path(folder) / "shared", log, N_TASKS, gate.hold))
            gate.reached()
        first, second = processes
        if how == "killed":
            os.kill(first[0], signal.SIGKILL)
            os.waitpid(first[0], 0)
        elif how == "both":
            gates[0].open()
        gates[1].open()
        ended = [finish(*second)]
        if how == "stuck":
            gates[0].open()
        if how != "killed":
            ended.append(finish(*first))
        begun = file.read_text().splitlines()
    sys.stdout.write(json.dumps({"undisturbed": undisturbed, "ended": ended, "begun": begun}))


if __name__ == "__main__":
    main(sys.argv[1])
