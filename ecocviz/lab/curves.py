"""Errors of one scenario, measured in every way there is: what a model-selection curve is made of.

A point of the curve is one trained scenario; a reading is one error of one decoder: on the test
part, on the training part, by cross-validation, by leaving every point out, or by the bound on that.
Each reading carries what it cost beyond training the machines.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter

import numpy as np

from ecocviz.engine.analysis.loo import BoundStatus
from ecocviz.engine.analysis.margins import multiclass_margins
from ecocviz.engine.types import BoolArray, FloatArray, IntArray
from ecocviz.lab.run import Trained, decide, train
from ecocviz.lab.scenario import Choice, Scenario

N_FOLDS = 5
"""Of the cross-validation reading."""


class Measure(StrEnum):
    """Ways to put a number on the error."""

    TEST = "test"
    TRAIN = "train"
    BOUND = "bound"
    EXACT = "exact"
    CROSS_VALIDATION = "cross-validation"


@dataclass(frozen=True, slots=True)
class Reading:
    """One error of one decoder.

    Attributes
    ----------
    measure, decoding
        What was measured, with which decoder.
    n_wrong, n
        Points counted as errors, of how many.
    seconds
        Time beyond training the machines.
    status
        For bounds and leave-one-out errors: what the number is worth.
    rows, flagged, margins : (n,)
        The table's rows, which of them count as errors, and their multiclass margins.
    """

    measure: Measure
    decoding: Choice
    n_wrong: int
    n: int
    seconds: float
    status: BoundStatus | None
    rows: IntArray
    flagged: BoolArray
    margins: FloatArray

    @property
    def error(self) -> float:
        """Share of points counted as errors."""
        return self.n_wrong / self.n


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """All readings of one scenario, and what training it cost.

    `refused` holds one sentence for every reading that could not be taken.
    """

    scenario: Scenario
    readings: tuple[Reading, ...]
    refused: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class CurveTask:
    """What to measure at one point of a curve."""

    scenario: Scenario
    decodings: tuple[Choice, ...]
    measures: tuple[Measure, ...]


def measure_point(task: CurveTask, progress: Callable[[float], None] | None = None) -> CurvePoint:
    """Train one scenario and take all its readings; the machines serve every decoder and measure."""
    trained = train(task.scenario, progress)
    readings, refused = [], []
    for measure in task.measures:
        for decoding in task.decodings:
            try:
                readings.append(_READERS[measure](trained, decoding))
            except ValueError as refusal:
                refused.append(str(refusal))
            if progress is not None:
                progress(1.0)
    return CurvePoint(task.scenario, tuple(readings), tuple(dict.fromkeys(refused)), trained.seconds)


def _outcome(trained: Trained, decoding: Choice, measure: Measure, part: str) -> Reading:
    began = perf_counter()
    models = trained.models if part == "test" else (trained.shown,)
    outcome = decide(models, decoding, len(trained.classes), part=part)
    if not outcome.rows.size:
        raise ValueError("This split keeps no test points, so there is no test error; choose another split.")
    return Reading(
        measure,
        decoding,
        outcome.n_wrong,
        outcome.rows.size,
        perf_counter() - began,
        None,
        outcome.rows,
        outcome.wrong,
        multiclass_margins(outcome.costs, outcome.truth),
    )


def _test(trained: Trained, decoding: Choice) -> Reading:
    return _outcome(trained, decoding, Measure.TEST, "test")


def _train(trained: Trained, decoding: Choice) -> Reading:
    return _outcome(trained, decoding, Measure.TRAIN, "train")


def _loo(trained: Trained, decoding: Choice, measure: Measure) -> Reading:
    estimator = trained.shown.estimator
    name = "loo_bound" if measure is Measure.BOUND else "exact_loo"
    if not hasattr(estimator, name):
        raise ValueError(
            "This reduction has no leave-one-out computation; use cross-validation or the test error."
        )
    estimator.evidence(decoding.key, decoding.values)  # belongs to training the decoder, not to the bound
    began = perf_counter()
    found = getattr(estimator, name)(decoding.key, decoding.values)
    seconds = perf_counter() - began
    rows = trained.shown.prepared.train_rows
    return Reading(
        measure,
        decoding,
        int(found.flagged.sum()),
        rows.size,
        seconds,
        found.status,
        rows,
        found.flagged,
        found.slack_margins,
    )


def _bound(trained: Trained, decoding: Choice) -> Reading:
    return _loo(trained, decoding, Measure.BOUND)


def _exact(trained: Trained, decoding: Choice) -> Reading:
    return _loo(trained, decoding, Measure.EXACT)


def _cross_validation(trained: Trained, decoding: Choice) -> Reading:
    """Machines are held out fold by fold; what the decoder learned (sigmoids, weights) stays."""
    model = trained.shown
    if not hasattr(model.estimator, "cross_validated"):
        raise ValueError("This reduction has no quick cross-validation; choose the k-fold split instead.")
    began = perf_counter()
    costs = model.estimator.cross_validated(N_FOLDS, decoding.key, decoding.values)
    y = np.searchsorted(model.class_index, model.prepared.y_train)
    flagged = np.argmin(costs, axis=1) != y
    return Reading(
        Measure.CROSS_VALIDATION,
        decoding,
        int(flagged.sum()),
        y.size,
        perf_counter() - began,
        None,
        model.prepared.train_rows,
        flagged,
        multiclass_margins(costs, y),
    )


_READERS: dict[Measure, Callable[[Trained, Choice], Reading]] = {
    Measure.TEST: _test,
    Measure.TRAIN: _train,
    Measure.BOUND: _bound,
    Measure.EXACT: _exact,
    Measure.CROSS_VALIDATION: _cross_validation,
}
