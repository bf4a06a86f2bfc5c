import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ecocviz.engine.analysis.loo import BoundStatus
from ecocviz.lab.curves import CurveTask, Measure, measure_point
from ecocviz.lab.run import run
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.lab.sweep import axis, sweep

DECODERS = (choose("decoding", "hamming"), choose("decoding", "likelihood"))


def test_a_point_takes_every_reading_of_one_training():
    scenario = make_scenario(data="iris", coding="one-vs-one", machine=("kernel", {"gamma": 1.0}))
    point = measure_point(CurveTask(scenario, DECODERS, tuple(Measure)))
    assert not point.refused and point.seconds > 0
    found = {(r.measure, r.decoding.key): r for r in point.readings}
    assert len(found) == len(Measure) * 2
    for decoding in DECODERS:
        result = run(scenario.chosen("decoding", decoding.key))
        assert found[Measure.TEST, decoding.key].n_wrong == result.test.n_wrong
        assert found[Measure.TRAIN, decoding.key].n_wrong == result.train.n_wrong
        bound, exact = found[Measure.BOUND, decoding.key], found[Measure.EXACT, decoding.key]
        assert bound.error >= exact.error >= 0
        assert (bound.status, exact.status) == (BoundStatus.THEOREM, BoundStatus.EXACT)
        assert not (exact.flagged & ~bound.flagged).any()
        assert (bound.rows == result.trained.shown.prepared.train_rows).all()
        cv = found[Measure.CROSS_VALIDATION, decoding.key]
        assert cv.n == bound.n and 0 <= cv.error < 0.2


def test_what_cannot_be_read_is_said_once():
    scenario = make_scenario(data="iris", split="all", machine="decision-tree")
    point = measure_point(CurveTask(scenario, DECODERS, (Measure.TRAIN, Measure.BOUND)))
    assert {r.measure for r in point.readings} == {Measure.TRAIN}
    assert point.refused == (
        "The leave-one-out bound needs kernel machines; choose one or use cross-validation.",
    )


def test_a_sweep_gives_the_same_points_on_any_executor():
    scenarios = axis(make_scenario(data="iris"), "machine", "gamma", [0.1, 1.0, 10.0])
    tasks = [CurveTask(s, DECODERS[:1], (Measure.TEST, Measure.BOUND)) for s in scenarios]
    here = dict(sweep(tasks, measure_point))
    with ThreadPoolExecutor(2) as pool:
        there = dict(sweep(tasks, measure_point, pool))
    assert sorted(here) == sorted(there) == [0, 1, 2]
    for position, point in here.items():
        assert [r.n_wrong for r in point.readings] == [r.n_wrong for r in there[position].readings]
        assert point.scenario == scenarios[position]


def test_leaving_a_sweep_early_cancels_the_rest():
    gate, begun = threading.Event(), []

    def work(task):
        begun.append(task)
        if task:
            gate.wait(5)
        return task

    with ThreadPoolExecutor(1) as pool:
        points = sweep(range(50), work, pool)
        assert next(points) == (0, 0)
        points.close()
        gate.set()
    assert len(begun) < 50


def test_progress_can_cancel_a_point():
    class StopError(RuntimeError):
        pass

    def stop(_):
        raise StopError

    with pytest.raises(StopError):
        measure_point(CurveTask(make_scenario(), DECODERS, (Measure.TEST,)), stop)


def test_cross_validated_costs_are_those_of_machines_trained_without_the_fold():
    scenario = make_scenario(data="iris", decoding="linear", machine=("kernel", {"gamma": 1.0}))
    model = run(scenario).trained.shown
    costs = model.estimator.cross_validated(3, "linear")
    assert costs.shape == (model.prepared.y_train.size, 3)
    assert (costs != model.estimator.costs(model.prepared.X_train, "linear")).any(axis=1).mean() > 0.3
    assert np.isfinite(costs).all()
