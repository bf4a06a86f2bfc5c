"""Loss-weighted (LLW, ELW) and reliability (SRM, DRM) decoding against plain loops."""

import math

import numpy as np
import oracles_decodings as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_decodings import decoding_cases, one_vs_all, random_evidence, scores_for

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.entries import Evidence

LOSSES = {"loss-weighted-linear": lambda z: -z, "loss-weighted-exponential": lambda z: math.exp(-z)}


@pytest.mark.parametrize("key", LOSSES)
@given(case=decoding_cases(), seed=st.integers(0, 2**32 - 1))
def test_the_papers_weights_agree_with_loops(key, case, seed):
    scores, code_matrix = case
    evidence = random_evidence(np.random.default_rng(seed), code_matrix, len(scores))
    known = code_matrix.any(axis=1)  # a class without machines has no weights to normalise
    costs = DECODINGS[key].costs(scores, code_matrix, evidence)
    expected = oracles.weighted_costs(scores, code_matrix[known], evidence.hit_rates[known], LOSSES[key])
    np.testing.assert_allclose(costs[:, known], expected, rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(costs[:, ~known], LOSSES[key](0.0))


@pytest.mark.parametrize("key", LOSSES)
@given(case=decoding_cases(), seed=st.integers(0, 2**32 - 1))
def test_the_librarys_weights_agree_with_loops(key, case, seed):
    scores, code_matrix = case
    evidence = random_evidence(np.random.default_rng(seed), code_matrix, len(scores))
    known = code_matrix.any(axis=1)
    raw = np.tile(evidence.accuracies, (known.sum(), 1))
    costs = DECODINGS[key].costs(scores, code_matrix, evidence, weights="library")
    expected = oracles.weighted_costs(scores, code_matrix[known], raw, LOSSES[key])
    np.testing.assert_allclose(costs[:, known], expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("key", LOSSES)
@pytest.mark.parametrize("weights", ["paper", "library"])
def test_weights_are_used_at_all(key, weights):
    """A library loses its weights on the way and decodes without them."""
    scores, code_matrix = np.array([[1.0, 1.0]]), np.array([[1, -1], [-1, 1]], dtype=np.int8)
    for trusted in (0, 1):
        accuracies = np.where(np.arange(2) == trusted, 0.9, 0.1)
        evidence = Evidence(hit_rates=np.tile(accuracies, (2, 1)), accuracies=accuracies)
        costs = DECODINGS[key].costs(scores, code_matrix, evidence, weights=weights)
        assert costs.argmin(axis=1)[0] == trusted


@pytest.mark.parametrize("key", LOSSES)
def test_a_class_that_no_machine_gets_right_gets_equal_weights(key):
    code_matrix = np.array([[1, 0, -1], [-1, 1, 1]], dtype=np.int8)
    evidence = Evidence(hit_rates=np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]))
    costs = DECODINGS[key].costs(np.array([[0.5, 3.0, 1.5]]), code_matrix, evidence)
    assert costs[0, 0] == pytest.approx((LOSSES[key](0.5) + LOSSES[key](-1.5)) / 2)


@given(case=decoding_cases(), seed=st.integers(0, 2**32 - 1))
def test_reliability_decodings_agree_with_loops(case, seed):
    scores, code_matrix = case
    evidence = random_evidence(np.random.default_rng(seed), code_matrix, len(scores))
    for key, reliabilities in (
        ("srm", np.tile(evidence.reliabilities, (len(scores), 1))),
        ("drm", evidence.local_reliabilities),
    ):
        expected = oracles.reliability_costs(scores, code_matrix, reliabilities)
        costs = DECODINGS[key].costs(scores, code_matrix, evidence)
        np.testing.assert_allclose(costs, expected, rtol=1e-12, atol=1e-12)


@given(scores=scores_for(4))
def test_one_vs_all_takes_the_largest_weighted_decision(scores):
    reliabilities = np.array([1.0, 0.8, 0.6, 0.9])
    evidence = Evidence(reliabilities=reliabilities)
    costs = DECODINGS["srm"].costs(scores, one_vs_all(4), evidence)
    weighted = reliabilities * np.sign(scores) * (1 - np.exp(-np.abs(scores)))
    chosen = np.take_along_axis(weighted, costs.argmin(axis=1)[:, None], axis=1)[:, 0]
    np.testing.assert_allclose(chosen, weighted.max(axis=1), atol=1e-12)


@pytest.mark.parametrize("key", ["srm", "drm"])
@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("scores", [(38.0, 39.0, 37.5), (800.0, 700.0, 900.0), (1e6, 2e6, 1.5e6)])
def test_saturated_machines_are_told_apart_by_their_scores(key, sign, scores):
    f = sign * np.array([scores])
    assert np.unique(1 - np.exp(-np.abs(f))).size == 1
    evidence = Evidence(reliabilities=np.full(3, 0.7), local_reliabilities=np.full((1, 3), 0.7))
    costs = DECODINGS[key].costs(f, one_vs_all(3), evidence)
    assert costs.argmin(axis=1).tolist() == f.argmax(axis=1).tolist()
    without = -0.7 * np.sign(f) @ one_vs_all(3).T
    np.testing.assert_allclose(costs, without, atol=2e-8)


def test_the_tie_break_never_outweighs_reliability():
    evidence = Evidence(reliabilities=np.array([0.9, 0.9 + 1e-6]))
    code_matrix = np.array([[1, -1], [-1, 1]], dtype=np.int8)
    costs = DECODINGS["srm"].costs(np.array([[1e6, 40.0]]), code_matrix, evidence)
    assert costs.argmin(axis=1).tolist() == [1]
