"""Linear decoding: the class whose codeword points along the scores."""

from functools import partial

import numpy as np

from ecocviz.engine.entries import Decoding, Evidence
from ecocviz.engine.losses import WEIGHTING, by_weighting, entry_weights, margin_terms
from ecocviz.engine.references import PASSERINI_2004
from ecocviz.engine.types import AnyCode, Costs, Scores


def linear_costs(
    scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None, *, weighting: str = "loss-based"
) -> Costs:
    """Charge each machine minus its margin; an entry of 0 costs nothing.

    Implements the linear row of the decoder table of [Passerini2004]_: the distance of class q is
    -sum over s of m_qs f_s; with `weighting="loss-weighted"` the mean over non-zero entries.

    Symbols: m_qs -> code_matrix (n_classes, n_bits), f_s -> scores (n_samples, n_bits).

    Other systems scale the loss to (1 - z) / 2: per entry one half plus half of this one.

    Examples
    --------
    >>> linear_costs(np.array([[0.5, -2.0]]), np.array([[1, 1], [-1, 0]], dtype=np.int8)).tolist()
    [[1.5, 0.5]]
    """
    del evidence
    weights = entry_weights(code_matrix, weighting)
    directions = np.asarray(code_matrix, dtype=np.float64) * (1.0 if weights is None else weights)
    costs: Costs = -(np.asarray(scores, dtype=np.float64) @ directions.T)
    return costs


DECODING = Decoding(
    key="linear",
    title="Linear",
    summary="Adds up how strongly each machine supports the class.",
    costs=linear_costs,
    terms=partial(margin_terms, np.negative),
    reference=PASSERINI_2004,
    params=(WEIGHTING,),
    continuous=True,
    bound_rule=by_weighting,
    order=3,
)
