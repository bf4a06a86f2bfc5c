"""What the Relations page shows: heatmaps of correlations, and one pair of machines in detail."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from ecocviz.engine.analysis.correlations import joint_errors
from ecocviz.lab.jobs import Report
from ecocviz.lab.run import Trained, judged_part
from ecocviz.views.relations import words as says
from ecocviz.views.relations.facts import KINDS, Relations, most_alike, read_pair, relate
from ecocviz.views.relations.figures import (
    MAX_CLICKABLE,
    MAX_DRAWN,
    code_figure,
    correlations_table,
    drawn_order,
    heatmap_figure,
    scores_figure,
    scores_table,
)
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.charts import chart, csv_button, html_table, theme_now
from ecocviz.views.shared.app.fresh import offer
from ecocviz.views.shared.app.stage import Stage
from ecocviz.views.shared.draw import words
from ecocviz.views.shared.draw.build import thinned

PLACE = "relations"
TITLES = {
    "weights": "Weight vectors",
    "scores": "Scores",
    "errors": "Errors",
    "relation": "Learned relation",
    "code": "Code",
}
PARTS = {"test": "Test points", "train": "Training points"}


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen."""

    relations: Relations
    classes: tuple[str, ...]
    pair: tuple[int, int]
    sort: str
    has_test: bool

    @property
    def labels(self) -> list[str]:
        """Name of every machine."""
        code = self.relations.code_matrix
        return [says.machine_label(code[:, b], self.classes, b) for b in range(code.shape[1])]


def _key(held: state.Session) -> str:
    return held.selection.part


def _work(held: state.Session) -> Callable[[Trained, Report], Relations]:
    part = held.selection.part
    return lambda trained, report: relate(trained, part, report.progress)


def _gather(held: state.Session, trained: Trained, relations: Relations) -> View:
    sort = held.selection.sort if held.selection.sort in relations.orders else "scores"
    pair = read_pair(held.selection.pair, relations.n_bits) or most_alike(relations, leading_kind(relations))
    has_test = judged_part(trained) == "test"
    return View(relations, trained.classes, pair, sort, has_test)


STAGE = Stage(PLACE, _key, _work, _gather)


def leading_kind(relations: Relations) -> str:
    """Return the kind of correlation that the first pair is chosen by: errors, where any two correlate."""
    errors = relations.correlations.get("errors")
    return "errors" if errors is not None and np.triu(errors, 1).any() else "scores"


def draw_settings(view: View) -> None:
    """Draw one row of widgets: on which points, in which order, which pair."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key=f"{PLACE}.settings"):
        if view.has_test:
            _choice("Measured on", list(PARTS), "part", view.relations.part, PARTS)
        _choice(
            "Ordered by",
            [kind for kind in (*KINDS, "code") if kind in view.relations.orders],
            "sort",
            view.sort,
            TITLES,
        )
        labels = view.labels
        for side, name in enumerate(("Machine", "and machine")):
            _machine_choice(view, side, name, labels)


def _choice(label: str, options: list[str], field: str, now: str, titles: dict[str, str]) -> None:
    offered = offer(f"rel.{field}", now)

    def choose(value: str | None) -> None:
        if value is not None:
            state.select(**{field: value})

    st.segmented_control(
        label,
        options,
        key=offered.key,
        format_func=lambda option: titles[option],
        on_change=offered.chosen(choose),
        width="content",
    )


def _machine_choice(view: View, side: int, name: str, labels: list[str]) -> None:
    offered, other = offer(f"rel.machine{side}", view.pair[side]), view.pair[1 - side]

    def choose(machine: int) -> None:
        _pick(*((machine, other) if side == 0 else (other, machine)))

    st.selectbox(
        name,
        [b for b in range(view.relations.n_bits) if b != other],
        key=offered.key,
        format_func=lambda b: labels[b],
        on_change=offered.chosen(choose),
        width=195,
    )


def _pick(a: int, b: int) -> None:
    state.select(pair=f"{a},{b}")


# The heatmaps --------------------------------------------------------------------------------------


def draw_heatmaps(view: View) -> None:
    """Draw every kind of correlation in one common order, and say what is to be seen."""
    relations, theme = view.relations, theme_now()
    order = drawn_order(relations.orders[view.sort], view.pair)
    with st.container(key="trio"):
        for place, kind in zip(st.columns(len(relations.correlations)), relations.correlations, strict=True):
            a, b = view.pair
            r = relations.correlations[kind]
            with place:
                chart(
                    heatmap_figure(r, order, TITLES[kind], view.pair, theme),
                    key=f"{PLACE}.{kind}",
                    alt=f"Correlations of the machines' {says.NAMES[kind]}, {order.size} machines; machines "
                    f"{a + 1} and {b + 1} correlate {says.signed(float(r[a, b]))}.",
                    on_pick=partial(_on_cell, order.tolist()),
                )
    first, more = heatmap_words(view, order.size)
    st.html(f'<div class="eco-words"><b>{escape(first)}</b> <span>{escape(more)}</span></div>')
    csv_button(
        "Correlations as CSV", lambda: correlations_table(relations.correlations), key="rel.correlations.csv"
    )


def heatmap_words(view: View, n_drawn: int) -> tuple[str, str]:
    """Return the sentences under the heatmaps: the finding, and what else is to be said."""
    relations = view.relations
    kind = leading_kind(relations)
    pair = most_alike(relations, kind)
    first = says.alike_sentence(kind, pair, float(relations.correlations[kind][pair]))
    n = relations.truth.size
    points = words.count(n, "test point" if relations.part == "test" else "training point")
    more = [
        says.strength_sentence(relations.correlations),
        f"Scores and errors are measured on {points}.",
        *relations.missing.values(),
    ]
    if "relation" in relations.correlations:
        more.append("The learned relation is scaled to ones on its diagonal.")
    if n_drawn < relations.n_bits:
        more.append(f"{n_drawn} of {relations.n_bits:,} machines are drawn; at most {MAX_DRAWN} fit.")
    if n_drawn <= MAX_CLICKABLE:
        more.append("Click a cell to look at its two machines.")
    return first, " ".join(filter(None, more))


def _on_cell(order: list[int], picked: dict[str, Any]) -> None:
    x, y = picked.get("x"), picked.get("y")
    if not (isinstance(x, int | float) and isinstance(y, int | float)):
        return
    column, row = round(x), round(y)
    if 0 <= column < len(order) and 0 <= row < len(order) and column != row:
        _pick(order[row], order[column])


# The pair ------------------------------------------------------------------------------------------


def draw_code(view: View) -> None:
    """Draw the code matrix with the two columns, and what the machines get wrong together."""
    relations, (a, b) = view.relations, view.pair
    st.html(f'<div class="eco-title">Machines {a + 1} and {b + 1} in the code</div>')
    chart(
        code_figure(relations.code_matrix, view.classes, view.pair, theme_now()),
        key=f"{PLACE}.code",
        alt=f"The code matrix; columns {a + 1} and {b + 1} are outlined.",
    )
    if "errors" not in relations.correlations:
        return
    counts = joint_errors(relations.wrong, relations.asked, a, b)
    rows = [
        (f"<b>{name}</b>", *(f"{n:,}" for n in row), f"{sum(row):,}")
        for name, row in zip((f"{a + 1} right", f"{a + 1} wrong"), counts.tolist(), strict=True)
    ]
    rows.append(("", *(f"{n:,}" for n in counts.sum(axis=0).tolist()), f"{int(counts.sum()):,}"))
    st.html(
        html_table(
            ("", f"{b + 1} right", f"{b + 1} wrong", "all"),
            rows,
            alt="Points by what the two machines got right",
        )
    )
    said = says.joint_sentence(counts, view.pair)
    values = ", ".join(
        f"{says.NAMES[kind]} {says.signed(float(r[a, b]))}" for kind, r in relations.correlations.items()
    )
    st.html(
        f'<div class="eco-words"><b>{escape(said)}</b> <span>Correlations: {escape(values)}.</span></div>'
    )


def draw_scores(view: View) -> None:
    """Scatter the scores of the two machines."""
    relations, (a, b) = view.relations, view.pair
    st.html(f'<div class="eco-title">Scores of machines {a + 1} and {b + 1}</div>')
    parts = (relations.scores, relations.truth, relations.wrong, view.classes)
    chart(
        scores_figure(*parts, relations.code_matrix, view.pair, theme_now()),
        key=f"{PLACE}.pair",
        alt=f"Scores of machines {a + 1} and {b + 1} of {relations.truth.size} points, by class.",
    )
    said = (
        "The quadrant is what the two machines say together; the signs beside a class are what it asks for. "
        "Outlined points have a wrong bit, strongly outlined ones two."
    )
    n_drawn, n = thinned(relations.truth.size).size, relations.truth.size
    if n_drawn < n:
        said += f" {n_drawn:,} of {n:,} points are drawn."
    st.html(f'<div class="eco-words"><span>{said}</span></div>')
    csv_button("Scores as CSV", lambda: scores_table(*parts, view.pair), key="rel.scores.csv")
