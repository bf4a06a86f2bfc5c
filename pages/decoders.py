"""Decoders: every decoder on the same trained machines, in pictures and in numbers."""

import streamlit as st
from ecocviz.ui import decoder_details, decoder_sweep, decoders
from ecocviz.ui.job_panel import live
from ecocviz.ui.layout import follow, frame, one_sentence
from ecocviz.ui.state import session


def show() -> bool:
    """Draw the page as far as it is known; return whether more is to come."""
    held = session()
    follow(held)
    busy = False
    with one_sentence():
        view = decoders.look(held)
        busy = view.busy
        decoders.draw_words(view)
        decoders.draw_tiles(view)
        decoders.draw_picture_csv(view)
        st.divider()
        draw_numbers(view)
        if view.own >= 0:
            st.divider()
            draw_details(view)
            st.divider()
    follow(held)
    return busy


def show_sweep() -> bool:
    """Draw the errors over a parameter as far as they are known; return whether more is to come."""
    held = session()
    follow(held)
    busy = False
    with one_sentence():
        busy = decoder_sweep.draw_sweep(decoders.look(held))
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
with one_sentence():
    first = decoders.look(started)
    live(show, busy=first.busy)
    live(show_sweep, busy=decoder_sweep.running(first))
