"""Attenuated Euclidean decoding: the nearest codeword, seen by the machines that know the class."""

import numpy as np

from ecocviz.engine.entries import Decoding, Evidence, without_bound
from ecocviz.engine.losses import distance_costs, distance_terms
from ecocviz.engine.references import ESCALERA_2010
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def attenuated_euclidean_costs(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None
) -> Costs:
    """Return the squared distance from the scores to every codeword over its non-zero entries.

    Implements attenuated Euclidean decoding of [Escalera2010]_: the sum over j of
    |m_qj| (f_j - m_qj)^2.

    Symbols: m_qj -> code_matrix (n_classes, n_bits), f_j -> scores (n_samples, n_bits).

    Differs from the paper: the square root is left out, because squares are ordered alike and add
    up over machines; and no factor |f_j| is applied, because real scores would lose the meaning of a
    distance (for outputs of -1 and +1 there is no difference).

    Examples
    --------
    >>> code_matrix = np.array([[0, 1, 1]], dtype=np.int8)
    >>> attenuated_euclidean_costs(np.array([[1.0, -1.0, 1.0]]), code_matrix).tolist()
    [[4.0]]
    """
    del evidence
    return distance_costs(scores, code_matrix, np.abs(np.asarray(code_matrix, dtype=np.float64)))


def attenuated_euclidean_terms(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None
) -> FloatArray:
    """Return the summands of the cost, (n_samples, n_classes, n_bits)."""
    del evidence
    return distance_terms(scores, code_matrix, np.abs(np.asarray(code_matrix, dtype=np.float64)))


DECODING = Decoding(
    key="attenuated-euclidean",
    title="Attenuated Euclidean",
    summary="Picks the nearest codeword, ignoring machines that never saw the class.",
    costs=attenuated_euclidean_costs,
    terms=attenuated_euclidean_terms,
    reference=ESCALERA_2010,
    continuous=True,
    # A machine that only one of two classes uses contributes (f - m)^2, which is not monotone.
    bound_rule=without_bound,
    order=21,
)
