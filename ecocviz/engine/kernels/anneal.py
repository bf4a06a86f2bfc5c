"""Simulated annealing of a dense code: flip single entries so that the closest rows move apart.

Symbols: M -> code matrix (K, L) in {-1, +1}, D -> row distances (K, K), G -> inner products of
columns (L, L), S -> column sums (L,), H -> number of row pairs at each distance (L + 1,), W -> energy
of a pair at each distance (L + 1,).
"""

import numpy as np
from numba import njit

from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray


@njit(cache=True, nogil=True)
def anneal(M: CodeMatrix, cells: IntArray, chances: FloatArray, hot: float, cold: float) -> CodeMatrix:
    """Flip entries one by one and return the best code met, by (minimum, mean) row distance.

    The energy is the sum over row pairs of 2^(L/2 - distance), so that the closest pairs weigh most.
    A flip that would make a column constant, equal to another or its complement is refused; one that
    raises the energy by E is taken with probability exp(-E / T), T falling geometrically from hot to
    cold.

    Parameters
    ----------
    M : (n_classes, n_bits)
        A legal dense code to start from; not changed.
    cells : (n_moves,)
        Which entry to try at each move, as row * n_bits + column.
    chances : (n_moves,)
        Uniform draws in [0, 1).

    Returns
    -------
    code_matrix : (n_classes, n_bits)
        At least as good as the start.
    """
    L = M.shape[1]
    M = M.copy()
    D, G, S, H = _measure(M)
    W = 2.0 ** (L / 2 - np.arange(L + 1))
    best = M.copy()
    best_low = _lowest(H)
    total = D.sum()
    best_total = total
    cooling = (cold / hot) ** (1.0 / max(1, cells.size))
    T = hot
    for i in range(cells.size):
        T *= cooling
        c, b = cells[i] // L, cells[i] % L
        if not _is_legal(M, G, S, c, b):
            continue
        rise = _rise(M, D, W, c, b)
        if rise > 0 and chances[i] >= np.exp(-rise / T):
            continue
        total += _flip(M, D, G, S, H, c, b)
        low = _lowest(H)
        if low > best_low or (low == best_low and total > best_total):
            best[:] = M
            best_low = low
            best_total = total
    return best


@njit(cache=True, nogil=True)
def _measure(M: CodeMatrix) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Compute D, G, S and H from the start."""
    K, L = M.shape
    D = np.zeros((K, K), dtype=np.int64)
    G = np.zeros((L, L), dtype=np.int64)
    S = np.zeros(L, dtype=np.int64)
    H = np.zeros(L + 1, dtype=np.int64)
    for c in range(K):
        for b in range(L):
            S[b] += M[c, b]
            for e in range(L):
                G[b, e] += M[c, b] * M[c, e]
            for q in range(K):
                D[c, q] += M[c, b] != M[q, b]
        for q in range(c):
            H[D[c, q]] += 1
    return D, G, S, H


@njit(cache=True, nogil=True)
def _lowest(H: IntArray) -> int:
    """Return the smallest distance that a pair has."""
    low = 0
    while H[low] == 0:
        low += 1
    return low


@njit(cache=True, nogil=True)
def _is_legal(M: CodeMatrix, G: IntArray, S: IntArray, c: int, b: int) -> bool:
    """Tell whether column b stays two-sided and unlike all others when entry (c, b) is flipped."""
    K, L = M.shape
    sign = M[c, b]
    if abs(S[b] - 2 * sign) == K:
        return False
    for e in range(L):  # noqa: SIM110 - any() of a generator does not compile
        if e != b and abs(G[b, e] - 2 * sign * M[c, e]) == K:
            return False
    return True


@njit(cache=True, nogil=True)
def _rise(M: CodeMatrix, D: IntArray, W: FloatArray, c: int, b: int) -> float:
    """Compute by how much flipping entry (c, b) raises the energy."""
    rise = 0.0
    for q in range(M.shape[0]):
        if q != c:
            rise += W[D[c, q] + M[c, b] * M[q, b]] - W[D[c, q]]
    return rise


@njit(cache=True, nogil=True)
def _flip(M: CodeMatrix, D: IntArray, G: IntArray, S: IntArray, H: IntArray, c: int, b: int) -> int:
    """Flip entry (c, b) in place and return the change of the sum of D."""
    K, L = M.shape
    sign = M[c, b]
    change = 0
    for q in range(K):
        if q != c:
            H[D[c, q]] -= 1
            D[c, q] += sign * M[q, b]
            D[q, c] = D[c, q]
            H[D[c, q]] += 1
            change += 2 * sign * M[q, b]
    for e in range(L):
        if e != b:
            G[b, e] -= 2 * sign * M[c, e]
            G[e, b] = G[b, e]
    S[b] -= 2 * sign
    M[c, b] = -sign
    return change
