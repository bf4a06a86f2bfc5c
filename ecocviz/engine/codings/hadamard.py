"""Hadamard codes: every two rows of the square matrix differ in exactly half of the places."""

import numpy as np

from ecocviz.engine.entries import Coding
from ecocviz.engine.params import ChoiceParam
from ecocviz.engine.references import PALEY_1933
from ecocviz.engine.types import CodeMatrix, IntArray


def hadamard(n_classes: int, construction: str = "sylvester") -> CodeMatrix:
    """Take rows of a Hadamard matrix without its constant column.

    A Hadamard matrix of order n has entries -1 and +1 and orthogonal rows, so every two rows differ
    in exactly n/2 places. Sylvester's are the powers of [[1, 1], [1, -1]]; those of [Paley1933]_ have
    order q + 1 for a prime q that leaves 3 when divided by 4, and doubling any order gives another.

    Parameters
    ----------
    construction
        "sylvester" takes the next power of two as order; "shortest" the smallest order that
        Sylvester's, Paley's and doubling give.

    Returns
    -------
    code_matrix : (n_classes, order - 1)
        Entries in {-1, +1}; the first row is all +1 (with two classes the second one is the +1). As
        fewer than half of the rows are left out, no two columns agree, or disagree, in all others.

    Examples
    --------
    >>> hadamard(4).tolist()
    [[1, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]]
    >>> hadamard(10).shape, hadamard(10, "shortest").shape
    ((10, 15), (10, 11))
    """
    if n_classes == 2:
        return np.array([[-1], [1]], dtype=np.int8)
    square = _square(_order(n_classes, construction))
    return np.ascontiguousarray(square[:n_classes, 1:])


def _order(n_classes: int, construction: str) -> int:
    """Find the smallest order on offer that has a row for each class."""
    power = 1 << (n_classes - 1).bit_length()
    if construction == "sylvester":
        return power
    smaller = (order for order in range(n_classes + -n_classes % 4, power, 4) if _exists(order))
    return next(smaller, power)


def _exists(order: int) -> bool:
    """Tell whether Paley's construction, or doubling one of its matrices, gives this order."""
    return order % 4 == 0 and (_is_prime(order - 1) or _exists(order // 2))


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


def _square(order: int) -> CodeMatrix:
    """Build a Hadamard matrix, (order, order), with first row and column all +1."""
    if order == 1:
        return np.ones((1, 1), dtype=np.int8)
    if order & (order - 1) and _is_prime(order - 1):
        return _paley(order - 1)
    half = _square(order // 2)
    return np.block([[half, half], [half, -half]]).astype(np.int8)


def _paley(q: int) -> CodeMatrix:
    """Build Paley's first matrix for a prime q that leaves 3 when divided by 4, (q + 1, q + 1)."""
    square = np.ones((q + 1, q + 1), dtype=np.int8)
    difference: IntArray = (np.arange(q)[None, :] - np.arange(q)[:, None]) % q
    is_residue = np.isin(difference, np.arange(1, q) ** 2 % q)
    square[1:, 1:] = np.where(is_residue, 1, -1)
    return square


def _n_bits(n_classes: int, construction: str = "sylvester") -> int:
    return _order(n_classes, construction) - 1


CODING = Coding(
    key="hadamard",
    title="Hadamard",
    summary="Few machines, and codewords all equally far apart: any two differ in half of the bits.",
    build=hadamard,
    n_bits=_n_bits,
    reference=PALEY_1933,
    params=(
        ChoiceParam(
            name="construction",
            label="Construction",
            default="sylvester",
            options=(
                ("sylvester", "Sylvester (powers of two)"),
                ("shortest", "Shortest known here (also Paley)"),
            ),
            help="The shortest matrix needs fewer machines, but can repair fewer wrong bits.",
        ),
    ),
    order=13,
)
