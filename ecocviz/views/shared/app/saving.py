"""Saves the figure of a chart: for print as SVG, PDF or PNG, and its numbers as CSV."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from ecocviz.data.writers import write_csv
from ecocviz.views.shared.app.printed import printed
from ecocviz.views.shared.draw.build import Figure
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.print import KINDS, WIDTHS
from ecocviz.views.shared.draw.print_table import figure_table
from ecocviz.views.shared.draw.theme import LIGHT, Theme

NAMES = {"svg": "SVG, for drawing programs", "pdf": "PDF, for papers", "png": "PNG, 300 dots an inch"}


def offer_saving(drawn: Callable[[Theme], Figure], key: str, name: str) -> None:
    """Offer to save a figure; the offer is one button until it is opened, and nothing is drawn until then.

    Parameters
    ----------
    drawn
        Draws it in a theme; it is saved in the light one.
    key
        Of the chart.
    name
        Of the files, without its ending.
    """
    with st.popover(
        "Save", key=f"{key}.save", type="tertiary", icon=":material/download:", on_change="rerun"
    ) as opened:
        if not opened.open:
            return
        chosen = st.segmented_control(
            "Width in print",
            list(WIDTHS),
            default="column",
            required=True,
            key=f"{key}.save.width",
            format_func=lambda width: literal(f"{width.capitalize()}, {WIDTHS[width]:g} cm"),
        )
        width = chosen or "column"
        for kind, media in KINDS.items():
            st.download_button(
                literal(NAMES[kind]), partial(_picture, drawn, kind, width), f"{name}-{width}.{kind}", media,
                key=f"{key}.save.{kind}", type="tertiary", on_click="ignore",
            )  # fmt: skip
        st.download_button(
            "CSV, the numbers drawn", partial(_numbers, drawn), f"{name}-drawn.csv", "text/csv",
            key=f"{key}.save.csv", type="tertiary", on_click="ignore",
        )  # fmt: skip


def _picture(drawn: Callable[[Theme], Figure], kind: str, width: str) -> bytes:
    return printed(drawn(LIGHT), kind, WIDTHS[width])


def _numbers(drawn: Callable[[Theme], Figure]) -> bytes:
    return write_csv(figure_table(drawn(LIGHT))).encode("utf-8-sig")
