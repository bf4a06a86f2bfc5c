"""The l2 program of code design for linear closeness, where a code is small: no Gram matrix.

Two ways: ascent on the dual that keeps the code instead of all class scores, and the pieces of a
primal-dual interior point method whose unknowns are the entries of the code.

Symbols: m -> n_samples, k -> n_classes, l -> n_bits, H -> scores, M -> code, b -> required margins,
eta -> distributions, G = H M^T + b, psi -> violation of the optimality conditions.

In the ascent, which visits one example after the other, examples are rows: H (m, l), eta (m, k). In the
interior point method they are columns, H (l, m), eta (k, m), so that loops over all of them are vectorised.
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
        best = np.argmax(point)
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


@njit(cache=True, nogil=True, error_model="numpy")
def certify_code(
    H: RealArray, y: RealArray, b: RealArray, S: RealArray, beta: float, eta: RealArray, M: RealArray
) -> tuple[float, float]:
    """Write the code that the normalised distributions stand for; return its objective and gap.

    Parameters
    ----------
    H : (l, m)
    y : (m,)
    b, eta : (k, m)
        Columns of eta need not sum to one.
    S : (k, l)
        Sums of the scores of each class.
    M : (k, l)
        Result: (S - eta H) / beta, Eq. 19.
    """
    k, m = eta.shape
    share = eta / eta.sum(axis=0)
    M[:] = (S - np.dot(share, H.T)) / beta
    f = np.dot(M, H)
    top, mean = np.full(m, -np.inf), np.zeros(m)
    for r in range(k):
        for i in range(m):
            g = f[r, i] + b[r, i]
            top[i] = max(top[i], g)
            mean[i] += share[r, i] * g
    loss = 0.0
    for i in range(m):
        loss += top[i] - f[y[i], i]
    return 0.5 * beta * (M * M).sum() + loss, (top - mean).sum()


@njit(cache=True, nogil=True, error_model="numpy")
def newton_matrix(H: RealArray, w: RealArray, beta: float) -> RealArray:  # noqa: C901 - one compiled pass
    """Return the Cholesky factor of the Newton system of the code's entries, (k l, k l).

    The matrix is beta I + sum_i L_i (x) h_i h_i^T with L_i = diag(w_i) - w_i w_i^T / W_i. Diagonal
    blocks are minus the sum of their row's other blocks: the difference itself cancels where a
    weight dominates, and the factorisation fails. Shifting all codewords alike changes no decision;
    a multiple of the shift's projector fixes it.

    Parameters
    ----------
    H : (l, m)
    w : (k, m)
        eta / s, positive.
    beta
        Weight of the regulariser.
    """
    k, m = w.shape
    n_bits = H.shape[0]
    matrix = np.zeros((k * n_bits, k * n_bits))
    weighted = np.empty((n_bits, m))
    totals = w.sum(axis=0)
    for r in range(k):
        for q in range(r + 1, k):
            c = w[r] * (w[q] / totals)
            for t in range(n_bits):
                for i in range(m):
                    weighted[t, i] = c[i] * H[t, i]
            block = np.dot(weighted, H.T)
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

    `totals` is one over the sums of w over the classes, `inverse` one over the slacks.
    """
    k, m = w.shape
    total = -r_sum
    pull = np.empty((k, m))
    for r in range(k):
        for i in range(m):
            q = r_pair[r, i] * inverse[r, i] - w[r, i] * r_slack[r, i]
            d_eta[r, i] = q
            total[i] += q
    mean = total * totals
    for r in range(k):
        for i in range(m):
            pull[r, i] = d_eta[r, i] - w[r, i] * mean[i]
    x = (r_code - np.dot(pull, H.T)).ravel()
    _back_substitute(factor, x)
    d_code[:] = x.reshape(d_code.shape)
    f = np.dot(d_code, H)
    for r in range(k):
        for i in range(m):
            total[i] += w[r, i] * f[r, i]
    d_z[:] = total * totals
    for r in range(k):
        for i in range(m):
            d = d_z[i] - f[r, i]
            d_s[r, i] = d + r_slack[r, i]
            d_eta[r, i] -= w[r, i] * d


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"nnan", "nsz", "reassoc"})
def _longest_step(w: RealArray, inverse: RealArray, d_eta: RealArray, d_s: RealArray) -> float:
    """Return the largest step up to 1 / BOUNDARY that keeps both positive; d eta / eta is d eta / (w s)."""
    steepest = BOUNDARY
    k, m = w.shape
    for r in range(k):
        for i in range(m):
            steepest = max(steepest, -d_s[r, i] * inverse[r, i])
            steepest = max(steepest, -d_eta[r, i] * inverse[r, i] / w[r, i])
    return 1.0 / steepest


@njit(cache=True, nogil=True, error_model="numpy")
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
    H : (l, m)
    b : (k, m)
    S : (k, l)
    M, z, s, eta : (k, l), (m,), (k, m), (k, m)
        Changed in place; s and eta stay positive.
    """
    k, m = eta.shape
    f = np.dot(M, H)
    inverse, w = np.empty((k, m)), np.empty((k, m))
    r_slack, r_pair = np.empty((k, m)), np.empty((k, m))
    for r in range(k):
        for i in range(m):
            inverse[r, i] = 1.0 / s[r, i]
            w[r, i] = eta[r, i] * inverse[r, i]
            r_slack[r, i] = z[i] - f[r, i] - b[r, i] - s[r, i]
            r_pair[r, i] = -eta[r, i] * s[r, i]
    r_code = S - beta * M - np.dot(eta, H.T)
    r_sum = 1.0 - eta.sum(axis=0)
    totals = 1.0 / w.sum(axis=0)
    mu = -r_pair.sum() / (m * k)
    factor = newton_matrix(H, w, beta)
    d_eta, d_s = np.empty((k, m)), np.empty((k, m))
    d_code, d_z = np.empty(M.shape), np.empty(m)
    _direction(H, factor, w, totals, inverse, r_code, r_sum, r_slack, r_pair, d_eta, d_s, d_code, d_z)
    step = min(_longest_step(w, inverse, d_eta, d_s), 1.0)
    ahead = ((eta + step * d_eta) * (s + step * d_s)).sum()
    r_pair += mu * (ahead / (m * k * mu)) ** 3 - d_eta * d_s
    _direction(H, factor, w, totals, inverse, r_code, r_sum, r_slack, r_pair, d_eta, d_s, d_code, d_z)
    step = BOUNDARY * _longest_step(w, inverse, d_eta, d_s)
    M += step * d_code
    z += step * d_z
    s += step * d_s
    eta += step * d_eta
