"""Design of a continuous code for given scores: the programs of the three norms."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import OptimizeResult, linprog

from ecocviz.engine.params import shorten
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions.support_pattern.on_gram import check_program, one_hot
from ecocviz.engine.reductions.support_pattern.on_scores import solve_on_scores
from ecocviz.engine.types import FloatArray, IntArray, Scores

NORMS = ("l1", "l2", "linf")
MOST_NONZEROS = 20_000_000
"""Entries of a linear program's matrix above which it is refused: about 4 GB inside the solver."""
WATCH_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Design:
    """A continuous code and what is proved about it.

    Attributes
    ----------
    code : (n_classes, n_bits)
        M. Among several optimal codes, one.
    objective
        beta * norm + sum of losses, computed from the code itself.
    gap
        How far the objective may be from the least possible one.
    eta : (n_samples, n_classes)
        Dual distributions over the classes; they prove the gap.
    """

    code: FloatArray
    objective: float
    gap: float
    eta: FloatArray


def code_norm(code: FloatArray, norm: str) -> float:
    """Return |M|_1, max |M|, or |M|_2^2 / 2, over the entries of a code (n_classes, n_bits)."""
    if norm == "l2":
        return float(0.5 * (code * code).sum())
    size = np.abs(code)
    return float(size.sum() if norm == "l1" else size.max(initial=0.0))


def total_loss(outputs: FloatArray, margins: FloatArray, y_index: IntArray) -> float:
    """Return sum_i max_r (f_ir + b_ir) - f_{i, y_i} (Eq. 14 of [Crammer2002]_).

    Parameters
    ----------
    outputs, margins : (n_samples, n_classes)
    y_index : (n_samples,)
    """
    own = outputs[np.arange(y_index.size), y_index]
    return float(((outputs + margins).max(axis=1) - own).sum())


def design_code(
    scores: Scores,
    y_index: IntArray,
    n_classes: int,
    *,
    norm: str,
    beta: float,
    margins: FloatArray | None = None,
    floor: float = 0.0,
    start: FloatArray | None = None,
    tol: float = 1e-3,
    seed: int = 0,
    progress: Progress = NO_PROGRESS,
) -> Design:
    """Find the code of least regularised loss for given scores of the machines.

    Implements Eq. 15 of [Crammer2002]_ for the norms of its sections 5.1 and 5.2.

    Symbols: h(x_i) -> scores[i], b -> margins, M -> code, Omega -> norm.

    Parameters
    ----------
    scores : (n_samples, n_bits)
    y_index : (n_samples,)
        Class numbers, 0 to n_classes - 1.
    n_classes
        Number of classes.
    norm
        "l1" sum of |M_rt|, "l2" half the sum of squares, "linf" largest |M_rt|.
    beta
        Weight of the norm against the sum of losses.
    margins : (n_samples, n_classes), optional
        Required margins with a 0 at every true class; 1 elsewhere when left out.
    floor
        For "linf" only: the norm is max(floor, largest |M_rt|).
    start : (n_samples, n_classes), optional
        Distributions to start from, where the method has a use for them.
    tol
        Relative duality gap of "l2"; linear programs are solved to the solver's own precision.
    seed
        Of random orders.
    progress
        Told the share of the work that is done; may raise to cancel.
    """
    if norm not in NORMS:
        raise ValueError(f"The norm is one of {', '.join(NORMS)}, not {shorten(str(norm))!r}.")
    if norm == "l2":
        solution = solve_on_scores(
            scores,
            y_index,
            n_classes,
            beta,
            margins=margins,
            start=start,
            tol=tol,
            seed=seed,
            progress=progress,
        )
        assert solution.codewords is not None  # noqa: S101 - solvers on scores always give the code
        return Design(solution.codewords, solution.objective, solution.gap, solution.eta)
    b = check_program(y_index, n_classes, beta, tol, margins)
    return _linear_design(np.asarray(scores, dtype=np.float64), y_index, b, norm, beta, floor, progress)


def _linear_design(
    H: Scores,
    y_index: IntArray,
    b: FloatArray,
    norm: str,
    beta: float,
    floor: float,
    progress: Progress,
) -> Design:
    """Solve the dual of the z-form with equality rows; the code is the rows' multipliers.

    max sum eta_ir b_ir - floor sum |T|  with eta_i in the simplex, T = S - eta^T H, and |T_rt| <=
    beta everywhere (l1) or sum |T_rt| <= beta (linf). Every variable touches one row of the code
    only, which is why the interior point solver likes this form better than the paper's.
    """
    m, k = b.shape
    n_bits = H.shape[1]
    S = one_hot(y_index, k).T @ H
    if m * k * (n_bits + 1) > MOST_NONZEROS:
        raise ValueError(
            f"The linear program of {m} points, {k} classes and {n_bits} machines is too large; "
            "use the l2 norm, fewer points or a shorter code."
        )
    code_rows = sparse.kron(sparse.csr_matrix(H.T), sparse.identity(k), format="csr")  # row t k + r
    simplex_rows = sparse.kron(sparse.identity(m), np.ones((1, k)), format="csr")
    entries = sparse.identity(k * n_bits, format="csr")
    right = [np.ones(m), S.T.ravel()]
    if norm == "l1":
        blocks: list[list[Any]] = [[simplex_rows, None], [code_rows, entries]]
        costs = np.concatenate([-b.ravel(), np.zeros(k * n_bits)])
        low = np.concatenate([np.zeros(m * k), np.full(k * n_bits, -beta)])
        high = np.concatenate([np.full(m * k, np.inf), np.full(k * n_bits, beta)])
    else:
        budget = sparse.csr_matrix(np.ones((1, 2 * k * n_bits + 1)))  # the last one is the slack
        both = sparse.hstack([entries, -entries, sparse.csr_matrix((k * n_bits, 1))], format="csr")
        blocks = [[simplex_rows, None], [code_rows, both], [None, budget]]
        costs = np.concatenate([-b.ravel(), np.full(2 * k * n_bits, floor), np.zeros(1)])
        low, high = np.zeros(costs.size), np.full(costs.size, np.inf)
        right.append(np.array([beta]))
    matrix = sparse.csr_matrix(sparse.bmat(blocks))
    result = _watched(costs, matrix, np.concatenate(right), np.stack([low, high], axis=1), progress)
    code = np.ascontiguousarray(result.eqlin.marginals[m : m + k * n_bits].reshape(n_bits, k).T)
    objective = beta * max(code_norm(code, norm), floor) + total_loss(H @ code.T, b, y_index)
    eta = np.maximum(result.x[: m * k].reshape(m, k), 0.0)
    eta /= eta.sum(axis=1, keepdims=True)
    eta, value = feasible(H, S, y_index, b, eta, norm, beta, floor)
    return Design(code, objective, max(objective - value, 0.0), eta)


def feasible(
    H: Scores,
    S: FloatArray,
    y_index: IntArray,
    b: FloatArray,
    eta: FloatArray,
    norm: str,
    beta: float,
    floor: float,
) -> tuple[FloatArray, float]:
    """Pull distributions towards the true classes until they keep the dual bounds exactly.

    At the true classes T is zero, so T shrinks in proportion. Returns them with their dual value.
    """
    T = np.abs(S - eta.T @ H)
    size = float(T.max() if norm == "l1" else T.sum())
    share = min(1.0, beta / size) if size > 0 else 1.0
    eta = share * eta + (1 - share) * one_hot(y_index, eta.shape[1])
    value = float((eta * b).sum())
    return eta, value + (floor * (beta - share * float(T.sum())) if norm == "linf" else 0.0)


def _watched(
    costs: FloatArray,
    matrix: sparse.csr_matrix,
    right: FloatArray,
    bounds: FloatArray,
    progress: Progress,
) -> OptimizeResult:
    """Run the solver in a thread of its own, so that a caller who cancels need not wait for it.

    The solver cannot be stopped from outside: after a cancel it runs to its end unheard.
    """

    def solve() -> OptimizeResult:
        result: OptimizeResult = linprog(  # type: ignore[call-overload]  # the stubs know no sparse matrices
            costs, A_eq=matrix, b_eq=right, bounds=bounds, method="highs-ipm"
        )
        return result

    pool = ThreadPoolExecutor(1)
    try:
        future = pool.submit(solve)
        progress.at(0.0)
        while not future.done():
            try:
                future.result(WATCH_SECONDS)
            except TimeoutError:
                progress.at(0.5)
        progress.at(1.0)
        result = future.result()
    finally:
        pool.shutdown(wait=False)
    if result.status != 0:
        raise ValueError(
            f"The linear program was not solved ({result.message}); scale the scores or change beta."
        )
    return result
