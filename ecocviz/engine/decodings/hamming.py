"""Hamming decoding: count the machines that point to the wrong side."""

import numpy as np

from ecocviz.engine.entries import Decoding, Evidence, by_borders
from ecocviz.engine.references import PASSERINI_2004
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def hamming_costs(scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None) -> Costs:
    """Count wrong bits; an entry or a score of 0 counts one half.

    Implements the Hamming row of the decoder table of [Passerini2004]_: the distance of class q is
    the sum over s of (1 - sign(m_qs f_s)) / 2 with sign(0) = 0.

    Symbols: m_qs -> code_matrix (n_classes, n_bits), f_s -> scores (n_samples, n_bits).

    Differs from the paper: its Eq. 1 charges nothing where both entry and score are 0, because it
    compares the two directly; one half keeps the cost monotone in the score.

    Examples
    --------
    >>> hamming_costs(np.array([[0.3, -2.0]]), np.array([[1, 1], [-1, 0]], dtype=np.int8)).tolist()
    [[1.0, 1.5]]
    """
    del evidence
    agreement: Costs = np.sign(scores) @ np.sign(code_matrix).astype(np.float64).T
    return (code_matrix.shape[1] - agreement) / 2


def hamming_terms(scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None) -> FloatArray:
    """Return the summands of the cost, (n_samples, n_classes, n_bits)."""
    del evidence
    terms: FloatArray = (1 - np.sign(scores)[:, None, :] * np.sign(code_matrix)[None, :, :]) / 2
    return terms


DECODING = Decoding(
    key="hamming",
    title="Hamming",
    summary="Counts the wrong bits; strength does not matter.",
    costs=hamming_costs,
    terms=hamming_terms,
    reference=PASSERINI_2004,
    hard=True,
    bound_rule=by_borders,
    order=1,
)
