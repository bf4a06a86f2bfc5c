"""Which classes are taken for which: the most frequent errors, and an order that shows them together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.views.decoders.confusion import alike_order, frequent_errors


@given(st.integers(2, 6), st.integers(0, 2**16))
def test_the_most_frequent_errors_come_first(n, seed):
    counts = np.random.default_rng(seed).integers(0, 4, (n, n))
    found = frequent_errors(counts, 4)
    errors = sorted((counts[a, b] for a in range(n) for b in range(n) if a != b), reverse=True)
    assert [n_wrong for _, _, n_wrong in found] == [n_wrong for n_wrong in errors[:4] if n_wrong]
    assert all(i != j and counts[i, j] == n_wrong for i, j, n_wrong in found)


def test_classes_that_are_confused_stand_side_by_side():
    n = 26
    counts = 40 * np.eye(n, dtype=int)
    pairs = [(0, 17), (3, 25), (8, 12), (17, 21)]
    for i, j in pairs:
        counts[i, j], counts[j, i] = 9, 4
    order = alike_order([counts, counts])
    assert sorted(order.tolist()) == list(range(n))
    place = np.argsort(order)
    assert all(abs(place[i] - place[j]) == 1 for i, j in pairs)


def test_without_errors_any_order_will_do():
    assert sorted(alike_order([5 * np.eye(7, dtype=int)]).tolist()) == list(range(7))
