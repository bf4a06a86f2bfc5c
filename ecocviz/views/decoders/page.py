"""The Decoders page: every decoder on the same machines, in pictures and in numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ecocviz.engine.analysis.statistics import confusion
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.lab.catalogue import REDUCTIONS
from ecocviz.lab.choices import decider_names, deciders, uses, why_not_options
from ecocviz.lab.plane import make_plane
from ecocviz.lab.regions import Points, Regions
from ecocviz.lab.report import Report, Snapshot
from ecocviz.lab.scenario import Choice
from ecocviz.lab.selection import PLANE
from ecocviz.lab.trained import Trained
from ecocviz.views.decoders import figures, words
from ecocviz.views.decoders.facts import (
    CONFUSED,
    MAX_CONFUSED,
    Comparison,
    alike,
    calibration_note,
    calibrations,
    compare,
    compared_decoders,
    confused_keys,
    decide_plane,
    judge_decoders,
)
from ecocviz.views.decoders.page_sweep import SWEEP, Sweep, draw_sweep, find_sweep
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.charts import chart, csv_button, theme_now
from ecocviz.views.shared.app.components.decoder_tiles import draw_tiles
from ecocviz.views.shared.app.components.heard import chosen_row
from ecocviz.views.shared.app.job_panel import draw_panel
from ecocviz.views.shared.app.said import caption, markup, said, sentence
from ecocviz.views.shared.app.stage import Scene, Section, Stage, Work, show_page
from ecocviz.views.shared.draw.judged import errors_figure, plane_table, significance_sentence
from ecocviz.views.shared.draw.outside import literal, plain

PLACE, PICTURES = "decoders", "decoders.plane"
TILES, TABLE = "decoders.tiles", "decoders.table"


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
    return cache.choices_key(_decodings(session))


def _judge(session: state.Session) -> Callable[[Trained, Report], None]:
    decodings = _decodings(session)
    return lambda trained, report: judge_decoders(trained, decodings, report)


def _decide(session: state.Session) -> Callable[[Trained, Report], tuple[Regions, Points]]:
    decodings, plane = _decodings(session), session.selection[PLANE]
    return lambda trained, report: decide_plane(
        trained.shown, make_plane(trained.shown.prepared, plane), decodings, report
    )


def _gather(session: state.Session, trained: Trained, judging: Snapshot, drawing: Snapshot) -> View:
    decodings, own = _decodings(session), session.scenario.decoding.key
    names = decider_names(session.scenario, decodings)
    compared = compare(judging.partial, own, names, trained.judged_part)
    return View(session, trained, decodings, judging, drawing, compared)


STAGE: Stage[View] = Stage(
    PLACE,
    (
        Work(PLACE, _key, _judge, cache.jobs),
        Work(PICTURES, lambda session: (_key(session), session.selection[PLANE]), _decide, cache.jobs),
    ),
    _gather,
    streams=True,
)


def look_sweep(session: state.Session) -> Scene[Sweep]:
    """Look for the errors over a parameter, once the scenario's own decoder is judged."""
    try:
        scene = STAGE.look(session)
    except ValueError:  # the pictures' section says why
        return Scene(None)
    view = scene.view
    if view is None or scene.awaited is not None or view.compared.own is None:
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
        caption(f"{title} decides by itself, so there are no decoders to compare; its own decisions follow.")
        return
    reasons = why_not_options(session.scenario, "decoding")
    shown = [decoding.key for decoding in _decodings(session)]
    allowed = [key for key in DECODINGS if key not in reasons]
    bound = bind("decoders.judged", shown)

    def choose_some(keys: list[str]) -> None:
        chosen = [key for key in DECODINGS if key in keys] or [session.scenario.decoding.key]
        state.select(judged="" if set(chosen) >= set(allowed) else ".".join(chosen))

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
        how = (
            "All on the same trained machines. A picture or a row, once chosen, makes its decoder the "
            "scenario's own."
        )
        markup(sentence("", how))
    if reasons:
        caption(" ".join(dict.fromkeys(reasons.values())))


# The pictures ----------------------------------------------------------------------------------------


def draw(view: View) -> None:
    """Draw the pictures, and below them the numbers."""
    draw_words(view.compared)
    draw_pictures(view)
    st.divider()
    with st.container(key="split"):
        left, right = st.columns([42, 66], gap="medium")
    with left:
        draw_errors(view.compared)
    with right:
        draw_table(view)
    if view.compared.own is not None:
        st.divider()
        draw_details(view)
        st.divider()


def draw_words(compared: Comparison) -> None:
    """Say who is best, who decides alike, and what chance explains."""
    own = compared.own
    if own is not None:
        chance = significance_sentence(compared.judged, own, compared.names[own.key])
        more = [words.alike_sentence(alike(compared.judged)), chance]
        said(words.least_sentence(compared), " ".join(filter(None, more)))


def draw_pictures(view: View) -> None:
    """Draw the same plane once for every decoder."""
    if view.drawing.result is None:
        draw_panel(PICTURES, view.drawing)
        return
    regions, points = view.drawing.result
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
        choosable=len(keys) > 1,
        on_pick=use_decoder,
    )
    titles = [title for title, _ in infos]
    csv_button("Pictures as CSV", lambda: plane_table(regions, titles, classes), key=f"{TILES}.csv")


# The numbers -----------------------------------------------------------------------------------------


def draw_errors(compared: Comparison) -> None:
    """Draw every decoder's error with its interval."""
    own = compared.own
    if own is not None:
        chart(
            errors_figure(compared.judged, compared.names, own.key, compared.part_title, theme_now()),
            key="decoders.errors",
            alt=words.errors_alt(compared),
        )


def draw_table(view: View) -> None:
    """Draw the table; choosing a row makes its decoder the scenario's own."""
    compared, own = view.compared, view.compared.own
    draw_panel(PLACE, view.judging)
    for refused in compared.refused:
        caption(f"{compared.names[refused.key]}: {refused.reason}")
    if own is None:
        return
    keys, key = [each.key for each in compared.judged], f"{TABLE}.{own.key}"

    def chosen() -> None:
        row = chosen_row(key, len(keys))
        if row is not None:
            use_decoder(keys[row])

    st.dataframe(
        figures.shown_table(compared),
        key=key,
        hide_index=True,
        on_select=chosen,
        selection_mode="single-row",
        selection_default={"selection": {"rows": [keys.index(own.key)]}},
        row_height=28,
        placeholder="–",
        height=28 * len(keys) + 38,
        column_config=_columns(compared),
        alt="Errors, intervals and times of the decoders; a chosen row becomes the scenario's decoder.",
    )
    note = (
        "Interval: Wilson, 95 %. p: McNemar's exact test against the scenario's decoder. Log-loss: only "
        "decoders that give probabilities have one. ms: measured time of 1,000 decisions from scores."
    )
    caption(" ".join([note, *compared.unsure]))
    csv_button("Comparison as CSV", lambda: figures.errors_table(compared), key="decoders.csv")


def _columns(compared: Comparison) -> dict[str, Any]:
    columns = st.column_config
    stated = any(each.calibration is not None for each in compared.judged)
    return {
        "Decoder": columns.TextColumn("Decoder", width=230),
        "Errors": columns.NumberColumn(
            plain(f"of {compared.judged[0].outcome.n:,}"), width=60, help="Points decided wrongly"
        ),
        "Error %": columns.NumberColumn("Error", format="%.1f %%", width=60),
        "95 %": columns.TextColumn("95 % interval", width=94),
        "p": columns.TextColumn("p", width=48),
        "Log-loss": columns.NumberColumn("Log-loss", format="%.3f", width=68) if stated else None,
        "ms": columns.NumberColumn("ms", format="%.2f", width=60),
    }


# The details -----------------------------------------------------------------------------------------


def draw_details(view: View) -> None:
    """Draw whose classes are confused, and whether probabilities come true."""
    compared = view.compared
    keys = confused_keys(compared, view.session.selection[CONFUSED])
    if len(compared.judged) > 1:
        bound = bind("decoders.confused", list(keys))
        st.multiselect(
            "Which class is taken for which",
            [each.key for each in compared.judged],
            key=bound.key,
            max_selections=MAX_CONFUSED,
            format_func=lambda decoder: plain(compared.names.get(decoder, decoder)),
            on_change=bound.on_change(lambda chosen: state.select(confused=".".join(chosen))),
        )
    with st.container(key="split-details"):
        places = st.columns(len(keys) + 1, gap="medium")
    for number, key in enumerate(keys):
        with places[number]:
            draw_confusion(compared, key, number, view.trained.classes)
    with places[-1]:
        draw_reliability(compared, calibration_note(view.trained))


def draw_confusion(compared: Comparison, key: str, number: int, classes: tuple[str, ...]) -> None:
    """Draw the decisions of one decoder, class by class."""
    outcome, title = next(each.outcome for each in compared.judged if each.key == key), compared.names[key]
    counts = confusion(outcome.truth, outcome.labels, len(classes))
    found, name = words.confusion_sentence(title, counts, classes), f"decoders.confusion.{number}"
    said(title)
    chart(
        figures.confusion_figure(counts, classes, theme_now()),
        key=name,
        alt=f"Decisions of {title} counted by true and decided class. {found}",
    )
    said("", found)
    csv_button("Counts as CSV", lambda: figures.confusion_table(counts, classes), key=f"{name}.csv")


def draw_reliability(compared: Comparison, note: str | None) -> None:
    """Draw whether stated probabilities come true."""
    found, own = calibrations(compared), compared.own
    said("Are decisions as sure as they say?")
    if not found or own is None:
        none = "None of the decoders compared gives class probabilities; Likelihood and the couplings do."
        caption(next(iter(compared.unsure), none))
        return
    sentences = [words.calibration_sentence(title, each) for title, each in found.items()]
    chart(
        figures.reliability_figure(found, compared.names[own.key], theme_now()),
        key="decoders.reliability",
        alt=f"Share decided rightly over stated probability. {sentences[0]}",
    )
    said("", " ".join([*sentences, *([note] if note else [])]))
    csv_button("Calibration as CSV", lambda: figures.reliability_table(found), key="decoders.reliability.csv")


def show() -> None:
    """Draw the page."""
    show_page(
        PLACE,
        "Decoders",
        Section(PLACE, STAGE.look, draw),
        Section(SWEEP, look_sweep, draw_sweep),
        settings=draw_settings,
    )
