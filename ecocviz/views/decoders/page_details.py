"""Which classes a decoder confuses, and whether its probabilities come true."""

from html import escape

import streamlit as st

from ecocviz.engine.analysis.statistics import Calibration, confusion
from ecocviz.views.decoders import words as says
from ecocviz.views.decoders.figures_confusion import confusion_figure, confusion_table, worst_cell
from ecocviz.views.decoders.figures_reliability import reliability_figure, reliability_table
from ecocviz.views.decoders.page import View
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.charts import chart, csv_button, theme_now
from ecocviz.views.shared.app.fresh import offer

MAX_CONFUSED = 2
MAX_CURVES = 4


def confused_keys(view: View) -> tuple[str, ...]:
    """Return the one or two decoders whose decisions are counted.

    Unless somebody chose: the scenario's own, and of those that decide otherwise the best.
    """
    known = {judgement.decoding.key: judgement for judgement in view.judgements}
    asked = tuple(key for key in dict.fromkeys(view.held.selection.confused.split(".")) if key in known)
    if asked:
        return asked[:MAX_CONFUSED]
    own = view.judgements[view.own]
    others = [
        judgement.decoding.key
        for judgement in view.judgements
        if (judgement.outcome.labels != own.outcome.labels).any()
    ]
    return (own.decoding.key, *others[: MAX_CONFUSED - 1])


def draw_confusion_choice(view: View) -> None:
    """Let the user choose whose decisions are counted."""
    if len(view.judgements) < 2:
        return
    known = [judgement.decoding.key for judgement in view.judgements]
    offered = offer("decoders.confused", list(confused_keys(view)))
    st.multiselect(
        "Which class is taken for which",
        known,
        key=offered.key,
        max_selections=MAX_CONFUSED,
        format_func=lambda decoder: view.names.get(decoder, decoder),
        on_change=offered.chosen(lambda keys: state.select(confused=".".join(keys))),
    )


def draw_confusion(view: View, key: str, place: int) -> None:
    """Draw the decisions of one decoder, class by class."""
    judgement = next(each for each in view.judgements if each.decoding.key == key)
    outcome, classes, title = judgement.outcome, view.trained.classes, view.name(judgement)
    counts = confusion(outcome.truth, outcome.labels, len(classes))
    st.html(f'<div class="eco-words"><b>{escape(title)}</b></div>')
    i, j, n = worst_cell(counts)
    said = says.confusion_sentence(title, classes[i], classes[j], n, outcome.n_wrong)
    chart(
        confusion_figure(counts, classes, theme_now()),
        key=f"decoders.confusion.{place}",
        alt=f"Decisions of {title} counted by true and decided class. {said}",
    )
    st.html(f'<div class="eco-words"><span>{escape(said)}</span></div>')
    csv_button(
        "Counts as CSV", lambda: confusion_table(counts, classes), key=f"decoders.confusion.{place}.csv"
    )


def calibrations(view: View) -> dict[str, Calibration]:
    """Return the calibration of the decoders that give probabilities, the scenario's own first."""
    found = [j for j in view.judgements if j.calibration is not None]
    own = view.judgements[view.own].decoding.key
    found.sort(key=lambda judgement: judgement.decoding.key != own)
    return {view.name(j): j.calibration for j in found[:MAX_CURVES] if j.calibration is not None}


def draw_reliability(view: View) -> None:
    """Draw whether stated probabilities come true."""
    found = calibrations(view)
    st.html('<div class="eco-words"><b>Are decisions as sure as they say?</b></div>')
    if not found:
        unsure = [judgement.unsure for judgement in view.judgements if judgement.unsure]
        none = "None of the decoders compared gives class probabilities; Likelihood and the couplings do."
        st.caption(unsure[0] if unsure else none)
        return
    own = view.name(view.judgements[view.own])
    said = []
    for title, each in found.items():
        share = each.counts / each.counts.sum()
        means = float(each.stated @ share), float(each.happened @ share)
        said.append(says.calibration_sentence(title, *means, each.calibration_error))
    chart(
        reliability_figure(found, own, theme_now()),
        key="decoders.reliability",
        alt=f"Share decided rightly over stated probability. {said[0]}",
    )
    st.html(f'<div class="eco-words"><span>{escape(" ".join(said))}</span></div>')
    csv_button("Calibration as CSV", lambda: reliability_table(found), key="decoders.reliability.csv")
