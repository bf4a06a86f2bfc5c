"""The study of run times: the paper's algorithm against solvers of any quadratic program."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from statistics import mean
from time import process_time
from typing import Any

import numpy as np

from ecocviz.engine.progress import Progress
from ecocviz.engine.reductions.support_pattern.on_gram import solve_on_gram
from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.lab.evidence.entries import Cell, Record, Setting, Study
from ecocviz.lab.papers.crammer_singer_2002 import generic
from ecocviz.lab.run import load
from ecocviz.lab.scenario import Scenario, from_query, make_scenario

N_CLASSES = 4
SIZES = {Setting.QUICK: (10, 50, 150), Setting.FULL: (10, 50, 100, 150, 200, 250)}
BETAS = {Setting.QUICK: (1.0, 0.01), Setting.FULL: (1.0, 0.1, 0.01)}
N_SETS = 3
"""Data sets of each size, as in the paper."""
GAP = 1e-6
"""Relative duality gap at which our solvers and clarabel stop."""
REPEATS, ENOUGH = 5, 0.5
"""A solver is timed so often, or until these seconds have gone by, at least twice; the fastest counts."""
MAX_ROUNDS = 1_000_000

OURS = {"SPOC": True, "SPOC, two levels": False}
"""Name -> whether it is the paper's Fig. 4 to the letter."""


def cells(setting: Setting) -> list[Cell]:
    """List sizes and regularisers."""
    return [_cell(size, beta) for size in SIZES[setting] for beta in BETAS[setting]]


def _cell(size: int, beta: float) -> Cell:
    asked = make_scenario(
        data=("quadrants", {"n_samples": size}),
        preparation="as-is",
        split="all",
        reduction=("support-pattern", {"kernel": "linear", "beta": beta, "bias": 0.0}),
    )
    return Cell(f"{size}/{beta:g}", {"size": size, "beta": beta, "scenario": asked.to_query()})


@lru_cache(maxsize=64)
def scenario(query: str) -> Scenario:
    """Return the scenario of a cell: its first data set."""
    return from_query(query)[0]


def points(asked: Scenario, seed: int) -> tuple[FloatArray, IntArray]:
    """Return the points of one of a cell's data sets, (n_samples, 2), and their classes, (n_samples,)."""
    table = load(replace(asked, seed=seed))
    return table.features.to_numpy(dtype=np.float64), table.codes()


def measure(cell: Cell, progress: Progress) -> Record:
    """Time all solvers on the same points, the Gram matrix and writing out the program included."""
    asked, beta = scenario(cell.about["scenario"]), cell.about["beta"]
    times: dict[str, list[float]] = {}
    objectives: list[dict[str, float]] = []
    for seed in range(N_SETS):
        X, y = points(asked, seed)
        found = {}
        for name, solve in _solvers(beta).items():
            progress.part(seed, N_SETS, name).at(0.0)
            seconds, found[name] = _fastest(partial(solve, X, y))
            times.setdefault(name, []).append(round(1000 * seconds, 4))
        objectives.append(found)
    spread = max((max(f.values()) - min(f.values())) / max(f.values()) for f in objectives)
    record: dict[str, Any] = {
        "milliseconds": {name: round(mean(each), 4) for name, each in times.items()},
        "sets": times,
        "spread": float(f"{spread:.1e}"),
    }
    return record


def _solvers(beta: float) -> dict[str, Callable[[FloatArray, IntArray], float]]:
    """Return name -> solver of points and classes, which returns its objective."""

    def ours(X: FloatArray, y: IntArray, *, plain: bool) -> float:
        gram = X @ X.T
        return solve_on_gram(gram, y, N_CLASSES, beta, tol=GAP, plain=plain, max_rounds=MAX_ROUNDS).objective

    def theirs(X: FloatArray, y: IntArray, *, solve: generic.Solve) -> float:
        return solve(X @ X.T, y, N_CLASSES, beta)

    return {
        **{name: partial(ours, plain=plain) for name, plain in OURS.items()},
        **{name: partial(theirs, solve=solve) for name, solve in generic.installed().items()},
    }


def _fastest(run: Callable[[], float]) -> tuple[float, float]:
    """Return the least processor time of several runs, and what they return."""
    spent: list[float] = []
    found = np.nan
    while len(spent) < 2 or (len(spent) < REPEATS and sum(spent) < ENOUGH):
        began = process_time()
        found = run()
        spent.append(process_time() - began)
    return min(spent), found


STUDY = Study(key="run-time", cells=cells, measure=measure, timed=True, needs=generic.missing)
