"""Bits: which machines err, how many at once, which together, and on which points."""

import streamlit as st
from ecocviz.views.bits import page as bits
from ecocviz.views.bits import page_points as bit_points
from ecocviz.views.shared.app.job_panel import live
from ecocviz.views.shared.app.layout import follow, frame, one_sentence
from ecocviz.views.shared.app.stage import draw_scene
from ecocviz.views.shared.app.state import session


def show() -> bool:
    """Draw the figures; return whether more is to come."""
    held = session()
    follow(held)
    with one_sentence():
        draw_scene(bits.PLACE, bits.STAGE.look(held), draw)
    follow(held)
    return bits.busy(held)


def draw(view: bits.View) -> None:
    """Draw one reduction's figures, or those of two."""
    bits.draw_heading(view)
    if view.other is None:
        draw_one(view)
    else:
        draw_two(view)


def draw_one(view: bits.View) -> None:
    """Draw one reduction's figures, two by two."""
    with st.container(key="split"):
        left, right = st.columns(2, gap="medium")
        below_left, below_right = st.columns(2, gap="medium")
    with left:
        bits.draw_histogram(view.own, view.held, "only")
    with right:
        bits.draw_accuracies(view.own, view.held, "only")
    with below_left:
        bits.draw_together(view.own, view.held, "only")
    with below_right:
        bit_points.draw_points(view)


def draw_two(view: bits.View) -> None:
    """Draw two reductions' figures side by side, the points of the first below."""
    draws = (bits.draw_histogram, bits.draw_accuracies, bits.draw_together)
    with st.container(key="split"):
        rows = [st.columns(2, gap="medium") for _ in draws]
    for draw, columns in zip(draws, rows, strict=True):
        for column, side, place in zip(columns, view.sides, ("own", "other"), strict=True):
            with column:
                draw(side, view.held, place)
    st.divider()
    bit_points.draw_points(view)


started = frame("bits", "Bits")
bits.draw_settings(started)
live(show, busy=bits.busy(started))
