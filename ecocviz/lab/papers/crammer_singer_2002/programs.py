"""The programs of Section 5, written out as the paper prints them."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from ecocviz.engine.progress import Progress
from ecocviz.engine.reductions.support_pattern.on_gram import one_hot, required_margins
from ecocviz.engine.reductions.support_pattern.on_scores import solve_on_scores
from ecocviz.engine.types import FloatArray, IntArray

NORMS = ("l1", "l2", "linf")
TOL = 1e-8


@dataclass(frozen=True, slots=True)
class Program:
    """Minimise costs.x + weight |x_M|^2 / 2, where rows of at least and equal rows hold.

    Attributes
    ----------
    costs : (n_variables,)
    positive : (n_variables,)
        Which variables are at least 0: the paper's 0-constraints.
    least, least_right
        Rows whose product with x is at least the right side; None without any.
    equal, equal_right
        Rows where it is equal.
    """

    costs: FloatArray
    positive: np.ndarray
    least: sparse.csr_matrix | None
    least_right: FloatArray
    equal: sparse.csr_matrix | None
    equal_right: FloatArray

    @property
    def counts(self) -> tuple[int, int, int]:
        """Variables, 0-constraints and constraints, as Table 1 counts them."""
        rows = sum(matrix.shape[0] for matrix in (self.least, self.equal) if matrix is not None)
        return self.costs.size, int(self.positive.sum()), rows

    def violation(self, x: FloatArray) -> float:
        """Return by how much a point misses the constraints."""
        missed = [0.0, *(-x[self.positive])]
        if self.least is not None:
            missed += list(self.least_right - self.least @ x)
        if self.equal is not None:
            missed += list(np.abs(self.equal @ x - self.equal_right))
        return float(max(missed))

    def solve(self) -> float:
        """Return the optimum of a linear program."""
        found = linprog(  # type: ignore[call-overload]  # the stubs know no sparse matrices
            self.costs,
            A_ub=None if self.least is None else -self.least,
            b_ub=None if self.least is None else -self.least_right,
            A_eq=self.equal,
            b_eq=None if self.equal is None else self.equal_right,
            bounds=[(0, None) if positive else (None, None) for positive in self.positive],
            method="highs",
        )
        if found.status != 0:
            raise ValueError(f"The linear program was not solved: {found.message}")
        return float(found.fun)


def write_primal(H: FloatArray, y: IntArray, k: int, norm: str, beta: float) -> Program:
    """Write out a primal program: variables M (k l), xi (m), then alpha (k l for l1, 1 for linf).

    Implements Eq. 16 and the programs of section 5.1 of [Crammer2002]_; the squared norm of l2 is not
    among the costs, which are linear.

    Parameters
    ----------
    H : (m, l)
        Scores of the machines.
    y : (m,)
    k, norm, beta
    """
    m, n_code = y.size, k * H.shape[1]
    own = one_hot(y, k)
    # Row (i, r): h_i . M_{y_i} - h_i . M_r + xi_i >= b_ir.
    differences = np.repeat(own, k, axis=0) - np.tile(np.eye(k), (m, 1))
    hinge = (differences[:, :, None] * np.repeat(H, k, axis=0)[:, None, :]).reshape(m * k, n_code)
    slack = sparse.kron(sparse.identity(m), np.ones((k, 1)))
    b = required_margins(y, k).ravel()
    if norm == "l2":
        costs = np.concatenate([np.zeros(n_code), np.ones(m)])
        rows = sparse.csr_matrix(sparse.hstack([sparse.csr_matrix(hinge), slack]))
        return Program(costs, np.zeros(costs.size, dtype=np.bool_), rows, b, None, np.zeros(0))
    n_alpha = n_code if norm == "l1" else 1
    sizes = sparse.csr_matrix(np.eye(n_code) if norm == "l1" else np.ones((n_code, 1)))
    entries, none = sparse.identity(n_code), sparse.csr_matrix((n_code, m))
    rows = sparse.csr_matrix(
        sparse.vstack(
            [
                sparse.hstack([sparse.csr_matrix(hinge), slack, sparse.csr_matrix((m * k, n_alpha))]),
                sparse.hstack([entries, none, sizes]),
                sparse.hstack([-entries, none, sizes]),
            ]
        )
    )
    costs = np.concatenate([np.zeros(n_code), np.ones(m), np.full(n_alpha, beta)])
    right = np.concatenate([b, np.zeros(2 * n_code)])
    return Program(costs, np.zeros(costs.size, dtype=np.bool_), rows, right, None, np.zeros(0))


def write_dual(H: FloatArray, y: IntArray, k: int, norm: str, beta: float) -> Program:
    """Write out a dual program, as a minimum: variables eta (k m), then gamma+ and gamma- (k l each).

    Implements Eq. 25 (without its quadratic term) and the duals of section 5.1 of [Crammer2002]_.

    Differs from the paper: its gamma+ and gamma- change places, which only renames them.

    Parameters
    ----------
    H : (m, l)
        Scores of the machines.
    y : (m,)
    k, norm, beta
    """
    m, n_code = y.size, k * H.shape[1]
    simplex = sparse.kron(sparse.identity(m), np.ones((1, k)))
    costs = -required_margins(y, k).ravel()
    if norm == "l2":
        positive = np.ones(costs.size, dtype=np.bool_)
        return Program(costs, positive, None, np.zeros(0), sparse.csr_matrix(simplex), np.ones(m))
    # Row (r, t): sum_i h_t(x_i) eta_ir + gamma+ - gamma- = sum of h_t over the class.
    code_rows = sparse.kron(sparse.csr_matrix(H.T), sparse.identity(k))
    entries = sparse.identity(n_code)
    sums = (
        sparse.hstack([sparse.csr_matrix((n_code, m * k)), entries, entries])
        if norm == "l1"
        else sparse.hstack([sparse.csr_matrix((1, m * k)), sparse.csr_matrix(np.ones((1, 2 * n_code)))])
    )
    rows = sparse.csr_matrix(
        sparse.vstack(
            [
                sparse.hstack([simplex, sparse.csr_matrix((m, 2 * n_code))]),
                sums,
                sparse.hstack([code_rows, entries, -entries]),
            ]
        )
    )
    budgets = np.full(n_code if norm == "l1" else 1, beta)
    totals = (H.T @ one_hot(y, k)).ravel()
    costs = np.concatenate([costs, np.zeros(2 * n_code)])
    right = np.concatenate([np.ones(m), budgets, totals])
    return Program(costs, np.ones(costs.size, dtype=np.bool_), None, np.zeros(0), rows, right)


def optimum(
    H: FloatArray,
    y: IntArray,
    k: int,
    norm: str,
    beta: float,
    primal: Program,
    dual: Program,
    progress: Progress,
) -> tuple[float, float]:
    """Return the optima of both programs: of l2 by our solver's solution, put into either one.

    Raises
    ------
    ValueError
        Where a solution does not keep the constraints as they are written out.
    """
    if norm != "l2":
        return primal.solve(), -dual.solve()
    found = solve_on_scores(H, y, k, beta, tol=TOL, progress=progress)
    assert found.codewords is not None  # noqa: S101 - solvers on scores always give the code
    M, eta = found.codewords, found.eta
    outputs = H @ M.T
    losses = (outputs + required_margins(y, k)).max(axis=1) - outputs[np.arange(y.size), y]
    x = np.concatenate([M.ravel(), losses])
    if max(primal.violation(x), dual.violation(eta.ravel())) > TOL:
        raise ValueError("The solution does not keep the constraints of the program that was written out.")
    T = (one_hot(y, k) - eta).T @ H
    return (
        float(primal.costs @ x + beta / 2 * (M * M).sum()),
        float(-(dual.costs @ eta.ravel()) - (T * T).sum() / (2 * beta)),
    )
