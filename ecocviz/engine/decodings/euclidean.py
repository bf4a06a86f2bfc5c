"""Euclidean decoding: the nearest codeword in the space of scores."""

from ecocviz.engine.entries import Decoding, Evidence, by_borders
from ecocviz.engine.losses import distance_costs, distance_terms
from ecocviz.engine.references import ESCALERA_2010
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def euclidean_costs(scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None) -> Costs:
    """Return the squared distance from the scores to every codeword.

    Implements Euclidean decoding of [Escalera2010]_: the sum over j of (f_j - m_qj)^2. For codes
    without zeros it decides like linear decoding.

    Symbols: m_qj -> code_matrix (n_classes, n_bits), f_j -> scores (n_samples, n_bits).

    Differs from the paper: the square root is left out, because squares are ordered alike and add up
    over machines, so that each machine's part can be shown and bounded.

    Examples
    --------
    >>> import numpy as np
    >>> euclidean_costs(np.array([[1.0, -2.0]]), np.array([[1, 1], [-1, 0]], dtype=np.int8)).tolist()
    [[9.0, 8.0]]
    """
    del evidence
    return distance_costs(scores, code_matrix)


def euclidean_terms(scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None) -> FloatArray:
    """Return the summands of the cost, (n_samples, n_classes, n_bits)."""
    del evidence
    return distance_terms(scores, code_matrix)


DECODING = Decoding(
    key="euclidean",
    title="Euclidean",
    summary="Picks the codeword nearest to the scores.",
    costs=euclidean_costs,
    terms=euclidean_terms,
    reference=ESCALERA_2010,
    continuous=True,
    # No term is monotone, but the difference of two classes' terms is linear in the score and grows
    # with the true class's margin, which is all that the bound needs.
    bound_rule=by_borders,
    order=20,
)
