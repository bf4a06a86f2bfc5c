"""Slow, obvious counterparts of code design: loops and general optimisers. Imports nothing of ecocviz."""

import math
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog, minimize


def project_by_bisection(point):
    """Projection onto the simplex: the threshold is searched, not computed."""
    low, high = min(point) - 2.0, max(point)
    for _ in range(200):
        theta = (low + high) / 2
        if sum(max(value - theta, 0.0) for value in point) > 1:
            low = theta
        else:
            high = theta
    return [max(value - high, 0.0) for value in point]


def default_margins(y, n_classes):
    return np.array([[0.0 if r == label else 1.0 for r in range(n_classes)] for label in y])


def losses(H, y, M, b):
    """xi_i of Eq. 14."""
    out = []
    for i, label in enumerate(y):
        f = [sum(M[r][t] * H[i][t] for t in range(len(H[i]))) for r in range(len(M))]
        out.append(max(f[r] + b[i][r] for r in range(len(M))) - f[label])
    return out


def norm_of(M, norm):
    entries = [abs(value) for row in M for value in row]
    if norm == "l1":
        return sum(entries)
    if norm == "linf":
        return max(entries)
    return sum(value * value for value in entries) / 2


def objective(H, y, M, b, norm, beta):
    return beta * norm_of(M, norm) + sum(losses(H, y, M, b))


def _hinge_rows(H, y, b):
    """Rows of xi_i + h_i . (M_y - M_r) >= b_ir over the variables (M, xi)."""
    m, k = b.shape
    n_bits = H.shape[1]
    rows, right = [], []
    for i in range(m):
        for r in range(k):
            row = np.zeros(k * n_bits + m)
            for t in range(n_bits):
                row[y[i] * n_bits + t] += H[i, t]
                row[r * n_bits + t] -= H[i, t]
            row[k * n_bits + i] = 1.0
            rows.append(row)
            right.append(b[i, r])
    return np.array(rows), np.array(right)


def quadratic_optimum(H, y, b, beta):
    """Least beta |M|^2 / 2 + sum of losses, Eq. 16 as printed, by a general nonlinear solver.

    Several starts, because the solver sometimes stops at once; the least value found is returned.
    """
    m, k = b.shape
    n_bits = H.shape[1]
    rows, right = _hinge_rows(H, y, b)
    n = k * n_bits

    def value(x):
        return beta / 2 * float(x[:n] @ x[:n]) + float(x[n:].sum())

    def slope(x):
        return np.concatenate([beta * x[:n], np.ones(m)])

    best = np.inf
    for seed in range(3):
        M = np.random.default_rng(seed).normal(size=(k, n_bits)) * 0.1 * seed
        start = np.concatenate([M.ravel(), losses(H, y, M, b)])
        found = minimize(
            value,
            start,
            jac=slope,
            method="SLSQP",
            constraints=[{"type": "ineq", "fun": lambda x: rows @ x - right, "jac": lambda _: rows}],
            options={"maxiter": 500, "ftol": 1e-12},
        )
        best = min(best, objective(H, y, found.x[:n].reshape(k, n_bits), b, "l2", beta))
    return best


def machine_optimum(X, y, M, b, beta):
    """Least beta |W|^2 / 2 + losses of the class scores M W x, by a general nonlinear solver."""
    m, k = b.shape
    n_bits, d = M.shape[1], X.shape[1]
    rows, right = [], []
    for i in range(m):
        for r in range(k):
            row = np.zeros(n_bits * d + m)
            row[: n_bits * d] = np.outer(M[y[i]] - M[r], X[i]).ravel()
            row[n_bits * d + i] = 1.0
            rows.append(row)
            right.append(b[i, r])
    rows, right = np.array(rows), np.array(right)
    n = n_bits * d
    found = minimize(
        lambda x: beta / 2 * float(x[:n] @ x[:n]) + float(x[n:].sum()),
        np.concatenate([np.zeros(n), np.ones(m)]),
        jac=lambda x: np.concatenate([beta * x[:n], np.ones(m)]),
        method="SLSQP",
        constraints=[{"type": "ineq", "fun": lambda x: rows @ x - right, "jac": lambda _: rows}],
        options={"maxiter": 500, "ftol": 1e-12},
    )
    W = found.x[:n].reshape(n_bits, d)
    return beta / 2 * float((W * W).sum()) + sum(losses(X @ W.T, y, M, b))


def linear_optimum(H, y, b, beta, norm, floor=0.0):
    """Least beta * norm + sum of losses by the paper's primal programs of section 5.1."""
    m, k = b.shape
    n = k * H.shape[1]
    hinge, right = _hinge_rows(H, y, b)
    n_alpha = n if norm == "l1" else 1
    A, c = [], []
    for row, value in zip(hinge, right, strict=True):
        A.append(np.concatenate([-row, np.zeros(n_alpha)]))
        c.append(-value)
    for entry in range(n):
        for sign in (1.0, -1.0):
            row = np.zeros(n + m + n_alpha)
            row[entry] = sign
            row[n + m + (entry if norm == "l1" else 0)] = -1.0
            A.append(row)
            c.append(0.0)
    costs = np.concatenate([np.zeros(n), np.ones(m), np.full(n_alpha, beta)])
    bounds = [(None, None)] * n + [(0, None)] * m + [(floor, None)] * n_alpha
    return linprog(costs, A_ub=np.array(A), b_ub=np.array(c), bounds=bounds, method="highs-ds").fun


def binary_machine_optimum(H, signs, C):
    """Least |v|^2 / 2 + C sum of hinge losses of the bias-free binary machine."""
    m, n_bits = H.shape
    rows = np.hstack([H * signs[:, None], np.eye(m)])
    found = minimize(
        lambda x: 0.5 * float(x[:n_bits] @ x[:n_bits]) + C * float(x[n_bits:].sum()),
        np.concatenate([np.zeros(n_bits), np.ones(m)]),
        jac=lambda x: np.concatenate([x[:n_bits], np.full(m, C)]),
        method="SLSQP",
        bounds=[(None, None)] * n_bits + [(0, None)] * m,
        constraints=[{"type": "ineq", "fun": lambda x: rows @ x - 1.0, "jac": lambda _: rows}],
        options={"maxiter": 500, "ftol": 1e-13},
    )
    v = found.x[:n_bits]
    return 0.5 * float(v @ v) + C * sum(
        max(0.0, 1.0 - s * float(h @ v)) for h, s in zip(H, signs, strict=True)
    )


def tie_aware_loss(class_scores, y):
    """Eq. 1 in exact fractions."""
    total = Fraction(0)
    for row, label in zip(class_scores, y, strict=True):
        winners = [r for r, value in enumerate(row) if value == max(row)]
        total += Fraction(int(label in winners), len(winners))
    return 1 - total / len(y)


def eliminate(row, order):
    """The list of live labels, literally."""
    live = list(order)
    while len(live) > 1:
        first, last = live[0], live[-1]
        if row[first] > row[last]:
            live.pop()
        else:
            live.pop(0)
    return live[0]


def bound(D, n_nodes, radius_squared, m, delta, base=math.e):
    """B(D, N) of the corollaries, with the logarithm of the quotient taken as it is printed."""
    logs = math.log(4 * math.e * m, base) * math.log(4 * m, base)
    return 130 * radius_squared / m * (D * logs + math.log(2 * (2 * m) ** n_nodes / delta, base))


def spread(X, y, M):
    """D' of Theorem 4, pair by pair and point by point."""
    total = 0.0
    for r in range(len(M)):
        for s in range(r + 1, len(M)):
            w = M[r] - M[s]
            length = math.sqrt(float(w @ w))
            nearest = [abs(float(w @ x)) / length for x, label in zip(X, y, strict=True) if label in (r, s)]
            total += 1 / min(nearest) ** 2
    return total
