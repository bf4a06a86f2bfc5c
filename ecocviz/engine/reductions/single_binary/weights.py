"""The weights of a combination of class kernels: three ways to learn them and two to set them."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ecocviz.engine.progress import NO_PROGRESS, Asking, Falling, Progress
from ecocviz.engine.reductions.single_binary.class_kernels import combine
from ecocviz.engine.reductions.single_binary.replicas import Replicas, Solution
from ecocviz.engine.reductions.single_binary.solver import solve
from ecocviz.engine.types import FloatArray, IntArray

MOST_ROUNDS = 100
"""Rounds after which learning weights is given up."""
STEADY = 1e-3
"""Relative change of the weights at which the paper stops."""
COARSE = 0.1
"""Machines on the way to the weights are trained to this share of the weights' last change."""
SIMPLEX_TOL = 1e-5
"""Tolerance of the machines whose objectives a line search compares."""
SIMPLEX_GAP = 1e-4
"""By which share of the objective a combination on the simplex may miss the optimum."""
ARMIJO = 1e-4
_HALVINGS = 12

MU_RULES = ("l2", "literal", "simplex", "prior", "uniform")


@dataclass(frozen=True, slots=True)
class Weighted:
    """A machine on replicas with the weights of its class kernel.

    Attributes
    ----------
    solution : Solution
    mu : (n_matrices,)
    class_kernel : (n_columns, n_columns)
        V, the combination.
    history : (n_rounds,)
        g_d after each machine that was trained on the way.
    mu_history : (n_rounds, n_matrices)
    gap
        By how much g_d can fall at most, whatever the weights of the same sum.
    change
        What was compared with the stopping rule at the end.
    converged
        Whether the stopping rule was met.
    """

    solution: Solution
    mu: FloatArray
    class_kernel: FloatArray
    history: FloatArray
    mu_history: FloatArray
    gap: float
    change: float
    converged: bool


def slopes(solution: Solution, basis: FloatArray) -> FloatArray:
    """Return q_k = <B, K B V_k>, (n_matrices,): minus the gradient of g_d in the weights.

    With Q = B' K B, (n_columns, n_columns), this is <Q, V_k>: nothing of the replicas' size appears.
    """
    Q = solution.coefficients.T @ solution.expansion
    q: FloatArray = np.maximum(np.tensordot(basis, Q, axes=2), 0.0)
    return q


def prior_weights(counts: IntArray, radius: float) -> FloatArray:
    """Return R m_k / m, (n_matrices,): the shortcut that section 5 of [ElYaniv2008]_ proposes."""
    weights: FloatArray = radius * counts / counts.sum()
    return weights


def literal_step(mu: FloatArray, q: FloatArray, radius: float) -> FloatArray:
    """Add the gradient, rescale if the sum exceeds R: lines 8 and 9 of Algorithm 2 of [ElYaniv2008]_."""
    moved: FloatArray = mu + q
    total = float(moved.sum())
    return moved * (radius / total) if total > radius else moved


def l2_step(mu: FloatArray, q: FloatArray, radius: float) -> FloatArray:
    """Return (mu_k^2 q_k)^(1/3), rescaled to the sum R.

    Differs from the paper: Algorithm 2 adds q to the weights, which does nothing where q is small
    beside them and may swing for ever where it is large. This is the closed form of [Kloft2011]_ for
    weights on a ball of the l2 norm; it has the same fixed points (q parallel to mu) and no step
    length, because the scale of q cancels.
    """
    moved: FloatArray = np.cbrt(np.square(mu) * q)
    total = float(moved.sum())
    return moved * (radius / total) if total > 0 else mu


def on_simplex(point: FloatArray, radius: float) -> FloatArray:
    """Return the nearest point with entries of at least 0 that sum to R, (n_matrices,)."""
    falling = np.sort(point)[::-1]
    thresholds = (np.cumsum(falling) - radius) / np.arange(1, point.size + 1)
    last = int(np.flatnonzero(falling > thresholds)[-1])
    nearest: FloatArray = np.maximum(point - thresholds[last], 0.0)
    return nearest


Train = Callable[..., Solution]


def learn(
    problem: Replicas,
    basis: FloatArray,
    start: FloatArray,
    rule: str,
    *,
    tol: float,
    max_updates: int,
    max_rounds: int = MOST_ROUNDS,
    warm: Solution | None = None,
    progress: Progress = NO_PROGRESS,
) -> Weighted:
    """Train a machine together with the weights of its class kernels.

    Parameters
    ----------
    problem
    basis : (n_matrices, n_columns, n_columns)
        The class kernels V_k.
    start : (n_matrices,)
        First weights; their sum is R. With the rules "prior" and "uniform" they stay.
    rule
        "l2" is `l2_step` and "literal" `literal_step`, each repeated until the weights are steady;
        "simplex" minimises g_d over all weights of sum R.
    tol, max_updates
        Of each machine.
    max_rounds
        Most changes of the weights.
    warm
        A feasible solution to begin with.
    progress
        Told the share of the work; may raise to cancel.
    """
    if rule not in MU_RULES:
        raise ValueError(f"mu_rule is one of {', '.join(MU_RULES)}, not {rule!r}.")
    train = partial(solve, problem, max_updates=max_updates)
    if rule == "simplex" and start.size > 1:
        return _on_simplex(train, basis, start, min(tol, SIMPLEX_TOL), max_rounds, warm, progress)
    if rule in ("prior", "uniform") or start.size == 1:
        solution = train(combine(start, basis), warm, tol=tol, progress=progress)
        return _weighted(basis, [(start, solution.objective)], solution, 0.0, converged=True)
    step = literal_step if rule == "literal" else l2_step
    return _repeat(train, step, basis, start, tol, max_rounds, warm, progress)


def _weighted(
    basis: FloatArray,
    rounds: list[tuple[FloatArray, float]],
    solution: Solution,
    change: float,
    *,
    converged: bool,
) -> Weighted:
    """Gather what was learned; the last round is the one of the solution."""
    mu = rounds[-1][0]
    return Weighted(
        solution,
        mu,
        combine(mu, basis),
        np.array([value for _, value in rounds]),
        np.array([weights for weights, _ in rounds]),
        simplex_gap(mu, slopes(solution, basis)),
        change,
        converged,
    )


def simplex_gap(mu: FloatArray, q: FloatArray) -> float:
    """Return R max(q) - <mu, q>: g_d is convex in mu, so it cannot fall by more at the same sum."""
    return max(0.0, float(mu.sum() * q.max() - mu @ q))


def _repeat(
    train: Train,
    step: Callable[[FloatArray, FloatArray, float], FloatArray],
    basis: FloatArray,
    start: FloatArray,
    tol: float,
    max_rounds: int,
    warm: Solution | None,
    progress: Progress,
) -> Weighted:
    """Train, step, train, ... until the weights hardly change.

    Differs from the paper: the weights given back are those that the last machine was trained with,
    so that both belong together, not the next ones, which differ by less than the tolerance. With
    the rule "l2" the first machines are trained coarsely; the last one never is.
    """
    radius = float(start.sum())
    falling, within = Falling(progress, STEADY), Asking(progress)
    mu, change = start, np.inf
    solution = warm
    rounds: list[tuple[FloatArray, float]] = []
    for _ in range(max_rounds):
        level = tol if step is literal_step else round_tol(tol, change)
        solution = train(combine(mu, basis), solution, tol=level, progress=within)
        rounds.append((mu, solution.objective))
        moved = step(mu, slopes(solution, basis), radius)
        change = float(np.linalg.norm(moved - mu) / np.linalg.norm(mu))
        falling.at(change)
        if change <= STEADY and level == tol:
            return _weighted(basis, rounds, solution, change, converged=True)
        mu = moved
    warnings.warn(
        f"The weights of the class kernels did not settle in {max_rounds} rounds: they still change by "
        f"{change:.2g} of their length (asked: {STEADY:g}).",
        ConvergenceWarning,
        stacklevel=2,
    )
    assert solution is not None  # noqa: S101 - max_rounds is at least 1
    return _weighted(basis, rounds, solution, change, converged=False)


def round_tol(tol: float, change: float) -> float:
    """Return how finely a round's machine is worth training while the weights still change so much.

    >>> round_tol(1e-3, float("inf")), round_tol(1e-3, 0.5), round_tol(1e-3, 0.005)
    (0.1, 0.05, 0.001)
    """
    return tol if change <= 10 * STEADY else max(tol, COARSE * min(1.0, change))


def _on_simplex(
    train: Train,
    basis: FloatArray,
    start: FloatArray,
    tol: float,
    max_rounds: int,
    warm: Solution | None,
    progress: Progress,
) -> Weighted:
    """Minimise g_d over the weights of sum R by projected gradients with a line search.

    This is the problem that section 3.1 of [ElYaniv2008]_ states; Algorithm 2 does not solve it,
    because rescaling is not the projection. g_d falls from round to round.
    """
    radius = float(start.sum())
    falling, within = Falling(progress, SIMPLEX_GAP), Asking(progress)
    mu = start
    best = train(combine(mu, basis), warm, tol=tol, progress=within)
    q = slopes(best, basis)
    rounds = [(mu, best.objective)]
    first_length = radius / max(float(np.linalg.norm(q)), np.finfo(np.float64).tiny)
    length = first_length
    share = _share(mu, q, best)
    falling.at(share)
    while share > SIMPLEX_GAP and len(rounds) <= max_rounds:
        direction = on_simplex(mu + length * q, radius) - mu
        found = _line_search(train, basis, mu, direction, q, best, tol, within)
        if found is None:
            break  # nothing left to gain but what the machines' tolerance hides
        moved, best = found
        fresh = slopes(best, basis)
        change = moved - mu
        # The length of Barzilai and Borwein, kept from running away where g_d is flat.
        bend = float(change @ (q - fresh)) / float(change @ change)
        length = 1 / max(bend, 1e-3 / first_length)
        mu, q = moved, fresh
        rounds.append((mu, best.objective))
        share = _share(mu, q, best)
        falling.at(share)
    converged = share <= SIMPLEX_GAP
    if not converged:
        warnings.warn(
            f"The weights of the class kernels are not optimal after {len(rounds) - 1} rounds: the "
            f"objective may still fall by {share:.2g} of itself (asked: {SIMPLEX_GAP:g}).",
            ConvergenceWarning,
            stacklevel=2,
        )
    return _weighted(basis, rounds, best, share, converged=converged)


def _share(mu: FloatArray, q: FloatArray, solution: Solution) -> float:
    """Return by which share g_d may fall at most."""
    return simplex_gap(mu, q) / max(solution.objective, np.finfo(np.float64).tiny)


def _line_search(
    train: Train,
    basis: FloatArray,
    mu: FloatArray,
    direction: FloatArray,
    q: FloatArray,
    best: Solution,
    tol: float,
    progress: Progress,
) -> tuple[FloatArray, Solution] | None:
    """Halve the step until g_d falls by a share of what the slope promises; None if it never does."""
    promise = float(direction @ q)
    length = 1.0
    for _ in range(_HALVINGS):
        moved = mu + length * direction
        tried = train(combine(moved, basis), best, tol=tol, progress=progress)
        if tried.objective <= best.objective - ARMIJO * length * promise:
            return moved, tried
        length /= 2
    return None
