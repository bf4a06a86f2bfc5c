"""Logit decoding: the loss of logistic regression."""

import numpy as np

from ecocviz.engine.entries import Decoding, Evidence
from ecocviz.engine.losses import WEIGHTING, by_weighting, entry_weights, loss_costs, loss_terms
from ecocviz.engine.references import ALLWEIN_2000
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def _logit_loss(margins: FloatArray) -> FloatArray:
    loss: FloatArray = np.logaddexp(0.0, -margins)
    return loss


def logit_costs(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None, *, weighting: str = "loss-based"
) -> Costs:
    """Charge log(1 + exp(-margin)); an entry of 0 costs log 2.

    Implements a loss of the margin as in [Allwein2000]_: the cost of class q is the sum over s of
    log(1 + exp(-m_qs f_s)); with `weighting="loss-weighted"` the mean over non-zero entries. It is
    likelihood decoding with the fixed sigmoid A = -1, B = 0, but for entries of 0.

    Symbols: m_qs -> code_matrix (n_classes, n_bits), f_s -> scores (n_samples, n_bits).

    Other systems divide the loss by 2 log 2.

    Examples
    --------
    >>> logit_costs(np.array([[0.5, -2.0]]), np.array([[1, 1], [-1, 0]], dtype=np.int8)).round(4).tolist()
    [[2.601, 1.6672]]
    """
    del evidence
    return loss_costs(scores, code_matrix, _logit_loss, entry_weights(code_matrix, weighting))


def logit_terms(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None, *, weighting: str = "loss-based"
) -> FloatArray:
    """Return the summands of the cost, (n_samples, n_classes, n_bits)."""
    del evidence
    return loss_terms(scores, code_matrix, _logit_loss, entry_weights(code_matrix, weighting))


DECODING = Decoding(
    key="logit",
    title="Logit",
    summary="Charges nearly nothing for firm support, and in proportion for firm opposition.",
    costs=logit_costs,
    terms=logit_terms,
    reference=ALLWEIN_2000,
    params=(WEIGHTING,),
    continuous=True,
    bound_rule=by_weighting,
    order=11,
)
