"""One-vs-one: each machine tells two classes apart and never sees the others."""

import numpy as np

from ecocviz.engine.entries import Coding
from ecocviz.engine.references import HASTIE_1998
from ecocviz.engine.types import CodeMatrix


def one_vs_one(n_classes: int) -> CodeMatrix:
    """Build the one-vs-one (all-pairs) code.

    Columns stand in the order (1,2), (1,3), ..., (1,K), (2,3), ..., (K-1,K), as in [Hastie1998]_.

    Returns
    -------
    code_matrix : (n_classes, n_classes * (n_classes - 1) / 2)
        In each column +1 for the first class of the pair, -1 for the second, 0 for all others; for
        two classes the second one is the +1, as in every coding here.

    Examples
    --------
    >>> one_vs_one(3).tolist()
    [[1, 1, 0], [-1, 0, 1], [0, -1, -1]]
    >>> one_vs_one(2).tolist()
    [[-1], [1]]
    """
    if n_classes == 2:
        return np.array([[-1], [1]], dtype=np.int8)
    first, second = np.triu_indices(n_classes, k=1)
    code_matrix = np.zeros((n_classes, first.size), dtype=np.int8)
    columns = np.arange(first.size)
    code_matrix[first, columns] = 1
    code_matrix[second, columns] = -1
    return code_matrix


def _n_bits(n_classes: int) -> int:
    return n_classes * (n_classes - 1) // 2


CODING = Coding(
    key="one-vs-one",
    title="One-vs-one",
    summary="One machine per pair of classes; it never sees the other classes.",
    build=one_vs_one,
    n_bits=_n_bits,
    reference=HASTIE_1998,
    ternary=True,
    instead="one-vs-all",
    order=2,
)
