"""Quadratic decoding: the squared distance of every margin to 1."""

import numpy as np

from ecocviz.engine.entries import Decoding, Evidence, without_bound
from ecocviz.engine.losses import WEIGHTING, entry_weights, loss_costs, loss_terms
from ecocviz.engine.references import ALLWEIN_2000
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def _quadratic_loss(margins: FloatArray) -> FloatArray:
    loss: FloatArray = np.square(1.0 - margins)
    return loss


def quadratic_costs(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None, *, weighting: str = "loss-based"
) -> Costs:
    """Charge (1 - margin) squared; an entry of 0 costs 1.

    Implements the square loss of [Allwein2000]_: the cost of class q is the sum over s of
    (1 - m_qs f_s)^2; with `weighting="loss-weighted"` the mean over non-zero entries. Meant for
    scores within [-1, 1], such as 2 p - 1 for a probability p.

    Symbols: m_qs -> code_matrix (n_classes, n_bits), f_s -> scores (n_samples, n_bits).

    Other systems halve the loss.

    Examples
    --------
    >>> quadratic_costs(np.array([[0.5, -2.0]]), np.array([[1, 1], [-1, 0]], dtype=np.int8)).tolist()
    [[9.25, 3.25]]
    """
    del evidence
    return loss_costs(scores, code_matrix, _quadratic_loss, entry_weights(code_matrix, weighting))


def quadratic_terms(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None, *, weighting: str = "loss-based"
) -> FloatArray:
    """Return the summands of the cost, (n_samples, n_classes, n_bits)."""
    del evidence
    return loss_terms(scores, code_matrix, _quadratic_loss, entry_weights(code_matrix, weighting))


DECODING = Decoding(
    key="quadratic",
    title="Quadratic",
    summary="Wants every machine at exactly full confidence: too much is charged like too little.",
    costs=quadratic_costs,
    terms=quadratic_terms,
    reference=ALLWEIN_2000,
    params=(WEIGHTING,),
    continuous=True,
    # The loss rises again beyond a margin of 1, so no bound follows from monotone terms.
    bound_rule=without_bound,
    order=13,
)
