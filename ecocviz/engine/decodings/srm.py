"""SRM decoding: soft decisions weighted by how reliable each machine is as a whole."""

import numpy as np

from ecocviz.engine.entries import Decoding, Evidence, by_borders, require
from ecocviz.engine.losses import soft_decisions
from ecocviz.engine.references import LIU_2005
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def srm_costs(scores: Scores, code_matrix: AnyCode, evidence: Evidence) -> Costs:
    """Decode reliability-weighted soft decisions linearly.

    Implements Eqs. 7 and 13 of [Liu2005]_: y_f = sign(f) (1 - exp(-|f|)) is weighted by the static
    reliability lambda_s of its machine, and the cost of class q is -sum over s of m_qs lambda_s y_s.

    Symbols: m_qs -> code_matrix (n_classes, n_bits), f_s -> scores (n_samples, n_bits), lambda ->
    evidence.reliabilities (n_bits,).

    Differs from the paper: it has one-vs-all codes only, where this decides like its arg max; and
    it leaves open how saturated decisions are told apart, which here is by their scores.

    Examples
    --------
    >>> code_matrix = np.array([[1, -1], [-1, 1]], dtype=np.int8)
    >>> evidence = Evidence(reliabilities=np.array([1.0, 0.5]))
    >>> srm_costs(np.array([[50.0, 60.0]]), code_matrix, evidence).round(4).tolist()
    [[-0.5, 0.5]]
    """
    weighted = soft_decisions(scores) * require(evidence, "reliabilities")
    costs: Costs = -(weighted @ np.asarray(code_matrix, dtype=np.float64).T)
    return costs


def srm_terms(scores: Scores, code_matrix: AnyCode, evidence: Evidence) -> FloatArray:
    """Return the summands of the cost, (n_samples, n_classes, n_bits)."""
    weighted = soft_decisions(scores) * require(evidence, "reliabilities")
    terms: FloatArray = -weighted[:, None, :] * np.asarray(code_matrix, dtype=np.float64)[None, :, :]
    return terms


DECODING = Decoding(
    key="srm",
    title="Static reliability (SRM)",
    summary="Weights each machine by how reliable it was in training overall.",
    costs=srm_costs,
    terms=srm_terms,
    reference=LIU_2005,
    needs=frozenset({"reliabilities"}),
    # A reliable machine that errs may outvote several unreliable ones.
    repairs=False,
    bound_rule=by_borders,
    order=50,
)
