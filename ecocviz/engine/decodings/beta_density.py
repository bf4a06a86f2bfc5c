"""Beta-density decoding: a pessimistic estimate of each class's share of right bits."""

import numpy as np
from scipy.special import betainc, betaincinv

from ecocviz.engine.entries import Decoding, Evidence
from ecocviz.engine.references import ESCALERA_2010
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def beta_density_costs(scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None) -> Costs:
    """Return one minus the pessimistic share of right bits.

    Implements pessimistic beta-density decoding of [Escalera2010]_: after a right and e wrong bits the
    share v of right ones has a density proportional to v^a (1 - v)^e with its mode at
    v* = a / (a + e); the score of the class is v* - s, where [v* - s, v*] holds a third of the area.
    Entries of 0 and scores of 0 count neither as right nor as wrong.

    Symbols: a, e, v*, s as above; right and wrong are by the signs of scores (n_samples, n_bits) and
    code_matrix (n_classes, n_bits).

    Differs from the paper: the area comes from the incomplete Beta function, because a grid makes
    ties; where the area left of the mode is less than a third, v* - s is 0.

    Examples
    --------
    >>> code_matrix = np.array([[1, 1], [1, 0]], dtype=np.int8)
    >>> beta_density_costs(np.array([[1.0, 1.0]]), code_matrix).round(4).tolist()
    [[0.1264, 0.1835]]
    """
    del evidence
    b, m = np.sign(np.asarray(scores, dtype=np.float64)), np.asarray(code_matrix, dtype=np.float64)
    known, balance = np.abs(b) @ np.abs(m).T, b @ m.T
    costs: Costs = 1.0 - pessimistic_shares((known + balance) / 2.0, (known - balance) / 2.0)
    return costs


def pessimistic_shares(right: FloatArray, wrong: FloatArray) -> FloatArray:
    """Return v* - s for counts of right and wrong bits, in any shape."""
    known = right + wrong
    # With nothing known the density is flat; its mode is taken where the shares start, at 0.
    mode = np.divide(right, known, out=np.zeros_like(known), where=known > 0)
    left = betainc(right + 1.0, wrong + 1.0, mode) - 1.0 / 3.0
    shares = betaincinv(right + 1.0, wrong + 1.0, np.maximum(left, 0.0))
    return np.asarray(shares, dtype=np.float64)


DECODING = Decoding(
    key="beta-density",
    title="Beta density (pessimistic)",
    summary="Estimates each class's share of right bits and takes the cautious end of the estimate.",
    costs=beta_density_costs,
    reference=ESCALERA_2010,
    hard=True,
    order=25,
)
