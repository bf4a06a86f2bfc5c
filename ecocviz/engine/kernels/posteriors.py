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
SMALLEST = 1e-150
"""Class probabilities are kept this far from 0; the square of their inverse is still a number."""
LIFT = 1e-3
"""Share of the uniform distribution in the least-squares start."""
MULTIPLYING_ROUNDS = 10
POLISHING_ROUNDS = 200
LONGEST = 6.0
"""Most that one polishing round changes a log-probability."""
DAMPING, LEAST_DAMPING = 1e-4, 1e-15
"""Share of the largest curvature that the first polishing round adds to all of them."""
TOLERANCE = 1e-12
"""Polishing stops when no slope in a log-probability is steeper, as a share of the weights."""
ROUNDING = 1e-15
"""Share of the weights by which rounding may change the objective."""
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
    # A column with one side only tells no classes apart.
    told = (code_matrix > 0).any(axis=0) & (code_matrix < 0).any(axis=0)
    r = np.ascontiguousarray(np.clip(side_probabilities, CLIP, 1.0 - CLIP)[:, told], dtype=np.float64)
    M = np.ascontiguousarray(code_matrix[:, told], dtype=np.int8)
    w = np.ascontiguousarray(weights, dtype=np.float64)[told]
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
def _factor(H, ridge, inside):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Return U (n, n) with U'U = H + ridge I for the n given entries, and whether it is positive definite.

    Of H the lower half is read. Written out because these matrices are tiny: a call of LAPACK costs more
    than the answer, and takes far longer to compile. Entries of 0 cost nothing.
    """
    n = inside.size
    U = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            U[i, j] = H[inside[j], inside[i]]
    for k in range(n):
        if U[k, k] + ridge <= SMALLEST:
            return U, False
        U[k, k] = np.sqrt(U[k, k] + ridge)
        for j in range(k + 1, n):
            U[k, j] /= U[k, k]
        for i in range(k + 1, n):
            factor = U[k, i]
            if factor != 0.0:
                for j in range(i, n):
                    U[i, j] -= factor * U[k, j]
    return U, True


@njit(cache=True, nogil=True)
def _substitute(U, b):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Solve U'U x = b for x (n,)."""
    n = b.size
    x = b.copy()
    for k in range(n):
        x[k] /= U[k, k]
        for i in range(k + 1, n):
            x[i] -= U[k, i] * x[k]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            x[i] -= U[i, k] * x[k]
        x[i] /= U[i, i]
    return x


@njit(cache=True, nogil=True)
def _solve(H, b, ridge, free):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Solve (H + ridge I) x = b over the free entries; the others of x (n,) are 0, all if it cannot be."""
    inside = np.flatnonzero(free)
    x = np.zeros(b.size)
    U, definite = _factor(H, ridge, inside)
    if definite:
        x[inside] = _substitute(U, b[inside])
    return x


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
    x = _solve(H, b, ridge, free)
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
            trial = _solve(H, b, ridge, free)
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
def _sides(M):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Return the classes of each column, its smaller side first, where its sides end, and its sign.

    classes (n_bits, n_classes), ends (n_bits, 2), signs (n_bits,): +1 where the first side is the positive.
    """
    n_classes, n_bits = M.shape
    classes = np.zeros((n_bits, n_classes), dtype=np.int64)
    ends = np.zeros((n_bits, 2), dtype=np.int64)
    signs = np.ones(n_bits, dtype=np.int64)
    for b in range(n_bits):
        if (M[:, b] > 0).sum() > (M[:, b] < 0).sum():
            signs[b] = -1
        end = 0
        for side in range(2):
            wanted = signs[b] if side == 0 else -signs[b]
            for c in range(n_classes):
                if M[c, b] == wanted:
                    classes[b, end] = c
                    end += 1
            ends[b, side] = end
    return classes, ends, signs


@njit(cache=True, nogil=True)
def _divergence(r, w, masses):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Return the objective for the masses of both sides, (n_bits, 2)."""
    value = 0.0
    for b in range(r.size):
        total = masses[b, 0] + masses[b, 1]
        s, rest = masses[b, 0] / total, masses[b, 1] / total
        value += w[b] * (
            r[b] * np.log(r[b] / max(s, SMALLEST)) + (1.0 - r[b]) * np.log((1.0 - r[b]) / max(rest, SMALLEST))
        )
    return value


@njit(cache=True, nogil=True)
def _masses(p, classes, ends, masses):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Fill the masses of both sides, (n_bits, 2), of a distribution p (n_classes,)."""
    for b in range(ends.shape[0]):
        small, large = 0.0, 0.0
        for e in range(ends[b, 0]):
            small += p[classes[b, e]]
        if ends[b, 1] == p.size and small < 0.5:
            large = 1.0 - small  # adding it up would take longer and say the same
        else:
            for e in range(ends[b, 0], ends[b, 1]):
                large += p[classes[b, e]]
        masses[b, 0], masses[b, 1] = small, large


@njit(cache=True, nogil=True)
def _improve(p, r, w, classes, ends, masses, ratios):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Multiply every p[k] once by what machines say of it over what p says.

    ratios (2, n_classes) is work space.

    Of a column without zeros, what its larger side is told is told to all, and the difference to the smaller.
    """
    said, implied = ratios
    said[:] = 0.0
    implied[:] = 0.0
    common, everywhere = 0.0, 0.0
    _masses(p, classes, ends, masses)
    for b in range(r.size):
        first, second = w[b] * r[b] / masses[b, 0], w[b] * (1.0 - r[b]) / masses[b, 1]
        if ends[b, 1] == p.size:
            common += second
            everywhere += w[b]
            for e in range(ends[b, 0]):
                said[classes[b, e]] += first - second
            continue
        of_both = w[b] / (masses[b, 0] + masses[b, 1])
        for e in range(ends[b, 1]):
            said[classes[b, e]] += first if e < ends[b, 0] else second
            implied[classes[b, e]] += of_both
    total = 0.0
    for c in range(p.size):
        # A class of implied mass 0 meets no machine of positive weight: it stays.
        if implied[c] + everywhere > 0.0:
            p[c] = max(p[c] * (said[c] + common) / (implied[c] + everywhere), SMALLEST)
        total += p[c]
    for c in range(p.size):
        p[c] = max(p[c] / total, SMALLEST)


@njit(cache=True, nogil=True)
def _curvature(p, r, w, classes, ends, masses, slopes, hessian):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Fill slopes (n_classes,) and lower curvatures (n_classes, n_classes) of the objective in log p.

    With A and B the masses of a column's sides and T = A + B, its slopes in p are w (1 / T - r / A) on the
    first side, w (1 / T - (1 - r) / B) on the second; its curvatures w (r / A^2 - 1 / T^2) and
    w ((1 - r) / B^2 - 1 / T^2), and -w / T^2 from side to side. Without zeros, T = 1 and B = 1 - A: all is
    said by the first side's, w ((1 - r) / B - r / A) and w (r / A^2 + (1 - r) / B^2).
    """
    slopes[:] = 0.0
    hessian[:] = 0.0
    for b in range(r.size):
        A, B = masses[b, 0], masses[b, 1]
        first, second = w[b] * r[b] / A, w[b] * (1.0 - r[b]) / B
        full = ends[b, 1] == p.size
        # What is taken off all slopes and curvatures of the column.
        level, across = (second, -second / B) if full else (w[b] / (A + B), w[b] / (A + B) ** 2)
        for e in range(ends[b, 0] if full else ends[b, 1]):
            in_first = e < ends[b, 0]
            c = classes[b, e]
            slopes[c] += level - (first if in_first else second)
            bend = (first / A if in_first else second / B) - across
            for f in range(e + 1):
                d = classes[b, f]
                same = in_first or f >= ends[b, 0]
                hessian[max(c, d), min(c, d)] += bend if same else -across
    mean = 0.0
    for c in range(p.size):
        mean += p[c] * slopes[c]
    for c in range(p.size):
        slopes[c] = p[c] * (slopes[c] - mean)
        for d in range(c + 1):
            hessian[c, d] *= p[c] * p[d]
        # Where the distribution ends, this alone says how far to go; elsewhere it goes to 0.
        hessian[c, c] += max(slopes[c], 0.0) / LONGEST


@njit(cache=True, nogil=True)
def _move(p, step):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Return the distribution proportional to p exp(step), steps cut to LONGEST."""
    trial = np.empty(p.size)
    total = 0.0
    for c in range(p.size):
        trial[c] = p[c] * np.exp(min(max(step[c], -LONGEST), LONGEST))
        total += trial[c]
    for c in range(p.size):
        trial[c] = max(trial[c] / total, SMALLEST)
    return trial


@njit(cache=True, nogil=True)
def _step(p, slopes, hessian, damping, everyone):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Return Newton's damped step in log p that keeps the sum of p, and whether there is one."""
    U, definite = _factor(hessian, damping, everyone)
    if not definite:
        return slopes, False
    down, along = _substitute(U, slopes), _substitute(U, p)
    lost, gained = 0.0, 0.0
    for c in range(p.size):
        lost += p[c] * down[c]
        gained += p[c] * along[c]
    return lost / gained * along - down, True


@njit(cache=True, nogil=True)
def _polish(p, r, w, classes, ends, masses):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Bring p to a minimum by Newton's method in log p, damped; return it and its objective."""
    everyone = np.arange(p.size)
    slopes, hessian = np.empty(p.size), np.empty((p.size, p.size))
    weight = w.sum()
    _masses(p, classes, ends, masses)
    value = _divergence(r, w, masses)
    damping = DAMPING
    for _ in range(POLISHING_ROUNDS):
        _curvature(p, r, w, classes, ends, masses, slopes, hessian)
        if np.abs(slopes).max() <= TOLERANCE * weight:
            break
        scale = SMALLEST
        for c in range(p.size):
            scale = max(scale, hessian[c, c])
        while damping < 1e9:
            step, definite = _step(p, slopes, hessian, damping * scale, everyone)
            if definite:
                trial = _move(p, step)
                _masses(trial, classes, ends, masses)
                lower = _divergence(r, w, masses)
                if lower <= value + ROUNDING * weight:
                    p, value = trial, lower
                    break
            damping *= 10.0
        if damping >= 1e9:
            break
        damping = max(0.01 * damping, LEAST_DAMPING)
    return p, value


@njit(cache=True, nogil=True)
def _least_squares_start(p, r, M, H):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Mix p with the non-negative solution of p(P_j) = r_j, H (n_classes, n_classes) its Gram matrix."""
    onto = np.zeros(p.size)
    for c in range(p.size):
        for b in range(r.size):
            if M[c, b] > 0:
                onto[c] += r[b]
    x = _nonnegative(H, onto, RIDGE * r.size)
    total = x.sum()
    for c in range(p.size):
        p[c] = LIFT * p[c] + (1.0 - LIFT) * x[c] / total


@njit(cache=True, nogil=True)
def _couple(r, M, w):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - compiled
    """Run `couple` on clipped r (n_samples, n_bits), int8 M (n_classes, n_bits), w (n_bits,)."""
    n_samples, n_classes, n_bits = r.shape[0], M.shape[0], M.shape[1]
    classes, ends, signs = _sides(M)
    onto = (M > 0).astype(np.float64)
    H = onto @ onto.T
    masses, ratios = np.empty((n_bits, 2)), np.empty((2, n_classes))
    probabilities = np.empty((n_samples, n_classes))
    divergences = np.full(n_samples, np.inf)
    # Convex in p, or in log p: there is one minimum only.
    convex = (ends[:, 1] == n_classes).all() or (ends[:, 1] == 2).all()
    # Where many distributions are equally good, rounding must not choose between the starts.
    margin = TIE * w.sum()
    for i in range(n_samples):
        of_first = np.where(signs > 0, r[i], 1.0 - r[i])
        for start in range(1 if convex else 2):
            p = np.full(n_classes, 1.0 / n_classes)
            if start == 1:
                _least_squares_start(p, r[i], M, H)
            for _ in range(MULTIPLYING_ROUNDS):
                _improve(p, of_first, w, classes, ends, masses, ratios)
            p, value = _polish(p, of_first, w, classes, ends, masses)
            if value < divergences[i] - margin:
                divergences[i] = value
                probabilities[i] = p
    return probabilities, divergences
