"""Pairwise coupling: the class probabilities that agree best with what the machines say."""

import numpy as np
from scipy.special import expit

from ecocviz.engine.entries import Decoding, Evidence, require
from ecocviz.engine.kernels.posteriors import couple
from ecocviz.engine.references import HASTIE_1998
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def kl_probabilities(scores: Scores, code_matrix: AnyCode, evidence: Evidence) -> FloatArray:
    """Return the distribution of least Kullback-Leibler divergence from the machines' sigmoids.

    Implements pairwise coupling of [Hastie1998]_, extended from pairs to any code: minimise the sum
    over j of w_j KL(r_j, s_j), s_j = p(P_j) / (p(P_j) + p(N_j)). `couple` says how.

    Symbols: r_j -> sigmoid of scores (n_samples, n_bits), w_j -> evidence.weights (n_bits,), the
    number of points the machine was shown; P_j, N_j -> classes on the sides of machine j; p ->
    probabilities (n_samples, n_classes).

    Examples
    --------
    >>> duels = np.array([[1, 1, 0], [-1, 0, 1], [0, -1, -1]], dtype=np.int8)
    >>> evidence = Evidence(sigmoids=np.array([[-1.0, 0.0]] * 3), weights=np.ones(3))
    >>> kl_probabilities(np.log([[2.5, 5.0, 2.0]]), duels, evidence).round(4).tolist()
    [[0.625, 0.25, 0.125]]
    """
    sigmoids = require(evidence, "sigmoids")
    sides = expit(-(np.asarray(scores, dtype=np.float64) * sigmoids[:, 0] + sigmoids[:, 1]))
    if np.isnan(sides).any():
        raise ValueError("Some scores are not numbers; a decoder cannot read them.")
    probabilities, _ = couple(sides, code_matrix, require(evidence, "weights"))
    return probabilities


def kl_costs(scores: Scores, code_matrix: AnyCode, evidence: Evidence) -> Costs:
    """Return minus the logarithm of the class probabilities, (n_samples, n_classes)."""
    costs: Costs = -np.log(kl_probabilities(scores, code_matrix, evidence))
    return costs


DECODING = Decoding(
    key="kl",
    title="Pairwise coupling (KL)",
    summary="Finds the class probabilities that best explain the machines' own probabilities.",
    costs=kl_costs,
    probabilities=kl_probabilities,
    reference=HASTIE_1998,
    needs=frozenset({"sigmoids", "weights"}),
    repairs=False,
    order=40,
)
