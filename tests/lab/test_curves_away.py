"""Points of curves are measured in worker processes, and nobody sees a difference but in who is busy."""

import pytest
from waiting import until

from ecocviz.lab.curve_plan import CHEAP, Line, axes, grid_values, make_plan, trace
from ecocviz.lab.curves import CurveTask, Measure, Memory, measure_point
from ecocviz.lab.curves_away import measure_away
from ecocviz.lab.gate import Gate
from ecocviz.lab.jobs import Jobs
from ecocviz.lab.report import JobState
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.lab.workers import Workers

SMALL = make_scenario(data=("moons", {"n_samples": 60}))
DECODERS = (choose("decoding", "hamming"), choose("decoding", "linear"))
MEASURES = (*CHEAP, Measure.CROSS_VALIDATION, Measure.EXACT)


@pytest.fixture(scope="module")
def workers():
    with Workers(2) as pool:
        yield pool


@pytest.fixture
def jobs(workers):
    pool = Jobs(Gate(), workers)
    yield pool
    pool.close()


def not_here(_scenario, _progress):
    raise AssertionError("Machines are trained in the process that serves pages.")


def plan_of(n=3, decodings=DECODERS):
    axis = axes(SMALL)[0]
    return make_plan(SMALL, (Line(axis, grid_values(axis, -1, 1, n)),), decodings, MEASURES)


def traced(jobs, plan, memory):
    jobs.start(plan, lambda report: trace(plan, report, memory, not_here), "viewer")
    snapshot = jobs.wait(plan, 60)
    jobs.forget(plan)
    assert snapshot.state is JobState.DONE, snapshot.error
    return snapshot.partial


def bits(point):
    """All that was read of a point but how long it took."""
    return {key: found if isinstance(found, str) else fields(found) for key, found in point.found.items()}


def fields(reading):
    arrays = (reading.rows, reading.truth, reading.flagged, reading.margins)
    return reading.n_wrong, reading.n, reading.status, [array.tobytes() for array in arrays]


def test_a_curve_is_measured_elsewhere_with_the_same_bits(jobs):
    plan, memory = plan_of(), Memory()
    told = traced(jobs, plan, memory)
    assert [position for position, _ in told][:: len(MEASURES)] == [0, 2, 1]
    for position, place in enumerate(plan.places):
        task = CurveTask(plan.put(SMALL, place), DECODERS, MEASURES)
        expected = bits(measure_point(task))
        assert expected == bits(dict(told)[position]) == bits(memory.find(task.scenario))


def test_what_was_read_before_is_not_asked_for_again(jobs, workers):
    memory = Memory()
    traced(jobs, plan_of(decodings=DECODERS[:1]), memory)
    (kept,) = (memory.find(plan_of().put(SMALL, place)) for place in plan_of().places[:1])
    told = dict(traced(jobs, plan_of(), memory))
    assert all(told[0].found[key] is found for key, found in kept.found.items())
    workers_before, workers._slots = workers._slots, []  # nobody is there who could be asked
    try:
        assert dict(traced(jobs, plan_of(), memory)).keys() == {0, 1, 2}
    finally:
        workers._slots = workers_before


def test_a_cancelled_curve_keeps_what_came(jobs):
    plan, memory = plan_of(41), Memory()
    jobs.start(plan, lambda report: trace(plan, report, memory, not_here), "viewer")
    until(lambda: len(jobs.look(plan).partial) > len(MEASURES))
    jobs.leave(plan, "viewer")
    snapshot = jobs.wait(plan, 20)
    assert snapshot.state is JobState.CANCELLED
    for position, point in dict(snapshot.partial).items():
        assert memory.find(plan.put(SMALL, plan.places[position])).found.keys() >= point.found.keys()


def test_refusals_come_back_as_sentences(jobs):
    task, heard = CurveTask(SMALL.chosen("machine", "naive-bayes"), DECODERS[:1], (Measure.BOUND,)), []

    def work(report):
        step = report.part(0, 1)
        measure_away(task, report, step, memory=Memory(), so_far=heard.append, train=not_here)

    jobs.start("refused", work, "viewer")
    assert jobs.wait("refused", 60).state is JobState.DONE
    assert "kernel machines" in heard[-1].refused(DECODERS[:1], (Measure.BOUND,))[0]
