"""Errors of one scenario, measured in every way there is: what a model-selection curve is made of.

A point of the curve is one trained scenario; a reading is one error of one decoder: on the test
part, on the training part, by cross-validation, by leaving every point out, or by the bound on that.
Each reading carries what it cost beyond training the machines.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter

import numpy as np

from ecocviz.engine.analysis.loo import BoundStatus
from ecocviz.engine.analysis.margins import multiclass_margins
from ecocviz.engine.progress import Progress, asking, part_of, silent
from ecocviz.engine.types import BoolArray, FloatArray, IntArray
from ecocviz.lab.run import Trained, decide, learn, train, undecoded
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
    rows, truth, flagged, margins : (n,)
        The table's rows, their classes, which of them count as errors, and their multiclass margins.
    """

    measure: Measure
    decoding: Choice
    n_wrong: int
    n: int
    seconds: float
    status: BoundStatus | None
    rows: IntArray
    truth: IntArray
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
    classes: tuple[str, ...]
    readings: tuple[Reading, ...]
    refused: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class CurveTask:
    """What to measure at one point of a curve."""

    scenario: Scenario
    decodings: tuple[Choice, ...]
    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A reading, or the sentence of its refusal, with what is said of the whole point."""

    found: Reading | str
    classes: tuple[str, ...]
    seconds: float


class Memory:
    """Readings taken before, so that another decoder or measure costs only its own work.

    Parameters
    ----------
    max_bytes
        Room for the readings' arrays; the least recently used ones are forgotten first.
    """

    def __init__(self, max_bytes: int = 64_000_000) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._kept: OrderedDict[tuple[Scenario, Choice, Measure], Known] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, scenario: Scenario, decoding: Choice, measure: Measure) -> Known | None:
        """Return what is known of a reading, None if it was never taken."""
        key = (undecoded(scenario), decoding, measure)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, scenario: Scenario, decoding: Choice, measure: Measure, known: Known) -> None:
        """Remember a reading."""
        key = (undecoded(scenario), decoding, measure)
        with self._lock:
            if key in self._kept:
                self._bytes -= _size(self._kept.pop(key).found)
            self._kept[key] = known
            self._bytes += _size(known.found)
            while self._bytes > self._max_bytes:
                _, oldest = self._kept.popitem(last=False)
                self._bytes -= _size(oldest.found)


def _size(found: Reading | str) -> int:
    if isinstance(found, str):
        return 500
    return 500 + 2 * found.rows.nbytes + found.flagged.nbytes + found.margins.nbytes


def measure_point(
    task: CurveTask,
    progress: Callable[[float], None] | None = None,
    *,
    memory: Memory | None = None,
    so_far: Callable[[CurvePoint], None] | None = None,
) -> CurvePoint:
    """Train one scenario and take all its readings; the machines serve every decoder and measure.

    Parameters
    ----------
    task
        What to measure.
    progress
        Told the share of the work that is done; may raise to cancel.
    memory
        Where readings taken before are looked up, and new ones kept.
    so_far
        Handed the readings up to here after every measure.
    """
    n_steps, tell = len(task.measures), progress or silent
    trained: Trained | None = None
    point = CurvePoint(task.scenario, (), (), (), 0.0)
    for position, measure in enumerate(task.measures):
        for decoding in task.decodings:
            known = None if memory is None else memory.find(task.scenario, decoding, measure)
            if known is None:
                if trained is None:
                    trained = train(task.scenario, part_of(tell, 0, n_steps))
                found = _read(trained, decoding, measure, part_of(tell, position, n_steps))
                known = Known(found, trained.classes, trained.seconds)
                if memory is not None:
                    memory.keep(task.scenario, decoding, measure, known)
            point = _with(point, known)
        if so_far is not None:
            so_far(point)
        tell((position + 1) / n_steps)
    return point


def _with(point: CurvePoint, known: Known) -> CurvePoint:
    """Add what is known to a point."""
    readings, refused = point.readings, point.refused
    if isinstance(known.found, str):
        refused = tuple(dict.fromkeys((*refused, known.found)))
    else:
        readings = (*readings, known.found)
    return CurvePoint(point.scenario, known.classes, readings, refused, known.seconds)


def _read(trained: Trained, decoding: Choice, measure: Measure, progress: Progress) -> Reading | str:
    models = trained.models if measure is Measure.TEST else (trained.shown,)
    try:
        for model in models:  # belongs to training the decoder, not to a measure
            learn(model, decoding, asking(progress))
        return _READERS[measure](trained, decoding, progress)
    except ValueError as refusal:
        return str(refusal)


def _outcome(trained: Trained, decoding: Choice, measure: Measure, part: str, progress: Progress) -> Reading:
    began = perf_counter()
    models = trained.models if part == "test" else (trained.shown,)
    outcome = decide(models, decoding, len(trained.classes), part=part, check=asking(progress))
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
        outcome.truth,
        outcome.wrong,
        multiclass_margins(outcome.costs, outcome.truth),
    )


def _test(trained: Trained, decoding: Choice, progress: Progress) -> Reading:
    return _outcome(trained, decoding, Measure.TEST, "test", progress)


def _train(trained: Trained, decoding: Choice, progress: Progress) -> Reading:
    return _outcome(trained, decoding, Measure.TRAIN, "train", progress)


def _loo(trained: Trained, decoding: Choice, measure: Measure, progress: Progress) -> Reading:
    estimator = trained.shown.estimator
    name = "loo_bound" if measure is Measure.BOUND else "exact_loo"
    if not hasattr(estimator, name):
        raise ValueError(
            "This reduction has no leave-one-out computation; use cross-validation or the test error."
        )
    began = perf_counter()
    how = {} if measure is Measure.BOUND else {"progress": progress}
    found = getattr(estimator, name)(decoding.key, decoding.values, **how)
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
        trained.shown.prepared.y_train,
        found.flagged,
        found.slack_margins,
    )


def _bound(trained: Trained, decoding: Choice, progress: Progress) -> Reading:
    return _loo(trained, decoding, Measure.BOUND, progress)


def _exact(trained: Trained, decoding: Choice, progress: Progress) -> Reading:
    return _loo(trained, decoding, Measure.EXACT, progress)


def _cross_validation(trained: Trained, decoding: Choice, progress: Progress) -> Reading:
    """Machines are held out fold by fold; what the decoder learned (sigmoids, weights) stays."""
    model = trained.shown
    if not hasattr(model.estimator, "cross_validated"):
        raise ValueError("This reduction has no quick cross-validation; choose the k-fold split instead.")
    began = perf_counter()
    costs = model.estimator.cross_validated(N_FOLDS, decoding.key, decoding.values, progress=progress)
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
        model.prepared.y_train,
        flagged,
        multiclass_margins(costs, y),
    )


_READERS: dict[Measure, Callable[[Trained, Choice, Progress], Reading]] = {
    Measure.TEST: _test,
    Measure.TRAIN: _train,
    Measure.BOUND: _bound,
    Measure.EXACT: _exact,
    Measure.CROSS_VALIDATION: _cross_validation,
}
