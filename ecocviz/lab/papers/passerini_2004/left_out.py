"""The study of left-out points: the bound beside the leave-one-out error itself, and how far margins move."""

from typing import Any

import numpy as np

from ecocviz.engine.analysis.margins import multiclass_margins
from ecocviz.engine.columns import TrainedColumns
from ecocviz.engine.progress import Progress
from ecocviz.engine.reductions.ecoc import ECOCClassifier
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray
from ecocviz.lab.evidence.entries import Cell, Record, Setting, Study
from ecocviz.lab.papers.passerini_2004.curves import CODES, DECODERS, scenario
from ecocviz.lab.run import train
from ecocviz.lab.scenario import make_scenario

SETS = {
    Setting.QUICK: ("iris", "wine", "glass"),
    Setting.FULL: ("iris", "wine", "new-thyroid", "glass", "ecoli"),
}
GAMMAS = {Setting.QUICK: (1.0,), Setting.FULL: (0.125, 1.0, 8.0)}
CS = {Setting.QUICK: (0.02, 0.2, 1.0), Setting.FULL: (0.02, 0.2, 1.0, 10.0)}

ROUNDING = 1e-9
"""The share by which a number may pass a limit that it reaches exactly."""


def cells(setting: Setting) -> list[Cell]:
    """List sets, codes, kernel widths and penalties."""
    return [
        _cell(data, coding, gamma, C)
        for data in SETS[setting]
        for coding in CODES
        for gamma in GAMMAS[setting]
        for C in CS[setting]
    ]


def _cell(data: str, coding: str, gamma: float, C: float) -> Cell:
    asked = make_scenario(
        data=data,
        split="all",
        coding=coding,
        machine=("kernel", {"gamma": gamma, "C": C}),
        decoding="linear",
    )
    about = {"set": data, "code": coding, "gamma": gamma, "C": C, "scenario": asked.to_query()}
    return Cell(f"{data}/{coding}/{gamma:g}/{C:g}", about)


def measure(cell: Cell, progress: Progress) -> Record:
    """Train on all points of a set, bound its leave-one-out errors, and leave out every point."""
    model = train(scenario(cell, "linear"), progress.part(0, 2), n_jobs=1).shown
    estimator, y = model.estimator, np.searchsorted(model.class_index, model.prepared.y_train)
    assert isinstance(estimator, ECOCClassifier)  # noqa: S101 - the scenario names no other reduction
    errors = {}
    for decoding in DECODERS:
        bound = estimator.loo_bound(decoding).flagged
        exact = estimator.exact_loo(decoding, progress=progress.part(1, 2)).flagged
        wrong = np.argmin(estimator.costs(model.prepared.X_train, decoding), axis=1) != y
        missed = int((exact & ~bound).sum())
        errors[decoding] = [int(wrong.sum()), int(exact.sum()), int(bound.sum()), missed]
    margins = multiclass_margins(estimator.decode(estimator.columns_.scores, "linear"), y)
    left_out = estimator.exact_loo("linear").slack_margins
    code_matrix = np.asarray(estimator.code_matrix_, dtype=np.int8)
    changes = largest_changes(estimator.columns_, code_matrix, y)
    return {"n": y.size, "errors": errors, **_limits(cell, estimator.columns_, code_matrix, changes)} | {
        "moved": round(float((margins - left_out).max()) / _unit(estimator.columns_), 4)
    }


def largest_changes(columns: TrainedColumns, code_matrix: CodeMatrix, y: IntArray) -> FloatArray:
    """Return the most by which Theorem 4.1 lets each point's margin fall when it is left out, (n_samples,).

    Implements max over q of U_q of Eq. 9 of [Passerini2004]_.
    """
    assert columns.alphas is not None  # noqa: S101 - these are kernel machines
    assert columns.diagonal is not None  # noqa: S101 - the same
    M, rows = code_matrix.astype(np.float64), np.arange(y.size)
    agreement: FloatArray = columns.scores @ M.T
    agreement[rows, y] = -np.inf
    slacks = M[y] * columns.alphas * columns.diagonal[:, None]
    lost = (slacks * M[y]).sum(axis=1)[:, None] - slacks @ M.T
    changes: FloatArray = (agreement - agreement.max(axis=1, keepdims=True) + lost).max(axis=1)
    return changes


def row_limit(code_matrix: CodeMatrix) -> int:
    """Return w(M), the largest sum over machines of m_q (m_q - m_q') of two classes.

    Examples
    --------
    >>> row_limit(np.array([[1, -1, -1], [-1, 1, -1], [-1, -1, 1]], dtype=np.int8))
    4
    """
    M = code_matrix.astype(np.int64)
    return int(((M * M).sum(axis=1)[:, None] - M @ M.T).max())


def printed_change(coding: str, n_classes: int, n_bits: int) -> int:
    """Return the paper's worst change of a margin for a kind of code, in units of C."""
    return {"one-vs-all": 2, "one-vs-one": n_classes - 1}.get(coding, n_bits - 1)


def _unit(columns: TrainedColumns) -> float:
    """Return C kappa: the upper limit of a coefficient times the largest kernel value."""
    assert columns.upper is not None  # noqa: S101 - these are kernel machines
    assert columns.diagonal is not None  # noqa: S101 - the same
    return float(columns.upper.max() * columns.diagonal.max())


def _limits(
    cell: Cell, columns: TrainedColumns, code_matrix: CodeMatrix, changes: FloatArray
) -> dict[str, Any]:
    n_classes, n_bits = code_matrix.shape
    unit = _unit(columns)
    limits = {
        "corrected": row_limit(code_matrix),
        "printed": n_bits - 1,
        "scheme": printed_change(cell.about["code"], n_classes, n_bits),
    }
    within = {name: int((changes <= limit * unit * (1 + ROUNDING)).sum()) for name, limit in limits.items()}
    return {
        "c_kappa": round(unit, 6),
        "limits": limits,
        "within": within,
        "largest": round(float(changes.max()) / unit, 4),
    }


STUDY = Study(key="left-out", cells=cells, measure=measure)
