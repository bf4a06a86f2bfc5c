"""Exhaustive code: one machine for every way to put all classes on two sides."""

import numpy as np

from ecocviz.engine.entries import Coding
from ecocviz.engine.kernels.columns import count_dense_columns, dense_columns
from ecocviz.engine.references import DIETTERICH_1995
from ecocviz.engine.types import CodeMatrix


def binary_complete(n_classes: int) -> CodeMatrix:
    """Build the exhaustive code: each of the 2^(K-1) - 1 dense dichotomies once.

    Implements the exhaustive codes of [Dietterich1995]_. Every two rows differ in 2^(K-2) columns.

    Differs from the paper: the columns stand in the reverse order, because the same set is better
    known from other software in this order: the first column singles out the last class, the last
    column the first class.

    Returns
    -------
    code_matrix : (n_classes, 2 ** (n_classes - 1) - 1)
        Entries in {-1, +1}; the first row is all +1 (with two classes the second one is the +1).

    Examples
    --------
    >>> for codeword in binary_complete(4).tolist():
    ...     print(*(f"{entry:2d}" for entry in codeword))
     1  1  1  1  1  1  1
     1  1  1 -1 -1 -1 -1
     1 -1 -1  1  1 -1 -1
    -1  1 -1  1 -1  1 -1
    """
    if n_classes == 2:
        return np.array([[-1], [1]], dtype=np.int8)
    return dense_columns(n_classes)


CODING = Coding(
    key="binary-complete",
    title="Exhaustive",
    summary="One machine for every way to split all classes into two sides; only for few classes.",
    build=binary_complete,
    n_bits=count_dense_columns,
    reference=DIETTERICH_1995,
    max_classes=11,
    instead="dense-random",
    order=4,
)
