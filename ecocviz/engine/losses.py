"""What several decodings share: sums of losses of margins, plain or weighted, distances, soft decisions.

A loss decoder charges class q the sum over machines s of w_qs L(m_qs f_s), with m_qs the code's entry
(code_matrix, (n_classes, n_bits)) and f_s the machine's score (scores, (n_samples, n_bits)). What makes it a
decoding is its loss L, which stands in that decoding's file, unless several use it.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeAlias, TypedDict

import numpy as np

from ecocviz.engine.entries import BoundRule, Evidence, by_endpoints, require
from ecocviz.engine.params import ChoiceParam, Param, ParamValue
from ecocviz.engine.types import AnyCode, Costs, FloatArray, Scores

Loss: TypeAlias = Callable[[FloatArray], FloatArray]
"""Margins in, losses out, entry by entry, in any shape."""

Rule: TypeAlias = Callable[[Mapping[str, ParamValue]], BoundRule]
"""How a bound may decode, by the decoding's parameters."""

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
    help="Matters only for codes in which classes have different numbers of zeros.",
)


HIT_WEIGHTS = ChoiceParam(
    name="weights",
    label="Weights",
    default="paper",
    options=(
        ("paper", "Share of the class that the machine gets right"),
        ("library", "Share of all points that the machine gets right, as in the ECOC Library"),
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


def by_side(
    terms_of: Callable[..., FloatArray] | None,
    scores: Scores,
    evidence: Evidence | None,
    params: Mapping[str, ParamValue],
) -> tuple[FloatArray, FloatArray]:
    """Return what an entry of +1 costs in each column, and one of -1, (n_samples, n_bits) each."""
    sides = np.repeat(np.array([[1], [-1]], dtype=np.int8), scores.shape[1], axis=1)
    assert terms_of is not None  # noqa: S101 - only decoders that add up are asked
    terms = terms_of(scores, sides, evidence, **params)
    return terms[:, 0], terms[:, 1]


def costs_in_order(
    terms_of: Callable[..., FloatArray] | None,
    scores: Scores,
    code_matrix: AnyCode,
    evidence: Evidence | None = None,
    **params: ParamValue,
) -> Costs:
    """Return the costs of a code without zeros, (n_samples, n_classes), added up from column to column.

    A matrix product adds in an order of its own, which depends on the machine and on how many rows there are:
    where costs are compared one by one, they are added by the one rule that both sides can follow.
    """
    # Imported here: listing the decodings must not wait for the compiler.
    from ecocviz.engine.kernels.trellis import sums_in_order  # noqa: PLC0415 - see above

    code = np.ascontiguousarray(np.asarray(code_matrix).T)
    costs: Costs = sums_in_order(*by_side(terms_of, scores, evidence, params), code)
    return costs


class Facts(TypedDict):
    """The fields of a `Decoding` that follow from its loss."""

    costs: Callable[..., Costs]
    terms: Callable[..., FloatArray]
    params: tuple[Param, ...]
    bound_rule: Rule


def by_margin(loss: Loss, bound_rule: Rule = by_weighting) -> Facts:
    """Charge a loss of every margin: the sum over machines, or the mean over a class's non-zero entries.

    Parameters
    ----------
    loss
        L; a bound follows from `by_weighting` only if it never rises with the margin.
    bound_rule
        How a bound may decode it.
    """
    return Facts(
        costs=partial(margin_costs, loss),
        terms=partial(margin_terms, loss),
        params=(WEIGHTING,),
        bound_rule=bound_rule,
    )


def margin_costs(
    loss: Loss,
    scores: Scores,
    code_matrix: AnyCode,
    evidence: Evidence | None = None,
    *,
    weighting: str = "loss-based",
) -> Costs:
    """Return the costs of a loss, (n_samples, n_classes)."""
    del evidence
    return loss_costs(scores, code_matrix, loss, entry_weights(code_matrix, weighting))


def margin_terms(
    loss: Loss,
    scores: Scores,
    code_matrix: AnyCode,
    evidence: Evidence | None = None,
    *,
    weighting: str = "loss-based",
) -> FloatArray:
    """Return the summands of the costs of a loss, (n_samples, n_classes, n_bits)."""
    del evidence
    return loss_terms(scores, code_matrix, loss, entry_weights(code_matrix, weighting))


class TrustedFacts(Facts):
    """The fields of a `Decoding` that follow from its loss where machines are trusted by their hits."""

    needs: frozenset[str]
    repairs: bool


def by_trusted_margin(loss: Loss) -> TrustedFacts:
    """Charge a loss of every margin, weighted by how often the machine was right on the class in training.

    Implements loss-weighted decoding of [Escalera2010]_: the cost of class k is the sum over j of
    W_kj L(m_kj f_j), where W_kj is H_kj over the sum of H_kj' over j', and H_kj the share of class
    k's training points that machine j puts on the side the code asks for, 0 where m_kj = 0.
    With `weights="library"`, H_kj is |m_kj| times the machine's accuracy over both its sides.

    Symbols: H -> evidence.hit_rates (n_classes, n_bits) or evidence.accuracies (n_bits,).

    Differs from the paper: a class on which no machine is ever right gets equal weights, because
    the paper's would be 0 / 0.
    """
    return TrustedFacts(
        costs=partial(trusted_costs, loss),
        terms=partial(trusted_terms, loss),
        params=(HIT_WEIGHTS,),
        bound_rule=by_endpoints,
        needs=frozenset({"hit_rates", "accuracies"}),
        # A trusted machine that errs may outvote several doubtful ones.
        repairs=False,
    )


def trusted_costs(
    loss: Loss, scores: Scores, code_matrix: AnyCode, evidence: Evidence, *, weights: str = "paper"
) -> Costs:
    """Return the costs of a loss with trusted machines, (n_samples, n_classes)."""
    return loss_costs(scores, code_matrix, loss, hit_weights(code_matrix, evidence, weights))


def trusted_terms(
    loss: Loss, scores: Scores, code_matrix: AnyCode, evidence: Evidence, *, weights: str = "paper"
) -> FloatArray:
    """Return their summands, (n_samples, n_classes, n_bits)."""
    return loss_terms(scores, code_matrix, loss, hit_weights(code_matrix, evidence, weights))


def distance_costs(scores: Scores, code_matrix: AnyCode, weights: FloatArray | None = None) -> Costs:
    """Return the squared distance from the scores to every codeword, (n_samples, n_classes).

    Differences are squared, not expanded into products, which would lose digits for large scores.

    Parameters
    ----------
    scores : (n_samples, n_bits)
    code_matrix : (n_classes, n_bits)
    weights : (n_classes, n_bits), optional
        Of the squares; one everywhere when left out.
    """
    f = np.asarray(scores, dtype=np.float64)
    costs: Costs = np.empty((f.shape[0], code_matrix.shape[0]))
    for part in chunks(f.shape[0], code_matrix.size):
        costs[part] = distance_terms(f[part], code_matrix, weights).sum(axis=2)
    return costs


def distance_terms(scores: Scores, code_matrix: AnyCode, weights: FloatArray | None = None) -> FloatArray:
    """Return the summands of `distance_costs`, (n_samples, n_classes, n_bits)."""
    f, m = np.asarray(scores, dtype=np.float64), np.asarray(code_matrix, dtype=np.float64)
    terms: FloatArray = np.square(f[:, None, :] - m[None, :, :])
    return terms if weights is None else weights[None, :, :] * terms


def wrong_bits(margins: FloatArray) -> FloatArray:
    """Return 1 for a wrong bit, 0 for a right one and one half for neither, in any shape."""
    loss: FloatArray = (1.0 - np.sign(margins)) / 2.0
    return loss


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
