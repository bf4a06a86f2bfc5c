"""The l2 program of code design for linear closeness, where a code is small: no Gram matrix.

Two ways: ascent on the dual that keeps the code instead of all class scores, and the pieces of a
primal-dual interior point method whose unknowns are the entries of the code.

Symbols: m -> n_samples, k -> n_classes, l -> n_bits, H -> scores, M -> code, b -> required margins,
eta -> distributions, G = H M^T + b, psi -> violation of the optimality conditions.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

RealArray: TypeAlias = npt.NDArray[Any]
"""Any precision, or whole numbers: whatever the compiled loop is called with."""

BOUNDARY = 0.995
"""Share of the way to the boundary that an interior point step goes."""


@njit(cache=True, nogil=True)
def _project(point: RealArray, projection: RealArray) -> None:
    """Write the projection of a point onto the probability simplex; as in the kernel for Gram matrices."""
    k = point.size
    total = 0.0
    theta = -np.inf
    taken = 0
    projection[:] = point
    while taken < k:
        best = 0
        for r in range(1, k):
            if point[r] > point[best]:
                best = r
        if point[best] <= theta:
            break
        total += point[best]
        taken += 1
        theta = (total - 1.0) / taken
        point[best] = -np.inf
    for r in range(k):
        projection[r] = max(projection[r] - theta, 0.0)


@njit(cache=True, nogil=True)
def ascend_on_code(  # noqa: C901, PLR0912 - one compiled pass
    H: RealArray,
    squares: RealArray,
    beta: float,
    b: RealArray,
    eta: RealArray,
    M: RealArray,
    order: RealArray,
    floor: float,
) -> tuple[float, int]:
    """Visit examples in a given order, solving each one's share exactly; return the worst violation.

    M = tau^T H / beta is kept instead of the class scores, so a visit costs O(k l) whatever m is.
    Returns also how many examples are left worth a visit: they are moved to the front of `order`,
    and the others have all their weight on one class that leads by more than `floor`.

    Parameters
    ----------
    H : (m, l)
    squares : (m,)
        |h_i|^2.
    beta
        Weight of the regulariser.
    b, eta : (m, k)
        eta is changed in place.
    M : (k, l)
        Changed in place.
    order : (n,)
        Examples to visit; the ones to keep come first afterwards.
    floor
        The last sweep's worst violation; infinite drops nothing.
    """
    k, n_bits = M.shape
    g = np.empty(k)
    point = np.empty(k)
    fresh = np.empty(k)
    worst = 0.0
    kept = 0
    for position in range(order.size):
        p = order[position]
        top, low, second = -np.inf, np.inf, -np.inf
        for r in range(k):
            total = b[p, r]
            for t in range(n_bits):
                total += M[r, t] * H[p, t]
            g[r] = total
            if total > top:
                second = top
                top = total
            elif total > second:
                second = total
            if eta[p, r] > 0.0 and total < low:
                low = total
        psi = top - low
        if psi <= 0.0 and top - second > floor:
            continue
        order[kept], order[position] = p, order[kept]
        kept += 1
        worst = max(worst, psi)
        if psi <= 0.0:
            continue
        if squares[p] > 0.0:
            for r in range(k):
                point[r] = eta[p, r] + (g[r] - top) * (beta / squares[p])
            _project(point, fresh)
        else:  # no code changes this example's scores: any class of largest b is optimal
            fresh[:] = 0.0
            fresh[np.argmax(g)] = 1.0
        for r in range(k):
            d = fresh[r] - eta[p, r]
            if d != 0.0:
                eta[p, r] = fresh[r]
                for t in range(n_bits):
                    M[r, t] -= d / beta * H[p, t]
    return worst, kept


@njit(cache=True, nogil=True)
def certify_code(
    H: RealArray, y: RealArray, b: RealArray, S: RealArray, beta: float, eta: RealArray, M: RealArray
) -> tuple[float, float]:
    """Write the code that the row-normalised distributions stand for; return its objective and gap.

    Parameters
    ----------
    H : (m, l)
    y : (m,)
    b, eta : (m, k)
        Rows of eta are positive and need not sum to one.
    S : (k, l)
        Sums of the scores of each class.
    M : (k, l)
        Result: (S - eta^T H) / beta, Eq. 19.
    """
    m, k = eta.shape
    share = np.empty((m, k))
    for i in range(m):
        total = eta[i].sum()
        for r in range(k):
            share[i, r] = eta[i, r] / total
    M[:] = (S - np.dot(share.T, H)) / beta
    f = np.dot(H, M.T)
    loss = 0.0
    gap = 0.0
    for i in range(m):
        top = -np.inf
        mean = 0.0
        for r in range(k):
            g = f[i, r] + b[i, r]
            top = max(top, g)
            mean += share[i, r] * g
        gap += top - mean
        loss += top - f[i, y[i]]
    return 0.5 * beta * (M * M).sum() + loss, gap


@njit(cache=True, nogil=True)
def newton_matrix(H: RealArray, w: RealArray, beta: float) -> RealArray:  # noqa: C901 - one compiled pass
    """Return the Cholesky factor of the Newton system of the code's entries, (k l, k l).

    The matrix is beta I + sum_i L_i (x) h_i h_i^T with L_i = diag(w_i) - w_i w_i^T / W_i. Diagonal
    blocks are minus the sum of their row's other blocks: the difference itself cancels where a
    weight dominates, and the factorisation fails. Shifting all codewords alike changes no decision;
    a multiple of the shift's projector fixes it.

    Parameters
    ----------
    H : (m, l)
    w : (m, k)
        eta / s, positive.
    beta
        Weight of the regulariser.
    """
    m, k = w.shape
    n_bits = H.shape[1]
    matrix = np.zeros((k * n_bits, k * n_bits))
    weighted = np.empty((m, n_bits))
    totals = np.empty(m)
    for i in range(m):
        totals[i] = w[i].sum()
    for r in range(k):
        for q in range(r + 1, k):
            for i in range(m):
                c = w[i, r] * (w[i, q] / totals[i])
                for t in range(n_bits):
                    weighted[i, t] = c * H[i, t]
            block = np.dot(weighted.T, H)
            for t in range(n_bits):
                for u in range(n_bits):
                    matrix[q * n_bits + t, r * n_bits + u] = -block[t, u]
                    matrix[r * n_bits + t, r * n_bits + u] += block[t, u]
                    matrix[q * n_bits + t, q * n_bits + u] += block[t, u]
    gauge = beta
    for j in range(k * n_bits):
        gauge += matrix[j, j] / (k * n_bits)
        matrix[j, j] += beta
    for r in range(k):
        for q in range(r + 1):
            for t in range(n_bits):
                matrix[r * n_bits + t, q * n_bits + t] += gauge / k
    return np.linalg.cholesky(matrix)


@njit(cache=True, nogil=True)
def _back_substitute(factor: RealArray, x: RealArray) -> None:
    """Solve factor factor^T x = x in place, (n,)."""
    n = x.size
    for j in range(n):
        x[j] = (x[j] - np.dot(factor[j, :j], x[:j])) / factor[j, j]
    for j in range(n - 1, -1, -1):
        x[j] /= factor[j, j]
        x[:j] -= x[j] * factor[j, :j]


@njit(cache=True, nogil=True)
def _direction(
    H: RealArray,
    factor: RealArray,
    w: RealArray,
    totals: RealArray,
    inverse: RealArray,
    r_code: RealArray,
    r_sum: RealArray,
    r_slack: RealArray,
    r_pair: RealArray,
    d_eta: RealArray,
    d_s: RealArray,
    d_code: RealArray,
    d_z: RealArray,
) -> None:
    """Write the Newton direction for given residuals; all other unknowns follow from the code's.

    `totals` is one over the rows' sums of w, `inverse` one over the slacks.
    """
    m, k = w.shape
    pull = np.empty((m, k))
    for i in range(m):
        total = -r_sum[i]
        for r in range(k):
            q = r_pair[i, r] * inverse[i, r] - w[i, r] * r_slack[i, r]
            d_eta[i, r] = q
            total += q
        d_z[i] = total
        total *= totals[i]
        for r in range(k):
            pull[i, r] = d_eta[i, r] - w[i, r] * total
    x = (r_code - np.dot(pull.T, H)).ravel()
    _back_substitute(factor, x)
    d_code[:] = x.reshape(d_code.shape)
    f = np.dot(H, d_code.T)
    for i in range(m):
        total = d_z[i]
        for r in range(k):
            total += w[i, r] * f[i, r]
        total *= totals[i]
        d_z[i] = total
        for r in range(k):
            d = total - f[i, r]
            d_s[i, r] = d + r_slack[i, r]
            d_eta[i, r] -= w[i, r] * d


@njit(cache=True, nogil=True)
def _longest_step(w: RealArray, inverse: RealArray, d_eta: RealArray, d_s: RealArray) -> float:
    """Return the largest step up to 1 / BOUNDARY that keeps both positive; d eta / eta is d eta / (w s)."""
    steepest = BOUNDARY
    m, k = w.shape
    for i in range(m):
        for r in range(k):
            steepest = max(steepest, -d_s[i, r] * inverse[i, r])
            if d_eta[i, r] < 0.0:
                steepest = max(steepest, -d_eta[i, r] * inverse[i, r] / w[i, r])
    return 1.0 / steepest


@njit(cache=True, nogil=True)
def interior_step(
    H: RealArray,
    b: RealArray,
    S: RealArray,
    beta: float,
    M: RealArray,
    z: RealArray,
    s: RealArray,
    eta: RealArray,
) -> None:
    """Take one predictor-corrector step towards the optimum of the z-form of the l2 program.

    min beta |M|^2 / 2 + sum z - <S, M>  subject to  s_ir = z_i - h_i . M_r - b_ir >= 0, with
    multipliers eta. One step length for all variables keeps what is feasible feasible.

    Parameters
    ----------
    H : (m, l)
    b : (m, k)
    S : (k, l)
    M, z, s, eta : (k, l), (m,), (m, k), (m, k)
        Changed in place; s and eta stay positive.
    """
    m, k = eta.shape
    f = np.dot(H, M.T)
    r_code = S - beta * M - np.dot(eta.T, H)
    r_sum = np.empty(m)
    r_slack = np.empty((m, k))
    r_pair = np.empty((m, k))
    w = np.empty((m, k))
    inverse = np.empty((m, k))
    totals = np.empty(m)
    mu = 0.0
    for i in range(m):
        share = 0.0
        weight = 0.0
        for r in range(k):
            inverse[i, r] = 1.0 / s[i, r]
            r_slack[i, r] = z[i] - f[i, r] - b[i, r] - s[i, r]
            r_pair[i, r] = -eta[i, r] * s[i, r]
            w[i, r] = eta[i, r] * inverse[i, r]
            share += eta[i, r]
            weight += w[i, r]
            mu -= r_pair[i, r]
        r_sum[i] = 1.0 - share
        totals[i] = 1.0 / weight
    mu /= m * k
    factor = newton_matrix(H, w, beta)
    d_eta, d_s = np.empty((m, k)), np.empty((m, k))
    d_code, d_z = np.empty(M.shape), np.empty(m)
    _direction(H, factor, w, totals, inverse, r_code, r_sum, r_slack, r_pair, d_eta, d_s, d_code, d_z)
    step = min(_longest_step(w, inverse, d_eta, d_s), 1.0)
    ahead = 0.0
    for i in range(m):
        for r in range(k):
            ahead += (eta[i, r] + step * d_eta[i, r]) * (s[i, r] + step * d_s[i, r])
    target = mu * (ahead / (m * k * mu)) ** 3
    for i in range(m):
        for r in range(k):
            r_pair[i, r] += target - d_eta[i, r] * d_s[i, r]
    _direction(H, factor, w, totals, inverse, r_code, r_sum, r_slack, r_pair, d_eta, d_s, d_code, d_z)
    step = BOUNDARY * _longest_step(w, inverse, d_eta, d_s)
    M += step * d_code
    z += step * d_z
    s += step * d_s
    eta += step * d_eta
