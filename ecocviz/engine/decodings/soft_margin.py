"""Soft-margin decoding: the hinge loss the support vector machines were trained with."""

import numpy as np

from ecocviz.engine.entries import Decoding, Evidence
from ecocviz.engine.losses import WEIGHTING, by_weighting, entry_weights, loss_costs, loss_terms
from ecocviz.engine.references import PASSERINI_2004
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def _hinge(margins: FloatArray) -> FloatArray:
    loss: FloatArray = np.maximum(0.0, 1.0 - margins)
    return loss


def soft_margin_costs(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None, *, weighting: str = "loss-based"
) -> Costs:
    """Charge what a margin lacks to 1; an entry of 0 costs 1.

    Implements the soft-margin row of the decoder table of [Passerini2004]_: the distance of class q
    is the sum over s of max(0, 1 - m_qs f_s); with `weighting="loss-weighted"` the mean over
    non-zero entries.

    Symbols: m_qs -> code_matrix (n_classes, n_bits), f_s -> scores (n_samples, n_bits).

    Other systems halve the loss ("hinge").

    Examples
    --------
    >>> soft_margin_costs(np.array([[0.5, -2.0]]), np.array([[1, 1], [-1, 0]], dtype=np.int8)).tolist()
    [[3.5, 2.5]]
    """
    del evidence
    return loss_costs(scores, code_matrix, _hinge, entry_weights(code_matrix, weighting))


def soft_margin_terms(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None, *, weighting: str = "loss-based"
) -> FloatArray:
    """Return the summands of the cost, (n_samples, n_classes, n_bits)."""
    del evidence
    return loss_terms(scores, code_matrix, _hinge, entry_weights(code_matrix, weighting))


DECODING = Decoding(
    key="soft-margin",
    title="Soft margin",
    summary="Charges every machine that speaks for the class with less than full confidence.",
    costs=soft_margin_costs,
    terms=soft_margin_terms,
    reference=PASSERINI_2004,
    params=(WEIGHTING,),
    continuous=True,
    bound_rule=by_weighting,
    order=4,
)
