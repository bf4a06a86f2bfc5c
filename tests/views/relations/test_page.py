"""The Relations page with every machine, coding and reduction, without a browser."""

import pytest
from pages_tools import assert_fine, charts, entries_for, finished, page_at, texts

from ecocviz.views.relations.facts import PAIR

pytestmark = pytest.mark.page

FAST = {"data": "blobs", "data.n_samples": "60"}


@pytest.fixture
def app(root):
    def start(**fields):
        test = page_at(root / "pages" / "relations.py", {**FAST, **fields})
        return finished(test.run())

    return start


def titles(test):
    return [chart["layout"]["title"]["text"] for chart in charts(test) if "title" in chart["layout"]]


def test_the_first_screen_compares_and_shows_the_most_alike_pair(app):
    test = app()
    assert_fine(test)
    assert titles(test) == ["Weight vectors", "Scores", "Errors"]
    shown = texts(test)
    assert "in their errors" in shown or "in their scores" in shown
    assert "of the points that both are asked about" in shown or "Neither machine is wrong" in shown
    assert len(charts(test)) == 5
    assert len(test.get("download_button")) == 2
    for element in test.get("plotly_chart"):
        assert element.proto.alt


def test_a_pair_is_picked_by_lists_and_kept_in_the_link(app):
    test = app(pair="0,2")
    assert (test.selectbox(key="rel.machine0").value, test.selectbox(key="rel.machine1").value) == (0, 2)
    test.selectbox(key="rel.machine1").select(3).run()
    assert_fine(test)
    assert test.session_state["ecocviz"].selection[PAIR] == "0,3"
    assert "Machines 1 and 4 in the code" in texts(test)
    assert test.query_params["pair"] in ("0,3", ["0,3"])


def test_order_and_points_are_chosen(app):
    test = app(coding="one-vs-one", sort="code", part="train")
    heat = charts(test)[0]
    assert heat["layout"]["xaxis"]["ticktext"] == ["1", "2", "3", "4", "5", "6"]
    assert "training points" in texts(test)


def test_a_learned_relation_appears_by_itself(app):
    test = app(reduction="joint")
    assert_fine(test)
    assert titles(test)[-1] == "Learned relation"


@pytest.mark.parametrize(("slot", "key"), entries_for("relations", "machine", "reduction", "coding", "split"))
def test_every_entry(app, slot, key):
    test = app(**{slot: key})
    assert_fine(test)
    assert test.error or len(charts(test)) >= 4


def test_two_classes_have_nothing_to_correlate(app):
    test = app(data="moons")
    assert [error.value for error in test.error] == [
        "This code has one machine, so there is nothing to correlate; choose a longer code."
    ]


def test_many_classes_and_bits(app):
    fields = {"split.test_share": "0.9", "coding.n_bits": "78", "coding.trials": "10"}
    test = app(data="letter", coding="dense-random", machine="naive-bayes", **fields)
    assert_fine(test)
    heat = charts(test)[0]
    assert len(heat["layout"]["xaxis"]["ticktext"]) <= 13
    assert sum(len(element.proto.spec) for element in test.get("plotly_chart")) < 2_000_000


@pytest.mark.parametrize("fields", [{"pair": "7,7"}, {"pair": "99,1"}, {"sort": "relation", "pair": ","}])
def test_odd_links_open(app, fields):
    test = app(**fields)
    assert_fine(test)
    assert not test.error and len(charts(test)) == 5
