"""Wrong bits of codes of several lengths, and what bounds how many come together."""

from collections.abc import Sequence

import numpy as np

from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.analysis.correlations import error_correlations
from ecocviz.engine.analysis.error_bounds import tails
from ecocviz.engine.progress import Progress
from ecocviz.lab.evidence.entries import Cell, Record, Setting, Study
from ecocviz.lab.papers._words_received import decided, received, scenario_of

SETS = ("vowel", "yeast", "segment", "optdigits", "pendigits", "letter")
QUICK_SETS = ("vowel", "yeast")
LENGTHS = (15, 31, 63)
CODING = "dense-random"
BOUNDS = ("observed", "independent", "chernoff", "first_order", "cantelli", "sharp")
"""What is kept of `Tails`."""
SEEDS = {Setting.QUICK: 1, Setting.FULL: 2}


def cells(setting: Setting) -> Sequence[Cell]:
    """List sets x lengths x splits."""
    return [
        Cell(f"{name}/{length}/{seed}", {"set": name, "length": length, "seed": seed})
        for name in (QUICK_SETS if setting is Setting.QUICK else SETS)
        for length in LENGTHS
        for seed in range(SEEDS[setting])
    ]


def measure(cell: Cell, progress: Progress) -> Record:
    """Train a code of a length, and lay its wrong bits beside their bounds."""
    length = int(cell.about["length"])
    words = received(scenario_of(cell.about, CODING, length), progress)
    report, promise = words.report, code_report(words.code_matrix)
    repairs = max(words.repairs, 0)
    found = tails(report, repairs)
    phi = error_correlations(report.wrong, report.asked)[np.triu_indices(length, k=1)]
    return {
        "n": int(report.wrong_bits.size),
        "distance": int(promise.min_distance),
        "repairs": repairs,
        "rate": round(float(1 - np.nanmean(report.accuracies)), 6),
        "phi": round(float(np.nanmean(phi)), 4) if np.isfinite(phi).any() else 0.0,
        "proper": found.paired_exist,
        "wrong": decided(words, "hamming", progress).n_wrong,
        "beyond": int(report.histogram[repairs + 1 :].sum()),
        "bounds": {name: float(f"{getattr(found, name)[repairs]:.8g}") for name in BOUNDS},
    }


STUDY = Study(key="tails", cells=cells, measure=measure)
