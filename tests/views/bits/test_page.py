"""The Bits page with every machine, coding and reduction, without a browser."""

import numpy as np
import pytest
from pages_tools import assert_fine, charts, entries_for, finished, page_at, texts

from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.run import train
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.selection import PICK

pytestmark = pytest.mark.page

FAST = {"data": "blobs", "data.n_samples": "60", "data.overlap": "0.8"}
BLOBS = ("blobs", {"n_samples": 60, "overlap": 0.8})
NO_BITS = "trains no binary machines of a code, so it has no bits that could be wrong."


@pytest.fixture
def app(root):
    def start(file="pages/bits.py", **fields):
        test = page_at(root / file, {**FAST, **fields})
        return finished(test.run())

    return start


def wrong_by_hand(scenario):
    """Wrong bits of the test points, point by point, with plain loops."""
    trained = train(scenario)
    prepared, estimator = trained.shown.prepared, trained.shown.estimator
    scores = estimator.scores(prepared.X_test)
    found = []
    for i, c in enumerate(prepared.y_test):
        asked = trained.code_matrix[c]
        found.append([b for b in range(len(asked)) if asked[b] and np.sign(scores[i, b]) != asked[b]])
    return found


def test_the_first_screen_lays_the_promise_beside_what_happened(app):
    test = app(coding="dense-random")
    assert_fine(test)
    scenario = make_scenario(data=BLOBS, coding="dense-random")
    wrong = wrong_by_hand(scenario)
    (listed,) = (frame.value for frame in test.dataframe)
    most = max(map(len, wrong))
    assert listed["Wrong"].tolist() == [most] * sum(len(bits) == most for bits in wrong)
    n_within = sum(len(bits) <= 1 for bits in wrong)
    assert f"({n_within} of {len(wrong)}) of the points have no more" in texts(test)
    assert "If the machines erred independently" in texts(test)
    assert "They are not all lost: Likelihood still gets" in texts(test)
    kinds = [chart["data"][0]["type"] for chart in charts(test)]
    assert kinds == ["bar", "bar", "heatmap", "scatter"]
    for element, chart in zip(test.get("plotly_chart"), charts(test), strict=True):
        assert element.proto.alt
        # As a figure is drawn first, so it hears clicks.
        assert ("select" in chart["layout"].get("clickmode", "")) is bool(element.proto.selection_mode)
    assert len(test.get("download_button")) == 5


def test_a_bar_lists_its_points(app):
    scenario = make_scenario(data=BLOBS, coding="dense-random")
    wrong = wrong_by_hand(scenario)
    test = app(coding="dense-random", bar="bit.2")
    n = sum(2 in bits for bits in wrong)
    assert test.selectbox(key="bits.bar").value == "bit.2"
    assert len(test.dataframe[0].value) == n
    assert all("3" in text.split() for text in test.dataframe[0].value["Which bits"])
    test.selectbox(key="bits.bar").select("count.0").run()
    assert_fine(test)
    assert len(test.dataframe[0].value) == sum(not bits for bits in wrong)
    assert test.query_params["bar"] in ("count.0", ["count.0"])


def test_a_listed_point_opens_on_the_playground(app, monkeypatch):
    opened = []
    monkeypatch.setattr("ecocviz.views.bits.page.st.switch_page", opened.append)
    test = app(coding="dense-random")
    first = int(test.dataframe[0].value["Point"].iloc[0])
    test.button(key="bits.open").click().run()
    assert_fine(test)
    assert opened == ["pages/playground.py"]
    assert test.session_state["ecocviz"].selection[PICK] == first


def test_two_reductions_side_by_side(app):
    test = app(coding="dense-random")
    test.selectbox(key="bits.against").select("joint").run()
    finished(test)
    assert_fine(test)
    assert len(charts(test)) == 8
    assert "Joint learning" in texts(test)
    assert "Independent machines" in texts(test)
    assert test.query_params["against"] in ("joint", ["joint"])


def test_a_reduction_without_bits_says_so(app):
    test = app(reduction="support-pattern", against="ecoc")
    assert_fine(test)
    assert [info.value for info in test.info] == [f"One machine for all classes {NO_BITS}"]
    test = app(against="support-pattern")
    assert_fine(test)
    assert "has no bits that could be wrong" in " ".join(caption.value for caption in test.caption)
    assert len(charts(test)) == 4


@pytest.mark.parametrize(("slot", "key"), entries_for("bits", "coding", "machine", "reduction", "split"))
def test_every_entry(app, slot, key):
    assert_fine(app(**{slot: key}))


@pytest.mark.parametrize("key", SLOTS["reduction"])
def test_every_reduction_beside_another_code(app, key):
    assert_fine(app(coding="one-vs-one", against=key))


def test_training_points(app):
    test = app(part="train")
    assert_fine(test)
    assert "of 42)" in texts(test)


def test_two_classes_and_hostile_links(app):
    test = app(data="moons")
    assert_fine(test)
    assert "no two can fail together" in " ".join(caption.value for caption in test.caption)
    for bar in ("bit.99999", "pair.0", "count.", "pair.7,7", "x"):
        assert_fine(app(bar=bar, against="nothing"))
