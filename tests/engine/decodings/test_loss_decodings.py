"""Hamming and the loss decodings against plain loops, golden values and each other."""

import numpy as np
import oracles_decodings as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_decodings import ONE_VS_ONE_3, decoding_cases, one_vs_all, one_vs_one, scores_for

from ecocviz.engine.catalogue import DECODINGS

LOSS_KEYS = tuple(oracles.LOSSES)
WEIGHTINGS = ("loss-based", "loss-weighted")


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("key", LOSS_KEYS)
@given(case=decoding_cases(max_bits=7))
def test_costs_agree_with_loops(key, weighting, case):
    scores, code_matrix = case
    expected = oracles.loss_costs(key, scores, code_matrix, weighting)
    costs = DECODINGS[key].costs(scores, code_matrix, weighting=weighting)
    np.testing.assert_allclose(costs, expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("key", [key for key in LOSS_KEYS if key != "hamming"])
def test_continuous_codes_agree_with_loops_chunk_by_chunk(key, weighting, monkeypatch):
    monkeypatch.setattr("ecocviz.engine.losses.CHUNK_ENTRIES", 50)
    rng = np.random.default_rng(1)
    code_matrix = rng.normal(size=(4, 6))
    code_matrix[0, :2] = 0
    scores = rng.normal(size=(9, 6))
    expected = oracles.loss_costs(key, scores, code_matrix, weighting)
    costs = DECODINGS[key].costs(scores, code_matrix, weighting=weighting)
    np.testing.assert_allclose(costs, expected, rtol=1e-10)


@pytest.mark.parametrize(
    "key, zero",
    [
        ("hamming", 0.5),
        ("linear", 0.0),
        ("soft-margin", 1.0),
        ("exponential", 1.0),
        ("logit", np.log(2)),
        ("binodeviance", np.log(2)),
        ("quadratic", 1.0),
    ],
)
def test_a_machine_that_ignores_the_class_costs_the_loss_of_zero(key, zero):
    """A library's docstring says that zeros are not counted while its code counts a half, rounded down."""
    code_matrix = np.array([[0, 0, 1], [0, 1, -1], [1, -1, 0]], dtype=np.int8)
    costs = DECODINGS[key].costs(np.array([[0.7, -0.3, 0.0]]), code_matrix)
    only_last = oracles.LOSSES[key](0.0)
    assert costs[0, 0] == pytest.approx(2 * zero + only_last)


@pytest.mark.parametrize("key", LOSS_KEYS)
def test_a_class_without_machines_costs_the_loss_of_zero_when_weighted(key):
    code_matrix = np.array([[0, 0], [1, -1], [-1, 1]], dtype=np.int8)
    costs = DECODINGS[key].costs(np.array([[2.0, 1.0]]), code_matrix, weighting="loss-weighted")
    assert costs[0, 0] == pytest.approx(oracles.LOSSES[key](0.0))


def matlab_scale(key, costs, weighting, n_bits):
    """Turn our costs into MATLAB's average losses g, scaled so that g(0) = 1/2, as documented.

    g = (1 + L) / 2 for the linear loss, L for Hamming, L / (2 L(0)) for the others; "loss-based"
    averages over all machines where ours sums.
    """
    per_machine = costs / n_bits if weighting == "loss-based" else costs
    if key == "linear":
        return (1 + per_machine) / 2
    return per_machine if key == "hamming" else per_machine / (2 * oracles.LOSSES[key](0.0))


@pytest.mark.parametrize(
    "weighting, scores, negated",
    [
        ("loss-weighted", (1, 1, 1), (0, -1, -2)),
        ("loss-based", (1, 1, 1), (-1 / 6, -5 / 6, -3 / 2)),
        # Rows 101 and 130 of iris: probabilities 0, 0, 1/46 and 0, 0, 1/3 of the positive sides.
        ("loss-weighted", (-1, -1, 2 / 46 - 1), (-2, -0.956994328922495, -0.000472589792060491)),
        ("loss-weighted", (-1, -1, 2 / 3 - 1), (-2, -4 / 9, -1 / 9)),
    ],
)
def test_golden_values_of_matlab_for_the_quadratic_loss(weighting, scores, negated):
    costs = DECODINGS["quadratic"].costs(np.array([scores], dtype=float), ONE_VS_ONE_3, weighting=weighting)
    np.testing.assert_allclose(-matlab_scale("quadratic", costs, weighting, 3)[0], negated, atol=1e-14)


MATLAB_LOSSES = {
    "binodeviance": lambda u: np.log1p(np.exp(-2 * u)) / (2 * np.log(2)),
    "exponential": lambda u: np.exp(-u) / 2,
    "hamming": lambda u: (1 - np.sign(u)) / 2,
    "soft-margin": lambda u: max(0, 1 - u) / 2,
    "linear": lambda u: (1 - u) / 2,
    "logit": lambda u: np.log1p(np.exp(-u)) / (2 * np.log(2)),
    "quadratic": lambda u: (1 - u) ** 2 / 2,
}


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("key", LOSS_KEYS)
def test_matlabs_losses_are_ours_up_to_the_documented_scale(key, weighting):
    g = MATLAB_LOSSES[key]
    assert g(0.0) == pytest.approx(0.5)
    rng = np.random.default_rng(2)
    code_matrix, scores = one_vs_one(4), rng.normal(size=(5, 6))
    u = code_matrix[None] * scores[:, None]
    losses = np.vectorize(g, otypes=[float])(u)
    used = np.abs(code_matrix)[None]
    expected = (
        losses.mean(axis=2) if weighting == "loss-based" else (losses * used).sum(axis=2) / used.sum(axis=2)
    )
    costs = DECODINGS[key].costs(scores, code_matrix, weighting=weighting)
    np.testing.assert_allclose(matlab_scale(key, costs, weighting, 6), expected, rtol=1e-12)


def test_the_exponential_loss_stays_finite_and_ordered_for_huge_scores():
    code_matrix = np.array([[1], [-1]], dtype=np.int8)
    scores = -np.array([[1.0], [499.0], [501.0], [800.0], [1e6]])
    costs = DECODINGS["exponential"].costs(scores, code_matrix)
    assert np.isfinite(costs).all()
    assert (np.diff(costs[:, 0]) > 0).all()
    np.testing.assert_allclose(costs[:2, 0], np.exp([1, 499]), rtol=1e-12)


@pytest.mark.parametrize("n_classes", [3, 5])
@given(data=st.data())
def test_one_vs_all_takes_the_largest_score(n_classes, data):
    """Every loss with L(z) - L(-z) strictly decreasing decides alike, so their curves coincide."""
    scores = data.draw(scores_for(n_classes, bound=1 if n_classes == 5 else 4))
    largest = scores.argmax(axis=1)
    clear = np.sort(scores, axis=1)[:, -1] > np.sort(scores, axis=1)[:, -2]
    for key in ("linear", "soft-margin", "exponential", "logit", "binodeviance", "quadratic", "euclidean"):
        costs = DECODINGS[key].costs(scores, one_vs_all(n_classes))
        assert (costs.argmin(axis=1) == largest)[clear].all(), key


@given(case=decoding_cases(dense=True))
def test_dense_codes_linear_decides_like_euclidean_and_like_soft_margin_within_one(case):
    scores, code_matrix = case
    linear = DECODINGS["linear"].costs(scores, code_matrix)
    euclidean = DECODINGS["euclidean"].costs(scores, code_matrix)
    norms = (scores**2).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(euclidean, norms + 2 * linear + code_matrix.shape[1], atol=1e-9)
    np.testing.assert_array_equal(euclidean.argmin(axis=1), linear.argmin(axis=1))
    within = scores / 4
    soft = DECODINGS["soft-margin"].costs(within, code_matrix)
    np.testing.assert_allclose(soft, code_matrix.shape[1] + linear / 4, atol=1e-12)


@given(scores=scores_for(6))
def test_all_pairs_hamming_is_majority_voting(scores):
    code_matrix = one_vs_one(4)
    clear = (scores != 0).all(axis=1)
    votes = np.array(
        [[sum(m * f > 0 for m, f in zip(row, x, strict=True)) for row in code_matrix] for x in scores]
    )
    costs = DECODINGS["hamming"].costs(scores, code_matrix)
    np.testing.assert_array_equal(costs.argmin(axis=1)[clear], votes.argmax(axis=1)[clear])


def test_ties_go_to_the_lowest_class():
    """A library takes the last class at the minimum; hard bits tie often."""
    costs = DECODINGS["hamming"].costs(np.array([[-1.0, 1.0, 1.0], [-1.0, -1.0, -1.0]]), one_vs_all(3))
    np.testing.assert_array_equal(costs, [[3, 1, 1], [1, 1, 1]])
    assert costs.argmin(axis=1).tolist() == [1, 0]


def test_unknown_weighting_is_refused():
    with pytest.raises(ValueError, match="Weighting is one of loss-based, loss-weighted"):
        DECODINGS["linear"].costs(np.ones((1, 3)), one_vs_all(3), weighting="lossweighted")
