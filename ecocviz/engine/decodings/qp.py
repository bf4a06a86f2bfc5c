"""Least-squares coupling: class probabilities from the machines' by a quadratic programme."""

import numpy as np
from scipy.special import expit

from ecocviz.engine.entries import Decoding, Evidence, require
from ecocviz.engine.kernels.posteriors import least_squares_posteriors
from ecocviz.engine.references import WU_2004
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def qp_probabilities(scores: Scores, code_matrix: AnyCode, evidence: Evidence) -> FloatArray:
    """Return the distribution that contradicts the machines' sigmoids least in squares.

    Implements the second approach of [Wu2004]_, extended from pairs to any code: minimise the sum
    over j of ((1 - r_j) p(P_j) - r_j p(N_j))^2.

    Symbols: r_j -> sigmoid of scores (n_samples, n_bits); P_j, N_j -> classes on the sides of
    machine j; p -> probabilities (n_samples, n_classes).

    Examples
    --------
    >>> duels = np.array([[1, 1, 0], [-1, 0, 1], [0, -1, -1]], dtype=np.int8)
    >>> evidence = Evidence(sigmoids=np.array([[-1.0, 0.0]] * 3))
    >>> qp_probabilities(np.log([[2.5, 5.0, 2.0]]), duels, evidence).round(4).tolist()
    [[0.625, 0.25, 0.125]]
    """
    sigmoids = require(evidence, "sigmoids")
    sides = expit(-(np.asarray(scores, dtype=np.float64) * sigmoids[:, 0] + sigmoids[:, 1]))
    return least_squares_posteriors(sides, code_matrix)


def qp_costs(scores: Scores, code_matrix: AnyCode, evidence: Evidence) -> Costs:
    """Return one minus the class probabilities, (n_samples, n_classes)."""
    costs: Costs = 1.0 - qp_probabilities(scores, code_matrix, evidence)
    return costs


DECODING = Decoding(
    key="qp",
    title="Least-squares coupling (QP)",
    summary="Finds the class probabilities that differ least, in squares, from the machines' own "
    "probabilities.",
    costs=qp_costs,
    probabilities=qp_probabilities,
    reference=WU_2004,
    needs=frozenset({"sigmoids"}),
    repairs=False,
    order=41,
)
