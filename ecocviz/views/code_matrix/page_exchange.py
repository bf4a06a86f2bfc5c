"""A matrix in and out of the Code matrix page: pasted, uploaded, saved, kept to compare."""

import streamlit as st

from ecocviz.views.code_matrix.facts import Code, Problem
from ecocviz.views.code_matrix.page_assign import draw_button
from ecocviz.views.code_matrix.text import matrix_table, read_matrix, write_coding
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.charts import csv_button
from ecocviz.views.shared.app.matrix_edit import adopt_matrix
from ecocviz.views.shared.app.said import caption, error

PLACE = "code"
REFUSED, TEXT = "code.refused", "code.text"


def draw_exchange(
    code: Code | None, problem: Problem, *, editable: bool = False, drafted: bool = False
) -> None:
    """Let the matrix out as CSV, another one in, and this one be kept for comparison."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"{PLACE}.exchange"):
        if state.is_offered("coding"):
            with st.popover(
                "Paste or upload", type="tertiary", icon=":material/upload:", key=f"{PLACE}.paste"
            ):
                _draw_paste(problem)
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
            help="Shows this code beside the one that you choose next.",
            on_click=lambda: state.select(beside=write_coding(state.current().scenario.coding)),
        )
        if not drafted and state.is_offered("coding"):
            draw_button(code, problem, editable=editable)


def _draw_paste(problem: Problem) -> None:
    """Take a matrix as text or as a file."""
    caption(
        f"One row for each of the {len(problem.classes)} classes; -1, 0 and 1 separated by commas, or "
        "lines such "
        "as +-0. With class names in the first column, the rows may come in any order."
    )
    st.text_area("Code matrix", key=TEXT, height=150, label_visibility="collapsed", placeholder="1,-1\n-1,1")
    st.file_uploader("or a CSV file", type=["csv", "tsv", "txt"], key=f"{PLACE}.file", max_upload_size=1)
    st.button("Use this matrix", key=f"{PLACE}.use", on_click=_take, args=(problem,))
    if st.session_state.get(REFUSED):
        error(st.session_state[REFUSED])


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
