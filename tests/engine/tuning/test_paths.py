"""Machines along C, without sets of points, against each problem trained from nothing by the slow oracle."""

import numpy as np
import oracles_machines as oracle
import pytest
from hearing import EndedError
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.tuning import paths as module
from ecocviz.engine.tuning.paths import ColumnPaths

CS = (0.1, 0.5, 4.0, 50.0)


@st.composite
def problems(draw):
    """Kernel values, columns with zeros, left-out points and weights; duplicates, empty columns and sets."""
    n = draw(st.integers(2, 9))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    X = rng.integers(-2, 3, size=(n, 2)).astype(float)
    gram = oracle.gram(draw(st.sampled_from(["rbf", "linear", "poly"])), X, gamma=0.5, degree=2, bias=1.0)
    columns = rng.choice([-1, 0, 1], size=(n, 2), p=[0.4, 0.2, 0.4]).astype(np.int8)
    left_out = rng.random((3, n)) < [[0.0], [0.3], [1.0]]
    weights = rng.choice([0.5, 1.0, 2.0], size=n) if draw(st.booleans()) else np.ones(n)
    shares = np.where(left_out, 0.0, weights)
    if draw(st.booleans()):  # of each side its own
        shares = shares[:, None, :] * np.where(columns.T > 0, 3.0, 1.0)
    return gram, columns, left_out, shares


def share_of(shares, s, b):
    return shares[s] if shares.ndim == 2 else shares[s, b]


def check(problem, tol=1e-9):
    gram, columns, left_out, shares = problem
    paths = ColumnPaths(gram, columns, left_out, shares, tol=tol, max_updates=100_000)
    for C in CS:
        paths.rise(C, NO_PROGRESS)
        assert (paths.left <= tol).all()
        for s, b in np.ndindex(paths.left.shape):
            t, alphas = columns[:, b].astype(float), paths.alphas[s, b]
            upper = C * share_of(shares, s, b) * (t != 0)
            assert ((alphas >= 0) & (alphas <= upper)).all()
            residual = t - gram @ (alphas * t)
            np.testing.assert_allclose(paths.residuals[s, b], residual, atol=1e-8 * (1 + C))
            shown = upper > 0
            rise, fall = (alphas < upper) * t * residual, (alphas > 0) * -t * residual
            assert np.maximum(rise, fall)[shown].max(initial=0.0) <= tol + 1e-8 * (1 + C)
            assert paths.settled[s, b] == bool((alphas[shown] < upper[shown]).all())


@given(problem=problems())
def test_every_machine_is_at_its_optimum_at_every_price(problem):
    check(problem)


@given(problem=problems())
@examples(25)
def test_they_are_so_however_the_points_are_taken_in_turns(problem):
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("FIRST_STEPS", 1), ("MOST_STEPS", 3), ("FEW", 0.8), ("BAND", -0.05)):
            patch.setattr(module, name, value)
        check(problem)


@given(problem=problems())
@examples(10)
def test_the_objective_is_the_slow_oracles(problem):
    gram, columns, left_out, shares = problem
    paths = ColumnPaths(gram, columns, left_out, shares, tol=1e-9, max_updates=100_000)
    for C in CS[:3]:
        paths.rise(C, NO_PROGRESS)
    for s, b in np.ndindex(paths.left.shape):
        t = columns[:, b].astype(float)
        slow = oracle.box_dual(gram, t, C * share_of(shares, s, b) * (t != 0), tol=1e-7, most=20_000)
        assert oracle.objective(gram, t, paths.alphas[s, b]) >= oracle.objective(gram, t, slow) - 1e-6


def test_what_no_bound_holds_is_not_trained_again(monkeypatch):
    """Two far points: beyond C = 1 no coefficient is at its bound."""
    gram = np.eye(2)
    nobody = np.zeros((1, 2), dtype=bool)
    paths = ColumnPaths(
        gram, np.array([[1], [-1]], np.int8), nobody, np.ones((1, 2)), tol=1e-9, max_updates=99
    )
    paths.rise(2.0, NO_PROGRESS)
    assert paths.settled.all()
    monkeypatch.setattr(module, "solve_box_dual", None)
    paths.rise(4.0, NO_PROGRESS)
    np.testing.assert_allclose(paths.alphas, 1.0)


def test_single_precision_keeps_a_coarse_tolerance():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), rng.integers(0, 2, 300)
    gram = oracle.gram("rbf", X, gamma=0.3, bias=1.0)
    columns = np.where(y == 1, 1, -1).astype(np.int8)[:, None]
    left_out = rng.random((2, 300)) < 0.2
    shares = np.where(left_out, 0.0, 1.0)
    paths = ColumnPaths(gram.astype(np.float32), columns, left_out, shares, tol=1e-3, max_updates=10**6)
    for C in (0.1, 1.0, 10.0):
        paths.rise(C, NO_PROGRESS)
        for s in range(2):
            t, upper = columns[:, 0].astype(float), C * shares[s]
            kept = upper > 0
            inner = oracle.violation(gram[np.ix_(kept, kept)], t[kept], upper[kept], paths.alphas[s, 0, kept])
            assert inner <= 2e-3


def test_machines_that_are_given_up_say_what_is_left():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    gram = oracle.gram("rbf", X, gamma=0.1, bias=1.0)
    columns = rng.choice([-1, 1], size=(60, 1)).astype(np.int8)
    nobody = np.zeros((1, 60), dtype=bool)
    paths = ColumnPaths(gram, columns, nobody, np.ones((1, 60)), tol=1e-9, max_updates=5)
    paths.rise(100.0, NO_PROGRESS)
    assert paths.left[0, 0] > 1e-9 and not paths.settled.any()


def test_a_listener_ends_the_work():
    class Ending(Progress):
        def check(self):
            raise EndedError

    nobody = np.zeros((1, 2), dtype=bool)
    paths = ColumnPaths(
        np.eye(2), np.array([[1], [-1]], np.int8), nobody, np.ones((1, 2)), tol=1, max_updates=9
    )
    with pytest.raises(EndedError):
        paths.rise(1.0, Ending())
