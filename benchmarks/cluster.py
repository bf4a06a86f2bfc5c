"""A sweep of 200 points by two workers of a Dask cluster: how much faster, the same numbers, faults survived.

    python benchmarks/cluster.py

Wall-clock seconds, which need two processors that nobody else uses: the serial run, two workers, the same
with a worker killed on the way, and with the client killed on the way and another one going on. A worker is
a process of one thread.
"""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import psutil  # noqa: E402 - the path comes first

from benchmarks.common import Table, markdown, seconds, verdict  # noqa: E402 - the path comes first
from ecocviz.lab.curves import Measure  # noqa: E402 - the path comes first
from ecocviz.lab.scenario import make_scenario  # noqa: E402 - the path comes first
from ecocviz.lab.sweep import sweep  # noqa: E402 - the path comes first
from ecocviz.lab.threads import one_thread_each  # noqa: E402 - the path comes first

TARGET = 1.7
DATA, CODING, DECODING = "satimage", "one-vs-all", "likelihood"
OVER = {"machine.gamma": [0.05 * 1.4**k for k in range(20)], "machine.C": [0.5 * 2.0**k for k in range(10)]}
MEASURES = (Measure.TEST, Measure.TRAIN, Measure.BOUND)
KILLED_AFTER = 40


def scenario():
    return make_scenario(data=DATA, coding=CODING, decoding=DECODING)


def arrays(point):
    """Return all that was measured of a point, without the seconds."""
    return {
        measure: (r.n_wrong, r.n, r.rows.tobytes(), r.flagged.tobytes(), r.margins.tobytes())
        for measure, r in point.found.items()
    }


def cpu(pids):
    """Processor seconds that each process has used so far."""
    return {pid: sum(psutil.Process(pid).cpu_times()[:2]) for pid in pids}


def swept(executor=None, on_point=None):
    """Run the sweep; return its seconds and what was found at each point."""
    began, found = time.perf_counter(), {}
    for point in sweep(scenario(), OVER, measures=MEASURES, executor=executor, n_jobs=1):
        found[point.position] = arrays(point)
        if on_point is not None:
            on_point(len(found))
    return time.perf_counter() - began, found


def loaded(_, __):
    """Load what a point needs, and its compiled loops; say which process this is."""
    list(sweep(scenario(), {"machine.gamma": [1.0]}, measures=MEASURES, n_jobs=1))
    return os.getpid()


@contextmanager
def cluster():
    """Give the client of a local cluster of two processes that have loaded what they need, and their ids."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as local,
        Client(local) as client,
    ):
        yield client, client.run(loaded, None, None)


def killing(pid):
    """Return what ends a process after some points."""

    def kill(n_found):
        if n_found == KILLED_AFTER:
            os.kill(pid, signal.SIGKILL)

    return kill


def lines_of(file):
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def client_killed(address, folder):
    """Kill a client on the way, let another one go on; return the seconds of both, and all points' counts."""
    file = folder / "points.jsonl"
    over = [f"{name}={','.join(map(repr, values))}" for name, values in OVER.items()]
    command = [sys.executable, "-m", "ecocviz.cli", "sweep", "--cluster", address, "--out", str(file)]
    command += ["--set", f"data={DATA}", f"coding={CODING}", f"decoding={DECODING}", "--over", *over]
    command += ["--measure", *(measure.value for measure in MEASURES)]
    began = time.perf_counter()
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
    while len(lines_of(file)) < KILLED_AFTER:
        time.sleep(0.05)
    first.kill()
    first.wait()
    n_first = len(lines_of(file))
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT, check=True)
    took = time.perf_counter() - began
    found = [json.loads(line) for line in lines_of(file)]
    counts = {json.dumps(row["scenario"]): [row[m.value]["wrong"] for m in MEASURES] for row in found}
    return took, n_first, counts


def measure() -> Table:
    one_thread_each()
    n_points = len(OVER["machine.gamma"]) * len(OVER["machine.C"])
    table = Table(
        f"A sweep of {n_points} points on a cluster of two worker processes",
        f"{DATA}, {CODING}, {DECODING} decoding, test and training error and bound at each point; wall-clock "
        "seconds, workers of one thread that have loaded what they need. Busiest: processor seconds of the "
        "process that worked most, which do not depend on who else uses the machine. Equal: every margin, to "
        "the last bit; of the points in the file, every count.",
    )
    loaded(None, None)
    busy = time.process_time()
    alone, expected = swept()
    busy = time.process_time() - busy

    def row(what, took, equal, **more):
        equally = "yes" if equal else "no"
        table.rows.append({"run": what, "s": seconds(took), "points": n_points, "equal": equally} | more)

    row("one process, one thread", alone, equal=True, busiest=seconds(busy))
    with cluster() as (client, pids):
        before = cpu(pids.values())
        took, found = swept(client.get_executor(pure=False))
        most = max(used - before[pid] for pid, used in cpu(pids.values()).items())
        busiest = f"{seconds(most)} ({busy / most:.2f}x)"
        row("two workers", took, found == expected, busiest=busiest, **verdict(alone / took, TARGET))
        took, found = swept(client.get_executor(pure=False), killing(min(pids.values())))
        row(f"two workers, one killed after {KILLED_AFTER} points", took, found == expected)
        with TemporaryDirectory() as folder:
            took, n_first, counts = client_killed(client.scheduler.address, Path(folder))
        wrong = sorted([found[m][0] for m in MEASURES] for found in expected.values())
        equal = len(counts) == n_points and sorted(counts.values()) == wrong
        row(f"client killed after {n_first} points, another goes on", took, equal)
    return table


if __name__ == "__main__":
    print(markdown(measure()))
