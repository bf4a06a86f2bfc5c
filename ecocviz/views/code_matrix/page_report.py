"""What the Code matrix page says of a code: what it promises and costs, and how it was found."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from ecocviz.engine.analysis.codes import MAX_COLUMN_TABLE, describe_code
from ecocviz.engine.entries import Design
from ecocviz.views.code_matrix import figures, figures_story, words
from ecocviz.views.code_matrix.facts import (
    Code,
    Distances,
    column_distances,
    line_steps,
    row_distances,
    shown_step,
)
from ecocviz.views.code_matrix.text import matrix_table
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.charts import chart, csv_button, html_table
from ecocviz.views.shared.app.components.heard import whole
from ecocviz.views.shared.app.said import caption, markup, said, sentence, title
from ecocviz.views.shared.draw.outside import Shown, plain
from ecocviz.views.shared.draw.words import count

LISTED = 8
"""The table of more rows is folded."""
ROWS_SAY = "Number of machines that put the two classes on opposite sides"
COLUMNS_SAY = (
    "Number of classes that the two machines treat differently (a mirrored machine counts as the same)"
)
SIZES_SAY = (
    "Training points on each side of every machine; marked bars are columns that are faulty or occur twice."
)


# What it promises ----------------------------------------------------------------------------------


def draw_report(code: Code, n_samples: int) -> None:
    """Say what the code can do, what it repairs in both meanings, and what training it costs."""
    report = code.report
    title("What it promises")
    first, _, rest = describe_code(report).partition(". ")
    said(f"{first.rstrip('.')}.", f"{code.guarantee} {rest}".strip())
    more = (
        words.zeros_sentence(report),
        words.balance_sentence(report),
        words.cost_sentence(report, n_samples),
        words.agreement_sentence(code.agreement) if code.editable else "",
    )
    said("", " ".join(filter(None, more)))
    meanings = words.repair_sentences(report)
    if meanings:
        with (
            st.container(key="plain-repairs"),
            st.expander("How many wrong bits it repairs, and why", expanded=True, key="code.repairs"),
        ):
            markup(*(sentence(what, why) for what, why in meanings))


def draw_classes(code: Code) -> None:
    """Draw the table of the classes under the grid."""
    n_rows = code.report.n_classes
    if n_rows < 2:
        return
    with (
        st.container(key="plain-classes"),
        st.expander("Class by class", expanded=n_rows <= LISTED, key="code.rows"),
    ):
        markup(class_table(code))


def class_table(code: Code) -> Shown:
    """Write a table of the rows: points, machines that never see the class, repairs, the nearest class."""
    report = code.report
    distances = report.row_distances + np.diag(np.full(report.n_classes, np.inf))
    rows: list[tuple[str, ...]] = []
    for r, name in enumerate(code.names):
        nearest = int(distances[r].argmin())
        repairs = words.value_text(float(report.class_repairs[r])) if report.class_repairs.size else "–"
        rows.append(
            (
                name,
                f"{code.names[nearest]} ({distances[r, nearest]:g})",
                f"{int(code.counts[r]):,}",
                f"{int(report.zeros_per_row[r]):,}",
                "–" if repairs.startswith("none") else repairs,
            )
        )
    table = html_table(
        ("class", "nearest class (distance)", "points", "left out by", "repairs*"),
        rows,
        alt="Every class: nearest class, training points, machines that never see it, repaired bits",
        texts=2,
    )
    note = (
        "* Wrong bits that plain Hamming decoding always repairs in a point of this class; – where it can "
        "miss the class even when no bit is wrong."
    )
    return Shown(table + sentence("", note))


def draw_distances(code: Code) -> None:
    """Draw the distances of rows and of columns, and what every machine is shown."""
    report = code.report
    n_bits = count(report.n_bits, "machine")
    with st.container(key="trio"):
        first, second, third = st.columns(3)
    with first:
        rows = row_distances(code)
        title("Distances of rows (classes)", _with_outlines(ROWS_SAY, rows))
        chart(
            partial(figures.distances_figure, rows, figures.height_of(code)),
            key="code.rows.figure",
            alt=f"Row distances of {count(report.n_classes, 'class', 'classes')}, "
            f"at least {report.min_distance:g}, {report.mean_distance:.3g} on average.",
        )
        csv_button("Row distances as CSV", lambda: figures.distances_table(rows), key="code.rows.csv")
    with second:
        columns = column_distances(code)
        title("Distances of columns (machines)", _with_outlines(COLUMNS_SAY, columns))
        if columns is None:
            caption(f"Drawn for up to {MAX_COLUMN_TABLE} machines; this code has {report.n_bits:,}.")
        else:
            chart(
                partial(figures.distances_figure, columns, figures.height_of(code)),
                key="code.columns.figure",
                alt=f"Column distances of {n_bits}, at least {report.min_column_distance:g}.",
            )
            table = partial(figures.distances_table, columns)
            csv_button("Column distances as CSV", table, key="code.columns.csv")
    with third:
        title("What each machine is shown", SIZES_SAY)
        chart(
            partial(figures.sizes_figure, code),
            key="code.sizes.figure",
            alt=f"Points of {n_bits}, {report.linear_cost:,.0f} in all.",
        )
        csv_button("Machines as CSV", lambda: figures.sizes_table(code), key="code.sizes.csv")


def _with_outlines(text: str, found: Distances | None) -> str:
    """Say what outlines mean, where there are some, and that all is the same, where it is."""
    if found is None:
        return f"{text}."
    others = figures.others_of(found)
    if others.size and (others == others[0]).all():
        return f"{text}: {others[0]:g} for every pair."
    return f"{text}; the closest are outlined." if figures.outlined(found) else f"{text}."


# What training made of it --------------------------------------------------------------------------


def draw_weights(code: Code, *, awaited: bool) -> None:
    """Draw the real codewords that a reduction put in the place of the code."""
    st.divider()
    title(
        "Real codewords", "What training made of the code: each class adds up the scores with these weights."
    )
    weights, names = code.weights, code.names
    if weights is None:
        if not awaited:
            st.caption("With these settings the classes are compared by patterns, not by one codeword each.")
        return
    chart(
        partial(figures.weights_figure, weights, names),
        key="code.weights.figure",
        alt=f"Real codewords, {len(names)} classes over {count(weights.shape[1], 'machine')}.",
    )
    said("", words.weights_sentence(weights, names))
    table = partial(matrix_table, weights, names)
    csv_button("Codewords as CSV", table, key="code.weights.csv")


def draw_story(code: Code, picked: int) -> None:
    """Show what the search saw; `picked` is a step of it, -1 for the last one that has something to show."""
    design = code.design
    if design is None or not design.story:
        return
    st.divider()
    title("What the search saw")
    sentence_now = words.story_sentence(design, code.names)
    if design.kind == "tree":
        chart(
            partial(figures_story.tree_figure, design, code.names),
            key="code.story.tree",
            alt=f"Tree of {len(design.story)} splits. {sentence_now}",
        )
    else:
        _draw_line(code, design, shown_step(design, picked), sentence_now)
    said("", sentence_now)
    csv_button("Search as CSV", lambda: figures_story.story_table(design, code.names), key="code.story.csv")


def _draw_line(code: Code, design: Design, step: int, alt: str) -> None:
    """Draw what the search weighed, and the step that is looked at."""
    steps = line_steps(design)
    with st.container(key="split-story"):
        left, right = st.columns([57, 51], gap="medium")

    def on_pick(point: Mapping[str, Any]) -> None:
        state.select(step=steps[whole(point.get("point_index"), high=len(steps) - 1)])

    with left:
        figure = partial(figures_story.line_figure, design, step)
        chart(figure, key="code.story.line", alt=alt, on_pick=on_pick)
    with right:
        bound = bind("code.story.step", step)
        st.selectbox(
            "Step",
            steps,
            key=bound.key,
            format_func=lambda k: plain(f"{k + 1}. {design.story[k].label}"),
            on_change=bound.on_change(lambda k: state.select(step=k)),
        )
        _draw_step(code, design, step)


def _draw_step(code: Code, design: Design, k: int) -> None:
    step = design.story[k]
    if step.plus or step.minus:
        plus, minus = (words.side_text(side, code.names, 8) for side in (step.plus, step.minus))
        said("", f"The machine puts {plus} (+) against {minus} (−).")
    if step.table is None:
        return
    if design.kind == "additions":
        said(
            "", "Which classes were confused before this step; the two that were confused most got a machine."
        )
    chart(
        partial(figures_story.confusion_driver_figure, step, code.names),
        key="code.story.table",
        alt=f"The matrix that drove step {k + 1}: {step.label}.",
    )
