"""Widgets that show what the session holds, so that an old value is never taken for a choice.

With every event the browser sends the values of all its widgets. One that is on its way while the
server changes a widget's value (undo, a picked bar) still holds the old one, and Streamlit would
report it as the user's choice, which takes the change back. So a widget whose value has been
changed by anything but itself becomes another one, and nobody listens to the one that is gone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

TURNS = "ecocviz.turns"


@dataclass(frozen=True, slots=True)
class Bound:
    """A widget that shows a value of the session and is about to be drawn."""

    name: str
    turn: int

    @property
    def key(self) -> str:
        """The widget's key: its name until something else has changed its value."""
        return f"{self.name}.{self.turn}" if self.turn else self.name

    def on_change(self, act: Callable[[Any], None]) -> Callable[[], None]:
        """Return the widget's callback: hands the chosen value over unless the widget is gone."""

        def changed() -> None:
            if st.session_state[TURNS].get(self.name, 0) == self.turn:
                act(st.session_state[self.key])

        return changed


def bind(name: str, value: object) -> Bound:
    """Set the widget of that name to a value before it is drawn.

    Parameters
    ----------
    name
        Of the widget.
    value
        What it shows, of the type that the widget itself would hold.
    """
    turns = st.session_state.setdefault(TURNS, {})
    bound = Bound(name, turns.get(name, 0))
    if bound.key in st.session_state and st.session_state[bound.key] != value:
        turns[name] = bound.turn + 1
        bound = Bound(name, bound.turn + 1)
    st.session_state[bound.key] = value
    return bound
