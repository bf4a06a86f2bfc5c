"""Relations: how alike the machines are in their weights, scores and errors, and what two of them do."""

import streamlit as st
from ecocviz.views.relations import page as relations
from ecocviz.views.shared.app.job_panel import live
from ecocviz.views.shared.app.layout import follow, frame, one_sentence
from ecocviz.views.shared.app.stage import draw_scene
from ecocviz.views.shared.app.state import session


def show() -> bool:
    """Draw the page's figures; another pair redraws only these. Return whether more is to come."""
    held = session()
    follow(held)
    busy = False
    with one_sentence():
        scene = relations.STAGE.look(held)
        busy = scene.busy
        draw_scene(relations.PLACE, scene, draw)
    follow(held)
    return busy


def draw(view: relations.View) -> None:
    """Draw the heatmaps, and below them one pair of machines."""
    relations.draw_settings(view)
    relations.draw_heatmaps(view)
    with st.container(key="split"):
        left, right = st.columns([52, 56], gap="medium")
    with left:
        relations.draw_code(view)
    with right:
        relations.draw_scores(view)


started = frame("relations", "Relations")
live(show, busy=relations.STAGE.busy(started))
