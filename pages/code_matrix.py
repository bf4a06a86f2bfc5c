"""Code matrix: a code as a grid that can be changed, what it promises and costs, and how it was found."""

import streamlit as st
from ecocviz.views.code_matrix import page as code_matrix
from ecocviz.views.code_matrix import page_comparison as code_comparison
from ecocviz.views.code_matrix import page_story as code_story
from ecocviz.views.shared.app.job_panel import live
from ecocviz.views.shared.app.layout import follow, frame, one_sentence
from ecocviz.views.shared.app.state import session


def show() -> bool:
    """Draw the page as far as the code is known; return whether it is still being learned."""
    held = session()
    follow(held)
    busy = False
    with one_sentence():
        view = code_matrix.look(held)
        busy = code_comparison.busy(held)
        with st.container(key="split-code"):
            left, right = st.columns([57, 51], gap="medium")
        with left:
            code_matrix.draw_grid(view)
            code_matrix.draw_classes(view)
        with right:
            code_matrix.draw_report(view)
        code_matrix.draw_distances(view)
        code_story.draw_story(view.code, held.selection.step)
        code_comparison.draw_weights(view)
        st.divider()
        code_comparison.draw_comparison(view)
    follow(held)
    return busy


started = frame("code_matrix", "Code matrix")
with one_sentence():
    live(show, busy=code_comparison.busy(started))
