"""Sigmoids that turn scores into probabilities: Newton's method for many machines at once."""

import numpy as np
from numba import njit

from ecocviz.engine.types import Bits, FloatArray, Scores

MAX_ITERATIONS = 100
GRADIENT_TOLERANCE = 1e-5
SMALLEST_STEP = 1e-10
RIDGE = 1e-12
SMALLEST_SCALE = 1e-100
BULK = 1e-9
"""Where most scores lie closer together than this share of the farthest, they are equal but for rounding."""


def fit_sigmoids(
    scores: Scores, targets: Bits, raw: bool = False, weights: FloatArray | None = None
) -> FloatArray:
    """Fit P(bit = +1 | f) = 1 / (1 + exp(A f + B)) to each machine's held-out scores.

    Implements the fit of [Platt1999]_ by the method of [Lin2007]_: minimise the sum over i of
    T_i u_i + softplus(-u_i), u_i = A f_i + B, by Newton's method with backtracking.

    Symbols: f_i -> scores, T_i -> soft target: (N+ + 1) / (N+ + 2) for the N+ points on the positive
    side, 1 / (N- + 2) for the N- others; 1 and 0 when `raw`.

    Differs from the paper: during the fit the scores are shifted by their median and scaled by their
    median deviation from it, because the tolerance (1e-5 on the gradient) and the ridge (1e-12) then
    mean the same for machines of every scale.

    Parameters
    ----------
    scores : (n_samples, n_bits)
        Scores that the machines gave to points they were not trained on.
    targets : (n_samples, n_bits)
        Side of each point, in {-1, 0, +1}; points with 0 are not used.
    raw
        Use hard targets, as in Eq. 5 of [Passerini2004]_; A diverges slowly on separable scores.
    weights : (n_samples,), optional
        As how many points each point counts; N+ and N- are then sums of these.

    Returns
    -------
    sigmoids : (n_bits, 2)
        A, B of each machine. A machine that saw one side only keeps the start, A = 0 and
        B = log((N- + 1) / (N+ + 1)); for soft targets that is the optimum.

    Examples
    --------
    >>> targets = np.array([[1], [1], [-1], [-1]], dtype=np.int8)
    >>> bool(fit_sigmoids(np.array([[2.0], [1.0], [-1.0], [-2.0]]), targets)[0, 0] < 0)
    True
    """
    sigmoids: FloatArray = _fit_all(*_by_machine(scores, targets), _counts(weights, scores), raw)
    return sigmoids


def sigmoid_losses(
    scores: Scores, targets: Bits, sigmoids: FloatArray, weights: FloatArray | None = None
) -> FloatArray:
    """Return the soft log-loss in nats, (n_bits,), that `fit_sigmoids` makes least, of sigmoids (n_bits, 2).

    Examples
    --------
    >>> targets = np.array([[1], [-1]], dtype=np.int8)
    >>> sigmoid_losses(np.array([[1.0], [-1.0]]), targets, np.zeros((1, 2))).round(4).tolist()
    [1.3863]
    """
    counts = _counts(weights, scores)
    losses: FloatArray = _losses(
        *_by_machine(scores, targets), counts, np.asarray(sigmoids, dtype=np.float64)
    )
    return losses


def fit_offsets(
    scores: Scores, targets: Bits, slopes: FloatArray, weights: FloatArray | None = None
) -> FloatArray:
    """Return the best offset B of each machine for given slopes A, both (n_bits,); 0 where no point is used.

    It makes the mean probability that of the soft targets.

    Examples
    --------
    >>> targets = np.array([[1], [-1]], dtype=np.int8)
    >>> abs(fit_offsets(np.array([[1.0], [-1.0]]), targets, np.array([-2.0])).round(6)).tolist()
    [0.0]
    """
    counts = _counts(weights, scores)
    offsets: FloatArray = _offsets(
        *_by_machine(scores, targets), counts, np.asarray(slopes, dtype=np.float64)
    )
    return offsets


def _counts(weights: FloatArray | None, scores: Scores) -> FloatArray:
    """Return as how many points each point counts, (n_samples,)."""
    return np.ones(np.shape(scores)[0]) if weights is None else np.asarray(weights, dtype=np.float64)


def _by_machine(scores: Scores, targets: Bits) -> tuple[FloatArray, Bits]:
    """Return both turned, a row a machine, or raise where they do not fit."""
    f = np.asarray(scores, dtype=np.float64)
    sides = np.asarray(targets)
    if f.ndim != 2 or f.shape != sides.shape:
        raise ValueError(
            f"Scores {f.shape} and targets {sides.shape} must be tables of one shape, samples by machines."
        )
    if not np.isfinite(f).all():
        raise ValueError("Some scores are not finite numbers; a sigmoid cannot be fitted to them.")
    return np.ascontiguousarray(f.T), np.ascontiguousarray(sides.T.astype(np.int8))


@njit(cache=True, nogil=True)
def _objective(z, soft, counts, slope, offset):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Sum T u + softplus(-u); written as (T - [u < 0]) u + log(1 + exp(-|u|)) nothing overflows."""
    total = 0.0
    for i in range(z.size):
        u = slope * z[i] + offset
        total += counts[i] * (soft[i] * u + max(-u, 0.0) + np.log1p(np.exp(-abs(u))))
    return total


@njit(cache=True, nogil=True)
def _newton(z, soft, counts, offset):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Minimise from slope 0 and the given offset: z (n,) scaled scores, soft (n,) targets, counts (n,)."""
    slope = 0.0
    value = _objective(z, soft, counts, slope, offset)
    for _ in range(MAX_ITERATIONS):
        g_slope, g_offset = 0.0, 0.0
        h_ss, h_so, h_oo = RIDGE, 0.0, RIDGE
        for i in range(z.size):
            u = slope * z[i] + offset
            small = np.exp(-abs(u))
            p = small / (1.0 + small) if u >= 0.0 else 1.0 / (1.0 + small)
            gap = counts[i] * (soft[i] - p)
            curvature = counts[i] * (small / ((1.0 + small) * (1.0 + small)))
            g_slope += z[i] * gap
            g_offset += gap
            h_ss += z[i] * z[i] * curvature
            h_so += z[i] * curvature
            h_oo += curvature
        if max(abs(g_slope), abs(g_offset)) < GRADIENT_TOLERANCE:
            break
        # The ridge alone makes it this large; rounding may say less where all curvatures are tiny.
        determinant = max(h_ss * h_oo - h_so * h_so, RIDGE * (h_ss + h_oo - RIDGE))
        d_slope = -(h_oo * g_slope - h_so * g_offset) / determinant
        d_offset = -(h_ss * g_offset - h_so * g_slope) / determinant
        descent = g_slope * d_slope + g_offset * d_offset
        step, trial = 1.0, value
        while step >= SMALLEST_STEP:
            trial = _objective(z, soft, counts, slope + step * d_slope, offset + step * d_offset)
            if trial < value + 1e-4 * step * descent:
                break
            step *= 0.5
        if step < SMALLEST_STEP:
            break
        slope += step * d_slope
        offset += step * d_offset
        value = trial
    return slope, offset


@njit(cache=True, nogil=True)
def _median(z, counts):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Return the median of numbers (n,) of which each is there so many times, (n,)."""
    order = np.argsort(z)
    half = 0.5 * counts.sum()
    passed = 0.0
    for k in range(order.size):
        passed += counts[order[k]]
        if passed > half or k + 1 == order.size:
            return z[order[k]]
        if passed == half:
            return 0.5 * (z[order[k]] + z[order[k + 1]])
    return 0.0


@njit(cache=True, nogil=True)
def _bulk(z, counts):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Return where most of z (n,) lies and how far it spreads, so that no outlier sets the scale."""
    centre = _median(z, counts)
    distances = np.abs(z - centre)
    scale = _median(distances, counts)
    if scale < BULK * distances.max() or scale < SMALLEST_SCALE:
        scale = max((counts * distances).sum() / counts.sum(), SMALLEST_SCALE)
    return centre, scale


@njit(cache=True, nogil=True)
def _soft_targets(sides, counts):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Return the soft targets of the sides (n,) in {-1, +1}."""
    n_positive = (counts * (sides > 0)).sum()
    n_negative = counts.sum() - n_positive
    return np.where(sides > 0, (n_positive + 1.0) / (n_positive + 2.0), 1.0 / (n_negative + 2.0))


@njit(cache=True, nogil=True)
def _offset(u, soft, counts):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Return B with sum of 1 / (1 + exp(u + B)) = sum of soft, u (n,): the sum falls as B rises."""
    wanted = (counts * soft).sum()
    low, high = -u.max() - 50.0, -u.min() + 50.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        total = 0.0
        for i in range(u.size):
            total += counts[i] / (1.0 + np.exp(min(u[i] + middle, 700.0)))
        if total > wanted:
            low = middle
        else:
            high = middle
        if high - low < 1e-12 * (1.0 + abs(middle)):
            break
    return 0.5 * (low + high)


@njit(cache=True, nogil=True)
def _losses(scores, sides, counts, sigmoids):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    losses = np.zeros(scores.shape[0])
    for b in range(scores.shape[0]):
        used = np.flatnonzero(sides[b])
        if used.size:
            soft = _soft_targets(sides[b][used], counts[used])
            losses[b] = _objective(scores[b][used], soft, counts[used], sigmoids[b, 0], sigmoids[b, 1])
    return losses


@njit(cache=True, nogil=True)
def _offsets(scores, sides, counts, slopes):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    offsets = np.zeros(scores.shape[0])
    for b in range(scores.shape[0]):
        used = np.flatnonzero(sides[b])
        if used.size:
            soft = _soft_targets(sides[b][used], counts[used])
            offsets[b] = _offset(slopes[b] * scores[b][used], soft, counts[used])
    return offsets


@njit(cache=True, nogil=True)
def _fit_all(scores, sides, counts, raw):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Fit every row of scores (n_bits, n_samples) against sides of the same shape."""
    n_bits = scores.shape[0]
    sigmoids = np.zeros((n_bits, 2))
    for b in range(n_bits):
        used = np.flatnonzero(sides[b])
        n_positive, n_negative = 0.0, 0.0
        for i in used:
            if sides[b, i] > 0:
                n_positive += counts[i]
            else:
                n_negative += counts[i]
        start = np.log((n_negative + 1.0) / (n_positive + 1.0))
        if n_positive == 0 or n_negative == 0:
            sigmoids[b, 1] = start
            continue
        high = 1.0 if raw else (n_positive + 1.0) / (n_positive + 2.0)
        low = 0.0 if raw else 1.0 / (n_negative + 2.0)
        z = scores[b][used]
        centre, scale = _bulk(z, counts[used])
        z = (z - centre) / scale
        soft = np.where(sides[b][used] > 0, high, low)
        slope, offset = _newton(z, soft, counts[used], start)
        sigmoids[b, 0] = slope / scale
        sigmoids[b, 1] = offset - slope / scale * centre
    return sigmoids
