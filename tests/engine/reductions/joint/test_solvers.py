"""The solvers of joint learning against the paper's own linear system, written out."""

import numpy as np
import oracles_joint as oracles
import pytest
from hearing import shares_to
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from strategies import code_matrices
from strategies_joint import (
    AGREEMENT,
    LINEAR,
    PENALTIES,
    PRODUCTS,
    RBF,
    inverse_penalty,
    points,
    some_relation,
)

from ecocviz.engine.catalogue import build_code
from ecocviz.engine.kernels.gram import Kernel, gram_matrix
from ecocviz.engine.reductions.joint import gradients
from ecocviz.engine.reductions.joint.dense import (
    DenseSolver,
    Spectrum,
    compressed,
    gram_spectrum,
    linear_spectrum,
)
from ecocviz.engine.reductions.joint.gradients import GradientSolver
from ecocviz.engine.reductions.joint.primal import PrimalSolver, descend, gather_moments
from ecocviz.engine.reductions.joint.relation import (
    conjugate_penalty,
    learn_alone,
    shrunken,
    step_weights,
    trace_norm_penalty,
)


@given(
    code_matrix=code_matrices(min_classes=3, max_classes=5, max_bits=6, ternary=False),
    seed=st.integers(0, 1000),
    penalties=PENALTIES,
    linear=st.booleans(),
)
def test_the_spectral_step_solves_system_10(code_matrix, seed, penalties, linear):
    X, y = points(seed, len(code_matrix))
    targets = code_matrix[y]
    kernel = LINEAR if linear else RBF
    gram = gram_matrix(kernel, X)
    solver = DenseSolver(linear_spectrum(X) if linear else gram_spectrum(gram), targets)
    vectors, eigenvalues = some_relation(seed, solver.n_tasks, max(1, solver.n_tasks - 1))
    weights = step_weights(eigenvalues, *penalties)
    step = solver.solve(vectors, weights, exact=True)
    duals, coefficients = solver.duals_and_coefficients()

    S = inverse_penalty(solver.basis @ vectors, eigenvalues, *penalties)
    alphas, b = oracles.dense_system(gram, targets, S)
    scores = oracles.predict(gram, alphas, targets, S, b)
    products = oracles.weight_products(gram, alphas, targets, S)
    assert np.allclose(duals, alphas * targets, atol=AGREEMENT, rtol=AGREEMENT)
    assert np.allclose(targets - len(y) / 2 * duals, scores, atol=AGREEMENT)
    assert np.allclose(
        gram @ coefficients + solver.means - solver.spectrum.means @ coefficients, scores, atol=AGREEMENT
    )
    assert step.loss == pytest.approx(oracles.loss(scores, targets), abs=AGREEMENT)
    turned = step.factor @ vectors.T @ solver.basis.T
    assert np.allclose(turned.T @ turned, products, atol=PRODUCTS * max(1, np.trace(products)))
    # Stationarity (8): every machine's signed coefficients sum to zero, each with its own targets.
    assert np.abs(duals.sum(axis=0)).max() < 1e-12


@given(
    code_matrix=code_matrices(min_classes=3, max_classes=5, max_bits=6),
    seed=st.integers(0, 1000),
    penalties=PENALTIES,
    linear=st.booleans(),
)
def test_conjugate_gradients_solve_system_10(code_matrix, seed, penalties, linear):
    X, y = points(seed, len(code_matrix))
    targets = code_matrix[y]
    n_bits = targets.shape[1]
    gram = gram_matrix(LINEAR if linear else RBF, X)
    solver = GradientSolver(gram, targets)
    vectors, eigenvalues = some_relation(seed, n_bits, max(1, n_bits - 1))
    weights = step_weights(eigenvalues, *penalties)
    solver.solve(vectors, weights[::-1].copy(), exact=False)  # another problem: the start must not matter
    step = solver.solve(vectors, weights, exact=True)

    S = inverse_penalty(vectors, eigenvalues, *penalties)
    alphas, b = oracles.dense_system(gram, targets, S)
    scores = oracles.predict(gram, alphas, targets, S, b)
    products = oracles.weight_products(gram, alphas, targets, S)
    assert np.allclose(solver.duals, alphas * targets, atol=AGREEMENT, rtol=AGREEMENT)
    assert np.allclose(gram @ solver.duals @ S, scores - b, atol=AGREEMENT)
    assert step.loss == pytest.approx(oracles.loss(scores, targets), abs=AGREEMENT)
    turned = step.factor @ vectors.T
    assert np.allclose(turned.T @ turned, products, atol=PRODUCTS * max(1, np.trace(products)))


@given(
    code_matrix=code_matrices(min_classes=3, max_classes=5, max_bits=6),
    seed=st.integers(0, 1000),
    penalties=PENALTIES,
)
def test_the_primal_step_solves_system_10(code_matrix, seed, penalties):
    X, y = points(seed, len(code_matrix))
    targets = code_matrix[y]
    n_bits = targets.shape[1]
    moments = gather_moments(X, targets)
    solver = PrimalSolver(moments)
    vectors, eigenvalues = some_relation(seed, n_bits, max(1, n_bits - 1))
    if penalties[1] == 0:
        vectors = np.eye(n_bits)  # the shortcut of independent machines
    step = solver.solve(vectors, step_weights(eigenvalues, *penalties), exact=True)

    gram = gram_matrix(LINEAR, X)
    S = inverse_penalty(vectors, eigenvalues, *penalties)
    alphas, b = oracles.dense_system(gram, targets, S)
    scores = oracles.predict(gram, alphas, targets, S, b)
    assert np.allclose(X @ solver.machines + moments.biases(solver.machines), scores, atol=AGREEMENT)
    assert np.allclose(solver.slopes(), X.T @ (alphas * targets), atol=AGREEMENT)
    assert step.loss == pytest.approx(oracles.loss(scores, targets), abs=AGREEMENT)
    turned = step.factor @ vectors.T
    assert np.allclose(turned.T @ turned, solver.machines.T @ solver.machines, atol=AGREEMENT)


def test_centring_with_a_reflector_keeps_what_plain_eigenvectors_lose():
    X, y = points(2, 4, n_features=2, extra=40)
    targets = build_code("one-vs-all", 4)[y]
    gram = gram_matrix(Kernel("rbf", 0.05, 3, 0.0), X)
    n = len(y)
    H = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(H @ gram @ H)
    kept = values > 0
    plain = Spectrum(vectors[:, kept], values[kept], gram.mean(axis=0))
    sums = []
    for spectrum in (plain, gram_spectrum(gram)):
        solver = DenseSolver(spectrum, targets)
        solver.solve(np.eye(3), np.full(3, 1e8), exact=True)
        duals, _ = solver.duals_and_coefficients()
        sums.append(np.abs(duals.sum(axis=0)).max() / np.abs(duals).max())
    assert sums[1] < 1e-11
    assert sums[0] > 1e-9


def test_compression_writes_long_codes_in_n_classes_minus_one_columns():
    code_matrix = build_code("dense-random", 5, seed=0, n_bits=12)
    targets = code_matrix[np.array([0, 1, 2, 3, 4, 4, 4, 0])]
    means, basis, centred = compressed(targets)
    assert basis.shape == (12, 4)
    assert np.allclose(basis.T @ basis, np.eye(4))
    assert np.allclose(means + centred @ basis.T, targets)


@given(
    values=st.lists(st.floats(0, 10), min_size=0, max_size=6).map(
        lambda v: np.array(sorted(v, reverse=True))
    ),
    quadratic=st.sampled_from([0.0, 0.5, 1.0, 3.0]),
    trace_norm=st.sampled_from([0.0, 0.1, 2.0]),
)
def test_shrinking_satisfies_the_conditions_of_its_maximum(values, quadratic, trace_norm):
    if quadratic == trace_norm == 0:
        return
    shrunk = shrunken(values, quadratic, trace_norm)
    slope = values - quadratic * shrunk - trace_norm * shrunk.sum()
    assert (shrunk >= 0).all()
    assert (slope <= 1e-9).all()
    assert np.abs(slope[shrunk > 0]).max(initial=0) < 1e-9
    maximum = values @ shrunk - quadratic / 2 * shrunk @ shrunk - trace_norm / 2 * shrunk.sum() ** 2
    assert conjugate_penalty(values, quadratic, trace_norm) == pytest.approx(maximum, abs=1e-9)
    assert trace_norm_penalty(shrunk, quadratic, trace_norm) == pytest.approx(maximum, abs=1e-9)


def test_unfinished_conjugate_gradients_say_so(monkeypatch):
    monkeypatch.setattr(gradients, "MAX_ITERATIONS", 1)
    X, y = points(9, 4, extra=20)
    solver = GradientSolver(gram_matrix(RBF, X), build_code("one-vs-one", 4)[y])
    vectors, eigenvalues = some_relation(0, 6, 6)
    with pytest.warns(ConvergenceWarning, match=r"to a residual of .*; raise lambda1"):
        solver.solve(vectors, step_weights(eigenvalues, 1e-7, 1e-7), exact=True)
    assert solver.residual > 1e-7


def test_descent_never_rises_even_from_momentum():
    X, y = points(10, 5, n_features=6, extra=60)
    X[:, 0] *= 30  # badly scaled: momentum overshoots
    moments = gather_moments(X, build_code("one-vs-one", 5)[y])
    reported = []
    _, learned = descend(moments, 1e-6, 1e-6, tol=1e-14, max_steps=3000, progress=shares_to(reported.append))
    assert (np.diff(learned.history) <= 0).all()
    assert reported == sorted(reported) and len(reported) == 300


def test_independent_machines_have_no_gap():
    X, y = points(12, 4, extra=20)
    solver = PrimalSolver(gather_moments(X, build_code("one-vs-one", 4)[y]))
    learned = learn_alone(solver, 1e-3)
    assert learned.gap < 1e-12 and learned.cycles == 0
