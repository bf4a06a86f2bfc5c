"""Every scenario is trained once while it is remembered, whichever pages ask for it."""

import ast
from collections import Counter

import pytest
import streamlit
from pages_tools import finished, page_at, texts

from ecocviz.lab import run
from ecocviz.lab.curves import CurveTask
from ecocviz.lab.run import without_decoder
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.workers import Workers
from ecocviz.views.shared.app import cache

BLOBS = ("blobs", {"n_samples": 60})
LINK = {
    "data": "blobs",
    "data.n_samples": "60",
    "machine.gamma": "1.0",  # one of the values that curves visit
    "grid": "-1,1,3",
    "tried": "hamming",
    "against": "joint",
}
GAMMAS = (0.5, 1.0, 2.0)
"""What the grid of the link holds."""


def scenario(gamma=1.0, **choices):
    """A scenario of the walk, as machines are remembered."""
    return without_decoder(make_scenario(data=BLOBS, machine=("kernel", {"gamma": gamma}), **choices))


def pages(root):
    """The files of all pages, in the order of the app's table of contents."""
    tree = ast.parse((root / "app.py").read_text("utf-8"))
    names = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return [name for name in names if str(name).startswith("pages/")]


@pytest.fixture
def forgetful():
    """A process in which nothing is known from other tests."""

    def forget():
        for pool in (cache.jobs, cache.trainings, cache.views):
            pool().close()
        streamlit.cache_resource.clear()

    forget()
    yield
    forget()


@pytest.fixture
def trainings(forgetful, monkeypatch):  # noqa: ARG001 - the pools begin anew before trainings are counted
    """How often every model was trained: by scenario, without its decoder, and the rows it was trained on.

    A point of a curve is trained by a worker: by scenario, what is measured there and for which decoders.
    """
    counts, train_one, call = Counter(), run._train_one, Workers.call

    def counted(scenario, table, fold, *rest):
        counts[without_decoder(scenario), tuple(fold.train.tolist())] += 1
        return train_one(scenario, table, fold, *rest)

    def sent(workers, function, *args, **how):
        tasks = (task for task in args if isinstance(task, CurveTask))
        counts.update((without_decoder(task.scenario), (task.measures, task.decodings)) for task in tasks)
        return call(workers, function, *args, **how)

    monkeypatch.setattr(run, "_train_one", counted)
    monkeypatch.setattr(Workers, "call", sent)
    return counts


def walk(test, files):
    """Open page after page and wait for each; return what each shows."""
    shown = {}
    for file in files:
        finished(test.switch_page(file).run())
        if any(button.key == "decoders.sweep.start" for button in test.button):  # on a slow machine
            finished(test.button(key="decoders.sweep.start").click().run())
        assert not test.exception and not test.error, file
        shown[file] = texts(test)
    return shown


@pytest.mark.thorough
@pytest.mark.parametrize(
    "link",
    [
        {},
        {"split": "k-fold"},
        {"coding": "ecoc-one", "against": "continuous-code"},
    ],
    ids=["one split", "folds", "a learned code"],
)
def test_a_walk_through_all_pages_trains_every_scenario_once(root, trainings, link):
    files = pages(root)
    assert {"pages/playground.py", "pages/decoders.py", "pages/model_selection.py"} <= set(files)
    test = finished(page_at(root / "app.py", {**LINK, **link}).run())
    first = walk(test, files)
    assert {file: bool(text) for file, text in first.items()} == dict.fromkeys(files, True)
    assert {key: n for key, n in trainings.items() if n > 1} == {}
    trained = {scenario for scenario, _ in trainings}
    chosen = {slot: link[slot] for slot in ("split", "coding") if slot in link}
    against = link.get("against", LINK["against"])
    assert {scenario(gamma, **chosen) for gamma in GAMMAS} <= trained
    assert scenario(**chosen, reduction=against) in trained
    # All is known now: a second walk, and another visitor with another decoder, train nothing.
    before = trainings.total()
    walk(test, files[::-1])
    other = page_at(root / "app.py", {**LINK, **link, "decoding": "linear"})
    walk(finished(other.run()), ["pages/bits.py", "pages/decoders.py", "pages/relations.py"])
    assert trainings.total() == before
