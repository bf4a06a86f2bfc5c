"""Eigenvectors of a Gram matrix orthogonal to the constant vector, factors of Gram matrices, means."""

import numpy as np
import scipy.linalg

from ecocviz.engine.types import FloatArray


def centred_spectrum(
    gram: FloatArray, *, keep_null: bool = False, roots: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the eigenvectors and eigenvalues of H K H that are orthogonal to the constant vector.

    A Householder reflector sends 1 / sqrt(n) to the first axis; that row and column are dropped
    before the eigenvalues are sought, and the vectors are reflected back. The eigenvectors of H K H
    itself would mix the constant vector into those of small eigenvalues.

    Symbols: K -> gram, H = I - 1 1' / n.

    Points of different weights have a direction of their own in place of the constant vector: with `roots`,
    (n,), the roots of the weights, and K their Gram matrix with row and column i times root i, the means that
    are taken away are weighted ones.

    Parameters
    ----------
    gram : (n, n)
        Symmetric, positive semidefinite.
    keep_null
        Also return the vectors of eigenvalues that are zero within rounding.

    Returns
    -------
    vectors : (n, rank)
        Orthonormal columns, each summing to zero; rank = n - 1 with `keep_null`.
    values : (rank,)
        Not negative.
    """
    n = gram.shape[0]
    if n == 1:
        return np.zeros((1, 0)), np.zeros(0)
    # The reflector is P = I - v v' / h with v = 1/sqrt(n) + e_1 and h = v'v / 2 = v[0]; the sum has no
    # cancellation.
    v = np.full(n, 1 / np.sqrt(n)) if roots is None else roots / np.linalg.norm(roots)
    v[0] += 1
    scaled = v / v[0]
    # P K P = K - v u' - u v' with u = K v / h - v (v'K v) / (2 h^2).
    product = gram @ scaled
    u = product - v * (0.5 * float(scaled @ product))
    inner = gram[1:, 1:] - np.multiply.outer(v[1:], u[1:])
    inner -= np.multiply.outer(u[1:], v[1:])
    values, within = np.linalg.eigh(inner)  # scipy's would hold up all other threads meanwhile
    values = np.maximum(values, 0.0)
    if not keep_null:
        eps = np.finfo(np.float64).eps
        # Where points do not differ, the largest value is rounding too: every entry is a sum over n entries.
        differ = values[-1] > 8 * np.sqrt(n) * eps * np.trace(gram)
        kept = (values > n * eps * values[-1]) & differ
        values, within = values[kept], within[:, kept]
    vectors = np.empty((n, values.size))
    vectors[1:] = within
    vectors[0] = 0
    projections = v[1:] @ within
    vectors -= np.multiply.outer(scaled, projections)
    return vectors, values


def feature_means(X: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Return the mean of every feature, (n_features,); of a constant feature the constant itself.

    A rounded mean of equal numbers would leave noise where centred points have nothing.

    Parameters
    ----------
    X : (n_samples, n_features)
    weights : (n_samples,), optional
        Of the points.
    """
    means = X.mean(axis=0) if weights is None else weights @ X / weights.sum()
    return np.asarray(np.where((X[0] == X).all(axis=0), X[0], means))


def gram_factor(gram: FloatArray) -> FloatArray:
    """Return F, (rank, n), with F'F equal to the Gram matrix, by Cholesky's method with pivots.

    Parameters
    ----------
    gram : (n, n)
        Symmetric, positive semidefinite.
    """
    factor, pivots, rank, _ = scipy.linalg.lapack.dpstrf(gram)
    upper = np.triu(factor[:rank])
    unpivoted: FloatArray = np.empty_like(upper)
    unpivoted[:, pivots - 1] = upper
    return unpivoted
