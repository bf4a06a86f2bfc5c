"""Plans of curves: over what, at which values, in which order, and what comes of them as a job."""

import threading

import pytest

from ecocviz.lab.curve_plan import (
    CHEAP,
    axes,
    coarse_to_fine,
    collect_points,
    curves_of,
    grid_values,
    make_plan,
    read_grid,
    reading_of,
    trace,
)
from ecocviz.lab.curves import CurveTask, Known, Measure, Memory, measure_point
from ecocviz.lab.jobs import CancelledError, Jobs, JobState, Report
from ecocviz.lab.run import run
from ecocviz.lab.scenario import choose, make_scenario

SMALL = make_scenario(data=("moons", {"n_samples": 60}))
HAMMING, LINEAR = choose("decoding", "hamming"), choose("decoding", "linear")


def small_plan(*costly, n=3, decodings=(HAMMING,), scenario=SMALL):
    axis = axes(scenario)[0]
    return make_plan(scenario, axis, grid_values(axis, -1, 1, n), decodings, costly)


def test_axes_are_the_logarithmic_parameters_that_matter():
    assert [axis.key for axis in axes(SMALL)] == ["machine.gamma", "machine.C"]
    linear = SMALL.chosen("machine", None, kernel="linear")
    assert [axis.key for axis in axes(linear)] == ["machine.C"]
    assert axes(make_scenario(machine="decision-tree")) == ()
    joint = [axis.key for axis in axes(make_scenario(reduction="joint"))]
    assert "reduction.lambda1" in joint and not any(key.startswith("machine.") for key in joint)


def test_an_axis_reads_and_writes_the_scenario():
    axis = axes(SMALL)[0]
    assert axis.value(SMALL) is None
    assert axis.value(axis.put(SMALL, 0.5)) == 0.5


@pytest.mark.parametrize("n", [1, 2, 3, 10, 41])
def test_coarse_to_fine_visits_everything_once_ends_first(n):
    order = coarse_to_fine(n)
    assert sorted(order) == list(range(n))
    assert order[:2] == ([0, n - 1] if n > 1 else [0])


@pytest.mark.parametrize("text", ["", "1", "a,b,c", "-99,5,9", "5,5,9", "1,2,1", "1,2,999", "1,2,3,4"])
def test_hostile_grids_are_the_default(text):
    assert read_grid(text) == (-5, 5, 11)


def test_the_plan_does_not_depend_on_where_the_user_stands():
    axis = axes(SMALL)[0]
    here = make_plan(axis.put(SMALL, 4.0).chosen("decoding", "kl"), axis, (0.5, 1.0), (HAMMING,), ())
    there = make_plan(SMALL, axis, (0.5, 1.0), (HAMMING,), ())
    assert here == there and hash(here) == hash(there)
    assert here.measures == CHEAP
    with pytest.raises(ValueError, match="fewer than two values"):
        make_plan(SMALL, axis, (0.5,), (HAMMING,), ())


def test_a_job_hands_over_points_as_they_come_and_gives_the_numbers_of_runs():
    plan, report = small_plan(Measure.CROSS_VALIDATION, decodings=(HAMMING, LINEAR)), Report()
    trace(plan, report, Memory())
    assert [position for position, _ in report.partial][:: len(plan.measures)] == [0, 2, 1]
    assert report.share == 1.0
    points = collect_points(tuple(report.partial))
    curves = curves_of(plan, points, {"hamming": "Hamming", "linear": "Linear"})
    assert [(c.decoder, c.measure) for c in curves[:4]] == [
        ("Hamming", "test"), ("Hamming", "train"), ("Hamming", "bound"), ("Hamming", "cross-validation"),
    ]  # fmt: skip
    test = curves[0]
    for position, value in enumerate(plan.values):
        alone = run(plan.axis.put(SMALL, value).chosen("decoding", "hamming"))
        assert test.n_wrong[position] == alone.test.n_wrong
        assert points[position].classes == alone.trained.classes
        assert (reading_of(points[position], HAMMING, Measure.TEST).truth == alone.test.truth).all()
    assert curves[2].status == "theorem" and test.status is None
    assert all(curve.known == (0, 1, 2) for curve in curves)


def test_unfinished_curves_have_gaps():
    plan, report = small_plan(), Report()
    trace(plan, report, Memory())
    first = {position: point for position, point in report.partial if position != 1}
    assert curves_of(plan, first, {"hamming": "Hamming"})[0].n_wrong[1] is None
    assert curves_of(plan, {}, {"hamming": "Hamming"}) == ()


def test_what_is_remembered_is_not_measured_again(monkeypatch):
    memory, plan = Memory(), small_plan()
    trace(plan, Report(), memory)
    trained = []

    def train(*args):
        trained.append(args)
        raise AssertionError

    monkeypatch.setattr("ecocviz.lab.curves.train", train)
    again = Report()
    trace(plan, again, memory)
    assert len(collect_points(tuple(again.partial))) == 3
    with pytest.raises(AssertionError):
        trace(small_plan(decodings=(LINEAR,)), Report(), memory)
    assert len(trained) == 1


def test_refusals_are_remembered_too():
    memory = Memory()
    task = CurveTask(SMALL.chosen("machine", "naive-bayes"), (HAMMING,), (Measure.BOUND,))
    first = measure_point(task, memory=memory)
    assert not first.readings and "kernel machines" in first.refused[0]
    assert memory.find(task.scenario, HAMMING, Measure.BOUND).found == first.refused[0]


def test_memory_is_bounded_and_forgets_the_least_used():
    memory = Memory(max_bytes=1_200)
    for measure in (Measure.TEST, Measure.TRAIN):
        memory.keep(SMALL, HAMMING, measure, Known("no", (), 0.0))
    assert memory.find(SMALL, HAMMING, Measure.TEST) is not None
    memory.keep(SMALL, HAMMING, Measure.BOUND, Known("no", (), 0.0))
    assert memory.find(SMALL, HAMMING, Measure.TRAIN) is None
    assert memory.find(SMALL, HAMMING, Measure.TEST) is not None
    memory.keep(SMALL, HAMMING, Measure.BOUND, Known("never", (), 0.0))
    assert memory.find(SMALL, HAMMING, Measure.TEST) is not None
    # The decoder of the scenario itself is no part of what a reading is of.
    assert memory.find(SMALL.chosen("decoding", "kl"), HAMMING, Measure.BOUND).found == "never"


def test_cancelling_between_readings_keeps_what_was_measured():
    plan, report = small_plan(n=5), Report()

    class Stopping(Memory):
        def keep(self, *args):
            super().keep(*args)
            if len(report.partial) >= 4:
                report.stopped.set()

    with pytest.raises(CancelledError):
        trace(plan, report, Stopping())
    assert 4 <= len(report.partial) < 15


def test_two_viewers_of_a_curve_measure_it_once_and_it_begins_anew_after_a_cancel():
    jobs, memory, gate, begun = Jobs(n_threads=2), Memory(), threading.Event(), []
    plan = small_plan()

    def work(report):
        begun.append(1)
        gate.wait(5)
        trace(plan, report, memory)

    try:
        jobs.start(plan, work, "a")
        jobs.start(small_plan(), work, "b")
        jobs.leave(plan, "a")
        jobs.leave(plan, "b")
        assert jobs.look(plan).state is JobState.CANCELLED
        gate.set()
        jobs.wait(plan, 5)
        jobs.start(plan, work, "a")
        done = jobs.wait(plan, 30)
        assert done.state is JobState.DONE and len(collect_points(done.partial)) == 3
        assert len(begun) <= 2
    finally:
        gate.set()
        jobs.close()
