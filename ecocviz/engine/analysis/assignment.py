"""Which class gets which codeword: similar classes similar codewords, of any discrete code.

A code says how far its rows are apart, not which class has which row. Exchanging rows changes none of
its promises, but it changes which classes each machine has to put on one side [Evron2023]_.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist

from ecocviz.engine.kernels.row_distances import hamming_row_distances
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray

EXACT_CLASSES = 8
"""Up to so many classes all assignments are tried."""
STARTS = 200
"""Orders that the search starts from at most, for more classes."""
STEPS = 4e8
"""Terms of swaps that are added up at most: about half a second."""
ROUNDING = 1e-9
"""Share of the total below which a gain is none."""


@dataclass(frozen=True, slots=True, eq=False)
class Assignment:
    """Rows of a code, given to the classes anew.

    Attributes
    ----------
    code_matrix : (n_classes, n_bits)
        The code with its rows exchanged.
    rows : (n_classes,)
        Row of the given code that each class has now.
    before, after
        Agreement of the given code and of this one; None where there is none (see `agreement`).
    """

    code_matrix: CodeMatrix
    rows: IntArray
    before: float | None
    after: float | None

    @property
    def changed(self) -> bool:
        """Whether any class has another row than before."""
        return bool((self.rows != np.arange(self.rows.size)).any())


def class_distances(X: FloatArray, y: IntArray, n_classes: int) -> FloatArray:
    """Return the distances between the means of classes, (n_classes, n_classes).

    Every feature is divided by its standard deviation over all points, so that units do not matter; one
    that never changes is left out. A class without points stands at the mean of all points.

    Parameters
    ----------
    X : (n_samples, n_features)
    y : (n_samples,)
    n_classes

    Examples
    --------
    >>> X = np.array([[0.0, 5.0], [2.0, 5.0], [4.0, 5.0]])
    >>> class_distances(X, np.array([0, 1, 2]), 3).round(2)[0].tolist()
    [0.0, 1.22, 2.45]
    """
    spread = X.std(axis=0)
    used = spread > 1e-12 * np.maximum(np.abs(X).max(axis=0, initial=0.0), 1e-300)
    points = (X[:, used] - X[:, used].mean(axis=0)) / spread[used]
    counts = np.bincount(y, minlength=n_classes)
    sums = np.zeros((n_classes, points.shape[1]))
    np.add.at(sums, y, points)
    means = sums / np.maximum(counts, 1)[:, None]
    distances: FloatArray = cdist(means, means)
    return distances


def agreement(code_matrix: CodeMatrix, distances: FloatArray) -> float | None:
    """Return how well near codewords stand for near classes, from -1 to 1.

    It is the correlation, over all pairs of classes, between their distance and that of their codewords,
    sum of (1 - m_as m_bs) / 2. None where all codewords, or all classes, are equally far apart.

    Parameters
    ----------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, 0, +1}.
    distances : (n_classes, n_classes)

    Examples
    --------
    Of four classes on a line, each codeword is nearest to that of the next class:

    >>> line = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    >>> round(agreement(np.array([[1, 1, 1], [-1, 1, 1], [-1, -1, 1], [-1, -1, -1]]), line), 3)
    1.0
    """
    pairs = np.triu_indices(code_matrix.shape[0], k=1)
    first, second = distances[pairs], hamming_row_distances(code_matrix)[pairs]
    if first.size < 2 or np.ptp(second) == 0 or np.ptp(first) <= ROUNDING * np.abs(first).max():
        return None
    return float(np.corrcoef(first, second)[0, 1])


def assign_rows(
    code_matrix: CodeMatrix,
    distances: FloatArray,
    *,
    near: bool = True,
    seed: int = 0,
    progress: Progress = NO_PROGRESS,
) -> Assignment:
    """Exchange the rows of a code so that similar classes have similar codewords.

    Implements the similarity-preserving assignment of [Evron2023]_: among all orders of the rows the one
    in which distances of classes and of their codewords agree best. Since exchanging rows changes neither
    the mean nor the spread of either, this is the largest sum of d(a, b) D(a, b) over pairs of classes, a
    quadratic assignment problem. All orders are tried up to EXACT_CLASSES classes. Above, codewords of two
    classes are swapped as long as that gains, from the given order and from random ones. The given order
    stays where none is better.

    Differs from the paper: its search and its measures of similarity could not be had, so these are
    reconstructed.

    Parameters
    ----------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, 0, +1}.
    distances : (n_classes, n_classes)
        How unlike the classes are, symmetric; such as `class_distances`.
    near
        Whether similar classes get similar codewords; False gives them unlike ones, for comparison.
    seed
        Draws the random orders.
    progress
        Told the share of the orders that are done.

    Examples
    --------
    Classes 0 and 2 are alike, and so are 1 and 3:

    >>> code_matrix = np.array([[1, 1, 1], [1, 1, -1], [-1, -1, 1], [-1, -1, -1]])
    >>> distances = np.array([[0, 9, 1, 9], [9, 0, 9, 1], [1, 9, 0, 9], [9, 1, 9, 0]])
    >>> assign_rows(code_matrix, distances).code_matrix.tolist()
    [[1, 1, 1], [-1, -1, 1], [1, 1, -1], [-1, -1, -1]]
    """
    # Imported here: listing what can be chosen must not wait for the compiler.
    from ecocviz.engine.kernels.assignment import best_of_all  # noqa: PLC0415 - see above

    K = code_matrix.shape[0]
    if np.shape(distances) != (K, K):
        raise ValueError(f"The code has {K} rows, so distances of {K} classes are needed, {K} by {K}.")
    before = agreement(code_matrix, distances)
    rows = np.arange(K)
    if before is not None:
        D = np.ascontiguousarray(distances, dtype=np.float64)
        W = hamming_row_distances(code_matrix) * (1.0 if near else -1.0)
        least = ROUNDING * float(np.abs(D).sum() * np.abs(W).max())
        if K <= EXACT_CLASSES:
            rows = best_of_all(D, W, rows, least)
        else:
            rows = _search(D, W, least, np.random.default_rng(seed), progress)
    progress.at(1.0)
    assigned = code_matrix[rows]
    return Assignment(assigned, rows, before, agreement(assigned, distances))


def _search(
    D: FloatArray, W: FloatArray, least: float, rng: np.random.Generator, progress: Progress
) -> IntArray:
    """Climb from the given order and from random ones; return the best order met, (n_classes,)."""
    from ecocviz.engine.kernels.assignment import climb, total  # noqa: PLC0415 - waits for the compiler

    K = D.shape[0]
    left = max(1, int(STEPS / (K**3 / 2)))
    best = np.arange(K)
    most = total(D, W, best)
    for start in range(STARTS):
        rows = rng.permutation(K) if start else np.arange(K)
        left -= climb(D, W, rows, least, left)
        value = total(D, W, rows)
        if value > most + least:
            best, most = rows, value
        progress.at((start + 1) / STARTS)
        if left <= 0:
            break
    return best


def assign_codewords(
    code_matrix: npt.ArrayLike, X: npt.ArrayLike, y: npt.ArrayLike, *, near: bool = True, seed: int = 0
) -> CodeMatrix:
    """Exchange the rows of a code so that similar classes of these data have similar codewords.

    Parameters
    ----------
    code_matrix : array-like of shape (n_classes, n_bits)
        Entries in {-1, 0, +1}; rows follow the sorted class labels.
    X : array-like of shape (n_samples, n_features)
        Training points; classes are alike where their means are near, features scaled to unit spread.
    y : array-like of shape (n_samples,)
        Labels.
    near : bool, default=True
        False gives similar classes unlike codewords, for comparison.
    seed : int, default=0
        Draws the orders that the search for more than 8 classes starts from.

    Returns
    -------
    code_matrix : ndarray of shape (n_classes, n_bits)
        For `ECOCClassifier(coding=...)`.

    Examples
    --------
    Digits 3 and 9 are more alike than 3 and 4:

    >>> from sklearn.datasets import load_digits
    >>> from ecocviz import build_code
    >>> X, y = load_digits(return_X_y=True)
    >>> code_matrix = assign_codewords(build_code("dense-random", 10, n_bits=12), X, y)
    >>> differ = code_matrix != code_matrix[3]
    >>> bool(differ[9].sum() < differ[4].sum())
    True
    """
    given, points = np.asarray(code_matrix), np.asarray(X, dtype=np.float64)
    labels, y_index = np.unique(np.asarray(y), return_inverse=True)
    if given.ndim != 2 or given.shape[0] != labels.size:
        raise ValueError(f"The code needs a row for each of the {labels.size} classes of these data.")
    if points.ndim != 2 or points.shape[0] != y_index.size or not np.isfinite(points).all():
        raise ValueError("The points are a table of finite numbers, with a row for each label.")
    distances = class_distances(points, y_index.ravel(), labels.size)
    return assign_rows(given, distances, near=near, seed=seed).code_matrix
