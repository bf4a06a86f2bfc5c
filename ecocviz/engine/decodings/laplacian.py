"""Laplacian decoding: the share of right bits, smoothed by one imagined right and one imagined wrong bit."""

import numpy as np

from ecocviz.engine.entries import Decoding, Evidence
from ecocviz.engine.references import ESCALERA_2010
from ecocviz.engine.types import AnyCode, Costs, Scores


def laplacian_costs(scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None) -> Costs:
    """Return the inverse of the smoothed share of right bits.

    Implements Laplacian decoding of [Escalera2010]_: (a + e + 2) / (a + 1) for a right and e wrong
    bits of the class. Entries of 0 and scores of 0 are neither.

    Symbols: a, e as above; right and wrong are by the signs of scores (n_samples, n_bits) and
    code_matrix (n_classes, n_bits).

    Examples
    --------
    >>> laplacian_costs(np.array([[0.3, -2.0]]), np.array([[1, 1], [1, 0]], dtype=np.int8)).tolist()
    [[2.0, 1.5]]
    """
    del evidence
    b, m = np.sign(np.asarray(scores, dtype=np.float64)), np.asarray(code_matrix, dtype=np.float64)
    known, balance = np.abs(b) @ np.abs(m).T, b @ m.T
    right = (known + balance) / 2.0
    costs: Costs = (known + 2.0) / (right + 1.0)
    return costs


DECODING = Decoding(
    key="laplacian",
    title="Laplacian",
    summary="Picks the class with the largest share of right bits, cautious where few machines know it.",
    costs=laplacian_costs,
    reference=ESCALERA_2010,
    hard=True,
    order=24,
)
