"""A code matrix made by hand."""

import numpy as np

from ecocviz.engine.entries import Coding
from ecocviz.engine.params import PACKED_ALPHABET, TextParam, unpack_matrix
from ecocviz.engine.types import CodeMatrix

MAX_TEXT = 30_000
"""Longest packed matrix; 100,000 entries take 26,668 characters and the header."""


def custom(n_classes: int, matrix: str = "") -> CodeMatrix:
    """Read a hand-made code matrix from its packed text.

    Parameters
    ----------
    matrix
        What `ecocviz.engine.params.pack_matrix` wrote; empty for a matrix to start from, one machine
        per class against all others.

    Returns
    -------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, 0, +1}, as drawn: columns may repeat, and whether machines can be trained on
        it is checked where it is used.

    Examples
    --------
    >>> custom(2, "2.2.qA").tolist()
    [[1, -1], [-1, 1]]
    >>> custom(3).tolist()
    [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
    """
    if not matrix:
        return np.where(np.eye(n_classes, _n_bits(n_classes), k=-int(n_classes == 2)) > 0, 1, -1).astype(
            np.int8
        )
    code_matrix = unpack_matrix(matrix)
    if code_matrix.shape[0] != n_classes:
        raise ValueError(
            f"The hand-made matrix has {code_matrix.shape[0]} rows but the data have {n_classes} classes; "
            "add or remove rows, or choose other data."
        )
    return code_matrix


def _n_bits(n_classes: int, matrix: str = "") -> int:
    """Count the columns by the text's header; text that cannot be read is refused when it is built."""
    if not matrix:
        return n_classes if n_classes > 2 else 1
    columns = matrix.split(".")[1] if matrix.count(".") == 2 else ""
    return int(columns) if columns.isdecimal() and len(columns) <= 6 else 1


CODING = Coding(
    key="custom",
    title="Made by hand",
    summary="A code matrix of your own: click its entries, or paste it.",
    build=custom,
    n_bits=_n_bits,
    reference=None,
    params=(
        TextParam(
            name="matrix",
            label="Code matrix",
            default="",
            alphabet=PACKED_ALPHABET,
            max_length=MAX_TEXT,
            help="One row per class, one column per machine; each machine needs a +1 and a -1.",
        ),
    ),
    ternary=True,
    distinct_columns=False,
    order=90,
)
