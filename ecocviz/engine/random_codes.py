"""What codings that draw codes share: how many columns there will be, and the best of many draws."""

import math

import numpy as np

from ecocviz.engine.kernels.columns import (
    count_dense_columns,
    count_ternary_columns,
    dense_columns,
    first_entry_positive,
    ternary_columns,
)
from ecocviz.engine.params import IntParam
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray

LISTED_DENSE = 13
"""Up to so many classes all dense columns are listed (4095 of them) and drawn from the list."""
LISTED_TERNARY = 8
"""Up to so many classes all ternary columns are listed (3025 of them) and drawn from the list."""

_DRAWS = 1000
"""Draws of the start of an annealed code: as many as a dense random code takes by default."""
_MAX_MOVES = 2_000_000
"""Flips tried at most: seconds, not minutes, for very large codes."""

MAX_WORK = 500_000_000
"""Multiplications spent on comparing draws, at most: seconds, not minutes, for very many classes."""


def fewest_bits(n_classes: int) -> int:
    """Count the bits below which no two-valued code can tell the classes apart: ceil(log2 K).

    >>> [fewest_bits(n_classes) for n_classes in (2, 3, 4, 5, 8, 9)]
    [1, 2, 2, 3, 3, 4]
    """
    return (n_classes - 1).bit_length()


def drawn_bits(n_classes: int, n_bits: int, per_digit: int, *, ternary: bool) -> int:
    """Count the columns to draw: as many as asked for, or ceil(per_digit log2 K) where 0 are.

    Never fewer than `fewest_bits`, nor more than there are dense or ternary columns.

    >>> drawn_bits(10, 0, 10, ternary=False), drawn_bits(4, 100, 10, ternary=False)
    (34, 7)
    """
    wanted = n_bits or math.ceil(per_digit * math.log2(n_classes))
    there_are = (count_ternary_columns if ternary else count_dense_columns)(n_classes)
    return min(max(wanted, fewest_bits(n_classes)), there_are)


TREES = IntParam(
    name="n_trees",
    label="Trees",
    default=1,
    low=1,
    high=20,
    help="One tree separates every two classes once; more trees can repair each other's errors.",
)
"""Of codings that draw trees."""


def drawn_nodes(n_classes: int, n_trees: int = 1) -> int:
    """Count the columns that drawn trees have at most: no node occurs twice."""
    return min(n_trees * (n_classes - 1), count_ternary_columns(n_classes))


def best_random_code(
    n_classes: int, n_bits: int, *, zero_share: float, trials: int, rng: np.random.Generator
) -> CodeMatrix:
    """Draw many codes and keep the one with the largest (minimum, mean) row distance.

    No draw has a one-sided, repeated or complementary column, and the first entry of each column
    that is not 0 is +1. A draw with two rows that no column separates is thrown away; should none
    remain, the first columns of one more draw are replaced by the binary digits of the row numbers
    (in random order), which separate all rows.

    Parameters
    ----------
    n_bits
        At least `fewest_bits(n_classes)` and at most the number of columns that exist.
    zero_share
        Probability of an entry 0; +1 and -1 share the rest equally.

    Returns
    -------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, 0, +1}.
    """
    pool = _listed_columns(n_classes, zero_share)
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


def _listed_columns(n_classes: int, zero_share: float) -> CodeMatrix | None:
    """List every column that exists, (n_classes, n_columns), where there are few.

    Without the list columns are drawn entry by entry until there are enough, which is only quick while
    far more columns exist than are asked for.
    """
    if zero_share == 0:
        return dense_columns(n_classes) if n_classes <= LISTED_DENSE else None
    return ternary_columns(n_classes) if n_classes <= LISTED_TERNARY else None


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


def annealed_code(n_classes: int, n_bits: int, sweeps: int, seed: int) -> CodeMatrix:
    """Draw dense codes and flip entries of the best so that its closest rows move apart.

    Parameters
    ----------
    n_classes
        At least 3.
    n_bits
        At most as many as there are dense columns.
    sweeps
        How many times each entry is tried on average.
    seed
        Of draws and flips.

    Returns
    -------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, +1}; the first row is all +1.
    """
    # Imported here: listing the codings must not wait for the compiler.
    from ecocviz.engine.kernels.anneal import anneal  # noqa: PLC0415 - see above

    start = best_random_code(
        n_classes, n_bits, zero_share=0.0, trials=_DRAWS, rng=np.random.default_rng(seed)
    )
    if start.shape[1] == count_dense_columns(n_classes):
        return start  # all columns that exist: nothing to choose
    rng = np.random.default_rng((seed, 1))
    n_moves = min(sweeps * start.size, _MAX_MOVES)
    cells = rng.integers(start.size, size=n_moves)
    return first_entry_positive(anneal(start, cells, rng.random(n_moves), 1.0, 0.01))
