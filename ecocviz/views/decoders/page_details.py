"""The details of the Decoders page: whose classes are confused, and whether probabilities come true."""

from functools import partial

import numpy as np
import streamlit as st

from ecocviz.engine.analysis.statistics import confusion
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.types import IntArray
from ecocviz.lab.trained import Trained
from ecocviz.views.decoders import figures, figures_confusion, words
from ecocviz.views.decoders.confusion import FEW_CLASSES, alike_order
from ecocviz.views.decoders.facts import (
    CONFUSED,
    MAX_CONFUSED,
    ORDER,
    Comparison,
    calibration_note,
    calibrations,
    confused_keys,
)
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.charts import chart, csv_button
from ecocviz.views.shared.app.said import caption, said
from ecocviz.views.shared.draw.outside import literal, plain
from ecocviz.views.shared.draw.words import listed


def draw_details(session: state.Session, trained: Trained, compared: Comparison) -> None:
    """Draw whose classes are confused, and whether probabilities come true."""
    keys = confused_keys(compared, session.selection[CONFUSED])
    if len(compared.judged) > 1:
        bound = bind("decoders.confused", list(keys))
        st.multiselect(
            "Which class is mistaken for which",
            [each.key for each in compared.judged],
            key=bound.key,
            max_selections=MAX_CONFUSED,
            format_func=lambda decoder: plain(compared.names.get(decoder, decoder)),
            on_change=bound.on_change(lambda chosen: state.select(confused=".".join(chosen))),
        )
    classes = trained.classes
    counts = [_counts(compared, key, len(classes)) for key in keys]
    order = _draw_order(session.selection[ORDER], counts)
    # Many classes need half of the page each, few a third.
    wide = len(classes) > figures_confusion.WRITTEN
    with st.container(key="split-details"):
        places = st.columns(2 if wide else len(keys) + 1, gap="medium")
    for number, key in enumerate(keys):
        with places[number]:
            draw_confusion(compared.names[key], number, counts[number], classes, order)
    with places[-1] if len(keys) < len(places) else st.container():
        draw_reliability(compared, calibration_note(trained))


def _counts(compared: Comparison, key: str, n_classes: int) -> IntArray:
    outcome = next(each.outcome for each in compared.judged if each.key == key)
    return confusion(outcome.truth, outcome.labels, n_classes)


def _draw_order(chosen: str, counts: list[IntArray]) -> IntArray:
    """Let the user choose the order of many classes; return it, (n_classes,)."""
    n_classes = len(counts[0])
    if n_classes <= FEW_CLASSES:
        return np.arange(n_classes)
    bound, options = bind("decoders.order", chosen), dict(ORDER.options)
    st.segmented_control(
        "Order of the classes",
        list(options),
        key=bound.key,
        format_func=lambda key: literal(options[key]),
        on_change=bound.on_change(lambda key: state.select(order=key or chosen)),
        width="content",
    )
    return alike_order(counts) if chosen == "alike" else np.arange(n_classes)


def draw_confusion(
    title: str, number: int, counts: IntArray, classes: tuple[str, ...], order: IntArray
) -> None:
    """Draw the decisions of one decoder, class by class."""
    found, name = words.confusion_sentence(title, counts, classes), f"decoders.confusion.{number}"
    said(title)
    chart(
        lambda theme: figures_confusion.confusion_figure(counts, classes, theme, order),
        key=name,
        alt=f"Decisions of {title} counted by true and decided class. {found}",
    )
    said("", found)
    csv_button("Counts as CSV", lambda: figures_confusion.confusion_table(counts, classes), key=f"{name}.csv")


def draw_reliability(compared: Comparison, note: str | None) -> None:
    """Draw whether stated probabilities come true."""
    found, own = calibrations(compared), compared.own
    said("Can the stated probabilities be trusted?")
    if not found or own is None:
        sure = [each.title for each in DECODINGS.values() if each.gives_probabilities()]
        caption(f"None of the decoders compared gives class probabilities; these do: {listed(sure)}.")
        return
    sentences = [words.calibration_sentence(title, each) for title, each in found.items()]
    chart(
        partial(figures.reliability_figure, found, compared.names[own.key]),
        key="decoders.reliability",
        alt=f"Share of correct decisions at each stated probability. {sentences[0]}",
    )
    said("", " ".join([*sentences, *([note] if note else [])]))
    csv_button("Calibration as CSV", lambda: figures.reliability_table(found), key="decoders.reliability.csv")
