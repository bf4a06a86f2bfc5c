"""Exponential-loss decoding: the loss behind boosting."""

from ecocviz.engine.entries import Decoding, Evidence
from ecocviz.engine.losses import (
    WEIGHTING,
    by_weighting,
    entry_weights,
    exponential_loss,
    loss_costs,
    loss_terms,
)
from ecocviz.engine.references import ALLWEIN_2000
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def exponential_costs(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None, *, weighting: str = "loss-based"
) -> Costs:
    """Charge exp(-margin); an entry of 0 costs 1.

    Implements the exponential loss of [Allwein2000]_: the cost of class q is the sum over s of
    exp(-m_qs f_s); with `weighting="loss-weighted"` the mean over non-zero entries.

    Symbols: m_qs -> code_matrix (n_classes, n_bits), f_s -> scores (n_samples, n_bits).

    Other systems halve the loss.

    Differs from the paper: beyond a margin of -500 the loss follows its tangent, because costs must
    stay finite and still grow.

    Examples
    --------
    >>> import numpy as np
    >>> code_matrix = np.array([[1, 1], [-1, 0]], dtype=np.int8)
    >>> exponential_costs(np.array([[0.5, -2.0]]), code_matrix).round(3).tolist()
    [[7.996, 2.649]]
    """
    del evidence
    return loss_costs(scores, code_matrix, exponential_loss, entry_weights(code_matrix, weighting))


def exponential_terms(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None, *, weighting: str = "loss-based"
) -> FloatArray:
    """Return the summands of the cost, (n_samples, n_classes, n_bits)."""
    del evidence
    return loss_terms(scores, code_matrix, exponential_loss, entry_weights(code_matrix, weighting))


DECODING = Decoding(
    key="exponential",
    title="Exponential",
    summary="Punishes machines that speak firmly against the class, exponentially.",
    costs=exponential_costs,
    terms=exponential_terms,
    reference=ALLWEIN_2000,
    params=(WEIGHTING,),
    continuous=True,
    bound_rule=by_weighting,
    order=10,
)
