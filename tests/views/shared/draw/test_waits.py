"""What is said of a job that is waited for, and how steady that is."""

import pytest

from ecocviz.lab.report import JobState, Snapshot
from ecocviz.views.shared.draw.waits import about, seconds_left, steadied, wait_sentence


def job(state=JobState.RUNNING, **told):
    fields = {"share": 0.0, "note": "", "partial": (), "result": None, "error": None, "seconds": 0.0, **told}
    return Snapshot(state, **fields)


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({}, "waiting for other computations"),
        ({"ahead": 1}, "waiting for 1 other computation"),
        ({"ahead": 2, "expected": 0.5}, "waiting for 2 other computations"),
        ({"ahead": 2, "expected": 41.0}, "waiting for 2 other computations; this one then takes about 40 s"),
        (
            {"note": "loading", "expected": 120.0},
            "waiting for other computations; this one then takes about 2 min",
        ),
    ],
)
def test_a_job_that_waits_says_for_how_many_and_how_long_it_takes_itself(told, sentence):
    assert wait_sentence(job(JobState.WAITING, **told)) == sentence


def test_a_job_that_runs_says_what_it_does_and_what_is_left():
    assert wait_sentence(job()) == "starting"
    assert wait_sentence(job(note="training machine 2 of 6")) == "training machine 2 of 6"
    assert wait_sentence(job(note="training"), 21.0) == "training, about 20 s left"
    assert wait_sentence(job(note="training"), 1.0) == "training, a few seconds left"


def test_durations_are_coarse_and_never_shrink_where_they_grow():
    texts = list(dict.fromkeys(about(tenths / 10) for tenths in range(200_000)))
    assert texts[:8] == ["a few seconds", *(f"about {s} s" for s in (5, 10, 15, 20, 30, 40, 50))]
    assert texts[8:10] == ["about 1 min", "about 2 min"] and texts[-1] == "about 5.6 h"


def test_nothing_is_estimated_before_it_has_run_a_while_and_come_somewhere():
    assert seconds_left(job(share=0.5, seconds=2.9)) is None
    assert seconds_left(job(share=0.0, seconds=60.0, expected=90.0)) is None
    assert seconds_left(job(JobState.WAITING, share=0.0, expected=90.0)) is None
    assert seconds_left(job(JobState.DONE, share=1.0, seconds=9.0)) is None


def test_what_is_left_goes_by_what_was_done_and_at_first_by_what_was_predicted():
    assert seconds_left(job(share=0.25, seconds=10.0)) == pytest.approx(30.0)
    early, late = (seconds_left(job(share=s, seconds=40 * s, expected=100.0)) for s in (0.1, 0.9))
    assert 36 < early < 96 and 4 < late < 10  # alone it would say 36 and 4
    # A prediction that was too short is forgotten when the job has outlasted it.
    assert seconds_left(job(share=0.25, seconds=10.0, expected=9.0)) == pytest.approx(30.0)


def test_what_comes_before_the_first_step_says_nothing_of_the_others():
    # 9 s of loading and of the first of 26 machines, then two machines a second.
    mark = (9.0, 1 / 26)
    assert seconds_left(job(share=9 / 26, seconds=13.0), mark) == pytest.approx(8.5)
    assert seconds_left(job(share=9 / 26, seconds=13.0)) > 24
    # Too early to tell a speed: nothing, or what was predicted.
    assert seconds_left(job(share=3 / 26, seconds=10.0), mark) is None
    assert seconds_left(job(share=3 / 26, seconds=10.0, expected=30.0), mark) == pytest.approx(20.0)


def test_a_job_that_stands_still_is_not_told_as_nearly_over():
    lefts = [seconds_left(job(share=17 / 21, seconds=s), (1.0, 1 / 21)) for s in (10.0, 28.0, 46.0)]
    assert lefts == pytest.approx([2.25, 6.75, 11.25])
    assert wait_sentence(job(note="machine 1 of 26", seconds=5.2)) == "machine 1 of 26, 5 s so far"


def test_an_estimate_goes_on_from_the_one_before():
    assert steadied(None, 5.0, 20.0) == 20.0
    assert steadied(20.0, 2.0, None) is None
    assert steadied(20.0, 2.0, 18.0) == pytest.approx(18.0)
    assert steadied(20.0, 2.0, 58.0) == pytest.approx(30.0)
    told = 20.0
    for _ in range(30):
        told = steadied(told, 0.0, 60.0)
    assert told == pytest.approx(60.0, abs=0.01)
