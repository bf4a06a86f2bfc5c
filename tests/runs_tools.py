"""Stores made by hand for the tests of kept runs."""

from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.selection import Selection
from ecocviz.lab.store import Store
from ecocviz.lab.to_keep import counted
from ecocviz.views.runs.facts import Count, asked, list_runs
from ecocviz.views.runs.over_sets import Measured, compare_over_sets

HOSTILE = (
    "<script>alert(1)</script>",
    "![a](//host.example/x.png)",
    "=1+1",
    '"><img src=x onerror=alert(2)>',
)


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


def some(*scenarios, names=()):
    """Kept runs of scenarios, in their order, the first ones with names."""
    store = memory()
    for k, one in enumerate(scenarios):
        run = keep(store, one, 4 + k, train=k)
        if k < len(names):
            store.rename(run.id, names[k])
    return list_runs(store, asked(Selection(), None)).runs[::-1]


def over(n_sets=7):
    """Three decoders on so many data sets, each worse than the one before everywhere."""
    sets = ("iris", "glass", "wine", "ecoli", "zoo", "vehicle", "segment")[:n_sets]
    runs = [
        Measured(scenario(data, key).to_flat(), Count(5 + k, 100))
        for data in sets
        for k, key in enumerate(("hamming", "linear", "euclidean"))
    ]
    return compare_over_sets(runs, "decoding")
