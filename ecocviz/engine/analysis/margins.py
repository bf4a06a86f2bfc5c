"""Multiclass margins: by how much the true class wins or loses."""

import numpy as np

from ecocviz.engine.types import Costs, FloatArray, IntArray


def multiclass_margins(costs: Costs, y_index: IntArray) -> FloatArray:
    """Return the least cost of a wrong class minus the cost of the true one, (n_samples,).

    Implements the multiclass margin g(x, y) of [Passerini2004]_: positive where the true class
    wins, zero at a tie.

    Parameters
    ----------
    costs : (n_samples, n_classes)
    y_index : (n_samples,)
        Row of the true class in the code matrix.

    Examples
    --------
    >>> multiclass_margins(np.array([[0.0, 2.0, 3.0], [1.0, 0.5, 4.0]]), np.array([0, 0])).tolist()
    [2.0, -0.5]
    """
    rows = np.arange(costs.shape[0])
    others = costs.copy()
    others[rows, y_index] = np.inf
    margins: FloatArray = others.min(axis=1) - costs[rows, y_index]
    return margins
