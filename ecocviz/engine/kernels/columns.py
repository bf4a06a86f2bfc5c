"""Which dichotomies exist, which columns of a code are usable, and how far apart they are.

Two columns that differ only in sign are the same binary problem, so a code needs one of them.
"""

import numpy as np
from scipy.spatial.distance import cdist

from ecocviz.engine.types import AnyCode, BoolArray, CodeMatrix, FloatArray, IntArray

_BLOCK = 256
"""Columns compared with all others at a time where no table of all is kept."""


def count_dense_columns(n_classes: int) -> int:
    """Count the ways to put all classes on two sides, neither of them empty: 2^(K-1) - 1.

    >>> count_dense_columns(4)
    7
    """
    return int(2 ** (n_classes - 1) - 1)


def count_ternary_columns(n_classes: int) -> int:
    """Count the ways to put some of the classes on two sides: (3^K - 2^(K+1) + 1) / 2.

    >>> count_ternary_columns(3)
    6
    """
    return int((3**n_classes - 2 ** (n_classes + 1) + 1) // 2)


def dense_columns(n_classes: int) -> CodeMatrix:
    """List every dense dichotomy once, the first class always on the +1 side.

    Row r >= 2 of column c (1..L) is +1 where bit K - r of L - c is set, so the columns count down.

    Returns
    -------
    columns : (n_classes, 2 ** (n_classes - 1) - 1)
        Entries in {-1, +1}.

    Examples
    --------
    >>> dense_columns(3).tolist()
    [[1, 1, 1], [1, -1, -1], [-1, 1, -1]]
    """
    n_bits = count_dense_columns(n_classes)
    numbers = n_bits - 1 - np.arange(n_bits)
    places = np.arange(n_classes - 1, -1, -1)
    digits = (numbers[None, :] >> places[:, None]) & 1
    digits[0] = 1
    return (2 * digits - 1).astype(np.int8)


def ternary_columns(n_classes: int) -> CodeMatrix:
    """List every ternary dichotomy once, the last class that takes part always on the +1 side.

    For p = 2..K, the last class taking part: the rows above p run through {-1, 0, +1}, the first row
    fastest; columns without a -1 are left out.

    Returns
    -------
    columns : (n_classes, (3 ** n_classes - 2 ** (n_classes + 1) + 1) / 2)
        Entries in {-1, 0, +1}.

    Examples
    --------
    >>> ternary_columns(3).tolist()
    [[-1, -1, 0, 1, -1, -1], [1, -1, -1, -1, 0, 1], [0, 1, 1, 1, 1, 1]]
    """
    blocks = []
    for last in range(1, n_classes):
        numbers = np.arange(3**last)
        digits = numbers[None, :] // 3 ** np.arange(last)[:, None] % 3 - 1
        block = np.zeros((n_classes, numbers.size), dtype=np.int8)
        block[:last] = digits
        block[last] = 1
        blocks.append(block[:, (digits == -1).any(axis=0)])
    return np.concatenate(blocks, axis=1)


def two_sided(code_matrix: CodeMatrix) -> BoolArray:
    """Tell for each column whether it has a class on either side, (n_bits,).

    >>> two_sided(np.array([[1, 1, 0], [-1, 0, 0]], dtype=np.int8)).tolist()
    [True, False, False]
    """
    return np.logical_and((code_matrix > 0).any(axis=0), (code_matrix < 0).any(axis=0))


def first_entry_positive(code_matrix: CodeMatrix) -> CodeMatrix:
    """Turn columns so that the first entry that is not 0 is +1, (n_classes, n_bits).

    >>> first_entry_positive(np.array([[0, -1], [-1, 1], [1, 0]], dtype=np.int8)).tolist()
    [[0, 1], [1, -1], [-1, 0]]
    """
    leading = np.argmax(code_matrix != 0, axis=0)
    signs = code_matrix[leading, np.arange(code_matrix.shape[1])]
    return (code_matrix * np.where(signs < 0, -1, 1)).astype(np.int8)


def usable_columns(code_matrix: CodeMatrix) -> IntArray:
    """Find the columns worth a machine: two-sided, and not a copy or complement of an earlier one.

    Returns
    -------
    kept : (n_kept,)
        Indices in increasing order.

    Examples
    --------
    >>> usable_columns(np.array([[1, -1, 1, 1], [-1, 1, 1, 0], [1, -1, 1, -1]], dtype=np.int8)).tolist()
    [0, 3]
    """
    turned = np.ascontiguousarray(first_entry_positive(code_matrix).T)
    sides = two_sided(code_matrix)
    seen: set[bytes] = set()
    kept: list[int] = []
    for b, dichotomy in enumerate(turned):
        name = dichotomy.tobytes()
        if sides[b] and name not in seen:
            seen.add(name)
            kept.append(b)
    return np.array(kept, dtype=np.int64)


def twin_columns(M: AnyCode) -> tuple[IntArray, IntArray]:
    """List the columns that are the same binary problem as an earlier one.

    Returns
    -------
    repeated, complementary : (n_pairs, 2)
        (earlier, later) for every column that copies, or complements, the first of its kind.

    Examples
    --------
    >>> repeated, complementary = twin_columns(np.array([[1, 1, -1], [-1, -1, 1]], dtype=np.int8))
    >>> repeated.tolist(), complementary.tolist()
    ([[0, 1]], [[0, 2]])
    """
    columns = np.ascontiguousarray(M.T) + 0  # -0.0 becomes 0.0, as bytes too
    first: dict[bytes, int] = {}
    pairs: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for b, dichotomy in enumerate(columns):
        turned = (0 - dichotomy).tobytes()
        same = first.get(dichotomy.tobytes())
        if same is not None:
            pairs[0].append((same, b))
        elif turned in first:
            pairs[1].append((first[turned], b))
        else:
            first[dichotomy.tobytes()] = b
    repeated, complementary = (np.array(found, dtype=np.int64).reshape(-1, 2) for found in pairs)
    return repeated, complementary


def column_distances(code_matrix: AnyCode) -> FloatArray:
    """Sum |u_c - v_c| / 2 for every two columns u, v, or the same with one of them turned if less.

    An entry 0 is half way between the sides. The distance is 0 for repeated and complementary
    columns only, and for codes without zeros it counts the classes that change sides.

    Returns
    -------
    distances : (n_bits, n_bits)
        Symmetric, 0 on the diagonal.

    Examples
    --------
    >>> column_distances(np.array([[1, -1, 1], [-1, 1, -1], [1, -1, 0]], dtype=np.int8)).tolist()
    [[0.0, 0.0, 0.5], [0.0, 0.0, 0.5], [0.5, 0.5, 0.0]]
    """
    return _column_block(code_matrix, 0, code_matrix.shape[1])


def smallest_column_distance(M: AnyCode) -> float:
    """Return the smallest distance of two columns; 0 if there are fewer.

    Columns are compared block by block, until no later pair can be closer, so that tens of thousands
    of columns need no table.

    Parameters
    ----------
    M : (n_classes, n_bits)
        No two columns copy or complement each other.

    Examples
    --------
    >>> smallest_column_distance(np.array([[1, 1, 1], [-1, 1, 0], [1, -1, -1]], dtype=np.int8))
    0.5
    """
    floor = 0.0 if np.issubdtype(M.dtype, np.floating) else 0.5 if (M == 0).any() else 1.0
    smallest = np.inf
    for start in range(0, M.shape[1], _BLOCK):
        stop = min(start + _BLOCK, M.shape[1])
        block = _column_block(M, start, stop)
        block[np.arange(stop - start), np.arange(start, stop)] = np.inf
        smallest = min(smallest, float(block.min()))
        if smallest <= floor:
            break
    return smallest if np.isfinite(smallest) else 0.0


def _column_block(M: AnyCode, start: int, stop: int) -> FloatArray:
    """Compute the distances of the columns start..stop-1 to all, (stop - start, n_bits)."""
    if np.issubdtype(M.dtype, np.floating):
        block, every = M.T[start:stop], M.T
        sums: FloatArray = np.minimum(cdist(block, every, "cityblock"), cdist(block, -every, "cityblock"))
        return sums * 0.5
    # |u - v| = |u| + |v| - 2 [u = v, not 0], so only products are needed: the sums are whole numbers.
    V = M.T.astype(np.float64)
    shown = np.abs(V)
    sizes = shown.sum(axis=1)
    agreement = shown[start:stop] @ shown.T + np.abs(V[start:stop] @ V.T)
    distances: FloatArray = (sizes[start:stop, None] + sizes[None, :] - agreement) / 2
    return distances
