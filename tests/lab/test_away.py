"""Large parts of a background job are computed elsewhere, and nobody sees a difference but in time."""

from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import numpy as np
import pytest
from waiting import until

from ecocviz.engine.progress import NO_PROGRESS, Telling
from ecocviz.lab.away import away
from ecocviz.lab.cost import Cost
from ecocviz.lab.curves import CurveTask, Measure, measure_point
from ecocviz.lab.evaluate import evaluate
from ecocviz.lab.gate import Gate
from ecocviz.lab.jobs import Jobs
from ecocviz.lab.predict import CORRECTIONS, train_away
from ecocviz.lab.report import JobState, working
from ecocviz.lab.run import run, train
from ecocviz.lab.scenario import choose, make_scenario

LARGE = Cost(60.0, 1 << 20)


class Elsewhere:
    """Computes on copies, as another process does: what a function changes of its arguments stays there."""

    def __init__(self):
        self.called = []

    def call(self, function, /, *arguments, report, max_bytes=None):
        self.called.append((function.__name__, max_bytes))
        report.check()
        with ThreadPoolExecutor(1) as pool:  # as little as another process does this thread work for the job
            value = pool.submit(function, *deepcopy(arguments), NO_PROGRESS).result()
        return deepcopy(value)


@pytest.fixture
def elsewhere():
    return Elsewhere()


@pytest.fixture
def jobs(elsewhere):
    pool = Jobs(Gate(room=lambda: 1 << 30), elsewhere)
    yield pool
    pool.close()


@pytest.fixture
def all_is_large(monkeypatch):
    monkeypatch.setattr(Cost, "large", True)


def done(jobs, work, key="key"):
    jobs.start(key, work, "viewer")
    snapshot = jobs.wait(key, 60)
    assert snapshot.state is JobState.DONE, snapshot.error
    return snapshot.result


def double(number, progress):
    progress.note("doubling")
    return 2 * number


def test_outside_a_job_it_is_an_ordinary_call():
    heard = []
    assert working() is None
    assert away(LARGE, double, 4, progress=Telling(lambda _share, note: heard.append(note))) == 8
    assert heard == ["doubling"]


def test_only_the_large_parts_of_a_job_go_elsewhere(jobs, elsewhere):
    assert done(jobs, lambda report: away(Cost(0.01), double, 4, progress=report)) == 8
    assert elsewhere.called == []
    assert done(jobs, lambda report: away(LARGE, double, 5, progress=report), "other") == 10
    assert elsewhere.called == [("double", 1 << 30)]


def test_while_it_waits_for_its_turn_a_job_says_how_many_come_before_it(elsewhere):
    gate = Gate(n_large=1, room=lambda: 1 << 30)
    jobs, inside = Jobs(gate, elsewhere), []

    def slow(report):
        with gate.large(LARGE, report):
            inside.append(1)
            until(report.stopped.is_set)

    jobs.start("slow", slow, "a")
    until(lambda: inside)
    jobs.start("next", lambda report: away(LARGE, double, 1, progress=report), "b")
    until(lambda: jobs.look("next").state is JobState.WAITING and jobs.look("next").ahead == 1)
    assert jobs.look("next").expected == LARGE.seconds
    jobs.leave("slow", "a")
    assert jobs.wait("next", 20).result == 2
    jobs.close()


SCENARIO = make_scenario(data="iris", coding="one-vs-one", seed=3)
LIKELIHOOD, KL = choose("decoding", "likelihood"), choose("decoding", "kl")


@pytest.mark.usefixtures("all_is_large")
def test_machines_trained_elsewhere_give_the_same_numbers_to_the_last_digit(jobs, elsewhere):
    expected = run(SCENARIO)
    trained = done(jobs, lambda report: train_away(SCENARIO, report))
    assert [name for name, _ in elsewhere.called] == ["train"]
    assert np.array_equal(trained.shown.estimator.alphas_, expected.trained.shown.estimator.alphas_)

    def decide(report):
        return evaluate(trained, "test", LIKELIHOOD, report)

    found = done(jobs, decide, "decide")
    assert [name for name, _ in elsewhere.called[1:]] == ["_score_bits", "_with_gathered", "_decide"]
    assert np.array_equal(found.costs, expected.test.costs)
    # What was learned there is known here, and is not learned again.
    assert np.array_equal(trained.shown.estimator.sigmoids_, expected.trained.shown.estimator.sigmoids_)
    del elsewhere.called[:]
    done(jobs, lambda report: evaluate(trained, "train", LIKELIHOOD, report), "again")
    assert [name for name, _ in elsewhere.called] == ["_score_bits", "_decide"]


@pytest.mark.usefixtures("all_is_large")
@pytest.mark.parametrize("reduction", ["ecoc", "single-binary", "support-pattern", "continuous-code", "ddag"])
def test_readings_taken_elsewhere_are_those_taken_here(jobs, elsewhere, reduction):
    scenario = make_scenario(data="iris", reduction=reduction)
    task = CurveTask(scenario, (LIKELIHOOD, KL), tuple(Measure))
    here = measure_point(task)
    there = done(jobs, lambda report: measure_point(task, report, train=train_away))
    assert elsewhere.called
    assert here.found.keys() == there.found.keys()
    for key, reading in here.found.items():
        other = there.found[key]
        if isinstance(reading, str):
            assert other == reading
        else:
            assert (other.n_wrong, other.n, other.status) == (reading.n_wrong, reading.n, reading.status)
            assert np.array_equal(other.flagged, reading.flagged)


@pytest.mark.usefixtures("all_is_large")
def test_machines_left_out_for_one_decoder_serve_the_next(jobs):
    trained = train(SCENARIO)
    task = CurveTask(SCENARIO, (choose("decoding", "hamming"),), (Measure.EXACT,))
    done(jobs, lambda report: measure_point(task, report, train=lambda _scenario, _progress: trained))
    assert trained.shown.estimator.gathered()[1] is not None


def test_how_long_trainings_really_take_is_learned(jobs, monkeypatch):
    seen = []
    monkeypatch.setattr(CORRECTIONS, "saw", lambda *arguments: seen.append(arguments))
    trained = done(jobs, lambda report: train_away(SCENARIO, report))
    ((scenario, predicted, took),) = seen
    assert scenario == SCENARIO and 0 < predicted < 1 and took == trained.seconds
