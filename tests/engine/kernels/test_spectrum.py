import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.kernels.spectrum import centred_spectrum, feature_means, gram_factor


def made_gram(seed, n, rank):
    root = np.random.default_rng(seed).normal(size=(n, rank))
    return root @ root.T


@given(seed=st.integers(0, 10_000), n=st.integers(2, 12), rank=st.integers(1, 12), keep_null=st.booleans())
def test_the_spectrum_is_that_of_the_centred_matrix_and_orthogonal_to_constants(seed, n, rank, keep_null):
    gram = made_gram(seed, n, rank)
    vectors, values = centred_spectrum(gram, keep_null=keep_null)
    H = np.eye(n) - 1 / n
    assert np.allclose((vectors * values) @ vectors.T, H @ gram @ H, atol=1e-12 * np.trace(gram))
    assert np.allclose(vectors.T @ vectors, np.eye(values.size), atol=1e-13)
    assert np.abs(vectors.sum(axis=0)).max(initial=0) < 1e-13
    assert (values >= 0).all()
    if keep_null:
        assert values.size == n - 1
    else:
        assert values.size == np.linalg.matrix_rank(H @ gram @ H, tol=1e-9 * np.trace(gram))


def test_one_point_has_no_spectrum():
    vectors, values = centred_spectrum(np.ones((1, 1)))
    assert vectors.shape == (1, 0) and values.shape == (0,)


def test_points_that_are_all_equal_have_no_spectrum():
    for n, value in ((4, 1.0), (200, 1.0), (200, 1 / 3), (200, 1e3 / 7), (1000, 0.1)):
        assert centred_spectrum(np.full((n, n), value))[1].size == 0


def test_the_mean_of_a_constant_feature_is_the_constant():
    X = np.column_stack([np.full(31, 0.1), np.arange(31.0)])
    assert X[:, 0].mean() != 0.1
    assert feature_means(X).tolist() == [0.1, 15.0]


@pytest.mark.parametrize("rank", [1, 3, 8])
def test_the_factor_of_a_gram_matrix_has_its_rank(rank):
    gram = made_gram(5, 8, rank)
    before = gram.copy()
    factor = gram_factor(gram)
    assert factor.shape == (rank, 8)
    assert np.allclose(factor.T @ factor, gram, atol=1e-12)
    assert (gram == before).all()
