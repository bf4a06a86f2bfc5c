"""Drawing random codes without unusable columns, and keeping the best of many draws."""

import math

import numpy as np

from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray

MAX_WORK = 500_000_000
"""Multiplications spent on comparing draws, at most: seconds, not minutes, for very many classes."""


def fewest_bits(n_classes: int) -> int:
    """Count the bits below which no two-valued code can tell the classes apart: ceil(log2 K).

    >>> [fewest_bits(n_classes) for n_classes in (2, 3, 4, 5, 8, 9)]
    [1, 2, 2, 3, 3, 4]
    """
    return (n_classes - 1).bit_length()


def best_random_code(
    n_classes: int,
    n_bits: int,
    *,
    zero_share: float,
    trials: int,
    rng: np.random.Generator,
    pool: CodeMatrix | None,
) -> CodeMatrix:
    """Draw many codes and keep the one with the largest (minimum, mean) row distance.

    No draw has a one-sided, repeated or complementary column, and the first entry of each column
    that is not 0 is +1. A draw with two rows that no column separates is thrown away; should none
    remain, the first columns of one more draw are replaced by the binary digits of the row numbers
    (in random order), which separate all rows.

    Parameters
    ----------
    n_bits
        At least `fewest_bits(n_classes)` and at most the number of columns in the pool.
    zero_share
        Probability of an entry 0; +1 and -1 share the rest equally.
    pool : (n_classes, n_columns), optional
        Every column that exists. Without it columns are drawn entry by entry until there are enough,
        which is only quick while far more columns exist than are asked for.

    Returns
    -------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, 0, +1}.
    """
    weights = None if pool is None else _log_weights(pool, zero_share)

    def draw(fixed: CodeMatrix) -> CodeMatrix:
        if pool is None or weights is None:
            return _draw_entries(n_classes, n_bits, zero_share, rng, fixed)
        return _draw_from_pool(pool, weights, n_bits, rng, fixed)

    none = np.zeros((n_classes, 0), dtype=np.int8)
    best = none
    best_distance = (0.0, 0.0)
    for _ in range(max(1, min(trials, MAX_WORK // (n_classes**2 * n_bits)))):
        candidate = draw(none)
        distance = _distance(candidate)
        if distance > best_distance:
            best, best_distance = candidate, distance
        if pool is not None and pool.shape[1] == n_bits:
            break  # every draw is the whole pool
    if best_distance[0] == 0:
        best = draw(_digit_columns(n_classes, rng))
    return best


def _distance(code_matrix: CodeMatrix) -> tuple[float, float]:
    """Return the minimum and mean over row pairs of the columns that oppose them."""
    M = code_matrix.astype(np.float32)
    opposite = (np.abs(M) @ np.abs(M).T - M @ M.T) / 2
    n_classes = M.shape[0]
    mean = float(opposite.sum(dtype=np.float64)) / (n_classes * (n_classes - 1))
    np.fill_diagonal(opposite, np.inf)
    return float(opposite.min()), mean


def _log_weights(pool: CodeMatrix, zero_share: float) -> FloatArray:
    """Return the log probability of each column of the pool, up to a constant, (n_columns,)."""
    zeros = (pool == 0).sum(axis=0)
    if zero_share == 0:
        return np.zeros(pool.shape[1])
    weights: FloatArray = zeros * math.log(zero_share / ((1 - zero_share) / 2))
    return weights


def _draw_from_pool(
    pool: CodeMatrix, weights: FloatArray, n_bits: int, rng: np.random.Generator, fixed: CodeMatrix
) -> CodeMatrix:
    """Draw columns of the pool without replacement, beside those that are fixed.

    Taking the largest of log weight plus Gumbel noise is drawing one by one with these weights.
    """
    keys = weights - np.log(-np.log(np.maximum(rng.random(pool.shape[1]), 1e-300)))
    order = np.argsort(-keys, kind="stable")
    both = np.concatenate([fixed, _turned(pool[:, order[: n_bits + fixed.shape[1]]])], axis=1)
    return both[:, _first_of_each(both)[:n_bits]]


def _draw_entries(
    n_classes: int, n_bits: int, zero_share: float, rng: np.random.Generator, fixed: CodeMatrix
) -> CodeMatrix:
    """Draw columns entry by entry until there are enough usable ones, beside those that are fixed."""
    found = fixed
    while found.shape[1] < n_bits:
        chance = rng.random((n_classes, 8 + (n_bits - found.shape[1]) * 5 // 4))
        signs = np.where(rng.random(chance.shape) < 0.5, 1, -1)
        drawn = np.where(chance < zero_share, 0, signs).astype(np.int8)
        drawn = drawn[:, (drawn == 1).any(axis=0) & (drawn == -1).any(axis=0)]
        both = np.concatenate([found, _turned(drawn)], axis=1)
        found = both[:, _first_of_each(both)]
    return np.ascontiguousarray(found[:, :n_bits])


def _turned(columns: CodeMatrix) -> CodeMatrix:
    """Turn columns so that the first entry that is not 0 is +1."""
    signs = columns[np.argmax(columns != 0, axis=0), np.arange(columns.shape[1])]
    turned: CodeMatrix = columns * signs
    return turned


def _first_of_each(columns: CodeMatrix) -> IntArray:
    """Find the first copy of every distinct column, increasing.

    Columns are named by their ternary digits modulo 2^64; from 41 classes on two different columns
    might share a name, which only means that the later one is drawn again.
    """
    digits = (columns + 1).astype(np.uint64)
    powers = np.cumprod(np.r_[np.uint64(1), np.full(columns.shape[0] - 1, 3, dtype=np.uint64)])
    names = powers @ digits
    first: IntArray = np.sort(np.unique(names, return_index=True)[1])
    return first


def _digit_columns(n_classes: int, rng: np.random.Generator) -> CodeMatrix:
    """Write the binary digits of 0..K-1 in random order: distinct rows, usable distinct columns."""
    numbers = rng.permutation(n_classes)
    digits = numbers[:, None] >> np.arange(fewest_bits(n_classes)) & 1
    return _turned((2 * digits - 1).astype(np.int8))
