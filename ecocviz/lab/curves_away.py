"""Points of a curve that are measured in a worker process: the one that serves pages has no part in it.

Small points have a worker of their own (`Gate.aside`), so that curves wait for no long training and no page
waits for a curve; large ones wait for their turn as everything large does.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TypeAlias

from ecocviz.engine.progress import Progress
from ecocviz.lab.cost import Cost
from ecocviz.lab.curves import TIMES, CurvePoint, CurveTask, Memory, measure_point
from ecocviz.lab.predict import CORRECTIONS, training_cost
from ecocviz.lab.report import Report
from ecocviz.lab.run import load, train, without_decoder
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.trained import Trained, TrainedKeeper

PER_POINT = 0.02
"""Seconds that a point of a curve takes beside training: the points are prepared, scored and decided."""
KEPT_BYTES = 100_000_000
"""Room for machines in each worker: another decoder or measure of a curve asks for the same ones again."""

Hear: TypeAlias = Callable[[CurvePoint], None]


def point_seconds(task: CurveTask, training: float) -> float:
    """Predict how long a point takes whose machines take so long to train."""
    return PER_POINT + training * (1.0 + sum(TIMES.get(measure, 0.0) for measure in task.measures))


def measure_away(
    task: CurveTask,
    report: Report,
    step: Progress,
    *,
    memory: Memory,
    so_far: Hear,
    train: Callable[[Scenario, Progress], Trained],
) -> None:
    """As `measure_point`, in a worker process where the job has them; what was read before stays here.

    Parameters
    ----------
    task, memory, so_far, train
        As those of `measure_point`; `train` for who has no workers.
    report, step
        Of the job, and of this point.
    """
    known = memory.find(task.scenario)
    asked = ((decoding, measure) for measure in task.measures for decoding in task.decodings)
    if report.gate is None or report.workers is None or known.found.keys() >= set(asked):
        measure_point(task, step, memory=memory, so_far=so_far, train=train)
        return
    step.note("loading the data")
    training = training_cost(task.scenario, load(task.scenario), CORRECTIONS)
    cost = Cost(point_seconds(task, training.seconds), training.n_bytes)
    hearing = _Hearing(step, known, memory, so_far)
    with report.gate.large(cost, report) if cost.large else report.gate.aside(report) as n_bytes:
        point: CurvePoint = report.workers.call(
            _measure_there, task, known.counts(), report=hearing, max_bytes=n_bytes
        )
    CORRECTIONS.saw(task.scenario, training.seconds, point.seconds)


class _Hearing(Report):
    """Hears of one point from the worker that measures it."""

    def __init__(self, step: Progress, known: CurvePoint, memory: Memory, so_far: Hear) -> None:
        super().__init__()
        self._step, self._known, self._memory, self._so_far = step, known, memory, so_far
        self.at, self.note, self.check = step.at, step.note, step.check  # type: ignore[method-assign] # all but `add` is the step's

    def add(self, item: object) -> None:
        """Keep what was read there, and hand over all that is known."""
        assert isinstance(item, CurvePoint)  # noqa: S101 - `_measure_there` tells nothing else
        self._known = replace(item, found={**self._known.found, **item.found})
        self._memory.keep(self._known)
        self._so_far(self._known)


@cache
def _machines() -> TrainedKeeper:
    """Return the keeper of this worker process."""
    return TrainedKeeper(train, without_decoder, KEPT_BYTES)


def _measure_there(task: CurveTask, known: CurvePoint, report: Report) -> CurvePoint:
    """Measure a point in a worker; what is new after each measure is told, since what is known is there."""
    told, memory = set(known.found), Memory()
    memory.keep(known)

    def tell(point: CurvePoint) -> None:
        news = {key: found for key, found in point.found.items() if key not in told}
        told.update(news)
        report.add(replace(point, found=news))

    point = measure_point(task, report, memory=memory, so_far=tell, train=_machines().get)
    return replace(point, found={})
