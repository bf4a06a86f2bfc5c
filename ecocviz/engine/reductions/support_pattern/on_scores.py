"""Solvers of the l2 program on the scores themselves, for linear closeness: no Gram matrix.

With linear closeness the Gram matrix has the rank of the scores, far below the number of examples.
Ascent on it is ill-conditioned; the code's own n_classes * n_bits entries are the better unknowns.
"""

import numpy as np

from ecocviz.engine.kernels.codewords import ascend_on_code, certify_code, interior_step
from ecocviz.engine.progress import NO_PROGRESS, Falling, Progress
from ecocviz.engine.reductions.support_pattern.on_gram import (
    SpocSolution,
    certify,
    check_program,
    one_hot,
    relative,
    taus_of,
    warn_of_gap,
)
from ecocviz.engine.types import FloatArray, IntArray, Scores

MOST_UNKNOWNS = 1_000
"""Entries of the code up to which the interior point method is chosen: its steps cost their cube."""
PATIENCE = 10
"""Interior point steps without a smaller gap after which ascent takes over; 20 to 60 in all are usual."""
MAX_SWEEPS = 20_000
"""Sweeps of the ascent after which it gives up with a warning."""
_CHECK_EVERY = 10
"""Sweeps between two looks at the gap."""
METHODS = ("auto", "interior-point", "code-ascent")


def solve_on_scores(
    scores: Scores,
    y_index: IntArray,
    n_classes: int,
    beta: float,
    *,
    margins: FloatArray | None = None,
    start: FloatArray | None = None,
    tol: float = 1e-3,
    method: str = "auto",
    max_sweeps: int = MAX_SWEEPS,
    seed: int = 0,
    progress: Progress = NO_PROGRESS,
) -> SpocSolution:
    """Solve the l2 program for linear closeness: Eq. 16 of [Crammer2002]_.

    Symbols: H -> scores, y -> y_index, k -> n_classes, b -> margins, M -> codewords.

    Differs from the paper: its algorithm works on inner products, while these two work on the code,
    because there are far fewer of its entries than of examples.

    Parameters
    ----------
    scores : (n_samples, n_bits)
    y_index : (n_samples,)
        Class numbers, 0 to n_classes - 1.
    n_classes
        Number of classes.
    beta
        Weight of the regulariser against the sum of losses.
    margins : (n_samples, n_classes), optional
        Required margins b with a 0 at every true class; 1 elsewhere when left out.
    start : (n_samples, n_classes), optional
        Distributions the ascent starts from; the interior point method has no use for them.
    tol
        Relative duality gap at which to stop.
    method
        "interior-point", "code-ascent" (dual coordinate ascent), or "auto": the former up to
        `MOST_UNKNOWNS` entries of the code.
    max_sweeps
        Sweeps of the ascent after which it stops with a `ConvergenceWarning`.
    seed
        Of the ascent's random orders.
    progress
        Told the share of the work that is done; may raise to cancel.
    """
    if method not in METHODS:
        raise ValueError(f"The method is one of {', '.join(METHODS)}, not {method!r}.")
    b = np.ascontiguousarray(check_program(y_index, n_classes, beta, tol, margins))
    H = np.ascontiguousarray(scores, dtype=np.float64)
    eta = one_hot(y_index, n_classes) if start is None else start.copy()
    falling = Falling(progress, tol)
    history: list[tuple[float, float]] = []
    interior = method == "interior-point" or (method == "auto" and n_classes * H.shape[1] <= MOST_UNKNOWNS)
    if interior:
        eta, reached = _interior(H, y_index, b, float(beta), tol, history, falling)
        if reached:
            return _solution(H, y_index, b, beta, eta, history, tol)
    eta = _ascend(H, y_index, b, float(beta), tol, eta, history, max_sweeps, seed, falling)
    return _solution(H, y_index, b, beta, eta, history, tol)


def _solution(
    H: Scores,
    y_index: IntArray,
    b: FloatArray,
    beta: float,
    eta: FloatArray,
    history: list[tuple[float, float]],
    tol: float,
) -> SpocSolution:
    """Certify distributions afresh, and say so if they are not good enough."""
    codewords = taus_of(eta, y_index).T @ H / beta
    outputs = H @ codewords.T
    primal, gap, violation = certify(y_index, eta, outputs, b)
    converged = gap <= tol * primal
    if not converged:
        warn_of_gap(gap, primal)
    return SpocSolution(
        float(beta),
        eta,
        outputs * beta,
        primal,
        gap,
        violation,
        np.array(history),
        len(history),
        converged,
        codewords,
    )


def _interior(
    H: Scores,
    y_index: IntArray,
    b: FloatArray,
    beta: float,
    tol: float,
    history: list[tuple[float, float]],
    falling: Falling,
) -> tuple[FloatArray, bool]:
    """Return distributions, (n_samples, n_classes), and whether they are within the tolerance."""
    n_classes = b.shape[1]
    S = one_hot(y_index, n_classes).T @ H
    H, b = np.ascontiguousarray(H.T), np.ascontiguousarray(b.T)
    M = np.zeros(S.shape)
    certified = np.empty(S.shape)
    z = b.max(axis=0) + 1.0
    s = z - b
    eta = np.full(b.shape, 1.0 / n_classes)
    best, least, since = eta, np.inf, 0
    while since < PATIENCE:
        primal, gap = certify_code(H, y_index, b, S, beta, eta, certified)
        history.append((primal - gap, gap))
        falling.at(relative(gap, primal))
        if gap <= tol * primal:
            return sparse_distributions(H, y_index, b, S, beta, eta, s, tol), True
        since += 1
        if gap < 0.9 * least:
            best, least, since = eta.copy(), gap, 0
        try:
            interior_step(H, b, S, beta, M, z, s, eta)
        except np.linalg.LinAlgError:
            break  # rounding has the last word at extreme beta; ascent needs no factorisation
    return _normalised(best), False


def sparse_distributions(
    H: Scores,
    y_index: IntArray,
    b: FloatArray,
    S: FloatArray,
    beta: float,
    eta: FloatArray,
    s: FloatArray,
    tol: float,
) -> FloatArray:
    """Set multipliers to zero where their slack is larger, if the gap stays within the tolerance.

    At the optimum one of each pair is zero; which one shows long before. Only then can support
    patterns be told from the others. H, b, eta and s have a column for each
    example; returned are distributions, (n_samples, n_classes).
    """
    largest, columns = eta.argmax(axis=0), np.arange(y_index.size)
    kept = np.where(eta >= s, eta, 0.0)
    kept[largest, columns] = eta[largest, columns]
    primal, gap = certify_code(H, y_index, b, S, beta, kept, np.empty(S.shape))
    return _normalised(kept if gap <= tol * primal else eta)


def _normalised(eta: FloatArray) -> FloatArray:
    """Return distributions, (n_samples, n_classes), from multipliers, (n_classes, n_samples)."""
    return np.ascontiguousarray((eta / eta.sum(axis=0)).T)


def _ascend(
    H: Scores,
    y_index: IntArray,
    b: FloatArray,
    beta: float,
    tol: float,
    eta: FloatArray,
    history: list[tuple[float, float]],
    max_sweeps: int,
    seed: int,
    falling: Falling,
) -> FloatArray:
    """Sweep in random orders over the examples that are not settled; return the distributions."""
    rng = np.random.default_rng(seed)
    squares = np.einsum("ij,ij->i", H, H)
    for first in range(0, max_sweeps + 1, _CHECK_EVERY):
        # The code is summed up afresh each time, so that rounding errors do not pile up.
        M = taus_of(eta, y_index).T @ H / beta
        primal, gap, _ = certify(y_index, eta, H @ M.T, b)
        history.append((primal - gap, gap))
        falling.at(relative(gap, primal))
        if gap <= tol * primal or first >= max_sweeps:
            break
        order = rng.permutation(y_index.size)
        floor = np.inf
        for _ in range(_CHECK_EVERY):
            floor, kept = ascend_on_code(H, squares, beta, b, eta, M, order, floor)
            order = rng.permutation(order[:kept])
            falling.check()
            if floor <= 0.0:
                break
    return eta
