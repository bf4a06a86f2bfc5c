"""What the Code matrix page shows: a code as a grid, what it promises and costs, and how it was found."""

from dataclasses import dataclass
from html import escape

import numpy as np
import streamlit as st

from ecocviz.engine.analysis.codes import MAX_COLUMN_TABLE, CodeReport, code_report, describe_code
from ecocviz.engine.catalogue import CODINGS
from ecocviz.engine.types import FloatArray
from ecocviz.lab.catalogue import REDUCTIONS, unused
from ecocviz.lab.jobs import Snapshot
from ecocviz.lab.run import refusal
from ecocviz.lab.scenario import Scenario
from ecocviz.views.code_matrix import figures as pictures
from ecocviz.views.code_matrix import words as says
from ecocviz.views.code_matrix.facts import (
    Code,
    Problem,
    code_of,
    is_learned,
    learn_code,
    learner,
    matrix_table,
    read_matrix,
    write_coding,
)
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.charts import chart, csv_button, html_table, theme_now
from ecocviz.views.shared.app.components.code_grid import code_grid, read_rows
from ecocviz.views.shared.app.job_panel import draw_panel, watch
from ecocviz.views.shared.app.matrix_edit import adopt_grid, adopt_matrix
from ecocviz.views.shared.app.said import said, sentence, title
from ecocviz.views.shared.draw import words

PLACE, GRID = "code", "code.grid"
WIDE = 22
"""A code with more columns takes the whole width."""
LISTED = 8
"""The table of more rows is folded."""
REFUSED, TEXT = "code.refused", "code.text"
MAX_FILE = 1_000_000
ROWS_SAY = "Machines that put two classes on opposite sides"
COLUMNS_SAY = "Classes that part two machines (one turned round if that is closer)"
SIZES_SAY = "Training points on either side; marked bars are columns that are faulty or occur twice."


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen; `code` is None until training has found it."""

    held: state.Session
    problem: Problem
    title: str
    code: Code | None
    snapshot: Snapshot | None
    draft: bool
    refused: str = ""
    """Why there is no such code for these data."""

    @property
    def busy(self) -> bool:
        """Whether training still looks for the code."""
        return self.snapshot is not None and not self.snapshot.state.over


def look(held: state.Session) -> View:
    """Gather the view; raise ValueError with a sentence where the data cannot be had."""
    problem = cache.problem(held.scenario)
    name = CODINGS[held.scenario.coding.key].title
    if held.draft is not None:
        code_matrix = read_rows(held.draft[0], len(problem.classes))
        return View(held, problem, name, code_of(code_matrix, problem), None, True)
    try:
        code, snapshot = find(f"{PLACE}.own", held.scenario)
    except ValueError as error:
        return View(held, problem, name, None, None, False, str(error))
    return View(held, problem, name, code, snapshot, False)


def find(place: str, scenario: Scenario) -> tuple[Code | None, Snapshot | None]:
    """Return a scenario's code as far as it is known, and the job that finds the rest."""
    code = cache.plain(scenario)
    if not is_learned(scenario):
        return code, None
    asked = learner(scenario)
    snapshot = watch(place, ("code", cache.text_key(asked)), lambda told: learn_code(asked, told.progress))
    found: Code | None = snapshot.result
    return found or code, snapshot


# The grid ------------------------------------------------------------------------------------------


def draw_grid(view: View) -> None:
    """Mount the grid with its faults marked, and say what is wrong with a draft."""
    code = view.code
    if view.snapshot is not None:
        draw_panel(f"{PLACE}.own", view.snapshot)
    if view.refused:
        st.error(view.refused)
        _draw_exchange(view)
    if code is None:
        return
    report = report_of(code)
    wide = report.n_bits > WIDE
    st.html(f"<style>{STACKED if wide else ''}/* the grid */</style>")
    code_grid(
        code.code_matrix,
        code.names,
        rows=code.classes.tolist(),
        faults=pictures.column_faults(report),
        row_faults=pictures.row_faults(report, code.names),
        key=GRID,
        draft=view.draft,
        editable=code.editable and len(code.names) == len(view.problem.classes),
        title=view.title,
        on_edit=_on_edit,
    )
    if view.draft and view.held.draft is not None:
        said(view.held.draft[1], "Until then all pages use the last code that could be trained.")
    scenario = view.held.scenario
    idle = unused("coding", REDUCTIONS[scenario.reduction.key]) or refusal(scenario)
    if idle:
        st.caption(idle)
    _draw_exchange(view)


STACKED = (
    ".st-key-split-code [data-testid='stHorizontalBlock'] { flex-wrap: wrap; }"
    ".st-key-split-code [data-testid='stHorizontalBlock'] > [data-testid='stColumn'] { min-width: 100%; }"
)


def report_of(code: Code) -> CodeReport:
    """Measure a code with the training points of its rows."""
    return code_report(code.code_matrix, code.counts)


def _on_edit() -> None:
    value = st.session_state.get(GRID)
    adopt_grid(None if value is None else value.get("matrix"))


def _draw_exchange(view: View) -> None:
    """Let the matrix out as CSV, another one in, and this one be kept for comparison."""
    code = view.code
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"{PLACE}.exchange"):
        with st.popover("Paste or upload", type="tertiary", icon=":material/upload:", key=f"{PLACE}.paste"):
            _draw_paste(view.problem)
        if code is None:
            return
        csv_button(
            "Matrix as CSV", lambda: matrix_table(code.code_matrix, code.names), key=f"{PLACE}.matrix.csv"
        )
        st.button(
            "Keep to compare",
            icon=":material/push_pin:",
            type="tertiary",
            key=f"{PLACE}.keep",
            help="Puts the present code beside whatever you change it to.",
            on_click=_keep,
        )


def _keep() -> None:
    state.select(beside=write_coding(state.session().scenario.coding))


def _draw_paste(problem: Problem) -> None:
    """Take a matrix as text or as a file."""
    st.caption(
        f"One row for each of the {len(problem.classes)} classes; -1, 0 and 1 between commas, or lines such "
        "as +-0. Class names in the first column put rows in order."
    )
    st.text_area("Code matrix", key=TEXT, height=150, label_visibility="collapsed", placeholder="1,-1\n-1,1")
    st.file_uploader("or a CSV file", type=["csv", "tsv", "txt"], key=f"{PLACE}.file", max_upload_size=1)

    def use() -> None:
        _take(problem)

    st.button("Use this matrix", key=f"{PLACE}.use", on_click=use)
    if st.session_state.get(REFUSED):
        st.error(st.session_state[REFUSED])


def _take(problem: Problem) -> None:
    """Read what was pasted, or else uploaded; a refusal leaves everything as it was."""
    text, file = st.session_state.get(TEXT, ""), st.session_state.get(f"{PLACE}.file")
    st.session_state[REFUSED] = None
    try:
        if not text.strip() and file is not None:
            try:
                text = file.getvalue().decode("utf-8-sig")
            except UnicodeDecodeError:
                raise ValueError("This file is not text; save the matrix as CSV in UTF-8.") from None
        code_matrix = read_matrix(text, problem.classes)
    except ValueError as error:
        st.session_state[REFUSED] = str(error)
        return
    adopt_matrix(code_matrix)


# What it promises ----------------------------------------------------------------------------------


def draw_report(view: View) -> None:
    """Say what the code can do, what it repairs in both meanings, and what training it costs."""
    if view.code is None:
        return
    report = report_of(view.code)
    title("What it promises")
    first, _, rest = describe_code(report).partition(". ")
    said(f"{first.rstrip('.')}.", rest)
    more = [
        says.zeros_sentence(report),
        says.balance_sentence(report),
        says.cost_sentence(report, int(view.problem.counts.sum())),
    ]
    said("", " ".join(more))
    meanings = says.repair_sentences(report)
    if meanings:
        with (
            st.container(key="plain-repairs"),
            st.expander("How many wrong bits it repairs, and why", expanded=True, key=f"{PLACE}.repairs"),
        ):
            st.html("".join(sentence(what, why) for what, why in meanings))


def draw_classes(view: View) -> None:
    """Draw the table of the classes under the grid."""
    if view.code is None:
        return
    report = report_of(view.code)
    if report.n_classes < 2:
        return
    with (
        st.container(key="plain-classes"),
        st.expander("Class by class", expanded=report.n_classes <= LISTED, key=f"{PLACE}.rows"),
    ):
        st.html(class_table(view.code, report))


def class_table(code: Code, report: CodeReport) -> str:
    """Write a table of the rows: points, machines that never see the class, repairs, the nearest class."""
    distances = report.row_distances + np.diag(np.full(report.n_classes, np.inf))
    rows: list[tuple[str, ...]] = []
    for r, name in enumerate(code.names):
        nearest = int(distances[r].argmin())
        repairs = says.value_text(float(report.class_repairs[r])) if report.class_repairs.size else "–"
        rows.append(
            (
                escape(name),
                f"{escape(code.names[nearest])} ({distances[r, nearest]:g})",
                f"{int(code.counts[r]):,}",
                f"{int(report.zeros_per_row[r]):,}",
                "–" if repairs.startswith("none") else repairs,
            )
        )
    return html_table(
        ("class", "nearest class (distance)", "points", "unseen by", "repairs*"),
        rows,
        alt="Every class: nearest class, training points, machines that never see it, repaired bits",
        texts=2,
    ) + sentence(
        "",
        "* Wrong bits that plain Hamming decoding repairs in a point of the class; – where it can miss the "
        "class even without any.",
    )


def _with_outlines(said: str, distances: FloatArray | None) -> str:
    """Say what outlines mean, where there are some."""
    some = distances is not None and pictures.outlined(distances)
    return f"{said}; closest outlined." if some else f"{said}."


def draw_distances(view: View) -> None:
    """Draw the distances of rows and of columns, and what every machine is shown."""
    if view.code is None:
        return
    code, report = view.code, report_of(view.code)
    drawn = cache.code_figures(code, report, theme_now())
    faults = pictures.column_faults(report)
    machines = [str(b + 1) for b in range(report.n_bits)]
    with st.container(key="trio"):
        first, second, third = st.columns(3)
    with first:
        title("Distances of rows (classes)", _with_outlines(ROWS_SAY, report.row_distances))
        chart(
            drawn.rows,
            key=f"{PLACE}.rows.figure",
            alt=f"Row distances of {words.count(report.n_classes, 'class', 'classes')}, "
            f"{report.min_distance:g} at least and {report.mean_distance:.3g} on average.",
        )
        csv_button(
            "Row distances as CSV",
            lambda: pictures.distances_table(report.row_distances, code.names, "class"),
            key=f"{PLACE}.rows.csv",
        )
    with second:
        table = report.column_distances
        title("Distances of columns (machines)", _with_outlines(COLUMNS_SAY, table))
        if table is None or drawn.columns is None:
            st.caption(f"Drawn for up to {MAX_COLUMN_TABLE} machines; this code has {report.n_bits:,}.")
        else:
            chart(
                drawn.columns,
                key=f"{PLACE}.columns.figure",
                alt=f"Column distances of {words.count(report.n_bits, 'machine')}, "
                f"{report.min_column_distance:g} at least.",
            )
            csv_button(
                "Column distances as CSV",
                lambda: pictures.distances_table(table, machines, "machine"),
                key=f"{PLACE}.columns.csv",
            )
    with third:
        title("What each machine is shown", SIZES_SAY)
        chart(
            drawn.sizes,
            key=f"{PLACE}.sizes.figure",
            alt=f"Points of {words.count(report.n_bits, 'machine')}, {report.linear_cost:,.0f} in all.",
        )
        csv_button(
            "Machines as CSV",
            lambda: pictures.sizes_table(code.code_matrix, code.counts, report, faults),
            key=f"{PLACE}.sizes.csv",
        )
