"""Presenter mode: the bar at the foot of the screen, and what its buttons and the keys of a lecture do."""

from typing import Any

import streamlit as st

from ecocviz.engine.params import FloatParam, ParamValue
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.selection import PRESENT
from ecocviz.views.shared.app import scenes, share, state
from ecocviz.views.shared.app.components.presenter import asked_for, presenter
from ecocviz.views.shared.app.numbers import log_stops, stop_texts
from ecocviz.views.shared.app.opened import close_dialog, open_dialog, opened
from ecocviz.views.shared.app.sidebar import slot_list
from ecocviz.views.shared.draw.outside import literal, plain
from ecocviz.views.shared.draw.settings import matters

PATH = "ecocviz.path"
IN_BAR = (("data", "Data"), ("coding", "Code"), ("decoding", "Decoder"))
"""What the bar lets one choose: the slot, the label."""


def draw(session: state.Session, path: str) -> None:
    """Draw the bar while presenting, listen for the keys always, and draw the dialog that is open."""
    st.session_state[PATH] = path
    if session.selection[PRESENT] == "1":
        with st.container(key="presenter"):
            _bar(session)
    else:
        _buttons(session)
    if opened() == "code":
        _code(path)
    elif opened() == "scenes":
        _scenes(path)


@st.dialog("Open this screen on your own device", width="large", on_dismiss=close_dialog)
def _code(path: str) -> None:
    share.draw_code(path)


@st.dialog("My scenes", width="large", on_dismiss=close_dialog)
def _scenes(path: str) -> None:
    scenes.draw(path, share.root_now)


def _bar(session: state.Session) -> None:
    scenario = session.scenario
    shown = [(slot, label) for slot, label in IN_BAR if state.is_offered(slot)]
    dial = dial_of(scenario) if state.is_offered("machine") else None
    columns = st.columns([*(5 for _ in shown), *([4] if dial else []), 13], vertical_alignment="center")
    for column, (slot, label) in zip(columns, shown, strict=False):
        with column:
            slot_list(scenario, slot, label, "present.")
    if dial is not None:
        with columns[len(shown)]:
            _dial(dial, scenario.machine.values[dial.name])
    with columns[-1]:
        _buttons(session)


def dial_of(scenario: Scenario) -> FloatParam | None:
    """Return the machine's first prominent parameter over powers of ten, None if it has none."""
    choice = scenario.machine
    params = SLOTS["machine"][choice.key].params
    return next(
        (
            param
            for param in params
            if isinstance(param, FloatParam)
            and param.log
            and param.prominent
            and matters(param, choice.values)
        ),
        None,
    )


def _dial(param: FloatParam, value: ParamValue) -> None:
    """Draw a parameter as one slider, the words that it may be in front of the numbers."""
    key = f"present.dial.{param.name}"
    numbers = log_stops(param.low, param.high, None if isinstance(value, str) else float(value))
    texts: dict[Any, str] = {word: word for word, _ in param.words} | stop_texts(numbers)
    st.session_state[key] = value

    def turned() -> None:
        state.set_slot("machine", None, **{param.name: param.check(st.session_state[key])})

    st.select_slider(
        literal(param.label),
        list(texts),
        key=key,
        format_func=lambda stop: literal(f"{param.symbol or param.label} {texts[stop]}"),
        on_change=turned,
    )


def _buttons(session: state.Session) -> None:
    presenter(
        presenting=session.selection[PRESENT] == "1",
        scene=plain(scenes.told(session)),
        scenes=len(scenes.scenes_of(session)),
        undo=bool(session.undo),
        on_act=_on_act,
    )


def _on_act() -> None:
    act, path = asked_for(), str(st.session_state.get(PATH, ""))
    if act in {"present", "leave"}:
        state.select(present="1" if act == "present" else "0")
    elif act in {"next", "back"}:
        scenes.step(1 if act == "next" else -1, path)
    elif act == "undo":
        state.step_back()
    else:
        open_dialog("code")
