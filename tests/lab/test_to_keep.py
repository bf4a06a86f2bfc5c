"""What pages show of errors as runs and sweeps in a store, and many of them looked at in one go."""

from dataclasses import replace

import pytest
from runs_tools import keep, memory, scenario

from ecocviz.lab.curve_plan import Line, axes, make_plan, trace
from ecocviz.lab.curves import Measure, Memory
from ecocviz.lab.report import JobState, Report, Snapshot
from ecocviz.lab.run import run, train
from ecocviz.lab.scenario import choose
from ecocviz.lab.store_about import key_of
from ecocviz.lab.store_looks import known_errors, points_of_runs, some_runs, totals
from ecocviz.lab.to_keep import Found, counted, curve_to_keep, errors_to_keep

BLOBS = scenario(("blobs", {"n_samples": 60}))


def curve(decoders=("hamming", "linear"), values=(0.5, 1.0)):
    """A plan over gamma, and its job when it is done."""
    (gamma,) = (axis for axis in axes(BLOBS) if axis.key == "machine.gamma")
    decodings = tuple(choose("decoding", key) for key in decoders)
    plan = make_plan(BLOBS, (Line(gamma, values),), decodings, (Measure.TEST, Measure.TRAIN))
    report = Report()
    trace(plan, report, Memory(), train)
    return plan, Snapshot(JobState.DONE, 1.0, "", tuple(report.partial), None, None, 0.0)


def test_scenarios_are_gathered_when_they_are_written_and_kept_once():
    asked = []

    def found():
        asked.append(1)
        yield Found(BLOBS, {"test": (3, 18), "train": (1, 42)}, 0.25)
        yield Found(scenario(), {"test": (0, 0)}, 0.25)  # no test points: nothing is known

    store, what = memory(), errors_to_keep("key", found)
    assert not asked
    for recent in (True, False):  # then somebody has asked for it
        what.write(store, "", "", recent)
        store.flush()
        assert [one.recent for one in store.runs()] == [recent]
    (one,) = store.runs()
    assert store.points(one.id) == {"test": counted(3, 18), "train": counted(1, 42)}
    assert (one.seconds, one.state) == (0.25, "done")


def test_what_another_page_computed_of_the_same_scenario_stands_beside_its_errors():
    store, bits = memory(), {"bits-test": {"points": 18, "wrong_bits": 5}}
    errors_to_keep("a", lambda: [Found(BLOBS, {"test": (3, 18)}, 0.25)]).write(store, "", "playground")
    store.flush()
    errors_to_keep("b", lambda: [Found(BLOBS, {}, 0.25, more=bits)]).write(store, "", "bits")
    store.flush()
    (one,) = store.runs()
    assert store.points(one.id) == {"test": counted(3, 18), **bits}
    assert (one.page, one.n_points, one.n_done) == ("bits", 2, 2)
    store.keep(BLOBS, {"test": counted(3, 18)}, 0.25)  # by the command line: no page shows it
    assert store.find(one.id).page == "bits"


def test_a_curve_is_kept_as_one_sweep_with_the_numbers_of_single_runs():
    plan, job = curve()
    store, what = memory(), curve_to_keep(plan, job)
    for _ in range(2):
        what.write(store, "", "")
    (sweep,) = store.runs()
    assert (sweep.kind, sweep.state, sweep.n_done, sweep.recent) == ("sweep", "done", 4, True)
    points = store.points(sweep.id)
    for decoding in plan.decodings:
        for value in plan.values:
            one = replace(plan.put(plan.scenario, (value,)), decoding=decoding)
            result = run(one)
            point = points[key_of(one)]
            assert point["scenario"] == one.to_flat()
            assert point["test"] == counted(result.test.n_wrong, result.test.n)
            assert point["train"] == counted(result.train.n_wrong, result.train.n)
    assert sweep.seconds == pytest.approx(sum(point.seconds for point in dict(job.partial).values()))


@pytest.mark.parametrize("state", [JobState.RUNNING, JobState.CANCELLED])
def test_of_a_curve_that_is_not_done_what_was_found_is_kept(state):
    plan, job = curve()
    store = memory()
    assert curve_to_keep(plan, replace(job, state=JobState.RUNNING, partial=())) is None
    assert curve_to_keep(None, job) is None
    first = tuple((place, point) for place, point in job.partial if place == 0)
    part = curve_to_keep(plan, replace(job, state=state, partial=first))
    assert part.key != curve_to_keep(plan, job).key
    part.write(store, "", "model_selection")
    (sweep,) = store.runs()
    assert (sweep.state, sweep.n_done, sweep.n_points) == ("stopped", 2, 4)
    assert sweep.page == "model_selection"
    curve_to_keep(plan, job).write(store, "", "")
    assert [(one.state, one.n_done) for one in store.runs()] == [("done", 4)]


def test_totals_have_another_stamp_whenever_something_changes():
    store = memory()
    stamps = [totals(store, None).stamp]
    first = keep(store, scenario(), 3)
    stamps.append(totals(store, None).stamp)
    keep(store, scenario("glass"), 3)
    stamps.append(totals(store, None).stamp)
    keep(store, scenario(), 3, train=1)
    stamps.append(totals(store, None).stamp)
    store.delete(first.id)
    stamps.append(totals(store, None).stamp)
    assert len(set(stamps)) == len(stamps)
    assert totals(store, None).sets == {"glass"}
    assert totals(store, "nobody").n_runs == 0


def test_errors_of_runs_and_of_sweeps_are_known_the_latest_first():
    store = memory()
    plan, job = curve(("hamming",), (0.5, 1.0))
    curve_to_keep(plan, job).write(store, "", "")
    keep(store, scenario(), 4, train=2)
    keep(store, scenario("glass"), 4, owner="me")
    found = known_errors(store, "")
    assert found[0] == (scenario().to_flat(), counted(4, 100))
    gammas = {flat.get("machine.gamma") for flat, _ in found[1:]}
    assert gammas == {"0.5", "1.0"}
    assert [flat for flat, _ in known_errors(store, "me")] == [scenario("glass").to_flat()]
    assert len(known_errors(store, None)) == 4


def test_more_runs_than_one_question_takes():
    store = memory()
    numbers = []
    for seed in range(1_100):
        store.record(scenario(seed=seed), {"test": counted(1, 2)}, 0.0)
    store.flush()
    numbers = [one.id for one in store.runs()]
    assert set(some_runs(store, numbers, None)) == set(numbers)
    assert set(points_of_runs(store, numbers)) == set(numbers)
    assert some_runs(store, [], None) == points_of_runs(store, []) == {}


@pytest.mark.parametrize("broken", ["not json", "[1]", "3"])
def test_a_point_of_a_sweep_that_is_no_scenario_is_passed_over(broken):
    store = memory()
    run_number = store.begin("sweep", "A sweep", {"scenario": scenario().to_flat()}, 1)
    store.add(run_number, broken, {"test": counted(1, 2)})
    assert known_errors(store, None) == []
