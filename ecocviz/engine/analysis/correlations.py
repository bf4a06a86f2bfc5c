"""How alike the machines are: in their weights, in their scores, in their errors."""

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from ecocviz.engine.types import BoolArray, CodeMatrix, FloatArray, IntArray, Scores

MAX_OPTIMAL = 150
"""Turning every branch of a larger tree to its best side would take seconds."""


def weight_correlations(alphas: FloatArray, targets: CodeMatrix, scores: Scores) -> FloatArray:
    """Return the cosines between the machines' weight vectors in feature space, (n_bits, n_bits).

    The inner product of two kernel expansions is <w_s, w_t> = sum_i alpha_i^s t_i^s f_t(x_i), so the
    training scores give it without the Gram. A bias folded into the kernel is part of w. The
    machines' own norms are on the diagonal before scaling; a machine with w = 0 has cosine 0 with
    all others and 1 with itself.

    Parameters
    ----------
    alphas : (n_samples, n_bits)
        Non-negative dual coefficients.
    targets : (n_samples, n_bits)
        Sides t in {-1, 0, +1}.
    scores : (n_samples, n_bits)
        Training scores of the same machines.
    """
    inner = (alphas * targets).T @ scores
    inner = (inner + inner.T) / 2
    norms = np.sqrt(np.maximum(np.diag(inner), 0.0))
    return _scaled(inner, norms)


def score_correlations(scores: Scores) -> FloatArray:
    """Return Pearson's correlations of the machines' scores, (n_bits, n_bits).

    A machine with constant scores correlates 0 with all others.
    """
    centred = scores - scores.mean(axis=0)
    inner = centred.T @ centred
    return _scaled(inner, np.sqrt(np.diag(inner)))


def error_correlations(wrong: BoolArray, asked: BoolArray) -> FloatArray:
    """Return the phi coefficients of the machines' errors, (n_bits, n_bits).

    Each pair is compared on the samples that both are asked about; NaN where one of them never or
    always errs there, so that there is no coefficient.

    Parameters
    ----------
    wrong, asked : (n_samples, n_bits)
        As in `BitReport`.
    """
    errors, seen = wrong.astype(np.float64), asked.astype(np.float64)
    both = seen.T @ seen
    own = errors.T @ seen  # errors of the row's machine on the samples both are asked about
    joint = errors.T @ errors
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = own / both
        covariance = joint / both - rate * rate.T
        variance = rate * (1 - rate)
        phi = covariance / np.sqrt(variance * variance.T)
    correlations: FloatArray = np.clip(np.where(np.isfinite(phi), phi, np.nan), -1.0, 1.0)
    np.fill_diagonal(correlations, 1.0)
    return correlations


def cosines(products: FloatArray) -> FloatArray:
    """Scale a matrix of inner products, (n_bits, n_bits), to cosines: ones on the diagonal.

    A machine of norm 0 has cosine 0 with all others and 1 with itself.

    Examples
    --------
    >>> cosines(np.array([[4.0, 1.0], [1.0, 1.0]])).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    symmetric = (products + products.T) / 2
    return _scaled(symmetric, np.sqrt(np.maximum(np.diag(symmetric), 0.0)))


def cluster_order(correlations: FloatArray) -> IntArray:
    """Return the machines in an order in which alike ones stand together, (n_bits,).

    The order of the leaves of an average-linkage tree on the distance 1 - r; up to 150 machines its
    branches are turned so that neighbours are as alike as can be.

    Parameters
    ----------
    correlations : (n_bits, n_bits)
        Symmetric, in [-1, 1].
    """
    n_bits = correlations.shape[0]
    if n_bits < 3:
        return np.arange(n_bits)
    distances = 1 - (correlations + correlations.T) / 2
    np.fill_diagonal(distances, 0.0)
    tree = linkage(
        squareform(np.maximum(distances, 0.0), checks=False),
        method="average",
        optimal_ordering=n_bits <= MAX_OPTIMAL,
    )
    order: IntArray = leaves_list(tree).astype(np.int64)
    return order


def joint_errors(wrong: BoolArray, asked: BoolArray, a: int, b: int) -> IntArray:
    """Count what two machines do together, on the samples both are asked about.

    Returns
    -------
    counts : (2, 2)
        Row: machine a right, wrong; column: machine b right, wrong.
    """
    both = asked[:, a] & asked[:, b]
    counts = np.zeros((2, 2), dtype=np.int64)
    np.add.at(counts, (wrong[both, a].astype(np.int64), wrong[both, b].astype(np.int64)), 1)
    return counts


def _scaled(inner: FloatArray, norms: FloatArray) -> FloatArray:
    lengths = np.outer(norms, norms)
    tiny = lengths <= 1e-300
    scaled: FloatArray = np.clip(np.where(tiny, 0.0, inner / np.where(tiny, 1.0, lengths)), -1.0, 1.0)
    np.fill_diagonal(scaled, 1.0)
    return scaled
