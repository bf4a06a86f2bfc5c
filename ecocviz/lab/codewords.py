"""Whose codewords the rows of a trained model's code are."""

from collections.abc import Sequence

import numpy as np

from ecocviz.engine import capabilities as can
from ecocviz.engine.types import IntArray
from ecocviz.lab.trained import Model


def rows_of(model: Model, n_rows: int) -> IntArray:
    """Return the class of each row of a trained model's code, (n_rows,).

    A code made for all classes has a row even for those that training lacks; a learned one has rows
    for the others only, and may have several for a class.
    """
    estimator = model.estimator
    # A reduction that has no use for a code has no design either.
    of_rows = estimator.design_.row_classes if isinstance(estimator, can.Designed) else None
    if of_rows is not None:
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
