"""DRM decoding: soft decisions weighted by how reliable each machine is near the sample."""

import numpy as np

from ecocviz.engine.entries import Decoding, Evidence, require, without_bound
from ecocviz.engine.losses import soft_decisions
from ecocviz.engine.params import IntParam
from ecocviz.engine.references import LIU_2005
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def drm_costs(scores: Scores, code_matrix: AnyCode, evidence: Evidence, n_neighbors: int = 5) -> Costs:
    """Decode reliability-weighted soft decisions linearly.

    Implements Eqs. 12 and 13 of [Liu2005]_: y_f = sign(f) (1 - exp(-|f|)) is weighted by the dynamic
    reliability lambda_s of its machine, and the cost of class q is -sum over s of m_qs lambda_s y_s.

    Symbols: m_qs -> code_matrix (n_classes, n_bits), f_s -> scores (n_samples, n_bits), lambda ->
    evidence.local_reliabilities (n_samples, n_bits).

    Differs from the paper: it has one-vs-all codes only, where this decides like its arg max; and
    it leaves open how saturated decisions are told apart, which here is by their scores.

    Examples
    --------
    >>> code_matrix = np.array([[1, -1], [-1, 1]], dtype=np.int8)
    >>> evidence = Evidence(local_reliabilities=np.array([[1.0, 0.5]]))
    >>> drm_costs(np.array([[50.0, 60.0]]), code_matrix, evidence).round(4).tolist()
    [[-0.5, 0.5]]
    """
    del n_neighbors  # has done its work where the reliabilities were gathered
    weighted = soft_decisions(scores) * require(evidence, "local_reliabilities")
    costs: Costs = -(weighted @ np.asarray(code_matrix, dtype=np.float64).T)
    return costs


def drm_terms(scores: Scores, code_matrix: AnyCode, evidence: Evidence, n_neighbors: int = 5) -> FloatArray:
    """Return the summands of the cost, (n_samples, n_classes, n_bits)."""
    del n_neighbors
    weighted = soft_decisions(scores) * require(evidence, "local_reliabilities")
    terms: FloatArray = -weighted[:, None, :] * np.asarray(code_matrix, dtype=np.float64)[None, :, :]
    return terms


DECODING = Decoding(
    key="drm",
    title="Dynamic reliability (DRM)",
    summary="Weights each machine by how reliable it is near the point to be classified.",
    costs=drm_costs,
    terms=drm_terms,
    reference=LIU_2005,
    params=(
        IntParam(
            name="n_neighbors",
            label="Neighbours",
            default=5,
            low=1,
            high=100,
            help="Number of nearby training points by which a machine is judged.",
        ),
    ),
    needs=frozenset({"local_reliabilities"}),
    # A reliable machine that errs may outvote several unreliable ones.
    repairs=False,
    # The weights depend on the side the machine takes and on the neighbours of the left-out point.
    bound_rule=without_bound,
    order=51,
)
