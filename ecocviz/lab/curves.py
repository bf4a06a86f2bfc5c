"""Errors of one scenario, measured in every way there is: what a model-selection curve is made of.

A point of the curve is one trained scenario; a reading is one error of one decoder: on the test
part, on the training part, by cross-validation, by leaving every point out, or by the bound on that.
Each reading carries what it cost beyond training the machines.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from time import perf_counter

import numpy as np

from ecocviz.engine import capabilities as can
from ecocviz.engine.analysis.loo import BoundStatus
from ecocviz.engine.analysis.margins import multiclass_margins
from ecocviz.engine.analysis.rejecting import Decided
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import BoolArray, FloatArray, IntArray
from ecocviz.lab.away import away_on
from ecocviz.lab.cost import Cost, gram_bytes
from ecocviz.lab.evaluate import evaluate, learn
from ecocviz.lab.run import train, without_decoder
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.lab.trained import Model, Trained

N_FOLDS = 5
"""Of the cross-validation reading."""


class Measure(StrEnum):
    """Ways to put a number on the error."""

    TEST = "test"
    TRAIN = "train"
    BOUND = "bound"
    EXACT = "exact"
    CROSS_VALIDATION = "cross-validation"


NOTES = {
    Measure.TEST: "test error",
    Measure.TRAIN: "training error",
    Measure.BOUND: "leave-one-out bound",
    Measure.EXACT: "leave-one-out error",
    Measure.CROSS_VALIDATION: "cross-validation",
}
"""What a measure is called while it is taken."""

TIMES = {Measure.EXACT: 20.0, Measure.CROSS_VALIDATION: 1.0, Measure.BOUND: 0.1}
"""How many times as long as training some measures take, about."""


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
    decided
        What comes of leaving points undecided; None where the decoder has no rule, or it is no measure of it.
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
    decided: Decided | None = None

    @property
    def error(self) -> float:
        """Share of points counted as errors."""
        return self.n_wrong / self.n

    @property
    def n_bytes(self) -> int:
        """Size of its arrays."""
        return 2 * self.rows.nbytes + self.flagged.nbytes + self.margins.nbytes

    def counts(self) -> "Reading":
        """Return it without what it knows of single points."""
        none, never = self.rows[:0].copy(), self.flagged[:0].copy()
        return replace(self, rows=none, truth=none, flagged=never, margins=self.margins[:0].copy())


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What has been read of one scenario's machines so far, and what training them cost.

    `found` holds, for a decoder and a measure, the reading or the sentence that says why there is none.
    """

    scenario: Scenario
    classes: tuple[str, ...] = ()
    seconds: float = 0.0
    found: Mapping[tuple[Choice, Measure], Reading | str] = field(default_factory=dict)

    def reading(self, decoding: Choice, measure: Measure) -> Reading | None:
        """Return a reading, None if it was not taken or could not be."""
        found = self.found.get((decoding, measure))
        return None if isinstance(found, str) else found

    def refused(self, decodings: tuple[Choice, ...], measures: tuple[Measure, ...]) -> tuple[str, ...]:
        """Return one sentence for every kind of reading that could not be taken."""
        found = (self.found.get((d, m)) for m in measures for d in decodings)
        return tuple(dict.fromkeys(said for said in found if isinstance(said, str)))

    def counts(self) -> "CurvePoint":
        """Return it without what its readings know of single points."""
        found = {key: r if isinstance(r, str) else r.counts() for key, r in self.found.items()}
        return replace(self, found=found)

    @property
    def n_bytes(self) -> int:
        """About what it holds."""
        return 500 + sum(500 + (0 if isinstance(r, str) else r.n_bytes) for r in self.found.values())


@dataclass(frozen=True, slots=True)
class CurveTask:
    """What to measure at one point of a curve."""

    scenario: Scenario
    decodings: tuple[Choice, ...]
    measures: tuple[Measure, ...]


class Memory:
    """Points measured before, so that another decoder or measure costs only its own work.

    Parameters
    ----------
    max_bytes
        Room for the readings' arrays; the least recently used points are forgotten first.
    """

    def __init__(self, max_bytes: int = 64_000_000) -> None:
        self._max_bytes = max_bytes
        self._kept: OrderedDict[Scenario, CurvePoint] = OrderedDict()
        self._sizes: dict[Scenario, int] = {}
        self._total = 0
        self._lock = threading.Lock()

    def find(self, scenario: Scenario) -> CurvePoint:
        """Return what is known of a scenario."""
        key = without_decoder(scenario)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key, CurvePoint(key))

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self._sizes.clear()
            self._total = 0

    @property
    def n_bytes(self) -> int:
        """About what is kept; counted as points come and go, since a sum over all would be made at each."""
        return self._total

    def keep(self, point: CurvePoint) -> None:
        """Remember a point; what others have read of it meanwhile stays."""
        with self._lock:
            before = self._kept.pop(point.scenario, point)
            merged = replace(point, found={**before.found, **point.found})
            self._kept[point.scenario] = merged
            self._total += merged.n_bytes - self._sizes.get(point.scenario, 0)
            self._sizes[point.scenario] = merged.n_bytes
            while self._total > self._max_bytes and len(self._kept) > 1:
                oldest, _ = self._kept.popitem(last=False)
                self._total -= self._sizes.pop(oldest)


def measure_point(
    task: CurveTask,
    progress: Progress = NO_PROGRESS,
    *,
    memory: Memory | None = None,
    so_far: Callable[[CurvePoint], None] | None = None,
    train: Callable[[Scenario, Progress], Trained] = train,
) -> CurvePoint:
    """Train one scenario and take all its readings; the machines serve every decoder and measure.

    Parameters
    ----------
    task
        What to measure.
    progress
        May raise to cancel.
    memory
        Where readings taken before are looked up, and new ones kept.
    so_far
        Handed what is known up to here after every measure.
    train
        Where the machines come from.
    """
    memory = Memory() if memory is None else memory
    point, n_steps = memory.find(task.scenario), len(task.measures)
    trained: Trained | None = None
    for position, measure in enumerate(task.measures):
        for decoding in task.decodings:
            if (decoding, measure) in point.found:
                continue
            step = progress.part(position, n_steps)
            if trained is None:
                trained = train(task.scenario, progress.part(0, n_steps))
            step.note(f"measuring: {NOTES[measure]}")
            found = _read(trained, decoding, measure, step)
            known = {**point.found, (decoding, measure): found}
            point = CurvePoint(point.scenario, trained.classes, trained.seconds, known)
            memory.keep(point)
        if so_far is not None:
            so_far(point)
        progress.at((position + 1) / n_steps)
    return point


def _read(trained: Trained, decoding: Choice, measure: Measure, progress: Progress) -> Reading | str:
    models = trained.judges("test" if measure is Measure.TEST else "train")
    try:
        for model in models:  # belongs to training the decoder, not to a measure
            learn(model, decoding, progress)
        return away_on(
            trained.shown, _cost(trained, measure), _read_there, trained, decoding, measure, progress=progress
        )
    except ValueError as refusal:
        return str(refusal)


def _cost(trained: Trained, measure: Measure) -> Cost:
    """Predict what a reading needs beside scoring and deciding, which see to themselves."""
    times = TIMES.get(measure, 0.0)
    shown = trained.shown
    n_bytes = gram_bytes(shown.prepared.y_train.size, in_parts=shown.in_parts) if times else 0
    return Cost(times * shown.seconds, n_bytes)


def _read_there(
    model: Model, trained: Trained, decoding: Choice, measure: Measure, progress: Progress
) -> Reading:
    """Take a reading of trained machines, of which `model` is the one on the screen."""
    return _READERS[measure](replace(trained, shown=model), decoding, measure, progress)


def _outcome(trained: Trained, decoding: Choice, measure: Measure, progress: Progress) -> Reading:
    began = perf_counter()
    outcome = evaluate(trained, measure.value, decoding, progress)
    if not outcome.n:
        raise ValueError("This split keeps no test points, so there is no test error; choose another split.")
    return Reading(
        measure,
        decoding,
        outcome.n_wrong,
        outcome.n,
        perf_counter() - began,
        None,
        outcome.rows,
        outcome.truth,
        outcome.wrong,
        multiclass_margins(outcome.costs, outcome.truth),
        outcome.decided,
    )


def _loo(trained: Trained, decoding: Choice, measure: Measure, progress: Progress) -> Reading:
    estimator = trained.shown.estimator
    began = perf_counter()
    if measure is Measure.BOUND and isinstance(estimator, can.Bounded):
        found = estimator.loo_bound(decoding.key, decoding.values)
    elif measure is Measure.EXACT and isinstance(estimator, can.LeftOut):
        found = estimator.exact_loo(decoding.key, decoding.values, progress=progress)
    else:
        raise ValueError(
            "This reduction has no leave-one-out computation; use cross-validation or the test error."
        )
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


def _cross_validation(trained: Trained, decoding: Choice, measure: Measure, progress: Progress) -> Reading:
    """Machines are held out fold by fold; what the decoder learned (sigmoids, weights) stays."""
    model = trained.shown
    if not isinstance(model.estimator, can.CrossValidated):
        raise ValueError(  # noqa: TRY004 - a user's choice, not a programmer's type
            "This reduction has no quick cross-validation; choose the k-fold split instead."
        )
    began = perf_counter()
    costs = model.estimator.cross_validated(N_FOLDS, decoding.key, decoding.values, progress=progress)
    y = np.searchsorted(model.class_index, model.prepared.y_train)
    flagged = np.argmin(costs, axis=1) != y
    return Reading(
        measure,
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


_READERS: dict[Measure, Callable[[Trained, Choice, Measure, Progress], Reading]] = {
    Measure.TEST: _outcome,
    Measure.TRAIN: _outcome,
    Measure.BOUND: _loo,
    Measure.EXACT: _loo,
    Measure.CROSS_VALIDATION: _cross_validation,
}
