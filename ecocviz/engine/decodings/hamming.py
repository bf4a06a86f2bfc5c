"""Hamming decoding: count the machines that point to the wrong side."""

import numpy as np

from ecocviz.engine.entries import Decoding, Evidence
from ecocviz.engine.losses import WEIGHTING, by_weighting, entry_weights, loss_costs, loss_terms
from ecocviz.engine.references import PASSERINI_2004
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def _wrong(margins: FloatArray) -> FloatArray:
    loss: FloatArray = (1.0 - np.sign(margins)) / 2.0
    return loss


def hamming_costs(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None, *, weighting: str = "loss-based"
) -> Costs:
    """Count wrong bits; an entry or a score of 0 counts one half.

    Implements the Hamming row of the decoder table of [Passerini2004]_: the distance of class q is
    the sum over s of (1 - sign(m_qs f_s)) / 2 with sign(0) = 0; with `weighting="loss-weighted"` the
    mean over non-zero entries, the share of wrong bits.

    Symbols: m_qs -> code_matrix (n_classes, n_bits), f_s -> scores (n_samples, n_bits).

    Differs from the paper: its Eq. 1 charges nothing where both entry and score are 0, because it
    compares the two directly; one half keeps the cost monotone in the score.

    Examples
    --------
    >>> hamming_costs(np.array([[0.3, -2.0]]), np.array([[1, 1], [-1, 0]], dtype=np.int8)).tolist()
    [[1.0, 1.5]]
    """
    del evidence
    return loss_costs(scores, code_matrix, _wrong, entry_weights(code_matrix, weighting))


def hamming_terms(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None, *, weighting: str = "loss-based"
) -> FloatArray:
    """Return the summands of the cost, (n_samples, n_classes, n_bits)."""
    del evidence
    return loss_terms(scores, code_matrix, _wrong, entry_weights(code_matrix, weighting))


DECODING = Decoding(
    key="hamming",
    title="Hamming",
    summary="Counts the wrong bits; strength does not matter.",
    costs=hamming_costs,
    terms=hamming_terms,
    reference=PASSERINI_2004,
    params=(WEIGHTING,),
    hard=True,
    bound_rule=by_weighting,
    order=1,
)
