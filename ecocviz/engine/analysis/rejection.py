"""Not deciding: which points a decoder should rather hand to somebody else, and what that does to its error.

Two rules. By syndrome: the received word lies farther from every codeword than the code repairs, or as near
to two of them. By margin: the two smallest costs of a decoder are nearly the same. See [Simeone2012]_ for
rejection inside output codes, [Chow1970]_ for error against rejection.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from ecocviz.engine.types import BoolArray, Costs, FloatArray, IntArray


class Reason(IntEnum):
    """Why a point is not decided."""

    DECIDED = 0
    FAR = 1
    """Farther from every codeword than the code repairs."""
    TIE = 2
    """As near to a second codeword."""
    CLOSE = 3
    """The two smallest costs differ by less than a threshold."""


def margins(costs: Costs) -> FloatArray:
    """Return how much the second smallest cost is above the smallest, (n_samples,).

    Parameters
    ----------
    costs : (n_samples, n_classes)
        Infinite for classes that cannot be chosen; with one class left a margin is infinite, and 0 with
        none left.

    Examples
    --------
    >>> margins(np.array([[3.0, 1.0, 1.5], [2.0, np.inf, np.inf], [np.inf, np.inf, np.inf]])).tolist()
    [0.5, inf, 0.0]
    """
    if costs.shape[1] < 2:
        return np.full(costs.shape[0], np.inf)
    two = np.partition(costs, 1, axis=1)[:, :2]
    found, differ = np.zeros(costs.shape[0]), two[:, 1] > two[:, 0]
    np.subtract(two[:, 1], two[:, 0], out=found, where=differ)
    return found


def syndromes(distances: Costs) -> tuple[FloatArray, BoolArray]:
    """Return how far the received words lie from the nearest codeword, and whether a second is as near.

    Parameters
    ----------
    distances : (n_samples, n_classes)
        Bits in which the received word differs from each codeword: the costs of Hamming decoding. With
        zeros in the code, those of attenuated Hamming decoding, in which a zero costs nothing: a machine
        that a class leaves out says nothing against it.

    Returns
    -------
    nearest, tied : (n_samples,)

    Examples
    --------
    >>> syndromes(np.array([[1.0, 3.0], [2.0, 2.0]]))
    (array([1., 2.]), array([False,  True]))
    """
    return distances.min(axis=1), margins(distances) <= 0


def reject_by_syndrome(distances: Costs, repairs: int) -> IntArray:
    """Return every point's `Reason`, (n_samples,); what is at most `repairs` away is decided unless tied.

    Parameters
    ----------
    distances : (n_samples, n_classes)
        As `syndromes` takes them.
    repairs
        How many wrong bits are repaired for certain: (d - 1) / 2 for the smallest distance d of two rows.

    Examples
    --------
    >>> reject_by_syndrome(np.array([[1.0, 3.0], [2.0, 2.0], [2.0, 3.0]]), 1).tolist()
    [0, 2, 1]
    """
    nearest, tied = syndromes(distances)
    return np.select([tied, nearest > repairs], [Reason.TIE, Reason.FAR], Reason.DECIDED).astype(np.int64)


def reject_by_margin(costs: Costs, threshold: float) -> IntArray:
    """Return every point's `Reason`, (n_samples,); what has a smaller margin is not decided.

    >>> reject_by_margin(np.array([[0.0, 1.0], [0.0, 0.25]]), 0.5).tolist()
    [0, 3]
    """
    return np.where(margins(costs) < threshold, Reason.CLOSE, Reason.DECIDED).astype(np.int64)


def syndrome_doubts(distances: Costs) -> FloatArray:
    """Return how doubtful points are by their syndrome, (n_samples,): the distance, ties before all."""
    nearest, tied = syndromes(distances)
    doubts: FloatArray = np.where(tied, np.inf, nearest)
    return doubts


@dataclass(frozen=True, slots=True)
class RejectionCurve:
    """What is wrong among the points that are still decided, while more and more are rejected.

    Attributes
    ----------
    n_rejected : (n_steps,)
        Rising from 0; points that are equally doubtful are rejected together.
    n_wrong : (n_steps,)
        Of those decided.
    n
        All points.
    """

    n_rejected: IntArray
    n_wrong: IntArray
    n: int

    @property
    def shares(self) -> FloatArray:
        """Shares rejected, (n_steps,)."""
        return self.n_rejected / max(self.n, 1)

    @property
    def errors(self) -> FloatArray:
        """Shares wrong among those decided, (n_steps,); NaN where none is."""
        decided = self.n - self.n_rejected
        unknown = np.full(decided.size, np.nan)
        found: FloatArray = np.divide(self.n_wrong, decided, out=unknown, where=decided > 0)
        return found

    def at(self, share: float) -> int:
        """Return the last step that rejects no more than a share of the points."""
        return int(np.flatnonzero(self.n_rejected <= share * self.n + 1e-9)[-1])


def rejection_curve(wrong: Sequence[bool] | BoolArray, doubts: FloatArray) -> RejectionCurve:
    """Reject points from the most doubtful on, and count what is wrong among the others.

    Parameters
    ----------
    wrong : (n_samples,)
        Decided wrongly.
    doubts : (n_samples,)
        Larger is rejected earlier: minus the margin, or `syndrome_doubts`.

    Examples
    --------
    >>> curve = rejection_curve([True, False, True], np.array([3.0, 1.0, 1.0]))
    >>> curve.n_rejected.tolist(), curve.n_wrong.tolist()
    ([0, 1, 3], [2, 1, 0])
    """
    missed = np.asarray(wrong, dtype=bool)
    order = np.argsort(-doubts, kind="stable")
    sorted_doubts = doubts[order]
    # A step ends where the next point is less doubtful.
    ends = np.flatnonzero(np.append(sorted_doubts[1:] != sorted_doubts[:-1], True))[: missed.size] + 1
    gone = np.cumsum(missed[order])
    total = int(missed.sum())
    if not missed.size:
        return RejectionCurve(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), 0)
    return RejectionCurve(
        np.concatenate([[0], ends]).astype(np.int64),
        np.concatenate([[total], total - gone[ends - 1]]).astype(np.int64),
        missed.size,
    )
