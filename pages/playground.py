"""Playground: the decision regions of a problem, the code behind them, and one point decoded."""

import streamlit as st
from ecocviz.ui import playground
from ecocviz.ui.layout import follow, frame, one_sentence
from ecocviz.ui.state import session


@st.fragment
def show() -> None:
    """Draw the page's figures; a pick or a flipped bit redraws only these."""
    held = session()
    follow(held)
    with one_sentence():
        view = playground.look(held)
        with st.container(key="split"):
            left, right = st.columns([57, 51], gap="medium")
        with left:
            playground.draw_regions(view)
        with right:
            playground.draw_matrix(view)
            st.divider()
            playground.draw_inspector(view)
        with left:  # last: judging a large test set takes longest
            error, more = playground.region_words(view)
            st.html(f'<div class="eco-words"><b>{error}</b> <span>{more}</span></div>')
            playground.draw_plane_choice(view)
            for note in view.trained.notes:
                st.caption(note)
    follow(held)


frame("playground", "Playground")
show()
