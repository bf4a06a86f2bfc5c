"""Class probabilities that best explain the probabilities of the machines: two small optimisers.

Each is solved sample by sample in compiled loops. Letters: p (n_classes,) class probabilities, r
(n_bits,) probabilities of the positive sides, M the code matrix, P and N its positive and negative
classes per column.
"""

import numpy as np
from numba import njit

from ecocviz.engine.types import AnyCode, FloatArray

CLIP = 1e-10
"""Machines' probabilities are kept this far from 0 and 1."""
SMALLEST = 1e-300
"""Class probabilities are kept this far from 0 while they are multiplied."""
LIFT = 1e-3
"""Share of the uniform distribution in the least-squares start."""
MULTIPLYING_ROUNDS = 10
POLISHING_ROUNDS = 200
LONGEST = 4.0
"""Most that one polishing round changes a log-probability."""
TOLERANCE = 1e-9
"""Polishing stops when no probability moves more."""
TIE = 1e-7
"""The second start must be better by this share of the weights."""
RIDGE = 1e-11
"""Relative weight of the term that makes the least-squares solutions unique."""


def couple(
    side_probabilities: FloatArray, code_matrix: AnyCode, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Minimise the weighted Kullback-Leibler divergence of machines' and classes' probabilities.

    Implements pairwise coupling of [Hastie1998]_, for any code: minimise the sum over j of
    w_j (r_j log(r_j / s_j) + (1 - r_j) log((1 - r_j) / (1 - s_j))), s_j = p(P_j) / (p(P_j) + p(N_j)).

    Differs from the paper: its update multiplies p_k by the ratio of the sums of w_j r_j and w_j s_j
    over the machines (1 - r_j, 1 - s_j where k is on the negative side), whose resting point is the
    minimum for pairs of classes only. Here the sums are of w_j r_j / p(P_j) and of w_j / (p(P_j) +
    p(N_j)), which never raises the objective of any code and rests at its minima; after a few rounds
    Newton's method in log p, damped, takes over, because multiplying alone needs thousands. The
    better end of two starts is returned, because there may be several minima: the uniform
    distribution, and the non-negative least-squares solution of p(P_j) = r_j, normalised and lifted
    off 0, where multiplying is stuck.

    Parameters
    ----------
    side_probabilities : (n_samples, n_bits)
        r, probability of each machine's positive side.
    code_matrix : (n_classes, n_bits)
    weights : (n_bits,)
        w, non-negative.

    Returns
    -------
    probabilities : (n_samples, n_classes)
    divergences : (n_samples,)
        The objective there.
    """
    r = np.ascontiguousarray(np.clip(side_probabilities, CLIP, 1.0 - CLIP), dtype=np.float64)
    M = np.ascontiguousarray(code_matrix, dtype=np.int8)
    w = np.ascontiguousarray(weights, dtype=np.float64)
    # The answer does not depend on the unit of the weights, but the damping would.
    unit = max(float(w.max()), SMALLEST)
    probabilities, divergences = _couple(r, M, w / unit)
    return probabilities, divergences * unit


def least_squares_posteriors(side_probabilities: FloatArray, code_matrix: AnyCode) -> FloatArray:
    """Minimise the sum over j of ((1 - r_j) p(P_j) - r_j p(N_j))^2 over all distributions p.

    Generalises the second approach of [Wu2004]_ from all pairs to any code. Where several
    distributions are equally good, the one of least norm is returned.

    Parameters
    ----------
    side_probabilities : (n_samples, n_bits)
        r, probability of each machine's positive side.
    code_matrix : (n_classes, n_bits)

    Returns
    -------
    probabilities : (n_samples, n_classes)
    """
    r = np.ascontiguousarray(side_probabilities, dtype=np.float64)
    M = np.ascontiguousarray(code_matrix, dtype=np.int8)
    probabilities: FloatArray = _least_squares(r, M)
    return probabilities


@njit(cache=True, nogil=True)
def _solve(H, b, ridge, free):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Solve (H + ridge I) x = b over the free entries by Cholesky; the others of x (n,) are 0.

    The second answer is False, and x is 0, where the matrix is not positive definite.
    Written out because these systems are tiny: a call of LAPACK costs more than the answer, and
    takes far longer to compile.
    """
    inside = np.flatnonzero(free)
    n = inside.size
    L = np.zeros((n, n))
    x = np.zeros(b.size)
    for i in range(n):
        for j in range(i + 1):
            rest = H[inside[i], inside[j]]
            for k in range(j):
                rest -= L[i, k] * L[j, k]
            if i == j and rest + ridge <= SMALLEST:
                return x, False
            if i == j:
                L[i, i] = np.sqrt(rest + ridge)
            else:
                L[i, j] = rest / L[j, j]
    for i in range(n):
        rest = b[inside[i]]
        for k in range(i):
            rest -= L[i, k] * x[inside[k]]
        x[inside[i]] = rest / L[i, i]
    for i in range(n - 1, -1, -1):
        rest = x[inside[i]]
        for k in range(i + 1, n):
            rest -= L[k, i] * x[inside[k]]
        x[inside[i]] = rest / L[i, i]
    return x, True


@njit(cache=True, nogil=True)
def _advance(x, trial, free):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Move the free x towards trial until an entry reaches 0; return that entry's index, or -1."""
    step, leaving = 1.0, -1
    for k in range(x.size):
        if free[k] and trial[k] <= 0.0:
            ratio = x[k] / (x[k] - trial[k]) if x[k] > 0.0 else 0.0
            if leaving < 0 or ratio < step:
                step, leaving = ratio, k
    for k in range(x.size):
        if free[k]:
            x[k] += step * (trial[k] - x[k])
    return leaving


@njit(cache=True, nogil=True)
def _steepest(H, b, x, free):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Return the entry that is not free with the largest gain, and that gain, at least 0."""
    entering, best = -1, 0.0
    for k in range(x.size):
        if free[k]:
            continue
        gain = b[k]
        for j in range(x.size):
            gain -= H[k, j] * x[j]
        if gain > best:
            entering, best = k, gain
    return entering, best


@njit(cache=True, nogil=True)
def _nonnegative(H, b, ridge):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Minimise x'(H + ridge I)x / 2 - b'x over x >= 0 by an active set: H (n, n), b (n,) >= 0."""
    n = b.size
    free = np.ones(n, dtype=np.bool_)
    x, _ = _solve(H, b, ridge, free)
    if x.min() >= 0.0:
        return x
    x[:] = 0.0
    free[:] = False
    for _ in range(3 * n + 10):
        entering, gain = _steepest(H, b, x, free)
        if gain <= 1e-12 * b.max():
            break
        free[entering] = True
        leaving = 0
        while leaving >= 0:
            trial, _ = _solve(H, b, ridge, free)
            leaving = _advance(x, trial, free)
            if leaving >= 0:
                free[leaving] = False
                x[leaving] = 0.0
    return x


@njit(cache=True, nogil=True)
def _least_squares(r, M):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Solve min p'Cp, p >= 0, sum p = 1 for every row of r (n_samples, n_bits).

    Adding 11' to C adds 1 to the objective on the simplex and makes the minimum positive; then the
    multiples z of the solution are those of min z'(C + 11')z / 2 - 1'z over z >= 0.
    """
    n_samples, n_classes, n_bits = r.shape[0], M.shape[0], M.shape[1]
    probabilities = np.empty((n_samples, n_classes))
    ones = np.ones(n_classes)
    C = np.empty((n_classes, n_classes))
    for i in range(n_samples):
        C[:] = 1.0
        for b in range(n_bits):
            for c in range(n_classes):
                left = (M[c, b] > 0) - r[i, b] if M[c, b] != 0 else 0.0
                for d in range(n_classes):
                    right = (M[d, b] > 0) - r[i, b] if M[d, b] != 0 else 0.0
                    C[c, d] += left * right
        z = _nonnegative(C, ones, RIDGE * n_classes * n_bits)
        total = z.sum()
        for c in range(n_classes):
            probabilities[i, c] = z[c] / total
    return probabilities


@njit(cache=True, nogil=True)
def _divergence(r, w, positive, negative):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Return the objective for side masses p(P_j) and p(N_j), each (n_bits,)."""
    value = 0.0
    for b in range(r.size):
        s = positive[b] / (positive[b] + negative[b])
        rest = negative[b] / (positive[b] + negative[b])
        value += w[b] * (
            r[b] * np.log(r[b] / max(s, SMALLEST)) + (1.0 - r[b]) * np.log((1.0 - r[b]) / max(rest, SMALLEST))
        )
    return value


@njit(cache=True, nogil=True)
def _masses(p, rows, columns, signs, positive, negative):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Fill p(P_j) and p(N_j), each (n_bits,), from the code's non-zero entries (row, column, sign)."""
    positive[:] = 0.0
    negative[:] = 0.0
    for e in range(rows.size):
        if signs[e] > 0:
            positive[columns[e]] += p[rows[e]]
        else:
            negative[columns[e]] += p[rows[e]]


@njit(cache=True, nogil=True)
def _improve(p, r, w, entries, sides, ratios):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Multiply every p[k] once by what machines say of it over what p says.

    entries: rows, columns, signs of the code's non-zero entries; sides (2, n_bits) and ratios
    (2, n_classes) are work space.
    """
    rows, columns, signs = entries
    positive, negative = sides
    said, implied = ratios
    _masses(p, rows, columns, signs, positive, negative)
    said[:] = 0.0
    implied[:] = 0.0
    for e in range(rows.size):
        b = columns[e]
        said[rows[e]] += w[b] * (r[b] / positive[b] if signs[e] > 0 else (1.0 - r[b]) / negative[b])
        implied[rows[e]] += w[b] / (positive[b] + negative[b])
    total = 0.0
    for c in range(p.size):
        # A class of implied mass 0 meets no machine of positive weight: it stays.
        said[c] = max(p[c] * said[c] / implied[c], SMALLEST) if implied[c] > 0.0 else p[c]
        total += said[c]
    for c in range(p.size):
        p[c] = max(said[c] / total, SMALLEST)


@njit(cache=True, nogil=True)
def _curvature(p, r, w, M, sides, descent, hessian):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Fill minus the gradient (n_classes,) and the lower Hessian of the objective in log p.

    With a_k = +p_k / p(P_j) for k in P_j and -p_k / p(N_j) for k in N_j, column j adds w (s - r) a to
    the gradient and w (s (1 - s) a a' + (s - r) (diag(a) -+ a a' within P_j, N_j)) to the Hessian.
    """
    positive, negative = sides
    descent[:] = 0.0
    hessian[:] = 0.0
    share = np.zeros(p.size)
    for b in range(r.size):
        s = positive[b] / (positive[b] + negative[b])
        error = w[b] * (s - r[b])
        product = w[b] * s * (negative[b] / (positive[b] + negative[b]))
        for c in range(p.size):
            share[c] = 0.0
            if M[c, b] != 0:
                share[c] = M[c, b] * p[c] / (positive[b] if M[c, b] > 0 else negative[b])
            descent[c] -= error * share[c]
            hessian[c, c] += error * share[c]
            for d in range(c + 1):
                within = 0.5 * error * (M[c, b] + M[d, b]) if M[c, b] == M[d, b] else 0.0
                hessian[c, d] += (product - within) * share[c] * share[d]


@njit(cache=True, nogil=True)
def _move(p, step):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Return the distribution proportional to p exp(step), steps cut to LONGEST, and its largest change."""
    trial = np.empty(p.size)
    total, moved = 0.0, 0.0
    for c in range(p.size):
        trial[c] = p[c] * np.exp(min(max(step[c], -LONGEST), LONGEST))
        total += trial[c]
    for c in range(p.size):
        trial[c] = max(trial[c] / total, SMALLEST)
        moved = max(moved, abs(trial[c] - p[c]))
    return trial, moved


@njit(cache=True, nogil=True)
def _polish(p, r, w, M, entries, sides):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Bring p to a minimum by Newton's method in log p, damped; return it and its objective."""
    rows, columns, signs = entries
    everyone = np.ones(p.size, dtype=np.bool_)
    descent, hessian = np.empty(p.size), np.empty((p.size, p.size))
    _masses(p, rows, columns, signs, sides[0], sides[1])
    value = _divergence(r, w, sides[0], sides[1])
    damping = 1e-3
    for _ in range(POLISHING_ROUNDS):
        _masses(p, rows, columns, signs, sides[0], sides[1])
        _curvature(p, r, w, M, sides, descent, hessian)
        scale = SMALLEST
        for c in range(p.size):
            scale = max(scale, hessian[c, c])
        best_move = 0.0
        while damping < 1e9:
            step, definite = _solve(hessian, descent, damping * scale, everyone)
            if not definite:
                damping *= 10.0
                continue
            trial, moved = _move(p, step)
            _masses(trial, rows, columns, signs, sides[0], sides[1])
            lower = _divergence(r, w, sides[0], sides[1])
            if lower <= value:
                p, value, best_move = trial, lower, moved
                damping = max(0.1 * damping, 1e-10)
                break
            damping *= 10.0
        if best_move < TOLERANCE:
            break
    return p, value


@njit(cache=True, nogil=True)
def _least_squares_start(p, r, entries, H):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Mix p with the non-negative solution of p(P_j) = r_j, H (n_classes, n_classes) its Gram matrix."""
    rows, columns, signs = entries
    onto = np.zeros(p.size)
    for e in range(rows.size):
        if signs[e] > 0:
            onto[rows[e]] += r[columns[e]]
    x = _nonnegative(H, onto, RIDGE * r.size)
    total = x.sum()
    for c in range(p.size):
        p[c] = LIFT * p[c] + (1.0 - LIFT) * x[c] / total


@njit(cache=True, nogil=True)
def _couple(r, M, w):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Run `couple` on clipped r (n_samples, n_bits), int8 M (n_classes, n_bits), w (n_bits,)."""
    n_samples, n_classes, n_bits = r.shape[0], M.shape[0], M.shape[1]
    rows, columns = np.nonzero(M)
    signs = np.empty(rows.size, dtype=np.int8)
    for e in range(rows.size):
        signs[e] = M[rows[e], columns[e]]
    entries = (rows, columns, signs)
    onto = (M > 0).astype(np.float64)
    H = onto @ onto.T
    sides, ratios = np.empty((2, n_bits)), np.empty((2, n_classes))
    probabilities = np.empty((n_samples, n_classes))
    divergences = np.empty(n_samples)
    # Where many distributions are equally good, rounding must not choose between the starts.
    margin = TIE * w.sum()
    for i in range(n_samples):
        divergences[i] = np.inf
        for start in range(2):
            p = np.full(n_classes, 1.0 / n_classes)
            if start == 1:
                _least_squares_start(p, r[i], entries, H)
            for _ in range(MULTIPLYING_ROUNDS):
                _improve(p, r[i], w, entries, sides, ratios)
            p, value = _polish(p, r[i], w, M, entries, sides)
            if value < divergences[i] - margin:
                divergences[i] = value
                probabilities[i] = p
    return probabilities, divergences
