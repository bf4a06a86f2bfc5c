"""What is taken for what: the counts of true and decided classes, the most frequent errors, alike classes."""

from collections.abc import Sequence

import numpy as np

from ecocviz.engine.analysis.correlations import cluster_order
from ecocviz.engine.types import IntArray

FEW_CLASSES = 6
"""So few classes stay in the order in which they are listed."""


def alike_order(counts: Sequence[IntArray]) -> IntArray:
    """Return the classes so that those that are confused stand side by side, (n_classes,).

    Parameters
    ----------
    counts
        Of each decoder, (n_classes, n_classes), true classes down.

    Examples
    --------
    >>> alike_order([np.array([[8, 0, 2], [0, 9, 0], [3, 0, 7]])]).tolist()
    [1, 2, 0]
    """
    total = np.sum(counts, axis=0)
    shares = total / np.maximum(total.sum(axis=1, keepdims=True), 1)
    alike = np.sqrt((shares + shares.T) / 2)
    np.fill_diagonal(alike, 0.0)
    return cluster_order(alike / max(float(alike.max()), 1e-12))


def frequent_errors(counts: IntArray, most: int) -> list[tuple[int, int, int]]:
    """Return the errors that occur most: true class, decided class, how often; the first among equals.

    >>> frequent_errors(np.array([[8, 0, 2], [0, 9, 0], [3, 0, 7]]), 5)
    [(2, 0, 3), (0, 2, 2)]
    """
    errors = counts - np.diag(np.diag(counts))
    cells = np.argsort(-errors, axis=None, kind="stable")[:most]
    places = zip(*np.unravel_index(cells, errors.shape), strict=True)
    return [(int(i), int(j), int(errors[i, j])) for i, j in places if errors[i, j]]
