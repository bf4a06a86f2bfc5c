"""Plotly charts and the table behind each of them, on any page."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from ecocviz.data.writers import write_csv
from ecocviz.lab.selection import PRESENT
from ecocviz.views.shared.app.components.heard import clicked_point
from ecocviz.views.shared.app.room import keep
from ecocviz.views.shared.app.saving import offer_saving
from ecocviz.views.shared.app.state import KEY
from ecocviz.views.shared.draw.build import Figure
from ecocviz.views.shared.draw.large import LARGER, enlarged
from ecocviz.views.shared.draw.outside import Shown, literal, plain
from ecocviz.views.shared.draw.theme import LIGHT, THEMES, Theme

UNUSED = ["zoom", "pan", "select", "lasso", "zoomin", "zoomout", "autoscale", "resetscale", "toimage"]
CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": UNUSED, "scrollZoom": False}
"""Buttons are removed, not listed: a list would leave out the one with which Streamlit fills the screen."""


def theme_now() -> Theme:
    """Return the colours of the page as the browser shows it."""
    return THEMES.get(st.context.theme.type or "", LIGHT)


def presenting() -> bool:
    """Say whether this is presenter mode."""
    session = st.session_state.get(KEY)
    return session is not None and session.selection[PRESENT] == "1"


def chart(
    drawn: Callable[[Theme], Figure] | Figure,
    *,
    key: str,
    alt: str,
    on_pick: Callable[[Mapping[str, Any]], None] | None = None,
) -> None:
    """Draw a figure and offer to save it; `on_pick` is handed the clicked point as the browser tells it.

    Parameters
    ----------
    drawn
        Draws the figure in a theme, with a template of ours; or the figure, then saved as it is shown.
    key
        Of the chart: it keeps its place when the figure changes.
    alt
        What is to be seen, in words.
    on_pick
        Called before the page runs again.
    """
    figure = drawn(theme_now()) if callable(drawn) else drawn
    if presenting():
        figure = enlarged(figure)
    keep(key, int(figure.layout["height"]))
    if on_pick is None:
        st.plotly_chart(figure, theme=None, key=key, config=CONFIG, alt=plain(alt))
    else:
        _pickable(figure, key, alt, on_pick)
    if not presenting():

        def again(theme: Theme, _width: float) -> Figure:
            return drawn(theme) if callable(drawn) else drawn

        offer_saving(again, key, file_name(key), texts=figure.to_dict)


def _pickable(figure: Figure, key: str, alt: str, on_pick: Callable[[Mapping[str, Any]], None]) -> None:
    """Draw a figure whose points can be clicked."""

    def picked() -> None:
        point = clicked_point(key)
        if point is not None:
            on_pick(point)

    # Else Streamlit adds them by a second drawing, 0.1 s later: a click before that one chooses nothing.
    figure.update_layout(clickmode="event+select", dragmode="pan")
    st.plotly_chart(
        figure, theme=None, key=key, config=CONFIG, alt=plain(alt), on_select=picked, selection_mode="points"
    )


def column_widths(usual: Mapping[str, int]) -> dict[str, int]:
    """Return the widths of a table's columns, for type as large as it is while presenting."""
    scale = LARGER if presenting() else 1
    return {name: round(scale * width) for name, width in usual.items()}


def csv_button(label: str, table: Callable[[], pd.DataFrame], *, key: str) -> None:
    """Offer a figure's data; the table is made when it is asked for."""
    st.download_button(
        literal(label),
        lambda: write_csv(table()).encode("utf-8-sig"),
        f"{file_name(key)}.csv",
        "text/csv",
        key=key,
        type="tertiary",
        icon=":material/download:",
        on_click="ignore",
    )


def file_name(key: str) -> str:
    """Make a file name of a widget's key.

    >>> file_name("model-selection.curves")
    'ecocviz-model-selection-curves'
    """
    return "ecocviz-" + re.sub(r"[^a-z0-9]+", "-", key.lower())


def html_table(head: tuple[str, ...], rows: list[tuple[str, ...]], *, alt: str, texts: int = 1) -> Shown:
    """Write a small table as HTML; a cell may be markup, the first `texts` columns are not numbers.

    >>> html_table(("a", "b"), [("x", "1")], alt="Letters")[:60]
    '<table class="eco-table" aria-label="Letters"><thead><tr><th'
    """

    def cell(tag: str, k: int, text: str) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        return f'<{tag}{scope} class="{"t" if k < texts else "n"}">{literal(text)}</{tag}>'

    top = "".join(cell("th", k, text) for k, text in enumerate(head))
    body = "".join(f"<tr>{''.join(cell('td', k, text) for k, text in enumerate(row))}</tr>" for row in rows)
    rows_text = f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody>"
    return Shown(f'<table class="eco-table" aria-label="{literal(alt)}">{rows_text}</table>')
