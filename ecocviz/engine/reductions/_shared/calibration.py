"""Which held-out scores may speak of a machine, and which sigmoid it gets where they say nothing.

The rule and its reasons stand in docs/decisions/0018.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from ecocviz.engine.kernels.sigmoid import fit_offsets, fit_sigmoids, sigmoid_losses
from ecocviz.engine.types import Bits, BoolArray, CodeMatrix, FloatArray, IntArray, Scores

ENOUGH = 5
"""Held-out points that a machine needs on each side for an offset of its own."""
MANY = 20
"""Held-out points that it needs in all for a slope of its own, too."""
TELLING = 2.0
"""Nats by which a sigmoid must beat the bare share of the sides: twice that exceeds chance at about 5 %."""
NOISE = 10.0
"""Scores that spread by less than so many times their own accuracy are noise."""
DEFAULT_SLOPE = -2.0
"""P = 1 / (1 + exp(-2 f)): a machine that is sure, at a score of 1, is believed 88 times of 100."""


class Source(IntEnum):
    """Where a machine's sigmoid comes from."""

    OWN = 0
    """Fitted to its own held-out scores."""
    SHARED = 1
    """The slope that all machines' held-out scores have in common."""
    DEFAULT = 2
    """The default slope, because all of them together say nothing either."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Sigmoids (n_bits, 2), all of them rising with the score, and the `Source` of each, (n_bits,)."""

    sigmoids: FloatArray
    sources: IntArray


def calibrate(
    scores: Scores, sides: Bits, accuracy: FloatArray, weights: FloatArray | None = None
) -> Calibration:
    """Return a rising sigmoid for every machine.

    Parameters
    ----------
    scores : (n_samples, n_bits)
        Held-out scores.
    sides : (n_samples, n_bits)
        Side of each point that may speak for the machine, 0 for those that may not; see `speaking`.
    accuracy : (n_bits,)
        What scores may be off by because solvers stop.
    weights : (n_samples,), optional
        As how many points each point counts.
    """
    counts = np.ones(sides.shape[0]) if weights is None else weights
    positive, negative = counts @ (sides > 0), counts @ (sides < 0)
    enough = np.minimum(positive, negative) >= ENOUGH
    many = enough & (positive + negative >= MANY)
    sigmoids = fit_sigmoids(scores, sides, weights=counts)
    own = many & _tells(scores, sides, sigmoids, accuracy, counts)
    sources = np.where(own, Source.OWN, Source.SHARED).astype(np.int64)
    if not own.all():
        slope = _common_slope(scores, sides, accuracy, counts)
        if slope is None:
            slope = DEFAULT_SLOPE
            sources[~own] = Source.DEFAULT
        slopes = np.full(own.size, slope)
        # How often each side occurs is known where there are points of both; it is then the machine's own.
        offsets = np.where(enough, fit_offsets(scores, sides, slopes, counts), 0.0)
        sigmoids = np.where(own[:, None], sigmoids, np.column_stack([slopes, offsets]))
    return Calibration(sigmoids, sources)


def _tells(
    scores: Scores, sides: Bits, sigmoids: FloatArray, accuracy: FloatArray, counts: FloatArray
) -> BoolArray:
    """Say of each machine whether its scores tell the sides apart, beyond their own accuracy and chance."""
    shown = [np.flatnonzero(side) for side in sides.T]
    spread = np.array([_spread(scores[rows, b], counts[rows]) for b, rows in enumerate(shown)])
    flat = np.zeros_like(sigmoids)
    flat[:, 1] = fit_offsets(scores, sides, flat[:, 0], counts)
    gain = sigmoid_losses(scores, sides, flat, counts) - sigmoid_losses(scores, sides, sigmoids, counts)
    tells: BoolArray = (sigmoids[:, 0] < 0) & (gain > TELLING) & (spread > NOISE * accuracy)
    return tells


def _spread(scores: FloatArray, counts: FloatArray) -> float:
    """Return the standard deviation of scores (n,) of which each counts so many times; 0 of none."""
    if not scores.size:
        return 0.0
    mean = np.average(scores, weights=counts)
    return float(np.sqrt(np.average((scores - mean) ** 2, weights=counts)))


def _common_slope(scores: Scores, sides: Bits, accuracy: FloatArray, counts: FloatArray) -> float | None:
    """Fit one slope to the scores of all machines; None where they say nothing.

    Which side of a machine is called +1 is a convention: every score counts once for either, so that
    the offset is 0.
    """
    used = sides != 0
    f, t = scores[used], sides[used]
    both = np.concatenate([f, -f])[:, None]
    turned = np.concatenate([t, -t])[:, None]
    twice = np.tile(counts[np.nonzero(used)[0]], 2)
    sigmoid = fit_sigmoids(both, turned, weights=twice)
    if (
        not used.any()
        or not _tells(both, turned, sigmoid, accuracy.max(initial=0.0, keepdims=True), twice)[0]
    ):
        return None
    return float(sigmoid[0, 0])


def speaking(targets: CodeMatrix, rows: IntArray, fold_ids: IntArray) -> Bits:
    """Return the targets of the held-out points that may speak, 0 for the others, (n_samples, n_bits).

    A point says nothing where the machine that scored it had never seen its class, or had seen one
    side only.

    Parameters
    ----------
    targets : (n_samples, n_bits)
    rows : (n_samples,)
        Row of the code of each point: its class, or part of one.
    fold_ids : (n_samples,)

    Examples
    --------
    >>> targets = np.array([[1], [-1], [-1]], dtype=np.int8)
    >>> speaking(targets, np.array([0, 1, 1]), np.array([0, 1, 2])).ravel().tolist()
    [0, -1, -1]
    """
    folds, fold = np.unique(fold_ids, return_inverse=True)
    members = np.zeros((int(rows.max()) + 1, folds.size), dtype=np.int64)
    np.add.at(members, (rows, fold), 1)
    seen = members.sum(axis=1)[rows] > members[rows, fold]
    in_fold = np.equal.outer(np.arange(folds.size), fold).astype(np.float64)
    two_sided = np.ones((folds.size, targets.shape[1]), dtype=np.bool_)
    for side in (1, -1):
        here = (targets == side).astype(np.float64)
        two_sided &= here.sum(axis=0) - in_fold @ here > 0.5
    return np.where(seen[:, None] & two_sided[fold], targets, 0).astype(np.int8)
