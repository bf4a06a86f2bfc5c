"""The chosen runs: several side by side as differences and errors, or one with its points."""

from datetime import tzinfo
from functools import partial

import streamlit as st

from ecocviz.lab.store import open_store
from ecocviz.lab.store_rows import RUN
from ecocviz.views.runs import figures, words
from ecocviz.views.runs.facts import MOST_COMPARED, Kept, same_test
from ecocviz.views.runs.points import points_of
from ecocviz.views.runs.words_more import more_rows
from ecocviz.views.shared.app import cache
from ecocviz.views.shared.app.charts import chart, csv_button, html_table
from ecocviz.views.shared.app.said import caption, markup, said, title
from ecocviz.views.shared.draw.outside import Shown, literal

FEW = 3
"""So many stand beside the figure of their errors, more above it."""


def draw_chosen(chosen: tuple[Kept, ...], owner: str | None, zone: tzinfo) -> None:
    """Draw the chosen runs: one with its points, several side by side."""
    singles = tuple(one for one in chosen if figures.is_single(one))[:MOST_COMPARED]
    several = [one for one in chosen if one.run.kind != RUN]
    if len(singles) > 1:
        draw_comparison(singles, len(chosen), zone)
    elif len(chosen) == 1 and singles:
        draw_one(singles[0], zone)
    for kept in several[:MOST_COMPARED]:
        draw_points(kept, owner)
    if chosen and chosen[0].scenario is None and len(chosen) == 1 and chosen[0].run.kind == RUN:
        caption("This version cannot read the scenario of this run, so it cannot be opened here.")


def draw_comparison(runs: tuple[Kept, ...], n_chosen: int, zone: tzinfo) -> None:
    """Draw what the runs have otherwise, and what was found; few of them beside their errors."""
    st.divider()
    title(f"{len(runs)} runs side by side")
    said(*words.compared_sentence(runs, n_chosen, same=same_test(runs)))
    if len(runs) > FEW:
        _draw_table(runs, zone)
        _draw_errors(runs)
        return
    with st.container(key="split.compare"):
        left, right = st.columns([66, 42], gap="medium")
    with left:
        _draw_table(runs, zone)
    with right:
        _draw_errors(runs)


def _draw_table(runs: tuple[Kept, ...], zone: tzinfo) -> None:
    differ, found = figures.compared_rows(runs, zone)
    head = ("", *(f"{k + 1}" for k in range(len(runs))))
    rows = [("Run", *(one.title for one in runs)), *differ, *found]
    alt = literal("Runs side by side: where their scenarios differ, and their errors")
    table = html_table(head, rows, alt=alt, texts=len(head))
    # What is wider than the window is moved by keys too.
    markup(Shown(f'<div class="eco-across" role="region" aria-label="{alt}" tabindex="0">{table}</div>'))
    caption(
        "Of their settings, only those in which they differ are listed."
        if differ
        else "Their scenarios differ in nothing; they were computed by different versions."
    )
    csv_button("Comparison as CSV", partial(figures.compared_table, runs), key="runs.compared.csv")


def _draw_errors(runs: tuple[Kept, ...]) -> None:
    if all(one.test is None for one in runs):
        return
    title("Test error")
    each = [f"run {k + 1}: {words.error_text(one.test)}" for k, one in enumerate(runs)]
    chart(partial(figures.errors_figure, runs), key="runs.errors", alt=f"Test errors; {'; '.join(each)}")


def draw_one(kept: Kept, zone: tzinfo) -> None:
    """Draw what is known of one scenario."""
    st.divider()
    title(kept.title, kept.run.title if kept.run.name else "")
    _, found = figures.compared_rows((kept,), zone)
    settings = [] if kept.scenario is None else words.setting_rows(kept.scenario)
    rows = [*found, *more_rows(kept), *settings]
    table = html_table(("", "This run"), rows, alt="What is known of the run", texts=2)
    markup(Shown(f'<div class="eco-across" style="max-width: 46rem">{table}</div>'))
    if kept.scenario is not None:
        caption(f"As a link has it: ?{kept.scenario.to_query()}")


def draw_points(kept: Kept, owner: str | None) -> None:
    """Draw the points of a sweep or a study."""
    run = kept.run
    key = (run.id, run.n_done, run.touched)
    points = cache.remember("runs.points", key, lambda: points_of(open_store(), run, owner))
    st.divider()
    title(kept.title)
    said("", words.points_sentence(kept, points))
    if points.lines:
        chart(
            partial(figures.points_figure, points),
            key=f"runs.points.{run.id}",
            alt=words.points_sentence(kept, points),
        )
    csv_button("Points as CSV", partial(figures.points_table, points), key=f"runs.points.{run.id}.csv")
