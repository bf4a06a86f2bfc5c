"""Codes searched for distance: a random dense code, improved entry by entry."""

import numpy as np

from ecocviz.engine.entries import Coding
from ecocviz.engine.params import IntParam
from ecocviz.engine.random_codes import annealed_code, drawn_bits
from ecocviz.engine.references import DIETTERICH_1995
from ecocviz.engine.types import CodeMatrix


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
    return annealed_code(n_classes, _n_bits(n_classes, n_bits), sweeps, seed)


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
