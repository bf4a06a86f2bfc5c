"""Model selection: errors over one parameter, and what choosing by each of them costs."""

import streamlit as st
from ecocviz.views.model_selection import page as model_selection
from ecocviz.views.model_selection.page_settings import draw_settings
from ecocviz.views.shared.app.job_panel import live
from ecocviz.views.shared.app.layout import follow, frame, one_sentence
from ecocviz.views.shared.app.state import session


def show() -> bool:
    """Draw the figures as far as they are known; return whether more is to come."""
    held = session()
    follow(held)
    busy = False
    with one_sentence():
        view = model_selection.look(held)
        busy = not view.snapshot.state.over
        with st.container(key="split"):
            left, right = st.columns([57, 51], gap="medium")
        with left:
            model_selection.draw_curves(view)
            model_selection.draw_downloads(view)
        with right:
            model_selection.draw_minima(view)
        # The table of several decoders is long: the other column then has room for the points.
        with right if len(view.plan.decodings) == 1 else left:
            model_selection.draw_points(view)
    follow(held)
    return busy


started = frame("model_selection", "Model selection")
with one_sentence():
    draw_settings(started)
    live(show, busy=not model_selection.look(started).snapshot.state.over)
