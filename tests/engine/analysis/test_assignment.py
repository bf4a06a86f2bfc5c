"""Codewords given to classes, against all orders of the rows and against scipy's search."""

from itertools import combinations, permutations

import numpy as np
import oracles_codes as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import quadratic_assignment
from sklearn.datasets import load_digits, load_iris
from strategies import code_matrices, examples

from ecocviz import ECOCClassifier, KernelMachine, assign_codewords, build_code
from ecocviz.engine.analysis import assignment
from ecocviz.engine.analysis.assignment import agreement, assign_rows, class_distances
from ecocviz.engine.kernels.assignment import best_of_all, climb, total


def tables(K, seed):
    """Distances of K random places on a plane: as whole numbers, so that sums are exact."""
    places = np.random.default_rng(seed).integers(0, 9, size=(K, 2))
    return np.abs(places[:, None] - places[None, :]).sum(axis=2).astype(float)


def value(code_matrix, distances):
    """The sum over pairs of classes, by the definition of the distance of codewords."""
    pairs = combinations(range(len(code_matrix)), 2)
    return sum(distances[a, b] * oracles.hamming_distance(code_matrix[a], code_matrix[b]) for a, b in pairs)


def columns(code_matrix):
    """The dichotomies of a code as a set, a column and its complement being the same."""
    return {max(tuple(column), tuple(-column)) for column in code_matrix.T.astype(int)}


@given(code_matrices(max_classes=5), st.integers(0, 99), st.booleans())
@examples(30)
def test_no_order_of_the_rows_is_better(code_matrix, seed, near):
    distances = tables(len(code_matrix), seed)
    found = assign_rows(code_matrix, distances, near=near)
    assert (found.code_matrix == code_matrix[found.rows]).all()
    assert sorted(found.rows) == list(range(len(code_matrix)))
    values = [value(code_matrix[list(order)], distances) for order in permutations(range(len(code_matrix)))]
    if found.before is None:
        assert not found.changed and found.after is None
    else:
        assert value(found.code_matrix, distances) == (max if near else min)(values)
        assert found.after >= found.before if near else found.after <= found.before


@given(code_matrices(min_classes=3, max_classes=6), st.integers(0, 99))
def test_agreement_is_the_correlation_over_pairs(code_matrix, seed):
    distances = tables(len(code_matrix), seed)
    pairs = list(combinations(range(len(code_matrix)), 2))
    first = [distances[a, b] for a, b in pairs]
    second = [oracles.hamming_distance(code_matrix[a], code_matrix[b]) for a, b in pairs]
    found = agreement(code_matrix, distances)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(np.corrcoef(first, second)[0, 1])


@pytest.mark.parametrize("seed", range(3))
def test_the_search_finds_what_all_orders_have(seed, monkeypatch):
    code_matrix = build_code("dense-random", 8, seed, n_bits=6)
    distances = tables(8, seed)
    exact = assign_rows(code_matrix, distances)
    monkeypatch.setattr(assignment, "EXACT_CLASSES", 2)
    searched = assign_rows(code_matrix, distances)
    assert searched.after == pytest.approx(exact.after)
    # The given order is not left for one that is only as good.
    assert not assign_rows(searched.code_matrix, distances).changed


@pytest.mark.filterwarnings("ignore:The NumPy global RNG")  # neither of these starts draws anything
@pytest.mark.parametrize("method", ["faq", "2opt"])
@pytest.mark.parametrize(("K", "near"), [(12, True), (26, True), (26, False)])
def test_the_search_is_never_behind_scipys(K, near, method):
    code_matrix, distances = build_code("bch", K), tables(K, K)
    W = np.array([[oracles.hamming_distance(a, b) for b in code_matrix] for a in code_matrix])
    start = np.stack([np.arange(K), np.arange(K)], axis=1)
    options = {"maximize": near, **({"partial_guess": start} if method == "2opt" else {})}
    rows = quadratic_assignment(distances, W, method, options=options).col_ind
    ours = value(assign_rows(code_matrix, distances, near=near).code_matrix, distances)
    theirs = value(code_matrix[rows], distances)
    assert ours >= theirs if near else ours <= theirs


def test_a_climb_ends_where_no_swap_gains():
    W, D = tables(9, 1), tables(9, 2)
    rows = np.random.default_rng(0).permutation(9)
    start = total(D, W, rows)
    assert climb(D, W, rows, 1e-9, 100) < 100
    best = total(D, W, rows)
    assert best > start
    for a, b in combinations(range(9), 2):
        swapped = rows.copy()
        swapped[[a, b]] = rows[[b, a]]
        assert total(D, W, swapped) <= best
    assert climb(D, W, rows.copy(), 1e-9, 1) == 1


def test_all_orders_are_tried_once_and_the_given_one_wins_a_tie():
    same = np.ones((4, 4))
    assert best_of_all(same, same, np.array([2, 0, 3, 1]), 1e-9).tolist() == [2, 0, 3, 1]
    W, D = tables(5, 5), tables(5, 6)
    best = max(total(D, W, np.array(order)) for order in permutations(range(5)))
    assert total(D, W, best_of_all(D, W, np.arange(5), 1e-9)) == best


def test_distances_of_classes_are_those_of_their_means_in_equal_units():
    X, y = load_iris(return_X_y=True)
    points = (X - X.mean(axis=0)) / X.std(axis=0)
    means = [points[y == c].mean(axis=0) for c in range(3)]
    found = class_distances(X * [1, 100, 1e-3, 1] + [0, 5, 0, 0], y, 3)
    expected = [[np.linalg.norm(a - b) for b in means] for a in means]
    np.testing.assert_allclose(found, expected, atol=1e-9)
    # A feature that never changes says nothing; a class without points stands in the middle.
    with_more = class_distances(np.column_stack([X, np.full(150, 0.1)]), y, 4)
    np.testing.assert_allclose(with_more[:3, :3], expected, atol=1e-9)
    np.testing.assert_allclose(with_more[3, :3], [np.linalg.norm(a) for a in means], atol=1e-9)


@pytest.mark.parametrize("key", ["one-vs-all", "one-vs-one"])
def test_codes_whose_rows_are_equally_far_apart_stay_and_have_the_same_machines_in_any_order(key):
    X, y = load_iris(return_X_y=True)
    code_matrix = build_code(key, 3)
    assert (assign_codewords(code_matrix, X, y) == code_matrix).all()
    assert agreement(code_matrix, class_distances(X, y, 3)) is None
    kept = ECOCClassifier(code_matrix, decoding="hamming").fit(X, y)
    turned = ECOCClassifier(code_matrix[[2, 0, 1]], decoding="hamming").fit(X, y)
    assert columns(kept.code_matrix_) == columns(turned.code_matrix_)
    # The same problems, solved in another order and turned: the same decisions but where costs tie.
    costs = np.sort(kept.costs(X), axis=1)
    clear = costs[:, 1] - costs[:, 0] > 1e-9
    assert clear.mean() > 0.9
    assert (kept.predict(X)[clear] == turned.predict(X)[clear]).all()


@pytest.mark.parametrize("key", ["one-vs-all", "one-vs-one"])
@pytest.mark.parametrize("K", [4, 7, 10])
def test_any_order_of_their_rows_has_the_same_columns(key, K):
    code_matrix = build_code(key, K)
    rows = np.random.default_rng(K).permutation(K)
    assert columns(code_matrix[rows]) == columns(code_matrix)
    assert not assign_rows(code_matrix, tables(K, K)).changed


def test_similar_digits_get_similar_codewords_and_fewer_errors_than_with_unlike_ones():
    X, y = load_digits(return_X_y=True)
    X = X / 16
    code_matrix = build_code("dense-random", 10, n_bits=8)
    errors = []
    for near in (True, False):
        assigned = assign_codewords(code_matrix, X, y, near=near)
        assert sorted(map(tuple, assigned)) == sorted(map(tuple, code_matrix))
        model = ECOCClassifier(assigned, machine=KernelMachine("linear", C=1.0), decoding="hamming")
        errors.append(1 - model.fit(X[::3], y[::3]).score(X[1::3], y[1::3]))
    assert errors[0] < errors[1]


def test_the_same_seed_gives_the_same_rows_and_labels_may_be_words():
    X, y = load_digits(return_X_y=True)
    words = np.array(list("abcdefghij"))[y]
    code_matrix = build_code("bch", 10)
    first, second = (assign_codewords(code_matrix, X, labels, seed=4) for labels in (y, words))
    assert (first == second).all() and first.dtype == np.int8


@pytest.mark.parametrize(
    ("code_matrix", "X", "said"),
    [
        ([[1], [-1]], np.zeros((6, 2)), "a row for each of the 3 classes"),
        ([[1], [-1], [1]], np.zeros(6), "a table of finite numbers"),
        ([[1], [-1], [1]], np.full((6, 2), np.nan), "a table of finite numbers"),
    ],
)
def test_what_cannot_be_assigned_is_one_sentence(code_matrix, X, said):
    with pytest.raises(ValueError, match=said):
        assign_codewords(code_matrix, X, [0, 1, 2, 0, 1, 2])


def test_distances_of_other_classes_are_refused():
    with pytest.raises(ValueError, match="distances of 3 classes"):
        assign_rows(build_code("one-vs-all", 3), np.zeros((2, 2)))
