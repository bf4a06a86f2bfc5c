"""The same rows of a code given to the classes in several orders, with the machines trained for each."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ecocviz.data.prepare import prepare
from ecocviz.engine.analysis.assignment import Assignment, agreement, assign_rows, class_distances
from ecocviz.engine.analysis.bits import bit_report
from ecocviz.engine.catalogue import build_code
from ecocviz.engine.params import ParamValue, pack_matrix
from ecocviz.engine.progress import Progress
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray
from ecocviz.lab.evaluate import score_part
from ecocviz.lab.evidence.entries import Cell, Record, Setting, Study
from ecocviz.lab.run import load, shown_fold, train
from ecocviz.lab.scenario import Scenario, choose, make_scenario

SETS: Mapping[str, float] = {
    "glass": 0.5,
    "ecoli": 0.5,
    "soybean": 0.5,
    "vowel": 0.5,
    "yeast": 0.5,
    "segment": 0.5,
    "satimage": 0.7,
    "optdigits": 0.7,
    "pendigits": 0.85,
    "letter": 0.9,
}
"""Bundled sets of six classes and more -> share of the rows that test."""
QUICK_SETS = ("glass", "vowel", "yeast", "optdigits")
MACHINES: Mapping[str, str] = {"linear": "linear machines", "rbf": "rbf machines"}
"""Kernel -> what it is called."""
SHORT = "short"
CODES: Mapping[str, str] = {
    "dense-random": "dense random",
    SHORT: "dense random, short",
    "bch": "BCH",
    "sparse-random": "sparse random",
    "nested-dichotomies": "nested dichotomies",
}
"""Codes whose rows are not equally far apart -> what they are called."""
CONTROLS: Mapping[str, str] = {"one-vs-all": "one-vs-all", "one-vs-one": "one-vs-one"}
"""Codes of which every order of the rows has the same columns."""
DECODINGS: Mapping[str, str] = {"hamming": "Hamming", "exponential": "exponential loss"}
N_ORDERS = 3
"""Arbitrary orders: the code as it is built, and drawn ones."""
SEEDS = {Setting.QUICK: 1, Setting.FULL: 3}
MACHINE_C = 10.0


def cells(setting: Setting) -> Sequence[Cell]:
    """List sets x kernels x splits."""
    names = QUICK_SETS if setting is Setting.QUICK else tuple(SETS)
    return [
        Cell(f"{name}/{kernel}/{seed}", {"set": name, "kernel": kernel, "seed": seed})
        for name in names
        for kernel in MACHINES
        for seed in range(SEEDS[setting])
    ]


def code_of(code: str, n_classes: int, seed: int) -> CodeMatrix:
    """Build a code of the study, (n_classes, n_bits); the short one has twice the fewest columns."""
    if code != SHORT:
        return build_code(code, n_classes, seed)
    return build_code("dense-random", n_classes, seed, n_bits=2 * (n_classes - 1).bit_length())


def scenario_of(
    about: Mapping[str, Any], code_matrix: CodeMatrix | None = None, decoding: str = "hamming"
) -> Scenario:
    """Return the scenario of a cell with a code."""
    coding: tuple[str, Mapping[str, ParamValue]] = ("one-vs-all", {})
    if code_matrix is not None:
        coding = ("custom", {"matrix": pack_matrix(code_matrix)})
    return make_scenario(
        int(about["seed"]),
        data=str(about["set"]),
        split=("hold-out", {"test_share": SETS[str(about["set"])]}),
        coding=coding,
        machine=("kernel", {"kernel": str(about["kernel"]), "C": MACHINE_C}),
        decoding=decoding,
    )


def measure(cell: Cell, progress: Progress) -> Record:
    """Train and test every code of a cell in all its orders."""
    scenario = scenario_of(cell.about)
    table = load(scenario)
    n_classes, seed = len(table.classes), int(cell.about["seed"])
    fold = shown_fold(scenario, table)
    points = prepare(table, fold, scenario.preparation.key, scenario.preparation.values)
    distances = class_distances(points.X_train, points.y_train, n_classes)
    every = {**CODES, **CONTROLS}
    found: dict[str, Any] = {"n_test": int(points.y_test.size), "n_classes": n_classes, "codes": {}}
    for number, code in enumerate(every):
        progress.at(number / len(every))
        given = code_of(code, n_classes, seed)
        orders = _orders(given, distances, seed, control=code in CONTROLS)
        found["codes"][code] = {
            name: _tested(scenario_of(cell.about, given[rows]), given[rows], distances, rows, progress)
            for name, rows in orders.items()
        }
    return found


def _orders(given: CodeMatrix, distances: FloatArray, seed: int, *, control: bool) -> dict[str, IntArray]:
    """Return the orders of the rows that are compared: name -> row of each class, (n_classes,)."""
    K = given.shape[0]
    rng = np.random.default_rng(1_000 + seed)
    orders = {f"any {k}": rng.permutation(K) if k else np.arange(K) for k in range(N_ORDERS)}
    if control:
        return orders
    ends: dict[str, Assignment] = {
        name: assign_rows(given, distances, near=name == "near", seed=seed) for name in ("near", "far")
    }
    return {**{name: end.rows for name, end in ends.items()}, **orders}


def _tested(
    scenario: Scenario, code_matrix: CodeMatrix, distances: FloatArray, rows: IntArray, progress: Progress
) -> dict[str, Any]:
    """Train the machines of a code and count wrong decisions and wrong bits on the test points."""
    scored = score_part(train(scenario, n_jobs=1), "test")
    progress.check()
    (batch,) = scored.batches
    assert batch.scores is not None  # noqa: S101 - independent machines have scores
    bits = bit_report(batch.scores, code_matrix, batch.y)
    near = agreement(code_matrix, distances)
    return {
        "rows": "".join(chr(ord("A") + int(row)) for row in rows),
        "agreement": None if near is None else round(near, 4),
        "bits": round(float(bits.wrong.sum() / bits.asked.sum()), 5),
        "wrong": {key: scored.decide(choose("decoding", key)).n_wrong for key in DECODINGS},
    }


def rows_of(text: str) -> IntArray:
    """Read an order of rows as `measure` writes it, one letter a class.

    >>> rows_of("BAC").tolist()
    [1, 0, 2]
    """
    return np.array([ord(letter) - ord("A") for letter in text])


STUDY = Study(key="orders", cells=cells, measure=measure)
