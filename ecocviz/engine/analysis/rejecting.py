"""Rejecting as an option of a decoder: its rules, where their thresholds come from, and what is then counted.

A rule only says which points are left undecided; the class of the others is the decoder's own. See
`rejection` for the rules themselves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from types import MappingProxyType

import numpy as np

from ecocviz.engine.kernels.row_distances import row_distances
from ecocviz.engine.params import FloatParam, Param, ParamValue, complete, shorten
from ecocviz.engine.references import CHOW_1970, SIMEONE_2012, Reference
from ecocviz.engine.types import BoolArray, CodeMatrix, FloatArray, IntArray

SHARE = FloatParam(
    name="share",
    label="Share left undecided",
    symbol="share",
    default=0.1,
    low=0.0,
    high=0.9,
    help="About this share of new points is left undecided: the training points' margins say where to cut, "
    "each judged by machines that were trained without it. Points with equal margins stay together, so it "
    "may be less.",
)


@dataclass(frozen=True, kw_only=True)
class RejectionRule:
    """Which points a decoder leaves undecided."""

    key: str
    title: str
    summary: str
    reference: Reference | None = None
    params: tuple[Param, ...] = ()
    order: int = 100


NONE = RejectionRule(
    key="none",
    title="Every point is decided",
    summary="The decoder names a class for every point.",
)
SYNDROME = RejectionRule(
    key="syndrome",
    title="Rejects by syndrome",
    summary="A point is left undecided unless its bits differ from one codeword in no more places than the "
    "code repairs for certain.",
    reference=SIMEONE_2012,
)
MARGIN = RejectionRule(
    key="margin",
    title="Rejects by margin",
    summary="A point is left undecided if the decoder's two smallest costs are nearly the same.",
    reference=CHOW_1970,
    params=(SHARE,),
)
RULES: Mapping[str, RejectionRule] = MappingProxyType({rule.key: rule for rule in (NONE, SYNDROME, MARGIN)})
"""Key -> rule."""


def check_rule(rejecting: str | None, share: ParamValue = SHARE.default) -> tuple[RejectionRule, float]:
    """Return a rule, None being `NONE`, and its share; raise ValueError with one sentence for anything else.

    >>> check_rule("margin", 0.25)[1]
    0.25
    """
    rule = NONE if rejecting is None else RULES.get(rejecting) if isinstance(rejecting, str) else None
    if rule is None:
        raise ValueError(f"There is no rejecting by {shorten(str(rejecting))!r}; known: {', '.join(RULES)}.")
    return rule, float(complete((SHARE,), {"share": share})["share"])


def share_threshold(margins: FloatArray, share: float, weights: FloatArray | None = None) -> float:
    """Return the margin below which points are rejected, so that of new ones about a share is, or less.

    With n margins of points like the new one, it is the j-th smallest, j = floor(share (n + 1)): a new
    margin is then below it with a probability of at most j / (n + 1). Minus infinity where j is 0.

    Parameters
    ----------
    margins : (n,)
        Of points that the machines were not trained on; not sorted.
    share
        From 0 to below 1.
    weights : (n,), optional
        A whole number is as if the point were there so many times.

    Examples
    --------
    >>> share_threshold(np.array([3.0, 1.0, 2.0, 4.0]), 0.4), share_threshold(np.array([1.0]), 0.1)
    (2.0, -inf)
    """
    counts = np.ones(margins.size) if weights is None else weights
    rank = floor(share * (float(counts.sum()) + 1) + 1e-9)
    if rank < 1:
        return -np.inf
    order = np.argsort(margins, kind="stable")
    found = int(np.searchsorted(np.cumsum(counts[order]), rank - 1e-9))
    return float(margins[order[min(found, order.size - 1)]])


def certain_repairs(code_matrix: CodeMatrix, row_classes: IntArray | None = None) -> int:
    """Return how many wrong bits a code repairs for certain, (d - 1) / 2; -1 where d is 0.

    d is the smallest number of columns that put two rows of different classes on opposite sides.

    Parameters
    ----------
    code_matrix : (n_rows, n_bits)
    row_classes : (n_rows,), optional
        Of a code in which classes have several rows.

    Examples
    --------
    >>> certain_repairs(np.array([[1, 1, 1], [-1, -1, -1]], dtype=np.int8))
    1
    """
    classes = np.arange(code_matrix.shape[0]) if row_classes is None else row_classes
    apart = np.not_equal.outer(classes, classes)
    smallest = float(row_distances(code_matrix)[apart].min(initial=code_matrix.shape[1]))
    return int((smallest - 1) // 2)


@dataclass(frozen=True, slots=True)
class Decided:
    """What comes of points some of which are left undecided, by weight where they have one.

    Attributes
    ----------
    n, n_rejected, n_wrong
        All points, those left undecided, and those decided wrongly.
    """

    n: float
    n_rejected: float
    n_wrong: float

    @property
    def share(self) -> float | None:
        """Share left undecided; None without points."""
        return self.n_rejected / self.n if self.n else None

    @property
    def error(self) -> float | None:
        """Share decided wrongly of those that are decided; None where none is."""
        n_decided = self.n - self.n_rejected
        return self.n_wrong / n_decided if n_decided > 0 else None


def count_decided(wrong: BoolArray, rejected: BoolArray, weights: FloatArray | None = None) -> Decided:
    """Count points, (n_samples,) each; a wrong class of a point that is left undecided is no error.

    >>> count_decided(np.array([True, True, False]), np.array([True, False, False])).error
    0.5
    """
    counts = np.ones(wrong.size) if weights is None else weights
    return Decided(float(counts.sum()), float(counts[rejected].sum()), float(counts[wrong & ~rejected].sum()))
