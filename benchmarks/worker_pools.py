"""Which pool of processes stands behind the workers: loky, the standard library's, or Dask's local cluster.

    python benchmarks/worker_pools.py            measures the pools, one after the other, some 2 minutes
    python benchmarks/worker_pools.py --trained  sends trained machines (letter) through parcels and back

Each pool has two workers that have imported what a training needs. Times are wall clock, the
quickest of a few, which is the least disturbed one; trainings are told in seconds of processor time.
"""

import argparse
import multiprocessing
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, ProcessPoolExecutor, wait
from contextlib import ExitStack
from pathlib import Path

import psutil
import streamlit  # noqa: F401 - the app's program has loaded it too, and workers should not

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks._pool_tasks import load, modules, nap, same, trained, who, zeros
from ecocviz.engine.progress import NO_PROGRESS
from ecocviz.lab.workers import Workers

MEGABYTES = 300


def memory(pid):
    """Proportional share of memory, MB: what it adds to the machine."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
    except FileNotFoundError:
        return 0.0  # gone meanwhile
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")) / 1000


def loky(stack):
    from loky.process_executor import ProcessPoolExecutor as Loky

    pools = [Loky(1, initializer=load) for _ in range(2)]
    for pool in pools:
        stack.callback(pool.shutdown, kill_workers=True)
    return pools


def standard(method):
    def make(stack):
        context = multiprocessing.get_context(method)
        return [stack.enter_context(ProcessPoolExecutor(1, context, load)) for _ in range(2)]

    return make


def dask(stack):
    from distributed import Client, LocalCluster

    cluster = stack.enter_context(
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    )
    client = stack.enter_context(Client(cluster))
    client.run(load)
    return [client.get_executor(pure=False)] * 2


def ours(stack):
    workers = stack.enter_context(Workers(2))
    return [workers, workers]


POOLS: dict[str, Callable[[ExitStack], list[Executor]]] = {
    "loky": loky,
    "spawn": standard("spawn"),
    "forkserver": standard("forkserver"),
    "dask": dask,
    "loky, our parcels": ours,
}


def seconds(work, times=1):
    took = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
    return min(took)


def both(pools, seconds):
    """Keep both workers busy at the same time; return what is awaited of each."""
    return [pool.submit(nap, seconds) for pool in pools]


def kill_one(pools, pids):
    """End one of two tasks by its process: seconds until its caller knows, and what became of the two."""
    tasks = both(pools, 4)
    time.sleep(1)
    began = time.perf_counter()
    os.kill(min(pids), signal.SIGKILL)
    wait(tasks, timeout=30, return_when=FIRST_COMPLETED)
    took = time.perf_counter() - began
    ends = [type(task.exception()).__name__.replace("NoneType", "done") for task in tasks]
    return f"{took:.2f} s, {' and '.join(sorted(ends))}"


def measure(name):
    with ExitStack() as stack:
        pools: list[Executor] = []

        def begin():
            pools.extend(POOLS[name](stack))
            wait(both(pools, 0.0))

        start = seconds(begin)
        small = seconds(lambda: pools[0].submit(who).result(), 200)
        plain = seconds(lambda: zeros(MEGABYTES), 3)
        large = seconds(lambda: pools[0].submit(zeros, MEGABYTES).result(), 5) - plain
        interface = pools[0].submit(modules).result()
        pids = {task.result() for task in both(pools, 0.5)}
        idle = statistics.mean(memory(pid) for pid in pids)
        others = {child.pid for child in psutil.Process().children(recursive=True)} - pids
        extra = sum(memory(pid) for pid in others)
        print(
            f"| {name} | {start:.1f} | {1000 * small:.1f} | {MEGABYTES / max(large, 1e-9):.0f} | {idle:.0f} "
            f"| {len(others)}, {extra:.0f} | {'yes' if interface else 'no'} | {kill_one(pools, pids)} |",
            flush=True,
        )


def measure_trained():
    from ecocviz.lab.keeper import size_of
    from ecocviz.lab.scenario import make_scenario

    print("| letter | MB | trained here, CPU s | in a worker, CPU s | there and back, ms | MB/s |")
    print("|---|---|---|---|---|---|", flush=True)
    with Workers(1) as workers:
        workers.submit(who).result()
        for coding in ("one-vs-all", "one-vs-one"):
            scenario = make_scenario(data="letter", coding=coding, machine=("kernel", {"gamma": 8.0}))
            here, took = trained(scenario, NO_PROGRESS)
            _, there = workers.call(trained, scenario, report=NO_PROGRESS)
            size = size_of(here) / 1e6
            back = seconds(lambda here=here: workers.call(same, here, report=NO_PROGRESS), 7)
            print(
                f"| {coding} | {size:.0f} | {took:.1f} | {there:.1f} | {1000 * back:.0f} "
                f"| {2 * size / back:.0f} |",
                flush=True,
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trained", action="store_true")
    parser.add_argument("--pool", choices=POOLS)
    chosen = parser.parse_args()
    if chosen.trained:
        return measure_trained()
    if chosen.pool:
        return measure(chosen.pool)
    print("| pool | start, s | task, ms | MB/s | a worker, MB | others, MB | Streamlit | one killed |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for name in POOLS:  # each in a process of its own
        subprocess.run([sys.executable, __file__, "--pool", name], check=False)
    return None


if __name__ == "__main__":
    main()
