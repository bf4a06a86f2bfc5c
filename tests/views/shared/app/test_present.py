"""Presenter mode and scenes: the bar, what a link hides, the list and the walk through it."""

import pytest
from pages_tools import page_at

from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.scenes import make_scene, pack, to_json
from ecocviz.lab.selection import SCENE, Selection
from ecocviz.views.shared.app import present, scenes, state

SMALL = {"data": "blobs", "data__n_samples": "60"}
LINKS = ("code_matrix?v=1&coding=one-vs-one", "bits?v=1", "code_matrix?v=1&decoding=hamming")
THREE = tuple(make_scene(f"Scene {k}", link) for k, link in enumerate(LINKS))


@pytest.fixture
def page(root):
    def start(**fields):
        test = page_at(root / "pages" / "code_matrix.py", SMALL | fields).run()
        assert not test.exception, test.exception
        return test

    return start


@pytest.fixture
def held(monkeypatch):
    """A session with three scenes, without a page."""
    session = state.Session(make_scenario(), state.put(Selection(), scenes=pack(THREE)), [], [], {})
    monkeypatch.setattr(state, "current", lambda: session)
    monkeypatch.setattr(scenes.st, "session_state", {})
    return session


@pytest.mark.page
def test_the_bar_changes_data_code_decoder_and_the_machines_dial(page):
    test = page(present="1")
    test.selectbox("present.slot.coding").set_value("one-vs-one").run()
    test.selectbox("present.slot.decoding").set_value("hamming").run()
    dial = test.select_slider("present.dial.gamma")
    assert dial.value == "scale"
    dial.set_value(0.5).run()
    assert not test.exception
    now = test.session_state["ecocviz"].scenario
    assert (now.coding.key, now.decoding.key, now.machine.values["gamma"]) == ("one-vs-one", "hamming", 0.5)
    test.select_slider("present.dial.gamma").set_value("scale").run()
    assert test.session_state["ecocviz"].scenario.machine.values["gamma"] == "scale"


@pytest.mark.page
def test_what_the_link_hides_is_hidden(page):
    test = page(present="1", hide="code.machine.nonsense")
    assert {box.key for box in test.selectbox if box.key.startswith("present.")} == {
        "present.slot.data", "present.slot.decoding"
    }  # fmt: skip
    assert not test.select_slider

    def groups(**fields):
        return [group.label for group in page(**fields).sidebar.expander]

    everything = groups()
    assert len(everything) > 1 and sum("Code" in label for label in everything) == 1
    assert groups(hide="code.words") == [label for label in everything if "Code" not in label]


@pytest.mark.page
def test_parts_of_a_page_are_hidden_by_style(page):
    def styles(**fields):
        return " ".join(one.proto.body for one in page(**fields).get("html") if "<style" in one.proto.body)

    rule = '[class*="st-key-"][class*="-grid"] { display: none; }'
    assert rule in styles(hide="matrix") and rule not in styles()


@pytest.mark.page
def test_scenes_are_made_named_ordered_and_removed_in_the_app(page):
    test = page()
    test.session_state["share"] = True
    test.run()
    test.button("scenes.add").click().run()
    test.session_state["share"] = True
    test.run()
    test.button("scenes.open").click().run()
    test.button("scenes.add.here").click().run()
    test.text_input("scenes.title.1").set_value("Flip *until* it breaks").run()
    test.button("scenes.earlier.1").click().run()
    assert not test.exception, test.exception

    def titles():
        return [scene.title for scene in scenes.scenes_of(test.session_state["ecocviz"])]

    assert titles()[0] == "Flip *until* it breaks" and titles()[1].startswith("Code matrix: ")
    assert test.session_state["ecocviz"].selection[SCENE] == 1
    test.button("scenes.remove.1").click().run()
    assert titles() == ["Flip *until* it breaks"]


def test_a_walk_stops_at_both_ends_and_goes_to_the_page_of_a_scene(held):
    scenes.step(-1, "code_matrix")
    assert (held.selection[SCENE], held.scenario.coding.key) == (1, "one-vs-one")
    assert scenes.st.session_state == {}  # the same page stays
    scenes.step(1, "code_matrix")
    assert scenes.st.session_state == {scenes.GOTO: "bits"}
    for _ in range(3):
        scenes.step(1, "bits")
    assert held.selection[SCENE] == 3
    assert scenes.told(held) == "3 of 3: Scene 2"


def test_a_file_is_read_back_behind_what_is_there(held):
    class File:
        size = 10

        def getvalue(self):
            return to_json(THREE[:1]).encode()

    scenes.st.session_state["file"] = File()
    scenes._read("file")
    assert [scene.title for scene in scenes.scenes_of(held)] == ["Scene 0", "Scene 1", "Scene 2", "Scene 0"]
    File.size = 10**9
    with pytest.raises(ValueError, match=r"^This file is not a list of scenes"):
        scenes._read("file")


def test_machines_without_such_a_parameter_have_no_dial():
    assert present.dial_of(make_scenario(machine="naive-bayes")) is not None
    assert present.dial_of(make_scenario(machine="decision-tree")) is None
