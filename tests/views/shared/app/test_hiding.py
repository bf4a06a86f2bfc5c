"""What a link hides is gone, on every page, and nothing else changes it."""

from dataclasses import replace
from pathlib import Path

import pytest
from pages_tools import components, finished, page_at, received

from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.selection import Selection
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.hiding import GROUPS, HIDEABLE, HOLDER, refuse_hidden

ALL = ".".join(HIDEABLE)
PAGES = sorted(file.stem for file in (Path(__file__).parents[4] / "pages").glob("*.py"))
LEFT = {"reset", "runs.open", "bits.open", "papers.run"}
"""Buttons that open another screen, or begin what takes long."""
MORE = {"reductions": {"entered": "ecoc.ddag", "entrant": "ddag"}}
SMALL = {"v": "1", "data": "blobs", "data.n_samples": "60", "coding": "one-vs-one", "decoding": "hamming"}


@pytest.mark.parametrize("slot", [*HOLDER])
def test_a_hidden_slot_changes_only_with_the_whole_screen(slot, monkeypatch):
    held = state.Session(make_scenario(), state.put(Selection(), hide=HOLDER[slot]), [], [], {})
    monkeypatch.setattr(state, "current", lambda: held)
    before = held.scenario
    if slot == "seed":
        other, change = replace(before, seed=7), lambda: state.set_seed(7)
    else:
        key = next(key for key in SLOTS[slot] if key != getattr(before, slot).key)
        other, change = before.chosen(slot, key), lambda: state.set_slot(slot, key)
    with pytest.raises(ValueError, match=f"The {HOLDER[slot]} cannot be changed"):
        change()
    assert held.scenario == before and not held.undo
    refuse_hidden(Selection(), before, other)
    state.adopt(held, other, opens=True)
    assert held.scenario == other


def test_every_slot_has_a_group_that_hides_it():
    assert set(HOLDER) == {*SLOTS, "seed"}
    assert {title.lower() for title, _ in GROUPS} <= set(HIDEABLE)


KINDS = ("button", "toggle", "checkbox", "selectbox", "multiselect", "slider", "number_input")


def use(test, kind, key):
    """Use a control as a person would: click it, or choose what is not chosen."""
    control = getattr(test, kind)(key)
    if kind == "button":
        control.click()
    elif kind == "selectbox":
        control.select_index(-1 if control.index == 0 else 0)
    elif kind == "multiselect":
        control.set_value([])
    elif kind in ("slider", "number_input"):
        control.set_value(control.max if control.value != control.max else control.min)
    else:
        control.set_value(not control.value)
    test.run()


@pytest.mark.page
@pytest.mark.thorough
@pytest.mark.parametrize("page", PAGES)
def test_no_control_of_what_is_hidden_is_left_on_a_page(root, page):
    fields = SMALL | MORE.get(page, {}) | {"hide": ALL}
    test = finished(page_at(root / "pages" / f"{page}.py", fields).run())
    before = test.session_state[state.KEY].scenario
    for kind in KINDS:
        for key in [one.key for one in getattr(test, kind) if one.key and not one.disabled]:
            if key in LEFT or key not in {one.key for one in getattr(test, kind)}:
                continue
            use(test, kind, key)
            assert not test.exception, (key, test.exception)
            # What is left and asks for what is hidden is refused, in a toast.
            assert test.session_state[state.KEY].scenario == before and not test.toast, key


@pytest.mark.page
def test_what_is_hidden_is_gone_from_the_canvas_and_the_grid(root):
    def told(**fields):
        test = finished(page_at(root / "pages" / "playground.py", SMALL | fields).run())
        found = {one.proto.component_name.partition(".")[2]: one for one in components(test)}
        header, _ = received(found["region_view"])
        return header, received(found["code_grid"])["editable"], "start_strip" in found

    header, editable, steps = told()
    assert len(header["decoders"]) > 1 and header["brushes"] and editable and steps
    header, editable, steps = told(hide="data.code.machine.decoder")
    assert [one["key"] for one in header["decoders"]] == ["hamming"]
    assert not header["brushes"] and not editable and not steps
