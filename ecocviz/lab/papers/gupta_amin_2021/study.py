"""Row distances that are proved against those that searches find, and the errors of such codes."""

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from ecocviz.engine.codings.integer_programming import solution
from ecocviz.engine.kernels.row_distances import largest_distance, row_distances, smallest_and_mean
from ecocviz.engine.progress import Progress
from ecocviz.engine.random_codes import annealed_code, best_random_code
from ecocviz.engine.types import CodeMatrix
from ecocviz.lab.evidence.entries import Cell, Record, Setting, Study
from ecocviz.lab.run import run
from ecocviz.lab.scenario import Scenario, make_scenario

DRAWS = 10_000
"""Of a random code: as many as the usual search promises."""
SWEEPS = 200
LENGTHS = (1.0, 1.5, 2.0, 3.0)
"""Machines for each class."""
CLASSES = {Setting.QUICK: (4, 5, 6, 7, 8), Setting.FULL: (4, 5, 6, 7, 8, 9, 10)}
SEARCHES: Mapping[str, str] = {"random": f"best of {DRAWS:,} random codes", "annealed": "annealing"}

SETS: Mapping[str, float] = {
    "glass": 0.5,
    "ecoli": 0.5,
    "vowel": 0.5,
    "yeast": 0.5,
    "segment": 0.5,
    "satimage": 0.7,
    "optdigits": 0.7,
    "pendigits": 0.85,
}
"""Bundled sets of 6 to 11 classes -> share of the rows that test."""
QUICK_SETS = ("glass", "ecoli", "yeast", "segment")
SPLITS = {Setting.QUICK: 1, Setting.FULL: 3}
PROVED = "integer-programming"
STANDARD: Mapping[str, str] = {
    "one-vs-all": "one-vs-all",
    "one-vs-one": "one-vs-one",
    "dense-random": "dense random",
    "sparse-random": "sparse random",
}
"""The codes that the paper compares its own with."""
MACHINE_C = 10.0


# Distances -------------------------------------------------------------------------------------------


def distance_cells(setting: Setting) -> Sequence[Cell]:
    """List numbers of classes x machines."""
    sizes = [(K, round(share * K)) for K in CLASSES[setting] for share in LENGTHS]
    return [Cell(f"{K}x{L}", {"classes": K, "machines": L}) for K, L in sizes if L < 2 ** (K - 1) - 1]


def measure_distance(cell: Cell, progress: Progress) -> Record:
    """Prove the largest row distance of a size, and search for it in other ways."""
    K, L = int(cell.about["classes"]), int(cell.about["machines"])
    solution.cache_clear()
    began = perf_counter()
    proved = solution(K, L)
    found: dict[str, Any] = {
        "proved": {"distance": proved.distance, "bound": proved.bound, "took": perf_counter() - began},
        "plain_bound": largest_distance(K, L),
    }
    progress.at(0.5)
    for key in SEARCHES:
        began = perf_counter()
        searched = _search(key, K, L)
        found[key] = {"distance": _distance(searched), "took": perf_counter() - began}
    return found


def _search(key: str, K: int, L: int) -> CodeMatrix:
    if key == "random":
        return best_random_code(K, L, zero_share=0.0, trials=DRAWS, rng=np.random.default_rng(0))
    return annealed_code(K, L, SWEEPS, seed=0)


def _distance(code_matrix: CodeMatrix) -> int:
    return int(smallest_and_mean(row_distances(code_matrix))[0])


DISTANCES = Study(key="distances", cells=distance_cells, measure=measure_distance, timed=True)


# Errors ----------------------------------------------------------------------------------------------


def error_cells(setting: Setting) -> Sequence[Cell]:
    """List sets x splits."""
    names = QUICK_SETS if setting is Setting.QUICK else tuple(SETS)
    return [
        Cell(f"{name}/{seed}", {"set": name, "seed": seed})
        for name in names
        for seed in range(SPLITS[setting])
    ]


def scenario_of(about: Mapping[str, Any], coding: str) -> Scenario:
    """Return the scenario of a cell with a code of the catalogue."""
    name = str(about["set"])
    return make_scenario(
        int(about["seed"]),
        data=name,
        split=("hold-out", {"test_share": SETS[name]}),
        coding=coding,
        machine=("kernel", {"kernel": "rbf", "C": MACHINE_C}),
        decoding="hamming",
    )


def measure_error(cell: Cell, progress: Progress) -> Record:
    """Train and test every code on a split of a set."""
    found: dict[str, Any] = {"wrong": {}, "machines": {}}
    for number, code in enumerate((PROVED, *STANDARD)):
        progress.at(number / (len(STANDARD) + 1))
        result = run(scenario_of(cell.about, code))
        found["wrong"][code] = result.test.n_wrong
        found["machines"][code] = int(result.trained.code_matrix.shape[1])
        found["n_test"] = result.test.n
    return found


ERRORS = Study(key="errors", cells=error_cells, measure=measure_error)
