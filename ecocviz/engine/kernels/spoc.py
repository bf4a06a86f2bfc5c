"""Ascent on the dual of the multiclass kernel machine, one example's coefficients at a time.

The dual of [Crammer2002]_ has one distribution over the classes for every example; a visit to an
example solves its share exactly, by a projection onto the simplex. Arrays are class-major,
(n_classes, n_samples), so that what a visit changes is contiguous.

Symbols: m -> n_samples, k -> n_classes, K -> gram, b -> required margins, eta -> distributions,
tau = one-hot(y) - eta, G = K tau / beta + b (class scores plus required margins), psi -> violation
of the optimality conditions, Q -> dual objective, P -> primal objective.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

RealArray: TypeAlias = npt.NDArray[Any]
"""Any precision, or whole numbers: whatever the compiled loop is called with."""

MANY_MAXIMA = 16
"""After so many maxima taken one by one a projection sorts what is left."""
INNER_REDUCTION = 0.1
"""A block is left when its largest violation has fallen to this share."""
INNER_SWEEPS = 200
"""Sweeps after which a block is left anyway."""


@njit(cache=True, nogil=True)
def project_simplex(point: RealArray, projection: RealArray) -> None:
    """Write the Euclidean projection of a point onto the probability simplex.

    Implements Eqs. 40-46 (Fig. 3) of [Crammer2002]_ in terms of eta = 1_y - tau: the largest
    entries are taken one after the other until the threshold passes the next one. Entries outside
    the support are exact zeros.

    Differs from the paper: nothing is sorted until many entries were taken, because optimal
    distributions have few classes in their support.

    Parameters
    ----------
    point : (k,)
        D of the paper; overwritten.
    projection : (k,)
        Result.
    """
    k = point.size
    for r in range(k):
        projection[r] = point[r]
    total = 0.0
    theta = -np.inf
    taken = 0
    while taken < k:
        if taken == MANY_MAXIMA:
            rest = np.sort(point)[::-1]
            for u in range(k - taken):
                if rest[u] <= theta:
                    break
                total += rest[u]
                theta = (total - 1.0) / (taken + u + 1)
            break
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
def _solve_example(g: RealArray, eta: RealArray, a: float, point: RealArray, fresh: RealArray) -> None:
    """Write the best distribution of one example, the others fixed, into `fresh`.

    Implements Eqs. 37-39 of [Crammer2002]_: eta <- Proj(eta + (g - max g) / a). Taking the maximum
    away changes nothing on paper and keeps the sum at one where a is tiny.
    """
    k = g.size
    top = 0
    for r in range(1, k):
        if g[r] > g[top]:
            top = r
    if a <= 0.0:  # a zero row of the Gram matrix: any unit vector at a largest entry is optimal
        for r in range(k):
            fresh[r] = 0.0
        fresh[top] = 1.0
        return
    for r in range(k):
        point[r] = eta[r] + (g[r] - g[top]) / a
    project_simplex(point, fresh)


@njit(cache=True, nogil=True)
def measure(y: RealArray, b: RealArray, eta: RealArray, G: RealArray, psi: RealArray) -> tuple[float, float]:
    """Write every example's violation; return the dual objective and the duality gap.

    gap = P - Q = sum_i (max_r G_ir - eta_i . G_i) and Q = -<tau, G - b> / 2 - <tau, b>, with
    -<tau, x>_i = eta_i . x_i - x_{i, y_i}.

    Parameters
    ----------
    y : (m,)
    b, eta, G : (k, m)
    psi : (m,)
        Result: max_r G_ir minus the least G_ir with eta_ir > 0.
    """
    k, m = G.shape
    top = np.full(m, -np.inf)
    mean = np.zeros(m)
    pledge = np.zeros(m)
    psi[:] = np.inf
    # Sums stay apart for each example until the end: such loops run several examples at once.
    for r in range(k):
        e, g, q = eta[r], G[r], b[r]
        for i in range(m):
            top[i] = max(top[i], g[i])
            psi[i] = min(psi[i], g[i] if e[i] > 0.0 else np.inf)
            mean[i] += e[i] * g[i]
            pledge[i] += e[i] * q[i]
    gap = 0.0
    dual = 0.0
    for i in range(m):
        psi[i] = top[i] - psi[i]
        gap += top[i] - mean[i]
        dual += 0.5 * (mean[i] + pledge[i] - G[y[i], i] - b[y[i], i])
    return dual, gap


@njit(cache=True, nogil=True)
def certificate(y: RealArray, b: RealArray, eta: RealArray, f: RealArray) -> tuple[float, float, float]:
    """Return primal objective, duality gap and largest violation of a feasible dual point.

    Sums are those of `measure`, but arrays are sample-major, (m, k), and f = G - b.
    """
    m, k = eta.shape
    primal = gap = violation = 0.0
    for i in range(m):
        top, low, mean, norm = -np.inf, np.inf, 0.0, f[i, y[i]]
        for r in range(k):
            e, g = eta[i, r], f[i, r] + b[i, r]
            top = max(top, g)
            if e > 0.0:
                low = min(low, g)
            mean += e * g
            norm -= e * f[i, r]
        primal += 0.5 * norm + top - (f[i, y[i]] + b[i, y[i]])
        gap += top - mean
        violation = max(violation, top - low)
    return primal, gap, violation


@njit(cache=True, nogil=True)
def _choose(psi: RealArray, members: RealArray, chosen: RealArray) -> int:
    """Fill the block: half with the worst violations of all, the rest with the worst former members.

    Former members matter: without them blocks forget each other's work.
    """
    m = psi.size
    size = members.size
    half = min(max(size // 2, 1), m)
    chosen[:] = False
    fresh = np.empty(size, dtype=np.int64)
    n = 0
    threshold = np.partition(psi, m - half)[m - half]
    for i in range(m):
        if psi[i] > threshold:
            fresh[n] = i
            chosen[i] = True
            n += 1
    for i in range(m):
        if n == half:
            break
        if psi[i] == threshold:
            fresh[n] = i
            chosen[i] = True
            n += 1
    former = members[members >= 0]
    for p in former[np.argsort(-psi[former])]:
        if n < size and not chosen[p] and psi[p] > 0.0:
            fresh[n] = p
            chosen[p] = True
            n += 1
    members[:n] = fresh[:n]
    members[n:] = -1
    return n


@njit(cache=True, nogil=True)
def _ascend_block(  # noqa: C901 - one compiled pass
    sub: RealArray, scaled: RealArray, g: RealArray, eta: RealArray
) -> int:
    """Sweep over a block until its largest violation has fallen; return the number of visits.

    Parameters
    ----------
    sub : (q, q)
        The block's kernel values over beta.
    scaled : (q,)
        Its diagonal.
    g, eta : (q, k)
        Changed in place.
    """
    q, k = g.shape
    point = np.empty(k)
    fresh = np.empty(k)
    first = -1.0
    last = 0.0
    visits = 0
    for _ in range(INNER_SWEEPS):
        worst = 0.0
        for p in range(q):
            top = -np.inf
            low = np.inf
            for r in range(k):
                top = max(top, g[p, r])
                if eta[p, r] > 0.0 and g[p, r] < low:
                    low = g[p, r]
            psi = top - low
            worst = max(worst, psi)
            if psi <= 0.5 * last or psi <= 0.0:
                continue
            _solve_example(g[p], eta[p], scaled[p], point, fresh)
            visits += 1
            for r in range(k):
                d = fresh[r] - eta[p, r]
                if d != 0.0:
                    eta[p, r] = fresh[r]
                    for j in range(q):
                        g[j, r] -= d * sub[p, j]
        if first < 0.0:
            first = worst
        elif worst <= INNER_REDUCTION * first:
            break
        last = worst
    return visits


@njit(cache=True, nogil=True)
def ascend_in_blocks(
    gram: RealArray,
    beta: float,
    y: RealArray,
    b: RealArray,
    eta: RealArray,
    G: RealArray,
    members: RealArray,
    tol: float,
    max_rounds: int,
    history: RealArray,
) -> tuple[int, int, float, float, float]:
    """Ascend with working sets until the gap is at most tol * P, or for a number of rounds.

    Choice: [Crammer2002]_ leaves the choice of examples and the stopping rule to another paper.
    Each round takes the block with the worst violations, improves it on its own small Gram matrix,
    and then tells all other examples at once. The dual objective never decreases.

    Parameters
    ----------
    gram : (m, m)
        In either precision; sums are kept in double precision.
    beta
        Weight of the regulariser.
    y : (m,)
    b, eta, G : (k, m)
        eta and G are changed in place and stay consistent.
    members : (q,)
        The last block, -1 where empty; changed in place.
    tol, max_rounds
        When to stop.
    history : (max_rounds + 1, 2)
        Result: dual objective and gap at the start of every round.

    Returns
    -------
    rounds, visits, dual, gap, worst
        `worst` is the largest violation.
    """
    k, m = G.shape
    psi = np.empty(m)
    chosen = np.zeros(m, dtype=np.bool_)
    visits = 0
    rounds = 0
    while True:
        dual, gap = measure(y, b, eta, G, psi)
        history[rounds, 0] = dual
        history[rounds, 1] = gap
        if gap <= tol * (dual + gap) or rounds == max_rounds:
            return rounds, visits, dual, gap, psi.max()
        q = _choose(psi, members, chosen)
        sub = np.empty((q, q))
        diagonal = np.empty(q)
        block_g = np.empty((q, k))
        block_eta = np.empty((q, k))
        for p in range(q):
            i = members[p]
            for j in range(q):
                sub[p, j] = gram[i, members[j]] / beta
            diagonal[p] = sub[p, p]
            for r in range(k):
                block_g[p, r] = G[r, i]
                block_eta[p, r] = eta[r, i]
        visits += _ascend_block(sub, diagonal, block_g, block_eta)
        for p in range(q):
            i = members[p]
            row = gram[i]
            for r in range(k):
                d = (block_eta[p, r] - eta[r, i]) / beta
                if d != 0.0:
                    eta[r, i] = block_eta[p, r]
                    column = G[r]
                    for j in range(m):
                        column[j] -= d * row[j]
        rounds += 1


@njit(cache=True, nogil=True)
def ascend_plainly(
    gram: RealArray,
    beta: float,
    y: RealArray,
    b: RealArray,
    eta: RealArray,
    G: RealArray,
    tol: float,
    max_rounds: int,
    history: RealArray,
) -> tuple[int, int, float, float, float]:
    """Visit the example with the worst violation, round by round: Fig. 4 of [Crammer2002]_.

    Parameters and result are those of `ascend_in_blocks`, except that b, eta, G are sample-major,
    (m, k), and that there is no block.
    """
    m, k = G.shape
    point = np.empty(k)
    fresh = np.empty(k)
    step = np.zeros(k)
    p = 0
    rounds = 0
    while True:
        worst = -1.0
        gap = 0.0
        dual = 0.0
        q = p
        for i in range(m):
            pull = gram[q, i] / beta
            top = -np.inf
            low = np.inf
            for r in range(k):
                if step[r] != 0.0:
                    G[i, r] -= pull * step[r]
                g = G[i, r]
                top = max(top, g)
                e = eta[i, r]
                if e > 0.0:
                    gap -= e * g
                    dual += 0.5 * e * (g + b[i, r])
                    low = min(low, g)
            gap += top
            dual -= 0.5 * (G[i, y[i]] + b[i, y[i]])
            if top - low > worst:
                worst = top - low
                p = i
        history[rounds, 0] = dual
        history[rounds, 1] = gap
        if gap <= tol * (dual + gap) or rounds == max_rounds:
            return rounds, rounds, dual, gap, worst
        _solve_example(G[p], eta[p], gram[p, p] / beta, point, fresh)
        for r in range(k):
            step[r] = fresh[r] - eta[p, r]
            eta[p, r] = fresh[r]
        rounds += 1


@njit(cache=True, nogil=True)
def expand_taus(gram: RealArray, taus: RealArray, expansions: RealArray) -> None:
    """Add K tau, row by row of the Gram matrix, skipping zeros: few classes share an example.

    Parameters
    ----------
    gram : (m, m)
        In either precision; sums are kept in double precision.
    taus : (m, k)
    expansions : (k, m)
        Changed in place.
    """
    m, k = taus.shape
    for i in range(m):
        row = gram[i]
        for r in range(k):
            tau = taus[i, r]
            if tau != 0.0:
                column = expansions[r]
                for j in range(m):
                    column[j] += tau * row[j]
