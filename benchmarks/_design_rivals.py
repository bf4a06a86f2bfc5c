"""General solvers on the programs of code design, written out as the paper prints them."""

import numpy as np
from scipy import sparse
from scipy.optimize import linprog


def _margins(y: np.ndarray, n_classes: int) -> np.ndarray:
    return 1.0 - np.eye(n_classes)[y]


def hinge_rows(H: np.ndarray, y: np.ndarray, n_classes: int) -> tuple[sparse.csc_matrix, np.ndarray]:
    """Return the rows of xi_i + h_i . (M_y - M_r) >= b_ir over (M, xi), and their right sides."""
    m, n_bits = H.shape
    i, r, t = np.meshgrid(np.arange(m), np.arange(n_classes), np.arange(n_bits), indexing="ij")
    row, value = (i * n_classes + r).ravel(), H[i, t].ravel()
    own = (y[i] * n_bits + t).ravel()
    other = (r * n_bits + t).ravel()
    slack = np.arange(m * n_classes)
    rows = np.concatenate([row, row, slack])
    columns = np.concatenate([own, other, n_classes * n_bits + slack // n_classes])
    values = np.concatenate([value, -value, np.ones(slack.size)])
    shape = (m * n_classes, n_classes * n_bits + m)
    return sparse.csc_matrix((values, (rows, columns)), shape=shape), _margins(y, n_classes).ravel()


def clarabel_primal(H: np.ndarray, y: np.ndarray, n_classes: int, beta: float, tol: float) -> float:
    """Solve Eq. 16 with clarabel; return the objective."""
    import clarabel

    A, b = hinge_rows(H, y, n_classes)
    n = n_classes * H.shape[1]
    P = sparse.diags(np.concatenate([np.full(n, beta), np.zeros(y.size)]), format="csc")
    q = np.concatenate([np.zeros(n), np.ones(y.size)])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_rel = settings.tol_gap_abs = settings.tol_feas = tol
    cones = [clarabel.NonnegativeConeT(b.size)]
    return clarabel.DefaultSolver(P, q, -A, -b, cones, settings).solve().obj_val


def clarabel_dual(gram: np.ndarray, y: np.ndarray, n_classes: int, beta: float, tol: float) -> float:
    """Solve Eq. 29 with clarabel; return the objective."""
    import clarabel

    m = y.size
    P = sparse.triu(sparse.kron(gram / beta, sparse.identity(n_classes)), format="csc")
    sums = sparse.kron(sparse.identity(m), np.ones((1, n_classes)))
    A = sparse.vstack([sums, sparse.identity(m * n_classes)], format="csc")
    right = np.concatenate([np.zeros(m), np.eye(n_classes)[y].ravel()])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_rel = settings.tol_gap_abs = settings.tol_feas = tol
    cones = [clarabel.ZeroConeT(m), clarabel.NonnegativeConeT(m * n_classes)]
    solver = clarabel.DefaultSolver(P, _margins(y, n_classes).ravel(), A, right, cones, settings)
    return -solver.solve().obj_val


def quadprog_dual(gram: np.ndarray, y: np.ndarray, n_classes: int, beta: float) -> float:
    """Solve Eq. 29 with quadprog; return the objective. The ridge makes the matrix definite."""
    import quadprog

    m = y.size
    G = np.kron(gram / beta, np.eye(n_classes)) + 1e-9 * np.eye(m * n_classes)
    sums = np.kron(np.eye(m), np.ones((n_classes, 1)))
    C = np.hstack([sums, -np.eye(m * n_classes)])
    right = np.concatenate([np.zeros(m), -np.eye(n_classes)[y].ravel()])
    return -quadprog.solve_qp(G, -_margins(y, n_classes).ravel(), C, right, m)[1]


def literal_program(H: np.ndarray, y: np.ndarray, n_classes: int, norm: str, beta: float) -> float:
    """Solve the primal programs of section 5.1 as printed; return the objective."""
    A, b = hinge_rows(H, y, n_classes)
    n, m = n_classes * H.shape[1], y.size
    n_alpha = n if norm == "l1" else 1
    above = sparse.identity(n) if norm == "l1" else sparse.csc_matrix(np.ones((n, 1)))
    entries = sparse.hstack([sparse.identity(n), sparse.csc_matrix((n, m))])
    rows = sparse.vstack(
        [
            sparse.hstack([-A, sparse.csc_matrix((A.shape[0], n_alpha))]),
            sparse.hstack([entries, -above]),
            sparse.hstack([-entries, -above]),
        ],
        format="csc",
    )
    costs = np.concatenate([np.zeros(n), np.ones(m), np.full(n_alpha, beta)])
    bounds = [(None, None)] * n + [(0, None)] * (m + n_alpha)
    right = np.concatenate([-b, np.zeros(2 * n)])
    return linprog(costs, A_ub=rows, b_ub=right, bounds=bounds, method="highs-ipm").fun
