"""The Relations page: heatmaps of correlations, and one pair of machines in detail."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from ecocviz.engine.params import ChoiceParam
from ecocviz.lab.report import Report
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.selection import PART
from ecocviz.lab.to_keep import ToKeep, errors_to_keep
from ecocviz.lab.trained import Trained
from ecocviz.views.relations import figures, words
from ecocviz.views.relations.facts import SORT, Relations, drawn_order, picked_pair, picked_sort, relate
from ecocviz.views.relations.kept import found_relations
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.charts import chart, csv_button, html_table
from ecocviz.views.shared.app.components.heard import whole
from ecocviz.views.shared.app.room import keep
from ecocviz.views.shared.app.said import markup, said, title
from ecocviz.views.shared.app.stage import Section, Stage, Work, show_page
from ecocviz.views.shared.draw.build import thinned
from ecocviz.views.shared.draw.outside import Shown, literal, plain
from ecocviz.views.shared.draw.words import signed

PLACE = "relations"


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen."""

    scenario: Scenario
    seconds: float
    relations: Relations
    pair: tuple[int, int]
    sort: str


def _begin(session: state.Session) -> Callable[[Trained, Report], Relations]:
    return lambda trained, report: relate(trained, session.selection[PART], report)


def _gather(session: state.Session, trained: Trained, found: Relations) -> View:
    pair, sort = picked_pair(found, session.selection), picked_sort(found, session.selection)
    return View(session.scenario, trained.seconds, found, pair, sort)


STAGE = Stage(PLACE, (Work(PLACE, lambda session: session.selection[PART], _begin),), _gather)


def keeps(view: View) -> ToKeep:
    """Return the correlations of what is on the screen, to be kept."""
    found = partial(found_relations, view.scenario, view.relations, view.seconds)
    return errors_to_keep((view.scenario, view.relations.part), lambda: (found(),))


def draw(view: View) -> None:
    """Draw the heatmaps, and below them one pair of machines."""
    draw_settings(view)
    draw_heatmaps(view)
    with st.container(key="split"):
        left, right = st.columns([52, 56], gap="medium")
    with left:
        draw_code(view)
    with right:
        draw_scores(view)


# The settings --------------------------------------------------------------------------------------


def draw_settings(view: View) -> None:
    """Draw one row of widgets: on which points, in which order, which pair."""
    keep(f"{PLACE}.settings", 64)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key=f"{PLACE}.settings"):
        if view.relations.has_test:
            _choice("Measured on", PART, list(dict(PART.options)), view.relations.part)
        orders = [key for key, _ in SORT.options if key in view.relations.orders]
        _choice("Ordered by", SORT, orders, view.sort)
        labels = [words.machine_label(view.relations, b) for b in range(view.relations.n_bits)]
        for side, name in enumerate(("Machine", "and machine")):
            _machine_choice(view, side, name, labels)


def _choice(label: str, field: ChoiceParam, options: list[str], now: str) -> None:
    bound = bind(f"rel.{field.name}", now)

    def choose(value: str | None) -> None:
        if value is not None:
            state.select(**{field.name: value})

    st.segmented_control(
        literal(label),
        options,
        key=bound.key,
        format_func=lambda option: literal(dict(field.options)[option]),
        on_change=bound.on_change(choose),
        width="content",
    )


def _machine_choice(view: View, side: int, name: str, labels: list[str]) -> None:
    bound, other = bind(f"rel.machine{side}", view.pair[side]), view.pair[1 - side]

    def choose(machine: int) -> None:
        _pick(*((machine, other) if side == 0 else (other, machine)))

    st.selectbox(
        literal(name),
        [b for b in range(view.relations.n_bits) if b != other],
        key=bound.key,
        format_func=lambda b: plain(labels[b]),
        on_change=bound.on_change(choose),
        width=195,
    )


def _pick(a: int, b: int) -> None:
    state.select(pair=f"{a},{b}")


# The heatmaps --------------------------------------------------------------------------------------


def draw_heatmaps(view: View) -> None:
    """Draw every kind of correlation in one common order, and say what is to be seen."""
    relations, (a, b) = view.relations, view.pair
    order = drawn_order(relations.orders[view.sort], view.pair)
    with st.container(key="trio"):
        places = st.columns(len(relations.correlations))
    for place, (kind, r) in zip(places, relations.correlations.items(), strict=True):
        with place:
            chart(
                partial(figures.heatmap_figure, relations, kind, order, view.pair),
                key=f"{PLACE}.{kind}",
                alt=f"Correlations of the machines' {words.NAMES[kind]}, {order.size} machines; machines "
                f"{a + 1} and {b + 1} correlate {signed(float(r[a, b]))}.",
                on_pick=partial(_on_cell, order.tolist()),
            )
    clickable = order.size <= figures.MAX_CLICKABLE
    said(words.alike_sentence(relations), words.heatmaps_sentence(relations, order.size, clickable=clickable))
    csv_button(
        "Correlations as CSV", lambda: figures.correlations_table(relations), key="rel.correlations.csv"
    )


def _on_cell(order: list[int], picked: Mapping[str, Any]) -> None:
    column, row = (whole(picked.get(axis), high=len(order) - 1) for axis in ("x", "y"))
    if column != row:
        _pick(order[row], order[column])


# The pair ------------------------------------------------------------------------------------------


def draw_code(view: View) -> None:
    """Draw the code matrix with the two columns, and what the machines get wrong together."""
    relations, (a, b) = view.relations, view.pair
    title(f"Machines {a + 1} and {b + 1} in the code")
    chart(
        partial(figures.code_figure, relations, view.pair),
        key=f"{PLACE}.code",
        alt=f"The code matrix; columns {a + 1} and {b + 1} are outlined.",
    )
    if "errors" not in relations.correlations:
        return
    counts = relations.joint_errors(view.pair)
    rows = [
        (Shown(f"<b>{literal(name)}</b>"), *(f"{n:,}" for n in row), f"{sum(row):,}")
        for name, row in zip((f"{a + 1} right", f"{a + 1} wrong"), counts.tolist(), strict=True)
    ]
    rows.append(("", *(f"{n:,}" for n in counts.sum(axis=0).tolist()), f"{int(counts.sum()):,}"))
    head = ("", f"{b + 1} right", f"{b + 1} wrong", "all")
    markup(html_table(head, rows, alt="Points by what the two machines got right"))
    said(words.joint_sentence(counts, view.pair), words.correlations_sentence(relations, view.pair))


def draw_scores(view: View) -> None:
    """Scatter the scores of the two machines."""
    relations, (a, b) = view.relations, view.pair
    title(f"Scores of machines {a + 1} and {b + 1}")
    chart(
        partial(figures.scores_figure, relations, view.pair),
        key=f"{PLACE}.pair",
        alt=f"Scores of machines {a + 1} and {b + 1} of {relations.n} points, by class.",
    )
    said("", words.scores_sentence(thinned(relations.n).size, relations.n))
    csv_button("Scores as CSV", lambda: figures.scores_table(relations, view.pair), key="rel.scores.csv")


def show() -> None:
    """Draw the page."""
    show_page("relations", "Relations", Section(PLACE, STAGE.look, draw, keeps=keeps))
