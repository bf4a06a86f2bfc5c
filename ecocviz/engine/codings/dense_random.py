"""Dense random codes: every machine sees all classes, on sides drawn by coin."""

import numpy as np

from ecocviz.engine.entries import Coding
from ecocviz.engine.params import IntParam
from ecocviz.engine.random_codes import best_random_code, drawn_bits
from ecocviz.engine.references import ALLWEIN_2000
from ecocviz.engine.types import CodeMatrix


def dense_random(n_classes: int, n_bits: int = 0, trials: int = 1000, *, seed: int = 0) -> CodeMatrix:
    """Draw dense random codes and keep the one whose closest rows are farthest apart.

    Implements the dense random codes of [Allwein2000]_: entries -1 and +1 with probability 1/2
    each, ceil(10 log2 K) columns, the best of many draws by the minimum row distance.

    Differs from the paper: constant, repeated and complementary columns are drawn again rather than
    kept or dropped, because they are no machine or the same machine twice; the sign of each column
    is fixed by a +1 in the first row; among equal minimum distances the larger mean distance wins.

    Parameters
    ----------
    n_bits
        Number of columns; 0 means ceil(10 log2 K). Never fewer than ceil(log2 K), which are needed
        to tell the classes apart, nor more than the 2^(K-1) - 1 that exist.
    trials
        Number of draws to choose from (fewer for hundreds of classes, where each takes long).

    Returns
    -------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, +1}.

    Examples
    --------
    Four classes have only seven dense columns, so all of them are taken, in random order:

    >>> code_matrix = dense_random(4)
    >>> code_matrix.shape, sorted(code_matrix.sum(axis=0).tolist())
    ((4, 7), [-2, 0, 0, 0, 2, 2, 2])
    """
    if n_classes == 2:
        return np.array([[-1], [1]], dtype=np.int8)
    return best_random_code(
        n_classes,
        _n_bits(n_classes, n_bits),
        zero_share=0.0,
        trials=trials,
        rng=np.random.default_rng(seed),
    )


def _n_bits(n_classes: int, n_bits: int = 0, trials: int = 0) -> int:
    del trials
    return drawn_bits(n_classes, n_bits, 10, ternary=False)


CODING = Coding(
    key="dense-random",
    title="Dense random",
    summary="Every machine sees all classes, put on two sides by coin tosses; the best of many draws is "
    "kept.",
    build=dense_random,
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
            help="How many columns to draw; 0 is automatic: ten times log2 of the number of classes.",
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
    order=10,
)
