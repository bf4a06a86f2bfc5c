"""Measure topics, and write RESULTS.md and results.json beside this file.

python benchmarks/run.py                   every topic, one after the other (about an hour)
python benchmarks/run.py sizes tuning      these topics: their tables replace those of their last run
python benchmarks/run.py --print pipeline  measured and printed only
python benchmarks/run.py --write           nothing measured; RESULTS.md and growth.svg anew from results.json
"""

import argparse
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

from benchmarks._growth_figure import draw  # noqa: E402 - the path comes first
from benchmarks.common import Table, load, markdown  # noqa: E402 - the path comes first

TOPICS = (
    "pipeline",
    "sizes",
    "hard_cases",
    "tuning",
    "large",
    "cluster",
    "rivals",
    "training",
    "multiclass",
    "intelex",
    "prediction",
    "leave_one_out",
    "growth",
    "shares",
    "app",
    "cached_change",
    "visit",
    "waiting",
    "continuous_codes",
    "joint_learning",
    "learned_codings",
    "single_binary",
    "spoc",
    "probabilities",
)
"""Files with a function `measure`, in the order of the report; the other files are programs of their own."""
PACKAGES = ("ecocviz", "numpy", "scipy", "scikit-learn", "numba")
PACE = "five million additions in plain Python, at the start and the end"
NOTE = (
    "Both sides of every ratio were measured in the same run of its topic, BLAS pinned to one thread; the "
    "fastest of a few runs counts. libsvm's tolerance 1e-3 bounds the difference of two violations; ours is "
    "set to 5e-4, the same quality."
)


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


def run(topic: str) -> tuple[dict[str, str], list[Table]]:
    """Measure one topic; where and when, and its tables."""
    facts, began, first = machine(), time.perf_counter(), pace()
    with threadpool_limits(1):
        measured = import_module(f"benchmarks.{topic}").measure()
    facts[PACE] = f"{first}, {pace()}"
    facts["minutes"] = f"{(time.perf_counter() - began) / 60:.1f}"
    return facts, measured if isinstance(measured, list) else [measured]


def merge(known: dict, topic: str, facts: dict[str, str], tables: list[Table]) -> dict:
    """Return the results with one topic's replaced, all in the order of the report.

    `known` has `runs`, the facts of each topic's last run, and `tables`, each with its topic.
    """
    runs = {**known["runs"], topic: facts}
    kept = [table for table in known["tables"] if table["topic"] != topic]
    kept += [{"topic": topic, **asdict(table)} for table in tables]
    return {
        "runs": {name: runs[name] for name in TOPICS if name in runs},
        "tables": sorted(kept, key=lambda table: TOPICS.index(table["topic"])),
    }


def report(results: dict) -> str:
    """Write RESULTS.md: what all runs share, when each topic was measured, its tables."""
    runs, tables = results["runs"], results["tables"]
    facts = next(iter(runs.values()), {})
    shared = [name for name in facts if all(run.get(name) == facts[name] for run in runs.values())]
    differ = list(dict.fromkeys(name for run in runs.values() for name in run if name not in shared))
    rows = [row for table in tables for row in table["rows"] if "met" in row]
    met = sum(row["met"] == "yes" for row in rows)
    head = "\n".join(f"- {name}: {facts[name]}" for name in shared)
    when = Table(
        "When each topic was measured",
        "`python benchmarks/run.py TOPIC` measures one anew.",
        [{"topic": topic} | {name: run.get(name, "") for name in differ} for topic, run in runs.items()],
    )
    parts = [Table(table["title"], table["note"], table["rows"]) for table in tables]
    text = f"# Benchmarks\n\n{head}\n\n{NOTE} Targets met: {met} of {len(rows)}.\n\n"
    return text + "\n".join(map(markdown, [*parts, when]))


def publish(results: dict) -> None:
    """Write what people read."""
    (HERE / "RESULTS.md").write_text(report(results))
    draw(results)


def main() -> None:
    """Measure, print, and write the files topic by topic: a long run that is stopped keeps what it has."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("topics", nargs="*", metavar="topic", help=f"of {', '.join(TOPICS)}")
    parser.add_argument("--print", action="store_true", help="write no file")
    parser.add_argument("--write", action="store_true", help="measure nothing")
    chosen = parser.parse_args()
    unknown = set(chosen.topics) - set(TOPICS)
    if unknown:
        parser.error(f"There is no topic {', '.join(sorted(unknown))}; there are {', '.join(TOPICS)}.")
    stored = HERE / "results.json"
    results = json.loads(stored.read_text())
    if not chosen.write:
        with threadpool_limits(1):
            warm_up()
    for topic in () if chosen.write else chosen.topics or TOPICS:
        facts, tables = run(topic)
        for table in tables:
            print(markdown(table), flush=True)
        if not chosen.print:
            results = merge(results, topic, facts, tables)
            stored.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
            publish(results)
    if chosen.write:
        publish(results)


if __name__ == "__main__":
    main()
