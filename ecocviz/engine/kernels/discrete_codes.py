"""Searching dense codes and columns for machines whose bits are known.

Symbols: H -> distinct bit patterns (P, l), N -> points of each class with each pattern (P, k), M ->
code (k, l), F -> scores of the classes for each pattern (P, k), S -> scores of all 2^l codewords
(P, 2^l). The hits of a code are the sum over patterns of the mean of N over the classes of highest
score: the expected number of right answers if ties are broken at random.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from ecocviz.engine.types import Bits, CodeMatrix, FloatArray, IntArray


@njit(cache=True, nogil=True)
def count_hits(F: IntArray, N: FloatArray) -> float:
    """Return the hits of scores (P, k)."""
    total = 0.0
    for p in range(F.shape[0]):
        top, won, n_won = F[p, 0], N[p, 0], 1
        for r in range(1, F.shape[1]):
            if F[p, r] > top:
                top, won, n_won = F[p, r], N[p, r], 1
            elif F[p, r] == top:
                won += N[p, r]
                n_won += 1
        total += won / n_won
    return total


@njit(cache=True, nogil=True)
def column_hits(F: IntArray, h: IntArray, N: FloatArray) -> FloatArray:
    """Return the hits of every column that may be added, (2^k,).

    Bit r of a column's number says whether class r is on the + side.

    Parameters
    ----------
    F : (P, k)
        Scores by the columns so far.
    h : (P,)
        Bits of the new machine.
    """
    k = F.shape[1]
    values = np.empty(1 << k)
    F = F.copy()
    for p in range(F.shape[0]):
        F[p] -= h[p]  # all classes on the - side
    values[0] = count_hits(F, N)
    previous = 0
    for number in range(1, 1 << k):
        gray = number ^ (number >> 1)
        r = 0
        while not (gray ^ previous) >> r & 1:
            r += 1
        turn = 2 if gray >> r & 1 else -2
        for p in range(F.shape[0]):
            F[p, r] += turn * h[p]
        previous = gray
        values[gray] = count_hits(F, N)
    return values


@njit(cache=True, nogil=True)
def climb_column(F: IntArray, h: IntArray, N: FloatArray, u: CodeMatrix) -> tuple[CodeMatrix, float]:
    """Flip single entries of a column (k,) while that gains hits and leaves both sides taken."""
    k = F.shape[1]
    u = u.copy()
    F = F.copy()
    for p in range(F.shape[0]):
        for r in range(k):
            F[p, r] += h[p] * u[r]
    best = count_hits(F, N)
    moved = True
    while moved:
        moved = False
        for r in range(k):
            n_same = 0
            for s in range(k):
                n_same += u[s] == u[r]
            if n_same == 1:
                continue
            F[:, r] -= 2 * u[r] * h
            value = count_hits(F, N)
            if value > best + 1e-9:
                best, moved = value, True
                u[r] = -u[r]
            else:
                F[:, r] += 2 * u[r] * h
    return u, best


@njit(cache=True, nogil=True)
def flip_entries(H: Bits, N: FloatArray, M: CodeMatrix, F: IntArray, r: int, best: float) -> float:
    """Flip single entries of row r of a code (k, l) where that gains hits; return the hits.

    M and its scores F (P, k) are changed; `best` is their number of hits before.
    """
    for t in range(M.shape[1]):
        for p in range(F.shape[0]):
            F[p, r] -= 2 * M[r, t] * H[p, t]
        value = count_hits(F, N)
        if value > best + 1e-9:
            best = value
            M[r, t] = -M[r, t]
        else:
            for p in range(F.shape[0]):
                F[p, r] += 2 * M[r, t] * H[p, t]
    return best


@njit(cache=True, nogil=True)
def replace_row(S: IntArray, N: FloatArray, rows: IntArray, F: IntArray, r: int, best: float) -> float:
    """Give row r another codeword (a number below 2^l) where that gains hits; return the hits.

    The codeword numbers `rows` (k,) and their scores F (P, k) are changed; `best` is their number of
    hits before.
    """
    for word in range(S.shape[1]):
        F[:, r] = S[:, word]
        value = count_hits(F, N)
        if value > best + 1e-9:
            best = value
            rows[r] = word
    F[:, r] = S[:, rows[r]]
    return best


@njit(cache=True, nogil=True)
def try_all(S: IntArray, N: FloatArray) -> tuple[IntArray, float]:
    """Return the rows (k,) of a best code among all 2^(k l), and its hits."""
    P, n_words = S.shape
    k = N.shape[1]
    rows = np.zeros(k, dtype=np.int64)
    F = np.empty((P, k), dtype=np.int64)
    for r in range(k):
        F[:, r] = S[:, 0]
    best_rows = rows.copy()
    best = count_hits(F, N)
    while True:
        r = 0
        while r < k and rows[r] == n_words - 1:
            rows[r] = 0
            F[:, r] = S[:, 0]
            r += 1
        if r == k:
            return best_rows, best
        rows[r] += 1
        F[:, r] = S[:, rows[r]]
        value = count_hits(F, N)
        if value > best + 1e-9:
            best = value
            best_rows = rows.copy()


@njit(cache=True, nogil=True)
def _place(
    S: IntArray, N: FloatArray, word: int, r: int, before: FloatArray, after: FloatArray, rest: FloatArray
) -> float:
    """Give class r a codeword: update (highest score, hits, winners) of each pattern, return the bound.

    Parameters
    ----------
    before, after : (P, 3)
        States without and with the row; `after` is written.
    rest : (P,)
        Largest N among the classes that have no codeword yet.
    """
    bound = 0.0
    for p in range(S.shape[0]):
        score = S[p, word]
        after[p, 0], after[p, 1], after[p, 2] = before[p, 0], before[p, 1], before[p, 2]
        if score > before[p, 0]:
            after[p, 0], after[p, 1], after[p, 2] = score, N[p, r], 1.0
        elif score == before[p, 0]:
            after[p, 1] += N[p, r]
            after[p, 2] += 1.0
        bound += max(after[p, 1] / after[p, 2], rest[p])
    return bound


class Search(NamedTuple):
    """Where branch and bound stands; all arrays are changed as it goes on.

    Attributes
    ----------
    order : (k,)
        Classes, those with most points first: the one at a depth gets its codeword there.
    rest : (k, P)
        Largest N among the classes below each depth.
    states : (k + 1, P, 3)
        Highest score, hits and winners of each pattern above each depth.
    queues : (k, 2^l)
        Codewords in the order in which they are tried at each depth.
    bounds : (k, 2^l)
        What each of them can still reach.
    at : (k,)
        How many of them were tried.
    words : (k,)
        The codeword that is tried.
    rows : (k,)
        The best code so far: codeword numbers, by class.
    best : (1,)
        Its hits.
    place : (3,)
        Depth, whether it is opened, number of partial codes that were looked at.
    """

    order: IntArray
    rest: FloatArray
    states: FloatArray
    queues: IntArray
    bounds: FloatArray
    at: IntArray
    words: IntArray
    rows: IntArray
    best: FloatArray
    place: IntArray


def open_search(S: IntArray, N: FloatArray, rows: IntArray, best: float) -> Search:
    """Begin a search from the codeword numbers (k,) of a good code and its hits."""
    n_patterns, n_words = S.shape
    k = N.shape[1]
    order = np.argsort(-N.sum(axis=0))
    rest = np.zeros((k, n_patterns))
    for depth in range(k - 2, -1, -1):
        rest[depth] = np.maximum(rest[depth + 1], N[:, order[depth + 1]])
    states = np.zeros((k + 1, n_patterns, 3))
    states[0, :, 0] = -np.inf
    return Search(
        order=order,
        rest=rest,
        states=states,
        queues=np.zeros((k, n_words), dtype=np.int64),
        bounds=np.full((k, n_words), -1.0),
        at=np.zeros(k, dtype=np.int64),
        words=np.zeros(k, dtype=np.int64),
        rows=rows.copy(),
        best=np.array([best], dtype=np.float64),
        place=np.zeros(3, dtype=np.int64),
    )


@njit(cache=True, nogil=True)
def branch_and_bound(S: IntArray, N: FloatArray, search: Search, max_nodes: int) -> tuple[bool, int]:
    """Search all codes row by row, leaving out what cannot beat the best code so far.

    Classes get their codewords in order of decreasing size. What a partial code can still reach is at
    most the sum over patterns of the larger of the mean of N over the classes that lead so far, and the
    largest N among the classes to come: a later row loses, ties (a mean) or takes over.

    Parameters
    ----------
    search
        Goes on from where it stands.
    max_nodes
        The search pauses when it has looked at so many partial codes in all.

    Returns
    -------
    ended
        Whether nothing is left to look at.
    n_nodes
    """
    order, rest, states, queues, bounds, at, words, rows, best, place = search
    n_words, k = S.shape[1], N.shape[1]
    depth, opened, n_nodes = place
    while depth >= 0 and n_nodes < max_nodes:
        if not opened:
            for word in range(n_words):
                bounds[depth, word] = _place(
                    S, N, word, order[depth], states[depth], states[depth + 1], rest[depth]
                )
            queues[depth] = np.argsort(-bounds[depth])
            at[depth] = 0
            n_nodes += n_words
            opened = 1
        if at[depth] == n_words or bounds[depth, queues[depth, at[depth]]] <= best[0] + 1e-9:
            depth -= 1  # children come in order of their bounds: all others are no better
            continue
        words[depth] = queues[depth, at[depth]]
        at[depth] += 1
        if depth == k - 1:
            best[0] = bounds[depth, words[depth]]
            for level in range(k):
                rows[order[level]] = words[level]
            continue
        _place(S, N, words[depth], order[depth], states[depth], states[depth + 1], rest[depth])
        depth += 1
        opened = 0
    place[0], place[1], place[2] = depth, opened, n_nodes
    return depth < 0, n_nodes
