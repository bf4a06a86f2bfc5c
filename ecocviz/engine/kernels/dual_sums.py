"""What is made of dual coefficients and kernel values besides the ascent: judgements, sums, parts."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

RealArray: TypeAlias = npt.NDArray[Any]
"""Single or double precision, or integers: whatever the compiled loop is called with."""


@njit(cache=True, nogil=True)
def judge(
    signs: RealArray, alphas: RealArray, residuals: RealArray, upper: RealArray, out: RealArray
) -> None:
    """Write each machine's duality gap, squared norm and largest violation into out, (3, n_bits).

    The gap |f|^2 + sum C |v|_+ - sum(a) of [Passerini2004]_'s machine is summed point by point as
    C |v|_+ - a v with v = 1 - t f = t r, whose terms are non-negative.

    Parameters
    ----------
    signs : (n_bits, n)
        0 where the machine was not shown the point.
    alphas, residuals : (n_bits, n)
    upper : (n_bits, n)
        C of each point.
    out : (3, n_bits)
        Written to.
    """
    for b in range(signs.shape[0]):
        gap, norm, worst = 0.0, 0.0, 0.0
        for k in range(signs.shape[1]):
            t = signs[b, k]
            if t == 0.0:
                continue
            v, a, c = t * residuals[b, k], alphas[b, k], upper[b, k]
            gap += c * max(v, 0.0) - a * v
            norm += a * (1.0 - v)
            if a < c:
                worst = max(worst, v)
            if a > 0.0:
                worst = max(worst, -v)
        out[0, b], out[1, b], out[2, b] = gap, max(norm, 0.0), worst


@njit(cache=True, nogil=True)
def cut_square(gram: RealArray, rows: RealArray) -> RealArray:
    """Copy the rows and columns of a few points into a contiguous matrix, (n_rows, n_rows)."""
    n = rows.size
    out = np.empty((n, n), dtype=gram.dtype)
    for i in range(n):
        source = gram[rows[i]]
        target = out[i]
        for j in range(n):
            target[j] = source[rows[j]]
    return out


@njit(cache=True, nogil=True)
def add_rows(gram: RealArray, coefficients: RealArray) -> RealArray:
    """Return coefficients @ gram, (n_bits, n), where few of the coefficients, (n_bits, n), are not 0."""
    out = np.zeros_like(coefficients)
    for b in range(coefficients.shape[0]):
        total = out[b]
        for i in range(coefficients.shape[1]):
            weight = coefficients[b, i]
            if weight != 0.0:
                row = gram[i]
                for k in range(total.size):
                    total[k] += weight * row[k]
    return out
