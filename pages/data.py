"""Data: any data set, its classes and columns, and what its preparation and split make of it."""

import streamlit as st
from ecocviz.views.data import page as data
from ecocviz.views.data.page_upload import awaited, draw_upload
from ecocviz.views.shared.app.layout import follow, frame, one_sentence
from ecocviz.views.shared.app.state import session

WIDTHS = [60, 48]


@st.fragment
def show() -> None:
    """Draw the page; other axes of the picture redraw only this."""
    held = session()
    follow(held)
    with st.container(key="split"):
        left, right = st.columns(WIDTHS, gap="large")
        with left:
            data.draw_choice(held)
        with right:
            data.draw_origin(held)
        data.draw_params(held)
        draw_upload(held)
        if not awaited(held.scenario):
            with one_sentence():
                draw_data(data.look(held))
    follow(held)


def draw_data(view: data.View) -> None:
    """Draw the rows in pictures, then as a table."""
    found = None
    left, right = st.columns(WIDTHS, gap="large")
    with right:
        data.draw_preparation(view)
        with one_sentence():
            found = data.look_further(view)
            data.draw_consequences(found)
            data.draw_balance(view, found)
    with left:
        data.draw_words(view, found)
        if found is not None:
            data.draw_axes(view)
            data.draw_scatter(view)
        data.draw_notes(view)
    data.draw_table(view)


frame("data", "Data")
show()
