"""Tasks here, in threads, in processes, on joblib's backends: the same outcomes, whatever happens to one."""

import multiprocessing
import os
import sys
import threading
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import contextmanager
from types import ModuleType

import joblib
import numpy as np
import pytest
import tasks_tools as tools
from hearing import shares_to
from loky import get_reusable_executor
from sklearn import config_context
from tasks_tools import points
from threadpoolctl import threadpool_limits
from waiting import until

from ecocviz.engine.progress import Telling
from ecocviz.engine.tasks import Failed, WorkerLostError, run_tasks, task_progress

SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture(scope="module", autouse=True)
def plain_main():
    """New processes run the main module again, which by now may be a page that a test has shown."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "__main__", ModuleType("__main__"))
        yield


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, SPAWN) as pool:
        yield pool


@contextmanager
def loky():
    with joblib.parallel_config("loky", n_jobs=2):
        yield {}
    get_reusable_executor().shutdown(kill_workers=True)


@contextmanager
def joblibs_own():
    with joblib.parallel_config("multiprocessing", n_jobs=2):
        yield {}


@contextmanager
def two_threads():
    yield {"n_jobs": 2}


@contextmanager
def a_pool_of_threads():
    with ThreadPoolExecutor(2) as pool:
        yield {"executor": pool}


@contextmanager
def here():
    yield {}


WAYS = (here, two_threads, a_pool_of_threads, loky, joblibs_own)


@pytest.mark.parametrize("way", WAYS)
def test_every_task_has_its_outcome_and_one_that_fails_is_told(way, tmp_path):
    shares = []
    with way() as where:
        found = dict(
            run_tasks(
                tools.square, range(9), shared=points(tmp_path), progress=shares_to(shares.append), **where
            )
        )
    assert found.pop(3) == Failed("KeyError: 'three'")
    assert {k: outcome[0] for k, outcome in found.items()} == {k: k * k for k in range(9) if k != 3}
    assert shares[-1] == 1.0 and sorted(shares) == shares
    assert not list(run_tasks(tools.square, [], shared=None))


def test_each_process_opens_the_data_once_however_many_runs_there_are(tmp_path, processes):
    data = points(tmp_path)
    pids = set()
    for _ in range(2):
        found = dict(run_tasks(tools.square, [0, 1, 2, 4, 5, 6], shared=data, executor=processes))
        pids |= {pid for _, pid in found.values()}
    opened = tools.notes(tmp_path / "opened")
    assert (
        len(opened) == len(set(opened))
        and set(opened) >= set(map(str, pids))
        and str(os.getpid()) not in opened
    )


def test_outcomes_are_those_of_the_serial_run_to_the_last_bit(tmp_path, processes):
    data, gammas = points(tmp_path), [0.05, 0.3, 1.0, 4.0]
    serial = dict(run_tasks(tools.fit, gammas, shared=data))
    for where in ({"n_jobs": 2}, {"executor": processes}):
        other = dict(run_tasks(tools.fit, gammas, shared=data, **where))
        for k, outcome in serial.items():
            for one, two in zip(outcome, other[k], strict=True):
                assert one.tobytes() == two.tobytes()


@pytest.mark.parametrize("way", WAYS)
def test_linear_algebra_has_one_thread_inside_and_its_own_number_again_afterwards(way):
    with way() as where, threadpool_limits(2), config_context(assume_finite=True):
        found = dict(run_tasks(tools.threads, range(4), shared=None, **where))
        assert tools.threads(None, None)[0] == {2}
    assert all(counts == {1} for counts, _ in found.values())
    assert all(assume_finite for _, assume_finite in found.values())


# The end ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [two_threads, a_pool_of_threads])
def test_leaving_early_ends_running_tasks_in_threads(way, tmp_path):
    with way() as where:
        _leave_when_both_run(tmp_path, where)


def test_leaving_early_ends_running_tasks_in_processes(tmp_path, processes):
    _leave_when_both_run(tmp_path, {"executor": processes})


def _leave_when_both_run(folder, where):
    class Left(Exception):  # noqa: N818 - no error
        pass

    def leave(*_):
        if len(tools.notes(folder / "began")) >= 2:
            raise Left

    with pytest.raises(Left):
        list(run_tasks(tools.endless, range(20), shared=points(folder), progress=Telling(leave), **where))
    began = until(lambda: len(tools.notes(folder / "ended")) == len(tools.notes(folder / "began")) >= 2)
    assert began and len(tools.notes(folder / "began")) < 20


def test_what_the_listener_raises_here_ends_the_run_and_is_no_failure_of_the_task():
    class StopError(ValueError):
        pass

    def stop(share, _):
        if share > 0.3:
            raise StopError

    def work(_, k):
        task_progress().at(0.5)
        return k

    found = []
    with pytest.raises(StopError):
        found.extend(run_tasks(work, range(4), shared=None, progress=Telling(stop)))
    assert found == [(0, 0)]


def test_closing_the_iteration_cancels_what_has_not_begun():
    begun, gate = [], threading.Event()

    def work(_, k):
        begun.append(k)
        if k:
            gate.wait(30)
        return k

    with ThreadPoolExecutor(2) as pool:
        outcomes = run_tasks(work, range(50), shared=None, executor=pool)
        assert next(outcomes) == (0, 0)
        outcomes.close()
        gate.set()
    assert len(begun) < 5


# Lost processes --------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_killed_process_of_our_own_pool_loses_its_task_only_which_is_begun_again(tmp_path):
    with loky():
        found = dict(run_tasks(tools.dies_once, range(8), shared=points(tmp_path)))
    assert sorted(k for k, _ in found.values()) == list(range(8))
    assert len(tools.notes(tmp_path / "begun-1")) == 2


def test_a_pool_that_somebody_gave_and_that_breaks_is_reported_for_each_task(tmp_path):
    with ProcessPoolExecutor(1, SPAWN) as pool:
        found = dict(run_tasks(tools.always_dies, range(4), shared=points(tmp_path), executor=pool))
        later = dict(run_tasks(tools.square, range(2), shared=points(tmp_path), executor=pool))
    assert all("broken" in found[k].why for k in (1, 2, 3))
    assert all("broken" in outcome.why for outcome in later.values())


class Scripted(Executor):
    """Does tasks here, on another computer as it were; some calls end as the script says."""

    def __init__(self, *script):
        self.script = list(script)

    def submit(self, fn, /, *args):
        future = Future()
        end = self.script.pop(0) if self.script else None
        if isinstance(end, BaseException):
            future.set_exception(end)
        else:
            future.set_result(end(fn, *args) if end else fn(*args))
        return future


def test_the_task_that_ends_every_process_is_reported_and_no_other(monkeypatch):
    with_it = Future()  # task 0 runs when task 1 ends the process that both are in

    class Pool(Executor):
        def submit(self, fn, /, *args):
            future = with_it if args == (0,) and not with_it.done() else Future()
            if args == (1,):
                for lost in {future, with_it} if not with_it.done() else {future}:
                    lost.set_exception(BrokenExecutor())
            elif future is not with_it:
                future.set_result(fn(*args))
            return future

    monkeypatch.setattr("ecocviz.engine.tasks._routes.get_reusable_executor", lambda _: Pool())
    with joblib.parallel_config("loky", n_jobs=1):
        found = dict(run_tasks(max, range(6), shared=0, n_jobs=2))
    assert [k for k, outcome in found.items() if isinstance(outcome, Failed)] == [1]
    assert "was lost again and again" in found[1].why


def test_what_tells_of_a_lost_process_is_begun_again_elsewhere():
    executor = Scripted(WorkerLostError("It was killed."), None)
    assert dict(run_tasks(max, [1, 7], shared=5, executor=executor)) == {0: 5, 1: 7}
    executor = Scripted(*[WorkerLostError("It was killed.")] * 3)
    assert dict(run_tasks(max, [1], shared=5, executor=executor)) == {0: Failed("It was killed.")}


def test_a_computer_that_does_not_see_our_files_gets_the_data_with_the_task():
    class Elsewhere(Scripted):
        def submit(self, fn, /, *args):
            owner = getattr(fn, "__self__", None)
            if hasattr(owner, "file"):
                owner.file.unlink(missing_ok=True)
            return super().submit(fn, *args)

    shared = np.arange(7.0)
    found = dict(run_tasks(np.add, [1.0, 2.0], shared=shared, executor=Elsewhere()))
    assert (found[0] == shared + 1).all() and (found[1] == shared + 2).all()


def test_what_an_executor_cannot_do_is_told(processes):
    closed = ThreadPoolExecutor(1)
    closed.shutdown()
    (found,) = dict(run_tasks(max, [1], shared=5, executor=closed)).values()
    assert found.why.startswith("RuntimeError: cannot schedule new futures")
    (found,) = dict(run_tasks(tools.answer_lambda, [1], shared=5, executor=processes)).values()
    assert "pickle" in found.why
    cancelled = Scripted(CancelledError())
    assert "cancelled" in dict(run_tasks(max, [1], shared=5, executor=cancelled))[0].why


def test_too_little_memory_is_said_in_a_sentence():
    def work(_, __):
        raise MemoryError

    assert "not enough memory" in dict(run_tasks(work, [1], shared=None))[0].why
