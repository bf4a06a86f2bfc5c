"""The study of error curves: four decoders, three codes, ten sets, over the width of the kernel."""

from functools import lru_cache
from typing import Any

from ecocviz.engine.capabilities import Bounded
from ecocviz.engine.params import ParamValue
from ecocviz.engine.progress import Progress
from ecocviz.lab.evaluate import score_part
from ecocviz.lab.evidence.entries import Cell, Record, Setting, Study
from ecocviz.lab.run import train
from ecocviz.lab.scenario import Scenario, choose, from_query, make_scenario

SMALL = ("anneal", "ecoli", "glass", "soybean", "yeast")
"""The sets of Figure 2: fewer than 2,000 rows."""
LARGE = ("letter", "optdigits", "pendigits", "satimage", "segment")
"""The sets of Figures 3 and 4."""
CODES = {"one-vs-all": "one-vs-all", "one-vs-one": "all pairs", "bch": "dense, 3Q columns"}
"""Coding -> what the paper calls it."""
DECODERS = {
    "hamming": "Hamming",
    "linear": "Linear",
    "soft-margin": "Soft-margin",
    "likelihood": "Likelihood",
}
"""Decoding -> what the paper calls it."""

EXPONENTS = {Setting.QUICK: tuple(range(-5, 6, 2)), Setting.FULL: tuple(range(-5, 6))}
"""The kernel widths, as powers of two."""
FOLDS = {Setting.QUICK: 5, Setting.FULL: 20}
TEST_SHARES: dict[Setting, dict[str, float]] = {
    Setting.QUICK: {"letter": 0.95, "optdigits": 0.82, "pendigits": 0.91, "satimage": 0.84, "segment": 0.57},
    Setting.FULL: {"letter": 0.5, "pendigits": 0.3182, "segment": 0.3333},
}
"""The parts of the large sets that are kept for testing; sets that are not named bring their own."""

N_TEST, N_TRAIN, WRONG, FLAGGED = "n_test", "n_train", "wrong", "flagged"
"""What a record holds: how many test and training points, of those each decoder's errors (decoding ->
count), and how many of these the bound counts with the likelihood decoder (large sets only)."""


def cells(setting: Setting) -> list[Cell]:
    """List all sets, codes and kernel widths."""
    return [
        make_cell(setting, data, coding, exponent)
        for data in (*SMALL, *LARGE)
        for coding in CODES
        for exponent in EXPONENTS[setting]
    ]


def make_cell(setting: Setting, data: str, coding: str, exponent: int, bias: float = 1.0) -> Cell:
    """Make the cell of a set, a code and a kernel width; `bias` is the constant in the kernel."""
    machine: dict[str, ParamValue] = {"gamma": 2.0**exponent, "bias": bias}
    asked = make_scenario(data=data, split=_split(setting, data), coding=coding, machine=("kernel", machine))
    about = {"set": data, "code": coding, "exponent": exponent, "scenario": asked.to_query()}
    return Cell(f"{data}/{coding}/{exponent}", about)


def _split(setting: Setting, data: str) -> tuple[str, dict[str, ParamValue]]:
    if data in SMALL:
        return "k-fold", {"n_folds": FOLDS[setting]}
    share = TEST_SHARES[setting].get(data)
    return ("own", {}) if share is None else ("hold-out", {"test_share": share})


@lru_cache(maxsize=1024)
def _read(query: str) -> Scenario:
    return from_query(query)[0]


def scenario(cell: Cell, decoding: str = "likelihood") -> Scenario:
    """Return the scenario that a cell has measured with one of its decoders."""
    return _read(cell.about["scenario"]).chosen("decoding", decoding)


def measure(cell: Cell, progress: Progress) -> Record:
    """Train the machines of a cell once, and let all decoders read them."""
    trained = train(scenario(cell), progress.part(0, 2), n_jobs=1)
    scored = score_part(trained, "test", progress.part(1, 2))
    wrong = {key: scored.decide(choose("decoding", key), progress.part(1, 2)).n_wrong for key in DECODERS}
    record: dict[str, Any] = {
        N_TEST: scored.truth.size,
        N_TRAIN: trained.shown.prepared.y_train.size,
        WRONG: wrong,
    }
    estimator = trained.shown.estimator
    if cell.about["set"] in LARGE and isinstance(estimator, Bounded):
        record[FLAGGED] = int(estimator.loo_bound("likelihood").flagged.sum())
    return record


STUDY = Study(key="error-curves", cells=cells, measure=measure)
