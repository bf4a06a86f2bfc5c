"""The points of a picked bar, and the way to one of them on the Playground."""

from html import escape
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ecocviz.lab.jobs import Report, Snapshot
from ecocviz.lab.run import Outcome, Trained, decide
from ecocviz.views.bits import words as says
from ecocviz.views.bits.facts import Bar, BitView, points_of, shown_points
from ecocviz.views.bits.page import POINTS, View, picked_bar
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.charts import csv_button
from ecocviz.views.shared.app.choices import deciders
from ecocviz.views.shared.app.fresh import offer
from ecocviz.views.shared.app.job_panel import draw_panel, watch

MAX_LISTED = 300


def judge(held: state.Session, trained: Trained, part: str) -> Snapshot:
    """Let the scenario's decoder decide the points whose bits are shown, in a job."""
    decoding = held.scenario.decoding

    def work(report: Report) -> Outcome:
        def check() -> None:
            report.progress(0.0, "deciding the points")

        models = (trained.shown,) if part == "train" else trained.models
        return decide(models, decoding, len(trained.classes), part=part, check=check)

    key = (POINTS, cache.text_key(held.scenario), part, cache.choices_key((decoding,)))
    return watch(POINTS, key, work, cache.views())


def bar_options(view: BitView, now: Bar) -> list[Bar]:
    """List the bars that hold points: numbers of wrong bits, most first, the closest pair, machines."""
    counts = np.flatnonzero(view.report.histogram)[::-1]
    options = [Bar("count", (k,)) for k in counts.tolist()]
    pair = view.closest
    if pair is not None:
        options.append(Bar("pair", pair))
    errors = np.diag(view.report.together)
    options += [Bar("bit", (b,)) for b in np.argsort(-errors, kind="stable").tolist() if errors[b]]
    return options if now in options else [*options, now]


def draw_points(view: View) -> None:
    """List the points of the picked bar; a chosen one opens on the Playground."""
    bits = view.own.view
    if bits is None:
        return
    bar = picked_bar(bits, view.held)
    titles = {
        b.text: says.bar_title(b.kind, b.numbers, points_of(bits, b).size) for b in bar_options(bits, bar)
    }
    offered = offer("bits.bar", bar.text)
    st.selectbox(
        "Listed points",
        list(titles),
        key=offered.key,
        format_func=lambda text: titles.get(text, text),
        help="A click on a bar or a cell of the figures picks it too.",
        on_change=offered.chosen(lambda text: state.select(bar=text)),
    )
    listed = points_of(bits, bar)
    if not listed.size:
        st.caption("No point is in this bar; pick another.")
        return
    judging = judge(view.held, view.own.trained, bits.part)
    draw_panel(POINTS, judging, stopped="their decisions are not known")
    outcome: Outcome | None = judging.result
    if outcome is None:
        return
    decider = deciders(view.scenario, (view.held.scenario.decoding,))[0][0]
    right = int((~outcome.wrong[listed]).sum())
    st.html(
        f'<div class="eco-words"><span>{escape(says.fate_sentence(decider, right, listed.size))} '
        "Choose a point to open it in the inspector of the Playground.</span></div>"
    )
    table = points_table(bits, listed, outcome.labels, view.own.trained)
    shown = table.head(MAX_LISTED)
    rows = f"bits.points.{bar.text}.{bits.part}"
    st.dataframe(
        shown,
        key=rows,
        hide_index=True,
        on_select=lambda: _choose_point(rows, shown),
        selection_mode="single-row",
        row_height=28,
        height=min(28 * len(shown) + 38, 300),
        alt=f"{titles[bar.text]}: true class, decided class and wrong bits.",
    )
    if len(shown) < len(table):
        st.caption(f"The first {len(shown):,} of {len(table):,} points; the CSV has all of them.")
    _open_button(rows, shown)
    csv_button("Points as CSV", lambda: table, key="bits.points.csv")


def points_table(bits: BitView, listed: Any, labels: Any, trained: Trained) -> pd.DataFrame:  # noqa: ANN401 - integer arrays
    """Return the listed points: number on the Playground, row, classes, wrong bits counted from 1."""
    names = np.array(trained.classes, dtype=object)
    return pd.DataFrame(
        {
            "Point": shown_points(trained, bits.rows[listed]),
            "Row": bits.rows[listed],
            "True": names[bits.truth[listed]],
            "Decided": names[labels[listed]],
            "Wrong": bits.report.wrong_bits[listed],
            "Which bits": [
                " ".join(str(b + 1) for b in np.flatnonzero(bits.report.wrong[i])) for i in listed
            ],
        }
    )


def _choose_point(key: str, shown: pd.DataFrame) -> None:
    rows = st.session_state[key].selection.rows
    if rows and int(shown["Point"].iloc[rows[0]]) >= 0:
        state.select(pick=int(shown["Point"].iloc[rows[0]]), place="", flips="")


def _open_button(key: str, shown: pd.DataFrame) -> None:
    """Offer the chosen point, or the first of the list."""
    known = st.session_state.get(key)
    rows = known.selection.rows if known is not None else []
    position = rows[0] if rows and rows[0] < len(shown) else 0
    point = int(shown["Point"].iloc[position])
    if point < 0:
        return
    if st.button(f"Open point {point} in the Playground", key="bits.open"):
        state.select(pick=point, place="", flips="")
        st.switch_page("pages/playground.py")
