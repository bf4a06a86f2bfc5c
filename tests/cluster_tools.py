"""A Dask scheduler and workers in processes of their own, as people start them: gone afterwards."""

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from waiting import until

ROOT = Path(__file__).resolve().parent.parent
QUIET = {"DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical"}


class Cluster:
    """Where its scheduler listens, and its processes."""

    def __init__(self, address, scheduler, workers):
        self.address, self.scheduler, self.workers = address, scheduler, workers


@contextmanager
def dask_cluster(n_workers=2):
    """Start a scheduler and workers of one thread, which nobody replaces; linear algebra could have two."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(ignore_cleanup_errors=True)))
        about = folder / "scheduler.json"

        def start(*arguments):
            program = [sys.executable, "-W", "ignore", "-m", "dask", *arguments, "--scheduler-file", about]
            found = {
                "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests"))),
                "OPENBLAS_NUM_THREADS": "2",
            }
            with open(folder / "log", "ab") as log:  # noqa: PTH123 - in a folder of our own
                process = subprocess.Popen(program, env=os.environ | QUIET | found, stdout=log, stderr=log)
            stack.callback(process.wait)
            stack.callback(process.send_signal, signal.SIGKILL)
            return process

        workers = ("worker", "--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", folder)
        scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        processes = [start(*workers) for _ in range(n_workers)]
        until(lambda: about.exists() and about.read_text(encoding="utf-8").strip().endswith("}"))
        yield Cluster(json.loads(about.read_text(encoding="utf-8"))["address"], scheduler, processes)
