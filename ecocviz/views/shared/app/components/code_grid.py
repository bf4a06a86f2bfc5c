"""The code matrix as a clickable grid, and its text form."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ecocviz.engine.entries import MAX_BITS
from ecocviz.engine.types import CodeMatrix
from ecocviz.views.shared.app.components.assets import component
from ecocviz.views.shared.draw.code_picture import Marks
from ecocviz.views.shared.draw.theme import class_chips

_mount = component("code_grid")

_SIGNS = {"+": 1, "-": -1, "0": 0}


def write_rows(code_matrix: CodeMatrix) -> str:
    r"""Write a matrix as rows of +, - and 0.

    >>> write_rows(np.array([[1, 0], [-1, 1]], dtype=np.int8))
    '+0\n-+'
    """
    return "\n".join(
        "".join("+" if v > 0 else "-" if v < 0 else "0" for v in row) for row in code_matrix.tolist()
    )


def read_rows(text: str, n_classes: int) -> CodeMatrix:
    r"""Read what the grid sends; raise ValueError with a sentence if it is no such matrix.

    >>> read_rows("+0\n-+", 2).tolist()
    [[1, 0], [-1, 1]]
    """
    rows = text.split("\n")
    lengths = {len(row) for row in rows}
    if len(rows) != n_classes or len(lengths) != 1 or not set(text) <= {*_SIGNS, "\n"}:
        raise ValueError("The edited matrix cannot be read; undo the last change.")
    if not 1 <= lengths.pop() <= MAX_BITS:
        raise ValueError(f"A code matrix has 1 to {MAX_BITS:,} columns; remove some.")
    return np.array([[_SIGNS[sign] for sign in row] for row in rows], dtype=np.int8)


def code_grid(
    code_matrix: CodeMatrix,
    classes: Sequence[str],
    *,
    key: str,
    marks: Marks | None = None,
    rows: Sequence[int] | None = None,
    faults: Mapping[int, str] | None = None,
    row_faults: Mapping[int, str] | None = None,
    draft: bool = False,
    editable: bool = True,
    title: str = "Code matrix",
    on_edit: Callable[[], None],
) -> Any:  # noqa: ANN401 - Streamlit's own result object
    """Mount the grid; its state `matrix` is the edited matrix as `read_rows` reads it.

    `rows` are the classes of the rows, where these are not all classes in order; `faults` and
    `row_faults` say what is wrong with columns and rows, which are then marked.
    """
    numbers = tuple(range(len(classes)) if rows is None else rows)
    told = tuple((faults or {}).items()), tuple((row_faults or {}).items())
    code = tuple(write_rows(code_matrix).split("\n"))
    data = _grid_data(code, tuple(classes), numbers, marks, *told)
    flags = {"title": title, "draft": draft, "editable": editable}
    return _mount(key=key, data={**data, **flags}, on_matrix_change=on_edit)


Faults = tuple[tuple[int, str], ...]


@lru_cache(maxsize=256)
def _grid_data(
    code: tuple[str, ...],
    classes: tuple[str, ...],
    numbers: tuple[int, ...],
    marks: Marks | None,
    faults: Faults,
    row_faults: Faults,
) -> dict[str, Any]:
    """Return what the browser needs to draw a grid; tuples, which Streamlit takes as they are.

    A row of the code is a text of +, - and 0: a third of what a list of numbers takes.
    """
    return {
        "code": code,
        "classes": tuple(class_chips(classes, numbers)),
        "faults": dict(faults),
        "rowFaults": dict(row_faults),
        "bits": None if marks is None else marks.bits,
        "costs": None if marks is None else marks.costs,
        "winner": -1 if marks is None else marks.winner,
        "wrong": () if marks is None else marks.wrong,
        "tipping": () if marks is None else marks.tipping,
        "steps": () if marks is None else marks.steps,
        "costTitle": "" if marks is None else f"{marks.decoder} cost",
    }
