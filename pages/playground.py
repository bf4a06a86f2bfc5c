"""Playground: the decision regions of a problem, the code behind them, and one point decoded."""

import streamlit as st
from ecocviz.views.playground import page as playground
from ecocviz.views.shared.app.job_panel import live
from ecocviz.views.shared.app.layout import follow, frame, one_sentence
from ecocviz.views.shared.app.stage import draw_scene
from ecocviz.views.shared.app.state import session


def show() -> bool:
    """Draw the page's figures; a pick or a flipped bit redraws only these. Return whether more is to come."""
    held = session()
    follow(held)
    with one_sentence():
        draw_scene(playground.PLACE, playground.STAGE.look(held), draw)
    follow(held)
    return playground.busy(held)


def draw(view: playground.View) -> None:
    """Draw the regions beside the code and the picked point."""
    with st.container(key="split"):
        left, right = st.columns([57, 51], gap="medium")
    with left:
        playground.draw_regions(view)
    with right:
        playground.draw_matrix(view)
        st.divider()
        playground.draw_inspector(view)
    with left:
        error, more = playground.region_words(view)
        st.html(f'<div class="eco-words"><b>{error}</b> <span>{more}</span></div>')
        playground.draw_plane_choice(view)
        for note in view.trained.notes:
            st.caption(note)


started = frame("playground", "Playground")
live(show, busy=playground.busy(started))
