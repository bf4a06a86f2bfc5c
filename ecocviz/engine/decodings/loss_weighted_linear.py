"""Loss-weighted linear decoding (LLW): margins, weighted by how often each machine is right."""

import numpy as np

from ecocviz.engine.entries import Decoding, Evidence, by_endpoints
from ecocviz.engine.losses import HIT_WEIGHTS, hit_weights, loss_costs, loss_terms
from ecocviz.engine.references import ESCALERA_2010
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def loss_weighted_linear_costs(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence, *, weights: str = "paper"
) -> Costs:
    """Weight each machine's margin by how far it can be trusted.

    Implements loss-weighted decoding of [Escalera2010]_: the cost of class k is the sum over j of
    W_kj (-m_kj f_j), where W_kj is H_kj over the sum of H_kj' over j', and H_kj the share of class
    k's training points that machine j puts on the side the code asks for, 0 where m_kj = 0.
    With `weights="library"`, H_kj is |m_kj| times the machine's accuracy over both its sides.

    Symbols: m_kj -> code_matrix (n_classes, n_bits), f_j -> scores (n_samples, n_bits), H ->
    evidence.hit_rates (n_classes, n_bits) or evidence.accuracies (n_bits,).

    Differs from the paper: a class on which no machine is ever right gets equal weights, because
    the paper's would be 0 / 0.

    Examples
    --------
    >>> code_matrix = np.array([[1, 1], [-1, 0]], dtype=np.int8)
    >>> evidence = Evidence(hit_rates=np.array([[0.5, 1.0], [1.0, 0.0]]))
    >>> loss_weighted_linear_costs(np.array([[3.0, -1.5]]), code_matrix, evidence).round(4).tolist()
    [[0.0, 3.0]]
    """
    return loss_costs(scores, code_matrix, np.negative, hit_weights(code_matrix, evidence, weights))


def loss_weighted_linear_terms(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence, *, weights: str = "paper"
) -> FloatArray:
    """Return the summands of the cost, (n_samples, n_classes, n_bits)."""
    return loss_terms(scores, code_matrix, np.negative, hit_weights(code_matrix, evidence, weights))


DECODING = Decoding(
    key="loss-weighted-linear",
    title="Loss-weighted linear (LLW)",
    summary="Adds up margins, trusting machines by how often they were right in training.",
    costs=loss_weighted_linear_costs,
    terms=loss_weighted_linear_terms,
    reference=ESCALERA_2010,
    params=(HIT_WEIGHTS,),
    needs=frozenset({"hit_rates", "accuracies"}),
    # A trusted machine that errs may outvote several doubtful ones.
    repairs=False,
    bound_rule=by_endpoints,
    order=30,
)
