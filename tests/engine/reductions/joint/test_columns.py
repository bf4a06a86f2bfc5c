"""Jointly trained machines as columns: leaving out, constant columns, settings."""

import numpy as np
import oracles_joint as oracles
import pytest
from hearing import shares_to
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from strategies import code_matrices, examples
from strategies_joint import (
    LINEAR,
    RBF,
    points,
    settled,
)

from ecocviz.engine.catalogue import build_code
from ecocviz.engine.kernels.gram import gram_matrix
from ecocviz.engine.reductions.joint.columns import JointColumns
from ecocviz.engine.reductions.joint.settings import JointSettings, choose_solver

# Some of these problems are hard: what is reached is compared, not how near the optimum it is.
pytestmark = pytest.mark.filterwarnings("ignore:Joint learning stopped after")


@examples(15)
@given(
    code_matrix=code_matrices(min_classes=3, max_classes=4, max_bits=5, ternary=False),
    seed=st.integers(0, 1000),
    penalties=st.sampled_from([(1e-2, 1e-2), (1e-4, 1e-2), (1e-3, 0.0)]),
    linear=st.booleans(),
)
def test_leaving_out_of_dense_codes_is_exact(code_matrix, seed, penalties, linear):
    check_leaving_out(code_matrix, seed, penalties, LINEAR if linear else RBF, "auto")


@examples(15)
@given(
    code_matrix=code_matrices(min_classes=3, max_classes=4, max_bits=5),
    seed=st.integers(0, 1000),
    penalties=st.sampled_from([(1e-2, 1e-2), (1e-4, 1e-2), (1e-3, 0.0)]),
    linear=st.booleans(),
)
def test_leaving_out_of_ternary_codes_is_exact(code_matrix, seed, penalties, linear):
    check_leaving_out(code_matrix, seed, penalties, LINEAR if linear else RBF, "gradients")


def check_leaving_out(code_matrix, seed, penalties, kernel, solver):
    X, y = points(seed, len(code_matrix), extra=2)
    targets = code_matrix[y]
    columns = JointColumns(settled(kernel, *penalties, solver=solver, max_cycles=3000), X, targets)
    S = oracles.inverse_penalty(columns.relation, *penalties)
    some = [0, len(y) - 1]
    left_out = oracles.left_out_scores(gram_matrix(kernel, X), targets, S, some)
    reported = []
    scores = columns.leave_one_out_scores(progress=shares_to(reported.append))
    assert np.allclose(scores[some], left_out, atol=1e-7)
    assert reported[-1:] in ([], [1.0])


def test_columns_that_show_one_side_are_constant_and_take_no_part():
    X, y = points(1, 3, extra=20)
    code_matrix = build_code("one-vs-one", 3)
    targets = np.column_stack([code_matrix[y], np.ones(len(y), np.int8), -(y == 1).astype(np.int8), 0 * y])
    targets = targets.astype(np.int8)
    columns = JointColumns(settled(RBF, 1e-3, 1e-3), X, targets)
    alone = JointColumns(settled(RBF, 1e-3, 1e-3), X, targets[:, :3])
    assert np.allclose(columns.scores[:, :3], alone.scores, atol=1e-12)
    assert (columns.predict_scores(X + 5)[:, 3:] == [1, -1, 0]).all()
    assert (columns.relation[3:] == 0).all() and np.trace(columns.relation) == pytest.approx(1)
    assert (columns.leave_one_out_scores()[:, 3:] == [1, -1, 0]).all()
    nothing = JointColumns(settled(LINEAR, 1e-3, 1e-3), X, targets[:, 3:])
    assert (nothing.leave_one_out_scores() == [1, -1, 0]).all() and nothing.converged.all()
    assert nothing.independent().active.size == 0


@pytest.mark.parametrize("solver", ["spectral", "primal", "descent", "gradients"])
def test_points_that_are_all_equal_leave_the_relation_uniform(solver):
    check_equal_points(np.ones((9, 2)), LINEAR, solver)


@pytest.mark.parametrize(
    ("kernel", "solver"),
    [
        (LINEAR, "spectral"),
        (LINEAR, "primal"),
        (LINEAR, "descent"),
        (LINEAR, "gradients"),
        (RBF, "spectral"),
        (RBF, "gradients"),
    ],
)
@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e3 / 7])
def test_equal_points_whose_sums_are_rounded_leave_the_relation_uniform(value, kernel, solver):
    check_equal_points(np.full((31, 3), value) * [1, 2, 3], kernel, solver)


def check_equal_points(X, kernel, solver):
    y = np.arange(len(X)) % 3
    targets = build_code("one-vs-all", 3)[y]
    columns = JointColumns(settled(kernel, 1e-3, 1e-3, solver=solver), X, targets)
    assert np.allclose(columns.scores, targets.mean(axis=0))
    assert np.trace(columns.relation) == pytest.approx(1)
    assert columns.gap < 1e-9
    # A code without zeros is learned in the span of its columns, which sum to one number.
    uniform = np.eye(3) / 3 if solver != "spectral" else (np.eye(3) - 1 / 3) / 2
    assert np.allclose(columns.relation, uniform) and np.allclose(columns.independent().relation, uniform)


def test_unfinished_alternations_say_so():
    X, y = points(9, 4, extra=20)
    for code, kernel, solver in (("one-vs-all", RBF, "auto"), ("one-vs-one", LINEAR, "descent")):
        targets = build_code(code, 4)[y]
        with pytest.warns(ConvergenceWarning, match=r"stopped after .* too high"):
            columns = JointColumns(settled(kernel, 1e-4, 1e-4, solver, 1e-15, 1), X, targets)
        assert not columns.converged.any() and columns.gap > 0


def test_the_solver_follows_code_kernel_and_size():
    generator = np.random.default_rng(0)

    def chosen(n_samples, n_features, code, n_classes, kernel=LINEAR, spread=1.0):
        X = generator.normal(size=(n_samples, n_features))
        X[:, 0] *= spread
        return choose_solver(kernel, X, build_code(code, n_classes)[np.arange(n_samples) % n_classes])

    assert chosen(30, 3, "one-vs-all", 3) == "spectral"
    assert chosen(30, 3, "one-vs-all", 3, kernel=RBF) == "spectral"
    assert chosen(30, 3, "one-vs-one", 3, kernel=RBF) == "gradients"
    assert chosen(30, 3, "one-vs-one", 3) == "primal"
    assert chosen(20, 40, "one-vs-one", 3) == "gradients"
    assert chosen(400, 10, "one-vs-one", 10) == "descent"
    assert chosen(400, 10, "one-vs-one", 10, spread=1e4) == "primal"
    assert chosen(900, 20, "one-vs-one", 14, spread=1e4) == "descent"


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"lambda1": -1.0}, "lambda1 must be"),
        ({"lambda2": np.inf}, "lambda2 must be"),
        ({"lambda1": 0.0, "lambda2": 0.0}, "cannot both be 0"),
        ({"tol": 0.0}, "tol must be above 0"),
        ({"max_cycles": 0}, "max_iter at least 1"),
        ({"solver": "magic"}, "one of auto, spectral"),
    ],
)
def test_settings_that_cannot_be_are_refused(wrong, message):
    good = {"kernel": RBF, "lambda1": 1.0, "lambda2": 1.0, "tol": 1e-6, "max_cycles": 9, "solver": "auto"}
    with pytest.raises(ValueError, match=message):
        JointSettings(**{**good, **wrong})


def test_solvers_that_cannot_serve_are_refused():
    X, y = points(1, 3)
    targets = build_code("one-vs-one", 3)[y]
    with pytest.raises(ValueError, match="code without zeros"):
        JointColumns(settled(RBF, 1.0, 1.0, "spectral"), X, targets)
    with pytest.raises(ValueError, match="linear kernel only"):
        JointColumns(settled(RBF, 1.0, 1.0, "primal"), X, targets)
