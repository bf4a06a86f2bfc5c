"""Decoders: every decoder on the same trained machines, in pictures and in numbers."""

from contextlib import suppress

import streamlit as st
from ecocviz.views.decoders import page as decoders
from ecocviz.views.decoders import page_details as decoder_details
from ecocviz.views.decoders import page_sweep as decoder_sweep
from ecocviz.views.shared.app.job_panel import live
from ecocviz.views.shared.app.layout import follow, frame, one_sentence
from ecocviz.views.shared.app.stage import draw_scene
from ecocviz.views.shared.app.state import session


def show() -> bool:
    """Draw the page as far as it is known; return whether more is to come."""
    held = session()
    follow(held)
    with one_sentence():
        draw_scene(decoders.PLACE, decoders.look(held), draw)
    follow(held)
    return decoders.busy(held)


def draw(view: decoders.View) -> None:
    """Draw the pictures, and below them the numbers."""
    decoders.draw_words(view)
    decoders.draw_tiles(view)
    decoders.draw_picture_csv(view)
    st.divider()
    draw_numbers(view)
    if view.own >= 0:
        st.divider()
        draw_details(view)
        st.divider()


def show_sweep() -> bool:
    """Draw the errors over a parameter as far as they are known; return whether more is to come."""
    held = session()
    follow(held)
    busy, scene = False, None
    with suppress(ValueError):  # `show` has said why
        scene = decoders.look(held)
    if scene is not None and scene.view is not None and scene.awaited is None:
        with one_sentence():
            busy = decoder_sweep.draw_sweep(scene.view)
    follow(held)
    return busy


def draw_numbers(view: decoders.View) -> None:
    """Draw the errors beside the table."""
    with st.container(key="split"):
        left, right = st.columns([42, 66], gap="medium")
    with left:
        decoders.draw_errors(view)
    with right:
        decoders.draw_table(view)


def draw_details(view: decoders.View) -> None:
    """Draw whose classes are confused, and whether probabilities come true."""
    decoder_details.draw_confusion_choice(view)
    keys = decoder_details.confused_keys(view)
    with st.container(key="split-details"):
        places = st.columns(len(keys) + 1, gap="medium")
    for place, key in enumerate(keys):
        with places[place]:
            decoder_details.draw_confusion(view, key, place)
    with places[-1]:
        decoder_details.draw_reliability(view)


started = frame("decoders", "Decoders")
decoders.draw_choice(started)
live(show, busy=decoders.busy(started))
live(show_sweep, busy=decoder_sweep.running(started))
