"""Attenuated Hamming decoding: count the wrong bits among the machines that know the class."""

import numpy as np

from ecocviz.engine.entries import Decoding, Evidence, by_borders
from ecocviz.engine.losses import loss_costs, loss_terms, wrong_bits
from ecocviz.engine.references import ESCALERA_2010
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def _known(code_matrix: AnyCode) -> FloatArray:
    return np.abs(np.asarray(code_matrix, dtype=np.float64))


def attenuated_hamming_costs(scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None) -> Costs:
    """Count wrong bits where the entry is not 0; a score of 0 counts one half there.

    Implements attenuated Hamming decoding of [Escalera2010]_: the cost of class q is the sum over j
    of |m_qj| (1 - sign(m_qj f_j)) / 2.

    Symbols: m_qj -> code_matrix (n_classes, n_bits), f_j -> scores (n_samples, n_bits).

    Examples
    --------
    >>> code_matrix = np.array([[1, 1], [-1, 0]], dtype=np.int8)
    >>> attenuated_hamming_costs(np.array([[0.3, -2.0]]), code_matrix).tolist()
    [[1.0, 1.0]]
    """
    del evidence
    return loss_costs(scores, code_matrix, wrong_bits, _known(code_matrix))


def attenuated_hamming_terms(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None
) -> FloatArray:
    """Return the summands of the cost, (n_samples, n_classes, n_bits)."""
    del evidence
    return loss_terms(scores, code_matrix, wrong_bits, _known(code_matrix))


DECODING = Decoding(
    key="attenuated-hamming",
    title="Attenuated Hamming",
    summary="Counts the wrong bits, ignoring machines that never saw the class.",
    costs=attenuated_hamming_costs,
    terms=attenuated_hamming_terms,
    reference=ESCALERA_2010,
    hard=True,
    bound_rule=by_borders,
    order=22,
)
