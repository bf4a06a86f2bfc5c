"""A cluster that is named is looked at before it gets work; one that does not answer stops nobody."""

import json
import subprocess
import sys
from unittest.mock import Mock

import pytest
from cluster_tools import ROOT, dask_cluster
from pages_tools import assert_fine, charts, finished, page_at
from waiting import until

from ecocviz import cli
from ecocviz.lab import cluster
from ecocviz.lab.cluster import Standing, check_address, standing, versions
from ecocviz.views.shared.app import cache


class Client:
    """Answers as two workers do that hold `theirs`."""

    status = "running"

    def __init__(self, theirs):
        self._theirs = theirs
        self.close = Mock()
        self.get_executor = Mock(return_value="executor")

    def run(self, function):
        assert function is versions
        if isinstance(self._theirs, Exception):
            raise self._theirs
        return {f"tcp://10.0.0.{k}:1": about for k, about in enumerate(self._theirs)}


ADDRESS = "tcp://10.0.0.7:8786"


@pytest.mark.parametrize(
    "text", ["10.0.0.7:8786", "http://a:1", "tcp://a", "tcp://a:1 x", "tcp://a:1/../", ""]
)
def test_an_address_is_a_scheme_a_host_and_a_port(text):
    with pytest.raises(ValueError, match="is written like tcp://host:8786"):
        check_address(text)


def test_workers_must_be_there_and_hold_what_we_hold():
    assert cluster._looked_at(Client([versions()]), ADDRESS) == f"the cluster at {ADDRESS} (1 worker)"
    assert cluster._looked_at(Client([versions()] * 2), ADDRESS) == f"the cluster at {ADDRESS} (2 workers)"
    with pytest.raises(ValueError, match="has no workers; start one on each computer"):
        cluster._looked_at(Client([]), ADDRESS)
    other = versions() | {"numpy": "1.0"}
    with pytest.raises(
        ValueError, match=r"The worker tcp://10\.0\.0\.1:1 has numpy 1\.0, and this computer has "
    ):
        cluster._looked_at(Client([versions(), other]), ADDRESS)
    with pytest.raises(ValueError, match=r"cannot load this ecocviz .ModuleNotFoundError: ecocviz"):
        cluster._looked_at(Client(ModuleNotFoundError("ecocviz")), ADDRESS)


def test_without_a_cluster_all_is_computed_here():
    here = standing({})
    assert here.executor() is None and here.line == ""


def test_a_cluster_is_connected_to_once_and_again_when_it_was_lost(monkeypatch):
    client, connect = Client([versions()]), Mock()
    connect.return_value = client, "the cluster at x (1 worker)"
    monkeypatch.setattr(cluster, "_connect", connect)
    there = standing({cluster.VARIABLE: ADDRESS})
    assert there.line == f"Curves go to the cluster at {ADDRESS}, once it has answered."
    assert there.executor() == there.executor() == "executor" and connect.call_count == 1
    assert there.line == "Curves are computed on the cluster at x (1 worker)."
    there.n_missed = 2
    assert there.line.endswith(
        "It could not measure 2 of the newest points, which were measured on this computer."
    )
    client.status = "closed"
    connect.side_effect = ValueError("Nobody answers.")
    assert there.executor() is None and there.executor() is None
    assert connect.call_count == 2  # one that did not answer is left alone for a while
    assert there.line == "Curves are computed on this computer. Nobody answers."
    monkeypatch.setattr(cluster, "monotonic", lambda: float("inf"))
    connect.side_effect = None
    client.status = "running"
    assert there.executor() == "executor"


def test_a_cluster_that_cannot_be_used_is_refused_at_the_start(monkeypatch):
    with pytest.raises(ValueError, match="is written like"):
        Standing("8786")
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    with pytest.raises(ValueError, match="Dask, which is not installed; install it with"):
        Standing(ADDRESS)


# A real scheduler and a real worker ------------------------------------------------------------------


@pytest.fixture(scope="module")
def real():
    """A cluster as people start one, and a client that asks its scheduler what it has done."""
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    with dask_cluster(1) as found, distributed.Client(found.address, set_as_default=False) as client:
        until(lambda: client.scheduler_info()["workers"])
        yield found.address, lambda: client.run_on_scheduler(n_done)


def n_done(dask_scheduler):
    """How many tasks of ours a scheduler has seen finished."""
    tasks = dask_scheduler.task_prefixes.get("do")
    return 0 if tasks is None else tasks.state_counts["memory"]


@pytest.mark.usefixtures("fresh_home")
def test_a_sweep_by_the_command_is_measured_by_the_cluster(real, capsys):
    address, tasks = real
    sweep = ["sweep", "--set", "data=iris", "--fresh", "--json"]
    sweep += ["--over", "machine.gamma=0.5,1,2", "decoding=hamming,likelihood"]
    command = [sys.executable, "-m", "ecocviz.cli", *sweep, "--cluster", address]
    before = tasks()
    ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert tasks() - before == 3  # decoders share their machines
    assert cli.main(sweep) == 0
    here, there = (json.loads(text)["points"] for text in (capsys.readouterr().out, ran.stdout))
    for row in (*here, *there):
        del row["training_seconds"]
    assert len(here) == 6 and here == there


@pytest.mark.page
@pytest.mark.usefixtures("fresh_home")
@pytest.mark.parametrize("page", ["model_selection", "decoders"])
def test_curves_of_the_app_are_measured_by_the_cluster_and_it_says_so(real, page, root, monkeypatch):
    address, tasks = real
    fields = {"data": "blobs", "data.n_samples": "60", "judged": "hamming.likelihood", "grid": "-1,1,3"}

    def lines():
        cache.cluster.clear()
        cache.forget()
        test = finished(page_at(root / "pages" / f"{page}.py", fields).run())
        assert_fine(test)
        drawn = [
            trace for chart in charts(test) for trace in chart["data"] if trace.get("mode") == "lines+markers"
        ]
        return {line["name"]: line["y"] for line in drawn}, [one.value for one in test.caption]

    here, said = lines()
    assert here and not [one for one in said if one.startswith("Curves")]
    monkeypatch.setenv(cluster.VARIABLE, address)
    before = tasks()
    try:
        there, said = lines()
    finally:
        cache.cluster().executor()._client.close()
        cache.cluster.clear()
    assert there == here and tasks() - before == 3
    (where,) = [one for one in said if one.startswith("Curves")]
    assert "are computed on the cluster" in where and "(1 worker)" in where and "could not" not in where
