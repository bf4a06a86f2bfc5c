"""Relations: how alike the machines are in their weights, scores and errors, and what two of them do."""

import streamlit as st
from ecocviz.ui import relations
from ecocviz.ui.layout import follow, frame, one_sentence
from ecocviz.ui.state import session


@st.fragment
def show() -> None:
    """Draw the page's figures; another pair redraws only these."""
    held = session()
    follow(held)
    with one_sentence():
        view = relations.look(held)
        relations.draw_settings(view)
        relations.draw_heatmaps(view)
        with st.container(key="split"):
            left, right = st.columns([52, 56], gap="medium")
        with left:
            relations.draw_code(view)
        with right:
            relations.draw_scores(view)
    follow(held)


frame("relations", "Relations")
show()
