"""The dialogs over a page: one is open until it is closed, whatever runs meanwhile."""

import streamlit as st

OPEN, SHARE = "ecocviz.dialog", "share"


def open_dialog(name: str) -> None:
    """Have a dialog drawn with the page, and what it was opened from closed."""
    st.session_state[OPEN] = name
    st.session_state[SHARE] = False


def close_dialog() -> None:
    """Have no dialog drawn any more."""
    st.session_state.pop(OPEN, None)


def opened() -> str | None:
    """Return the name of the dialog that is open."""
    name: str | None = st.session_state.get(OPEN)
    return name
