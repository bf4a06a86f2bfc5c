"""How far apart the rows of a code are, and how many wrong bits that repairs."""

import numpy as np

from ecocviz.engine.types import AnyCode, FloatArray, IntArray


def row_distances(code_matrix: AnyCode) -> FloatArray:
    """Count, for every two rows, the columns in which they stand on opposite sides.

    D(a, b) = 1/2 sum over s of |m_as| |m_bs| |m_as - m_bs|; a column that leaves out either class
    does not count. Float entries enter the same formula.

    Returns
    -------
    distances : (n_classes, n_classes)
        Symmetric, 0 on the diagonal.

    Examples
    --------
    >>> row_distances(np.array([[1, 1, 0], [-1, 0, 1], [1, -1, -1]], dtype=np.int8)).tolist()
    [[0.0, 1.0, 1.0], [1.0, 0.0, 2.0], [1.0, 2.0, 0.0]]
    """
    M = code_matrix.astype(np.float64)
    if not np.issubdtype(code_matrix.dtype, np.floating):
        shown = np.abs(M)
        # In every column shown to both classes the product is -1 where they are on opposite sides.
        distances: FloatArray = (shown @ shown.T - M @ M.T) / 2
        return distances
    distances = np.empty((M.shape[0], M.shape[0]))
    for c, codeword in enumerate(M):
        distances[c] = (np.abs(codeword * M) * np.abs(codeword - M)).sum(axis=1) / 2
    return distances


def hamming_row_distances(code_matrix: AnyCode) -> FloatArray:
    """Sum (1 - m_as m_bs) / 2 for every two rows: a column that leaves out either class counts 1/2.

    Returns
    -------
    distances : (n_classes, n_classes)
        Symmetric; on the diagonal half the number of zeros of the row.

    Examples
    --------
    >>> hamming_row_distances(np.array([[1, 1, 0], [-1, 0, 1]], dtype=np.int8)).tolist()
    [[0.5, 2.0], [2.0, 0.5]]
    """
    M = code_matrix.astype(np.float64)
    distances: FloatArray = (M.shape[1] - M @ M.T) / 2
    return distances


def smallest_and_mean(distances: FloatArray) -> tuple[float, float]:
    """Return the minimum and mean over pairs of different rows; (0, 0) where there is no pair.

    >>> smallest_and_mean(np.array([[0.0, 1.0, 3.0], [1.0, 0.0, 2.0], [3.0, 2.0, 0.0]]))
    (1.0, 2.0)
    """
    pairs = distances[np.triu_indices(distances.shape[0], k=1)]
    return (float(pairs.min()), float(pairs.mean())) if pairs.size else (0.0, 0.0)


def largest_distance(n_classes: int, n_bits: int) -> int:
    """Bound the minimum row distance of every code of this shape (Plotkin's argument).

    A column opposes at most floor(K/2) ceil(K/2) of the K (K - 1) / 2 pairs, and the smallest
    distance is no larger than the mean one.

    >>> largest_distance(8, 7), largest_distance(10, 30)
    (4, 16)
    """
    if n_classes < 2:
        return 0
    return n_bits * (n_classes // 2) * ((n_classes + 1) // 2) * 2 // (n_classes * (n_classes - 1))


def plotkin_distance(n_classes: int, n_bits: int) -> int:
    """Bound the minimum row distance of every dense code of this shape by Plotkin's theorem.

    Codes of length L and even distance d > L / 2 have at most 2 floor(d / (2 d - L)) rows, those with
    L = 2 d at most 4 d; an odd distance d is as good as d + 1 with one more column. It is tighter than
    the mean over pairs (`largest_distance`) where the distance has to be even.

    >>> plotkin_distance(8, 16), largest_distance(8, 16)
    (8, 9)
    """

    def holds(d: int) -> bool:
        even, length = d + d % 2, n_bits + d % 2
        if 2 * even > length:
            return n_classes <= 2 * (even // (2 * even - length))
        return 2 * even < length or n_classes <= 4 * even

    largest = largest_distance(n_classes, n_bits)
    return next((d for d in range(largest, 0, -1) if holds(d)), 0)


def hamming_repairs(code_matrix: AnyCode) -> IntArray:
    """Count, for each class, the wrong bits that Hamming decoding repairs whatever else happens.

    The cost of row q is the sum of (1 - b_s m_qs) / 2, so a zero costs every word 1/2. Let the bits
    differ from row a in e of the places it shows; the bits at its zeros are no errors, nothing asks
    for them, but they may all speak for q. With D columns that oppose a and q, n1 shown to a alone and
    n0 to q alone, no wrong bit leaves row q dearer than row a by D + (n1 - n0) / 2 at least; a wrong
    bit takes away 2 in an opposing column and 1 in one shown to a alone. So row a stays strictly
    cheapest for all e below half of that margin if it does not exceed 2 D, and below (n1 - n0) / 2
    otherwise; and not for the next e. n1 - n0 is the difference of the rows' numbers of entries.

    Ties are losses here, whatever the class indices.

    Parameters
    ----------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, 0, +1}.

    Returns
    -------
    repairs : (n_classes,)
        -1 where not even a row without a wrong bit is decoded for certain.

    Examples
    --------
    Both rows oppose each other in two columns, but the second shows three more, in which nothing
    holds back machines that were never shown the first class:

    >>> hamming_repairs(np.array([[1, 1, 0, 0, 0], [-1, -1, 1, 1, 1]], dtype=np.int8)).tolist()
    [0, 1]
    """
    opposite = row_distances(code_matrix)
    shown = (code_matrix != 0).sum(axis=1)
    excess = (shown[:, None] - shown[None, :]) / 2
    margin = opposite + excess
    repaired = np.where(margin <= 2 * opposite, np.ceil(margin / 2) - 1, np.ceil(excess) - 1)
    np.fill_diagonal(repaired, shown)
    worst: IntArray = np.maximum(repaired, -1).min(axis=1, initial=code_matrix.shape[1]).astype(np.int64)
    return worst
