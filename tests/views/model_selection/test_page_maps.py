"""The maps of the Model selection page: asked for, filled, clicked and chosen from, without a browser."""

import threading

import pytest
from pages_tools import assert_fine, charts, page_at, read, texts

from ecocviz.lab.curve_plan import trace
from ecocviz.lab.report import JobState
from ecocviz.views.model_selection import page_maps
from ecocviz.views.model_selection.facts import MAPGRID, MAPOF, MAPS
from ecocviz.views.shared.app import cache, job_panel

pytestmark = pytest.mark.page

FAST = {"data": "moons", "data.n_samples": "60", "grid": "-1,1,3", "mapgrid": "-2,4,-2,4,3"}
BOTH = "machine.gamma,machine.C"
START = "model-selection.maps.start"


@pytest.fixture
def app(root):
    def start(**fields):
        return finish(page_at(root / "pages" / "model_selection.py", {**FAST, **fields}).run())

    return start


def finish(test):
    for place in ("model-selection", page_maps.PLACE):
        plan = watched(test, place)
        if plan is not None:
            cache.jobs().wait(plan, 60)
    return test.run()


def watched(test, place=page_maps.PLACE):
    """The plan of the job that the page watches at a place; None if there is none."""
    if job_panel.KEY not in test.session_state:
        return None
    return test.session_state[job_panel.KEY].jobs.get(place, (None, None))[1]


def buttons(test):
    return [b.label for b in test.button if (b.key or "").startswith(page_maps.PLACE)]


def maps(test):
    """The maps that are drawn: name -> figure."""
    drawn = [one for one in charts(test) if one["data"][0]["type"] == "heatmap"]
    return {one["layout"]["title"]["text"]: one for one in drawn}


def captions(test):
    return read(" ".join(caption.value for caption in test.caption))


def session(test):
    return test.session_state["ecocviz"]


def machine(test):
    values = session(test).scenario.machine.values
    return values["gamma"], values["C"]


# Asked for -------------------------------------------------------------------------------------------


def test_nothing_is_measured_before_it_is_asked_for(app):
    test = app()
    assert_fine(test)
    assert watched(test) is None and not maps(test)
    assert buttons(test) == ["Measure 9 pairs"]
    assert "Three maps over γ and C side by side" in texts(test)
    assert "at 3 × 3 pairs of values, which takes a few seconds." in texts(test)
    assert session(test).selection[MAPS] == ""


def test_three_maps_appear_when_they_are_asked_for(app):
    test = finish(app().button(key=START).click().run())
    assert_fine(test)
    assert not test.error
    drawn = maps(test)
    assert list(drawn) == ["Leave-one-out bound, %", "Cross-validation, %", "Test error, %"]
    assert all(element.proto.alt for element in test.get("plotly_chart"))
    assert "Choosing γ and C by the leave-one-out bound" in texts(test) and "By cross-validation" in texts(
        test
    )
    assert all(
        len(one["layout"]["shapes"]) == 2 for one in drawn.values()
    )  # the scenario's words have numbers
    assert "dashed frame: the scenario's own values" in captions(test)
    assert session(test).selection[MAPS] == BOTH
    assert START not in {b.key for b in test.button}
    assert [b.label for b in test.get("download_button")][-1] == "Maps as CSV"


def test_a_link_shows_its_maps_at_once(app):
    test = app(maps="machine.C,machine.gamma", mapgrid="0,2,-2,0,3")
    assert_fine(test)
    plan = watched(test)
    assert [(line.axis.key, line.values) for line in plan.lines] == [
        ("machine.C", (1.0, 2.0, 4.0)),
        ("machine.gamma", (0.25, 0.5, 1.0)),
    ]
    assert len(maps(test)) == 3


def test_what_takes_long_waits_for_a_button_whatever_the_link_says(app, monkeypatch):
    monkeypatch.setattr(page_maps, "AT_ONCE_SECONDS", 0.0)
    test = app(maps=BOTH)
    assert buttons(test) == ["Measure 9 pairs"] and watched(test) is None
    test = finish(test.button(key=START).click().run())
    assert len(maps(test)) == 3
    # Another decoder trains nothing and is not asked for again; another grid is.
    test.session_state["ecocviz"].scenario = session(test).scenario.chosen("decoding", "hamming")
    assert len(maps(finish(test.run()))) == 3
    test = test.number_input(key="maps.n").set_value(4).run()
    assert buttons(test) == ["Measure 16 pairs"] and watched(test) is None and not maps(test)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"machine.kernel": "linear"}, "Kernel width γ comes with kernel Gaussian"),
        ({"machine": "linear-svm"}, "here only Penalty C can be varied."),
        ({"mapgrid": "-14,-13,-2,4,3", "reduction": "single-binary", "maps": "reduction.radius"}, "Scale of"),
    ],
)
def test_without_a_map_there_is_a_sentence(app, fields, sentence):
    test = app(**fields)
    assert_fine(test)
    assert not test.error and not maps(test) and not buttons(test)
    assert sentence in captions(test)


@pytest.mark.parametrize("fields", [{"maps": "a,b", "mapgrid": "9,9"}, {"maps": ",", "mapof": "nobody"}])
def test_odd_links_open(app, fields):
    test = app(**{**fields, "mapgrid": fields.get("mapgrid", FAST["mapgrid"])})
    assert_fine(test)
    assert len(maps(test)) == 3


def test_a_reduction_without_a_bound_has_the_other_maps_and_says_why(app):
    test = app(reduction="joint", maps="reduction.lambda1,reduction.gamma")
    assert_fine(test)
    assert list(maps(test)) == ["Cross-validation, %", "Test error, %"]
    assert "Choosing λ₁ and γ by cross-validation" in texts(test)
    plan, spoken = watched(test), texts(test)
    refused = (
        cache.readings().find(plan.put(plan.scenario, plan.places[0])).refused(plan.decodings, plan.measures)
    )
    assert refused and refused[0] in spoken


# Settings --------------------------------------------------------------------------------------------


def test_the_widgets_choose_the_grid(app):
    test = app(maps=BOTH)
    test.selectbox(key="maps.end00").select(-3).run()
    test.selectbox(key="maps.end11").select(3).run()
    test = finish(test.number_input(key="maps.n").set_value(4).run())
    assert_fine(test)
    assert session(test).selection[MAPGRID] == "-3,4,-2,3,4"
    first, second = (line.values for line in watched(test).lines)
    assert (first[0], first[-1], second[0], second[-1], len(first)) == (0.125, 16.0, 0.25, 8.0, 4)


def test_of_several_parameters_two_are_chosen(app):
    test = app(reduction="single-binary", mapgrid="")
    assert "γ and C together" in texts(test)
    test.selectbox(key="maps.axis1").select("reduction.radius").run()
    assert session(test).selection[MAPS] == "reduction.gamma,reduction.radius"
    test.selectbox(key="maps.axis0").select("reduction.radius").run()
    assert session(test).selection[MAPS] == "reduction.radius,reduction.gamma"


def test_the_decoders_of_the_page_are_shown_one_at_a_time(app):
    test = app(maps=BOTH, tried="hamming")
    first = [one["data"][0]["text"] for one in maps(test).values()]
    plan = watched(test)
    test = test.selectbox(key="maps.decoder").select("hamming").run()
    assert_fine(test)
    assert session(test).selection[MAPOF] == "hamming" and watched(test) == plan  # the same job
    assert [one["data"][0]["text"] for one in maps(test).values()] != first


# The job ---------------------------------------------------------------------------------------------


def test_maps_fill_as_points_come_and_can_be_cancelled(app, monkeypatch):
    gate, half = threading.Event(), threading.Event()

    def slow(plan, report, memory, train):
        hear = report.add

        def held(item):
            known = {position for position, _ in report.partial}
            if len(plan.lines) == 2 and len(known | {item[0]}) > 4 and not gate.is_set():
                half.set()
                while not gate.wait(0.01):
                    report.check()
            hear(item)

        report.add = held
        trace(plan, report, memory, train)

    monkeypatch.setattr("ecocviz.views.shared.app.grids.trace", slow)
    test = app(seed="21")
    test = test.button(key=START).click().run()
    plan = watched(test)
    assert half.wait(60)
    test = test.run()
    assert_fine(test)
    (first, *_) = maps(test).values()
    assert [bool(text) for row in first["data"][0]["text"] for text in row] == [
        True, False, True, False, False, False, True, False, True,
    ]  # fmt: skip
    assert "So far: choosing" in texts(test)
    assert not [b for b in test.selectbox if b.key == "maps.pair"]  # a list that grows is no choice
    test = test.button(key=f"{page_maps.PLACE}.cancel").click().run()
    assert cache.jobs().wait(plan, 30).state is JobState.CANCELLED
    assert len(maps(test)) == 3 and "Stopped at" in captions(test)
    gate.set()
    test = finish(test.button(key=f"{page_maps.PLACE}.again").click().run())
    assert all(text for one in maps(test).values() for row in one["data"][0]["text"] for text in row)


def test_another_scenario_leaves_the_old_maps(app, monkeypatch):
    test = app(maps=BOTH)
    before = watched(test)
    monkeypatch.setattr(page_maps, "AT_ONCE_SECONDS", 0.0)
    test.session_state["ecocviz"].scenario = session(test).scenario.chosen("data", None, n_samples=61)
    test = test.run()
    assert before is not None and watched(test) is None
    assert buttons(test) == ["Measure 9 pairs"]


# Taking values ---------------------------------------------------------------------------------------


def test_a_button_takes_both_values_of_a_minimum_as_one_change(app):
    test = app(maps=BOTH)
    before, plan, n_undo = machine(test), watched(test), len(session(test).undo)
    button = next(b for b in test.button if b.label.startswith("Use γ = ") and "C = " in b.label)
    test = finish(button.click().run())
    assert_fine(test)
    assert machine(test) in plan.places
    assert len(session(test).undo) == n_undo + 1 and watched(test) == plan
    assert next(b for b in test.button if b.key == button.key).disabled
    assert test.selectbox(key="maps.pair.1").value == plan.places.index(machine(test))
    test = finish(test.button(key="undo").click().run())
    assert machine(test) == before


def test_any_pair_is_taken_from_a_list(app):
    test = app(maps=BOTH)
    plan, choice = watched(test), test.selectbox(key="maps.pair")
    assert choice.value is None and len(choice.options) == 9
    assert choice.options[5].startswith("γ = 2, C = 16: bound ") and choice.options[5].endswith(" %")
    test = finish(choice.select_index(5).run())
    assert_fine(test)
    assert machine(test) == plan.places[5] == (2.0, 16.0)


@pytest.mark.parametrize("told", [None, "0", [], [0], [9, ""], [-1, ""], ["0", ""], [0.5, ""], {"a": 1}])
def test_a_forged_click_is_refused(app, told):
    plan = watched(app(maps=BOTH))
    with pytest.raises(ValueError, match=r"message|whole number"):
        page_maps._on_cell(plan, {"customdata": told})
