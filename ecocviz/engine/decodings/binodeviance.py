"""Binomial-deviance decoding: the logistic loss of twice the margin, as in LogitBoost."""

import numpy as np

from ecocviz.engine.entries import Decoding, Evidence
from ecocviz.engine.losses import WEIGHTING, by_weighting, entry_weights, loss_costs, loss_terms
from ecocviz.engine.references import ALLWEIN_2000
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def _binodeviance_loss(margins: FloatArray) -> FloatArray:
    loss: FloatArray = np.logaddexp(0.0, -2.0 * margins)
    return loss


def binodeviance_costs(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None, *, weighting: str = "loss-based"
) -> Costs:
    """Charge log(1 + exp(-2 margin)); an entry of 0 costs log 2.

    Implements the logistic loss of [Allwein2000]_: the cost of class q is the sum over s of
    log(1 + exp(-2 m_qs f_s)); with `weighting="loss-weighted"` the mean over non-zero entries.

    Symbols: m_qs -> code_matrix (n_classes, n_bits), f_s -> scores (n_samples, n_bits).

    Other systems divide the loss by 2 log 2.

    Examples
    --------
    >>> code_matrix = np.array([[1, 1], [-1, 0]], dtype=np.int8)
    >>> binodeviance_costs(np.array([[0.5, -2.0]]), code_matrix).round(4).tolist()
    [[4.3314, 2.0064]]
    """
    del evidence
    return loss_costs(scores, code_matrix, _binodeviance_loss, entry_weights(code_matrix, weighting))


def binodeviance_terms(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None, *, weighting: str = "loss-based"
) -> FloatArray:
    """Return the summands of the cost, (n_samples, n_classes, n_bits)."""
    del evidence
    return loss_terms(scores, code_matrix, _binodeviance_loss, entry_weights(code_matrix, weighting))


DECODING = Decoding(
    key="binodeviance",
    title="Binomial deviance",
    summary="Like logit, but twice as sensitive: the loss behind LogitBoost.",
    costs=binodeviance_costs,
    terms=binodeviance_terms,
    reference=ALLWEIN_2000,
    params=(WEIGHTING,),
    continuous=True,
    bound_rule=by_weighting,
    order=12,
)
