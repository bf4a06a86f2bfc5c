"""Asking the machines of a decision DAG one after the other."""

import numpy as np

from ecocviz.engine.types import CodeMatrix, IntArray, Scores


def duels(code_matrix: CodeMatrix) -> tuple[IntArray, IntArray]:
    """Return which machine compares two classes, and on which side it puts the first of them.

    Parameters
    ----------
    code_matrix : (n_classes, n_bits)
        One-vs-one: every column has one +1 and one -1.

    Returns
    -------
    machines : (n_classes, n_classes)
        Column that compares row class and column class; -1 on the diagonal.
    sides : (n_classes, n_classes)
        Entry of the row class in that column.
    """
    n_classes = code_matrix.shape[0]
    machines = np.full((n_classes, n_classes), -1, dtype=np.int64)
    sides = np.zeros((n_classes, n_classes), dtype=np.int64)
    positive, negative = code_matrix.argmax(axis=0), code_matrix.argmin(axis=0)
    machines[positive, negative] = machines[negative, positive] = np.arange(code_matrix.shape[1])
    sides[positive, negative], sides[negative, positive] = 1, -1
    return machines, sides


def walk(scores: Scores, code_matrix: CodeMatrix, order: IntArray) -> tuple[IntArray, IntArray]:
    """Send every sample through the decision DAG.

    Implements the decision of [Platt2000]_: from a list of all classes, the machine of the first and
    the last is asked, and the class it rejects is dropped, until one is left. A score of 0 drops the
    first.

    Parameters
    ----------
    scores : (n_samples, n_bits)
    code_matrix : (n_classes, n_bits)
        One-vs-one.
    order : (n_classes,)
        The list at the start.

    Returns
    -------
    dropped : (n_samples, n_classes)
        Round in which each class was dropped, from 0; n_classes - 1 for the one that is left.
    path : (n_samples, n_classes - 1)
        The machines that were asked.

    Examples
    --------
    >>> code = np.array([[1, 1, 0], [-1, 0, 1], [0, -1, -1]], dtype=np.int8)
    >>> dropped, path = walk(np.array([[-1.0, 2.0, 3.0]]), code, np.array([0, 1, 2]))
    >>> dropped.tolist(), path.tolist()
    ([[1, 2, 0]], [[1, 0]])
    """
    machines, sides = duels(code_matrix)
    n_samples, n_classes = scores.shape[0], code_matrix.shape[0]
    samples = np.arange(n_samples)
    first, last = np.zeros(n_samples, dtype=np.int64), np.full(n_samples, n_classes - 1)
    dropped = np.full((n_samples, n_classes), n_classes - 1, dtype=np.int64)
    path = np.empty((n_samples, n_classes - 1), dtype=np.int64)
    for round_number in range(n_classes - 1):
        r, s = order[first], order[last]
        path[:, round_number] = machines[r, s]
        keeps_first = sides[r, s] * scores[samples, path[:, round_number]] > 0
        dropped[samples, np.where(keeps_first, s, r)] = round_number
        last -= keeps_first
        first += ~keeps_first
    return dropped, path
