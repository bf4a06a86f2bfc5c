"""Ordinal code: each machine tells the classes up to a threshold from those above it."""

import numpy as np

from ecocviz.engine.entries import Coding
from ecocviz.engine.references import FRANK_2001
from ecocviz.engine.types import CodeMatrix


def ordinal(n_classes: int) -> CodeMatrix:
    """Build the ordinal (thermometer) code, for classes that have an order.

    Implements the threshold questions "is the class above j?" of [Frank2001]_: in column j the
    rows 1..j are -1, the rows above are +1.

    Returns
    -------
    code_matrix : (n_classes, n_classes - 1)
        Entries in {-1, +1}.

    Examples
    --------
    >>> ordinal(4).tolist()
    [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [1, 1, 1]]
    """
    above = np.arange(n_classes)[:, None] > np.arange(n_classes - 1)[None, :]
    return np.where(above, 1, -1).astype(np.int8)


def _n_bits(n_classes: int) -> int:
    return n_classes - 1


CODING = Coding(
    key="ordinal",
    title="Ordinal",
    summary="One machine per threshold between neighbouring classes; for classes that have an order.",
    build=ordinal,
    n_bits=_n_bits,
    reference=FRANK_2001,
    order=3,
)
