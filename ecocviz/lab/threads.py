"""How many threads the libraries of linear algebra may use in a process of ours: one. And who steps back.

Two processes whose libraries use two threads each on two processors wait for each other: two pictures of
letter took 36 s side by side, and one alone 2.8 s. With one thread each the two take 3.1 s, and one 3.4 s.
Sums are rounded differently by more threads, so one is also what makes the last digit the same everywhere.
"""

import os
import sys
import threading
from contextlib import suppress

from threadpoolctl import threadpool_limits

VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def one_thread_each() -> None:
    """Let every such library use one thread: loaded, to come, of processes to come."""
    os.environ.update(dict.fromkeys(VARIABLES, "1"))
    threadpool_limits(1)


NICENESS = 10
"""Of threads that compute beside those that serve pages."""


def step_back_here() -> None:
    """Let this thread alone compute behind those that serve pages, where threads have a niceness (Linux)."""
    if sys.platform == "linux":
        me = threading.get_native_id()
        with suppress(OSError):  # a sandbox forbids it
            os.setpriority(os.PRIO_PROCESS, me, os.getpriority(os.PRIO_PROCESS, me) + NICENESS)
