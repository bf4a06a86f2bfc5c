"""Why the best code is hard to find: a graph's smallest vertex cover, written as the design of a code."""

from collections.abc import Sequence

import numpy as np

from ecocviz.engine.types import CodeMatrix, IntArray


def vertex_cover_sample(n_vertices: int, edges: Sequence[tuple[int, int]]) -> tuple[IntArray, IntArray]:
    """Write a graph as machines' outputs on a sample of two classes.

    Implements the reduction of Theorem 2 of [Crammer2002]_. With a code of entries in {0, 1}, the least
    number of mistakes on this sample, a tie counted as half a mistake or as a whole one, is the size of
    the graph's smallest vertex cover.

    Differs from the paper: it leaves open how ties count; were they free, the least number would be 0.

    Parameters
    ----------
    n_vertices
        Number of vertices, numbered from 0.
    edges
        Pairs of vertices.

    Returns
    -------
    outputs : (2 n_edges + n_vertices, 2 n_vertices + 1)
        Entries in {0, 1}; two points of class 0 for each edge, one of class 1 for each vertex.
    y : (2 n_edges + n_vertices,)

    Examples
    --------
    >>> outputs, y = vertex_cover_sample(2, [(0, 1)])
    >>> outputs.tolist(), y.tolist()
    ([[1, 1, 0, 0, 1], [0, 0, 1, 1, 1], [1, 0, 1, 0, 1], [0, 1, 0, 1, 1]], [0, 0, 1, 1])
    """
    marked = [(i + copy, j + copy) for i, j in edges for copy in (0, n_vertices)]
    marked += [(i, i + n_vertices) for i in range(n_vertices)]
    outputs = np.zeros((len(marked), 2 * n_vertices + 1), dtype=np.int64)
    outputs[:, -1] = 1
    for row, (i, j) in enumerate(marked):
        outputs[row, [i, j]] = 1
    y = np.repeat([0, 1], [2 * len(edges), n_vertices]).astype(np.int64)
    return outputs, y


def cover_code(cover: Sequence[int], n_vertices: int) -> CodeMatrix:
    """Write a vertex cover as the code that makes as many mistakes as the cover has vertices.

    Returns
    -------
    code_matrix : (2, 2 n_vertices + 1)
        Entries in {0, 1}.

    Examples
    --------
    >>> cover_code([0], 2).tolist()
    [[1, 0, 1, 0, 1], [0, 1, 0, 1, 0]]
    """
    chosen = np.isin(np.arange(n_vertices), cover)
    first = np.r_[chosen, chosen, True]
    return np.stack([first, ~first]).astype(np.int8)


def cover_of_code(code_matrix: CodeMatrix, n_vertices: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """Read a vertex cover from any code for the sample, no larger than its number of mistakes.

    The cover takes the vertices that the code gets wrong, and one end of every edge that is then still
    open: of such an edge's two points one is wrong, or both tie.

    Parameters
    ----------
    code_matrix : (2, 2 n_vertices + 1)
        Entries in {0, 1}.
    """
    lead = (code_matrix[0] - code_matrix[1].astype(np.int64))[:-1].reshape(2, n_vertices).sum(axis=0)
    lead = lead + int(code_matrix[0, -1]) - int(code_matrix[1, -1])
    cover = {int(v) for v in np.flatnonzero(lead > 0)}
    for i, j in edges:
        if i not in cover and j not in cover:
            cover.add(i if lead[i] >= lead[j] else j)
    return sorted(cover)
