"""The leave-one-out error of an error-correcting output code of kernel machines, bounded and exact.

When a point is left out, the score that a kernel machine gives it moves towards the wrong side by
at most alpha_i G_ii, and never the other way (Lemma 1.1 of [Passerini2004]_). So the bound decodes
the least favourable scores that the lemma allows: a point that survives this cannot be a
leave-one-out error.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ecocviz.engine.analysis.margins import multiclass_margins
from ecocviz.engine.columns import TrainedColumns
from ecocviz.engine.entries import BoundRule, Decoding, Evidence
from ecocviz.engine.kernels.left_out import border_scores, interval_ends, margins_and_losers
from ecocviz.engine.params import ParamValue
from ecocviz.engine.types import AnyCode, BoolArray, CodeMatrix, Costs, FloatArray, IntArray, Scores

MAX_TERMS = 100_000
"""Terms (samples x classes x bits) held at a time: 0.8 MB, which stays in the cache."""

ROUNDING = 1e-12
"""A margin this close to zero, relative to the costs, is a tie: ties are counted as errors."""


ROUNDING_OF_SCORES = 1e-9
"""Relative rounding of a score, generously: sums of thousands of kernel values."""


class BoundStatus(StrEnum):
    """What the numbers are worth."""

    THEOREM = "theorem"
    """No leave-one-out error can be missed: code, kernel, C and what the decoder learned stay fixed."""
    ESTIMATE = "estimate"
    """The same computation outside the theorem's conditions; it may miss errors."""
    EXACT = "exact"
    """Not a bound: every point was really left out."""


@dataclass(frozen=True, slots=True)
class LooBound:
    """Leave-one-out error, point by point.

    Attributes
    ----------
    error
        Share of flagged points.
    flagged : (n_samples,)
        Points that may be (bound) or are (exact) leave-one-out errors.
    slack_margins : (n_samples,)
        Multiclass margin of each point, at its least favourable (bound) or when left out (exact).
    status
        Whether a theorem stands behind the flags.
    """

    error: float
    flagged: BoolArray
    slack_margins: FloatArray
    status: BoundStatus


def loo_bound(
    columns: TrainedColumns,
    code_matrix: CodeMatrix,
    y_index: IntArray,
    decoding: Decoding,
    params: Mapping[str, ParamValue],
    evidence: Evidence,
    *,
    certified: bool = True,
    weights: FloatArray | None = None,
) -> LooBound:
    """Bound the leave-one-out error without training anything again.

    Implements Theorem 4.1 and Corollary 4.1 of [Passerini2004]_ in one form for every decoder
    whose cost is a sum of terms monotone in one score each: for every wrong class, every term of
    (its cost - the true class's cost) takes the worse end of the interval in which the score of the
    left-out point must lie.

    Symbols: f_s(x_i) -> columns.scores, alpha_i^s -> columns.alphas, G_ii -> columns.diagonal,
    m_{y_i s} -> code_matrix[y_index].

    Differs from the paper: it also covers the likelihood decoder with any sigmoid slope (the
    paper's corollary covers losses of m f only), row-weighted decoders (whose right borders are not
    attained together), and, with `certified`, solvers that stopped before the optimum, by widening
    the intervals with the duality gap. Ties are counted as errors.

    Points may have upper limits of their own (weights). The lemma holds as it is: with the coefficient of
    point i fixed at a and the others optimal, t f(x_i) rises with a, because the value of the dual is
    concave in a and its slope is 1 - t f(x_i); and by at most G_ii for one, because the others can only
    answer against it. Between a = 0 (left out, with all its weight) and a = alpha_i no limit of the others
    appears. Nor does one in the widening by the duality gap, which is summed with each point's own limit.

    Parameters
    ----------
    columns
        Trained kernel machines, scores and alphas (n_samples, n_bits).
    code_matrix : (n_classes, n_bits)
    y_index : (n_samples,)
        Row of each sample's class.
    decoding, params, evidence
        The decoder; its evidence is taken as fixed.
    weights : (n_samples,), optional
        Of the points: the error is the weighted share.
    certified
        Widen the intervals by what the duality gap leaves open.
    """
    rule = decoding.bound_rule(params)
    if rule is BoundRule.NONE or decoding.terms is None:
        raise ValueError(f"No leave-one-out bound is known for {decoding.title} decoding; choose another.")
    decode = _Decoder(decoding, params, evidence)
    judge = _at_borders if rule is BoundRule.BORDERS else _term_by_term
    slack_margins, flagged = judge(decode, columns, code_matrix, y_index, certified=certified)
    status = BoundStatus.THEOREM if columns.theorem else BoundStatus.ESTIMATE
    return LooBound(_share(flagged, weights), flagged, slack_margins, status)


@dataclass(frozen=True, slots=True)
class _Decoder:
    """A decoding with its parameters and its evidence."""

    decoding: Decoding
    params: Mapping[str, ParamValue]
    evidence: Evidence

    def costs(self, scores: Scores, code_matrix: AnyCode) -> Costs:
        """Return the cost of each row of a code, (n_samples, n_classes)."""
        return self.decoding.costs(scores, code_matrix, self.evidence, **self.params)

    def terms(self, scores: Scores, code_matrix: AnyCode) -> FloatArray:
        """Return the summands of the costs, (n_samples, n_classes, n_bits)."""
        assert self.decoding.terms is not None  # noqa: S101 - the caller has checked it
        return self.decoding.terms(scores, code_matrix, self.evidence, **self.params)

    def falls(self, n_bits: int) -> BoolArray:
        """Say of each machine whether a class with +1 loses when the score falls, (n_bits,).

        It does, except where a sigmoid's slope has the wrong sign: there the score means its opposite.
        """
        if "sigmoids" in self.decoding.needs and self.evidence.sigmoids is not None:
            falling: BoolArray = self.evidence.sigmoids[:, 0] <= 0
            return falling
        return np.ones(n_bits, dtype=np.bool_)


def _at_borders(
    decode: _Decoder, columns: TrainedColumns, code_matrix: CodeMatrix, y_index: IntArray, *, certified: bool
) -> tuple[FloatArray, BoolArray]:
    """Let every score take its right border; return margins and flags, (n_samples,) each.

    A machine that was shown the point has one border for all wrong classes. One that was not has
    one for those with +1 and one for those with -1, each of which is decoded by itself, the entries
    of the other sign left out; what those cost then is the same for all classes.
    """
    doubts = _doubts(columns, certified=certified)
    falls = decode.falls(code_matrix.shape[1])
    for_minus, for_plus = border_scores(*_solutions(columns), code_matrix, y_index, *doubts, falls)
    if code_matrix.all():
        costs = decode.costs(for_plus, code_matrix)
    else:
        costs = decode.costs(for_minus, np.minimum(code_matrix, 0))
        costs += decode.costs(for_plus, np.maximum(code_matrix, 0))
    margins, flagged = margins_and_losers(costs, y_index, ROUNDING)
    return margins, flagged


def _term_by_term(
    decode: _Decoder, columns: TrainedColumns, code_matrix: CodeMatrix, y_index: IntArray, *, certified: bool
) -> tuple[FloatArray, BoolArray]:
    """Let every term take its worse end; return margins and flags, (n_samples,) each."""
    low, high = score_intervals(columns, code_matrix[y_index], certified=certified)
    slack_margins, scale = np.empty(y_index.size), np.empty(y_index.size)
    step = max(1, MAX_TERMS // code_matrix.size)
    for start in range(0, y_index.size, step):
        rows = slice(start, start + step)
        ends = [decode.terms(end[rows], code_matrix) for end in (low, high)]
        slack_margins[rows] = _pessimistic_margins(ends, y_index[rows])
        scale[rows] = 1 + np.abs(ends[0]).sum(axis=2).max(axis=1)
    return slack_margins, slack_margins <= ROUNDING * scale


def _pessimistic_margins(ends: list[FloatArray], y_index: IntArray) -> FloatArray:
    """Return min over wrong classes of the sum over bits of the worse end, (n_samples,).

    Each of the two `ends` holds (n_samples, n_classes, n_bits) terms.
    """
    rows = np.arange(y_index.size)
    leads = [terms - terms[rows, y_index][:, None, :] for terms in ends]
    margins: FloatArray = np.minimum(leads[0], leads[1]).sum(axis=2)
    margins[rows, y_index] = np.inf
    worst: FloatArray = margins.min(axis=1)
    return worst


def score_intervals(
    columns: TrainedColumns,
    targets: CodeMatrix,
    *,
    certified: bool = True,
) -> tuple[Scores, Scores]:
    """Return the least and greatest score each training point can get when it is left out.

    Implements Lemma 1.1 of [Passerini2004]_: t f - alpha G <= t f^i <= t f for the machines shown
    the point, f^i = f for the others.

    Differs from the paper: with a duality gap eps > 0 the left end moves down by
    min(eps / alpha, sqrt(2 delta G)), delta = eps + alpha v + alpha^2 G / 2, v = 1 - t f (the first
    from the suboptimality of the dual, the second from strong convexity once alpha_i is set to 0),
    and the right end, and both ends for the other machines, by sqrt(2 eps G).

    Parameters
    ----------
    columns
        Trained kernel machines.
    targets : (n_samples, n_bits)
        Code entries of each sample's class.

    Returns
    -------
    low, high : (n_samples, n_bits)
    """
    low, high = interval_ends(*_solutions(columns), targets, *_doubts(columns, certified=certified))
    return low, high


def _solutions(columns: TrainedColumns) -> tuple[Scores, FloatArray, FloatArray]:
    """Return scores and alphas, (n_samples, n_bits) each, and the diagonal, (n_samples,), or raise."""
    if columns.alphas is None or columns.diagonal is None:
        raise ValueError("The leave-one-out bound needs kernel machines; choose one or use cross-validation.")
    return columns.scores, columns.alphas, columns.diagonal


def _doubts(columns: TrainedColumns, *, certified: bool) -> tuple[FloatArray, float]:
    """Return what widens the intervals: the duality gaps, (n_bits,), and the relative rounding of scores."""
    if not certified or columns.gaps is None:
        return np.zeros(columns.scores.shape[1]), 0.0
    # A score that is 0 in exact arithmetic is a little off 0 in floating point, and a decoder of
    # hard bits sees only its sign.
    return columns.gaps, ROUNDING_OF_SCORES


def exact_loo(costs: Costs, y_index: IntArray, weights: FloatArray | None = None) -> LooBound:
    """Judge points by the costs they get from machines trained without them.

    What the decoder learned (sigmoids, weights) stays as it is, as in the bound.

    Parameters
    ----------
    costs : (n_samples, n_classes)
        Decoded `TrainedColumns.leave_one_out_scores`.
    y_index : (n_samples,)
    weights : (n_samples,), optional
        Of the points: the error is the weighted share.

    Returns
    -------
    LooBound
        `flagged` are the points whose class does not win when they are left out (lowest class
        index among equals, as in `predict`).
    """
    flagged: BoolArray = np.argmin(costs, axis=1) != y_index
    return LooBound(_share(flagged, weights), flagged, multiclass_margins(costs, y_index), BoundStatus.EXACT)


def _share(flagged: BoolArray, weights: FloatArray | None) -> float:
    """Return the share of points that are flagged, by weight where they have weights."""
    if weights is None:
        return np.count_nonzero(flagged) / flagged.size
    return float(np.average(flagged, weights=weights))
