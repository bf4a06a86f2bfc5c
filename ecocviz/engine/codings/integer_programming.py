"""Codes by integer programming: the columns that keep the closest classes furthest apart, with a proof."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ecocviz.engine.entries import Coding
from ecocviz.engine.kernels.columns import count_dense_columns, dense_columns
from ecocviz.engine.kernels.row_distances import plotkin_distance, row_distances, smallest_and_mean
from ecocviz.engine.params import IntParam
from ecocviz.engine.random_codes import annealed_code, drawn_bits
from ecocviz.engine.references import GUPTA_2021
from ecocviz.engine.types import CodeMatrix, FloatArray

SWEEPS = 200
"""Of the annealing that takes over where the solver finds nothing, per entry."""
NODES = 600
"""Nodes of the search tree after which the solver gives up: not seconds, so that all computers agree."""
SPREAD_CLASSES = 8
"""Up to so many classes the columns are moved apart too."""
COLUMN_DISTANCES = (3, 2)
"""Least distances of the columns that are tried, once the row distance is known."""


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A code, and what was proved of it.

    Attributes
    ----------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, +1}.
    distance
        Its least row distance.
    bound
        No code of this size, with no column twice, has a larger one.
    columns_apart
        So many classes at least have to change sides to make one column another: 1, which any two columns
        need, or 2 or 3 where that was asked for and found.
    columns_proved
        Whether no other code of this row distance has its columns further apart, as far as 3.
    """

    code_matrix: CodeMatrix
    distance: int
    bound: int
    columns_apart: int
    columns_proved: bool


def integer_programming(n_classes: int, n_bits: int = 0) -> CodeMatrix:
    """Choose dichotomies so that the closest rows, and then the closest columns, are furthest apart.

    Implements the integer program of [Gupta2021]_: a variable x_c in {0, 1} for each column c, the
    sum of x_c over the columns that put classes a and b on opposite sides at least d for every pair, and
    sum of x_c = L; the largest d is found by HiGHS. Then, d being kept and up to 8 classes, columns
    closer than 3, or else 2, are excluded, if that is possible: of all columns near one of them at most
    one may be chosen, so that one constraint takes the place of many pairs (an edge clique cover).
    The same solver always finds the same code.

    Differs from the paper: it could be had as an abstract only, so the program is reconstructed. The
    paper asks for the shortest code with given distances; here the length is given.

    Parameters
    ----------
    n_bits
        Number of columns; 0 means ceil(10 log2 K).

    Returns
    -------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, +1}; the first row is all +1 (with two classes the second one is the +1).

    Examples
    --------
    Annealing and random draws find no code of 10 classes and 11 machines with a row distance above 5:

    >>> code_matrix = integer_programming(10, 11).astype(int)
    >>> int(((11 - code_matrix @ code_matrix.T) / 2 + 11 * np.eye(10)).min())
    6
    """
    if n_classes == 2:
        return np.array([[-1], [1]], dtype=np.int8)
    return solution(n_classes, _n_bits(n_classes, n_bits)).code_matrix.copy()


def guarantee(n_classes: int, n_bits: int = 0) -> str:
    """Say what was proved of the code.

    >>> print(guarantee(5, 5))
    Proved: no code of 5 classes and 5 different machines has a row distance above 2. Of all with this row \
distance none has its columns further apart.
    """
    if n_classes == 2:
        return "Two classes take one machine."
    found = solution(n_classes, _n_bits(n_classes, n_bits))
    size = f"{n_classes} classes and {found.code_matrix.shape[1]} different machines"
    if found.distance < found.bound:
        return (
            f"Not proved: this code has row distance {found.distance}, and no code of {size} has one above "
            f"{found.bound}. Whether one lies between was not decided."
        )
    sentence = f"Proved: no code of {size} has a row distance above {found.distance}."
    if found.columns_apart == COLUMN_DISTANCES[0]:
        return f"{sentence} Every two of its columns differ in 3 classes or more."
    if found.columns_proved:
        return f"{sentence} Of all with this row distance none has its columns further apart."
    return sentence


@lru_cache(maxsize=64)
def solution(n_classes: int, n_bits: int) -> Solution:
    """Find a code of at least 3 classes and say what was proved; the same is not searched twice."""
    bound = plotkin_distance(n_classes, n_bits)
    if n_bits == count_dense_columns(n_classes):
        whole = dense_columns(n_classes)
        distance = _distance(whole)
        return Solution(whole, distance, distance, 1, columns_proved=True)
    columns = dense_columns(n_classes)
    chosen, proved = _choose(columns, n_bits, bound, NODES)
    if chosen is None:
        chosen = annealed_code(n_classes, n_bits, SWEEPS, seed=0)
    distance = _distance(chosen)
    proved_bound = distance if proved else bound
    if n_classes > SPREAD_CLASSES:
        return Solution(chosen, distance, proved_bound, 1, columns_proved=False)
    for apart in COLUMN_DISTANCES:
        spread, decided = _choose(columns, n_bits, bound, NODES, rows_apart=distance, columns_apart=apart)
        if spread is not None:
            return Solution(spread, distance, proved_bound, apart, columns_proved=True)
        if not decided:
            return Solution(chosen, distance, proved_bound, 1, columns_proved=False)
    return Solution(chosen, distance, proved_bound, 1, columns_proved=True)


def _distance(code_matrix: CodeMatrix) -> int:
    return int(smallest_and_mean(row_distances(code_matrix))[0])


def _choose(
    columns: CodeMatrix, n_bits: int, bound: int, nodes: int, *, rows_apart: int = 0, columns_apart: int = 1
) -> tuple[CodeMatrix | None, bool]:
    """Choose columns for the largest row distance, and say whether that was decided for certain.

    Parameters
    ----------
    columns : (n_classes, n_candidates)
        All dense ones, each once.
    n_bits
        How many to choose.
    bound
        The largest row distance that is possible.
    nodes
        After which to give up.
    rows_apart
        The row distance that is asked for; 0 for the largest.
    columns_apart
        The least column distance that is asked for: 1, 2 or 3.

    Returns
    -------
    chosen : (n_classes, n_bits), or None
        None where there is no such code, or none was found.
    decided
        Whether that answer is proved.
    """
    # Imported here: listing the codings must not wait for the solver.
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415 - see above

    first, second = np.triu_indices(columns.shape[0], k=1)
    opposite = (columns[first] != columns[second]).astype(np.float64)
    n = columns.shape[1]
    # The last variable is the row distance.
    constraints: list[Any] = [
        LinearConstraint(np.column_stack([opposite, -np.ones(first.size)]), 0, np.inf),
        LinearConstraint(np.append(np.ones(n), 0.0)[None], n_bits, n_bits),
    ]
    if columns_apart > 1:
        constraints.append(LinearConstraint(_at_most_one(columns, columns_apart), -np.inf, 1))
    found = milp(
        np.append(np.zeros(n), -1.0),
        integrality=np.ones(n + 1),
        bounds=Bounds(np.append(np.zeros(n), rows_apart), np.append(np.ones(n), rows_apart or bound)),
        constraints=constraints,
        options={"node_limit": nodes, "mip_rel_gap": 0.0},
    )
    if found.x is None:
        return None, found.status == 2
    return columns[:, found.x[:n] > 0.5], found.status == 0


def _at_most_one(columns: CodeMatrix, apart: int) -> FloatArray:
    """List sets of columns of which any two are closer than `apart`, a row of 0 and 1 each.

    Together they hold every such pair. Closer than 2 are pairs with one class on the other side; closer
    than 3 are, besides, two columns that both have one class on another side than some third, or than the
    column with all classes on one side.
    """
    K, n = columns.shape
    numbers = (columns[1:] < 0).astype(np.int64).T @ (1 << np.arange(K - 1))  # 0 is the one-sided column
    place = np.full(1 << (K - 1), -1)
    place[numbers] = np.arange(n)
    # Turning class k > 0 changes one digit; turning class 0 is turning all others.
    every = np.arange(1 << (K - 1))
    turns = [every ^ (1 << k) for k in range(K - 1)] + [every ^ ((1 << (K - 1)) - 1)]
    if apart == 2:
        pairs = {tuple(sorted(pair)) for turned in turns for pair in zip(every, turned, strict=True)}
        sets = np.array(sorted(pairs))
    else:
        sets = np.column_stack([every, *turns])
    rows = np.zeros((sets.shape[0], n + 1))
    where, which = np.nonzero(place[sets] >= 0)
    rows[where, place[sets[where, which]]] = 1
    kept: FloatArray = rows[rows.sum(axis=1) > 1]
    return kept


def _n_bits(n_classes: int, n_bits: int = 0) -> int:
    return drawn_bits(n_classes, n_bits, 10, ternary=False)


CODING = Coding(
    key="integer-programming",
    title="Proved best distance",
    summary="The columns that keep the closest classes furthest apart, chosen out of all by integer "
    "programming; the proof comes along.",
    build=integer_programming,
    n_bits=_n_bits,
    reference=GUPTA_2021,
    params=(
        IntParam(
            name="n_bits",
            label="Machines",
            default=0,
            low=0,
            high=100,
            automatic=0,
            help="How many columns to choose; 0 is automatic: ten times log2 of the number of classes.",
        ),
    ),
    guarantee=guarantee,
    max_classes=11,
    instead="dense-random",
    order=15,
)
