"""Static and local reliability against loops over points and neighbours."""

import numpy as np
import oracles_decodings as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from ecocviz.engine.analysis import reliability
from ecocviz.engine.analysis.reliability import (
    hinge_losses,
    local_reliability,
    squared_norms,
    static_reliability,
)


def problem(seed, n_samples=14, n_bits=3, n_queries=5):
    """Points on a coarse grid, so that equal distances occur, with scores and sides."""
    rng = np.random.default_rng(seed)
    X_train = rng.integers(0, 3, size=(n_samples, 2)).astype(float)
    scores = rng.normal(size=(n_samples, n_bits))
    scores[0, 0] = 0
    targets = rng.choice([-1, 0, 1], size=(n_samples, n_bits)).astype(np.int8)
    targets[:2] = [[1] * n_bits, [-1] * n_bits]
    return {
        "X": rng.integers(0, 3, size=(n_queries, 2)).astype(float),
        "scores": rng.normal(size=(n_queries, n_bits)),
        "X_train": X_train,
        "train_scores": scores,
        "targets": targets,
        "norms": rng.uniform(0, 2, n_bits),
        "losses": hinge_losses(scores, targets),
    }


def by_loops(case, cost, k, exclude=None):
    costs = np.broadcast_to(cost, len(case["norms"]))
    return np.array(
        [
            [
                oracles.local_reliability(
                    x,
                    case["scores"][i, s],
                    case["X_train"],
                    case["train_scores"][:, s],
                    case["targets"][:, s],
                    case["norms"][s],
                    case["losses"][:, s],
                    costs[s],
                    k,
                    -1 if exclude is None else exclude[i],
                )
                for s in range(len(case["norms"]))
            ]
            for i, x in enumerate(case["X"])
        ]
    )


@given(seed=st.integers(0, 2**32 - 1), k=st.sampled_from((1, 2, 5, 50)))
def test_local_reliability_agrees_with_loops(seed, k):
    case = problem(seed)
    np.testing.assert_allclose(local_reliability(**case, C=0.7, n_neighbors=k), by_loops(case, 0.7, k))


@given(seed=st.integers(0, 2**32 - 1), k=st.sampled_from((1, 3, 50)))
def test_a_left_out_point_is_not_its_own_neighbour(seed, k):
    case = problem(seed)
    own = {**case, "X": case["X_train"], "scores": case["train_scores"]}
    exclude = np.arange(len(case["X_train"]))
    actual = local_reliability(**own, C=2.0, n_neighbors=k, exclude=exclude)
    np.testing.assert_allclose(actual, by_loops(own, 2.0, k, exclude))


def test_local_reliability_agrees_with_loops_chunk_by_chunk(monkeypatch):
    monkeypatch.setattr(reliability, "CHUNK_DISTANCES", 20)
    case = problem(3, n_queries=9)
    costs = np.array([0.5, 1.0, 4.0])
    np.testing.assert_allclose(local_reliability(**case, C=costs, n_neighbors=4), by_loops(case, costs, 4))


def test_machines_shown_the_same_points_share_one_search(monkeypatch):
    calls = []
    search = reliability._nearest
    monkeypatch.setattr(reliability, "_nearest", lambda *given: calls.append(1) or search(*given))
    case = problem(0)
    case["targets"] = np.where(case["targets"] < 0, -1, 1).astype(np.int8)
    local_reliability(**case, C=1.0)
    assert len(calls) == 1


def test_without_a_neighbour_on_its_side_a_point_gets_the_static_measure():
    targets = np.array([[1], [1], [-1]], dtype=np.int8)
    train_scores = np.array([[0.5], [2.0], [-3.0]])
    losses = hinge_losses(train_scores, targets)
    actual = local_reliability(
        np.array([[0.0]]), np.array([[-1.0]]), np.array([[0.0], [1], [9]]), train_scores, targets,
        np.array([0.6]), losses, 1.0, n_neighbors=2,
    )  # fmt: skip
    np.testing.assert_allclose(actual[0], static_reliability(np.array([0.6]), losses, targets, 1.0))
    assert actual[0, 0] == pytest.approx(np.exp(-(0.3 + 0.5) / 3))


def test_the_side_of_a_neighbour_is_the_predicted_one_and_zero_counts_as_positive():
    targets = np.array([[-1], [1], [-1]], dtype=np.int8)
    train_scores = np.array([[0.0], [1.0], [-1.0]])
    losses = hinge_losses(train_scores, targets)
    actual = local_reliability(
        np.array([[0.0]]), np.array([[0.0]]), np.array([[0.0], [5], [6]]), train_scores, targets,
        np.zeros(1), losses, 1.0, n_neighbors=1,
    )  # fmt: skip
    assert actual[0, 0] == pytest.approx(np.exp(-1.0))


def test_at_least_one_neighbour_is_asked_for():
    with pytest.raises(ValueError, match="at least 1 neighbour, not 0"):
        local_reliability(**problem(0), C=1.0, n_neighbors=0)


@given(seed=st.integers(0, 2**32 - 1))
def test_static_reliability_agrees_with_loops(seed):
    case = problem(seed)
    norms, losses = 0.1 * case["norms"], 0.1 * case["losses"]
    expected = [
        oracles.static_reliability(norms[s], losses[:, s], case["targets"][:, s], 3.0) for s in range(3)
    ]
    np.testing.assert_allclose(static_reliability(norms, losses, case["targets"], 3.0), expected)


def test_a_machine_that_saw_nothing_is_reliable():
    assert static_reliability(np.zeros(1), np.zeros((4, 1)), np.zeros((4, 1), dtype=np.int8), 1.0) == [1.0]
    case = problem(0)
    case["targets"][:, 1], case["losses"][:, 1], case["norms"][1] = 0, 0, 0
    np.testing.assert_array_equal(local_reliability(**case, C=1.0)[:, 1], 1.0)


def test_an_unfinished_machine_is_reported():
    targets = np.array([[1], [-1]], dtype=np.int8)
    with pytest.warns(ConvergenceWarning, match=r"Machine 1 is further from its optimum than the zero"):
        value = static_reliability(np.array([50.0]), np.zeros((2, 1)), targets, 1.0)
    assert value[0] == pytest.approx(np.exp(-12.5))
    # The zero machine itself is the limit: no warning.
    limit = static_reliability(np.zeros(1), np.ones((2, 1)), targets, 1.0)
    np.testing.assert_allclose(limit, np.exp(-1))


@pytest.mark.parametrize("cost", [0.1, 10.0])
def test_norms_and_range_hold_for_libsvms_machines(cost):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    side = np.where(X[:, 0] + 0.5 * rng.normal(size=40) > 0, 1, -1)
    svm = SVC(C=cost, gamma=0.5, tol=1e-6).fit(X, side)
    alphas = np.zeros((40, 1))
    alphas[svm.support_, 0] = np.abs(svm.dual_coef_[0])
    targets, scores = side[:, None].astype(np.int8), svm.decision_function(X)[:, None]
    gram = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    signed = alphas[:, 0] * side
    norms = squared_norms(alphas, scores, targets)
    np.testing.assert_allclose(norms, signed @ gram @ signed, rtol=1e-4)
    value = static_reliability(norms, hinge_losses(scores, targets), targets, cost)[0]
    fewer = min((side > 0).sum(), (side < 0).sum())
    assert np.exp(-2 * fewer / 40) - 1e-4 <= value <= 1


def test_hinge_losses_and_norms_by_hand():
    scores, targets = np.array([[0.25, 7.0], [2.0, -1.0]]), np.array([[1, 0], [-1, -1]], dtype=np.int8)
    np.testing.assert_array_equal(hinge_losses(scores, targets), [[0.75, 0], [3, 0]])
    alphas = np.array([[2.0, 0.0], [0.1, 0.5]])
    np.testing.assert_allclose(squared_norms(alphas, scores, targets), [0.3, 0.5])
    np.testing.assert_array_equal(squared_norms(alphas, -scores, targets), [0, 0])
