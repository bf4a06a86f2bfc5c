"""A cluster that is named is looked at before it gets work; one that does not answer stops nobody."""

from unittest.mock import Mock

import pytest

from ecocviz.lab import cluster
from ecocviz.lab.cluster import Standing, check_address, standing, versions


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
    assert there.line == f"Curves are computed on the cluster at {ADDRESS}."
    assert there.executor() == there.executor() == "executor" and connect.call_count == 1
    assert there.line == "Curves are computed on the cluster at x (1 worker)."
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
