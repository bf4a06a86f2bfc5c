"""A hand-made code matrix on its way into the scenario: from the grid, pasted text or a file."""

from ecocviz.engine.catalogue import CODINGS
from ecocviz.engine.entries import check_code_matrix
from ecocviz.engine.params import TextParam, pack_matrix
from ecocviz.engine.types import CodeMatrix
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.components.code_grid import read_rows, write_rows

HAND_MADE = next(
    key for key, coding in CODINGS.items() if any(isinstance(p, TextParam) for p in coding.params)
)
"""The coding that takes any matrix."""


def adopt_matrix(code_matrix: CodeMatrix) -> None:
    """Make a matrix (n_classes, n_bits) the scenario's code, or keep it as a draft with what is wrong."""
    session = state.current()
    if not state.is_offered("coding"):  # not even as a draft
        return
    try:
        checked = check_code_matrix(code_matrix)
    except ValueError as error:
        session.draft = (write_rows(code_matrix), str(error))
        return
    state.set_slot("coding", HAND_MADE, matrix=pack_matrix(checked))
    session.draft = None


def adopt_grid(event: object, n_rows: int) -> None:
    """Take over what a code grid of so many rows sends: rows of +, - and 0."""
    if not isinstance(event, str):
        return
    session = state.current()
    try:
        code_matrix = read_rows(event, n_rows)
    except ValueError as error:
        if session.draft is not None:  # what cannot even be shown leaves the last draft in place
            session.draft = (session.draft[0], str(error))
        return
    adopt_matrix(code_matrix)
