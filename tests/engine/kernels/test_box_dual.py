import numpy as np
import oracles_machines as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.kernels import box_dual as module
from ecocviz.engine.kernels.box_dual import Rows, leave_each_out, signed_sums, solve_box_dual
from ecocviz.engine.kernels.dual_sums import add_rows, cut_square, judge


@st.composite
def problems(draw, most=10):
    """A Gram matrix with signs and upper bounds; low rank, duplicates and zero bounds all occur."""
    n = draw(st.integers(1, most))
    seed = draw(st.integers(0, 10_000))
    generator = np.random.default_rng(seed)
    factors = generator.integers(-2, 3, size=(n, draw(st.integers(1, 4)))).astype(float)
    gram = (
        factors @ factors.T
        + draw(st.sampled_from([0.0, 1.0]))
        + np.eye(n) * draw(st.sampled_from([0.0, 0.3]))
    )
    signs = generator.choice([-1.0, 1.0], size=n)
    upper = draw(st.sampled_from([0.01, 1.0, 10.0])) * generator.choice([0.0, 1.0, 1.0, 1.0], size=n)
    return gram, signs, upper


def solve(gram, signs, upper, tol=1e-9, alphas=None, max_updates=100_000):
    alphas = np.zeros(signs.size) if alphas is None else alphas.copy()
    residual = (signs - gram @ (signs * alphas)).astype(gram.dtype)
    outcome = solve_box_dual(gram, signs, upper, alphas, residual, tol, max_updates)
    return alphas, residual, outcome


@given(problem=problems())
def test_optimality_conditions_hold(problem):
    gram, signs, upper = problem
    alphas, residual, (n_updates, violation) = solve(gram, signs, upper)
    assert ((alphas >= 0) & (alphas <= upper)).all()
    assert violation <= 1e-9
    assert oracle.violation(gram, signs, upper, alphas) <= 1e-8
    np.testing.assert_allclose(residual, signs - gram @ (signs * alphas), atol=1e-9)
    assert n_updates <= 100_000


@given(problem=problems(most=6))
def test_objective_is_that_of_the_slow_ascent(problem):
    gram, signs, upper = problem
    alphas, _, _ = solve(gram, signs, upper)
    slow = oracle.box_dual(gram, signs, upper, tol=1e-7, most=20_000)
    assert oracle.objective(gram, signs, alphas) >= oracle.objective(gram, signs, slow) - 1e-7


@given(problem=problems(), seed=st.integers(0, 100))
def test_start_does_not_matter(problem, seed):
    gram, signs, upper = problem
    start = np.random.default_rng(seed).random(signs.size) * upper
    cold, cold_residual, _ = solve(gram, signs, upper)
    warm, warm_residual, _ = solve(gram, signs, upper, alphas=start)
    # The function is unique; where the Gram matrix is singular the coefficients need not be.
    np.testing.assert_allclose(warm_residual, cold_residual, atol=1e-4)
    assert oracle.objective(gram, signs, warm) == pytest.approx(oracle.objective(gram, signs, cold), abs=1e-7)


@given(problem=problems())
def test_single_precision_reaches_a_coarse_tolerance(problem):
    gram, signs, upper = problem
    alphas, _, (_, violation) = solve(gram.astype(np.float32), signs, upper, tol=1e-3)
    assert violation <= 1e-3
    assert oracle.violation(gram, signs, upper, alphas) <= 2e-3


def test_more_points_than_a_block():
    generator = np.random.default_rng(5)
    n = 2 * module._BLOCK + 17
    X = generator.normal(size=(n, 3))
    gram = X @ X.T + np.eye(n) + 1
    signs = np.sign(X[:, 0] + 0.3)
    alphas, _, (_, violation) = solve(gram, signs, np.ones(n), tol=1e-3)
    assert violation <= 1e-3
    v = 1 - signs * (gram @ (alphas * signs))
    assert np.where(alphas < 1, v, 0).max() <= 1.1e-3
    assert np.where(alphas > 0, -v, 0).max() <= 1.1e-3


def test_zero_diagonal_goes_to_the_bound():
    gram = np.zeros((3, 3))
    gram[0, 0] = 2.0
    alphas, _, (_, violation) = solve(gram, np.array([1.0, -1.0, 1.0]), np.array([5.0, 5.0, 0.5]))
    assert alphas.tolist() == [0.5, 5.0, 0.5]
    assert violation == 0.0


def test_equal_points_of_opposite_signs():
    gram = np.full((2, 2), 2.0)
    alphas, residual, _ = solve(gram, np.array([1.0, -1.0]), np.array([3.0, 3.0]))
    assert alphas.tolist() == [3.0, 3.0]
    np.testing.assert_allclose(residual, [1.0, -1.0])


def test_limit_of_updates():
    generator = np.random.default_rng(6)
    X = generator.normal(size=(30, 3))
    signs = np.sign(generator.normal(size=30))
    _, _, (n_updates, violation) = solve(X @ X.T, signs, np.full(30, 100.0), max_updates=3)
    assert n_updates == 3
    assert violation > 1e-9


@given(problem=problems(most=7))
def test_leaving_each_out_is_training_without_it(problem):
    gram, signs, upper = problem
    gram = gram + np.eye(signs.size) * 0.3
    alphas, residual, _ = solve(gram, signs, upper)
    before = alphas.copy()
    left_out, n_open = leave_each_out(
        gram, signs, upper, alphas, residual, 1e-9, 100_000, np.arange(signs.size)
    )
    assert n_open == 0
    np.testing.assert_array_equal(alphas, before)
    for i in range(signs.size):
        without = upper.copy()
        without[i] = 0
        _, rest, _ = solve(gram, signs, without)
        assert left_out[i] == pytest.approx(signs[i] - rest[i], abs=1e-6)


def test_leaving_out_says_what_did_not_converge():
    generator = np.random.default_rng(7)
    X = generator.normal(size=(30, 3))
    signs = np.sign(generator.normal(size=30))
    upper = np.full(30, 100.0)
    alphas, residual, _ = solve(X @ X.T, signs, upper)
    _, n_open = leave_each_out(X @ X.T, signs, upper, alphas, residual, 1e-9, 1, np.flatnonzero(alphas))
    assert n_open > 0


def test_cut_and_sum_of_rows():
    gram = np.arange(25.0).reshape(5, 5)
    rows = np.array([4, 1, 1])
    np.testing.assert_array_equal(cut_square(gram, rows), gram[np.ix_(rows, rows)])
    coefficients = np.array([[0.0, 2.0, 0.0, -1.0, 0.0], [0.0] * 5])
    np.testing.assert_allclose(add_rows(gram, coefficients), coefficients @ gram)


def test_free_optimum_of_a_pair_beyond_its_box():
    boxes = (0.0, 1.0), (-1.0, 0.0)
    assert module._box_pair(5.0, 5.0, 1.0, 1.0, 0.5, *boxes) == (1.0, 0.0)
    assert module._box_pair(0.5, -0.5, 1.0, 1.0, 0.0, *boxes) == (0.5, -0.5)


@given(problem=problems(most=7), C=st.floats(0.1, 10))
def test_gap_norm_and_violation_are_those_written_out(problem, C):
    gram, signs, _ = problem
    shown = np.where(np.arange(signs.size) % 3 == 2, 0.0, signs)
    C = C * (1 + np.arange(signs.size) % 2)
    alphas = np.minimum(C, np.abs(gram[0])) * (shown != 0)
    scores = gram @ (alphas * shown)
    out = np.full((3, 2), np.nan)
    judge(
        np.stack([shown, 0 * shown]),
        np.stack([alphas, 0 * alphas]),
        np.stack([shown - scores] * 2),
        np.stack([C, C]),
        out,
    )
    hinges = (C * np.maximum(0, 1 - shown * scores))[shown != 0].sum()
    norm = (alphas * shown) @ gram @ (alphas * shown)
    assert out[0, 0] == pytest.approx(norm + hinges - alphas.sum(), rel=1e-9, abs=1e-9)
    assert out[1, 0] == pytest.approx(max(norm, 0), rel=1e-9, abs=1e-9)
    breaches = [0.0]
    for t, a, f, c in zip(shown, alphas, scores, C, strict=True):
        if t and a < c:
            breaches.append(1 - t * f)
        if t and a > 0:
            breaches.append(t * f - 1)
    assert out[2, 0] == pytest.approx(max(breaches), rel=1e-9, abs=1e-9)
    assert out[:, 1].tolist() == [0.0, 0.0, 0.0]


def on_demand(X, n_slots, name, gamma, degree):
    """Rows of an oracle's Gram matrix, none made yet, in chunks of 16 points."""
    n, d = X.shape
    scaled = X * np.sqrt(gamma / np.log(2)) if name == "rbf" else X
    padded = np.zeros((-(-n // 16) * 16, -(-d // 4) * 4))
    padded[:n, :d] = scaled
    points = np.ascontiguousarray(padded.reshape(-1, 16, padded.shape[1]).transpose(0, 2, 1))
    gram = oracle.gram(name, X, gamma=gamma, degree=degree, bias=1.0)
    scratch = np.empty((3, 16))
    numbers = np.array([float(name != "rbf"), degree if name == "poly" else 0, 1.0])
    nobody = np.full(n_slots, -1)
    turn = np.zeros(1, dtype=np.int64)
    diagonal, bits = np.diag(gram).copy(), scratch[2].view(np.int64)
    values = np.full((n_slots, n), np.nan)
    return gram, Rows(values, np.full(n, -1), nobody, turn, points, numbers, diagonal, scratch, bits)


@pytest.mark.parametrize("name", ["rbf", "linear", "poly"])
@pytest.mark.parametrize("n_slots", [2, 3, 37])
def test_rows_made_on_demand_lead_where_the_whole_matrix_leads(name, n_slots):
    generator = np.random.default_rng(8)
    X = generator.normal(size=(37, 5))
    signs, upper = np.sign(X[:, 0] * X[:, 1]), generator.choice([0.0, 1.0, 3.0], size=37)
    gram, rows = on_demand(X, n_slots, name, 0.4, 2)
    alphas, residual = np.zeros(37), signs.copy()
    _, violation = solve_box_dual(rows, signs, upper, alphas, residual, 1e-8, 100_000)
    expected, rest, _ = solve(gram, signs, upper, tol=1e-8)
    assert violation <= 1e-8
    np.testing.assert_allclose(residual, rest, atol=1e-6)
    owners = rows.owners[rows.owners >= 0]
    np.testing.assert_allclose(rows.values[rows.slots[owners]], gram[owners], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(signed_sums(rows, alphas * signs), gram @ (alphas * signs), atol=1e-9)
    points = np.flatnonzero(alphas)
    found, _ = leave_each_out(rows, signs, upper, alphas, residual, 1e-8, 100_000, points)
    reference, _ = leave_each_out(gram, signs, upper, expected, rest, 1e-8, 100_000, points)
    np.testing.assert_allclose(found, reference, atol=1e-5)


@pytest.mark.parametrize("dtype, bits", [(np.float32, np.int32), (np.float64, np.int64)])
def test_powers_of_two_are_right_to_the_last_digits(dtype, bits):
    x = np.concatenate([np.linspace(-30, 0, 401), [-0.5, -1.5, -125.9, -1e9]]).astype(dtype)
    scratch = np.zeros((3, x.size), dtype=dtype)
    scratch[0] = x
    module._raise_two(scratch, scratch[2].view(bits))
    exact = np.exp2(x[:-1].astype(np.longdouble)).astype(np.float64)
    np.testing.assert_allclose(scratch[0][:-1], exact, rtol=3 * np.finfo(dtype).eps)
    assert 0 < scratch[0][-1] < 1e-37
