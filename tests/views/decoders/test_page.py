"""The Decoders page with every machine, coding and reduction, without a browser."""

import threading

import numpy as np
import pytest
from pages_tools import assert_fine, charts, components, entries_for, finished, page_at, received, texts
from waiting import until

from ecocviz.engine.params import pack_matrix
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.run import run
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.decoders import facts
from ecocviz.views.decoders.facts import CONFUSED

pytestmark = pytest.mark.page

FAST = {"data": "blobs", "data.n_samples": "60", "judged": "hamming.linear.likelihood", "grid": "-1,1,3"}


@pytest.fixture
def app(root):
    def start(**fields):
        test = page_at(root / "pages" / "decoders.py", {**FAST, **fields})
        return finished(test.run())

    return start


def heatmaps(test):
    return [chart for chart in charts(test) if chart["data"][0]["type"] == "heatmap"]


def pictures(test):
    """The small pictures' header and the labels, (n_decoders, n * n)."""
    (element,) = components(test)
    header, body = received(element)
    start, end = next((start, end) for name, start, end in header["blocks"] if name == "labels")
    planes = np.frombuffer(body[start:end], np.uint8).reshape(len(header["decoders"]), -1)
    return header, np.bitwise_xor.accumulate(planes, axis=0)


def table(test):
    return test.dataframe[0].value


def test_the_first_screen_compares_all_decoders_on_the_same_machines(app):
    test = app(judged="")
    assert_fine(test)
    header, labels = pictures(test)
    keys = [decoder["key"] for decoder in header["decoders"]]
    assert keys == list(SLOTS["decoding"])
    assert keys[header["own"]] == "likelihood"
    assert set(labels[0].tolist()) <= set(range(len(header["classes"])))
    scenario = make_scenario(data=("blobs", {"n_samples": 60}))
    for key in ("hamming", "linear", "likelihood"):
        title = SLOTS["decoding"][key].title
        wrong = run(scenario.chosen("decoding", key)).test.n_wrong
        assert table(test).set_index("Decoder")["Errors"][title] == wrong
        assert f"{wrong} of 18 wrong" == header["decoders"][keys.index(key)]["note"]
    assert table(test)["Errors"].is_monotonic_increasing
    assert "errors in 18 points" in texts(test) or "error in 18 points" in texts(test)
    assert "decide exactly alike" in texts(test)
    for element in test.get("plotly_chart"):
        assert element.proto.alt
    assert len(test.get("download_button")) == 5 + (len(heatmaps(test)) - 1)


def test_the_sweep_has_a_line_for_every_decoder(app):
    test = app()
    assert_fine(test)
    sweep = charts(test)[-1]
    assert {trace["name"] for trace in sweep["data"]} == {"Hamming", "Linear", "Likelihood"}
    assert all(len(trace["x"]) == 3 for trace in sweep["data"])
    assert "of 3 values of" in texts(test)


def test_the_scenarios_own_decoder_is_marked_everywhere(app):
    test = app(decoding="hamming")
    header, _ = pictures(test)
    assert header["decoders"][header["own"]]["key"] == "hamming"
    names = table(test)["Decoder"].tolist()
    errors = charts(test)[0]
    bold = [k for k, text in enumerate(errors["layout"]["yaxis"]["ticktext"]) if text.startswith("<b>")]
    assert bold == [names.index("Hamming")]
    assert "differs from Hamming" in texts(test) or "errors than Hamming" in texts(test)


def test_decoders_are_chosen_and_the_choice_is_in_the_link(app):
    test = app(judged="hamming.voting")
    header, _ = pictures(test)
    assert [d["key"] for d in header["decoders"]] == ["hamming", "likelihood", "voting"]
    test.button_group(key="decoders.judged").set_value(["likelihood", "euclidean"]).run()
    finished(test)
    assert_fine(test)
    assert [d["key"] for d in pictures(test)[0]["decoders"]] == ["likelihood", "euclidean"]
    assert test.query_params["judged"] in ("likelihood.euclidean", ["likelihood.euclidean"])


def test_one_or_two_decoders_are_counted_class_by_class(app):
    test = app(confused="linear")
    assert len(heatmaps(test)) == 1
    test.multiselect(key="decoders.confused").set_value(["linear", "hamming"]).run()
    finished(test)
    assert len(heatmaps(test)) == 2
    assert test.session_state["ecocviz"].selection[CONFUSED] == "linear.hamming"


@pytest.mark.parametrize(("slot", "key"), entries_for("decoders", "coding"))
def test_every_coding(app, slot, key):
    test = app(**{slot: key})
    assert_fine(test)


@pytest.mark.parametrize("key", SLOTS["machine"])
def test_every_machine(app, key):
    test = app(machine=key, judged="")
    assert_fine(test)
    if not SLOTS["machine"][key].kernel:
        said = " ".join(caption.value for caption in test.caption)
        assert "works with kernel machines only; choose one" in said
    assert len(table(test)) >= 19


@pytest.mark.parametrize("key", SLOTS["reduction"])
def test_every_reduction(app, key):
    test = app(reduction=key)
    assert_fine(test)
    decoded = "decoding" in SLOTS["reduction"][key].uses
    assert len(pictures(test)[0]["decoders"]) == (3 if decoded else 1)
    assert decoded or "decides by itself" in " ".join(caption.value for caption in test.caption)


@pytest.mark.parametrize("key", SLOTS["split"])
def test_every_split(app, key):
    assert_fine(app(split=key, judged="likelihood", data__n_samples="40"))


def test_two_classes_that_no_machine_has_on_opposite_sides(app):
    test = app(data__n_classes="3", coding="custom", coding__matrix=overlapping())
    assert_fine(test)
    assert "Likelihood" in table(test)["Decoder"].tolist()


def overlapping():
    return pack_matrix(np.array([[1, 1], [-1, 0], [-1, -1]], dtype=np.int8))


def test_two_classes_and_hostile_links(app):
    assert_fine(app(data="moons"))
    test = app(judged="x.y", confused="nothing.hamming", grid="9,9,9", axis="machine.nothing")
    assert_fine(test)


def test_a_combination_that_cannot_be_is_one_sentence(app, monkeypatch):
    monkeypatch.setattr(
        "ecocviz.views.shared.app.stage.why_not_run", lambda _: "These do not go together; choose others."
    )
    test = app()
    assert not test.exception
    assert {error.value for error in test.error} == {"These do not go together; choose others."}


@pytest.fixture
def held(monkeypatch):
    """A comparison whose first results are there, and that does not go on before it is told to."""
    go_on, judge = threading.Event(), facts.judge

    def slow(scored, decoding, progress):
        assert decoding.key != "voting" or go_on.wait(60)
        return judge(scored, decoding, progress)

    monkeypatch.setattr(facts, "judge", slow)
    yield go_on
    go_on.set()


def ticked(test):
    """The decoder whose row is ticked."""
    (row,) = test.session_state[test.dataframe[0].key]["selection"]["rows"]
    return table(test)["Decoder"].tolist()[row]


def test_the_tick_stays_on_the_own_decoder_while_results_come_in(root, held):
    # The own decoder is judged last but one, and others make fewer errors.
    link = {
        **FAST,
        "data.n_samples": "200",
        "data.overlap": "0.9",
        "judged": "hamming.linear.loss-weighted-exponential.voting",
    }
    test = page_at(
        root / "pages" / "decoders.py", {**link, "decoding": "linear", "coding": "one-vs-all"}
    ).run()

    def some_are_judged():
        test.run()
        return test.dataframe and table(test)["Errors"].notna().sum() >= 2

    until(some_are_judged, 60)
    titles = [SLOTS["decoding"][key].title for key in SLOTS["decoding"] if key in link["judged"].split(".")]
    assert table(test)["Decoder"].tolist() == titles
    assert table(test)["Errors"].isna().any()
    before = test.dataframe[0].key
    assert ticked(test) == "Linear"
    held.set()
    finished(test)
    assert ticked(test) == "Linear"
    assert table(test)["Errors"].is_monotonic_increasing
    assert test.dataframe[0].key != before  # a tick of before names no row of this table


def test_the_curve_marks_where_the_scenario_s_option_stands(app):
    test = app(rejecting="margin", **{"rejecting.share": "0.3"})
    decided = run(
        make_scenario(data=("blobs", {"n_samples": 60}), rejecting=("margin", {"share": 0.3}))
    ).test.decided
    marks = [
        trace for chart in charts(test) for trace in chart["data"] if "as chosen" in str(trace.get("name"))
    ]
    assert [mark["x"] for mark in marks] == [[100 * decided.share]]
    assert "As chosen in the sidebar" in texts(test)
    assert "Doubtful points, under Decoder" in texts(app())
