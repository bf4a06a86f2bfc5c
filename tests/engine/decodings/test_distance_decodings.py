"""Attenuated, inverse, Euclidean, Laplacian and beta-density decoding and voting against plain loops."""

import numpy as np
import oracles_decodings as oracles
import pytest
from hypothesis import given
from strategies import examples
from strategies_decodings import ONE_VS_ONE_3, codes, decoding_cases, one_vs_all, one_vs_one, scores_for

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.decodings.beta_density import pessimistic_shares


@given(case=decoding_cases(max_bits=7))
def test_attenuated_hamming_agrees_with_loops(case):
    costs = DECODINGS["attenuated-hamming"].costs(*case)
    np.testing.assert_array_equal(costs, oracles.attenuated_hamming_costs(*case))


@pytest.mark.parametrize("attenuated", [False, True])
@given(case=decoding_cases(max_bits=7))
def test_euclidean_agrees_with_loops(attenuated, case):
    key = "attenuated-euclidean" if attenuated else "euclidean"
    expected = oracles.euclidean_costs(*case, attenuated=attenuated)
    np.testing.assert_allclose(DECODINGS[key].costs(*case), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("attenuated", [False, True])
def test_euclidean_agrees_with_loops_chunk_by_chunk_on_continuous_codes(attenuated, monkeypatch):
    monkeypatch.setattr("ecocviz.engine.losses.CHUNK_ENTRIES", 50)
    rng = np.random.default_rng(0)
    scores, code_matrix = rng.normal(size=(11, 5)), rng.normal(size=(4, 5))
    key = "attenuated-euclidean" if attenuated else "euclidean"
    expected = oracles.euclidean_costs(scores, code_matrix, attenuated=attenuated)
    np.testing.assert_allclose(DECODINGS[key].costs(scores, code_matrix), expected, rtol=1e-12)


def test_attenuated_euclidean_squares_the_difference_not_the_entry():
    """A library takes the root of (x - m) |m|^2, imaginary here, and loses a third of all digits."""
    code_matrix = np.array([[0, 1, 1], [1, -1, 1]], dtype=np.int8)
    costs = DECODINGS["attenuated-euclidean"].costs(np.array([[1.0, -1.0, 1.0]]), code_matrix)
    np.testing.assert_array_equal(np.sqrt(costs), [[2.0, 0.0]])


@given(case=decoding_cases(max_bits=7))
def test_inverse_hamming_agrees_with_least_squares(case):
    expected = -oracles.inverse_hamming_weights(*case)
    np.testing.assert_allclose(DECODINGS["inverse-hamming"].costs(*case), expected, atol=1e-7)


@given(code_matrix=codes(max_classes=7, max_bits=4))
def test_inverse_hamming_survives_singular_distance_matrices(code_matrix):
    """More classes than bits make the matrix singular; libraries invert it, index it by bits, or abort."""
    costs = DECODINGS["inverse-hamming"].costs(np.ones((2, code_matrix.shape[1])), code_matrix)
    assert costs.shape == (2, len(code_matrix))
    assert np.isfinite(costs).all()


def test_inverse_hamming_names_the_noiseless_class_of_a_full_cube():
    cube = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], dtype=np.int8)
    costs = DECODINGS["inverse-hamming"].costs(cube.astype(float), cube)
    assert costs.argmin(axis=1).tolist() == list(range(8))


def test_inverse_hamming_ties_are_exact():
    costs = DECODINGS["inverse-hamming"].costs(-np.ones((1, 5)), one_vs_all(5))
    assert np.unique(costs).size == 1


@given(case=decoding_cases(max_bits=7))
def test_laplacian_agrees_with_loops(case):
    costs = DECODINGS["laplacian"].costs(*case)
    np.testing.assert_allclose(costs, oracles.laplacian_costs(*case), rtol=1e-12)


@examples(15)
@given(case=decoding_cases(max_bits=7, n_samples=2))
def test_beta_density_agrees_with_quadrature(case):
    costs = DECODINGS["beta-density"].costs(*case)
    np.testing.assert_allclose(costs, oracles.beta_density_costs(*case), atol=1e-8)


def test_beta_density_ignores_class_zeros_wherever_they_stand():
    """A library tests the output for zero instead of the class entry from the second position on."""
    code_matrix = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [-1, 1, -1, 1]], dtype=np.int8)
    costs = DECODINGS["beta-density"].costs(np.array([[1.0, 1.0, -1.0, 1.0]]), code_matrix)
    two_right, one_each, three_right = pessimistic_shares(np.array([2.0, 1, 3]), np.array([0.0, 1, 1]))
    np.testing.assert_allclose(1 - costs[0], [two_right, one_each, three_right], rtol=1e-12)


def test_beta_density_grows_with_right_bits_and_starts_at_zero():
    right = np.arange(8.0)
    shares = pessimistic_shares(right, 7 - right)
    assert shares[0] == 0
    assert (np.diff(shares[2:]) > 0).all()
    assert pessimistic_shares(np.zeros(1), np.zeros(1))[0] == 0


@given(scores=scores_for(6, n_samples=4))
def test_voting_agrees_with_loops_for_duels(scores):
    costs = DECODINGS["voting"].costs(scores, one_vs_one(4))
    expected = [oracles.voting_winner(f, one_vs_one(4)) for f in scores]
    assert costs.argmin(axis=1).tolist() == expected


@given(case=decoding_cases())
def test_voting_agrees_with_loops_for_any_code(case):
    scores, code_matrix = case
    costs = DECODINGS["voting"].costs(scores, code_matrix)
    assert costs.argmin(axis=1).tolist() == [oracles.voting_winner(f, code_matrix) for f in scores]


def test_voting_breaks_a_circle_by_strength_and_then_by_index():
    circle = np.array([[1.0, -2.0, 3.0], [1.0, -1.0, 1.0], [0.0, 0.0, 0.0]])
    costs = DECODINGS["voting"].costs(circle, ONE_VS_ONE_3)
    assert costs.argmin(axis=1).tolist() == [1, 0, 0]
    np.testing.assert_array_equal(costs[2], [0, 0, 0])
