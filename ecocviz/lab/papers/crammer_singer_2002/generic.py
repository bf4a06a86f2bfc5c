"""Quadratic programming solvers of others on the dual program (Eq. 29), written out in full."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

import numpy as np
from scipy import sparse

from ecocviz.engine.types import FloatArray, IntArray

SOLVERS = ("quadprog", "clarabel")
"""Dense active sets, and a sparse interior point method: what a quadratic program is usually given to."""
RIDGE = 1e-9
"""Added to the diagonal for quadprog, which wants a definite matrix."""

Solve = Callable[[FloatArray, IntArray, int, float], float]


def missing() -> str | None:
    """Say which solvers are not installed, None if all are."""
    absent = [name for name in SOLVERS if find_spec(name) is None]
    if not absent:
        return None
    return (
        f"To measure this anew, install {' and '.join(absent)} (they come with the extra called bench); "
        "the stored results are shown meanwhile."
    )


def installed() -> dict[str, Solve]:
    """Return the solvers that are there."""
    known: dict[str, Solve] = {"quadprog": by_quadprog, "clarabel": by_clarabel}
    return {name: solve for name, solve in known.items() if find_spec(name)}


def dual_program(
    gram: FloatArray, y: IntArray, n_classes: int, beta: float
) -> tuple[sparse.csc_matrix, FloatArray, sparse.csc_matrix, FloatArray]:
    """Write out the dual: minimise t.P t / 2 + q.t with equal rows first, then rows of at most.

    Implements Eq. 29 of [Crammer2002]_ with the sign turned: tau_i <= 1_{y_i}, tau_i . 1 = 0.

    Parameters
    ----------
    gram : (n_samples, n_samples)
    y : (n_samples,)
    n_classes
    beta

    Returns
    -------
    P : (n_samples * n_classes, n_samples * n_classes)
    q : (n_samples * n_classes,)
    rows : (n_samples + n_samples * n_classes, n_samples * n_classes)
        The first n_samples are equalities.
    right : (n_samples + n_samples * n_classes,)
    """
    m, own = y.size, np.eye(n_classes)[y].ravel()
    P = sparse.kron(gram / beta, sparse.identity(n_classes), format="csc")
    sums = sparse.kron(sparse.identity(m), np.ones((1, n_classes)))
    rows = sparse.vstack([sums, sparse.identity(m * n_classes)], format="csc")
    return P, 1.0 - own, rows, np.concatenate([np.zeros(m), own])


def by_clarabel(gram: FloatArray, y: IntArray, n_classes: int, beta: float, tol: float = 1e-6) -> float:
    """Return the objective that clarabel finds."""
    clarabel = import_module("clarabel")
    P, q, rows, right = dual_program(gram, y, n_classes, beta)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_rel = settings.tol_gap_abs = settings.tol_feas = tol
    cones = [clarabel.ZeroConeT(y.size), clarabel.NonnegativeConeT(y.size * n_classes)]
    upper = sparse.triu(P, format="csc")
    return float(-clarabel.DefaultSolver(upper, q, rows, right, cones, settings).solve().obj_val)


def by_quadprog(gram: FloatArray, y: IntArray, n_classes: int, beta: float) -> float:
    """Return the objective that quadprog finds, which works to rounding."""
    quadprog = import_module("quadprog")
    P, q, rows, right = dual_program(gram, y, n_classes, beta)
    definite = P.toarray() + RIDGE * np.eye(q.size)
    # Its rows are columns of at least.
    sign = np.where(np.arange(right.size) < y.size, 1.0, -1.0)
    columns = rows.toarray().T * sign
    return float(-quadprog.solve_qp(definite, -q, columns, sign * right, y.size)[1])
