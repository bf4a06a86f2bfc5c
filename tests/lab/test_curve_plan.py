"""Plans of curves: over what, at which values, in which order, and what comes of them as a job."""

import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.lab.curve_plan import (
    CHEAP,
    Curve,
    Line,
    axes,
    coarse_to_fine,
    curves_of,
    grid_values,
    make_plan,
    plan_seconds,
    read_grid,
    trace,
)
from ecocviz.lab.curves import Measure, Memory
from ecocviz.lab.gate import Gate
from ecocviz.lab.jobs import Jobs
from ecocviz.lab.report import CancelledError, JobState, Report
from ecocviz.lab.run import load, run, train, without_decoder
from ecocviz.lab.scenario import choose, make_scenario

SMALL = make_scenario(data=("moons", {"n_samples": 60}))
HAMMING, LINEAR = choose("decoding", "hamming"), choose("decoding", "linear")


def small_plan(*costly, n=3, decodings=(HAMMING,), scenario=SMALL):
    axis = axes(scenario)[0]
    line = Line(axis, grid_values(axis, -1, 1, n))
    return make_plan(scenario, (line,), decodings, (*CHEAP, *costly))


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
    lines = (Line(axis, (0.5, 1.0)),)
    here = make_plan(axis.put(SMALL, 4.0).chosen("decoding", "kl"), lines, (HAMMING,), CHEAP)
    there = make_plan(SMALL, lines, (HAMMING,), CHEAP)
    assert here == there and hash(here) == hash(there)
    with pytest.raises(ValueError, match="fewer than two values"):
        make_plan(SMALL, (Line(axis, (0.5,)),), (HAMMING,), CHEAP)


def test_a_job_hands_over_points_as_they_come_and_gives_the_numbers_of_runs():
    plan, report = small_plan(Measure.CROSS_VALIDATION, decodings=(HAMMING, LINEAR)), Report()
    trace(plan, report, Memory(), train)
    assert [position for position, _ in report.partial][:: len(plan.measures)] == [0, 2, 1]
    assert report.share == 1.0
    points = dict(report.partial)
    curves = curves_of(plan, points, {"hamming": "Hamming", "linear": "Linear"})
    assert [(c.decoder, c.measure) for c in curves[:4]] == [
        ("Hamming", "test"), ("Hamming", "train"), ("Hamming", "bound"), ("Hamming", "cross-validation"),
    ]  # fmt: skip
    test = curves[0]
    for position, value in enumerate(plan.values):
        alone = run(plan.axis.put(SMALL, value).chosen("decoding", "hamming"))
        assert test.n_wrong[position] == alone.test.n_wrong
        assert points[position].classes == alone.trained.classes
        reading = points[position].reading(HAMMING, Measure.TEST)
        assert (reading.truth == alone.test.truth).all() and (reading.rows == alone.test.rows).all()
    assert curves[2].status == "theorem" and test.status is None
    assert all(curve.known == (0, 1, 2) for curve in curves)


def test_unfinished_curves_have_gaps():
    plan, report = small_plan(), Report()
    trace(plan, report, Memory(), train)
    first = {position: point for position, point in report.partial if position != 1}
    assert curves_of(plan, first, {"hamming": "Hamming"})[0].n_wrong[1] is None
    assert curves_of(plan, {}, {"hamming": "Hamming"}) == ()


def test_what_is_remembered_is_not_measured_again():
    memory, plan, trained = Memory(), small_plan(), []

    def counted(scenario, progress):
        trained.append(scenario)
        return train(scenario, progress)

    trace(plan, Report(), memory, counted)
    values = [plan.axis.value(scenario) for scenario in trained]
    assert values == [plan.values[k] for k in coarse_to_fine(3)]
    assert all(scenario == without_decoder(scenario) for scenario in trained)
    again = Report()
    trace(plan, again, memory, counted)
    assert len(trained) == 3 and set(dict(again.partial)) == {0, 1, 2}
    trace(small_plan(decodings=(HAMMING, LINEAR)), Report(), memory, counted)
    assert len(trained) == 6


def test_curves_are_of_the_measures_asked_for_whatever_else_is_remembered():
    memory = Memory()
    wide, narrow = small_plan(Measure.CROSS_VALIDATION), replace(small_plan(), measures=(Measure.TEST,))
    trace(wide, Report(), memory, train)
    report = Report()
    trace(narrow, report, memory, train)
    curves = curves_of(narrow, dict(report.partial), {"hamming": "Hamming"})
    assert [curve.measure for curve in curves] == [Measure.TEST]


def test_a_note_says_which_value_is_measured():
    notes = []

    class Noting(Report):
        def note(self, text):
            notes.append(text)

    trace(small_plan(), Noting(), Memory(), train)
    firsts = list(dict.fromkeys(note.partition(":")[0] for note in notes))
    assert firsts == ["0 of 3 values, now 0.5", "1 of 3 values, now 2", "2 of 3 values, now 1"]


def test_cancelling_between_readings_keeps_what_was_measured():
    plan, report = small_plan(n=5), Report()

    class Stopping(Memory):
        def keep(self, *args):
            super().keep(*args)
            if len(report.partial) >= 4:
                report.stopped.set()

    with pytest.raises(CancelledError):
        trace(plan, report, Stopping(), train)
    assert 4 <= len(report.partial) < 15


@given(st.lists(st.one_of(st.none(), st.integers(0, 50)), min_size=4, max_size=4).filter(any))
def test_the_minimum_is_the_first_of_the_least_errors(n_wrong):
    curve = Curve(
        decoder="A",
        measure=Measure.TEST,
        places=((0.25,), (0.5,), (1.0,), (2.0,)),
        n_wrong=tuple(n_wrong),
        n=50,
        seconds=0.1,
    )
    best = None
    for k, errors in enumerate(n_wrong):
        if errors is not None and (best is None or errors < n_wrong[best]):
            best = k
    assert curve.minimum == best
    assert curve.least == n_wrong[best]


def test_two_viewers_of_a_curve_measure_it_once_and_it_begins_anew_after_a_cancel():
    jobs, memory, gate, begun = Jobs(Gate(2)), Memory(), threading.Event(), []
    plan = small_plan()

    def work(report):
        begun.append(1)
        gate.wait(5)
        trace(plan, report, memory, train)

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
        assert done.state is JobState.DONE and len(dict(done.partial)) == 3
        assert len(begun) <= 2
    finally:
        gate.set()
        jobs.close()


# Over two parameters ---------------------------------------------------------------------------------


JUDGED = (Measure.TEST, Measure.BOUND, Measure.CROSS_VALIDATION)


def small_map(scenario=SMALL, decodings=(HAMMING, LINEAR), n=(2, 3), ends=(-2, 4)):
    both = zip(axes(scenario)[:2], n, strict=True)
    lines = tuple(Line(axis, grid_values(axis, *ends, size)) for axis, size in both)
    return make_plan(scenario, lines, decodings, JUDGED)


@given(st.lists(st.integers(2, 9), min_size=2, max_size=2))
def test_a_map_fills_corners_first_and_visits_everything_once(sizes):
    order, (n, m) = coarse_to_fine(*sizes), sizes
    assert sorted(order) == list(range(n * m))
    assert set(order[:4]) == {0, m - 1, (n - 1) * m, n * m - 1}
    for k in range(2, min(sizes) + 1):  # the first k * k points are a smaller map
        assert len({p // m for p in order[: k * k]}) == len({p % m for p in order[: k * k]}) == k


def test_a_map_depends_on_neither_of_its_parameters():
    gamma, price = axes(SMALL)
    there = gamma.put(price.put(SMALL, 4.0), 0.5)
    assert small_map(there) == small_map() and hash(small_map(there)) == hash(small_map())
    assert small_map().places[:4] == ((0.25, 0.25), (0.25, 2.0), (0.25, 16.0), (16.0, 0.25))
    both = small_map().put(SMALL, (16.0, 2.0))
    assert (gamma.value(both), price.value(both)) == (16.0, 2.0)
    assert both.chosen("machine", None, gamma="scale", C="inverse-mean-kernel") == SMALL


@pytest.mark.parametrize(
    "scenario",
    [
        SMALL,
        make_scenario(data=("blobs", {"n_samples": 50}), coding="one-vs-one"),
        make_scenario(data=("moons", {"n_samples": 40}), split="k-fold"),
        make_scenario(data=("blobs", {"n_samples": 40}), machine="libsvm"),
    ],
    ids=["moons", "pairs", "folds", "other machines"],
)
def test_a_map_counts_as_every_point_measured_by_itself(scenario):
    plan, report, trained = small_map(scenario, ends=(-5, -1)), Report(), []

    def counted(one, progress):
        trained.append(one)
        return train(one, progress)

    trace(plan, report, Memory(), counted)
    assert len(trained) == len(set(trained)) == 6  # one training a point, for both decoders
    maps = curves_of(plan, dict(report.partial), {"hamming": "Hamming", "linear": "Linear"})
    assert [(one.decoder, one.measure) for one in maps] == [
        (name, measure) for name in ("Hamming", "Linear") for measure in JUDGED
    ]
    for position, place in enumerate(plan.places):
        for decoding, (test, bound, held) in zip(plan.decodings, (maps[:3], maps[3:]), strict=True):
            result = run(plan.put(scenario, place).chosen("decoding", decoding.key))
            estimator, y = result.trained.shown.estimator, result.trained.shown.prepared.y_train
            assert test.n_wrong[position] == result.test.n_wrong
            assert bound.n_wrong[position] == estimator.loo_bound(decoding.key, {}).flagged.sum()
            costs = estimator.cross_validated(5, decoding.key, {})
            assert held.n_wrong[position] == (costs.argmin(axis=1) != y).sum()
            assert (test.n, bound.n, held.n) == (result.test.n, y.size, y.size)


def test_a_map_hands_over_counts_and_notes_without_single_points():
    notes = []

    class Noting(Report):
        def note(self, text):
            notes.append(text.partition(":")[0])

    memory, report = Memory(), Noting()
    trace(small_map(decodings=(HAMMING,), n=(2, 2)), report, memory, train)
    assert list(dict.fromkeys(notes))[:2] == [
        "0 of 4 pairs, now 0.25 and 0.25",
        "1 of 4 pairs, now 0.25 and 16",
    ]
    for _, point in report.partial:
        whole = memory.find(point.scenario)
        for measure in point.found:
            lean, full = point.found[measure], whole.found[measure]
            assert lean.n_bytes == 0 < full.n_bytes
            assert (lean.n_wrong, lean.n, lean.status) == (full.n_wrong, full.n, full.status)


def test_of_equally_good_places_the_smallest_values_count():
    places = small_map(n=(2, 2)).places
    shared = {"decoder": "A", "measure": Measure.TEST, "places": places, "n": 9, "seconds": 0.1}
    assert Curve(n_wrong=(3, 1, 1, 1), **shared).minimum == 1
    assert Curve(n_wrong=(None, 2, 2, 1), **shared).minimum == 3


def test_the_time_that_a_plan_takes_grows_with_its_points_measures_and_data():
    table, large = load(SMALL), make_scenario(data="satimage")
    times = [plan_seconds(small_map(n=n), table) for n in ((2, 2), (4, 4))]
    assert times[1] == pytest.approx(4 * times[0])
    one = replace(small_map(large), measures=(Measure.TEST,))
    held = replace(one, measures=(Measure.TEST, Measure.CROSS_VALIDATION))
    first, second = (plan_seconds(plan, load(large)) for plan in (one, held))
    assert first < second < 2 * first and first > 2 * plan_seconds(small_map(), table)
