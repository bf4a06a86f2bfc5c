"""Stores made by hand for the tests of kept runs."""

from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.store import Store
from ecocviz.lab.to_keep import counted

HOSTILE = ("<script>alert(1)</script>", "![a](//host.example/x.png)", "=1+1", '"><img src=x onerror=alert(2)>')


def scenario(data="iris", decoding="hamming", **slots):
    return make_scenario(data=data, decoding=decoding, **slots)


def keep(store, one, wrong, n=100, *, train=None, seconds=0.5, owner=""):
    """Record a scenario with so many wrong test points, and return its run."""
    found = {"test": counted(wrong, n)}
    if train is not None:
        found["train"] = counted(train, n)
    store.record(one, found, seconds, owner)
    store.flush()
    return store.runs(owner)[0]


def memory():
    """A store in memory."""
    return Store(None)
