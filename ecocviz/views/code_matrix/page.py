"""The Code matrix page: a code as a grid, what it promises and costs, and another one beside it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import pandas as pd
import streamlit as st

from ecocviz.engine.analysis.codes import describe_code
from ecocviz.engine.catalogue import CODINGS
from ecocviz.engine.params import ParamValue
from ecocviz.lab.catalogue import REDUCTIONS, why_unused
from ecocviz.lab.report import Report
from ecocviz.lab.run import why_not_run
from ecocviz.lab.scenario import Choice, Scenario, choose
from ecocviz.lab.to_keep import ToKeep, errors_to_keep
from ecocviz.views.code_matrix import words
from ecocviz.views.code_matrix.facts import (
    BESIDE,
    ERRORS,
    STEP,
    Code,
    Problem,
    code_of,
    is_built,
    is_learned,
    learned_code,
    learner,
    measures,
    plain_code,
    problem_of,
)
from ecocviz.views.code_matrix.kept import Trained, found_codes
from ecocviz.views.code_matrix.page_assign import unchanged
from ecocviz.views.code_matrix.page_errors import Errors, draw_errors, draw_gain, draw_switch, find_errors
from ecocviz.views.code_matrix.page_exchange import draw_exchange
from ecocviz.views.code_matrix.page_report import (
    draw_classes,
    draw_distances,
    draw_report,
    draw_story,
    draw_weights,
)
from ecocviz.views.code_matrix.text import read_coding, write_coding
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.charts import csv_button, html_table
from ecocviz.views.shared.app.components.code_grid import code_grid, read_rows
from ecocviz.views.shared.app.components.heard import told
from ecocviz.views.shared.app.job_panel import draw_panel
from ecocviz.views.shared.app.matrix_edit import adopt_grid
from ecocviz.views.shared.app.refusals import refuse
from ecocviz.views.shared.app.room import keep
from ecocviz.views.shared.app.said import caption, markup, said, sentence, style, title
from ecocviz.views.shared.app.saving_pictures import save_code
from ecocviz.views.shared.app.stage import Awaited, Scene, Section, computed, machines, show_page
from ecocviz.views.shared.app.widgets import param_widgets
from ecocviz.views.shared.draw.code_picture import Rows
from ecocviz.views.shared.draw.outside import Shown, plain

PLACE, GRID = "code", "code.grid"
WIDE = 22
"""A code with more columns takes the whole width."""
GRID_HEAD, GRID_ROW = 74, 21
"""Pixels of a grid's head and buttons, and of a row, kept free until it is there."""


@dataclass(frozen=True, slots=True)
class Found:
    """A code as far as it is known, what is awaited of it, and why there is none for these data.

    `seconds` is what training machines for it took, None where none were needed.
    """

    code: Code | None = None
    awaited: Awaited | None = None
    refused: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen; `other` is the second code, with the coding that makes it.

    `errors` is what both get wrong, where that is asked for.
    """

    session: state.Session
    problem: Problem
    own: Found
    other: tuple[Choice, Found] | None
    errors: Errors | None = None

    @property
    def title(self) -> str:
        """What the code is called."""
        return CODINGS[self.session.scenario.coding.key].title


# Looking ---------------------------------------------------------------------------------------------


def look(session: state.Session) -> Scene[View]:
    """Gather what is to be shown."""
    problem = find_problem(session.scenario)
    if isinstance(problem, Awaited):
        return Scene(None, problem)
    if session.draft is None:
        own = find(f"{PLACE}.own", session.scenario, problem)
    else:
        rows, key = session.draft[0], (session.draft[0], data_key(session.scenario))
        drafted = cache.remember(
            "code.draft", key, lambda: code_of(read_rows(rows, len(problem.classes)), problem)
        )
        own = Found(drafted)
    coding = read_coding(session.selection[BESIDE])
    if coding is None:
        return Scene(View(session, problem, own, None))
    other = find(f"{PLACE}.other", replace(session.scenario, coding=coding), problem)
    asked = session.selection[ERRORS] == "1" and session.draft is None
    errors = find_errors(session.scenario, coding) if asked else None
    return Scene(View(session, problem, own, (coding, other), errors))


def data_key(scenario: Scenario, *slots: str) -> str:
    """Return the text of what the classes and their training points depend on, and of other slots."""
    return cache.data_key(scenario, "preparation", "split", *slots)


def find_problem(scenario: Scenario) -> Problem | Awaited:
    """Return the classes of a scenario's data."""

    def work(report: Report) -> Problem:
        report.note("loading the data")
        return problem_of(scenario, cache.table(scenario))

    return computed(f"{PLACE}.problem", "code.problem", data_key(scenario), work)


def find(place: str, scenario: Scenario, problem: Problem) -> Found:
    """Return a scenario's code: built at once, or found by training."""
    plain: Code | None = None
    try:
        if is_built(scenario):
            built = find_plain(place, scenario, problem)
            if isinstance(built, Awaited):
                return Found(awaited=built)
            plain = built
        if not is_learned(scenario):
            return Found(plain)
        asked = learner(scenario)
        trained = machines(place, asked)
        if isinstance(trained, Awaited):
            return Found(plain, trained)
        key = cache.text_key(asked)
        code = cache.remember("code.learned", key, lambda: learned_code(trained.shown, plain))
        return Found(code, seconds=trained.seconds)
    except ValueError as error:
        return Found(plain, None, str(error))


def find_plain(place: str, scenario: Scenario, problem: Problem) -> Code | Awaited | None:
    """Return the code of a scenario that does not depend on data."""

    def work(report: Report) -> Code | None:
        report.note(f"building the code, {CODINGS[scenario.coding.key].title}")
        return plain_code(scenario, problem)

    return computed(f"{place}.plain", "code.plain", data_key(scenario, "coding"), work)


def keeps(view: View) -> ToKeep | None:
    """Return the codes that machines were trained for, and what both get wrong, to be kept."""
    session, decided = view.session, () if view.errors is None else view.errors.decided
    sides = [(session.scenario, view.own)]
    if view.other is not None:
        sides.append((replace(session.scenario, coding=view.other[0]), view.other[1]))
    trained = [
        Trained(one, found.code, found.seconds)
        for one, found in sides
        if session.draft is None and found.seconds is not None
    ]
    if view.errors is not None and decided:
        trained = [
            Trained(one, found.code, seconds, view.errors.part, outcome)
            for (one, found), outcome, seconds in zip(sides, decided, view.errors.seconds, strict=True)
        ]
    key = tuple((one.scenario, one.code is None, one.outcome is None) for one in trained)
    return errors_to_keep(key, lambda: found_codes(trained)) if trained else None


# Drawing ---------------------------------------------------------------------------------------------


def draw(view: View) -> None:
    """Draw the code, all that is known of it, and a second one."""
    code = view.own.code
    with st.container(key="split-code"):
        left, right = st.columns([57, 51], gap="medium")
    with left:
        draw_grid(view)
        if code is not None:
            draw_classes(code)
    if code is not None:
        with right:
            draw_report(code, int(view.problem.counts.sum()))
        draw_distances(code)
        draw_story(code, view.session.selection[STEP])
        if REDUCTIONS[view.session.scenario.reduction.key].continuous and view.session.draft is None:
            draw_weights(code, awaited=view.own.awaited is not None)
    st.divider()
    draw_comparison(view)


def draw_state(found: Found) -> None:
    """Say what is awaited of a code, or why there is none."""
    if found.awaited is not None:
        draw_panel(found.awaited.place, found.awaited.snapshot)
    if found.refused:
        refuse(found.refused, PLACE)


def draw_grid(view: View) -> None:
    """Mount the grid with its faults marked, and say what is wrong with a draft."""
    code, draft, scenario = view.own.code, view.session.draft, view.session.scenario
    draw_state(view.own)
    if code is None:
        if view.own.refused:
            draw_exchange(None, view.problem)
        return
    style(f"{STACKED if code.report.n_bits > WIDE else ''}/* the grid */")
    editable = is_editable(code, view.problem)
    mount(
        code, GRID, view.title, partial(_on_edit, len(code.names)), editable=editable, draft=draft is not None
    )
    if draft is not None:
        said(draft[1], "Until then all pages use the last code that could be trained.")
    nothing = unchanged()
    if nothing:
        said("", nothing)
    idle = why_unused("coding", REDUCTIONS[scenario.reduction.key]) or why_not_run(scenario)
    if idle:
        caption(idle)
    draw_exchange(code, view.problem, editable=editable, drafted=draft is not None)
    if view.errors is not None:
        draw_gain(view.errors)


def is_editable(code: Code, problem: Problem) -> bool:
    """Say whether a code may be changed and has one row for each class of the data."""
    return state.is_offered("coding") and code.editable and len(code.names) == len(problem.classes)


def mount(
    code: Code,
    key: str,
    title: str,
    on_edit: Callable[[], None],
    *,
    editable: bool = False,
    draft: bool = False,
) -> None:
    """Mount a grid with a code's faults marked."""
    keep(key, GRID_HEAD + GRID_ROW * len(code.names))
    rows, faults = words.row_faults(code.report, code.names), words.column_faults(code.report)
    code_grid(
        code.code_matrix,
        code.names,
        rows=code.classes.tolist(),
        faults=faults,
        row_faults=rows,
        key=key,
        draft=draft,
        editable=editable,
        title=title,
        on_edit=on_edit,
    )
    kinds = Rows(tuple(code.classes.tolist()), tuple(code.names), rows, faults)
    save_code(code.code_matrix, kinds, None, title=title, key=key)


STACKED = (
    ".st-key-split-code [data-testid='stHorizontalBlock'] { flex-wrap: wrap; }"
    ".st-key-split-code [data-testid='stHorizontalBlock'] > [data-testid='stColumn'] { min-width: 100%; }"
)


def _on_edit(n_rows: int) -> None:
    adopt_grid(told(GRID, "matrix"), n_rows)


# Two codings side by side ------------------------------------------------------------------------------


def draw_comparison(view: View) -> None:
    """Let the user choose a second coding and show both with the differences of their reports."""
    title("Two codings side by side")
    coding = None if view.other is None else view.other[0]
    key = f"{PLACE}.beside"
    st.session_state[key] = "" if coding is None else coding.key
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.selectbox(
            "Compare with",
            ["", *CODINGS],
            key=key,
            format_func=lambda k: plain(CODINGS[k].title if k else "Nothing"),
            on_change=lambda: state.select(beside=st.session_state[key]),
            width=340,
        )
        if coding is not None and CODINGS[coding.key].params:
            with st.popover("Settings", key=f"{PLACE}.beside.settings"):
                param_widgets(f"beside.{PLACE}", CODINGS[coding.key].params, coding, _on_setting)
        if coding is not None and view.session.draft is None:
            draw_switch()
    if view.other is None:
        return
    if view.errors is not None:
        draw_errors(view.errors)
    found = view.other[1]
    draw_state(found)
    if found.code is not None:
        _draw_other(view, found.code, CODINGS[view.other[0].key].title)


def _on_setting(name: str, value: ParamValue) -> None:
    other = read_coding(state.current().selection[BESIDE])
    if other is not None:
        state.select(beside=write_coding(choose("coding", other.key, dict(other.params) | {name: value})))


def _draw_other(view: View, code: Code, title: str) -> None:
    with st.container(key="split-other"):
        left, right = st.columns([57, 51], gap="medium")
    with left:
        mount(code, f"{PLACE}.other.grid", title, lambda: None)
        said("", describe_code(code.report))
    if view.own.code is None:
        return
    titles = ("the code above", title if title != view.title else f"the other {title}")
    first, second = measures(view.own.code.report), measures(code.report)
    rows: list[tuple[str, ...]] = [
        (
            name,
            words.value_text(value),
            words.value_text(second[name]),
            words.difference(value, second[name]),
        )
        for name, value in first.items()
    ]
    table = html_table(("", "above", "beside", "difference"), rows, alt="Both codes and their differences")
    differences = pd.DataFrame(
        {"measure": [*first], "above": [*first.values()], "beside": [*second.values()]}
    )
    with right:
        compared = sentence(words.comparison_sentence(titles, first, second))
        markup(Shown(f'<div class="eco-wrap">{table}</div>{compared}'))
        csv_button("Differences as CSV", lambda: differences, key=f"{PLACE}.other.csv")


def show() -> None:
    """Draw the page."""
    show_page("code_matrix", "Code matrix", Section(PLACE, look, draw, keeps=keeps))
