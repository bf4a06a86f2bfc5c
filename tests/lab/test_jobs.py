import itertools
import os
import sys
import threading
import time

import numpy as np
import pytest
from waiting import until

from ecocviz.lab.gate import Gate
from ecocviz.lab.jobs import TOO_LARGE, Jobs
from ecocviz.lab.report import CancelledError, JobState


@pytest.fixture
def jobs():
    pool = Jobs(Gate(2), max_kept=4, max_waiting=3)
    yield pool
    pool.close()


def test_one_computation_for_many_viewers(jobs):
    runs, gate = [], threading.Event()

    def work(report):
        runs.append(1)
        report.at(0.5)
        report.note("half")
        report.add("first")
        gate.wait(5)
        return "all"

    for viewer in ("a", "b", "c"):
        jobs.start("key", work, viewer)
    until(lambda: jobs.look("key").partial)
    snapshot = jobs.look("key")
    assert snapshot.state is JobState.RUNNING
    assert (snapshot.share, snapshot.note, snapshot.partial) == (0.5, "half", ("first",))
    gate.set()
    done = jobs.wait("key", 5)
    assert done.state is JobState.DONE and done.result == "all" and done.share == 1.0 and done.seconds > 0
    assert runs == [1]
    assert jobs.start("key", work, "d").result == "all"
    assert runs == [1]


@pytest.mark.skipif(sys.platform != "linux", reason="threads have a niceness of their own on Linux")
def test_a_job_computes_behind_the_threads_that_serve_pages(jobs):
    jobs.start("key", lambda _report: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
    mine = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    assert jobs.wait("key", 5).result == min(mine + 10, 19)


def endless(report):
    for n in itertools.count():
        report.note(str(n))


def steps(jobs, key):
    """How far an endless job has come."""
    return int(jobs.look(key).note or 0)


def assert_it_goes_on(jobs, key):
    """It takes another step after this moment, and nothing has stopped it."""
    now = steps(jobs, key)
    until(lambda: steps(jobs, key) > now + 1)
    assert jobs.look(key).state is JobState.RUNNING


def test_a_job_that_is_turned_from_goes_on_until_another_needs_its_thread(jobs):
    jobs.start("old", endless, "a")
    jobs.start("watched", endless, "b")
    jobs.look_away("old", "a")
    jobs.look_away("nothing", "a")
    assert_it_goes_on(jobs, "old")
    assert jobs.start("new", lambda report: report.at(1.0) or "done", "a").state is not JobState.DONE
    assert jobs.wait("new", 5).result == "done"
    assert jobs.look("old").state is JobState.CANCELLED
    assert jobs.look("watched").state is JobState.RUNNING


def test_who_comes_back_finds_the_job_further_on(jobs):
    jobs.start("key", endless, "a")
    jobs.look_away("key", "a")
    jobs.start("key", endless, "a")
    jobs.start("second", endless, "a")
    jobs.start("third", endless, "a")
    assert_it_goes_on(jobs, "key")
    assert_it_goes_on(jobs, "second")
    assert jobs.look("third").state is JobState.WAITING


def test_a_job_of_a_closed_window_is_cancelled_though_its_viewer_had_turned_from_it(jobs):
    jobs.start("key", endless, "a")
    jobs.look_away("key", "a")
    jobs.leave_for(lambda viewer: viewer == "a")
    assert jobs.look("key").state is JobState.CANCELLED


def test_the_last_viewer_to_leave_cancels(jobs):
    jobs.start("key", endless, "a")
    jobs.start("key", endless, "b")
    jobs.leave("key", "a")
    assert_it_goes_on(jobs, "key")
    jobs.leave("key", "b")
    assert jobs.look("key").state is JobState.CANCELLED
    began = time.perf_counter()
    jobs.wait("key", 5)
    assert time.perf_counter() - began < 0.5
    assert jobs.look("key").state is JobState.CANCELLED
    jobs.leave("nothing", "a")


def test_a_cancelled_or_failed_job_can_be_started_again(jobs):
    def fail(report):
        report.at(0.3)
        raise ValueError("Too many rows.")

    jobs.start("key", fail)
    failed = jobs.wait("key", 5)
    assert failed.state is JobState.FAILED and failed.error == "Too many rows."
    jobs.start("key", lambda _: 7)
    assert jobs.wait("key", 5).result == 7


def test_what_was_found_before_a_job_was_begun_anew_is_shown_until_it_has_found_as_much(jobs):
    goes_on = threading.Event()

    def work(report):
        for number in range(3):
            report.add(number)
            goes_on.wait(0.0 if number < 1 else 5)

    jobs.start("key", work)
    until(lambda: len(jobs.look("key").partial) == 2)
    for _ in range(2):  # the second is cancelled before it has found anything
        jobs.leave("key")
        assert jobs.look("key").partial == (0, 1)
        again = jobs.start("key", lambda report: until(report.check, seconds=5))
        assert again.partial == (0, 1)
    jobs.leave("key")
    jobs.start("key", work)
    goes_on.set()
    assert jobs.wait("key", 5).partial == (0, 1, 2)


def test_an_unexpected_failure_is_a_sentence_and_a_log_entry(jobs, caplog):
    jobs.start("key", lambda _: 1 // 0)
    error = jobs.wait("key", 5).error
    assert (
        error == "The computation stopped unexpectedly (ZeroDivisionError); change a setting and try again."
    )
    assert "ZeroDivisionError" in caplog.text


def test_waiting_jobs_are_bounded_and_cancelled_before_they_begin(jobs):
    gate, begun = threading.Event(), []

    def work(_):
        begun.append(1)
        gate.wait(5)

    for key in range(2):
        jobs.start(key, work)
    until(lambda: len(begun) == 2)
    for key in range(2, 5):
        waiting = jobs.start(key, work)
        assert (waiting.state, waiting.share, waiting.seconds) == (JobState.WAITING, 0.0, 0.0)
    with pytest.raises(ValueError, match="3 computations are already waiting"):
        jobs.start(9, work)
    jobs.leave(4)
    assert jobs.look(4).state is JobState.CANCELLED
    assert jobs.wait(4).state is JobState.CANCELLED
    assert jobs.wait(0, 0.01).state is JobState.RUNNING
    gate.set()
    for key in range(4):
        jobs.wait(key, 5)
    assert len(begun) == 4


def test_only_so_many_finished_jobs_are_kept(jobs):
    for key in range(8):
        jobs.start(key, lambda _: 1)
        jobs.wait(key, 5)
    assert [jobs.look(key) is None for key in range(8)] == [True] * 4 + [False] * 4
    assert jobs.wait("never") is None


def test_results_are_kept_within_their_bytes_but_for_the_latest():
    jobs = Jobs(Gate(2), max_bytes=25_000)
    for key in range(6):
        jobs.start(key, lambda _: np.zeros(10_000, dtype=np.int8))
        jobs.wait(key, 5)
    assert [jobs.look(key) is None for key in range(6)] == [True] * 3 + [False] * 3
    jobs.start("large", lambda report: report.add(np.zeros(50_000, dtype=np.int8)))  # partial results count
    jobs.wait("large", 5)
    jobs.start("next", lambda _: 1)
    jobs.wait("next", 5)
    jobs.start("next", lambda _: 1)
    assert jobs.look("large") is None and jobs.n_bytes < 1_000
    assert jobs.counts()[JobState.DONE] == 1
    jobs.close()


def test_a_stopped_report_raises():
    pool = Jobs(Gate(1))
    seen = []

    def work(report):
        try:
            endless(report)
        except CancelledError:
            seen.append("stopped")
            raise

    pool.start("key", work)
    until(lambda: steps(pool, "key"))
    pool.close()
    assert seen == ["stopped"]


def test_viewers_that_are_gone_keep_no_job_alive(jobs):
    jobs.start("both", endless, "closed")
    jobs.start("both", endless, "open")
    jobs.start("one", endless, "closed")
    jobs.leave_for(lambda viewer: viewer == "closed")
    assert jobs.look("one").state is JobState.CANCELLED
    assert jobs.look("both").state is JobState.RUNNING
    jobs.leave("both", "open")
    assert jobs.wait("both", 5).state is JobState.CANCELLED


def test_only_jobs_that_are_over_can_be_forgotten(jobs):
    jobs.start("running", endless)
    jobs.start("good", lambda _: 1)
    jobs.start("bad", lambda _: 1 / 0)
    for key in ("good", "bad"):
        jobs.wait(key, 5)
        jobs.forget(key)
    jobs.forget("never")
    jobs.forget("running")
    assert jobs.look("good") is None and jobs.look("bad") is None
    assert not jobs.look("running").state.over


def test_waiting_for_a_job_that_is_cancelled_meanwhile_raises_nothing(jobs):
    gate = threading.Event()
    for key in range(2):  # both threads are taken
        jobs.start(key, lambda _: gate.wait(5))
    jobs.start("queued", lambda _: 1, "a")
    threading.Timer(0.1, lambda: jobs.leave("queued", "a")).start()
    assert jobs.wait("queued", 5).state is JobState.CANCELLED
    gate.set()


def test_too_large_a_problem_is_a_sentence_of_its_own(jobs):
    def fill(_):
        raise MemoryError

    jobs.start("key", fill)
    assert jobs.wait("key", 5).error == TOO_LARGE


def test_what_comes_now_is_told_without_a_share(jobs):
    def work(report):
        report.at(0.25)
        report.note("first")
        report.note("second")

    jobs.start("key", work)
    assert jobs.wait("key", 5).note == "second"


def test_what_is_pinned_is_never_dropped_and_takes_no_room_from_others():
    jobs = Jobs(max_kept=2)
    jobs.pin("first")
    for key in ("first", "second", "third", "fourth"):
        jobs.start(key, lambda _report, key=key: key)
        jobs.wait(key, 5)
    jobs.start("fifth", lambda _report: "fifth")
    jobs.wait("fifth", 5)
    assert jobs.look("first").result == "first"
    assert [key for key in ("second", "third", "fourth", "fifth") if jobs.look(key)] == ["fourth", "fifth"]
    jobs.close()
