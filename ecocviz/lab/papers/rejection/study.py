"""Test points rejected by syndrome and by margin: how many, and what is wrong among the others."""

from collections.abc import Mapping, Sequence
from typing import Any

from ecocviz.engine.analysis.rejection import (
    Reason,
    margins,
    reject_by_syndrome,
    rejection_curve,
)
from ecocviz.engine.progress import Progress
from ecocviz.lab.evidence.entries import Cell, Record, Setting, Study
from ecocviz.lab.papers._words_received import QUICK_SETS, SETS, Received, decided, received, scenario_of

CODES: Mapping[str, str] = {
    "one-vs-all": "one-vs-all",
    "one-vs-one": "one-vs-one",
    "dense-random": "dense random",
    "bch": "BCH",
}
SOFT: Mapping[str, str] = {
    "linear": "linear loss",
    "exponential": "exponential loss",
    "likelihood": "likelihood",
}
"""Decoders that read scores -> what they are called."""
WORDS = "attenuated-hamming"
"""The decoder that finds the nearest codeword; a zero of the code costs nothing."""
SHARES = (0, 5, 10, 20, 30, 50)
"""Percent of the points rejected by margin."""
SEEDS = {Setting.QUICK: 1, Setting.FULL: 3}


def cells(setting: Setting) -> Sequence[Cell]:
    """List sets x splits."""
    names = QUICK_SETS if setting is Setting.QUICK else tuple(SETS)
    return [
        Cell(f"{name}/{seed}", {"set": name, "seed": seed})
        for name in names
        for seed in range(SEEDS[setting])
    ]


def measure(cell: Cell, progress: Progress) -> Record:
    """Train every code of a cell, and reject."""
    found = {}
    for number, code in enumerate(CODES):
        step = progress.part(number, len(CODES))
        words = received(scenario_of(cell.about, code), step)
        found[code] = rejected(words, step)
    return {"codes": found}


def rejected(words: Received, progress: Progress) -> dict[str, Any]:
    """Count what both rules reject, and what is wrong among the others."""
    near = decided(words, WORDS, progress)
    kept = reject_by_syndrome(near.costs, words.repairs) == Reason.DECIDED
    within = words.report.wrong_bits <= words.repairs
    n_gone = int((~kept).sum())
    margin: dict[str, Any] = {}
    for key in SOFT:
        outcome = decided(words, key, progress)
        curve = rejection_curve(outcome.wrong, -margins(outcome.costs))
        steps = [curve.at(share / 100) for share in SHARES]
        same = curve.at(n_gone / near.n)
        margin[key] = {
            "gone": curve.n_rejected[steps].tolist(),
            "wrong": curve.n_wrong[steps].tolist(),
            "same": [int(curve.n_rejected[same]), int(curve.n_wrong[same])],
        }
    return {
        "n": near.n,
        "repairs": words.repairs,
        "wrong": near.n_wrong,
        "gone": n_gone,
        "wrong_kept": int((near.wrong & kept).sum()),
        "within": int(within.sum()),
        "within_right": int((within & kept & ~near.wrong).sum()),
        "margin": margin,
    }


STUDY = Study(key="rejected", cells=cells, measure=measure)
