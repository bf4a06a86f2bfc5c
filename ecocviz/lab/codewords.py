"""Whose codewords the rows of a trained model's code are, and which of them a point is compared with."""

from collections.abc import Sequence

import numpy as np

from ecocviz.engine import capabilities as can
from ecocviz.engine.types import AnyCode, Costs, IntArray, Scores
from ecocviz.lab.trained import Model


def rows_of(model: Model, n_rows: int) -> IntArray:
    """Return the class of each row of a trained model's code, (n_rows,).

    A code made for all classes has a row even for those that training lacks; a learned one has rows
    for the others only, and may have several for a class.
    """
    estimator = model.estimator
    # A reduction that has no use for a code has no design either.
    of_rows = estimator.design_.row_classes if isinstance(estimator, can.Designed) else None
    # Training may put one codeword of real numbers a class in the place of those of its sub-classes.
    if of_rows is not None and of_rows.size == n_rows:
        rows: IntArray = model.class_index[of_rows]
        return rows
    return model.class_index if n_rows == model.class_index.size else np.arange(n_rows)


def part_names(classes: Sequence[str], rows: IntArray) -> tuple[str, ...]:
    """Name the parts (n_rows,) of classes: numbered where a class has several.

    >>> part_names(("a", "b"), np.array([0, 1, 1]))
    ('a', 'b, part 1', 'b, part 2')
    """
    totals = np.bincount(rows, minlength=len(classes))
    seen: dict[int, int] = {}
    names = []
    for c in rows.tolist():
        seen[c] = seen.get(c, 0) + 1
        names.append(classes[c] if totals[c] == 1 else f"{classes[c]}, part {seen[c]}")
    return tuple(names)


def asked_rows(code_matrix: AnyCode, rows: IntArray, y: IntArray, scores: Scores) -> IntArray:
    """Return the row of a code that each point's bits are compared with, (n,); -1 where its class has none.

    A class with several rows is asked for the one that the fewest bits contradict, the first of several:
    no other row of the class would excuse the point for more of its bits.

    Parameters
    ----------
    code_matrix : (n_rows, n_bits)
    rows : (n_rows,)
        Class of each row.
    y : (n,)
        Class of each point.
    scores : (n, n_bits)

    Examples
    --------
    >>> code_matrix = np.array([[1, 1, 1], [-1, -1, 1], [1, -1, 0]], dtype=np.int8)
    >>> scores = np.array([[2.0, 1.0, -1.0], [-1.0, -3.0, -1.0], [1.0, 1.0, 1.0]])
    >>> asked_rows(code_matrix, np.array([0, 0, 1]), np.array([0, 0, 2]), scores).tolist()
    [0, 1, -1]
    """
    if np.unique(rows).size == rows.size:
        row_of = np.full(max(rows.max(initial=0), y.max(initial=0)) + 1, -1, dtype=np.int64)
        row_of[rows] = np.arange(rows.size)
        chosen: IntArray = row_of[y]
        return chosen
    bits, code = np.sign(scores), np.sign(code_matrix)
    # Entries unlike the bits, zeros left out: (n, n_rows).
    wrong = (code != 0).sum(axis=1) - np.maximum(bits, 0) @ np.maximum(code, 0).T
    wrong = np.where(rows == y[:, None], wrong - np.maximum(-bits, 0) @ np.maximum(-code, 0).T, np.inf)
    found: IntArray = np.where(np.isfinite(wrong.min(axis=1)), np.argmin(wrong, axis=1), -1).astype(np.int64)
    return found


def winning_classes(costs: Costs, rows: IntArray) -> IntArray:
    """Return the class whose best row costs least, (n,), the lowest of several, from costs (n, n_rows).

    >>> winning_classes(np.array([[3.0, 2.0, 2.0]]), np.array([1, 1, 0])).tolist()
    [0]
    """
    least = costs.min(axis=1, keepdims=True)
    winners: IntArray = np.where(costs == least, rows, rows.max() + 1).min(axis=1)
    return winners
