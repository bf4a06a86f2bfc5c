"""Leaving points out of jointly trained machines with a ternary code, by the inverse of the linear system."""

import numpy as np

from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import Bits, FloatArray, Scores


def left_out_scores(
    gram: FloatArray,
    targets: Bits,
    S: FloatArray,
    duals: FloatArray,
    scores: Scores,
    progress: Progress = NO_PROGRESS,
    weights: FloatArray | None = None,
) -> Scores:
    """Return the scores of every point by machines trained without it, relation and weights fixed.

    Leaving point i out of all its machines is asking that its dual coefficients be zero: with J the
    inverse of the bordered system of [Liu2016]_ (Eq. 10), the solution moves by
    J[:, i] J[i, i]^-1 B_i, and so do the scores of the machines that never saw the point.

    Symbols: B -> duals.

    Parameters
    ----------
    gram : (n_samples, n_samples)
    targets : (n_samples, n_bits)
        In {-1, 0, +1}; every column has both signs.
    S : (n_bits, n_bits)
        (lambda1 I + lambda2 M^-1)^-1.
    duals, scores : (n_samples, n_bits)
        Of the trained machines.
    progress
        Told the finished share; may raise to cancel.
    weights : (n_samples,), optional
        Of the points; N_l is a sum of weights, and the diagonal N_l / 2 is over the point's own.
    """
    shares = np.ones(gram.shape[0]) if weights is None else weights
    n_samples, n_bits = targets.shape
    points, bits = np.nonzero(targets)
    size = points.size
    system = np.zeros((size + n_bits, size + n_bits))
    system[:size, :size] = gram[np.ix_(points, points)] * S[np.ix_(bits, bits)]
    counts = np.bincount(bits, shares[points], minlength=n_bits)
    system[np.arange(size), np.arange(size)] += counts[bits] / 2 / shares[points]
    system[np.arange(size), size + bits] = 1
    system[size + bits, np.arange(size)] = 1
    inverse = np.linalg.inv(system)
    starts = np.searchsorted(points, np.arange(n_samples + 1))
    left_out = np.empty(scores.shape)
    for i in range(n_samples):
        progress.note(f"leaving out point {i + 1} of {n_samples}")
        own = slice(starts[i], starts[i + 1])
        moves = inverse[:, own] @ np.linalg.solve(inverse[own, own], duals[i, bits[own]])
        change = np.zeros((n_samples, n_bits))
        change[points, bits] = moves[:size]
        left_out[i] = scores[i] - gram[i] @ change @ S - moves[size:]
        progress.at((i + 1) / n_samples)
    return left_out
