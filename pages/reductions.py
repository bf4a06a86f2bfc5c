"""Reductions: every way to make one multiclass learner of binary ones, on the same data."""

import streamlit as st
from ecocviz.views.reductions import page as reductions
from ecocviz.views.reductions.page_details import draw_details
from ecocviz.views.shared.app.job_panel import live
from ecocviz.views.shared.app.layout import follow, frame, one_sentence
from ecocviz.views.shared.app.state import session


def show() -> bool:
    """Draw the comparison as far as it is known; return whether more is to come."""
    held = session()
    follow(held)
    busy = False
    with one_sentence():
        view = reductions.look(held)
        busy = view.busy
        reductions.draw_tiles(view)
        reductions.draw_words(view)
        reductions.draw_table(view)
        if view.done:
            st.divider()
            draw_picked(view)
    follow(held)
    return busy


def draw_picked(view: reductions.View) -> None:
    """Draw the errors beside what is special to the picked reduction."""
    with st.container(key="split"):
        left, right = st.columns([46, 62], gap="medium")
    with left:
        reductions.draw_errors(view)
    with right:
        draw_details(view)


started = frame("reductions", "Reductions")
with one_sentence():
    reductions.draw_choice(started)
    live(show, busy=reductions.look(started).busy)
