"""Slow, obvious versions of the single binary machine: every copy of every point written out.

Imports nothing from ecocviz. The explicit problem on all copies goes to a general solver.
"""

import math

import numpy as np
from scipy.optimize import minimize
from sklearn.svm import SVC


def copies(X, extension):
    """Every point once per row of the extension matrix, with that row appended, (m * c, d + width)."""
    return np.array([[*x, *row] for x in X for row in extension])


def labels(y, n_classes):
    """+1 for the copy of the true class, -1 for the others, (m * c,)."""
    return np.array([1.0 if y_i == r else -1.0 for y_i in y for r in range(n_classes)])


def rbf_gram(points, gamma):
    return np.array(
        [
            [math.exp(-gamma * sum((a - b) ** 2 for a, b in zip(p, q, strict=True))) for q in points]
            for p in points
        ]
    )


def kronecker(gram, class_kernel):
    """K[(i, r), (j, s)] = gram[i, j] * class_kernel[r, s], by loops, (m * c, m * c)."""
    m, c = len(gram), len(class_kernel)
    K = np.empty((m * c, m * c))
    for i in range(m):
        for r in range(c):
            for j in range(m):
                for s in range(c):
                    K[i * c + r, j * c + s] = gram[i][j] * class_kernel[r][s]
    return K


def class_kernel(M, gamma):
    return np.array(
        [[math.exp(-gamma * sum((a - b) ** 2 for a, b in zip(p, q, strict=True))) for q in M] for p in M]
    )


def unit_matrix(k, n_classes):
    """All zero but entry (k, k)."""
    return [[1.0 if r == k and s == k else 0.0 for s in range(n_classes)] for r in range(n_classes)]


def combined(mu, gamma):
    """Sum of mu_k times the class kernel of the k-th unit matrix."""
    n = len(mu)
    return sum(mu[k] * class_kernel(unit_matrix(k, n), gamma) for k in range(n))


def explicit_machine(K, Y, C, tol=1e-10):
    """Solve the explicit problem by libsvm; return signed coefficients, intercept and g_d (Eq. 2)."""
    machine = SVC(C=C, kernel="precomputed", tol=tol).fit(K, Y)
    b = np.zeros(len(Y))
    b[machine.support_] = machine.dual_coef_[0]
    return b, float(machine.intercept_[0]), 2 * float(Y @ b) - float(b @ K @ b)


def primal(K, Y, b, bias, price):
    """Objective (7) as printed: twice C times the slacks, plus the squared norm."""
    outputs = K @ b + bias
    return 2 * price * sum(max(0.0, 1 - t * f) for t, f in zip(Y, outputs, strict=True)) + float(b @ K @ b)


def violation(K, Y, b, C):
    """max of the residual over those that may rise minus min over those that may fall."""
    E = Y - K @ b
    near = 1e-12 * C
    rising = [e for e, t, a in zip(E, Y, b, strict=True) if (a < C - near if t > 0 else a < -near)]
    falling = [e for e, t, a in zip(E, Y, b, strict=True) if (a > near if t > 0 else a > -C + near)]
    return max(rising) - min(falling)


def footnote_bias(K, Y, b):
    """The paper's footnote 1: the mean of Y - F over all support vectors, bounded ones included."""
    E = Y - K @ b
    return float(np.mean([e for e, a in zip(E, b, strict=True) if a != 0]))


def free_bias(K, Y, b, C):
    """The mean of Y - F over the support vectors strictly inside the box."""
    E = Y - K @ b
    return float(np.mean([e for e, a in zip(E, b, strict=True) if 1e-6 * C < abs(a) < (1 - 1e-6) * C]))


def slopes(gram, B, gamma):
    """alpha' G(K_k) alpha of every unit matrix, on the explicit matrices."""
    n = B.shape[1]
    b = B.ravel()
    return np.array([b @ kronecker(gram, class_kernel(unit_matrix(k, n), gamma)) @ b for k in range(n)])


def literal_rounds(gram, Y, n_classes, C, gamma, radius, rounds):
    """Algorithm 2 as printed, on explicit matrices; return the weights and g_d of each round."""
    mu = np.full(n_classes, radius / n_classes)
    told = []
    for _ in range(rounds):
        K = kronecker(gram, combined(mu, gamma))
        b, _, value = explicit_machine(K, Y, C)
        told.append((mu, value))
        mu = mu + slopes(gram, b.reshape(-1, n_classes), gamma)
        if mu.sum() > radius:
            mu = mu * radius / mu.sum()
    return told


def best_on_grid(gram, Y, C, gamma, radius, steps):
    """Least g_d over weights of sum R on a grid of the simplex of three classes."""
    best = math.inf
    for a in range(steps + 1):
        for b in range(steps + 1 - a):
            mu = radius * np.array([a, b, steps - a - b]) / steps
            value = explicit_machine(kronecker(gram, combined(mu, gamma)), Y, C, tol=1e-6)[2]
            best = min(best, value)
    return best


def kessler_points(X, y, n_classes):
    """x in block y minus x in block r, for every other class r, (m * (c - 1), c * d)."""
    d = len(X[0])
    rows = []
    for x, y_i in zip(X, y, strict=True):
        for r in range(n_classes):
            if r != y_i:
                row = np.zeros(n_classes * d)
                row[y_i * d : (y_i + 1) * d] += x
                row[r * d : (r + 1) * d] -= x
                rows.append(row)
    return np.array(rows)


def kessler_weights(X, y, n_classes, C):
    """Least |w|^2 / 2 + C sum of hinge losses of the explicit differences; class weights and optimum."""
    P = kessler_points(X, y, n_classes)
    G = P @ P.T
    done = minimize(
        lambda a: (0.5 * a @ G @ a - a.sum(), G @ a - 1),
        np.zeros(len(P)),
        jac=True,
        bounds=[(0, C)] * len(P),
        method="L-BFGS-B",
        options={"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-10},
    )
    return (P.T @ done.x).reshape(n_classes, -1), -float(done.fun)


def root_of_q(m, n, R, gamma, delta):
    """The square root of the Q of Lemma 4.1, term by term."""
    first = 256 * R / gamma**2
    first *= math.log(gamma * math.e * m / (8 * math.sqrt(R)))
    first *= math.log(128 * m * R / gamma**2)
    last = n * math.log(128 * math.e * m**3 * R / (gamma**2 * n))
    return math.sqrt(8 / m * (2 + first - math.log(delta) + last))
