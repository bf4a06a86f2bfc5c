"""Voting: each machine votes for the classes on the side it chose."""

import numpy as np

from ecocviz.engine.entries import Decoding, Evidence
from ecocviz.engine.references import FRIEDMAN_1996
from ecocviz.engine.types import AnyCode, Costs, Scores


def voting_costs(scores: Scores, code_matrix: AnyCode, evidence: Evidence | None = None) -> Costs:
    """Return minus the votes, ties broken by the strength of the votes.

    Implements the voting of [Friedman1996]_ for any code: class q gets a vote from every machine s
    with m_qs f_s > 0; among classes with equally many, the larger sum of those |f_s| wins. The
    strength enters as a share of twice the sample's largest one, so it never outweighs a vote.

    Symbols: m_qs -> code_matrix (n_classes, n_bits), f_s -> scores (n_samples, n_bits).

    Differs from the paper: it treats one-vs-one codes only, where the machines are duels of two
    classes; with more classes on a side all of them get the vote.

    Examples
    --------
    >>> duels = np.array([[1, 1, 0], [-1, 0, 1], [0, -1, -1]], dtype=np.int8)
    >>> voting_costs(np.array([[1.0, -4.0, 2.0]]), duels).tolist()
    [[-1.125, -1.25, -1.5]]
    """
    del evidence
    f, m = np.asarray(scores, dtype=np.float64), np.asarray(code_matrix, dtype=np.float64)
    positive, negative = (m > 0).astype(np.float64), (m < 0).astype(np.float64)
    votes = (f > 0) @ positive.T + (f < 0) @ negative.T
    strength = np.maximum(f, 0.0) @ positive.T + np.maximum(-f, 0.0) @ negative.T
    largest = strength.max(axis=1, keepdims=True)
    share = np.divide(strength, 2.0 * largest, out=np.zeros_like(strength), where=largest > 0)
    costs: Costs = -(votes + share)
    return costs


DECODING = Decoding(
    key="voting",
    title="Voting",
    summary="Every machine votes for the side that it chose; how strongly it chose only breaks ties.",
    costs=voting_costs,
    reference=FRIEDMAN_1996,
    order=5,
)
