"""Trellis codes: how long decoding takes by a path and by comparing all, and the error by width."""

import math
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.losses import exponential_loss
from ecocviz.engine.parallel import calling_thread_only
from ecocviz.engine.progress import Progress
from ecocviz.engine.trellis import trellis
from ecocviz.lab.evaluate import score_part
from ecocviz.lab.evidence.entries import Cell, Record, Setting, Study
from ecocviz.lab.run import load, train
from ecocviz.lab.scenario import Scenario, choose, make_scenario

CLASSES = {
    Setting.QUICK: (100, 1_000, 10_000),
    Setting.FULL: (100, 316, 1_000, 3_162, 10_000, 31_623, 100_000),
}
WIDTHS = (2, 4)
N_POINTS = 200
"""Points that are decoded."""
REPEATS = 5

SETS: Mapping[str, float] = {
    "vowel": 0.5,
    "soybean": 0.5,
    "digits": 0.5,
    "optdigits": 0.7,
    "pendigits": 0.85,
    "letter": 0.9,
}
"""Bundled sets of ten classes and more -> share of the rows that test."""
QUICK_SETS = ("vowel", "soybean", "letter")
SPLITS = {Setting.QUICK: 1, Setting.FULL: 3}
MACHINES: Mapping[str, str] = {"linear": "linear machines", "rbf": "rbf machines"}
"""Kernel -> what it is called."""
LOSSES: Mapping[str, str] = {
    "exponential": "exponential loss",
    "linear": "sum of scores",
    "hamming": "Hamming",
}
"""Decoders; the sum of scores is the heaviest path of the method that the paper builds on."""
MACHINE_C = 10.0


# Times -----------------------------------------------------------------------------------------------


def time_cells(setting: Setting) -> Sequence[Cell]:
    """List numbers of classes x widths."""
    return [
        Cell(f"{K}/{width}", {"classes": K, "width": width}) for K in CLASSES[setting] for width in WIDTHS
    ]


def measure_time(cell: Cell, progress: Progress) -> Record:
    """Decode the same random scores by the shortest path and by comparing all codewords."""
    graph = trellis(int(cell.about["classes"]), int(cell.about["width"]))
    code_matrix = graph.codewords()
    scores = np.random.default_rng(0).normal(size=(N_POINTS, code_matrix.shape[1]))
    plus, minus = exponential_loss(scores), exponential_loss(-scores)
    costs_of = DECODINGS["exponential"].costs
    with calling_thread_only():
        found, by_path = _timed(lambda: graph.nearest(exponential_loss(scores), exponential_loss(-scores)))
        progress.at(0.5)
        compared, by_all = _timed(
            lambda: costs_of(scores, code_matrix, None, weighting="loss-based").argmin(axis=1)
        )
    # Sums of the same numbers in another order: what costs the same is the same.
    mine, least = (np.where(code_matrix[one] > 0, plus, minus).sum(axis=1) for one in (found, compared))
    return {
        "machines": int(code_matrix.shape[1]),
        "same": int(np.isclose(mine, least, rtol=1e-12, atol=0.0).sum()),
        "of": N_POINTS,
        "path": 1e6 * by_path / N_POINTS,
        "all": 1e6 * by_all / N_POINTS,
    }


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return what work finds, and its shortest time after a first one, in seconds."""
    found, took = work(), math.inf
    for _ in range(REPEATS):
        began = perf_counter()
        work()
        took = min(took, perf_counter() - began)
    return found, took


TIMES = Study(key="times", cells=time_cells, measure=measure_time, timed=True)


# Errors ----------------------------------------------------------------------------------------------


def error_cells(setting: Setting) -> Sequence[Cell]:
    """List sets x kernels x splits."""
    names = QUICK_SETS if setting is Setting.QUICK else tuple(SETS)
    return [
        Cell(f"{name}/{kernel}/{seed}", {"set": name, "kernel": kernel, "seed": seed})
        for name in names
        for kernel in MACHINES
        for seed in range(SPLITS[setting])
    ]


def scenario_of(about: Mapping[str, Any], width: int, decoding: str = "exponential") -> Scenario:
    """Return the scenario of a cell with a trellis of some width; one-vs-all for width 0."""
    name = str(about["set"])
    return make_scenario(
        int(about["seed"]),
        data=name,
        split=("hold-out", {"test_share": SETS[name]}),
        coding=("trellis", {"width": width}) if width else "one-vs-all",
        machine=("kernel", {"kernel": str(about["kernel"]), "C": MACHINE_C}),
        decoding=decoding,
    )


def measure_error(cell: Cell, progress: Progress) -> Record:
    """Train and test trellises of every width up to the root of the number of classes, and one-vs-all."""
    n_classes = len(load(scenario_of(cell.about, 0)).classes)
    widths = (*range(2, math.isqrt(n_classes - 1) + 2), 0)
    found: dict[str, Any] = {"n_classes": n_classes, "widths": {}}
    for number, width in enumerate(widths):
        progress.at(number / len(widths))
        scored = score_part(train(scenario_of(cell.about, width), n_jobs=1), "test")
        (batch,) = scored.batches
        assert batch.scores is not None  # noqa: S101 - independent machines have scores
        found["n_test"] = int(scored.truth.size)
        found["widths"][str(width)] = {
            "machines": int(batch.scores.shape[1]),
            "wrong": {key: scored.decide(choose("decoding", key)).n_wrong for key in LOSSES},
        }
    return found


ERRORS = Study(key="errors", cells=error_cells, measure=measure_error)
