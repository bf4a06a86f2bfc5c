"""The Decoders page: every decoder on the same machines, in pictures and in numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.lab.catalogue import REDUCTIONS
from ecocviz.lab.choices import decider_names, deciders, uses, why_not_options
from ecocviz.lab.plane import make_plane
from ecocviz.lab.regions import Points, Regions
from ecocviz.lab.report import Report, Snapshot
from ecocviz.lab.scenario import Choice
from ecocviz.lab.selection import PLANE
from ecocviz.lab.to_keep import ToKeep, errors_to_keep
from ecocviz.lab.trained import Trained
from ecocviz.views.decoders import figures, words
from ecocviz.views.decoders.facts import (
    Comparison,
    alike,
    compare,
    compared_decoders,
    decide_plane,
    found_errors,
    judge_decoders,
    table_keys,
)
from ecocviz.views.decoders.page_details import draw_details
from ecocviz.views.decoders.page_rejection import draw_rejection
from ecocviz.views.decoders.page_sweep import SWEEP, Sweep, draw_sweep, find_sweep, keeps_sweep
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.charts import chart, column_widths, csv_button
from ecocviz.views.shared.app.components.decoder_tiles import draw_tiles
from ecocviz.views.shared.app.components.heard import chosen_row
from ecocviz.views.shared.app.job_panel import draw_panel
from ecocviz.views.shared.app.room import keep, room, tiles_room
from ecocviz.views.shared.app.said import caption, markup, said, sentence
from ecocviz.views.shared.app.stage import Scene, Section, Stage, Work, show_page
from ecocviz.views.shared.draw.glossary import GLOSSARY
from ecocviz.views.shared.draw.judged import errors_figure, errors_height, significance_sentence
from ecocviz.views.shared.draw.outside import literal, plain
from ecocviz.views.shared.draw.tables import THREE_DIGITS

PLACE, PICTURES = "decoders", "decoders.plane"
TILES, TABLE = "decoders.tiles", "decoders.table"
ROW_HEIGHT, HEAD_HEIGHT = 28, 38
"""Of the table."""
WORDS_HEIGHT, UNDER_HEIGHT = 44, 130
"""Kept free above the pictures and under the table, so that nothing moves when results are there."""


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen: the two jobs as they are, and what the first has found so far."""

    session: state.Session
    trained: Trained
    decodings: tuple[Choice, ...]
    judging: Snapshot
    drawing: Snapshot
    compared: Comparison


# Looking ---------------------------------------------------------------------------------------------


def _decodings(session: state.Session) -> tuple[Choice, ...]:
    return compared_decoders(session.scenario, session.selection)


def _key(session: state.Session) -> str:
    return cache.choices_key(_deciders(session))


def _deciders(session: state.Session) -> tuple[Choice, ...]:
    """Return the decoders, each with the scenario's rule for points that are left undecided."""
    return tuple(map(session.scenario.deciding, _decodings(session)))


def _judge(session: state.Session) -> Callable[[Trained, Report], None]:
    decodings = _deciders(session)
    return lambda trained, report: judge_decoders(trained, decodings, report)


def _decide(session: state.Session) -> Callable[[Trained, Report], tuple[Regions, Points]]:
    decodings, plane = _decodings(session), session.selection[PLANE]
    return lambda trained, report: decide_plane(
        trained.shown, make_plane(trained.shown.prepared, plane), decodings, report
    )


def _pictured(session: state.Session) -> tuple[str, str]:
    return cache.choices_key(_decodings(session)), session.selection[PLANE]


def _gather(session: state.Session, trained: Trained, judging: Snapshot, drawing: Snapshot) -> View:
    decodings, own = _decodings(session), session.scenario.decoding.key
    names = decider_names(session.scenario, decodings)
    compared = compare(judging.partial, own, names, trained.judged_part)
    return View(session, trained, decodings, judging, drawing, compared)


STAGE: Stage[View] = Stage(
    PLACE,
    (
        Work(PLACE, _key, _judge, cache.jobs),
        Work(PICTURES, _pictured, _decide, cache.jobs),
    ),
    _gather,
    streams=True,
)


def keeps(view: View) -> ToKeep:
    """Return the errors of the decoders that are judged so far, to be kept."""
    scenario, compared = view.session.scenario, view.compared
    key = cache.text_key(scenario), _key(view.session), len(compared.judged)
    return errors_to_keep(key, lambda: found_errors(compared, scenario, view.trained, view.decodings))


def look_sweep(session: state.Session) -> Scene[Sweep]:
    """Look for the errors over a parameter, once all decoders are judged."""
    try:
        scene = STAGE.look(session)
    except ValueError:  # the pictures' section says why
        return Scene(None)
    view = scene.view
    if view is None or scene.awaited is not None or view.compared.own is None:
        return Scene(None)
    if not view.judging.state.over:
        return Scene(None)
    return Scene(find_sweep(session, view.trained, view.decodings, view.compared))


def use_decoder(key: str) -> None:
    """Make a decoder the scenario's own."""
    if key in {decoding.key for decoding in _decodings(state.current())}:
        state.set_slot("decoding", key)


# Which decoders --------------------------------------------------------------------------------------


def draw_settings(session: state.Session) -> None:
    """Let the user choose the decoders, and say which cannot be used here and why."""
    if not uses(session.scenario, "decoding"):
        title = REDUCTIONS[session.scenario.reduction.key].title
        caption(
            f"{title} decides by itself, so there are no decoders to compare; its own decisions are shown."
        )
        return
    reasons = why_not_options(session.scenario, "decoding")
    shown = [decoding.key for decoding in _decodings(session)]
    allowed = [key for key in DECODINGS if key not in reasons]
    bound = bind("decoders.judged", shown)

    def choose_some(keys: list[str]) -> None:
        chosen = [key for key in DECODINGS if key in keys] or [session.scenario.decoding.key]
        state.select(judged="" if set(chosen) >= set(allowed) else ".".join(chosen))

    keep(f"{PLACE}.settings", 40)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"{PLACE}.settings"):
        with st.popover(literal(f"{len(shown)} of {len(DECODINGS)} decoders"), key="decoders.choice"):
            st.pills(
                "Decoders compared",
                allowed,
                selection_mode="multi",
                key=bound.key,
                format_func=lambda key: literal(DECODINGS[key].title),
                on_change=bound.on_change(choose_some),
            )
            for reason in dict.fromkeys(reasons.values()):
                caption(reason)
        how = "All on the same trained machines. Choose a picture or a row to use its decoder on every page."
        markup(sentence("", how))
    if reasons:
        caption(" ".join(dict.fromkeys(reasons.values())))


# The pictures ----------------------------------------------------------------------------------------


def draw(view: View) -> None:
    """Draw the pictures, and below them the numbers."""
    keys = table_keys(view.compared, view.decodings, over=view.judging.state.over)
    with room(f"{PLACE}.first", WORDS_HEIGHT):
        draw_words(view)
    draw_pictures(view)
    st.divider()
    with st.container(key="split"):
        left, right = st.columns([32, 76], gap="medium")
    with left, room(f"{PLACE}.left", errors_height(len(keys))):
        draw_errors(view.compared, keys)
    with right:
        draw_table(view, keys)
    if view.compared.own is not None and view.judging.state.over:
        st.divider()
        draw_details(view.session, view.trained, view.compared)
        st.divider()
        draw_rejection(view.session, view.trained, view.compared)
        st.divider()


def draw_words(view: View) -> None:
    """Say who is best, who decides alike, and what chance explains."""
    compared, own = view.compared, view.compared.own
    if not view.judging.state.over or own is None:
        n = len(compared.judged) + len(compared.refused)
        said("", f"Tested so far: {n} of {len(view.decodings)} decoders.")
        return
    chance = significance_sentence(compared.judged, own, compared.names[own.key])
    more = [words.alike_sentence(alike(compared.judged)), chance]
    said(words.least_sentence(compared), " ".join(filter(None, more)))


def draw_pictures(view: View) -> None:
    """Draw the same plane once for every decoder."""
    # One picture more says where they disagree.
    with tiles_room(f"{PLACE}.pictures", len(view.decodings) + 1 if len(view.decodings) > 1 else 1):
        if view.drawing.result is None:
            draw_panel(PICTURES, view.drawing)
        else:
            _draw_tiles(view, *view.drawing.result)


def _draw_tiles(view: View, regions: Regions, points: Points) -> None:
    notes = {
        each.key: f"{each.outcome.n_wrong:,} of {each.outcome.n:,} wrong" for each in view.compared.judged
    }
    keys, classes = [decoding.key for decoding in view.decodings], view.trained.classes
    infos = deciders(view.session.scenario, view.decodings)
    draw_tiles(
        regions,
        points,
        key=TILES,
        classes=classes,
        tiles=tuple(
            (key, title, notes.get(key, ""), summary)
            for key, (title, summary) in zip(keys, infos, strict=True)
        ),
        own=keys.index(view.session.scenario.decoding.key),
        choosable=len(keys) > 1 and state.is_offered("decoding"),
        on_pick=use_decoder,
    )


# The numbers -----------------------------------------------------------------------------------------


def draw_errors(compared: Comparison, keys: tuple[str, ...]) -> None:
    """Draw the error of every decoder judged so far with its interval, in the order of the table."""
    own = compared.own
    if own is not None:
        judged = sorted(compared.judged, key=lambda each: keys.index(each.key))
        chart(
            partial(errors_figure, judged, compared.names, own.key, compared.part_title),
            key="decoders.errors",
            alt=words.errors_alt(compared),
        )


def draw_table(view: View, keys: tuple[str, ...]) -> None:
    """Draw the table; choosing a row makes its decoder the scenario's own."""
    compared, own = view.compared, view.session.scenario.decoding.key
    for refused in compared.refused:
        caption(f"{compared.names[refused.key]}: {refused.reason}")
    # What is chosen is a position: with other rows, or in another order, the table is another one.
    key = f"{TABLE}.{own}.{'.'.join(keys)}"

    def chosen() -> None:
        row = chosen_row(key, len(keys))
        if row is not None:
            use_decoder(keys[row])

    shown = figures.shown_table(compared, keys)
    with room(f"{PLACE}.table", ROW_HEIGHT * len(keys) + HEAD_HEIGHT):
        st.dataframe(
            shown,
            key=key,
            hide_index=True,
            on_select=chosen,
            selection_mode="single-row",
            selection_default={"selection": {"rows": [keys.index(own)] if own in keys else []}},
            row_height=ROW_HEIGHT,
            placeholder="–",
            height=ROW_HEIGHT * len(keys) + HEAD_HEIGHT,
            column_config=_columns(compared, shown),
            alt="Errors, intervals and times of the decoders; choosing a row chooses its decoder.",
        )
    with room(f"{PLACE}.under", UNDER_HEIGHT):
        draw_panel(PLACE, view.judging)
        if view.judging.state.over and compared.judged:
            _draw_notes(compared)


def _draw_notes(compared: Comparison) -> None:
    note = (
        "Interval: Wilson, 95 %. p: McNemar's exact test against the chosen decoder. Log-loss: only "
        "decoders that give probabilities have one. ms: time of 1,000 decisions from scores, the median of "
        "several runs."
    )
    caption(note)
    csv_button("Comparison as CSV", lambda: figures.errors_table(compared), key="decoders.csv")


def _columns(compared: Comparison, shown: pd.DataFrame) -> dict[str, Any]:
    n = f"of {compared.judged[0].outcome.n:,}" if compared.judged else "Errors"
    columns, width = st.column_config, column_widths(figures.column_widths(shown, n))
    stated = any(each.calibration is not None for each in compared.judged)
    return {
        "Decoder": columns.TextColumn("Decoder", width=width["Decoder"]),
        "Errors": columns.NumberColumn(plain(n), width=width["Errors"], help="Misclassified points"),
        "Error": columns.NumberColumn("Error", format="%.1f %%", width=width["Error"]),
        "95 % interval": columns.TextColumn("95 % interval", width=width["95 % interval"]),
        "p": columns.TextColumn("p", width=width["p"], help=literal(GLOSSARY["p"])),
        "Log-loss": columns.NumberColumn(
            "Log-loss", format="%.3f", width=width["Log-loss"], help=literal(GLOSSARY["log-loss"])
        )
        if stated
        else None,
        "ms": columns.NumberColumn("ms", format=THREE_DIGITS, width=width["ms"]),
    }


def show() -> None:
    """Draw the page."""
    show_page(
        PLACE,
        "Decoders",
        Section(PLACE, STAGE.look, draw, keeps=keeps),
        Section(SWEEP, look_sweep, draw_sweep, keeps=keeps_sweep),
        settings=draw_settings,
    )
