"""The Model selection page with jobs, cancels, odd links and every reduction, without a browser."""

import threading

import pytest
from pages_tools import assert_fine, charts, page_at, texts
from waiting import until

from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.curve_plan import trace
from ecocviz.lab.report import JobState
from ecocviz.lab.selection import GRID
from ecocviz.views.shared.app import cache, job_panel

pytestmark = pytest.mark.page

FAST = {"data": "moons", "data.n_samples": "60", "grid": "-1,1,3"}


@pytest.fixture
def app(root):
    def start(*, done=True, **fields):
        test = page_at(root / "pages" / "model_selection.py", {**FAST, **fields})
        test.run()
        return finish(test) if done else test

    return start


def finish(test):
    key = watched(test)
    if key is not None:
        cache.jobs().wait(key, 60)
        test.run()
    return test


def watched(test):
    """The plan of the job that the page watches; None if there is none."""
    if job_panel.KEY not in test.session_state:
        return None
    return test.session_state[job_panel.KEY].jobs.get("model-selection", (None, None))[1]


def names(chart):
    return [trace["name"] for trace in chart["data"] if trace.get("mode") == "lines+markers"]


def test_the_first_screen_shows_curves_their_minima_and_the_flagged_points(app):
    test = app(data="blobs", data__n_samples="80")
    assert_fine(test)
    assert not test.error
    curves, points = charts(test)
    assert names(curves) == ["Test error", "Training error", "Leave-one-out bound"]
    assert {trace["name"] for trace in points["data"]} == {"A", "B", "C", "D"}
    shown = texts(test)
    assert "Choosing γ by the leave-one-out bound" in shown and "is a theorem here" in shown
    assert 'class="eco-table"' in shown and "are flagged" in shown
    assert len(test.get("download_button")) == 2
    for element in test.get("plotly_chart"):
        assert element.proto.alt


def test_expensive_curves_and_other_decoders_appear_when_asked_for(app):
    test = app(curves="train.exact.cross-validation", tried="hamming.linear")
    assert_fine(test)
    (curves, _) = charts(test)
    assert len(names(curves)) == 3 * 5
    assert [note["text"] for note in curves["layout"]["annotations"]] == ["Likelihood", "Hamming", "Linear"]
    assert "has the fewest test errors" in texts(test)


def test_the_widgets_choose_axis_grid_and_curves(app):
    test = app()
    test.selectbox(key="ms.axis").select("machine.C").run()
    test.number_input(key="ms.points").set_value(5).run()
    test.selectbox(key="ms.from").select(-3).run()
    test.selectbox(key="ms.to").select(2).run()
    test = finish(test)
    assert_fine(test)
    plan = watched(test)
    assert (plan.axis.key, plan.values[0], plan.values[-1], len(plan.values)) == ("machine.C", 0.125, 4.0, 5)
    assert "Choosing C by" in texts(test)
    assert test.session_state["ecocviz"].selection[GRID] == "-3,2,5"


def test_choosing_a_minimum_sets_the_scenario_and_keeps_the_curve(app):
    test = app()
    before = watched(test)
    button = next(b for b in test.button if b.label.startswith("Use γ"))
    button.click().run()
    assert_fine(test)
    value = test.session_state["ecocviz"].scenario.machine.values["gamma"]
    assert value in before.values
    assert watched(test) == before
    assert len(charts(test)[0]["layout"]["shapes"]) == 1
    assert next(b for b in test.button if b.key == f"ms.use.{value!r}").disabled


def test_what_the_slider_of_before_says_changes_nothing(app):
    test = app(machine__gamma="0.5")
    assert test.select_slider(key="ms.value").value == 0.5
    test.session_state["ecocviz"].scenario = test.session_state["ecocviz"].scenario.chosen(
        "machine", None, gamma=2.0
    )
    test.run()
    (slider,) = [one for one in test.select_slider if one.key.startswith("ms.value")]
    assert (slider.key, slider.value) == ("ms.value.1", 2.0)  # another one: nobody hears the old any more
    slider.set_value(1.0).run()
    assert test.session_state["ecocviz"].scenario.machine.values["gamma"] == 1.0


def test_another_scenario_leaves_the_old_job(app, monkeypatch):
    gate = threading.Event()

    def slow(plan, report, memory, train):
        while not gate.wait(0.01):
            report.check()
        trace(plan, report, memory, train)

    monkeypatch.setattr("ecocviz.views.shared.app.grids.trace", slow)
    test = app(done=False, seed="11")
    old = watched(test)
    assert cache.jobs().look(old).state is JobState.RUNNING
    assert [b.label for b in test.button if b.key == "model-selection.cancel"] == ["Cancel"]
    test.number_input(key="ms.points").set_value(4).run()
    assert watched(test) != old
    assert cache.jobs().look(old).state is JobState.CANCELLED
    gate.set()
    assert names(charts(finish(test))[0])


def test_cancel_and_run_again(app, monkeypatch):
    gate, begun = threading.Event(), []

    def slow(plan, report, memory, train):
        begun.append(plan)
        if len(begun) != 2:
            trace(plan, report, memory, train)
        while not gate.wait(0.01):
            report.check()

    monkeypatch.setattr("ecocviz.views.shared.app.grids.trace", slow)
    test = app(done=False, seed="12")
    key = watched(test)
    until(lambda: cache.jobs().look(key).share == 1)
    for times in (1, 2):  # the second is stopped before it has found anything
        test.button(key="model-selection.cancel").click().run()
        assert_fine(test)
        assert cache.jobs().wait(key, 5).state is JobState.CANCELLED
        assert any("Stopped at" in caption.value for caption in test.caption)
        test.run()
        assert len(begun) == times  # a stopped job does not begin by itself
        assert names(charts(test)[0])
        test.button(key="model-selection.again").click().run()
    gate.set()
    assert_fine(finish(test))
    assert len(begun) == 3 and names(charts(test)[0])
    assert not [b for b in test.button if b.key in {"model-selection.cancel", "model-selection.again"}]


def test_an_error_is_one_sentence_and_can_be_tried_again(app, monkeypatch):
    def refuse(*_):
        raise ValueError("This problem needs 9 GB; choose fewer points.")

    monkeypatch.setattr("ecocviz.views.shared.app.grids.trace", refuse)
    test = app(seed="13")
    assert [error.value for error in test.error] == ["This problem needs 9 GB; choose fewer points."]
    monkeypatch.setattr("ecocviz.views.shared.app.grids.trace", trace)
    test.button(key="model-selection.again").click().run()
    assert not finish(test).error


@pytest.mark.parametrize(
    ("slot", "key"),
    [(slot, key) for slot in ("machine", "reduction", "decoding", "split") for key in SLOTS[slot]],
)
def test_every_entry(app, slot, key):
    test = app(**{slot: key})
    assert_fine(test)
    shown = texts(test)
    if not test.error:
        assert names(charts(test)[0])
        assert any(word in shown for word in ("is a theorem here", "is an estimate here", "not available"))


def test_a_machine_without_such_a_parameter_is_one_sentence(app):
    test = app(machine="decision-tree")
    assert [error.value for error in test.error] == [
        "Decision tree has no parameter that a curve can run over; choose a kernel machine."
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"axis": "machine.nothing", "grid": "9,9,9"},
        {"grid": "1,2,3,4", "curves": "x.y", "tried": "nobody.hamming"},
        {"curves": "", "pick": "100000"},
    ],
)
def test_odd_links_open(app, fields):
    test = app(**fields)
    assert_fine(test)
    assert not test.error and names(charts(test)[0])[:1] == ["Test error"]
