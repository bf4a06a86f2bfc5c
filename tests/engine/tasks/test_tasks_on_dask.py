"""Tasks on a Dask cluster of separate processes: bitwise equal, data once, faults survived."""

import os
import signal
from concurrent.futures import Future

import joblib
import pytest
import tasks_tools as tools
from cluster_tools import dask_cluster
from tasks_tools import points
from waiting import until

from ecocviz.engine.progress import Telling
from ecocviz.engine.tasks import Failed, run_tasks
from ecocviz.engine.tasks._on_dask import _hand_over

distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")


@pytest.fixture(scope="module")
def cluster():
    with dask_cluster() as found:
        yield found


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster.address, timeout=10, set_as_default=False) as found:
        until(lambda: found.scheduler_info()["workers"])
        yield found


def test_the_data_travel_once_to_each_worker_and_outcomes_are_the_serial_ones(client, tmp_path):
    data, gammas = points(tmp_path), [0.05, 0.3, 1.0, 4.0]
    serial = dict(run_tasks(tools.fit, gammas, shared=data))
    client.wait_for_workers(2)
    there = dict(run_tasks(tools.fit, gammas, shared=data, executor=client.get_executor()))
    for k, outcome in serial.items():
        for one, two in zip(outcome, there[k], strict=True):
            assert one.tobytes() == two.tobytes()
    with joblib.parallel_config("dask", client=client):
        found = dict(run_tasks(tools.square, range(9), shared=data))
    assert found.pop(3) == Failed("KeyError: 'three'")
    assert {k: outcome[0] for k, outcome in found.items()} == {k: k * k for k in range(9) if k != 3}
    opened = tools.notes(tmp_path / "opened")
    assert len(opened) == len(set(opened)) <= 2 and str(os.getpid()) not in opened
    (counts, _), *_ = dict(
        run_tasks(tools.threads, [0], shared=None, executor=client.get_executor())
    ).values()
    assert counts == {1}


def test_keywords_of_an_executor_and_of_joblibs_backend_go_with_every_task(client, tmp_path):
    client.wait_for_workers(2)
    for worker, pid in client.run(os.getpid).items():
        asked = {"workers": [worker], "retries": 1, "pure": False}
        with joblib.parallel_config("dask", client=client, **asked):
            ways = {}, {"executor": client.get_executor(**asked)}
            for where in ways:
                found = dict(run_tasks(tools.square, [1, 2, 4], shared=points(tmp_path), **where))
                assert found == {0: (1, pid), 1: (4, pid), 2: (16, pid)}


def test_leaving_early_ends_running_tasks(client, tmp_path):
    def leave(*_):
        if len(tools.notes(tmp_path / "began")) >= 2:
            raise KeyboardInterrupt

    run = run_tasks(
        tools.endless,
        range(20),
        shared=points(tmp_path),
        executor=client.get_executor(),
        progress=Telling(leave),
    )
    with pytest.raises(KeyboardInterrupt):
        next(run)
    until(lambda: len(tools.notes(tmp_path / "ended")) == len(tools.notes(tmp_path / "began")))
    assert len(tools.notes(tmp_path / "began")) < 20


def test_a_killed_worker_loses_its_task_and_the_data_come_again(client, cluster, tmp_path):
    found = dict(
        run_tasks(tools.dies_once, range(8), shared=points(tmp_path), executor=client.get_executor())
    )
    assert sorted(k for k, _ in found.values()) == list(range(8))
    assert len(tools.notes(tmp_path / "begun-1")) == 2
    assert sum(worker.poll() is None for worker in cluster.workers) == 1


def test_a_result_that_was_lost_and_found_again_is_handed_over():
    class Theirs:
        status = "lost"  # when Dask calls; its own executors then forget the task

        def result(self):
            return "found again"

    ours = Future()
    _hand_over(ours, Theirs())
    assert ours.result(timeout=0) == "found again"
    gone = Future()
    gone.cancel()
    _hand_over(gone, Theirs())
    assert gone.cancelled()


@pytest.mark.thorough
def test_a_scheduler_that_goes_away_leaves_what_was_finished(cluster, tmp_path):
    with distributed.Client(cluster.address, timeout=1, set_as_default=False) as client:
        run = run_tasks(tools.square, range(400), shared=points(tmp_path), executor=client.get_executor())
        position, first = next(run)
        os.kill(cluster.scheduler.pid, signal.SIGKILL)
        rest = dict(run)
    assert first[0] == position**2 and len(rest) == 399
    why = {outcome.why for outcome in rest.values() if isinstance(outcome, Failed)} - {"KeyError: 'three'"}
    (gone,) = why
    assert gone.startswith(f"The scheduler {cluster.address} is gone") and gone.endswith("before is kept.")
