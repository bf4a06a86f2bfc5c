"""Links, undo and redo, and what a selection keeps, without a page."""

from dataclasses import replace
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.codings.custom import MAX_TEXT
from ecocviz.engine.params import pack_matrix
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.choices import compared
from ecocviz.lab.first_screen import first_scenario, first_selection
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.scenes import make_scene, pack
from ecocviz.lab.selection import PICK, Selection
from ecocviz.views.shared.app import state


@pytest.fixture
def held():
    return state.Session(make_scenario(), Selection(), [], [], {})


@st.composite
def scenarios(draw):
    slots = {slot: draw(st.sampled_from(sorted(entries))) for slot, entries in SLOTS.items()}
    return make_scenario(seed=draw(st.integers(0, 99)), **slots)


@given(scenarios(), st.integers(-1, 500), st.sampled_from(["", "pca", "0,3"]), st.sets(st.integers(0, 40)))
def test_a_share_link_opens_the_same_screen(scenario, pick, plane, flips):
    flipped = ".".join(map(str, sorted(flips)))
    selection = state.put(Selection(), pick=pick, plane=plane, flips=flipped)
    shared = state.share_link(
        state.Session(scenario, selection, [], [], {}), "bits", "http://host:8501/elsewhere?x=1"
    )
    parts = urlsplit(shared)
    assert (parts.scheme, parts.netloc, parts.path) == ("http", "host:8501", "/bits")
    read, picked, dropped = state.read_link(dict(parse_qsl(parts.query, keep_blank_values=True)))
    assert (read, picked, dropped) == (scenario, selection, None)


@given(st.dictionaries(st.text(max_size=20), st.text(max_size=40), max_size=30))
def test_any_link_opens_with_at_most_one_sentence(fields):
    scenario, selection, dropped = state.read_link(fields)
    assert scenario.coding.key in SLOTS["coding"] and isinstance(selection[PICK], int)
    if dropped is not None:
        assert dropped.endswith(".") and "\n" not in dropped


def test_a_room_is_sent_the_screen_without_the_lecturers_own(held):
    scenes = pack((make_scene("Flip", "bits?v=1"),))
    held.selection = state.put(Selection(), pick=3, hide="words", present="1", scenes=scenes, scene=1)
    assert state.share_link(held, "bits", "http://host") == "http://host/bits?v=1&hide=words&pick=3"
    fields = state.lecture_fields(held)
    assert state.read_link(fields) == (held.scenario, held.selection, None)


def test_a_damaged_list_of_scenes_is_left_out_with_a_sentence():
    scenario, selection, dropped = state.read_link({"scenes": "AAAA", "scene": "1", "pick": "3"})
    assert (scenario, selection) == (make_scenario(), state.put(Selection(), pick=3))
    assert dropped == "Parts of this link were replaced by defaults: its list of scenes is damaged."


def test_a_scene_takes_the_place_of_the_screen_and_undo_brings_its_scenario_back(held):
    scenes = pack((make_scene("Flip", "bits?v=1"),))
    held.selection = state.put(Selection(), present="1", scenes=scenes, pick=8)
    nested = {"coding": "one-vs-one", "pick": "3", "scenes": "x", "present": "0", "scene": "9"}
    state.open_scene(held, nested, 1)
    assert held.scenario == make_scenario(coding="one-vs-one")
    assert held.selection == state.put(Selection(), present="1", scenes=scenes, scene=1, pick=3)
    assert held.undo == [make_scenario()]
    state.open_scene(held, nested, 1)
    assert held.undo == [make_scenario()]


def test_a_list_without_room_in_the_address_leaves_the_rest_there(monkeypatch):
    monkeypatch.setattr(state, "LONGEST_ADDRESS", 200)
    state.address_fields.cache_clear()
    selection = state.put(Selection(), scenes="A" * 300, scene=1, pick=3)
    assert dict(state.address_fields(make_scenario(), selection)) == {"v": "1", "pick": "3"}
    state.address_fields.cache_clear()


@pytest.mark.parametrize("here", [None, "", "http://[", "javascript:alert(1)//x/", "http:", "//other.host/x"])
def test_without_an_address_the_link_is_relative(held, here):
    assert state.share_link(held, "playground", here) == "/playground?v=1"


def test_only_the_first_screen_has_an_address_without_fields():
    assert state.address_fields(first_scenario(), first_selection()) == ()
    assert state.address_fields(make_scenario(), Selection()) == (("v", "1"),)
    elsewhere = state.put(first_selection(), pick=0)
    fields = dict(state.address_fields(first_scenario(), elsewhere))
    assert state.read_link(fields) == (first_scenario(), elsewhere, None)


def test_the_address_holds_the_largest_code_matrix_made_by_hand():
    packed = pack_matrix(np.random.default_rng(0).integers(-1, 2, (100, 1_000), dtype=np.int8))
    assert 26_000 < len(packed) <= MAX_TEXT
    scenario = make_scenario(coding=("custom", {"matrix": packed}))
    fields = dict(state.address_fields(scenario, Selection()))
    assert state.read_link(fields) == (scenario, Selection(), None)
    assert len(urlencode(fields)) < 32_000
    # Beside a second one of that size there is no room for it.
    beside = state.put(Selection(), beside=f"custom?matrix={packed}")
    assert state.address_fields(scenario, beside) == ()


def test_changes_are_undone_in_order_and_redone(held):
    first = held.scenario
    second = first.chosen("coding", "one-vs-one")
    third = second.chosen("data", "iris")
    state.adopt(held, second)
    state.adopt(held, third)
    state.adopt(held, third)
    assert held.undo == [first, second]
    held.redo.append(held.scenario)
    state.switch(held, held.undo.pop())
    assert held.scenario == second
    state.adopt(held, first)
    assert held.redo == []


def test_the_undo_stack_is_bounded(held):
    for seed in range(300):
        state.adopt(held, replace(held.scenario, seed=seed))
    assert len(held.undo) == state.MAX_UNDO
    assert held.undo[-1].seed == 298


def test_other_points_forget_the_pick_and_other_codes_the_flips(held):
    held.selection = state.put(Selection(), pick=3, plane="0,2", flips="1.2", compare="hamming", present="1")
    state.adopt(held, held.scenario.chosen("machine", None, bias=0.5))
    assert held.selection == state.put(
        Selection(), pick=3, plane="0,2", flips="1.2", compare="hamming", present="1"
    )
    state.adopt(held, held.scenario.chosen("coding", "one-vs-one"))
    assert held.selection == state.put(Selection(), pick=3, plane="0,2", compare="hamming", present="1")
    state.adopt(held, held.scenario.chosen("split", "k-fold"))
    assert held.selection == state.put(Selection(), plane="0,2", compare="hamming", present="1")
    state.adopt(held, held.scenario.chosen("data", "iris"))
    assert held.selection == state.put(Selection(), compare="hamming", present="1")


def test_a_change_forgets_draft_and_warning(held):
    held.draft, held.dropped = ("++\n--", "why"), "dropped"
    state.adopt(held, held.scenario.chosen("coding", "one-vs-one"))
    assert held.draft is None and held.dropped is None


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("0.5,-2", (0.5, -2.0)),
        ("1e-3,4", (0.001, 4.0)),
        ("", None),
        ("1", None),
        ("1,2,3", None),
        ("e,-", None),
        ("1e99,0", None),
    ],
)
def test_places(place, expected):
    assert state.place_of(state.put(Selection(), place=place)) == expected


def test_flips_that_do_not_exist_are_left_out():
    assert state.flips_of(state.put(Selection(), flips="0.3.99..7"), 8) == {0, 3, 7}


def test_compared_decoders_that_do_not_exist_are_left_out():
    key = next(iter(DECODINGS))
    assert compared(state.put(Selection(), compare=f"{key}.nothing.{key}")) == (key,)
