import threading

import pytest
from hearing import ending, shares_to
from joblib import parallel_config
from threadpoolctl import threadpool_info, threadpool_limits

from ecocviz.engine import parallel as module
from ecocviz.engine.parallel import calling_thread_only, in_threads, thread_count


def test_thread_count(monkeypatch):
    monkeypatch.setattr(module.os, "cpu_count", lambda: 8)
    assert [thread_count(jobs) for jobs in (None, 1, 3, -1, -2, -20)] == [1, 1, 3, 8, 7, 1]
    with parallel_config(n_jobs=3):
        assert [thread_count(jobs) for jobs in (None, 2)] == [3, 2]
    with parallel_config(backend="threading", n_jobs=-1):
        assert thread_count(None) == 8
    monkeypatch.setattr(module.os, "cpu_count", lambda: None)
    assert thread_count(-1) == 1
    with pytest.raises(ValueError, match="cannot be 0"):
        thread_count(0)


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_in_threads_keeps_order_and_tells_progress(n_jobs):
    told = []
    assert in_threads(lambda k: k * k, 9, n_jobs, shares_to(told.append)) == [k * k for k in range(9)]
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert in_threads(lambda k: k, 0, n_jobs) == []


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_cancelling_stops_what_has_not_begun(n_jobs):
    begun = []
    gate = threading.Event()

    def task(k):
        begun.append(k)
        if k >= 2:
            gate.wait(1)

    with pytest.raises(KeyboardInterrupt):
        in_threads(task, 200, n_jobs, ending(error=KeyboardInterrupt))
    assert len(begun) < 10


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_long_task_hears_that_it_should_stop(n_jobs):
    stop = threading.Event()
    with pytest.raises(KeyboardInterrupt):
        in_threads(lambda _: stop.wait(30), 1, n_jobs, ending(calls=3, error=KeyboardInterrupt), stop)
    assert stop.is_set()


def test_errors_of_a_task_reach_the_caller():
    def task(k):
        if k == 3:
            raise ZeroDivisionError
        return k

    for n_jobs in (1, 2):
        with pytest.raises(ZeroDivisionError):
            in_threads(task, 5, n_jobs)


def blas_threads():
    return {about["num_threads"] for about in threadpool_info() if about["user_api"] == "blas"}


def test_linear_algebra_keeps_to_the_threads_that_call_it():
    inside, leave = threading.Event(), threading.Event()

    def other():
        with calling_thread_only():
            inside.set()
            assert leave.wait(30)

    with threadpool_limits(3, user_api="blas"):
        before = blas_threads()
        with calling_thread_only():
            assert blas_threads() == {1}
            with calling_thread_only():
                assert blas_threads() == {1}
        assert blas_threads() == before
        for first_to_leave in ("this", "other"):
            inside.clear()
            leave.clear()
            thread = threading.Thread(target=other)
            with calling_thread_only():
                thread.start()
                assert inside.wait(30)
                assert blas_threads() == {1}
                if first_to_leave == "other":
                    leave.set()
                    thread.join()
            leave.set()
            thread.join()
            assert blas_threads() == before
        with pytest.raises(InterruptedError), calling_thread_only():
            raise InterruptedError
        assert blas_threads() == before
