"""A second coding beside the scenario's, and real codewords beside both, on the Code matrix page."""

from collections.abc import Mapping
from dataclasses import replace
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from ecocviz.engine.analysis.codes import describe_code
from ecocviz.engine.catalogue import CODINGS
from ecocviz.engine.params import ParamValue
from ecocviz.lab.catalogue import REDUCTIONS
from ecocviz.lab.scenario import Choice, choose
from ecocviz.views.code_matrix import figures as pictures
from ecocviz.views.code_matrix import words as says
from ecocviz.views.code_matrix.facts import Code, matrix_table, measures, read_coding, write_coding
from ecocviz.views.code_matrix.page import PLACE, View, find, look, report_of
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.charts import chart, csv_button, html_table, theme_now
from ecocviz.views.shared.app.components.code_grid import code_grid
from ecocviz.views.shared.app.job_panel import draw_panel
from ecocviz.views.shared.app.said import said, sentence, title
from ecocviz.views.shared.app.widgets import param_widgets
from ecocviz.views.shared.draw import words

# Two codings side by side --------------------------------------------------------------------------


def beside(held: state.Session) -> Choice | None:
    """Return the second coding, None for none."""
    return read_coding(held.selection.beside)


def draw_comparison(view: View) -> None:
    """Let the user choose a second coding and show both with the differences of their reports."""
    other = beside(view.held)
    title("Two codings side by side")
    key = f"{PLACE}.beside"
    st.session_state[key] = "" if other is None else other.key

    def chosen() -> None:
        state.select(beside=st.session_state[key])

    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.selectbox(
            "Compare with",
            ["", *CODINGS],
            key=key,
            format_func=lambda k: CODINGS[k].title if k else "Nothing",
            on_change=chosen,
            width=340,
        )
        if other is not None and CODINGS[other.key].params:
            with st.popover("Settings", key=f"{PLACE}.beside.settings"):
                param_widgets(f"beside.{PLACE}", CODINGS[other.key].params, other, _on_setting)
    if other is None:
        return
    try:
        code, snapshot = find(f"{PLACE}.other", replace(view.held.scenario, coding=other))
    except ValueError as error:
        st.error(str(error))
        return
    if snapshot is not None:
        draw_panel(f"{PLACE}.other", snapshot)
    if code is not None:
        _draw_other(view, code, CODINGS[other.key].title)


def _on_setting(name: str, value: ParamValue) -> None:
    other = beside(state.session())
    if other is not None:
        state.select(beside=write_coding(choose("coding", other.key, dict(other.params) | {name: value})))


def _draw_other(view: View, code: Code, title: str) -> None:
    titles = ("the code above", title if title != view.title else f"the other {title}")
    with st.container(key="split-other"):
        left, right = st.columns([57, 51], gap="medium")
    report = report_of(code)
    with left:
        code_grid(
            code.code_matrix,
            code.names,
            rows=code.classes.tolist(),
            faults=pictures.column_faults(report),
            row_faults=pictures.row_faults(report, code.names),
            key=f"{PLACE}.other.grid",
            editable=False,
            title=title,
            on_edit=_nothing,
        )
        said("", describe_code(report))
    if view.code is None:
        return
    first, second = measures(report_of(view.code)), measures(report)
    with right:
        rows: list[tuple[str, ...]] = [
            (
                escape(name),
                says.value_text(value),
                says.value_text(second[name]),
                says.difference(value, second[name]),
            )
            for name, value in first.items()
        ]
        st.html(
            '<div class="eco-wrap">'
            + html_table(("", "above", "beside", "difference"), rows, alt="Both codes and their differences")
            + "</div>"
            + sentence(says.comparison_sentence(titles, first, second))
        )
        csv_button("Differences as CSV", lambda: _difference_table(first, second), key=f"{PLACE}.other.csv")


def _difference_table(first: Mapping[str, float | None], second: Mapping[str, float | None]) -> pd.DataFrame:
    return pd.DataFrame(
        {"measure": list(first), "above": list(first.values()), "beside": list(second.values())}
    )


def _nothing() -> None:
    """Ignore events of a grid that cannot be edited."""


def busy(held: state.Session) -> bool:
    """Say whether a code is being learned for this page."""
    own = look(held)
    other = beside(held)
    if own.busy or other is None:
        return own.busy
    try:
        _, snapshot = find(f"{PLACE}.other", replace(held.scenario, coding=other))
    except ValueError:
        return False
    return snapshot is not None and not snapshot.state.over


# Real codewords ------------------------------------------------------------------------------------


def draw_weights(view: View) -> None:
    """Draw the real codewords that a reduction put in the place of the code."""
    if not REDUCTIONS[view.held.scenario.reduction.key].continuous or view.code is None or view.draft:
        return
    st.divider()
    weights = view.code.weights
    title(
        "Real codewords", "What training made of the code: each class adds up the scores with these weights."
    )
    if weights is None:
        if view.snapshot is not None and view.snapshot.state.over:
            st.caption("With these settings the classes are compared by patterns, not by one codeword each.")
        return
    shown = np.nan_to_num(weights)
    chart(
        pictures.weights_figure(shown, view.code.names, theme_now()),
        key=f"{PLACE}.weights.figure",
        alt=f"Real codewords, {len(view.code.names)} classes over {words.count(shown.shape[1], 'machine')}.",
    )
    unused_columns = int((np.abs(shown).max(axis=0) < 1e-9).sum())
    largest = np.unravel_index(int(np.abs(shown).argmax()), shown.shape)
    text = (
        f"The largest weight is {words.number(float(shown[largest]))}, of machine {largest[1] + 1} for "
        f"{view.code.names[int(largest[0])]}."
    )
    if unused_columns:
        text += f" {words.count(unused_columns, 'machine')} got no weight at all."
    said("", text)
    code = view.code
    csv_button("Codewords as CSV", lambda: matrix_table(shown, code.names), key=f"{PLACE}.weights.csv")
