"""Class kernels: how alike a single machine takes two classes to be."""

import numpy as np

from ecocviz.engine.types import FloatArray


def class_kernel(extension: FloatArray, gamma: float) -> FloatArray:
    """Return exp(-gamma |M_r - M_s|^2), (n_columns, n_columns): the second factor of Eq. 5 of [ElYaniv2008]_.

    Parameters
    ----------
    extension : (n_columns, width)
        M, whose row r is appended to the replica of column r.
    gamma
        1 / (2 sigma^2).

    Examples
    --------
    >>> class_kernel(np.array([[1.0], [2.0]]), 0.0).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    M = np.asarray(extension, dtype=np.float64)
    V: FloatArray = np.exp(-gamma * np.square(M[:, None, :] - M[None, :, :]).sum(axis=2))
    return V


def identity_extension(n_columns: int) -> FloatArray:
    """Return one unit vector for each class, (n_columns, n_columns)."""
    return np.eye(n_columns)


def single_extension(n_columns: int) -> FloatArray:
    """Return the number of the replica as one feature, (n_columns, 1)."""
    return np.arange(1.0, n_columns + 1)[:, None]


def unit_extensions(n_columns: int) -> FloatArray:
    """Return the matrices of section 5 of [ElYaniv2008]_: the k-th is zero but for entry (k, k).

    Returns
    -------
    extensions : (n_columns, n_columns, n_columns)
    """
    extensions = np.zeros((n_columns, n_columns, n_columns))
    extensions[np.arange(n_columns), np.arange(n_columns), np.arange(n_columns)] = 1.0
    return extensions


def combine(mu: FloatArray, basis: FloatArray) -> FloatArray:
    """Return V = sum_k mu_k V_k, (n_columns, n_columns): Eq. 8 of [ElYaniv2008]_."""
    V: FloatArray = np.tensordot(mu, basis, axes=1)
    return V
