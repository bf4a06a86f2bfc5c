"""What several decodings share: sums of losses of margins, plain or weighted, and two functions of scores.

A loss decoder charges class q the sum over machines s of w_qs L(m_qs f_s). A loss that one decoding
uses stands in that decoding's file.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import numpy as np

from ecocviz.engine.entries import BoundRule, Evidence, require
from ecocviz.engine.params import ChoiceParam, ParamValue
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores

Loss: TypeAlias = Callable[[FloatArray], FloatArray]
"""Margins in, losses out, entry by entry, in any shape."""

CHUNK_ENTRIES = 2_000_000
"""Most entries of an (n_samples, n_classes, n_bits) array that are held at once (16 MB)."""

STEEPEST = 500.0
"""Below minus this margin the exponential loss goes on along its tangent."""

SATURATION = 30.0
"""Beyond this score a soft decision is told apart from 1 by a logarithm, not by the exponential."""
CREEP = 2.0**-32
"""Height of that logarithm: far below any difference between unsaturated decisions that matters."""

WEIGHTING = ChoiceParam(
    name="weighting",
    label="Weighting",
    default="loss-based",
    options=(
        ("loss-based", "Sum over all machines; a machine that ignores the class costs the loss of 0"),
        ("loss-weighted", "Mean over the machines that know the class"),
    ),
    help="Matters only for codes with zeros, and there when classes have different numbers of them.",
)


HIT_WEIGHTS = ChoiceParam(
    name="weights",
    label="Weights",
    default="paper",
    options=(
        ("paper", "How often the machine is right on the class"),
        ("library", "How often the machine is right at all, as in the ECOC Library"),
    ),
)


def by_weighting(params: Mapping[str, ParamValue]) -> BoundRule:
    """Answer for non-increasing losses: a mean over the non-zero entries weights rows differently."""
    return BoundRule.ENDPOINTS if params["weighting"] == "loss-weighted" else BoundRule.BORDERS


def row_normalized(weights: FloatArray, code_matrix: AnyCode) -> FloatArray:
    """Scale non-negative weights so that every class's sum to one, (n_classes, n_bits).

    A class whose weights are all 0 gets equal weights on its non-zero entries; a class that no
    machine knows gets equal weights on all, so that its cost is the loss of 0.
    """
    used = np.asarray(code_matrix) != 0
    raw = weights * used
    raw = np.where((raw.sum(axis=1) > 0)[:, None], raw, used)
    raw = np.where(used.any(axis=1)[:, None], raw, 1.0)
    normalized: FloatArray = raw / raw.sum(axis=1, keepdims=True)
    return normalized


def entry_weights(code_matrix: AnyCode, weighting: str) -> FloatArray | None:
    """Return the weights (n_classes, n_bits) of a `weighting`, None where all are one.

    "loss-weighted" weights an entry by its absolute value over the row's total: the mean over
    non-zero entries for a ternary code.
    """
    if WEIGHTING.check(weighting) == "loss-based":
        return None
    return row_normalized(np.abs(np.asarray(code_matrix, dtype=np.float64)), code_matrix)


def hit_weights(code_matrix: AnyCode, evidence: Evidence, weights: str) -> FloatArray:
    """Return how far each machine is trusted for each class, (n_classes, n_bits), rows summing to one."""
    name = "accuracies" if HIT_WEIGHTS.check(weights) == "library" else "hit_rates"
    return row_normalized(require(evidence, name), code_matrix)


def is_ternary(code_matrix: AnyCode) -> bool:
    """Say whether all entries are -1, 0 or +1."""
    return bool(np.isin(code_matrix, (-1, 0, 1)).all())


def chunks(n_samples: int, entries_per_sample: int) -> Iterator[slice]:
    """Cut the samples into slices that keep a large intermediate array within `CHUNK_ENTRIES`."""
    step = max(1, CHUNK_ENTRIES // max(1, entries_per_sample))
    for start in range(0, n_samples, step):
        yield slice(start, start + step)


def loss_costs(scores: Scores, code_matrix: AnyCode, loss: Loss, weights: FloatArray | None = None) -> Costs:
    """Sum weighted losses of margins over machines.

    Parameters
    ----------
    scores : (n_samples, n_bits)
    code_matrix : (n_classes, n_bits)
    loss
        L, applied to margins.
    weights : (n_classes, n_bits), optional
        w; one everywhere when left out.

    Returns
    -------
    costs : (n_samples, n_classes)
        A ternary code takes two matrix products, because a margin is f, -f or 0; a continuous code
        is worked off in chunks of samples.
    """
    f = np.asarray(scores, dtype=np.float64)
    w = np.ones(code_matrix.shape) if weights is None else weights
    if is_ternary(code_matrix):
        zero = float(loss(np.zeros(1))[0])
        ignored = (w * (code_matrix == 0)).sum(axis=1) * zero
        costs: Costs = loss(f) @ (w * (code_matrix == 1)).T + loss(-f) @ (w * (code_matrix == -1)).T
        costs += ignored
        return costs
    costs = np.empty((f.shape[0], code_matrix.shape[0]))
    for part in chunks(f.shape[0], code_matrix.size):
        costs[part] = loss_terms(f[part], code_matrix, loss, w).sum(axis=2)
    return costs


def loss_terms(
    scores: Scores, code_matrix: AnyCode, loss: Loss, weights: FloatArray | None = None
) -> FloatArray:
    """Return the summands of `loss_costs`, (n_samples, n_classes, n_bits), all at once."""
    f, m = np.asarray(scores, dtype=np.float64), np.asarray(code_matrix, dtype=np.float64)
    terms = loss(f[:, None, :] * m[None, :, :])
    return terms if weights is None else terms * weights[None, :, :]


def exponential_loss(margins: FloatArray) -> FloatArray:
    """Return exp(-z), in any shape; below z = -500 its tangent, finite and still growing."""
    # exp(500) leaves room for a sum of thousands; a plain exp would overflow to infinity near 710.
    within = np.minimum(-margins, STEEPEST)
    loss: FloatArray = np.exp(within) * (1.0 + (-margins - within))
    return loss


def soft_decisions(scores: Scores) -> FloatArray:
    """Squash scores to sign(f) (1 - exp(-|f|)), strictly increasing, in any shape.

    Implements Eq. 13 of [Liu2005]_.

    Differs from the paper: beyond |f| = 30, where the exponential has less than 1e-13 left to give,
    CREEP log(1 + |f| - 30) is added, because double precision runs out near 37 and equally
    saturated machines are still to be ordered by their scores.

    Examples
    --------
    >>> soft_decisions(np.array([-np.log(2.0), 0.0, np.log(4.0)])).round(4).tolist()
    [-0.5, 0.0, 0.75]
    """
    size = np.abs(np.asarray(scores, dtype=np.float64))
    creep = CREEP * np.log1p(np.maximum(size - SATURATION, 0.0))
    decisions: FloatArray = np.sign(scores) * (creep - np.expm1(-size))
    return decisions
