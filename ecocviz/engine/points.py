"""Points of any kind that a machine may read: how many there are, some of them, and what they weigh."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _check_method_params, _check_sample_weight, _num_samples

from ecocviz.engine.types import FloatArray, IntArray, Points


def is_sparse(X: Points) -> bool:
    """Say whether points are held without their zeros."""
    return bool(issparse(X))


def count(X: Points) -> int:
    """Return the number of points."""
    return int(_num_samples(X))


def take(X: Points, rows: IntArray, columns: IntArray | None = None) -> Points:
    """Return some of the points; of kernel values, (n, n_samples), those with some points, `columns`.

    Examples
    --------
    >>> take(["one", "two", "three"], np.array([0, 2]))
    ['one', 'three']
    """
    chosen = _safe_indexing(X, rows)
    return chosen if columns is None else _safe_indexing(chosen, columns, axis=1)


def take_params(X: Points, params: Mapping[str, Any], rows: IntArray) -> dict[str, Any]:
    """Return what goes with some of the points: of each value that has one entry a point, their entries."""
    chosen: dict[str, Any] = _check_method_params(X, dict(params), indices=rows)
    return chosen


def check_weights(sample_weight: npt.ArrayLike | None, X: Points) -> FloatArray | None:
    """Return the weights of the points, (n_samples,), or raise with a sentence; None where all weigh 1.

    Examples
    --------
    >>> check_weights([1.0, 1.0], [[0.0], [1.0]]) is None
    True
    >>> check_weights([1.0, -1.0], [[0.0], [1.0]])
    Traceback (most recent call last):
        ...
    ValueError: Weights of points cannot be negative; leave a point out by the weight 0.
    """
    if sample_weight is None:
        return None
    if not np.any(np.asarray(sample_weight)):
        raise ValueError("All weights are zero, so that no point is left to train on; raise some.")
    weights: FloatArray = _check_sample_weight(sample_weight, X, dtype=np.float64)
    if (weights < 0).any():
        raise ValueError("Weights of points cannot be negative; leave a point out by the weight 0.")
    return None if (weights == 1).all() else weights


def dense(X: Points, what: str) -> FloatArray:
    """Return the points as an array of finite numbers, which `what` needs, or raise with a sentence."""
    if is_sparse(X):
        raise ValueError(f"{what} needs dense points; hand over X.toarray().")
    try:
        points = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        points = np.empty(0)
    if points.ndim != 2 or not np.isfinite(points).all():
        raise ValueError(f"{what} needs a table of finite numbers; fill or encode the points first.")
    return points
