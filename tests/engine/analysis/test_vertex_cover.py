"""The reduction of vertex cover to code design, on every small graph."""

from itertools import combinations, product

import numpy as np
import oracles_learned as oracles
import pytest

from ecocviz.engine.analysis.vertex_cover import cover_code, cover_of_code, vertex_cover_sample

GRAPHS = [
    (n, [edge for edge, kept in zip(combinations(range(n), 2), chosen, strict=True) if kept])
    for n in (1, 2, 3)
    for chosen in product([0, 1], repeat=n * (n - 1) // 2)
]


def mistakes(outputs, y, code, tie):
    """Points whose class does not win; a tie counts `tie`."""
    total = 0
    for h, label in zip(outputs, y, strict=True):
        own, other = int(code[label] @ h), int(code[1 - label] @ h)
        total += 1 if own < other else tie if own == other else 0
    return total


@pytest.mark.parametrize(("n", "edges"), GRAPHS)
@pytest.mark.parametrize("tie", [0.5, 1])
def test_the_least_number_of_mistakes_is_the_cover_number(n, edges, tie):
    outputs, y = vertex_cover_sample(n, edges)
    n_bits = 2 * n + 1
    # Only the difference of the two rows matters: every difference in {-1, 0, 1} is some code's.
    least = min(
        mistakes(outputs, y, np.array([[d > 0 for d in row], [d < 0 for d in row]], dtype=int), tie)
        for row in product([-1, 0, 1], repeat=n_bits)
    )
    assert least == oracles.cover_number(n, edges)


@pytest.mark.parametrize(("n", "edges"), GRAPHS)
def test_a_cover_gives_a_code_with_as_many_mistakes(n, edges):
    outputs, y = vertex_cover_sample(n, edges)
    for size in range(n + 1):
        for cover in combinations(range(n), size):
            if all(i in cover or j in cover for i, j in edges):
                assert mistakes(outputs, y, cover_code(cover, n).astype(int), 1) == len(cover)


@pytest.mark.parametrize(("n", "edges"), [graph for graph in GRAPHS if graph[0] < 3])
def test_any_code_gives_a_cover_no_larger_than_its_mistakes(n, edges):
    outputs, y = vertex_cover_sample(n, edges)
    for entries in product([0, 1], repeat=2 * (2 * n + 1)):
        code = np.array(entries).reshape(2, -1)
        cover = cover_of_code(code, n, edges)
        assert all(i in cover or j in cover for i, j in edges)
        assert len(cover) <= mistakes(outputs, y, code, 0.5)
