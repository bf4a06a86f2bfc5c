"""Keys of widgets that show what the session holds, so that an old value is never taken for a choice.

With every event the browser sends the values of all its widgets. One that is on its way while the
server changes a widget's value (undo, a picked bar) still holds the old one, and Streamlit would
report it as the user's choice, which takes the change back. So a widget whose value has been
changed by anything but itself gets a new key: the old value then belongs to a widget that is gone.
"""

import streamlit as st

TURNS = "fresh.turns"


def fresh_key(name: str, value: object) -> str:
    """Set the widget of that name to a value before it is drawn, and return its key.

    Parameters
    ----------
    name
        The widget's key until something else changes its value.
    value
        What it shows, of the type that the widget itself would hold.
    """
    turns = st.session_state.setdefault(TURNS, {})
    key = _key(name, turns.get(name, 0))
    if key in st.session_state and st.session_state[key] != value:
        turns[name] = turns.get(name, 0) + 1
        key = _key(name, turns[name])
    st.session_state[key] = value
    return key


def _key(name: str, turn: int) -> str:
    return f"{name}.{turn}" if turn else name
