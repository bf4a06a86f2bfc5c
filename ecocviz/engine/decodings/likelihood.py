"""Likelihood decoding: how probable the codeword is, each machine heard through its own sigmoid."""

import numpy as np
from scipy.special import logsumexp

from ecocviz.engine.entries import Decoding, Evidence, by_borders, require
from ecocviz.engine.references import PASSERINI_2004
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores


def _exponents(scores: Scores, evidence: Evidence) -> FloatArray:
    """Return u = A f + B, (n_samples, n_bits)."""
    sigmoids = require(evidence, "sigmoids")
    u: FloatArray = np.asarray(scores, dtype=np.float64) * sigmoids[:, 0] + sigmoids[:, 1]
    return u


def likelihood_costs(scores: Scores, code_matrix: AnyCode, evidence: Evidence) -> Costs:
    """Return minus the log-probability of the codeword; an entry of 0 costs nothing.

    Implements the decoder of [Passerini2004]_: the distance of class q is -log Pi_q, the sum over s
    with m_qs != 0 of softplus(m_qs (A_s f_s + B_s)), softplus(u) = log(1 + exp(u)).

    Symbols: m_qs -> code_matrix (n_classes, n_bits), f_s -> scores (n_samples, n_bits),
    (A_s, B_s) -> evidence.sigmoids (n_bits, 2), Pi_q -> probability of the valid codewords of class q.

    Differs from the paper: the mass alpha of invalid codewords, the same for every class, is left
    out of the cost, because Pi_q of a long code is so small beside it that all classes would tie.

    Examples
    --------
    >>> evidence = Evidence(sigmoids=np.array([[-1.0, 0.0], [-1.0, 0.0]]))
    >>> code_matrix = np.array([[1, 1], [-1, 0]], dtype=np.int8)
    >>> likelihood_costs(np.array([[0.0, 1.0]]), code_matrix, evidence).round(4).tolist()
    [[1.0064, 0.6931]]
    """
    u = _exponents(scores, evidence)
    positive = (np.asarray(code_matrix) == 1).astype(np.float64)
    negative = (np.asarray(code_matrix) == -1).astype(np.float64)
    costs: Costs = np.logaddexp(0.0, u) @ positive.T + np.logaddexp(0.0, -u) @ negative.T
    return costs


def likelihood_terms(scores: Scores, code_matrix: AnyCode, evidence: Evidence) -> FloatArray:
    """Return the summands of the cost, (n_samples, n_classes, n_bits)."""
    m = np.asarray(code_matrix, dtype=np.float64)[None, :, :]
    u = _exponents(scores, evidence)[:, None, :] * m
    terms: FloatArray = np.where(m != 0, np.logaddexp(0.0, u), 0.0)
    return terms


def likelihood_probabilities(scores: Scores, code_matrix: AnyCode, evidence: Evidence) -> FloatArray:
    """Return exact class probabilities, (n_samples, n_classes).

    Implements P(Y = q | f) = Pi_q + alpha of [Passerini2004]_, where alpha = (1 - sum of Pi) / Q
    spreads the probability of the codewords that belong to no class. Refused when two rows can share
    a codeword, because the class of that codeword would then be contradictory.

    Symbols: Pi_q, alpha as above, Q -> n_classes.

    Differs from the paper: nothing is assumed of the bits a class does not care about, because
    summing over their values gives Pi_q whatever their probabilities are.

    Examples
    --------
    >>> evidence = Evidence(sigmoids=np.array([[-1.0, 0.0]]))
    >>> code_matrix = np.array([[-1], [1]], dtype=np.int8)
    >>> likelihood_probabilities(np.array([[0.0], [2.0]]), code_matrix, evidence).round(4).tolist()
    [[0.5, 0.5], [0.1192, 0.8808]]
    """
    rows = overlapping_rows(code_matrix)
    if rows is not None:
        raise ValueError(
            f"Rows {rows[0] + 1} and {rows[1] + 1} of the code never take opposite sides, so likelihood "
            "decoding gives no class probabilities here; choose a code where every two classes are "
            "separated by a machine."
        )
    log_pi = -likelihood_costs(scores, code_matrix, evidence)
    total = np.minimum(logsumexp(log_pi, axis=1, keepdims=True), 0.0)
    # -expm1 keeps alpha exact where the valid codewords hold nearly all probability.
    alpha = -np.expm1(total) / code_matrix.shape[0]
    log_alpha = np.log(alpha, out=np.full_like(alpha, -np.inf), where=alpha > 0)
    probabilities: FloatArray = np.exp(np.logaddexp(log_pi, log_alpha))
    return probabilities


def overlapping_rows(code_matrix: AnyCode) -> tuple[int, int] | None:
    """Return the first two classes that no machine separates, or None if every pair is separated."""
    positive = (np.asarray(code_matrix) == 1).astype(np.float64)
    negative = (np.asarray(code_matrix) == -1).astype(np.float64)
    opposed = positive @ negative.T
    shared = np.argwhere(np.triu(opposed + opposed.T == 0, k=1))
    return None if shared.size == 0 else (int(shared[0, 0]), int(shared[0, 1]))


DECODING = Decoding(
    key="likelihood",
    title="Likelihood",
    summary="Turns every score into a probability and picks the class whose codeword is most probable.",
    costs=likelihood_costs,
    terms=likelihood_terms,
    probabilities=likelihood_probabilities,
    reference=PASSERINI_2004,
    needs=frozenset({"sigmoids"}),
    # A machine with a bad sigmoid may outvote several good ones.
    repairs=False,
    bound_rule=by_borders,
    order=2,
)
