"""One button on every code: similar classes get similar codewords, and the code before stays to compare."""

import streamlit as st

from ecocviz.engine.analysis.assignment import assign_rows
from ecocviz.engine.params import MAX_PACKED_ENTRIES
from ecocviz.views.code_matrix import words
from ecocviz.views.code_matrix.facts import Code, Problem
from ecocviz.views.code_matrix.text import write_coding
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.matrix_edit import adopt_matrix
from ecocviz.views.shared.draw.outside import literal

BUTTON = "code.assign"
UNCHANGED = "code.assign.unchanged"
HELP = (
    "Exchanges the rows so that classes whose points are near each other differ in few bits. The machines "
    "then have easier problems, and what the code promises stays the same. The code before is kept below, "
    "with the errors of both."
)


def draw_button(code: Code, problem: Problem, *, editable: bool) -> None:
    """Draw the button; it rests where the order of the rows does not matter or a class has several."""
    why = ""
    if not editable:
        why = "The rows of this code are not one for each class."
    elif code.code_matrix.size > MAX_PACKED_ENTRIES:
        why = f"A hand-made code may have {MAX_PACKED_ENTRIES:,} entries; this one has more."
    elif code.agreement is None:
        why = words.agreement_sentence(None)
    st.button(
        "Give similar classes similar codewords",
        icon=":material/swap_vert:",
        type="tertiary",
        key=BUTTON,
        disabled=bool(why),
        help=literal(why or HELP),
        on_click=_assign,
        args=(code, problem),
    )


def unchanged() -> str:
    """Return, once, the sentence that nothing was to be gained; "" otherwise."""
    return str(st.session_state.pop(UNCHANGED, ""))


def _assign(code: Code, problem: Problem) -> None:
    before = state.current().scenario
    found = assign_rows(code.code_matrix, problem.distances, seed=before.seed)
    if not found.changed:
        st.session_state[UNCHANGED] = words.assigned_sentence(found.before)
        return
    adopt_matrix(found.code_matrix)
    state.select(beside=write_coding(before.coding), errors="1")
