"""Worker processes: what they compute, what they tell, and that each ends alone, in every way there is."""

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import Pipe

import numpy as np
import pytest
import workers_tools as tools
from tasks_tools import Data, dies_once, notes
from waiting import until

from ecocviz.engine.progress import NO_PROGRESS, Telling
from ecocviz.engine.tasks import run_tasks
from ecocviz.lab.jobs import TOO_LARGE
from ecocviz.lab.parcels import ParcelError, pack
from ecocviz.lab.report import CancelledError, Report
from ecocviz.lab.threads import step_back_here
from ecocviz.lab.worker_slot import Order, Slot, _Listening
from ecocviz.lab.workers import Workers

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="as Linux counts memory")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("handed-over")


@pytest.fixture(scope="module")
def workers(folder):
    """Two slots; what a test breaks is mended before the next one needs it."""
    with Workers(2, loaded=(), roots=[folder]) as pool:
        pool.warm()
        yield pool


@pytest.fixture(autouse=True)
def nothing_left(workers, folder):
    yield
    until(lambda: len(workers.pids) == 2)
    assert [[file.name for file in place.iterdir()] for place in folder.iterdir()] == [["lock"]]


REPORTS = []


@pytest.fixture
def threads():
    with ThreadPoolExecutor(4) as pool:
        yield pool
        while REPORTS:
            REPORTS.pop().stopped.set()


def begin(threads, workers, function, *args, **how):
    """Begin a task; return what it comes to and its report, when it has said its first word."""
    report = Report()
    REPORTS.append(report)
    future = threads.submit(workers.call, function, *args, report=report, **how)
    until(lambda: report.text)
    return future, report


def assert_it_goes_on(report):
    now = int(report.text)
    until(lambda: int(report.text) > now + 1)


# Work ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [3, "a", np.arange(10.0), np.ones((300, 1_000)), np.ones(2_000_000)])
def test_values_go_there_and_back(workers, value):
    found = workers.call(tools.double, value, report=NO_PROGRESS)
    assert type(found) is type(value)
    np.testing.assert_array_equal(found, tools.double(value, NO_PROGRESS))
    if isinstance(value, np.ndarray):
        found += 1  # it belongs to whoever asked for it


def test_everything_told_there_is_told_here(workers):
    report = Report()
    assert workers.call(tools.tell, 12, report=report) == 12
    assert (report.share, report.text) == (1.0, "step 11")
    assert [i for i, _ in report.partial] == list(range(12))
    assert all((array == i).all() for i, array in report.partial)


def test_what_a_task_says_last_is_heard_however_late_its_listener_comes():
    here, there = Pipe()

    class Over(Future):
        """A task that says its last words between two looks of its listener."""

        def done(self):
            if not super().done():
                there.send(("add", pack("last")))
                there.send(("end",))
                self.set_result(None)
            return super().done()

    report = Report()
    order = Order(pack(None), (), None, report, report.check, 60.0)
    Slot((), threading.Event())._attend(here, Over(), order, _Listening(report))
    assert report.partial == ["last"] and not here.poll()  # else the next task's listener hears it


def test_any_progress_can_be_told(workers):
    said = []
    workers.call(tools.tell, 12, report=Telling(lambda share, note: said.append((share, note))))
    assert said[-1] == (1.0, "step 11")
    workers.call(tools.double, 1, report=Report().part(0, 2, "first"))


def test_shares_are_told_a_few_times_a_second(workers):
    told = []
    report = Telling(lambda _share, note: told.append(note))
    began = time.monotonic()
    assert workers.call(tools.count, 0.5, report=report) > 500
    notes = sum(1 for one, other in itertools.pairwise(told) if one != other)
    assert 2 <= notes <= 25 * (time.monotonic() - began)


def test_it_is_an_executor_for_sweeps(workers):
    assert dict(run_tasks(max, [3, 1, 2], shared=2, executor=workers)) == {0: 3, 1: 2, 2: 2}
    assert workers.submit(int, "11", base=2).result() == 3
    with pytest.raises(ZeroDivisionError):
        workers.submit(divmod, 1, 0).result()


def test_a_killed_worker_loses_its_task_only_which_is_begun_again(workers, tmp_path):
    found = dict(run_tasks(dies_once, range(6), shared=Data(tmp_path, None), executor=workers))
    assert sorted(k for k, _ in found.values()) == list(range(6))
    assert len(notes(tmp_path / "begun-1")) == 2


def test_a_worker_loads_neither_the_program_nor_the_interface(workers):
    pid, nice, modules, main = workers.call(tools.about, report=NO_PROGRESS)
    assert pid in workers.pids
    assert nice == min(os.nice(0) + 15, 19)
    assert not {"streamlit", "plotly", "pytest"} & set(modules)
    assert "loky" in main


@linux
def test_all_workers_are_as_nice_whoever_starts_them():
    def niceness():
        step_back_here()  # as jobs' threads do, one of which may start a worker
        with Workers(1, loaded=()) as one:
            return one.submit(os.nice, 0).result()

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(niceness).result() == min(os.nice(0) + 15, 19)


# Failures --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "work, sentence",
    [
        ((tools.refuse,), r"^This is refused\."),
        ((tools.crash,), r"^The computation crashed \(SIGSEGV\), and nothing else was disturbed; "),
        ((tools.leave, 3), r"^The computation crashed \(its process ended with status 3\), "),
        ((tools.leave, 0), r"^The computation crashed \(its process ended with status 0\), "),
        (
            (tools.kill,),
            "The system stopped the computation, as it does when memory runs out; choose fewer points",
        ),
    ],
)
def test_a_task_ends_with_a_sentence_and_disturbs_no_other(workers, threads, work, sentence):
    other, report = begin(threads, workers, tools.endless)
    with pytest.raises(ValueError, match=sentence):
        workers.call(*work, report=NO_PROGRESS)
    assert_it_goes_on(report)
    assert workers.call(tools.double, 4, report=NO_PROGRESS) == 8
    report.stopped.set()
    with pytest.raises(CancelledError):
        other.result(5)


@pytest.mark.thorough
def test_a_process_that_is_killed_in_the_middle_of_a_word_is_no_riddle(workers):
    for _ in range(3):
        report = Report()
        with pytest.raises(ValueError, match="The system stopped the computation"):
            workers.call(tools.flood, report=report)
        assert all(not item.any() for item in report.partial)


@pytest.mark.parametrize("work, kind", [(tools.fail, "KeyError"), (tools.fail_oddly, "OddError")])
def test_any_other_exception_comes_over_with_its_place(workers, work, kind):
    with pytest.raises(Exception, match=r"what was not there|1 and 2") as caught:
        workers.call(work, report=NO_PROGRESS)
    assert type(caught.value).__name__ == kind
    assert f"in {work.__name__}\n" in caught.value.__notes__[0]


def test_what_cannot_be_sent_is_an_internal_error(workers):
    with pytest.raises(ParcelError, match="A Work cannot be sent"):
        workers.call(lambda report: report, report=NO_PROGRESS)
    with pytest.raises(ParcelError, match="A function cannot be sent"):
        workers.call(tools.unpicklable, report=NO_PROGRESS)


@linux
def test_a_task_may_be_given_little_memory(workers):
    assert workers.call(tools.take, 100 << 20, report=NO_PROGRESS, max_bytes=150 << 20) == 100 << 20
    with pytest.raises(ValueError, match=TOO_LARGE) as caught:
        workers.call(tools.take, 200 << 20, report=NO_PROGRESS, max_bytes=150 << 20)
    assert isinstance(caught.value.__cause__, MemoryError)
    assert workers.call(tools.take, 200 << 20, report=NO_PROGRESS) == 200 << 20


@pytest.mark.thorough
def test_a_task_without_a_sign_of_life_is_ended():
    with Workers(1, silent_seconds=3.0, loaded=()) as workers:
        workers.warm()
        until(lambda: workers.pids)
        with pytest.raises(ValueError, match=r"did not respond for 0\.05 minutes and"):
            workers.call(tools.mute, report=NO_PROGRESS)
        until(lambda: workers.pids)
        assert workers.call(tools.count, 4.0, report=NO_PROGRESS) > 0


# Cancelling ------------------------------------------------------------------------------------------


def cancelled_after(future, report):
    began = time.monotonic()
    report.stopped.set()
    with pytest.raises(CancelledError):
        future.result(10)
    return time.monotonic() - began


def test_a_task_that_asks_ends_by_itself_and_its_process_stays(workers, threads):
    pids = workers.pids
    assert cancelled_after(*begin(threads, workers, tools.endless)) < 0.5
    assert workers.pids == pids


@pytest.mark.thorough
@pytest.mark.parametrize("work", [tools.deaf, tools.compiled, tools.mute])
def test_a_task_that_does_not_ask_is_ended_within_a_second(workers, threads, work):
    until(lambda: len(workers.pids) == 2)
    pids = set(workers.pids)
    other, told = begin(threads, workers, tools.endless)
    assert cancelled_after(*begin(threads, workers, work)) < 1.0
    assert_it_goes_on(told)
    assert cancelled_after(other, told) < 0.5
    until(lambda: len(workers.pids) == 2)
    assert len(pids & set(workers.pids)) == 1
    (gone,) = pids - set(workers.pids)
    until(lambda: not alive(gone))


def test_a_process_that_is_only_starting_can_be_cancelled(threads):
    with Workers(1) as workers:
        report = Report()
        future = threads.submit(workers.call, tools.mute, report=report)
        assert cancelled_after(future, report) < 1.0


def test_whoever_waits_for_a_slot_can_be_cancelled(workers, threads):
    busy = [begin(threads, workers, tools.endless) for _ in range(2)]
    waiting = Report()
    future = threads.submit(workers.call, tools.double, 1, report=waiting)
    assert cancelled_after(future, waiting) < 0.5
    for one in busy:
        cancelled_after(*one)


def test_closing_cancels_what_runs(threads):
    workers = Workers(1, loaded=())
    future, _ = begin(threads, workers, tools.deaf)
    (pid,) = workers.pids
    workers.close()
    with pytest.raises(CancelledError):
        future.result(5)
    until(lambda: not alive(pid))
    assert workers.pids == ()
    with pytest.raises(CancelledError):
        workers.call(tools.double, 1, report=NO_PROGRESS)
    with pytest.raises(RuntimeError):
        workers.submit(abs, 1)


# Processes that are lost -----------------------------------------------------------------------------


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_process_that_is_killed_while_it_has_nothing_to_do_is_replaced(workers):
    until(lambda: len(workers.pids) == 2)
    for pid in workers.pids:
        os.kill(pid, signal.SIGKILL)
    for _ in range(2):
        assert workers.call(tools.double, 1, report=NO_PROGRESS) == 2


@pytest.mark.parametrize(
    "work",
    [
        pytest.param("deaf", marks=pytest.mark.thorough),
        "compiled",
        pytest.param("mute", marks=pytest.mark.thorough),
    ],
)
def test_workers_die_with_a_server_that_is_killed(work, tmp_path):
    code = f"""
import pathlib, sys, threading
import workers_tools as tools
from ecocviz.lab.report import Report
from ecocviz.lab.threads import step_back_here
from ecocviz.lab.worker_slot import Order, Slot, _Listening
from ecocviz.lab.workers import Workers

# Without a guard: a worker does not run this script again.
workers, report = Workers(1, loaded=(), roots=[pathlib.Path(sys.argv[1])]), Report()
threading.Thread(target=workers.call, args=(tools.{work},), kwargs=dict(report=report), daemon=True).start()
while not report.text:
    pass
print(workers.pids[0], flush=True)
sys.stdin.read()
"""
    script = tmp_path / "server.py"
    script.write_text(code, encoding="utf-8")
    place = tmp_path / "place"
    place.mkdir()
    paths = os.pathsep.join(["tests", ".", os.environ.get("PYTHONPATH", "")])
    with subprocess.Popen(
        [sys.executable, script, place],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
    ) as server:
        pid = int(server.stdout.readline())
        assert alive(pid)
        server.kill()
    until(lambda: not alive(pid))
