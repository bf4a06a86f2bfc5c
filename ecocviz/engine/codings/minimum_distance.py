"""Codes searched for distance: a random dense code, improved entry by entry."""

import numpy as np

from ecocviz.engine.entries import Coding
from ecocviz.engine.kernels.columns import count_dense_columns, first_entry_positive
from ecocviz.engine.params import IntParam
from ecocviz.engine.random_codes import best_random_code, drawn_bits
from ecocviz.engine.references import DIETTERICH_1995
from ecocviz.engine.types import CodeMatrix

_DRAWS = 1000
"""Draws of the start: as many as a dense random code takes by default."""
_MAX_MOVES = 2_000_000
"""Flips tried at most: seconds, not minutes, for very large codes."""


def minimum_distance(n_classes: int, n_bits: int = 0, sweeps: int = 200, *, seed: int = 0) -> CodeMatrix:
    """Search a dense code whose closest rows are as far apart as possible.

    Starts from the best of 1000 dense random codes and flips single entries by simulated annealing.
    Never worse than that start, which is the dense random code of the same seed and length.

    Differs from the paper: [Dietterich1995]_ improves codes by randomised hill climbing over pairs
    of rows and columns with the closest and widest distances; here one energy weighs all row pairs,
    and columns only have to be different machines.

    Parameters
    ----------
    n_bits
        Number of columns; 0 means ceil(10 log2 K). Never fewer than ceil(log2 K), which are needed
        to tell the classes apart, nor more than the 2^(K-1) - 1 that exist.
    sweeps
        How many times each entry is tried on average.

    Returns
    -------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, +1}; the first row is all +1.

    Examples
    --------
    No eight rows of seven bits can all be more than four bits apart, and the search finds four:

    >>> code_matrix = minimum_distance(8, 7)
    >>> int(((7 - code_matrix @ code_matrix.T) / 2 + 7 * np.eye(8)).min())
    4
    """
    if n_classes == 2:
        return np.array([[-1], [1]], dtype=np.int8)
    # Imported here: listing the codings must not wait for the compiler.
    from ecocviz.engine.kernels.anneal import anneal  # noqa: PLC0415 - see above

    start = best_random_code(
        n_classes,
        _n_bits(n_classes, n_bits),
        zero_share=0.0,
        trials=_DRAWS,
        rng=np.random.default_rng(seed),
    )
    if start.shape[1] == count_dense_columns(n_classes):
        return start  # all columns that exist: nothing to choose
    rng = np.random.default_rng((seed, 1))
    n_moves = min(sweeps * start.size, _MAX_MOVES)
    cells = rng.integers(start.size, size=n_moves)
    return first_entry_positive(anneal(start, cells, rng.random(n_moves), 1.0, 0.01))


def _n_bits(n_classes: int, n_bits: int = 0, sweeps: int = 0) -> int:
    del sweeps
    return drawn_bits(n_classes, n_bits, 10, ternary=False)


CODING = Coding(
    key="minimum-distance",
    title="Searched for distance",
    summary="A dense code, changed entry by entry so that its closest codewords move apart.",
    build=minimum_distance,
    n_bits=_n_bits,
    reference=DIETTERICH_1995,
    params=(
        IntParam(
            name="n_bits",
            label="Machines",
            default=0,
            low=0,
            high=500,
            automatic=0,
            help="How many columns to search; 0 is automatic: ten times log2 of the number of classes.",
        ),
        IntParam(
            name="sweeps",
            label="Sweeps",
            default=200,
            low=1,
            high=1000,
            help="How often each entry is tried, on average; more takes longer and rarely finds more.",
        ),
    ),
    seeded=True,
    max_classes=128,
    instead="dense-random",
    order=14,
)
