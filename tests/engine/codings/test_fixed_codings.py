"""Codings without chance: the matrices that are known, and what defines them."""

from itertools import combinations

import numpy as np
import oracles_codes as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.codings.binary_complete import binary_complete
from ecocviz.engine.codings.hadamard import CODING as HADAMARD
from ecocviz.engine.codings.hadamard import hadamard
from ecocviz.engine.codings.one_vs_all import one_vs_all
from ecocviz.engine.codings.one_vs_one import one_vs_one
from ecocviz.engine.codings.ordinal import ordinal
from ecocviz.engine.codings.ternary_complete import ternary_complete


def read(text):
    return [[int(entry) for entry in line.split()] for line in text.split("/")]


def test_ordinal_of_four_classes():
    assert ordinal(4).tolist() == read("-1 -1 -1 / 1 -1 -1 / 1 1 -1 / 1 1 1")


def test_binary_complete_of_four_classes():
    assert binary_complete(4).tolist() == read(
        " 1  1  1  1  1  1  1 / 1  1  1 -1 -1 -1 -1 / 1 -1 -1  1  1 -1 -1 / -1  1 -1  1 -1  1 -1"
    )


@pytest.mark.parametrize("n_classes", range(3, 9))
def test_binary_complete_reversed_alternates_runs(n_classes):
    # Row r of the exhaustive code as first published: runs of 2^(K-r) of -1, then as many +1, ...
    n_bits = 2 ** (n_classes - 1) - 1
    expected = [[1] * n_bits]
    for row in range(2, n_classes + 1):
        run = 2 ** (n_classes - row)
        expected.append([-1 if b // run % 2 == 0 else 1 for b in range(n_bits)])
    assert binary_complete(n_classes)[:, ::-1].tolist() == expected


@pytest.mark.parametrize("n_classes", range(3, 8))
def test_binary_complete_begins_and_ends_with_a_single_class(n_classes):
    code_matrix = binary_complete(n_classes)
    assert code_matrix[:, 0].tolist() == [1] * (n_classes - 1) + [-1]
    assert code_matrix[:, -1].tolist() == [1] + [-1] * (n_classes - 1)


@pytest.mark.parametrize("n_classes", range(3, 8))
def test_binary_complete_has_every_dichotomy_once(n_classes):
    columns = oracles.columns(binary_complete(n_classes).tolist())
    assert len(columns) == 2 ** (n_classes - 1) - 1
    assert {oracles.first_sign_positive(column) for column in columns} == oracles.dichotomies(
        n_classes, (-1, 1)
    )


def test_ternary_complete_of_three_classes():
    assert ternary_complete(3).tolist() == read("-1 -1 0 1 -1 -1 / 1 -1 -1 -1 0 1 / 0 1 1 1 1 1")


@pytest.mark.parametrize(("n_classes", "n_bits"), [(2, 1), (3, 6), (6, 301), (10, 28501)])
def test_ternary_complete_has_so_many_columns(n_classes, n_bits):
    assert ternary_complete(n_classes).shape == (n_classes, n_bits)


@pytest.mark.parametrize("n_classes", range(2, 7))
def test_ternary_complete_has_every_dichotomy_once(n_classes):
    columns = oracles.columns(ternary_complete(n_classes).tolist())
    assert len(set(columns)) == len(columns)
    assert {oracles.first_sign_positive(column) for column in columns} == oracles.dichotomies(
        n_classes, (-1, 0, 1)
    )


@pytest.mark.parametrize("n_classes", range(3, 9))
def test_one_vs_one_has_the_pairs_in_order(n_classes):
    columns = oracles.columns(one_vs_one(n_classes).tolist())
    for column, (first, second) in zip(columns, combinations(range(n_classes), 2), strict=True):
        assert column == tuple({first: 1, second: -1}.get(c, 0) for c in range(n_classes))


@given(st.integers(3, 12))
def test_one_vs_all_has_one_plus_per_column(n_classes):
    code_matrix = one_vs_all(n_classes)
    np.testing.assert_array_equal((code_matrix == 1).sum(axis=0), 1)
    np.testing.assert_array_equal(np.argmax(code_matrix, axis=0), np.arange(n_classes))


@pytest.mark.parametrize("construction", ["sylvester", "shortest"])
@pytest.mark.parametrize("n_classes", [3, 4, 5, 8, 9, 10, 12, 13, 20, 21, 24, 25, 28, 44, 45, 60, 100])
def test_rows_of_hadamard_codes_differ_in_half_of_the_order(n_classes, construction):
    code_matrix = hadamard(n_classes, construction)
    order = code_matrix.shape[1] + 1
    assert order == HADAMARD.n_bits(n_classes, construction) + 1
    for a, b in combinations(code_matrix.tolist(), 2):
        assert oracles.row_distance(a, b) == order / 2
    kinds = {oracles.first_sign_positive(column) for column in oracles.columns(code_matrix.tolist())}
    assert len(kinds) == order - 1
    assert not any(oracles.is_one_sided(column) for column in kinds)


@pytest.mark.parametrize(
    ("n_classes", "order"), [(9, 12), (13, 16), (17, 20), (21, 24), (25, 32), (33, 40), (41, 44), (101, 104)]
)
def test_the_shortest_hadamard_matrices_have_known_orders(n_classes, order):
    # 12, 20, 24, 44, 104 are Paley's for q = 11, 19, 23, 43, 103; 40 doubles 20; 28 needs q = 27,
    # which is no prime.
    assert hadamard(n_classes, "shortest").shape == (n_classes, order - 1)


def test_sylvester_of_order_eight_is_a_threefold_product():
    square = np.array([[1]])
    for _ in range(3):
        square = np.kron([[1, 1], [1, -1]], square)
    assert hadamard(8).tolist() == square[:, 1:].tolist()
