"""How far each kernel machine can be relied on: as a whole (SRM) and around a point (DRM).

Arrays in, arrays out; the decodings that use these measures are in `decodings/srm.py` and `drm.py`.
"""

import warnings
from collections.abc import Iterator

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning

from ecocviz.engine.types import BoolArray, CodeMatrix, FloatArray, IntArray, Scores

CHUNK_DISTANCES = 4_000_000
"""Most query-to-training distances held at once (32 MB)."""
FLOOR = float(np.exp(-1.0))
"""No optimal machine's static reliability is smaller."""


def hinge_losses(scores: Scores, targets: CodeMatrix) -> FloatArray:
    """Return max(0, 1 - t f) of every training point and machine, (n_samples, n_bits).

    Parameters
    ----------
    scores, targets : (n_samples, n_bits)
        Training scores and the sides asked for; where the side is 0 the loss is 0.

    Examples
    --------
    >>> hinge_losses(np.array([[0.5, -3.0]]), np.array([[1, 0]], dtype=np.int8)).tolist()
    [[0.5, 0.0]]
    """
    losses: FloatArray = np.where(targets != 0, np.maximum(0.0, 1.0 - targets * scores), 0.0)
    return losses


def squared_norms(alphas: FloatArray, scores: Scores, targets: CodeMatrix) -> FloatArray:
    """Return the squared norm of every machine, (n_bits,), without going back to the Gram matrix.

    A machine f = sum over j of alpha_j t_j K(x_j, .) has the squared norm sum over i, j of
    alpha_i alpha_j t_i t_j K_ij = sum over i of alpha_i t_i f(x_i). A bias outside the kernel drops
    out, because alpha sums to the same on both sides then.

    Parameters
    ----------
    alphas, scores, targets : (n_samples, n_bits)
        Dual coefficients (0 where the target is 0), training scores, sides.
    """
    norms: FloatArray = np.maximum(np.einsum("ib,ib,ib->b", alphas, targets.astype(np.float64), scores), 0.0)
    return norms


def static_reliability(
    norms: FloatArray,
    losses: FloatArray,
    targets: CodeMatrix,
    C: float | FloatArray,
    weights: FloatArray | None = None,
) -> FloatArray:
    """Return the static reliability measure of every machine.

    Implements Eq. 7 of [Liu2005]_ with sigma = C N: lambda = exp(-(|w|^2 / 2 + C sum of h_i) / (C N)).

    Symbols: |w|^2 -> norms, h_i -> losses, N -> number of points the machine was shown.

    Where points have limits of their own, w_i C, both sums take them: sigma is C times the sum of the w_i,
    and C h_i becomes w_i C h_i.

    The zero machine has the objective C N, so an optimal one has lambda in [1/e, 1]. A smaller value
    proves that a solver stopped too early; it is returned as it is, with a ConvergenceWarning.

    Parameters
    ----------
    norms : (n_bits,)
        Squared norms.
    losses : (n_samples, n_bits)
        Hinge losses at the training points.
    targets : (n_samples, n_bits)
        Sides of the training points, 0 where a machine was not shown the point.
    C
        Upper limit of the dual coefficients, one for all machines or one each (n_bits,).
    weights : (n_samples,) or (n_samples, n_bits), optional
        By what C is multiplied at each point.

    Returns
    -------
    reliabilities : (n_bits,)
        In [1/e, 1] for optimal machines; 1 for a machine that was shown nothing.
    """
    n_shown, losses = _weighed(targets, losses, weights)
    share = (0.5 * norms / np.asarray(C, dtype=np.float64) + losses.sum(axis=0)) / n_shown
    reliabilities: FloatArray = np.exp(-share)
    # One per mille is left to the tolerance of a converged solver.
    unfinished = np.flatnonzero(reliabilities < FLOOR * (1.0 - 1e-3))
    if unfinished.size:
        warnings.warn(
            f"Machine {unfinished[0] + 1} is further from its optimum than the zero machine: its static "
            f"reliability is {reliabilities[unfinished[0]]:.3g}, below 1/e. Train with a smaller tolerance "
            "or more iterations.",
            ConvergenceWarning,
            stacklevel=2,
        )
    return reliabilities


def local_reliability(
    X: FloatArray,
    scores: Scores,
    X_train: FloatArray,
    train_scores: Scores,
    targets: CodeMatrix,
    norms: FloatArray,
    losses: FloatArray,
    C: float | FloatArray,
    n_neighbors: int = 5,
    exclude: IntArray | None = None,
    *,
    weights: FloatArray | None = None,
    counts: FloatArray | None = None,
) -> FloatArray:
    """Return the dynamic reliability measure of every machine at every point.

    Implements Eq. 12 of [Liu2005]_: lambda(x) = exp(-(|w|^2 / (2 C N) + mean of h_j)), the mean over
    those of the k nearest training points of the machine that it puts on the side where it puts x.

    Symbols: |w|^2 -> norms, h_j -> losses, N -> number of points the machine was shown, k ->
    n_neighbors.

    Differs from the paper: it leaves open what is near (here the Euclidean distance, the lower index
    first among equals), which k (here 5) and what holds when no neighbour is on the side of x (here
    the static measure); a score of 0 counts as positive; the points near x are sought among those
    the machine was shown, because codes with zeros show machines some classes only.

    Parameters
    ----------
    X : (n_queries, n_features)
        Points to be classified.
    scores : (n_queries, n_bits)
        What the machines say of them.
    X_train : (n_samples, n_features)
    train_scores, targets, losses : (n_samples, n_bits)
        Scores of the training points, their sides and hinge losses.
    norms : (n_bits,)
        Squared norms.
    C
        Upper limit of the dual coefficients, one for all machines or one each (n_bits,).
    n_neighbors
        Neighbours looked at, before those on the other side are dropped.
    exclude : (n_queries,), optional
        Training point that must not count as a neighbour of each query, -1 for none: the point itself
        when it is left out.
    weights : (n_samples,) or (n_samples, n_bits), optional
        By what C is multiplied at each training point.
    counts : (n_samples,), optional
        As how many neighbours each training point counts; 1 when left out.

    Returns
    -------
    reliabilities : (n_queries, n_bits)
    """
    if n_neighbors < 1:
        raise ValueError(f"The local reliability needs at least 1 neighbour, not {n_neighbors}.")
    left_out = np.full(X.shape[0], -1, dtype=np.int64) if exclude is None else exclude
    n_shown, weighed = _weighed(targets, losses, weights)
    eligible: BoolArray | FloatArray
    penalties = 0.5 * norms / (np.asarray(C, dtype=np.float64) * n_shown)
    mean_losses = np.broadcast_to(weighed.sum(axis=0) / n_shown, scores.shape).copy()
    for points, bits in _groups(targets):
        for part in _chunks(X.shape[0], points.size):
            distances = cdist(X[part], X_train[points], "sqeuclidean")
            distances[left_out[part][:, None] == points[None, :]] = np.inf
            if counts is None:
                nearest, eligible = _nearest(distances, n_neighbors)
            else:
                nearest, eligible = _nearest_counted(distances, n_neighbors, counts[points])
            neighbors = points[nearest]
            for b in bits:
                same_side = (train_scores[neighbors, b] >= 0) == (scores[part, b] >= 0)[:, None]
                kept = same_side * eligible
                count = kept.sum(axis=1)
                total = (kept * losses[neighbors, b]).sum(axis=1)
                np.divide(total, count, out=mean_losses[part, b], where=count > 0)
    reliabilities: FloatArray = np.exp(-(penalties + mean_losses))
    return reliabilities


def _weighed(
    targets: CodeMatrix, losses: FloatArray, weights: FloatArray | None
) -> tuple[FloatArray, FloatArray]:
    """Return what the points of each machine weigh, (n_bits,), 1 without any, and the weighed losses."""
    if weights is None:
        return np.maximum(np.count_nonzero(targets, axis=0), 1).astype(np.float64), losses
    shown = np.where(targets != 0, weights.reshape(losses.shape[0], -1), 0.0)
    totals = shown.sum(axis=0)
    return np.where(totals > 0, totals, 1.0), shown * losses


def _nearest_counted(distances: FloatArray, k: int, counts: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the columns of every row by distance, and as how many of the k nearest each counts.

    Points that count as several are as so many equal columns; the last one may count in part.
    """
    order = np.argsort(distances, axis=1, kind="stable")
    size = np.where(np.isfinite(np.take_along_axis(distances, order, axis=1)), counts[order], 0.0)
    taken: FloatArray = np.clip(k - (np.cumsum(size, axis=1) - size), 0.0, size)
    within = max(1, int((taken > 0).sum(axis=1).max()))
    return order[:, :within], taken[:, :within]


def _groups(targets: CodeMatrix) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield the training points and the machines that were shown exactly these, machine by machine."""
    patterns, group_of = np.unique(targets != 0, axis=1, return_inverse=True)
    for group, shown in enumerate(patterns.T):
        points = np.flatnonzero(shown)
        if points.size:
            yield points, np.flatnonzero(group_of.ravel() == group)


def _chunks(n_queries: int, n_points: int) -> Iterator[slice]:
    step = max(1, CHUNK_DISTANCES // n_points)
    for start in range(0, n_queries, step):
        yield slice(start, start + step)


def _nearest(distances: FloatArray, k: int) -> tuple[IntArray, BoolArray]:
    """Return the k nearest columns of every row, the lower index among equals, each (n_rows, <= k).

    The second answer is False where the neighbour is infinitely far, that is excluded.
    """
    k = min(k, distances.shape[1])
    limits = np.partition(distances, k - 1, axis=1)[:, k - 1 : k]
    nearer, level = distances < limits, distances == limits
    room = k - nearer.sum(axis=1, keepdims=True)
    chosen = nearer | (level & (np.cumsum(level, axis=1) <= room))
    columns = np.nonzero(chosen)[1].reshape(-1, k)
    eligible: BoolArray = np.isfinite(np.take_along_axis(distances, columns, axis=1))
    return columns, eligible
