"""Ternary exhaustive code: one machine for every way to put some of the classes on two sides."""

from ecocviz.engine.entries import Coding
from ecocviz.engine.kernels.columns import count_ternary_columns, ternary_columns
from ecocviz.engine.references import ALLWEIN_2000
from ecocviz.engine.types import CodeMatrix


def ternary_complete(n_classes: int) -> CodeMatrix:
    """Build the ternary exhaustive code: each ternary dichotomy once.

    All columns that the ternary code matrices of [Allwein2000]_ can have, up to their sign; the last
    class that takes part is on the +1 side.

    Returns
    -------
    code_matrix : (n_classes, (3 ** n_classes - 2 ** (n_classes + 1) + 1) / 2)
        Entries in {-1, 0, +1}.

    Examples
    --------
    >>> ternary_complete(3).tolist()
    [[-1, -1, 0, 1, -1, -1], [1, -1, -1, -1, 0, 1], [0, 1, 1, 1, 1, 1]]
    """
    return ternary_columns(n_classes)


CODING = Coding(
    key="ternary-complete",
    title="Ternary exhaustive",
    summary="One machine for every way to put some classes on two sides and leave the others out; only for "
    "very few classes.",
    build=ternary_complete,
    n_bits=count_ternary_columns,
    reference=ALLWEIN_2000,
    ternary=True,
    max_classes=7,
    instead="sparse-random",
    order=5,
)
