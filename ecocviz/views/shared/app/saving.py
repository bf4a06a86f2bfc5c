"""Saves what is on the screen: for print as SVG, PDF or PNG, and its numbers as CSV."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import pandas as pd
import streamlit as st

from ecocviz.data.writers import write_csv
from ecocviz.views.shared.app.printed import printed
from ecocviz.views.shared.app.said import caption
from ecocviz.views.shared.draw.build import Figure
from ecocviz.views.shared.draw.outside import literal, plain
from ecocviz.views.shared.draw.print import KINDS, WIDTHS
from ecocviz.views.shared.draw.print_fonts import font_sentence, letters_in
from ecocviz.views.shared.draw.print_table import figure_table
from ecocviz.views.shared.draw.theme import LIGHT, Theme

NAMES = {"svg": "SVG, for drawing programs", "pdf": "PDF, for papers", "png": "PNG, 300 dots an inch"}
DRAWN = "the numbers drawn"

Draw: TypeAlias = Callable[[Theme, float], Figure]
"""Draws a figure in a theme, for a width in centimetres."""
Table: TypeAlias = Callable[[], pd.DataFrame]


def offer_saving(
    drawn: Draw | Mapping[str, Draw],
    key: str,
    name: str,
    *,
    tables: Mapping[str, Table] | None = None,
    texts: Callable[[], Any] = tuple,
) -> None:
    """Offer to save a figure; the offer is one button until it is opened, and nothing is drawn until then.

    Parameters
    ----------
    drawn
        Draws it; or, by title, what of it can be shown, of which one is chosen. It is saved in the light
        theme.
    key
        Of the chart.
    name
        Of the files, without its ending.
    tables
        The data by what they are; by default the numbers that are drawn.
    texts
        Returns what is written in it, at any depth: letters that cannot be printed are named.
    """
    with st.popover(
        "Save", key=f"{key}.save", type="tertiary", icon=":material/download:", on_change="rerun"
    ) as opened:
        if not opened.open:
            return
        draw = _chosen(drawn, key)
        width = (
            st.segmented_control(
                "Width in print",
                list(WIDTHS),
                default="column",
                required=True,
                key=f"{key}.save.width",
                format_func=lambda width: literal(f"{width.capitalize()}, {WIDTHS[width]:g} cm"),
            )
            or "column"
        )
        for kind, media in KINDS.items():
            st.download_button(
                literal(f"{NAMES[kind]}, {WIDTHS[width]:g} cm"),
                partial(_picture, draw, kind, width), f"{name}-{width}.{kind}", media,
                key=f"{key}.save.{kind}", type="tertiary", on_click="ignore",
            )  # fmt: skip
        for k, (what, table) in enumerate((tables or {DRAWN: partial(_drawn_table, draw, width)}).items()):
            ending = "drawn" if tables is None else what.removeprefix("the ").replace(" ", "-")
            st.download_button(
                literal(f"CSV, {what}"), partial(_csv, table), f"{name}-{ending}.csv", "text/csv",
                key=f"{key}.save.csv{k or ''}", type="tertiary", on_click="ignore",
            )  # fmt: skip
        lost = font_sentence(letters_in(texts()))
        if lost:
            caption(lost)


def _chosen(drawn: Draw | Mapping[str, Draw], key: str) -> Draw:
    """Return what draws the figure, of several the one that is chosen."""
    if not isinstance(drawn, Mapping):
        return drawn
    titles = list(drawn)
    first = titles[0]
    if len(titles) > 1:
        first = st.selectbox("What is shown", titles, key=f"{key}.save.shown", format_func=plain)
    return drawn[first]


def _picture(draw: Draw, kind: str, width: str) -> bytes:
    return printed(draw(LIGHT, WIDTHS[width]), kind, WIDTHS[width])


def _drawn_table(draw: Draw, width: str) -> pd.DataFrame:
    return figure_table(draw(LIGHT, WIDTHS[width]))


def _csv(table: Table) -> bytes:
    return write_csv(table()).encode("utf-8-sig")
