"""The Reductions page: all reductions on the same data, and what is special to one of them."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from ecocviz.lab.report import Snapshot
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.selection import PLANE
from ecocviz.lab.to_keep import ToKeep, errors_to_keep
from ecocviz.views.reductions import figures, words
from ecocviz.views.reductions.candidates import Candidate, candidates, compared_candidates, own_key
from ecocviz.views.reductions.facts import (
    ENTERED,
    ENTRANT,
    Comparison,
    compare,
    compare_reductions,
)
from ecocviz.views.reductions.specials import Special
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.charts import chart, column_widths, csv_button
from ecocviz.views.shared.app.components.decoder_tiles import draw_tiles
from ecocviz.views.shared.app.components.heard import chosen_row
from ecocviz.views.shared.app.job_panel import draw_panel, watch
from ecocviz.views.shared.app.room import room, tiles_room
from ecocviz.views.shared.app.said import caption, markup, said, sentence, title
from ecocviz.views.shared.app.stage import Scene, Section, show_page
from ecocviz.views.shared.draw.judged import errors_figure
from ecocviz.views.shared.draw.outside import literal, plain
from ecocviz.views.shared.draw.tables import THREE_DIGITS

PLACE = "reductions"
WORDS_HEIGHT, UNDER_HEIGHT = 66, 130
"""Kept free above and under the table, so that nothing moves when results are there."""
TILES, TABLE, CHOICE = "reductions.tiles", "reductions.table", "reductions.entered"


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen: the job as it is, and what it has found so far."""

    snapshot: Snapshot
    compared: Comparison

    @property
    def busy(self) -> bool:
        """Whether more is to come."""
        return not self.snapshot.state.over


# Looking ---------------------------------------------------------------------------------------------


def everyone(scenario: Scenario) -> tuple[Candidate, ...]:
    """Return everything that can take part."""
    return cache.remember("reductions.candidates", scenario, lambda: candidates(scenario))


def compared_now(session: state.Session) -> tuple[Candidate, ...]:
    """Return what takes part."""
    return compared_candidates(everyone(session.scenario), session.scenario, session.selection[ENTERED])


def look(session: state.Session) -> Scene[View]:
    """Start or join the comparison, and gather what it has found so far."""
    compared, plane, keeper = compared_now(session), session.selection[PLANE], cache.keeper()
    # The same reductions are the same job, whichever of them is the scenario's own.
    key = PLACE, plane, tuple((candidate.key, candidate.scenario) for candidate in compared)
    snapshot = watch(PLACE, key, lambda report: compare_reductions(compared, plane, report, keeper))
    own = own_key(compared, session.scenario)
    return Scene(View(snapshot, compare(compared, snapshot.partial, own, session.selection[ENTRANT])))


def keeps(view: View) -> ToKeep:
    """Return the errors of those that are judged so far, to be kept."""
    compared = view.compared
    return errors_to_keep((compared.candidates, len(compared.results)), compared.found_errors)


def pick(key: str) -> None:
    """Look into one of them."""
    if key in {candidate.key for candidate in compared_now(state.current())}:
        state.select(entrant=key)


# Which reductions ------------------------------------------------------------------------------------


def draw_settings(session: state.Session) -> None:
    """Let the user choose what takes part."""
    shown = [candidate.key for candidate in compared_now(session)]
    titles = {candidate.key: candidate.title for candidate in everyone(session.scenario)}
    bound = bind(CHOICE, shown)

    def choose(chosen: list[str]) -> None:
        keys = [key for key in titles if key in chosen]
        own = own_key(everyone(session.scenario), session.scenario)
        state.select(entered="" if len(keys) == len(titles) else ".".join(keys or [own]))

    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"{PLACE}.settings"):
        with st.popover(literal(f"{len(shown)} of {len(titles)} reductions"), key="reductions.choice"):
            st.pills(
                "Reductions compared",
                list(titles),
                selection_mode="multi",
                key=bound.key,
                format_func=lambda key: literal(titles[key]),
                on_change=bound.on_change(choose),
            )
        how = "All on the same data and split; what is not chosen in the sidebar keeps its default."
        markup(sentence("", how))


# Drawing ---------------------------------------------------------------------------------------------


def draw(view: View) -> None:
    """Draw the pictures and the table, and below them the errors beside what is special to the picked one."""
    compared = view.compared
    # One picture more says where they disagree.
    with tiles_room(f"{PLACE}.pictures", len(compared.candidates) + 1):
        draw_pictures(compared)
    with room(f"{PLACE}.first", WORDS_HEIGHT):
        if compared.done:
            said(words.fewest_sentence(compared), words.more_sentences(compared))
    draw_table(view)
    if compared.done:
        st.divider()
        with st.container(key="split"):
            left, right = st.columns([46, 62], gap="medium")
        with left:
            draw_errors(compared)
        with right:
            draw_details(view)


def draw_pictures(compared: Comparison) -> None:
    """Draw the same plane once for every reduction that is trained."""
    pictures, keys = compared.pictures(), list(compared.results)
    if compared.problem is None or pictures is None:
        return
    outcomes = [each.outcome for each in compared.judged]
    draw_tiles(
        *pictures,
        key=TILES,
        classes=compared.problem.classes,
        tiles=tuple(
            (each.key, each.title, f"{outcome.n_wrong:,} of {outcome.n:,} wrong", each.summary)
            for each, outcome in zip(compared.done, outcomes, strict=True)
        ),
        own=keys.index(compared.picked) if compared.picked in keys else -1,
        noun="reductions",
        group="Decision regions, one picture a reduction; choosing one shows more about it",
        on_pick=pick,
    )


def draw_table(view: View) -> None:
    """Draw the table, filled as results come in; choosing a row looks into that reduction."""
    compared = view.compared
    keys = list(compared.titles)
    # What is chosen is a position: with other rows the table is another one.
    key = f"{TABLE}.{compared.picked}.{'.'.join(keys)}"
    shown = figures.shown_table(compared, "waiting" if view.busy else "not run")

    def chosen() -> None:
        row = chosen_row(key, len(keys))
        if row is not None and keys[row] != compared.picked:
            pick(keys[row])

    st.dataframe(
        shown,
        key=key,
        hide_index=True,
        on_select=chosen,
        selection_mode="single-row",
        selection_default={"selection": {"rows": [keys.index(compared.picked)]}},
        row_height=28,
        height=28 * len(keys) + 38,
        placeholder="–",
        column_config=_columns(compared, shown),
        alt="Errors, times and binary problems of the reductions; choosing a row shows more about it below.",
    )
    with room(f"{PLACE}.under", UNDER_HEIGHT):
        draw_panel(PLACE, view.snapshot)
        if compared.problem is not None and not view.busy:
            _draw_notes(compared)


def _draw_notes(compared: Comparison) -> None:
    for name, reason in compared.reasons.items():
        start = compared.titles[name]
        caption(reason if reason.startswith(start) else f"{start}: {reason}")
    st.caption(
        "Interval: Wilson, 95 %. Training: seconds for all folds, with calibration, without compiling. "
        "Decisions: milliseconds for 1,000 points from their features, the median of several runs. Binary "
        "problems: as predicted before training, and as trained, of the model on the screen."
    )
    csv_button("Comparison as CSV", lambda: figures.reductions_table(compared), key="reductions.csv")


def _columns(compared: Comparison, shown: pd.DataFrame) -> dict[str, Any]:
    columns = st.column_config
    n = f"of {compared.judged[0].outcome.n:,}" if compared.judged else "Errors"
    width = column_widths(figures.column_widths(shown, n))
    return {
        "Reduction": columns.TextColumn("Reduction", width=width["Reduction"]),
        "Errors": columns.NumberColumn(plain(n), width=width["Errors"], help="Misclassified points"),
        "Error": columns.NumberColumn("Error", format="%.1f %%", width=width["Error"]),
        "Interval": columns.TextColumn("95 % interval", width=width["Interval"]),
        "Training": columns.NumberColumn("Training, s", format=THREE_DIGITS, width=width["Training"]),
        "Decisions": columns.NumberColumn("Decisions, ms", format=THREE_DIGITS, width=width["Decisions"]),
        "Predicted": columns.TextColumn("Problems, predicted", width=width["Predicted"]),
        "Measured": columns.TextColumn("Problems, trained", width=width["Measured"]),
    }


def draw_errors(compared: Comparison) -> None:
    """Draw every reduction's error with its interval, fewest errors first."""
    judged = sorted(compared.judged, key=lambda each: each.outcome.n_wrong)
    title(f"{compared.part_title} error")
    chart(
        partial(errors_figure, judged, compared.titles, compared.picked, compared.part_title),
        key="reductions.errors",
        alt=words.errors_alt(compared),
    )


# The picked one --------------------------------------------------------------------------------------


def draw_details(view: View) -> None:
    """Show what the picked reduction has that others have not, and offer to use it."""
    compared, picked = view.compared, view.compared.picked
    if picked not in compared.results:
        name = compared.titles[picked]
        caption(f"{name} is not trained yet." if view.busy else f"{name} was not trained.")
        return
    candidate, own = next(each for each in compared.done if each.key == picked), picked == compared.own
    with st.container(horizontal=True, vertical_alignment="center", key=f"{PLACE}.picked"):
        title(candidate.title)
        st.button(
            literal("Already chosen" if own else "Use this reduction"),
            key="reductions.use",
            disabled=own or not state.is_offered("reduction"),
            on_click=_use,
            args=(candidate.scenario,),
        )
    said("", words.picked_words(compared))
    specials = compared.results[picked].specials
    for first in range(0, len(specials), 2):
        places = st.columns(min(2, len(specials)), gap="medium")
        for k, special in enumerate(specials[first : first + 2]):
            with places[k]:
                draw_special(special, f"reductions.{picked}.{first + k}")


def _use(scenario: Scenario) -> None:
    state.adopt(state.current(), scenario)
    state.select(entrant="")


def draw_special(special: Special, name: str) -> None:
    """Draw one special with its sentence and its data."""
    labels = words.LABELS[special.key]
    found = labels.say(special)
    title(labels.title)
    chart(partial(figures.special_figure, special), key=name, alt=words.special_alt(special))
    if found:
        said("", found)
    csv_button("Data as CSV", partial(figures.special_table, special), key=f"{name}.csv")


def show() -> None:
    """Draw the page."""
    show_page(PLACE, "Reductions", Section(PLACE, look, draw, keeps=keeps), settings=draw_settings)
