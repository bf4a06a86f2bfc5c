"""Accuracies of codes and learners: what the studies of the tables measure, and what is counted in them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from scipy import stats

from ecocviz.engine.progress import Progress
from ecocviz.engine.types import FloatArray
from ecocviz.lab.evidence.entries import Cell, Measured, Record, Setting, Statement, Study
from ecocviz.lab.papers.liu_2016.printed import FIXED, LEARNED, NAMES, SETS
from ecocviz.lab.papers.liu_2016.trials import ALONE, JCL, LEARNERS, SVM, cell, turns

FULL: Final = {"inner": 3, "Cs": [0.001, 0.01, 0.1, 1.0, 10.0], "lambdas": [1e-6, 1e-4, 1e-2]}
QUICK: Final = {"inner": 3, "Cs": [0.01, 0.1, 1.0], "lambdas": [1e-5, 1e-2]}
QUICK_SETS: Final = ("tae", "wine", "new-thyroid", "glass")
READ: Final = ("real", "hard")
WORDS: Final = {"real": "by real scores", "hard": "by signs"}
SIGNIFICANT = 0.05
MOST = 0.51
"""More than half of a few dozen."""
NEAR = 3.0
"""Points within which a printed accuracy counts as found again: about the error of a mean of five folds."""


def measure(cell: Cell, progress: Progress) -> Record:
    """Count what every learner gets right in every fold, by both decoders."""
    found: dict[str, Any] = {
        learner: {reading: {"right": [], "chosen": []} for reading in READ} for learner in LEARNERS
    }
    n, bits = [], []
    for turn in turns(cell.about, progress):
        n.append(int(turn.points.y_test.size))
        bits.append(int(turn.code_matrix.shape[1]))
        for (learner, reading), tested in turn.tested.items():
            place = found[learner][reading]
            place["right"].append(int(np.count_nonzero(tested.labels == turn.points.y_test)))
            place["chosen"].append(dict(tested.values))
    return {"n": n, "bits": bits, **found}


def _cells(codes: Sequence[str]) -> Callable[[Setting], list[Cell]]:
    def cells(setting: Setting) -> list[Cell]:
        sets, grid = (SETS, FULL) if setting is Setting.FULL else (QUICK_SETS, QUICK)
        return [cell(data, coding, READ, **grid) for data in sets for coding in codes]

    return cells


TABLE_2 = Study(key="fixed-codes", cells=_cells(FIXED), measure=measure)
TABLE_3 = Study(key="codes-with-machines", cells=_cells(LEARNED), measure=measure)


# What is counted -------------------------------------------------------------------------------------


def fold_accuracies(record: Record, learner: str, reading: str) -> FloatArray:
    """Return the accuracy in each fold, in per cent, (n_folds,)."""
    return 100 * np.asarray(record[learner][reading]["right"]) / np.asarray(record["n"], dtype=np.float64)


def accuracy(record: Record, learner: str, reading: str) -> float:
    """Return the mean accuracy of the folds, in per cent."""
    return float(fold_accuracies(record, learner, reading).mean())


def gain(record: Record, reading: str, over: str = SVM) -> float:
    """Return by how many points joint learning is ahead of another learner."""
    return accuracy(record, JCL, reading) - accuracy(record, over, reading)


def outcome(record: Record, reading: str) -> int:
    """Return 1 where joint learning wins against the SVM, -1 where it loses, by a paired t-test; else 0."""
    differences = fold_accuracies(record, JCL, reading) - fold_accuracies(record, SVM, reading)
    mean, spread = float(differences.mean()), float(differences.std(ddof=1))
    if spread > 0:
        statistic = mean / (spread / np.sqrt(differences.size))
        if 2 * stats.t.sf(abs(statistic), differences.size - 1) >= SIGNIFICANT:
            return 0
    return int(np.sign(mean))


def by_code(found: Sequence[Measured]) -> dict[str, dict[str, Measured]]:
    """Sort what was measured: code -> set -> cell and record."""
    sorted_: dict[str, dict[str, Measured]] = {}
    for each in found:
        sorted_.setdefault(each.cell.about["coding"], {})[each.cell.about["data"]] = each
    return sorted_


def mean_gain(cells: Mapping[str, Measured], reading: str, over: str = SVM) -> float:
    """Return the mean of `gain` over sets."""
    return float(np.mean([gain(each.record, reading, over) for each in cells.values()]))


def judge_gain(found: Sequence[Measured]) -> list[Statement]:
    """Count where joint learning is ahead of the SVM."""
    codes = by_code(found)
    statements = []
    for reading in READ:
        means = [mean_gain(cells, reading) for cells in codes.values()]
        ahead = [gain(each.record, reading) > 0 for each in found]
        statements += [
            _of(
                f"a code has the higher mean with joint learning, {WORDS[reading]}",
                [m > 0 for m in means],
                1.0,
            ),
            _of(f"a set and a code have the higher accuracy, {WORDS[reading]}", ahead, MOST),
        ]
    return statements


def judge_wins(found: Sequence[Measured], coding: str) -> list[Statement]:
    """Count the sets on which joint learning wins significantly with a code."""
    cells = by_code(found).get(coding, {})
    return [
        _of(
            f"a set is won significantly with {NAMES[coding]}, {WORDS[reading]}",
            [outcome(each.record, reading) > 0 for each in cells.values()],
        )
        for reading in READ
    ]


def judge_control(found: Sequence[Measured]) -> list[Statement]:
    """Count where joint learning is ahead of the same machines without the relation."""
    codes = by_code(found)
    statements = []
    for reading in READ:
        means = [mean_gain(cells, reading, ALONE) for cells in codes.values()]
        ahead = [gain(each.record, reading, ALONE) > 0 for each in found]
        statements += [
            _of(
                f"a code has the higher mean with the relation, {WORDS[reading]}", [m > 0 for m in means], 1.0
            ),
            _of(f"a set and a code have the higher accuracy with it, {WORDS[reading]}", ahead, MOST),
        ]
    return statements


def judge_numbers(
    found: Sequence[Measured], printed: Mapping[str, Mapping[str, tuple[float, float]]]
) -> list[Statement]:
    """Count the printed accuracies that are found again by the nearer of the two decoders."""
    statements = []
    for k, (learner, title) in enumerate(((SVM, "the SVM"), (JCL, "joint learning"))):
        near = []
        for each in found:
            theirs = printed[each.cell.about["data"]][each.cell.about["coding"]][k]
            ours = [accuracy(each.record, learner, reading) for reading in READ]
            near.append(min(abs(value - theirs) for value in ours) <= NEAR)
        statements.append(_of(f"an accuracy of {title} is within {NEAR:g} points of the printed one", near))
    return statements


def _of(text: str, held: Sequence[bool], least: float = 0.8) -> Statement:
    return Statement(text, sum(bool(h) for h in held), len(held), least)
