"""One-vs-all: each machine tells one class from all others."""

import numpy as np

from ecocviz.engine.entries import Coding
from ecocviz.engine.references import ALLWEIN_2000
from ecocviz.engine.types import CodeMatrix


def one_vs_all(n_classes: int) -> CodeMatrix:
    """Build the one-vs-all code, 2 I - 1 1^T.

    Returns
    -------
    code_matrix : (n_classes, n_classes)
        +1 on the diagonal, -1 elsewhere; a single column for two classes.

    Examples
    --------
    >>> one_vs_all(3).tolist()
    [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
    >>> one_vs_all(2).tolist()
    [[-1], [1]]
    """
    if n_classes == 2:
        return np.array([[-1], [1]], dtype=np.int8)
    return (2 * np.eye(n_classes, dtype=np.int8) - 1).astype(np.int8)


def _n_bits(n_classes: int) -> int:
    return n_classes if n_classes > 2 else 1


CODING = Coding(
    key="one-vs-all",
    title="One-vs-all",
    summary="One machine per class, against all the others.",
    build=one_vs_all,
    n_bits=_n_bits,
    reference=ALLWEIN_2000,
    order=1,
)
