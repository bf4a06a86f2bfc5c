"""Inverse Hamming decoding: the mixture of classes that would be as far from every codeword as we are."""

import numpy as np

from ecocviz.engine.entries import Decoding, Evidence
from ecocviz.engine.references import ESCALERA_2010
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores

DECIMALS = 9
"""Costs are rounded to this many decimals."""


def inverse_hamming_costs(scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None) -> Costs:
    """Solve D q = l for the weights q of the classes and return -q.

    Implements inverse Hamming decoding of [Escalera2010]_: D_ab is the Hamming distance of the
    codewords of classes a and b, l_a that of the hard outputs to codeword a; the class of largest q wins.

    Symbols: D, l as above, code_matrix (n_classes, n_bits), hard outputs -> signs of the scores.

    Differs from the paper: D q = l is solved by least squares of least norm, because D is singular
    when there are many more classes than bits; the answer is rounded to nine decimals, so that exact
    ties go to the lowest class and not to rounding errors.

    Examples
    --------
    >>> code_matrix = np.array([[1, -1, -1], [-1, 1, -1], [-1, -1, 1]], dtype=np.int8)
    >>> inverse_hamming_costs(np.array([[-0.2, 0.9, -3.0]]), code_matrix).tolist()
    [[0.0, -1.0, 0.0]]
    """
    del evidence
    codewords = np.asarray(code_matrix, dtype=np.float64)
    between: FloatArray = np.abs(codewords[:, None, :] - codewords[None, :, :]).sum(axis=2) / 2.0
    # A score of 0 counts one half for every class, as in Hamming decoding.
    to_codewords = (codewords.shape[1] - np.sign(scores) @ codewords.T) / 2.0
    weights = to_codewords @ np.linalg.pinv(between, hermitian=True)
    # Adding 0 turns -0 into 0.
    costs: Costs = np.round(-weights, DECIMALS) + 0.0
    return costs


DECODING = Decoding(
    key="inverse-hamming",
    title="Inverse Hamming",
    summary="Finds the mixture of classes whose distances to all codewords match the ones observed.",
    costs=inverse_hamming_costs,
    reference=ESCALERA_2010,
    hard=True,
    repairs=False,
    order=23,
)
