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
from ecocviz.engine.params import ParamValue
from ecocviz.engine.types import BoolArray, CodeMatrix, Costs, FloatArray, IntArray, Scores

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

    Parameters
    ----------
    columns
        Trained kernel machines, scores and alphas (n_samples, n_bits).
    code_matrix : (n_classes, n_bits)
    y_index : (n_samples,)
        Row of each sample's class.
    decoding, params, evidence
        The decoder; its evidence is taken as fixed.
    certified
        Widen the intervals by what the duality gap leaves open.
    """
    rule = decoding.bound_rule(params)
    if rule is BoundRule.NONE or decoding.terms is None:
        raise ValueError(f"No leave-one-out bound is known for {decoding.title} decoding; choose another.")
    if columns.alphas is None or columns.diagonal is None:
        raise ValueError("The leave-one-out bound needs kernel machines; choose one or use cross-validation.")
    targets = code_matrix[y_index]
    low, high = score_intervals(columns, targets, certified=certified)
    if rule is BoundRule.BORDERS and targets.all():
        # Every machine was shown every point, so all wrong classes share one least favourable end.
        falls = _falling(decoding, evidence, code_matrix.shape[1])
        costs = decoding.costs(np.where((targets > 0) == falls, low, high), code_matrix, evidence, **params)
        slack_margins, scale = multiclass_margins(costs, y_index), 1 + np.abs(costs).max(axis=1)
    else:
        slack_margins, scale = _term_by_term(decoding, params, evidence, code_matrix, y_index, (low, high))
    flagged = slack_margins <= ROUNDING * scale
    status = BoundStatus.THEOREM if columns.theorem else BoundStatus.ESTIMATE
    return LooBound(float(flagged.mean()), flagged, slack_margins, status)


def _falling(decoding: Decoding, evidence: Evidence, n_bits: int) -> BoolArray:
    """Say of each machine whether the true class loses when its score falls on that class's side, (n_bits,).

    It does, except where a sigmoid's slope has the wrong sign: there the score means its opposite.
    """
    if "sigmoids" in decoding.needs and evidence.sigmoids is not None:
        falling: BoolArray = evidence.sigmoids[:, 0] <= 0
        return falling
    return np.ones(n_bits, dtype=np.bool_)


def _term_by_term(
    decoding: Decoding,
    params: Mapping[str, ParamValue],
    evidence: Evidence,
    code_matrix: CodeMatrix,
    y_index: IntArray,
    interval: tuple[Scores, Scores],
) -> tuple[FloatArray, FloatArray]:
    """Let every term take its worse end; return the margins and the scale of the costs, (n_samples,) each."""
    assert decoding.terms is not None  # noqa: S101 - the caller has checked it
    slack_margins = np.empty(y_index.size)
    scale = np.empty(y_index.size)
    step = max(1, MAX_TERMS // code_matrix.size)
    for start in range(0, y_index.size, step):
        part = slice(start, start + step)
        ends = [decoding.terms(end[part], code_matrix, evidence, **params) for end in interval]
        slack_margins[part] = _pessimistic_margins(ends, y_index[part])
        scale[part] = 1 + np.abs(ends[0]).sum(axis=2).max(axis=1)
    return slack_margins, scale


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
    assert columns.alphas is not None  # noqa: S101 - the caller has checked it
    assert columns.diagonal is not None  # noqa: S101 - the caller has checked it
    alphas, diagonal, scores = columns.alphas, columns.diagonal[:, None], columns.scores
    inward = alphas * diagonal
    outward: FloatArray = np.zeros_like(scores)
    if certified and columns.gaps is not None:
        gaps = np.maximum(columns.gaps, 0.0)[None, :]
        outward = np.sqrt(2 * gaps * diagonal)
        hinge = 1 - targets * scores
        left_out = np.maximum(gaps + alphas * hinge + 0.5 * alphas**2 * diagonal, 0.0)
        by_dual = np.divide(gaps, alphas, out=np.full_like(scores, np.inf), where=alphas > 0)
        inward = inward + np.minimum(by_dual, np.sqrt(2 * left_out * diagonal))
        # A score that is 0 in exact arithmetic is a little off 0 in floating point, and a decoder of
        # hard bits sees only its sign.
        rounding = ROUNDING_OF_SCORES * (1 + np.abs(scores))
        inward, outward = inward + rounding, outward + rounding
    low = np.where(targets > 0, scores - inward, scores - outward)
    high = np.where(targets < 0, scores + inward, scores + outward)
    return low, high


def exact_loo(costs: Costs, y_index: IntArray) -> LooBound:
    """Judge points by the costs they get from machines trained without them.

    What the decoder learned (sigmoids, weights) stays as it is, as in the bound.

    Parameters
    ----------
    costs : (n_samples, n_classes)
        Decoded `TrainedColumns.leave_one_out_scores`.
    y_index : (n_samples,)

    Returns
    -------
    LooBound
        `flagged` are the points whose class does not win when they are left out (lowest class
        index among equals, as in `predict`).
    """
    flagged: BoolArray = np.argmin(costs, axis=1) != y_index
    return LooBound(float(flagged.mean()), flagged, multiclass_margins(costs, y_index), BoundStatus.EXACT)
