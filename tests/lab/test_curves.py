"""Readings of one scenario's machines, and the memory that keeps them."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hearing import EndedError, ending
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.analysis.loo import BoundStatus
from ecocviz.engine.progress import Telling
from ecocviz.lab.curves import CurvePoint, CurveTask, Measure, Memory, Reading, measure_point
from ecocviz.lab.run import run, train, without_decoder
from ecocviz.lab.scenario import choose, make_scenario

DECODERS = (choose("decoding", "hamming"), choose("decoding", "likelihood"))


def test_a_point_takes_every_reading_of_one_training():
    scenario = make_scenario(data="iris", coding="one-vs-one", machine=("kernel", {"gamma": 1.0}))
    point = measure_point(CurveTask(scenario, DECODERS, tuple(Measure)))
    assert not point.refused(DECODERS, tuple(Measure)) and point.seconds > 0
    found = {(r.measure, r.decoding.key): r for r in point.found.values()}
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
    for decoding in DECODERS:
        assert point.reading(decoding, Measure.TRAIN).measure is Measure.TRAIN
        assert point.reading(decoding, Measure.BOUND) is None
    assert point.refused(DECODERS, (Measure.TRAIN,)) == ()
    assert point.refused(DECODERS, (Measure.TRAIN, Measure.BOUND)) == (
        "The leave-one-out bound needs kernel machines; choose one or use cross-validation.",
    )


def test_progress_can_cancel_a_point():
    with pytest.raises(EndedError):
        measure_point(CurveTask(make_scenario(), DECODERS, (Measure.TEST,)), ending())


def test_progress_names_what_is_measured():
    told = []
    progress = Telling(lambda share, note: told.append((share, note)))
    measures = (Measure.TEST, Measure.BOUND, Measure.EXACT)
    scenario = make_scenario(data=("moons", {"n_samples": 40}))
    measure_point(CurveTask(scenario, DECODERS[:1], measures), progress)
    notes = list(dict.fromkeys(note for _, note in told if note.startswith("measuring")))
    assert notes == [
        "measuring: test error", "measuring: leave-one-out bound", "measuring: leave-one-out error",
    ]  # fmt: skip
    assert told[-1][0] == 1.0
    assert all(0 <= share <= 1 for share, _ in told)


def test_cross_validated_costs_are_those_of_machines_trained_without_the_fold():
    scenario = make_scenario(data="iris", decoding="linear", machine=("kernel", {"gamma": 1.0}))
    model = run(scenario).trained.shown
    costs = model.estimator.cross_validated(3, "linear")
    assert costs.shape == (model.prepared.y_train.size, 3)
    assert (costs != model.estimator.costs(model.prepared.X_train, "linear")).any(axis=1).mean() > 0.3
    assert np.isfinite(costs).all()


# The memory ------------------------------------------------------------------------------------------

SMALL = make_scenario(data=("moons", {"n_samples": 60}))
HAMMING, LIKELIHOOD = DECODERS


class Trainings:
    """Trains, and counts."""

    def __init__(self):
        self.scenarios = []

    def train(self, scenario, progress):
        self.scenarios.append(scenario)
        return train(scenario, progress)


def measured(memory, trainings, *measures, decodings=DECODERS[:1], scenario=SMALL):
    return measure_point(CurveTask(scenario, decodings, measures), memory=memory, train=trainings.train)


def a_reading(measure, n=10):
    rows = np.arange(n)
    return Reading(measure, HAMMING, 0, n, 0.0, None, rows, rows, rows < 0, rows.astype(float))


def a_point(*measures, gamma=1.0, n=10):
    scenario = without_decoder(SMALL.chosen("machine", None, gamma=gamma))
    return CurvePoint(scenario, ("A", "B"), 0.1, {(HAMMING, m): a_reading(m, n) for m in measures})


def test_a_point_that_was_read_is_not_trained_again():
    memory, trainings = Memory(), Trainings()
    first = measured(memory, trainings, Measure.TEST, Measure.BOUND)
    assert len(trainings.scenarios) == 1
    assert measured(memory, trainings, Measure.TEST) == measured(memory, trainings, Measure.BOUND) == first
    # The decoder of the scenario itself is no part of what was read.
    again = measured(memory, trainings, Measure.TEST, scenario=SMALL.chosen("decoding", "kl"))
    assert again == first and len(trainings.scenarios) == 1
    # Another measure or decoder asks for the machines, once for all that is new.
    more = measured(memory, trainings, Measure.TRAIN, Measure.TEST, decodings=DECODERS)
    assert len(trainings.scenarios) == 2
    assert set(more.found) == {
        (HAMMING, Measure.TEST), (HAMMING, Measure.BOUND), (HAMMING, Measure.TRAIN),
        (LIKELIHOOD, Measure.TEST), (LIKELIHOOD, Measure.TRAIN),
    }  # fmt: skip
    assert more.reading(HAMMING, Measure.TEST) is first.reading(HAMMING, Measure.TEST)
    measured(memory, trainings, Measure.TEST, scenario=SMALL.chosen("machine", None, gamma=2.0))
    assert len(trainings.scenarios) == 3


def test_what_was_refused_is_remembered_and_not_tried_again():
    memory, trainings = Memory(), Trainings()
    scenario = SMALL.chosen("machine", "naive-bayes")
    first = measured(memory, trainings, Measure.BOUND, scenario=scenario)
    (sentence,) = first.refused((HAMMING,), (Measure.BOUND,))
    assert "kernel machines" in sentence and first.reading(HAMMING, Measure.BOUND) is None
    assert measured(memory, trainings, Measure.BOUND, scenario=scenario) == first
    assert len(trainings.scenarios) == 1
    assert memory.find(scenario).found == {(HAMMING, Measure.BOUND): sentence}


def test_of_a_scenario_nobody_measured_nothing_is_known():
    point = Memory().find(SMALL.chosen("decoding", "kl"))
    assert point == CurvePoint(without_decoder(SMALL))
    assert point.reading(HAMMING, Measure.TEST) is None and point.refused(DECODERS, tuple(Measure)) == ()


def test_memory_is_bounded_in_bytes_and_forgets_the_least_used():
    points = [a_point(Measure.TEST, gamma=float(k + 1), n=1_000) for k in range(4)]
    size = points[0].n_bytes
    assert size >= 2 * 8_000 + 8_000 + 1_000  # rows and classes, margins, flags
    memory = Memory(max_bytes=3 * size)
    for point in points[:3]:
        memory.keep(point)
    assert all(memory.find(point.scenario).found for point in points[:3])
    memory.find(points[0].scenario)
    memory.keep(points[3])
    assert [bool(memory.find(point.scenario).found) for point in points] == [True, False, True, True]
    # The latest is kept even if it alone is too large.
    large = a_point(Measure.TEST, gamma=9.0, n=10_000)
    memory.keep(large)
    assert memory.find(large.scenario).found and not memory.find(points[3].scenario).found


@given(st.lists(st.tuples(st.integers(1, 6), st.sampled_from(Measure), st.integers(1, 40))))
def test_bytes_are_counted_as_points_come_and_go(kept):
    memory = Memory(max_bytes=6_000)
    for gamma, measure, n in kept:
        memory.keep(a_point(measure, gamma=float(gamma), n=n))
        assert memory.n_bytes == sum(point.n_bytes for point in memory._kept.values())
        assert memory.n_bytes <= 6_000 or len(memory._kept) == 1
    memory.clear()
    assert memory.n_bytes == 0


def test_a_point_that_comes_is_weighed_and_no_other():
    weighed = []

    class Weighed(CurvePoint):
        @property
        def n_bytes(self):
            weighed.append(self.scenario)
            return 100

    memory = Memory()
    for k in range(50):
        weighed.clear()
        memory.keep(Weighed(without_decoder(SMALL.chosen("machine", None, gamma=k + 1.0))))
        assert len(set(weighed)) == 1


def test_a_point_that_grows_makes_others_go():
    first, second = (a_point(Measure.TEST, gamma=gamma, n=1_000) for gamma in (1.0, 2.0))
    memory = Memory(max_bytes=2 * first.n_bytes)
    memory.keep(first)
    memory.keep(second)
    memory.keep(a_point(Measure.TRAIN, gamma=2.0, n=1_000))
    assert not memory.find(first.scenario).found
    assert set(memory.find(second.scenario).found) == {(HAMMING, Measure.TEST), (HAMMING, Measure.TRAIN)}


def test_what_two_threads_read_of_a_point_is_merged():
    memory, both = Memory(), threading.Barrier(2)

    def train_with_the_other(scenario, progress):
        both.wait(20)  # neither knows what the other is about to read
        return train(scenario, progress)

    def measure(measure):
        task = CurveTask(SMALL, (HAMMING,), (measure,))
        return measure_point(task, memory=memory, train=train_with_the_other)

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(measure, (Measure.TEST, Measure.BOUND)))
    assert [set(point.found) for point in found] == [{(HAMMING, Measure.TEST)}, {(HAMMING, Measure.BOUND)}]
    assert set(memory.find(SMALL).found) == {(HAMMING, Measure.TEST), (HAMMING, Measure.BOUND)}


def test_many_threads_lose_nothing():
    memory, measures = Memory(), list(Measure)

    def keep(k):
        memory.keep(a_point(measures[k % len(measures)], gamma=float(k // len(measures) + 1)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(keep, range(40 * len(measures))))
    for gamma in range(1, 41):
        found = memory.find(SMALL.chosen("machine", None, gamma=float(gamma))).found
        assert {measure for _, measure in found} == set(Measure)


def test_what_is_known_is_handed_over_after_every_measure():
    memory, steps = Memory(), []
    task = CurveTask(SMALL, DECODERS, (Measure.TEST, Measure.TRAIN))
    measure_point(task, memory=memory, so_far=steps.append)
    assert [len(point.found) for point in steps] == [2, 4]
    assert steps[0].classes == ("A", "B") and steps[0].seconds > 0
    known = []
    measure_point(task, memory=memory, so_far=known.append)
    assert known == [steps[-1], steps[-1]]
