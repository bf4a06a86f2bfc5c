"""ECOC-ONE: confusions choose the pair, errors are errors, and columns grow on both sides."""

from itertools import pairwise

import numpy as np
import oracles_learned as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier
from strategies_learned import clouds, trainer

from ecocviz.engine.codings.decoc import decoc
from ecocviz.engine.codings.ecoc_one import (
    VALIDATION_WEIGHT,
    _Judge,
    _new_column,
    _spread_of,
    _validation_part,
    confusions,
    decode,
    ecoc_one,
    grow_column,
    machine_weights,
)
from ecocviz.engine.partitions import column_name

counts = st.integers(2, 5).flatmap(
    lambda k: st.lists(
        st.lists(st.integers(0, 9), min_size=k, max_size=k).map(lambda row: [value + 1 for value in row]),
        min_size=2 * k,
        max_size=2 * k,
    )
)


@given(counts)
def test_the_pair_is_the_one_confused_most_on_both_parts(tables):
    k = len(tables) // 2
    trained, validated = np.array(tables[:k], float), np.array(tables[k:], float)
    confused = confusions(trained / trained.sum(), validated / validated.sum())
    np.testing.assert_allclose(confused, confused.T)
    assert not np.diag(confused).any()
    rng = np.random.default_rng(0)
    column, pair = _new_column(confused, np.zeros((k, 0), np.int8), "pair", lambda _c: 0.0, rng)
    expected = oracles.most_confused(tables[:k], tables[k:], VALIDATION_WEIGHT)
    assert confused[pair] == pytest.approx(confused[expected])
    assert column[pair[0]] == 1 and column[pair[1]] == -1 and np.abs(column).sum() == 2


def test_a_pair_that_has_its_column_gives_way_to_the_next():
    confused = np.array([[0, 5, 3], [5, 0, 1], [3, 1, 0.0]])
    rng = np.random.default_rng(0)
    there = np.array([[-1], [1], [0]], np.int8)
    column, pair = _new_column(confused, there, "pair", lambda _c: 0.0, rng)
    assert pair == (0, 2) and column.tolist() == [1, 0, -1]
    every = np.array([[1, 1, 0], [-1, 0, 1], [0, -1, -1]], np.int8)
    assert _new_column(confused, every, "pair", lambda _c: 0.0, rng)[0] is None
    assert _new_column(confused * 0, there, "pair", lambda _c: 0.0, rng)[0] is None


def judged(spread=1.0, **params):
    X, y = clouds(5, 16, spread=spread)
    validation = _validation_part(y, np.random.default_rng(0))
    judge = _Judge(X, y, trainer(**params), validation)
    judge.add(decoc(X, y, None).code_matrix)
    return judge


def test_the_error_is_the_share_of_wrong_answers_with_both_parts_weighed():
    """A peer adds up the right answers and calls them the error, and loses the weight."""
    judge = judged()
    weights = machine_weights(judge.scores, judge.code, judge.y, judge.validation)
    labels = decode(judge.scores, judge.code, weights)
    errors = [
        oracles.error_rate(oracles.confusion(judge.y[part], labels[part], 5))
        for part in (~judge.validation, judge.validation)
    ]
    assert 0 < errors[0] < 0.6
    assert judge.error() == pytest.approx((1 - VALIDATION_WEIGHT) * errors[0] + VALIDATION_WEIGHT * errors[1])


def test_where_nothing_is_wrong_nothing_is_added():
    X, y = clouds(4, 14, spread=0.05)
    design = ecoc_one(X, y, trainer(C=100.0), "one-vs-all", enough=0.0)
    assert [step.value for step in design.story] == [0.0]
    np.testing.assert_array_equal(design.code_matrix, 2 * np.eye(4, dtype=np.int8) - 1)


def test_additions_lower_the_error_or_are_taken_back():
    X, y = clouds(6, 20, spread=1.3)
    design = ecoc_one(X, y, trainer(kernel="linear"), enough=0.0)
    kept = [step for step in design.story if "taken back" not in step.label]
    assert [step.value for step in kept] == sorted((step.value for step in kept), reverse=True)
    assert design.code_matrix.shape[1] == kept[-1].bits
    assert len(kept) > 1
    for step in design.story[1:]:
        a, b = np.unravel_index(np.argmax(np.triu(step.table)), step.table.shape)
        assert {a in step.plus, b in step.plus} == {True, False}
        assert {a in step.minus, b in step.minus} == {True, False}
    assert all(len(step.label) for step in design.story)


def test_a_column_that_raises_the_error_is_taken_back_and_the_search_stops():
    found = False
    for seed in range(12):
        X, y = clouds(5, 12, spread=1.6, seed=seed)
        design = ecoc_one(X, y, trainer(kernel="linear"), columns="pair", enough=0.0, seed=seed)
        *before, last = design.story
        if "taken back" in last.label:
            found = True
            assert last.value > before[-1].value
            assert design.code_matrix.shape[1] == before[-1].bits == last.bits
        assert not any("taken back" in step.label for step in before)
    assert found


@pytest.mark.parametrize("start", ["tree", "one-vs-all", "one-vs-one"])
@pytest.mark.parametrize("columns", ["pair", "grown", "grown-by-error"])
def test_every_start_and_every_way_to_grow(start, columns):
    X, y = clouds(5, 12, spread=1.2)
    design = ecoc_one(X, y, trainer(kernel="linear"), start, columns, 3, 0.0)
    n_first = {"tree": 4, "one-vs-all": 5, "one-vs-one": 10}[start]
    assert design.story[0].bits == n_first
    assert n_first <= design.code_matrix.shape[1] <= n_first + 3
    names = [column_name(column) for column in design.code_matrix.T]
    assert len(set(names)) == len(names)


def test_one_vs_one_starts_with_every_pair():
    X, y = clouds(3, 12)
    design = ecoc_one(X, y, trainer(), "one-vs-one", additions=0)
    assert design.code_matrix.tolist() == [[1, 1, 0], [-1, 0, 1], [0, -1, -1]]


# --- growing --------------------------------------------------------------------------------------


def grown(growth, taken=frozenset(), k=6, seed=0):
    column = np.zeros(k, np.int8)
    column[0], column[1] = 1, -1
    return grow_column(column, (0, 1), set(taken), growth, np.random.default_rng(seed))


@pytest.mark.parametrize("wanted", [1, -1])
def test_classes_join_either_side(wanted):
    """A peer tries the first side twice and the second never."""

    def growth(column):
        return -float((column == wanted).sum()) + 10.0 * (column == -wanted).sum()

    column = grown(growth)
    assert (column == wanted).sum() > 1 and (column == -wanted).sum() == 1


def test_the_pair_always_stays_and_others_may_leave():
    values = []

    def growth(column):
        values.append(int(np.abs(column).sum()))
        return 0.0  # every try is kept

    column = grown(growth)
    assert column[0] == 1 and column[1] == -1
    assert any(later < earlier for earlier, later in pairwise(values))


def test_nothing_joins_that_makes_it_worse():
    assert grown(lambda column: float(np.abs(column).sum())).tolist() == [1, -1, 0, 0, 0, 0]


def test_a_pair_that_is_a_column_already_takes_any_new_one():
    taken = {column_name(np.array([1, -1, 0, 0], np.int8))}
    column = grown(lambda column: float(np.abs(column).sum()), taken, k=4)
    assert column_name(column) not in taken and np.abs(column).sum() == 3
    every = {column_name(np.array([1, -1, a, b], np.int8)) for a in (-1, 0, 1) for b in (-1, 0, 1)}
    assert grown(lambda _c: 0.0, every, k=4).tolist() == [1, -1, 0, 0]


def test_information_is_shared_out_so_that_far_classes_may_join():
    """Four clouds far apart: two and two are parted as well as one and one."""
    X = np.repeat([[0.0, 0], [0, 1], [50, 0], [50, 1]], 5, axis=0)
    y = np.repeat(np.arange(4), 5)
    growth = _spread_of(X, y)
    pair = growth(np.array([1, 0, -1, 0], np.int8))
    assert growth(np.array([1, 1, -1, -1], np.int8)) == pytest.approx(pair, rel=0.01)
    assert growth(np.array([1, -1, -1, 1], np.int8)) > 0.1 * pair


# --- weights and decoding -------------------------------------------------------------------------


def test_machines_weigh_by_their_validation_error():
    code = np.array([[1, 1], [-1, 0], [0, -1]], np.int8)
    y = np.array([0, 0, 1, 1, 2, 2])
    scores = np.array([[1, 1], [-1, 1], [-1, 9], [-1, 9], [9, 1], [9, -1.0]])
    validation = np.array([False, True, False, True, False, False])
    weights = machine_weights(scores, code, y, validation)
    # The first machine errs on one of two validation points that it knows, the second on none of one.
    assert weights[0] == pytest.approx(0)
    assert weights[1] == pytest.approx(np.log((1 - 1e-7) / 1e-7) / 2)
    # Without a validation point a machine is judged by its training points: one of four is wrong.
    weights = machine_weights(scores, code, y, np.zeros(6, bool))
    assert weights == pytest.approx([np.log(3) / 2, np.log(3) / 2])


@given(st.data())
def test_decoding_is_the_weighted_distance_over_known_bits(data):
    k, n_bits = data.draw(st.tuples(st.integers(2, 4), st.integers(1, 4)))
    code = data.draw(
        st.lists(
            st.lists(st.sampled_from([-1, 0, 1]), min_size=n_bits, max_size=n_bits), min_size=k, max_size=k
        )
    )
    f = data.draw(st.lists(st.floats(-3, 3), min_size=n_bits, max_size=n_bits))
    w = data.draw(st.lists(st.floats(-2, 8), min_size=n_bits, max_size=n_bits))
    costs = [
        sum(wj * abs(m) * (min(1, max(-1, x)) - m) ** 2 for wj, m, x in zip(w, row, f, strict=True))
        for row in code
    ]
    label = decode(np.array([f]), np.array(code, np.int8), np.array(w))[0]
    assert costs[label] == pytest.approx(min(costs), abs=1e-9)


def test_weights_decide():
    """A peer loses the weights on the way."""
    code = np.array([[1, 1], [-1, -1]], np.int8)
    scores = np.array([[1.0, -1.0]])
    assert decode(scores, code, np.array([2.0, 1.0]))[0] == 0
    assert decode(scores, code, np.array([1.0, 2.0]))[0] == 1


def test_the_validation_part_is_drawn_from_every_class():
    y = np.repeat([0, 1, 2, 3], [40, 7, 2, 1])
    validation = _validation_part(y, np.random.default_rng(0))
    assert np.bincount(y[validation], minlength=4).tolist() == [6, 1, 1, 0]
    assert np.flatnonzero(validation[:40]).tolist() != list(range(34, 40))


def test_machines_never_see_validation_points():
    X, y = clouds(3, 12)
    validation = _validation_part(y, np.random.default_rng(0))
    seen = []
    inner = trainer(DecisionTreeClassifier(random_state=0))

    def train(part, targets, progress):
        seen.append(part)
        return inner(part, targets, progress)

    _Judge(X, y, train, validation).add(np.array([[1], [-1], [0]], np.int8))
    np.testing.assert_array_equal(seen[0], X[~validation])
