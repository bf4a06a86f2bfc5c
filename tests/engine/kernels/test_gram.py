import numpy as np
import oracles_machines as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from ecocviz.engine.kernels import gram as module
from ecocviz.engine.kernels.gram import (
    KERNELS,
    Kernel,
    expand,
    gram_matrix,
    kernel_diagonal,
    scaled_gamma,
    training_dtype,
)

POINTS = nps.arrays(
    np.float64, st.tuples(st.integers(1, 7), st.integers(1, 4)), elements=st.floats(-3, 3, width=32)
)


@given(X=POINTS, name=st.sampled_from(KERNELS), gamma=st.floats(1e-3, 30), degree=st.integers(1, 4))
def test_gram_is_its_definition(X, name, gamma, degree):
    kernel = Kernel(name, gamma, degree, 1.0)
    expected = oracle.gram(name, X, gamma=gamma, degree=degree, bias=1.0)
    np.testing.assert_allclose(gram_matrix(kernel, X), expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(kernel_diagonal(kernel, X), np.diag(expected), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_cross_gram_in_both_precisions(name, dtype):
    generator = np.random.default_rng(1)
    X, other = generator.normal(size=(9, 3)), generator.normal(size=(5, 3))
    values = gram_matrix(Kernel(name, 0.5, 3, 0.0), X, other, dtype)
    assert values.dtype == dtype
    assert values.flags.c_contiguous
    expected = oracle.gram(name, X, other, gamma=0.5)
    np.testing.assert_allclose(values, expected, rtol=1e-5 if dtype == np.float32 else 1e-12, atol=1e-5)


def test_blocks_do_not_show(monkeypatch):
    X = np.random.default_rng(2).normal(size=(100, 3))
    kernel = Kernel("rbf", 0.5, 3, 1.0)
    whole = gram_matrix(kernel, X)
    monkeypatch.setattr(module, "_BLOCK_BYTES", 1)
    np.testing.assert_allclose(gram_matrix(kernel, X), whole, rtol=1e-13)
    np.testing.assert_allclose(
        gram_matrix(Kernel("poly", 1, 2, 0), X, dtype=np.float32)[0, 0], (X[0] @ X[0] + 1) ** 2, rtol=1e-6
    )


def test_rbf_far_from_the_origin_and_very_narrow():
    X = np.random.default_rng(3).normal(size=(20, 2))
    kernel = Kernel("rbf", 0.5, 3, 1.0)
    np.testing.assert_allclose(gram_matrix(kernel, X + 1e6), gram_matrix(kernel, X), atol=1e-6)
    # In single precision a huge gamma would turn rounding errors of distances into wrong kernel values.
    narrow = Kernel("rbf", 1e6, 3, 0.0)
    close = np.vstack([X, X + 1e-4])
    np.testing.assert_allclose(
        gram_matrix(narrow, close, dtype=np.float32), oracle.gram("rbf", close, gamma=1e6), atol=1e-6
    )
    assert (np.diag(gram_matrix(narrow, close, dtype=np.float32)) == 1).all()


def test_scaled_gamma():
    X = np.array([[0.0, 2.0], [4.0, 6.0]])
    assert scaled_gamma(X) == pytest.approx(1 / (2 * 5.0))
    assert scaled_gamma(np.ones((3, 2))) == 1.0


def test_precision_follows_size_and_tolerance():
    assert training_dtype(1_000, 1e-3) == np.float64
    assert training_dtype(1_001, 1e-3) == np.float32
    assert training_dtype(4_000, 1e-6) == np.float64
    assert training_dtype(4_001, 1e-6) == np.float32


def test_too_large_a_matrix_is_refused_before_it_is_made():
    X = np.zeros((200_000, 1))
    with pytest.raises(ValueError, match=r"200000 points needs 298\.0 GiB.*subsample"):
        gram_matrix(Kernel("rbf", 1.0, 1, 0.0), X)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("dtype, tolerance", [(np.float32, 1e-4), (np.float64, 1e-12)])
def test_expansion_is_the_matrix_times_coefficients(name, dtype, tolerance, monkeypatch):
    generator = np.random.default_rng(4)
    X, points, coefficients = (generator.normal(size=shape) for shape in ((50, 3), (7, 3), (7, 2)))
    kernel = Kernel(name, 0.5, 2, 1.5)
    expected = oracle.gram(name, X, points, gamma=0.5, degree=2, bias=1.5) @ coefficients
    np.testing.assert_allclose(expand(kernel, X, points, coefficients, dtype), expected, atol=tolerance * 10)
    monkeypatch.setattr(module, "_BLOCK_BYTES", 1)
    np.testing.assert_allclose(expand(kernel, X, points, coefficients, dtype), expected, atol=tolerance * 10)


@pytest.mark.parametrize("scale", [1e4, 1e6, 1e8, 1e12])
@pytest.mark.parametrize("gamma", [1.0, 1e-8])
def test_points_far_apart_are_as_similar_as_they_are(scale, gamma):
    random = np.random.default_rng(0)
    X = random.normal(size=(40, 3)) * scale
    kernel = Kernel("rbf", gamma, 3, 1.0)
    other = np.concatenate([X[:10], random.normal(size=(5, 3)) * scale, X[:3] + 1e-3 * scale])
    expected = np.exp(-gamma * ((X[:, None] - other[None]) ** 2).sum(axis=2)) + 1.0
    np.testing.assert_allclose(gram_matrix(kernel, X, other), expected, atol=1e-6)
    np.testing.assert_allclose(expand(kernel, X, other, np.eye(18)), expected, atol=1e-6)
    assert (gram_matrix(kernel, X, other, dtype=np.float32) <= 2).all()
