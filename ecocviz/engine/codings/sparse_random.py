"""Sparse random codes: every machine sees about half of the classes, drawn at random."""

import numpy as np

from ecocviz.engine.entries import Coding
from ecocviz.engine.params import IntParam
from ecocviz.engine.random_codes import best_random_code, drawn_bits
from ecocviz.engine.references import ALLWEIN_2000
from ecocviz.engine.types import CodeMatrix


def sparse_random(n_classes: int, n_bits: int = 0, trials: int = 1000, *, seed: int = 0) -> CodeMatrix:
    """Draw sparse random codes and keep the one whose closest rows are farthest apart.

    Implements the sparse random codes of [Allwein2000]_: entries 0 with probability 1/2, -1 and +1
    with 1/4 each, ceil(15 log2 K) columns, the best of many draws by the minimum row distance. The
    distance of two rows is the number of machines that put one class on the + side and the other on
    the - side; it is never 0 here.

    Differs from the paper: one-sided, repeated and complementary columns are drawn again rather than
    kept or dropped, because they are no machine or the same machine twice; each column is turned so
    that its first entry that is not 0 is +1; among equal minimum distances the larger mean wins.

    Parameters
    ----------
    n_bits
        Number of columns; 0 means ceil(15 log2 K). Never fewer than ceil(log2 K), below which no
        two-valued code tells the classes apart, nor more than the (3^K - 2^(K+1) + 1) / 2 that exist.
    trials
        Number of draws to choose from (fewer for hundreds of classes, where each takes long).

    Returns
    -------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, 0, +1}.

    Examples
    --------
    Three classes have only six ternary columns, so all of them are taken, in random order:

    >>> code_matrix = sparse_random(3)
    >>> code_matrix.shape, sorted(np.abs(code_matrix).sum(axis=0).tolist())
    ((3, 6), [2, 2, 2, 3, 3, 3])
    """
    if n_classes == 2:
        return np.array([[-1], [1]], dtype=np.int8)
    return best_random_code(
        n_classes,
        _n_bits(n_classes, n_bits),
        zero_share=0.5,
        trials=trials,
        rng=np.random.default_rng(seed),
    )


def _n_bits(n_classes: int, n_bits: int = 0, trials: int = 0) -> int:
    del trials
    return drawn_bits(n_classes, n_bits, 15, ternary=True)


CODING = Coding(
    key="sparse-random",
    title="Sparse random",
    summary="Every machine sees about half of the classes, on random sides; the best of many draws is kept.",
    build=sparse_random,
    n_bits=_n_bits,
    reference=ALLWEIN_2000,
    params=(
        IntParam(
            name="n_bits",
            label="Machines",
            default=0,
            low=0,
            high=500,
            automatic=0,
            help="How many columns to draw; 0 is automatic: fifteen times log2 of the number of classes.",
        ),
        IntParam(
            name="trials",
            label="Draws",
            default=1000,
            low=1,
            high=10_000,
            help="How many codes are drawn; the one whose closest rows are farthest apart is kept.",
        ),
    ),
    seeded=True,
    ternary=True,
    order=11,
)
