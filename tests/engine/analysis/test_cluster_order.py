"""The order of clustered heatmaps, scaled products, joint errors."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.analysis.correlations import cluster_order, cosines, joint_errors


def test_blocks_of_alike_machines_stand_together():
    member = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2])
    r = np.where(member[:, None] == member[None, :], 0.9, -0.1)
    np.fill_diagonal(r, 1.0)
    ordered = member[cluster_order(r)]
    assert (np.diff(ordered) != 0).sum() == 2


@given(st.integers(1, 12), st.integers(0, 1_000))
def test_the_order_holds_every_machine_once(n, seed):
    factors = np.random.default_rng(seed).normal(size=(n, 3))
    order = cluster_order(cosines(factors @ factors.T))
    assert sorted(order.tolist()) == list(range(n))


def test_more_machines_than_can_be_ordered_optimally():
    r = np.eye(160)
    r[0, 159] = r[159, 0] = 0.8
    order = cluster_order(r).tolist()
    assert sorted(order) == list(range(160))
    assert abs(order.index(0) - order.index(159)) == 1


def test_cosines_by_the_definition_with_a_zero_machine():
    vectors = np.array([[1.0, 2.0], [0.0, 0.0], [-3.0, 1.0]])
    found = cosines(vectors @ vectors.T)
    assert abs(found[0, 2] - np.dot(vectors[0], vectors[2]) / np.sqrt(5 * 10)) < 1e-15
    assert found[0, 1] == 0 and found[1, 1] == 1


@given(st.integers(0, 30), st.integers(0, 1_000))
def test_joint_errors_are_counted(n, seed):
    rng = np.random.default_rng(seed)
    asked = rng.random((n, 3)) < 0.7
    wrong = asked & (rng.random((n, 3)) < 0.5)
    counts = [[0, 0], [0, 0]]
    for i in range(n):
        if asked[i, 0] and asked[i, 2]:
            counts[int(wrong[i, 0])][int(wrong[i, 2])] += 1
    assert joint_errors(wrong, asked, 0, 2).tolist() == counts
