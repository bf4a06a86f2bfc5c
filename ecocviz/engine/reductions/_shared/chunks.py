"""Working points off a few at a time, so that what is made on the way stays small."""

import numpy as np

from ecocviz.engine.kernels.gram import Kernel, gram_matrix
from ecocviz.engine.types import FloatArray, Points

CHUNK = 4096
"""Samples decoded at a time, so that decoders with (samples, classes, bits) terms stay small."""
SCORES_BYTES = 1 << 28
"""Scores of new points that are held at once, where they are decoded."""
CHUNK_BYTES = 1 << 26
"""Kernel values held at once."""


def kernel_expansion(kernel: Kernel, X: Points, points: Points, weights: FloatArray) -> FloatArray:
    """Return gram_matrix(kernel, X, points) @ weights, (n_samples, n_columns), zeros without points.

    Parameters
    ----------
    kernel
        Which kernel.
    X : (n_samples, n_features)
    points : (n_points, n_features)
    weights : (n_points, n_columns)
    """
    expansion = np.zeros((X.shape[0], weights.shape[1]))
    if points.shape[0]:
        step = max(1, CHUNK_BYTES // (8 * points.shape[0]))
        for first in range(0, X.shape[0], step):
            part = slice(first, first + step)
            expansion[part] = gram_matrix(kernel, X[part], points) @ weights
    return expansion
