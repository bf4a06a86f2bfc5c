"""A trellis: a graph with as many paths from its source to its sink as there are classes, and few edges."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ecocviz.engine.types import BoolArray, CodeMatrix, FloatArray, IntArray

HUGE = 1e300
"""Sums of losses beyond this may leave the range of numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Trellis:
    """Vertices are numbered from the source, 0, to the sink, the last one; paths are classes.

    Attributes
    ----------
    n_classes, width
        How many paths there are, and how many vertices in a slice.
    starts : (n_vertices + 1,)
        First edge that leaves each vertex.
    heads : (n_edges,)
        Vertex that each edge leads to.
    earlier : (n_edges,)
        Number of paths by earlier edges of the same vertex.
    shared : (n_edges,)
        Edges that all paths take: they tell no class from another.
    """

    n_classes: int
    width: int
    starts: IntArray
    heads: IntArray
    earlier: IntArray
    shared: BoolArray

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return int(self.heads.size)

    def codewords(self) -> CodeMatrix:
        """Return the paths as rows over the edges that not all share, +1 on the path, -1 elsewhere."""
        # Imported here: listing the codings must not wait for the compiler.
        from ecocviz.engine.kernels.trellis import all_paths  # noqa: PLC0415 - see above

        paths = all_paths(self.starts, self.heads, self.earlier, self.n_classes)
        return np.ascontiguousarray(paths[:, ~self.shared])

    def nearest(self, plus: FloatArray, minus: FloatArray) -> IntArray:
        """Return the class whose codeword costs least, the first of several, (n_samples,).

        A class costs the sum of `plus` over the edges of its path and of `minus` over all others, added up in
        the order of the edges. The class is found by a shortest path [Evron2018]_ in about as many steps as
        there are edges, or a few times as many where rounding makes sums equal.

        Differs from the paper: it looks for the path of least plus - minus, in which one huge loss swallows
        the others; here sums are compared that are those of `costs_in_order` to the last bit.

        Parameters
        ----------
        plus, minus : (n_samples, n_bits)
            What an entry of +1 costs, and one of -1: L(f) and L(-f) for a loss L of margins.
        """
        from ecocviz.engine.kernels.trellis import cheapest_paths, sums_in_order  # noqa: PLC0415 - waits for the compiler

        edges = np.zeros((2, plus.shape[0], self.n_edges))
        edges[:, :, ~self.shared] = plus, minus
        found = cheapest_paths(self.starts, self.heads, self.earlier, edges[0], edges[1])
        odd = np.flatnonzero(~(np.abs(edges) < HUGE).all(axis=(0, 2)))
        if odd.size:  # sums may be infinite, or no numbers, which are neither ahead nor behind
            found[odd] = sums_in_order(plus[odd], minus[odd], self.codewords().T.copy()).argmin(axis=1)
        return found


@lru_cache(maxsize=64)
def trellis(n_classes: int, width: int = 2) -> Trellis:
    """Build the graph of [Evron2018]_ with exactly as many paths as classes.

    With K = a_0 + a_1 b + ... + a_n b^n, a_n > 0, there are n slices of b vertices. The source leads to
    all of the first slice, and each slice to all of the next, so a vertex of slice i is reached by b^(i-1)
    ways. The last slice leads to a_n more vertices and these to the sink: a_n b^n paths. Of slice i,
    a_(i-1) vertices lead to the sink at once: a_(i-1) b^(i-1) paths each. Width 2 is the graph that the
    paper builds on.

    Symbols: K -> n_classes, b -> width, a -> digits.

    Parameters
    ----------
    n_classes
        At least 2.
    width
        At least 2; more than there are classes are as many as there are.

    Examples
    --------
    >>> trellis(105).n_edges, trellis(1000).n_edges, trellis(1000, 10).n_edges
    (28, 42, 221)
    """
    b = min(width, n_classes)
    digits = _digits(n_classes, b)
    n = len(digits) - 1
    last, sink = 1 + n * b, 1 + n * b + digits[n]
    leaves: list[list[int]] = [list(range(1, 1 + b))]
    for i in range(1, n + 1):
        onward = list(range(1 + i * b, 1 + (i + 1) * b)) if i < n else list(range(last, sink))
        leaves += [onward + [sink] * (j < digits[i - 1]) for j in range(b)]
    leaves += [[sink]] * digits[n] + [[]]
    heads = np.array([head for heads in leaves for head in heads], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum([len(heads) for heads in leaves])]).astype(np.int64)
    return Trellis(n_classes, b, starts, heads, *_counted(starts, heads, n_classes))


def _digits(number: int, base: int) -> list[int]:
    """Write a number in a base, the last digit first."""
    digits = []
    while number:
        number, digit = divmod(number, base)
        digits.append(digit)
    return digits


def _counted(starts: IntArray, heads: IntArray, n_classes: int) -> tuple[IntArray, BoolArray]:
    """Return the number of paths by earlier edges of the same vertex, and which edges all paths take."""
    n_vertices = starts.size - 1
    onward = np.ones(n_vertices, dtype=np.int64)
    arriving = np.zeros(n_vertices, dtype=np.int64)
    arriving[0] = 1
    earlier = np.zeros(heads.size, dtype=np.int64)
    for v in range(n_vertices - 2, -1, -1):
        here = slice(starts[v], starts[v + 1])
        sums = np.cumsum(onward[heads[here]])
        earlier[here], onward[v] = sums - onward[heads[here]], sums[-1]
    tails = np.repeat(np.arange(n_vertices), np.diff(starts))
    for v in range(n_vertices - 1):
        np.add.at(arriving, heads[starts[v] : starts[v + 1]], arriving[v])
    shared: BoolArray = arriving[tails] * onward[heads] == n_classes
    return earlier, shared
