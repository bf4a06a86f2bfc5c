"""What all benchmarks share: data, codes, clocks, and tables."""

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from ecocviz.engine.catalogue import build_code

ROOT = Path(__file__).resolve().parent.parent
FILES = ROOT / "ecocviz" / "data" / "files"
SEED = 0
C = 1.0
TOL = 1e-3
OUR_TOL = TOL / 2
"""libsvm's tolerance bounds the difference of two violations, ours a single one: half is equal quality."""
FAMILIES = {"one-vs-all": "one-vs-all", "all-pairs": "one-vs-one", "dense 3Q": "dense-random"}


@dataclass
class Problem:
    """Points scaled to [0, 1], split into training and test rows."""

    name: str
    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


@dataclass
class Table:
    """One result table: rows are dictionaries with the same keys."""

    title: str
    note: str
    rows: list[dict[str, object]] = field(default_factory=list)


def load(name: str, n_rows: int, n_test: int = 2_000) -> Problem:
    """Draw training rows; test rows are the rest, drawn again with a little noise if too few."""
    table = pd.read_csv(FILES / f"{name}.csv.gz")
    X = table.iloc[:, :-1].to_numpy(dtype=np.float64)
    y = pd.factorize(table.iloc[:, -1].astype(str), sort=True)[0]
    generator = np.random.default_rng(SEED)
    order = generator.permutation(y.size)
    train, rest = order[:n_rows], order[n_rows:]
    low, high = X[train].min(axis=0), X[train].max(axis=0)
    X = (X - low) / np.where(high > low, high - low, 1)
    test = rest[:n_test]
    X_test = X[test]
    if test.size < n_test:
        test = generator.choice(rest if rest.size else order, size=n_test)
        X_test = X[test] + generator.normal(scale=1e-3, size=(n_test, X.shape[1]))
    return Problem(name, X[train], y[train], X_test, y[test])


def code(family: str, n_classes: int) -> np.ndarray:
    """Build a code of one of the three families, (n_classes, n_bits)."""
    params = {"n_bits": 3 * n_classes} if family == "dense 3Q" else {}
    return build_code(FAMILIES[family], int(n_classes), seed=SEED, **params)


@dataclass
class Timing:
    """Seconds of the fastest run."""

    cpu: float
    wall: float
    value: object


def timed(function: Callable[[], object], repeats: int = 3, budget: float = 3.0) -> Timing:
    """Run a function a few times, within a budget of seconds, and keep the fastest."""
    best = Timing(np.inf, np.inf, None)
    spent = 0.0
    for _ in range(repeats):
        gc.collect()
        wall, cpu = time.perf_counter(), time.process_time()
        value = function()
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        best = Timing(min(best.cpu, cpu), min(best.wall, wall), value)
        spent += wall
        if spent > budget:
            break
    return best


ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Environment of a process in which linear algebra takes one thread."""


def alone(topic: str, *arguments: object, threads: dict[str, str] | None = None) -> dict[str, object]:
    """Run a topic's file as a program in a fresh process; the JSON of its last line."""
    command = [sys.executable, "-m", f"benchmarks.{topic}", *map(str, arguments)]
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, **(ONE_THREAD if threads is None else threads)},
    )
    return json.loads(done.stdout.splitlines()[-1])


def peak_memory() -> int:
    """Return the most memory that this process ever had, MiB; 0 where the system does not tell.

    It is the process's own: `ru_maxrss` would include its parent's at the fork.
    """
    status = Path("/proc/self/status")
    told = status.read_text().splitlines() if status.exists() else []
    return sum(int(line.split()[1]) // 1024 for line in told if line.startswith("VmHWM:"))


def seconds(value: float) -> str:
    """Write seconds with three digits."""
    return f"{value:.3g}"


def verdict(ratio: float, target: float) -> dict[str, object]:
    """Return the columns that say how far a target was reached."""
    return {
        "ratio": f"{ratio:.1f}x",
        "target": f"{target:g}x",
        "met": "yes" if ratio >= target else "no",
    }


def markdown(table: Table) -> str:
    """Write a table in Markdown."""
    lines = [f"## {table.title}", "", table.note, ""]
    if table.rows:
        names = list(table.rows[0])
        lines += ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
        lines += ["| " + " | ".join(str(row.get(name, "")) for name in names) + " |" for row in table.rows]
        lines.append("")
    return "\n".join(lines)
