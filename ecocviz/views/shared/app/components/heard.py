"""What a browser says, checked before anything believes it: a message can be written by anybody.

`attend` has Streamlit pass over what it could not read, and what is larger or deeper than anything that the
app ever sends. What arrives at a page is read by the functions below and, where it goes into a link, by the
fields of the link. All of them raise a ValueError with one sentence; a callback that ends in one has changed
nothing, and the sentence is shown.
"""

import json
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from itertools import islice
from typing import Any

import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.common import RegisterWidgetResult, WidgetMetadata, unpack_widget_state_value
from streamlit.runtime.state.session_state import Serialized, SessionState

from ecocviz.engine.params import FloatParam, IntParam
from ecocviz.views.shared.app.said import toast

LARGEST_STATE, LARGEST_MESSAGE = 1_000_000, 4_000_000
"""Bytes of what one widget says, and all of them together; a matrix of the largest size takes 200,000."""
MOST_PARTS, DEEPEST = 20_000, 8
"""Of what a component says: a drawing of 2,000 points has 8,000 parts, nested five deep."""
REFUSED = "ecocviz.refused"
MOST = 10_000_000
FARTHEST = 1e9
"""A place of a plane is nearer than this."""

NUMBERS = {"int_value": "double_value", "int_array_value": "double_array_value"}
"""Streamlit awaits a number of either kind as the second; of a whole one the browser sends the first."""
WIDGET = "$$ID-"
EVENTS = re.compile(r"\$\$STREAMLIT_INTERNAL_KEY_\$\$ID-.*__events", re.DOTALL)
"""What the ids of widgets begin with, and those under which components say what happened. Others are not the
browser's: under them Streamlit and this app keep what is their own."""

# Reading ---------------------------------------------------------------------------------------------


def told(key: str, name: str) -> object:
    """Return what the component of a key says under a name, None where it says nothing."""
    state = st.session_state.get(key)
    return state.get(name) if isinstance(state, Mapping) else None


def record(value: object) -> Mapping[str, Any]:
    """Return fields with names."""
    if not isinstance(value, Mapping):
        raise ValueError("The browser's message has no fields.")  # noqa: TRY004 - one kind of error for all
    return value


def items(value: object, most: int, n: int | None = None) -> list[Any]:
    """Return a list of at most so many, or of exactly `n`, parts."""
    if not isinstance(value, list | tuple) or len(value) > most or n not in (None, len(value)):
        raise ValueError(f"The browser's message has no list of {most:,} parts at most.")
    return list(value)


def whole(value: Any, low: int = 0, high: int = MOST) -> int:  # noqa: ANN401 - anything a browser can send
    """Return a whole number, which plotly may write as 3.0.

    >>> whole(3.0), whole(7, high=9)
    (3, 7)
    """
    number = int(value) if isinstance(value, float) and value.is_integer() else value
    return IntParam(name="n", label="The browser's message", default=low, low=low, high=high).check(number)


def decimal(value: Any, low: float = -FARTHEST, high: float = FARTHEST) -> float:  # noqa: ANN401 - as above
    """Return a finite number."""
    found = FloatParam(name="n", label="The browser's message", default=low, low=low, high=high).check(value)
    return float(found)


def among(value: object, known: Collection[Any]) -> Any:  # noqa: ANN401 - one of the known
    """Return a value that is one of those on offer; the browser may still show a list of before."""
    if not isinstance(value, str | int) or isinstance(value, bool) or value not in known:
        raise ValueError("This choice is no longer available.")
    return value


def chosen_row(key: str, n: int) -> int | None:
    """Return the row that is chosen in a table of `n` rows, None for none and for one that is not there."""
    rows = chosen_rows(key, n, most=1)
    return rows[0] if rows else None


def chosen_rows(key: str, n: int, most: int) -> list[int] | None:
    """Return the rows that are chosen in a table of `n` rows; None where what is told cannot be so."""
    try:
        rows = items(record(record(st.session_state.get(key)).get("selection")).get("rows"), most=most)
        return [whole(row, high=n - 1) for row in rows]
    except ValueError:
        return None


def chosen_cell(key: str, n: int, columns: Sequence[str]) -> tuple[int, int] | None:
    """Return the row and the column of the cell that is chosen in a table of `n` rows, None for none."""
    try:
        cells = items(record(record(st.session_state.get(key)).get("selection")).get("cells"), most=1)
        if not cells:
            return None
        row, column = items(cells[0], most=2, n=2)
        return whole(row, high=n - 1), columns.index(among(column, columns))
    except ValueError:
        return None


def clicked_point(key: str) -> Mapping[str, Any] | None:
    """Return the point of a chart that was clicked as the browser tells it, None for none."""
    state = st.session_state.get(key)
    if state is None:
        return None
    points = record(record(state).get("selection")).get("points")
    return record(points[0]) if isinstance(points, list) and points else None


def clicked_beside(mine: str) -> bool:
    """Say, in a callback, whether something was clicked beside what has these letters in its id."""
    run = get_script_run_ctx()
    said = None if run is None else run.session_state._state._current_interaction_widget_states  # noqa: SLF001 - nothing public says so
    each = () if said is None else said.widgets
    return any("trigger" in str(one.WhichOneof("value")) and mine not in one.id for one in each)


# Listening -------------------------------------------------------------------------------------------


def attend() -> None:
    """Have Streamlit take from browsers only what it and this app can read; for all sessions, once.

    Streamlit reads what a widget says where it is needed, and what cannot be read ends the run of the page
    there: with a list in the place of a number, a number of 5,000 digits, brackets a thousand deep.
    """
    if SessionState.set_widgets_from_proto is not _take:
        setattr(SessionState, "set_widgets_from_proto", _take)  # noqa: B010 - mypy lets nobody assign a method
        setattr(SessionState, "register_widget", _register)  # noqa: B010 - as above
        setattr(SessionState, "_widget_changed", _changed)  # noqa: B010 - as above


_streamlit_takes = SessionState.set_widgets_from_proto
_streamlit_registers = SessionState.register_widget
_streamlit_finds_changed = SessionState._widget_changed  # noqa: SLF001 - Streamlit has no public way to ask


def _take(session: SessionState, states: WidgetStates) -> None:
    """Take what widgets say, as far as it can be read; that of the others stays as it was."""
    if states.ByteSize() > LARGEST_MESSAGE:
        return
    known = session._new_widget_state.widget_metadata  # noqa: SLF001 - Streamlit has no public way to ask
    readable = [state for state in states.widgets if _readable(state, known.get(state.id))]
    _streamlit_takes(session, WidgetStates(widgets=readable))


def _register(
    session: SessionState, metadata: WidgetMetadata[Any], user_key: str | None
) -> RegisterWidgetResult[Any]:
    """Make a widget known; what its browser has said before can only be read now."""
    said = session._new_widget_state.states.get(metadata.id)  # noqa: SLF001 - as above
    if isinstance(said, Serialized) and not _readable(said.value, metadata):
        del session._new_widget_state.states[metadata.id]  # noqa: SLF001 - as above
    one, several = metadata.callback, metadata.callbacks
    heard = replace(
        metadata,
        callback=None if one is None else _in_a_sentence(one),
        callbacks=None if several is None else {name: _in_a_sentence(each) for name, each in several.items()},
    )
    return _streamlit_registers(session, heard, user_key)


def _changed(session: SessionState, widget: str) -> bool:
    """Say whether a widget was changed: one that is drawn no more only says what it was drawn with.

    The browser does so until it has heard that it is gone. A click, though, is one.
    """
    known = session._new_widget_state.widget_metadata.get(widget)  # noqa: SLF001 - as above
    holds = known is not None and known.value_type and not known.value_type.endswith("trigger_value")
    gone = holds and widget not in session._old_state  # noqa: SLF001 - as above
    return not gone and _streamlit_finds_changed(session, widget)


def _in_a_sentence(callback: Callable[..., Any]) -> Callable[..., None]:
    @wraps(callback)
    def call(*arguments: Any, **named: Any) -> None:  # noqa: ANN401 - whatever the callback takes
        try:
            callback(*arguments, **named)
        except ValueError as refusal:
            st.session_state[REFUSED] = str(refusal)

    return call


def say_refusal() -> None:
    """Say why what the browser sent last has changed nothing, if so; for pages and what is drawn by itself.

    A callback has no place on a page where it could be said.
    """
    refusal = st.session_state.pop(REFUSED, None)
    if refusal is not None:
        toast(refusal)


def _readable(state: WidgetState, metadata: WidgetMetadata[Any] | None) -> bool:
    """Say whether Streamlit can read what a widget says, and whether it is of a size that the app sends."""
    known = metadata is not None or state.id.startswith(WIDGET) or EVENTS.fullmatch(state.id)
    if not known or state.ByteSize() > LARGEST_STATE:
        return False
    try:
        kind = state.WhichOneof("value")
        value = unpack_widget_state_value(state)
        if kind == "json_trigger_value":
            value = json.loads(value)
        if metadata is not None:
            if kind is not None and NUMBERS.get(kind, kind) != NUMBERS.get(
                metadata.value_type, metadata.value_type
            ):
                return False
            value = metadata.deserializer(unpack_widget_state_value(state))
    except Exception:  # noqa: BLE001 - Streamlit's readers raise whatever it is that they stumble over
        return False
    return modest(value)


def modest(value: object) -> bool:
    """Say whether a value is made of few parts, nested little, its numbers finite and of a usual size.

    >>> modest({"points": [[0.5, 1, 2]]}), modest([float("nan")]), modest(2**63), modest([[[[[[[[[[]]]]]]]]]])
    (True, False, False, False)
    """
    layer, n_parts = [value], 0
    for _ in range(DEEPEST):
        n_parts += len(layer)
        if n_parts > MOST_PARTS or not all(map(_usual, layer)):
            return False
        layer = list(islice((part for one in layer for part in _parts(one)), MOST_PARTS + 1))
    return not layer


def _parts(value: object) -> Collection[Any]:
    if isinstance(value, Mapping):
        return list(value.values())
    return value if isinstance(value, list | tuple) else ()


def _usual(value: object) -> bool:
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    return not isinstance(value, float) or math.isfinite(value)
