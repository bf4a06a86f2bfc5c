import numpy as np
import oracles_single as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.kernels import kronecker_smo
from ecocviz.engine.kernels.kronecker_smo import Active


def problem(seed, m=7, c=3, *, twins=False):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 2))
    if twins:
        X[1] = X[0]
    y = np.r_[np.arange(c), rng.integers(0, c, m - c)]
    gram = oracle.rbf_gram(X, 0.7)
    V = oracle.combined(rng.uniform(0.1, 3, c), 0.7)
    Y = oracle.labels(y, c).reshape(m, c)
    return gram, V, Y


def boxes(Y, C):
    return np.where(Y > 0, 0.0, -C), np.where(Y > 0, C, 0.0)


def ascend(gram, V, Y, C, tol=1e-8, *, shrink=True, most=100_000):
    """Repeat until the whole problem is solved; return the coefficients and what the last fill said."""
    low, high = boxes(Y, C)
    B = np.zeros_like(Y)
    active = Active(Y.size)
    for _ in range(100):
        violation = active.fill(gram, V, low, high, B, Y - gram @ B @ V)
        if violation < tol:
            break
        active.ascend(gram, V, low, high, B, tol, most, shrink=shrink)
    return B, violation


@given(st.integers(0, 10_000), st.sampled_from([0.1, 1.0, 10.0]), st.booleans(), st.booleans())
def test_solution_agrees_with_the_explicit_problem(seed, C, shrink, twins):
    gram, V, Y = problem(seed, twins=twins)
    K = oracle.kronecker(gram, V)
    before = kronecker_smo.SHRINK_EVERY
    kronecker_smo.SHRINK_EVERY = 5
    try:
        B, violation = ascend(gram, V, Y, C, shrink=shrink)
    finally:
        kronecker_smo.SHRINK_EVERY = before
    b = B.ravel()
    assert violation < 1e-8
    assert abs(b.sum()) <= 1e-10 * C
    assert (np.sign(b) * Y.ravel() >= 0).all() and (np.abs(b) <= C).all()
    _, _, value = oracle.explicit_machine(K, Y.ravel(), C)
    assert 2 * Y.ravel() @ b - b @ K @ b == pytest.approx(value, rel=1e-7)
    assert oracle.violation(K, Y.ravel(), b, C) == pytest.approx(violation, abs=1e-9)


@given(st.integers(0, 1000))
def test_every_step_raises_the_objective(seed):
    gram, V, Y = problem(seed)
    low, high = boxes(Y, 2.0)
    B = np.zeros_like(Y)
    active = Active(Y.size)
    active.fill(gram, V, low, high, B, Y.copy())
    values = [0.0]
    for _ in range(40):
        done, _ = active.ascend(gram, V, low, high, B, 1e-9, 1, shrink=False)
        values.append(2 * np.vdot(Y, B) - np.vdot(B, gram @ B @ V))
        if not done:
            break
    assert (np.diff(values) >= -1e-12).all()
    assert values[1] > 0


def test_residuals_of_the_list_stay_true_and_settled_replicas_leave_it():
    gram, V, Y = problem(3, m=10)
    low, high = boxes(Y, 0.5)
    B = np.zeros_like(Y)
    active = Active(Y.size)
    active.fill(gram, V, low, high, B, Y.copy())
    assert active.size == Y.size
    kept = []
    for _ in range(60):
        # The list is packed after as many steps as it is long.
        done, violation = active.ascend(gram, V, low, high, B, 1e-6, active.size + 1)
        kept.append(active.size)
        E = Y - gram @ B @ V
        listed = active.examples[: active.size], active.columns[: active.size]
        np.testing.assert_allclose(active.residual[: active.size], E[listed], atol=1e-12)
        if violation < 1e-6:
            break
    assert violation < 1e-6
    assert kept[-1] < Y.size
    assert done <= 10_000
    assert active.fill(gram, V, low, high, B, Y - gram @ B @ V) < 1e-5


def test_the_first_pair_is_that_of_second_order():
    gram, V, Y = problem(5)
    low, high = boxes(Y, 100.0)
    B = np.zeros_like(Y)
    active = Active(Y.size)
    active.fill(gram, V, low, high, B, Y.copy())
    active.ascend(gram, V, low, high, B, 1e-9, 1)
    K, E = oracle.kronecker(gram, V), Y.ravel()
    first = int(np.argmax(E))
    gains = [
        (E[first] - E[u]) ** 2 / (K[first, first] + K[u, u] - 2 * K[first, u]) if E[u] < 0 else -1.0
        for u in range(E.size)
    ]
    assert set(np.flatnonzero(B.ravel())) == {first, int(np.argmax(gains))}


def test_replicas_without_room_are_never_listed():
    gram, V, Y = problem(6)
    low, high = boxes(Y, 1.0)
    low[2] = high[2] = 0.0
    active = Active(Y.size)
    active.fill(gram, V, low, high, np.zeros_like(Y), Y.copy())
    assert 2 not in active.examples[: active.size]
    assert active.size == Y.size - 3


def test_flat_pairs_end_at_their_bounds():
    """Two equal points of different classes have no curvature between their copies of one class."""
    gram, Y = np.ones((2, 2)), np.array([[1.0, -1.0], [-1.0, 1.0]])
    B, violation = ascend(gram, np.eye(2), Y, 3.0)
    assert violation == -2.0
    np.testing.assert_array_equal(B, 3 * Y)


def test_a_single_precision_gram_matrix_serves_too():
    gram, V, Y = problem(8)
    exact, _ = ascend(gram, V, Y, 1.0, tol=1e-4)
    coarse, _ = ascend(gram.astype(np.float32), V, Y, 1.0, tol=1e-4)
    np.testing.assert_allclose(coarse @ V, exact @ V, atol=1e-2)


@given(st.integers(0, 1000), st.booleans())
def test_the_matrix_of_some_replicas_is_cut_from_that_of_all(seed, single):
    gram, V, Y = problem(seed)
    gram = gram.astype(np.float32) if single else gram
    m, c = Y.shape
    some = np.random.default_rng(seed).choice(m * c, size=8, replace=False)
    matrix = kronecker_smo.replica_matrix(gram, V, some // c, some % c)
    assert matrix.dtype == np.float64
    np.testing.assert_allclose(matrix, oracle.kronecker(gram.astype(float), V)[np.ix_(some, some)])
