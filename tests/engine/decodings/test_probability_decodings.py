"""Likelihood, pairwise coupling (KL) and least-squares coupling (QP) against brute force and optimisers."""

import numpy as np
import oracles_decodings as oracles
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import expit, logit
from strategies import examples
from strategies_decodings import codes, decoding_cases, one_vs_all, one_vs_one, random_evidence, scores_for

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.decodings.likelihood import overlapping_rows
from ecocviz.engine.entries import Evidence


@given(case=decoding_cases(max_bits=7), seed=st.integers(0, 2**32 - 1))
def test_likelihood_costs_agree_with_loops(case, seed):
    scores, code_matrix = case
    evidence = random_evidence(np.random.default_rng(seed), code_matrix, len(scores))
    expected = oracles.likelihood_costs(scores, code_matrix, evidence.sigmoids)
    costs = DECODINGS["likelihood"].costs(scores, code_matrix, evidence)
    np.testing.assert_allclose(costs, expected, rtol=1e-10, atol=1e-12)


@examples(25)
@given(case=decoding_cases(max_bits=7, n_samples=2), seed=st.integers(0, 2**32 - 1))
def test_likelihood_probabilities_agree_with_all_codewords(case, seed):
    scores, code_matrix = case
    assume(overlapping_rows(code_matrix) is None)
    evidence = random_evidence(np.random.default_rng(seed), code_matrix, len(scores))
    expected = oracles.likelihood_probabilities(scores, code_matrix, evidence.sigmoids)
    probabilities = DECODINGS["likelihood"].probabilities(scores, code_matrix, evidence)
    np.testing.assert_allclose(probabilities, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("code_matrix", [one_vs_all(4), one_vs_one(4)], ids=["one-vs-all", "one-vs-one"])
def test_invalid_codewords_hold_their_exact_mass(code_matrix):
    """A library spreads mass over codewords as if all were equally likely."""
    rng = np.random.default_rng(7)
    scores = rng.normal(size=(3, code_matrix.shape[1]))
    evidence = random_evidence(rng, code_matrix, 3)
    expected = oracles.likelihood_probabilities(scores, code_matrix, evidence.sigmoids)
    probabilities = DECODINGS["likelihood"].probabilities(scores, code_matrix, evidence)
    np.testing.assert_allclose(probabilities, expected, rtol=1e-10)


def test_likelihood_decides_where_probabilities_cannot():
    """In a long code the classes' own probability drowns in the mass of invalid codewords."""
    rng = np.random.default_rng(0)
    code_matrix = rng.choice([-1, 1], size=(5, 600)).astype(np.int8)
    scores = 0.2 * code_matrix[3:4].astype(np.float64)
    evidence = Evidence(sigmoids=np.column_stack([np.full(600, -1.0), np.zeros(600)]))
    costs = DECODINGS["likelihood"].costs(scores, code_matrix, evidence)
    probabilities = DECODINGS["likelihood"].probabilities(scores, code_matrix, evidence)
    assert costs.argmin(axis=1).tolist() == [3]
    np.testing.assert_allclose(probabilities, 0.2, rtol=1e-12)
    assert np.unique(probabilities).size == 1


def test_likelihood_survives_huge_exponents():
    evidence = Evidence(sigmoids=np.array([[-1.0, 0.0]] * 3))
    scores = np.array([[1e5, -1e5, 2e5], [-1e5, -1e5, -1e5], [1e5, 1e5, 1e5]])
    costs = DECODINGS["likelihood"].costs(scores, one_vs_all(3), evidence)
    probabilities = DECODINGS["likelihood"].probabilities(scores, one_vs_all(3), evidence)
    assert np.isfinite(costs).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-12)


@given(scores=scores_for(4), seed=st.integers(0, 2**32 - 1))
def test_one_vs_all_likelihood_takes_the_largest_exponent(scores, seed):
    sigmoids = np.random.default_rng(seed).normal(size=(4, 2))
    costs = DECODINGS["likelihood"].costs(scores, one_vs_all(4), Evidence(sigmoids=sigmoids))
    exponents = -(sigmoids[:, 0] * scores + sigmoids[:, 1])
    chosen = np.take_along_axis(exponents, costs.argmin(axis=1)[:, None], axis=1)[:, 0]
    np.testing.assert_allclose(chosen, exponents.max(axis=1), atol=1e-12)


@given(code_matrix=codes())
def test_overlapping_rows_are_found_and_refused(code_matrix):
    pairs = [
        (a, b)
        for a in range(len(code_matrix))
        for b in range(a + 1, len(code_matrix))
        if not any(x * y == -1 for x, y in zip(code_matrix[a], code_matrix[b], strict=True))
    ]
    assert overlapping_rows(code_matrix) == (pairs[0] if pairs else None)
    evidence = random_evidence(np.random.default_rng(0), code_matrix, 1)
    scores = np.ones((1, code_matrix.shape[1]))
    DECODINGS["likelihood"].costs(scores, code_matrix, evidence)
    if pairs:
        with pytest.raises(ValueError, match=f"Rows {pairs[0][0] + 1} and {pairs[0][1] + 1} of the code"):
            DECODINGS["likelihood"].probabilities(scores, code_matrix, evidence)


def consistent(rng, code_matrix):
    """Class probabilities, and the machines' probabilities that follow from them as scores."""
    p = rng.dirichlet(np.ones(len(code_matrix)), size=4)
    positive = p @ (code_matrix == 1)
    r = positive / (positive + p @ (code_matrix == -1))
    evidence = Evidence(
        sigmoids=np.column_stack([np.full(code_matrix.shape[1], -1.0), np.zeros(code_matrix.shape[1])]),
        weights=rng.integers(1, 40, code_matrix.shape[1]).astype(float),
    )
    return p, logit(r), evidence


EXHAUSTIVE_4 = np.array(
    [[1, 1, 1, 1, 1, 1, 1], [1, 1, 1, -1, -1, -1, -1], [1, -1, -1, 1, 1, -1, -1], [-1, 1, -1, 1, -1, 1, -1]],
    dtype=np.int8,
)
SPARSE_4 = np.array(
    [[1, 0, 1, -1, 0], [-1, 1, 0, 1, 1], [0, -1, 1, -1, -1], [1, -1, -1, 0, 1]], dtype=np.int8
)


@pytest.mark.parametrize("key", ["kl", "qp"])
@pytest.mark.parametrize(
    "code_matrix",
    [one_vs_all(5), one_vs_one(4), EXHAUSTIVE_4, SPARSE_4],
    ids=["one-vs-all", "one-vs-one", "dense", "sparse"],
)
def test_coupling_recovers_consistent_probabilities(key, code_matrix):
    p, scores, evidence = consistent(np.random.default_rng(11), code_matrix)
    probabilities = DECODINGS[key].probabilities(scores, code_matrix, evidence)
    np.testing.assert_allclose(probabilities, p, atol=1e-6)


@pytest.mark.parametrize("key", ["kl", "qp"])
def test_two_classes_get_the_machines_own_probability(key):
    scores = np.array([[-1.0], [0.0], [3.0]])
    evidence = Evidence(sigmoids=np.array([[-1.0, 0.5]]), weights=np.ones(1))
    code_matrix = np.array([[-1], [1]], dtype=np.int8)
    probabilities = DECODINGS[key].probabilities(scores, code_matrix, evidence)
    np.testing.assert_allclose(probabilities[:, 1], expit(scores[:, 0] - 0.5), atol=1e-8)


def test_costs_are_ordered_like_probabilities_and_finite():
    rng = np.random.default_rng(2)
    code_matrix = one_vs_one(5)
    scores = rng.normal(size=(20, 10)) * 30
    evidence = random_evidence(rng, code_matrix, 20)
    for key in ("kl", "qp"):
        costs = DECODINGS[key].costs(scores, code_matrix, evidence)
        probabilities = DECODINGS[key].probabilities(scores, code_matrix, evidence)
        assert np.isfinite(costs).all()
        np.testing.assert_array_equal(
            np.argsort(costs, kind="stable"), np.argsort(-probabilities, kind="stable")
        )
