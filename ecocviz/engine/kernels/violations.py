"""How far the coefficients of a box dual are from optimal, point by point: compiled loops."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

RealArray: TypeAlias = npt.NDArray[Any]


@njit(cache=True, nogil=True)
def raise_violations(
    signs: RealArray, upper: RealArray, alphas: RealArray, residual: RealArray, largest: RealArray
) -> tuple[float, float]:
    """Raise `largest` to one machine's violations; return the largest of these and the dual objective.

    A coefficient that may rise violates the conditions by v = t r, one that may fall by -v, one that may do
    both by the larger. Negative values say by how much a point keeps them; one that may do neither has none.

    Symbols: t -> signs, r = t - K b -> residual for b = t a, 0 <= a <= C -> alphas and upper. The objective
    sum(a) - b'K b / 2 is the sum of a (1 + v) / 2.

    Parameters
    ----------
    signs, upper, alphas, residual : (n,)
    largest : (n,)
        Written to.
    """
    worst, total = -np.inf, 0.0
    for k in range(signs.size):
        v, a = signs[k] * residual[k], alphas[k]
        violation = v if a < upper[k] else -np.inf
        if a > 0.0:
            violation = max(violation, -v)
            total += a * (1.0 + v)
        worst = max(worst, violation)
        largest[k] = max(largest[k], violation)
    return worst, total / 2.0
