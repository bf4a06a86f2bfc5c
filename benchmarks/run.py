"""Run every benchmark in one go and write RESULTS.md and results.json beside this file.

python benchmarks/run.py             everything (about a quarter of an hour)
python benchmarks/run.py pipeline    some topics, printed only
"""

import datetime as dt
import json
import platform
import sys
import time
from dataclasses import asdict
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import numpy as np  # noqa: E402 - the path comes first
from threadpoolctl import threadpool_limits  # noqa: E402 - the path comes first

from benchmarks.common import Table, load, markdown  # noqa: E402 - the path comes first

FIRST = ("pipeline", "training", "multiclass", "intelex", "prediction", "leave_one_out", "growth")
PACKAGES = ("ecocviz", "numpy", "scipy", "scikit-learn", "numba")
PACE = "five million additions in plain Python, at the start and the end"


def all_topics() -> tuple[str, ...]:
    """Return the topics: one file each with a function `measure`; common.py, run.py and _names are none."""
    found = {path.stem for path in HERE.glob("[a-z]*.py")} - {"common", "run"}
    return (*FIRST, *sorted(found - set(FIRST)))


def machine() -> dict[str, str]:
    """Say where and with what this ran."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if "model name" in line
        ]
        cpu = f"{models[0]}, {len(models)} processors" if models else cpu
    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = version(name)
        except ModuleNotFoundError:
            versions[name] = "source"
    return {
        "date": dt.datetime.now(dt.UTC).strftime("%Y-%m-%d"),
        "processor": cpu,
        "system": platform.platform(),
        "python": platform.python_version(),
        **versions,
    }


def pace() -> str:
    """Say how fast this machine is just now: others may share it, and wall-clock times go with that."""
    began = time.perf_counter()
    total = 0
    for step in range(5_000_000):
        total += step
    return f"{time.perf_counter() - began:.2f} s"


def warm_up() -> None:
    """Compile every loop in both precisions, so that no measurement pays for it."""
    from benchmarks.common import code
    from benchmarks.pipeline import ours
    from ecocviz.engine.columns import train_columns
    from ecocviz.engine.machines.kernel_machine import KernelMachine

    for n_rows in (300, 1100):
        problem = load("segment", n_rows, n_test=50)
        for family in ("one-vs-all", "all-pairs"):
            ours(problem, code(family, 7), 1.0)
        targets = np.where(problem.y > 3, 1, -1).astype(np.int8)[:, None]
        targets[:290] = 0
        train_columns(KernelMachine(), problem.X, targets).leave_one_out_scores(tol=1e-2)


def profile() -> str:
    """Say where the time of our pipeline goes, for one easy and one hard case."""
    import cProfile
    import pstats

    from benchmarks.common import code
    from benchmarks.pipeline import ours

    lines = ["## Where our time goes", ""]
    for name, gamma, family in (("optdigits", 0.0625, "all-pairs"), ("optdigits", 1.0, "dense 3Q")):
        problem = load(name, 2000)
        matrix = code(family, 10)
        profiler = cProfile.Profile(time.process_time)
        profiler.runcall(ours, problem, matrix, gamma)
        stats = pstats.Stats(profiler).stats
        total = sum(entry[2] for entry in stats.values())
        largest = sorted(stats.items(), key=lambda item: -item[1][2])[:6]
        shares = ", ".join(f"`{key[2]}` {100 * entry[2] / total:.0f} %" for key, entry in largest)
        lines.append(f"- {name} 2000, γ = {gamma:g}, {family}: {1000 * total:.0f} ms, of which {shares}.")
    return "\n".join([*lines, ""])


def main(topics: tuple[str, ...]) -> None:
    """Measure, print, and write the files when everything was measured."""
    started = time.perf_counter()
    facts = machine() | {PACE: pace()}
    tables: list[Table] = []
    with threadpool_limits(1):
        warm_up()
        for topic in topics or all_topics():
            measured = import_module(f"benchmarks.{topic}").measure()
            for table in measured if isinstance(measured, list) else [measured]:
                tables.append(table)
                print(markdown(table), flush=True)
            if not topics:  # written topic by topic: a long run that is stopped keeps what it measured
                write(facts, tables, started, "")
        spent = profile()
    print(spent)
    if not topics:
        facts[PACE] += f", {pace()}"
        write(facts, tables, started, spent)


def write(facts: dict[str, str], tables: list[Table], started: float, spent: str) -> None:
    """Write what was measured so far, and where and when."""
    facts["minutes"] = f"{(time.perf_counter() - started) / 60:.0f}"
    head = "\n".join(f"- {name}: {value}" for name, value in facts.items())
    with_targets = [row for table in tables for row in table.rows if "met" in row]
    met = sum(row["met"] == "yes" for row in with_targets)
    text = (
        f"# Benchmarks\n\n{head}\n\nBoth sides of every ratio were measured in this run, BLAS pinned to one "
        f"thread; the fastest of a few runs counts. libsvm's tolerance 1e-3 bounds the difference of two "
        f"violations; ours is set to 5e-4, the same quality. Targets met: {met} of {len(with_targets)}.\n\n"
    )
    (HERE / "RESULTS.md").write_text(text + "\n".join(markdown(table) for table in tables) + "\n" + spent)
    (HERE / "results.json").write_text(
        json.dumps(
            {"facts": facts, "tables": [asdict(table) for table in tables]}, indent=1, ensure_ascii=False
        )
    )


if __name__ == "__main__":
    main(tuple(sys.argv[1:]))
