"""Scenario <-> link <-> session: what is chosen, what is selected, undo and redo, the share link.

The scenario in the session is the one truth. Widgets are set from it before they are drawn and
report changes to it; the address bar follows it. A link is read when a session starts, or when the
browser goes back. An older address in a click only says that it was clicked before the newer came.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import urlencode, urlsplit

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ecocviz.engine.params import ParamValue
from ecocviz.lab.first_screen import after, first_scenario, first_selection
from ecocviz.lab.scenario import Scenario, explain, from_flat
from ecocviz.lab.scenes import unpack
from ecocviz.lab.selection import (
    FLIPS,
    OF_LECTURER,
    PLACE,
    PRESENT,
    SCENE,
    SCENES,
    Selection,
    split_link,
)
from ecocviz.views.catalogue import FIELDS, FORGOTTEN
from ecocviz.views.shared.app.hiding import offers, refuse_hidden

KEY = "ecocviz"
MAX_UNDO = 100
POINTS = ("data", "preparation", "split", "seed")
"""What the numbers of points depend on."""
LONGEST_ADDRESS = 40_000
"""A longer query (two very large hand-made matrices) stays out of the address bar; Share still has it.

What is in the address comes back when the server has lost the session. A server takes lines of 65,536 bytes.
"""


@dataclass(slots=True)
class Session:
    """What one browser session holds.

    `dropped` is the sentence about a link's unreadable parts, `opened` the one about where the scenario is
    from, as long as it stays; `draft` is a code matrix being edited
    that cannot be trained on yet, as rows of +, - and 0, with the sentence that says why; `drawn`
    is the scenario that the sidebar shows.
    """

    scenario: Scenario
    selection: Selection
    undo: list[Scenario]
    redo: list[Scenario]
    written: dict[str, str]
    dropped: str | None = None
    opened: str = ""
    draft: tuple[str, str] | None = None
    drawn: Scenario | None = None


def current() -> Session:
    """Return this browser session's state, reading its link the first time."""
    fields = st.query_params.to_dict()
    session: Session | None = st.session_state.get(KEY)
    went_back = getattr(get_script_run_ctx(), "is_history_navigation", False)
    # A page switch empties the address bar; that asks for nothing.
    if session is not None and (not fields or fields == session.written or not went_back):
        return session
    scenario, selection, dropped = read_link(fields)
    if session is None:
        session = Session(scenario, selection, [], [], fields, dropped)
        st.session_state[KEY] = session
    else:
        remember(session)
        session.scenario, session.selection, session.written = scenario, selection, fields
        session.dropped, session.opened, session.draft = dropped, "", None
    return session


def read_link(fields: dict[str, str]) -> tuple[Scenario, Selection, str | None]:
    """Read a link's fields; the sentence says what was dropped, None if nothing was.

    Without any field it is the first screen. With some, those that are left out have their defaults.
    """
    if not fields:
        return first_scenario(), first_selection(), None
    rest, selection, lost = split_link(fields, FIELDS.values())
    scenario, problems = from_flat(rest)
    try:
        unpack(selection[SCENES])
    except ValueError:
        selection, lost = selection.without((SCENES, SCENE)), (*lost, "its list of scenes is damaged")
    return scenario, selection, explain((*problems, *lost))


def link_fields(session: Session) -> dict[str, str]:
    """Return the fields of the link to what is on the screen, without the lecturer's own."""
    return session.scenario.to_flat() | session.selection.without(OF_LECTURER).to_flat()


def lecture_fields(session: Session) -> dict[str, str]:
    """Return the fields of the link to the screen as a lecturer has it: presented, with all scenes."""
    return session.scenario.to_flat() | put(session.selection, present="1").to_flat()


def share_link(session: Session, path: str, here: str | None) -> str:
    """Build the link to a page with everything chosen and selected; `here` is any address of the app."""
    return f"{root_of(here)}/{path}?{urlencode(link_fields(session))}"


def root_of(here: str | None) -> str:
    """Return the beginning of an address of the app, "" where there is none.

    >>> root_of("http://10.0.0.7:8501/bits?v=1"), root_of("javascript:alert(1)//x/")
    ('http://10.0.0.7:8501', '')
    """
    try:
        parts = urlsplit(here or "")
    except ValueError:  # the browser says what it likes
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc and parts.scheme in ("http", "https") else ""


def write_link(session: Session) -> None:
    """Let the address bar follow the state."""
    fields = dict(address_fields(session.scenario, session.selection))
    if st.query_params.to_dict() != fields:
        st.query_params.from_dict(fields)
    session.written = fields


@lru_cache(maxsize=256)
def address_fields(scenario: Scenario, selection: Selection) -> tuple[tuple[str, str], ...]:
    """Return the fields of the address bar: the link's; none on the first screen, or if they are too long.

    A list of scenes that has no room beside the scenario stays out of it first.
    """
    for kept in (selection, selection.without((SCENES, SCENE))):
        fields = scenario.to_flat() | kept.to_flat()
        if len(urlencode(fields)) <= LONGEST_ADDRESS:
            first = (scenario, kept) == (first_scenario(), first_selection())
            return () if first else tuple(fields.items())
    return ()


def remember(session: Session) -> None:
    """Put the scenario on the undo stack."""
    session.undo.append(session.scenario)
    del session.undo[:-MAX_UNDO]
    session.redo.clear()


def adopt(session: Session, scenario: Scenario, *, opens: bool = False) -> None:
    """Change the scenario, keeping of the selection what still means the same.

    What the link hides cannot be changed, whoever asks, unless another screen `opens` in place of this one.
    """
    if not opens:
        refuse_hidden(session.selection, session.scenario, scenario)
    scenario = after(session.scenario, scenario)
    if scenario == session.scenario:
        return
    remember(session)
    switch(session, scenario)


def switch(session: Session, scenario: Scenario) -> None:
    """Put a scenario in place without touching the undo stack."""
    old, kept = session.scenario, session.selection
    changes = {
        "points": any(getattr(old, slot) != getattr(scenario, slot) for slot in POINTS),
        "data": old.data.key != scenario.data.key,
        "coding": old.coding != scenario.coding,
    }
    for change, happened in changes.items():
        if happened:
            kept = kept.without(FORGOTTEN[change])
    session.scenario, session.selection, session.dropped, session.draft = scenario, kept, None, None
    session.opened = ""


def is_offered(slot: str) -> bool:
    """Say whether a slot is to be chosen on this screen; every control asks before it is drawn."""
    return offers(current().selection, slot)


def set_slot(slot: str, key: str | None = None, **params: ParamValue) -> None:
    """Change one slot of the scenario."""
    session = current()
    adopt(session, session.scenario.chosen(slot, key, **params))


def set_seed(seed: int) -> None:
    """Change the seed."""
    session = current()
    adopt(session, replace(session.scenario, seed=seed))


def select(**changes: int | str) -> None:
    """Change what is selected on the screen."""
    session = current()
    session.selection = put(session.selection, **changes)


def put(selection: Selection, **changes: int | str) -> Selection:
    """Return a selection with other values of fields that views declare."""
    return selection.put(FIELDS.values(), **changes)


def step_back() -> None:
    """Undo."""
    session = current()
    if session.undo:
        session.redo.append(session.scenario)
        switch(session, session.undo.pop())


def step_forward() -> None:
    """Redo."""
    session = current()
    if session.redo:
        session.undo.append(session.scenario)
        switch(session, session.redo.pop())


def reset() -> None:
    """Go back to the first screen; undo brings the work back."""
    session = current()
    adopt(session, first_scenario(), opens=True)
    mine = session.selection
    session.selection = put(first_selection(), present=mine[PRESENT], scenes=mine[SCENES])
    session.dropped = None


def open_scene(session: Session, fields: dict[str, str], number: int) -> None:
    """Put the screen of a scene's link in place of this one; Undo brings this one's scenario back."""
    scenario, selection, dropped = read_link(fields)
    mine = session.selection
    adopt(session, scenario, opens=True)
    session.selection = put(
        selection.without(OF_LECTURER), present=mine[PRESENT], scenes=mine[SCENES], scene=number
    )
    session.dropped, session.draft = dropped, None


def flips_of(selection: Selection, n_bits: int) -> frozenset[int]:
    """Return the flipped bits that exist."""
    numbers = (int(part) for part in selection[FLIPS].split(".") if part.isdigit() and len(part) < 7)
    return frozenset(b for b in numbers if b < n_bits)


def place_of(selection: Selection) -> tuple[float, float] | None:
    """Return the picked place, None where there is none that can be read."""
    parts = selection[PLACE].split(",")
    try:
        x, y = (float(part) for part in parts)
    except ValueError:
        return None
    return (x, y) if abs(x) < 1e9 and abs(y) < 1e9 else None
