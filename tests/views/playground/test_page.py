"""The Playground with every catalogue entry, odd links, edits and picks, without a browser."""

import re

import numpy as np
import pytest
from pages_tools import entries_for, finished, page_at, received, texts
from streamlit.testing.v1 import AppTest

from ecocviz.engine.params import pack_matrix
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.first_screen import first_scenario, first_selection
from ecocviz.lab.run import load, run
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.playground.drawing import drawn_scenario, read_points
from ecocviz.views.playground.words import undecided_sentence
from ecocviz.views.shared.app.components.code_grid import write_rows
from ecocviz.views.shared.app.sidebar import GROUPS
from ecocviz.views.shared.app.warm import warm_screen

pytestmark = pytest.mark.page

FAST = {"data": "moons", "data.n_samples": "60"}


@pytest.fixture
def app(root):
    def start(**fields):
        test = page_at(root / "app.py", fields)
        return finished(test.run())

    return start


def components(test):
    """The components' data by name: the region view's header and inflated body, the others' JSON."""
    return {element.proto.component_name: received(element) for element in test.get("bidi_component")}


def fields_of(test):
    return {
        name: values[-1] if isinstance(values, list) else values for name, values in test.query_params.items()
    }


def assert_shown(test):
    assert not test.exception, test.exception
    assert not test.error, [error.value for error in test.error]
    shown = components(test)
    assert "ecocviz.region_view" in shown
    return shown


def test_the_first_screen_shows_a_trained_example(app):
    test = app()
    shown = assert_shown(test)
    header, body = shown["ecocviz.region_view"]
    n_cells = header["nx"] * header["ny"]
    start, end = next((start, end) for name, start, end in header["blocks"] if name == "labels")
    first = np.frombuffer(body[start : start + n_cells], np.uint8)
    assert end - start == n_cells * len(header["decoders"])
    assert set(first.tolist()) == set(range(len(header["classes"])))
    assert shown["ecocviz.inspector"]["title"].startswith("Point ")
    assert header["alt"]
    assert "Test error 18.3 % (77 of 420)." in texts(test)


def test_data_of_ones_own_are_shown_beside_an_impossible_choice(app):
    places = [[0.1 + 0.1 * c, 0.2 + 0.02 * k, c] for c in range(8) for k in range(8)]
    test = app(**FAST)
    own = drawn_scenario(make_scenario(), read_points({"points": places}))
    test.session_state["ecocviz"].scenario = own.chosen("coding", "ternary-complete")
    finished(test.run())
    assert [error.value for error in test.error] == [
        "Ternary exhaustive is offered for up to 7 classes; these data have 8."
    ]
    header, _ = components(test)["ecocviz.region_view"]
    assert len(header["classes"]) == 8 and "These are the data alone." in texts(test)


def test_the_error_is_said_above_the_regions_only_while_presenting(app):
    def alone(test):
        bodies = [one.proto.body for one in test.get("html")]
        return [body for body in bodies if "Test error" in body and "</b> <span>" not in body]

    assert len(alone(app(**FAST, present="1"))) == 1
    assert alone(app(**FAST)) == []


def test_the_first_screen_is_compared_with_one_vs_all(app):
    warm_screen()
    assert "One-vs-all makes 47 more errors: 29.5 % (124 of 420)." in texts(app())
    assert "One-vs-all makes" not in texts(app(**FAST, coding="one-vs-one", seed="41"))


@pytest.mark.parametrize(
    ("slot", "key"), entries_for("playground", *(slot for slot in SLOTS if slot not in {"data", "decoding"}))
)
def test_every_entry_of_the_other_slots(app, slot, key):
    extra = {"coding": "one-vs-one"} if key == "voting" else {}
    test = app(**{**FAST, **extra, slot: key})
    assert not test.exception, test.exception
    # What cannot be combined is one sentence, not a traceback and not an empty page.
    assert len(test.error) <= 1
    if test.error:
        assert "\n" not in test.error[0].value
    else:
        assert_shown(test)


def test_every_decoding(app):
    test = app(**FAST, coding="one-vs-one")
    for key in SLOTS["decoding"]:
        test.session_state["ecocviz"].scenario = make_scenario(
            data=("moons", {"n_samples": 60}), coding="one-vs-one", decoding=key
        )
        finished(test.run())
        assert not test.exception, (key, test.exception)
        assert len(test.error) <= 1
        if not test.error:
            header, _ = components(test)["ecocviz.region_view"]
            assert header["decoders"][header["decoder"]]["key"] == key


@pytest.mark.parametrize("key", SLOTS["data"])
def test_every_data_set(app, key):
    entry = SLOTS["data"][key]
    if getattr(entry, "needs", ""):
        pytest.skip("takes something from outside")
    rows = load(make_scenario(data=key)).labels.size
    share = "0.9" if rows > 2_000 else "0.5"
    test = app(data=key, decoding="hamming", compare="hamming", split__test_share=share)
    shown = assert_shown(test)
    header, _ = shown["ecocviz.region_view"]
    assert len(header["classes"]) == len(shown["ecocviz.code_grid"]["classes"])


@pytest.mark.parametrize("group", ["Data", "Code", "Machine", "Reduction", "Decoder"])
def test_an_open_group_has_a_widget_for_every_parameter(group, root):
    test = AppTest.from_file(str(root / "app.py"), default_timeout=120)
    test.session_state[f"group.{group}"] = True
    test.run()
    assert not test.exception
    slots = dict(GROUPS)[group]
    scenario = test.session_state["ecocviz"].scenario
    keys = {
        widget.key
        for kind in ("selectbox", "slider", "number_input", "select_slider", "button_group")
        for widget in test.get(kind)
    }
    for slot in slots:
        choice = getattr(scenario, slot)
        assert f"slot.{slot}" in keys
        for param in SLOTS[slot][choice.key].params:
            wanted = param.only_if is None or choice.values[param.only_if[0]] in param.only_if[1]
            key = f"w.{slot}.{choice.key}.{param.name}"
            assert (key in keys or f"{key}.word" in keys) == wanted, key


def test_choosing_and_undoing_and_redoing(root):
    test = page_at(root / "app.py", {"v": "1"})
    test.session_state["group.Code"] = True
    test.run()
    test.selectbox(key="slot.coding").select("one-vs-one").run()
    shown = assert_shown(test)
    assert test.session_state["ecocviz"].scenario.coding.key == "one-vs-one"
    assert fields_of(test)["coding"] == "one-vs-one"
    assert len(shown["ecocviz.code_grid"]["code"][0]) == 6
    test.button(key="undo").click().run()
    assert len(assert_shown(test)["ecocviz.code_grid"]["code"][0]) == 4
    assert "coding" not in fields_of(test)
    test.button(key="redo").click().run()
    assert len(assert_shown(test)["ecocviz.code_grid"]["code"][0]) == 6
    test.button(key="reset").click().run()
    held = test.session_state["ecocviz"]
    assert (held.scenario, held.selection) == (first_scenario(), first_selection())
    assert not fields_of(test)
    test.button(key="undo").click().run()
    assert fields_of(test)["coding"] == "one-vs-one"


def test_a_link_gives_the_same_screen(app):
    first = app(data="spirals", data__n_classes="4", coding="dense-random", pick="17", flips="0.3", seed="5")
    again = app(**{name.replace(".", "__"): value for name, value in fields_of(first).items()})
    assert components(again) == components(first)
    assert components(first)["ecocviz.inspector"]["flips"] == [0, 3]


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        ({"data": "<script>alert(1)</script>"}, 1),
        ({"data": "blobs", "data__n_samples": "1e999"}, 1),
        ({"v": "77", "seed": "-4", "pick": "many", "present": "yes"}, 1),
        ({"coding": "custom", "coding__matrix": "9.9.____"}, 0),
        ({"place": "nan,nan"}, 1),
        ({"place": "e,-", "plane": "99,98", "flips": "999999.7", "compare": "x.y.z"}, 0),
        ({f"field{i}": "x" * 50 for i in range(300)}, 1),
    ],
)
def test_hostile_links_open_with_at_most_one_sentence(app, fields, count):
    test = app(**fields)
    assert not test.exception, test.exception
    assert len(test.warning) == count
    assert all("\n" not in warning.value for warning in test.warning)
    assert len(test.error) <= 1


def test_a_combination_that_cannot_be_is_one_sentence(app, monkeypatch):
    monkeypatch.setattr(
        "ecocviz.views.shared.app.stage.why_not_run", lambda _: "These do not go together; choose others."
    )
    test = app()
    assert not test.exception
    assert [error.value for error in test.error] == ["These do not go together; choose others."]


def test_hand_made_matrices_travel_in_the_link(app):
    code = np.array([[1, 1, 0], [-1, 1, 1], [-1, -1, -1], [1, -1, 1]], dtype=np.int8)
    test = app(coding="custom", coding__matrix=pack_matrix(code))
    assert "\n".join(assert_shown(test)["ecocviz.code_grid"]["code"]) == write_rows(code)
    assert fields_of(test)["coding.matrix"] == pack_matrix(code)


def test_classes_in_parts_have_a_cost_in_every_row(app):
    fields = {"data": "spirals", "data.n_samples": "150", "coding": "subclass-ecoc"}
    shown = assert_shown(app(**fields, decoding="hamming", compare="hamming"))
    grid, point = shown["ecocviz.code_grid"], shown["ecocviz.inspector"]
    assert len(grid["costs"]) == len(grid["code"]) > 3
    verdict = point["verdicts"][0]
    assert grid["costs"][grid["winner"]] == verdict["costs"][verdict["winner"]]
    assert grid["classes"][grid["winner"]]["name"].startswith(point["classes"][verdict["winner"]]["name"])
    assert [grid["bits"][b] for b in range(len(point["says"]))] == [
        {"+": 1, "-": -1, "0": 0}[letter] for letter in point["says"]
    ]


def test_points_that_are_left_undecided_are_drawn_and_counted(app):
    fields = {**FAST, "decoding": "hamming", "coding": "dense-random", "data.n_samples": "90"}
    plain = app(**fields)
    names = {name for name, *_ in assert_shown(plain)["ecocviz.region_view"][0]["blocks"]}
    assert "undecided" not in names and "left undecided" not in texts(plain)
    test = app(**fields, rejecting="margin", **{"rejecting.share": "0.5"})
    header, body = assert_shown(test)["ecocviz.region_view"]
    start, end = next((start, end) for name, start, end in header["blocks"] if name == "undecided")
    assert end - start == len(header["decoders"]) * -(-header["nx"] * header["ny"] // 8)
    assert any(body[start:end])
    scenario = make_scenario(
        data=("moons", {"n_samples": 90}),
        coding="dense-random",
        decoding="hamming",
        rejecting=("margin", {"share": 0.5}),
    )
    assert undecided_sentence(run(scenario).test.decided) in re.sub("<[^>]+>", "", texts(test))


def test_presenter_mode_has_no_sidebar(app):
    test = app(present="1")
    assert_shown(test)
    assert not test.sidebar.button
    assert test.query_params["present"] in ("1", ["1"])


def test_the_page_stands_without_the_table_of_contents(root):
    test = AppTest.from_file(str(root / "pages" / "playground.py"), default_timeout=120).run()
    assert_shown(test)
