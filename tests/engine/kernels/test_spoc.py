import numpy as np
import oracles_design as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ecocviz.engine.kernels import spoc

VALUES = st.one_of(
    st.floats(-3, 3, allow_subnormal=False), st.sampled_from([-1.0, 0.0, 0.5, 1.0])
)  # few distinct values make ties


def project(point):
    projection = np.empty(point.size)
    spoc.project_simplex(point.copy(), projection)
    return projection


@given(st.integers(1, 40).flatmap(lambda k: arrays(np.float64, k, elements=VALUES)))
def test_projection_agrees_with_bisection(point):
    projection = project(point)
    np.testing.assert_allclose(projection, oracle.project_by_bisection(point), atol=1e-12)
    assert projection.sum() == pytest.approx(1, abs=1e-13 * point.size)


def test_projection_of_the_papers_figure():
    np.testing.assert_allclose(
        project(np.array([1, 0.2, 0.6, 0.8, 0.6])), [0.5, 0, 0.1, 0.3, 0.1], atol=1e-15
    )


@pytest.mark.parametrize("k", [16, 17, 30, 200])
def test_projection_with_everything_in_the_support(k):
    point = np.linspace(0, 1e-3, k)
    projection = project(point)
    assert (projection > 0).all()
    np.testing.assert_allclose(projection, oracle.project_by_bisection(point), atol=1e-14)


def test_projection_that_stops_among_the_sorted_entries():
    point = np.concatenate([np.linspace(0, 1e-3, 20), np.full(30, -5.0)])
    projection = project(point)
    assert (projection > 0).sum() == 20
    assert (projection[20:] == 0).all()


def solve_example(g, eta, a):
    fresh = np.empty(g.size)
    spoc._solve_example(g, eta, a, np.empty(g.size), fresh)
    return fresh


def test_taking_the_maximum_away_keeps_the_sum_at_one():
    g = np.array([5.0, 5.0, 5.0 - 1e-12, 1.0])
    eta = np.array([0.2, 0.3, 0.5, 0.0])
    a = 1e-9
    assert abs(solve_example(g, eta, a).sum() - 1) < 1e-14
    # The form printed in the paper, D = B / A + 1_y, loses what its large entries cannot hold.
    uncentred = np.array(oracle.project_by_bisection(eta + g / a))
    assert abs(uncentred.sum() - 1) > 1e-9


def test_a_zero_row_of_the_gram_matrix_gets_a_unit_vector():
    np.testing.assert_array_equal(
        solve_example(np.array([0.0, 2.0, 1.0]), np.array([1.0, 0, 0]), 0.0), [0, 1, 0]
    )


@given(st.integers(0, 10_000))
def test_an_examples_share_is_solved_exactly(seed):
    """No other distribution has a larger -a |eta' - eta|^2 / 2 + (eta' - eta) . g (Eq. 37)."""
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 8))
    eta, g, a = rng.dirichlet(np.full(k, 0.5)), rng.normal(size=k), float(rng.uniform(0.01, 3))

    def gain(other):
        return (other - eta) @ g - a / 2 * ((other - eta) ** 2).sum()

    best = gain(solve_example(g, eta, a))
    assert best >= 0
    others = np.vstack([rng.dirichlet(np.full(k, 0.3), size=200), np.eye(k)])
    assert best >= max(gain(other) for other in others) - 1e-12


def problem(seed, m=12, k=3, n_bits=2):
    rng = np.random.default_rng(seed)
    H = rng.normal(size=(m, n_bits))
    y = rng.integers(0, k, m)
    eta = rng.dirichlet(np.full(k, 0.4), size=m)
    eta[: m // 2] = np.eye(k)[y[: m // 2]]
    beta = float(rng.uniform(0.1, 2))
    b = 1.0 - np.eye(k)[y]
    f = H @ H.T @ (np.eye(k)[y] - eta) / beta
    return H @ H.T, y, b, eta, f + b, beta


@pytest.mark.parametrize("seed", range(5))
def test_measure_agrees_with_loops(seed):
    gram, y, b, eta, G, beta = problem(seed)
    m, k = b.shape
    psi = np.empty(m)
    dual, gap = spoc.measure(y, b.T.copy(), eta.T.copy(), G.T.copy(), psi)
    tau = [[float(y[i] == r) - eta[i, r] for r in range(k)] for i in range(m)]
    quadratic = sum(gram[i, j] * tau[i][r] * tau[j][r] for i in range(m) for j in range(m) for r in range(k))
    linear = sum(tau[i][r] * b[i, r] for i in range(m) for r in range(k))
    assert dual == pytest.approx(-quadratic / (2 * beta) - linear)
    gaps = [max(G[i]) - sum(eta[i, r] * G[i, r] for r in range(k)) for i in range(m)]
    assert gap == pytest.approx(sum(gaps))
    expected = [max(G[i]) - min(G[i, r] for r in range(k) if eta[i, r] > 0) for i in range(m)]
    np.testing.assert_allclose(psi, expected, atol=1e-12)
    assert (psi >= np.array(gaps) - 1e-12).all()


def test_the_gap_is_primal_minus_dual():
    gram, y, b, eta, G, beta = problem(3)
    psi = np.empty(y.size)
    dual, gap = spoc.measure(y, b.T.copy(), eta.T.copy(), G.T.copy(), psi)
    values, vectors = np.linalg.eigh(gram)
    H = vectors * np.sqrt(np.maximum(values, 0))
    M = (np.eye(b.shape[1])[y] - eta).T @ H / beta
    assert dual + gap == pytest.approx(oracle.objective(H, y, M, b, "l2", beta))


@pytest.mark.parametrize("size", [1, 4, 64])
def test_blocks_and_single_visits_keep_the_class_scores_right_and_never_lose(size):
    gram, y, b, _, _, beta = problem(11, m=40, k=4, n_bits=3)
    eta, G = np.eye(4)[y].T.copy(), b.T.copy()
    history = np.empty((31, 2))
    members = np.full(min(size, 40), -1)
    rounds, visits, dual, gap, worst = spoc.ascend_in_blocks(
        gram, beta, y, b.T.copy(), eta, G, members, 1e-9, 30, history
    )
    assert rounds <= visits
    np.testing.assert_allclose(G, (gram @ (np.eye(4)[y] - eta.T) / beta + b).T, atol=1e-10)
    assert (np.diff(history[: rounds + 1, 0]) >= -1e-12).all()
    assert history[rounds].tolist() == [dual, gap]
    assert history[0].tolist() == [0.0, 40.0]
    assert worst >= 0
    plain_eta, plain_G = np.eye(4)[y], b.copy()
    rounds, _, plain_dual, _, _ = spoc.ascend_plainly(gram, beta, y, b, plain_eta, plain_G, 1e-9, 30, history)
    assert (np.diff(history[: rounds + 1, 0]) >= -1e-12).all()
    np.testing.assert_allclose(plain_G, gram @ (np.eye(4)[y] - plain_eta) / beta + b, atol=1e-10)
    assert plain_dual <= dual + gap


def test_expansions_skip_nothing_but_zeros():
    gram, y, _, eta, _, _ = problem(5)
    taus = np.eye(3)[y] - eta
    out = np.zeros((3, y.size))
    spoc.expand_taus(gram.astype(np.float32), taus, out)
    np.testing.assert_allclose(out.T, gram.astype(np.float32).astype(float) @ taus, atol=1e-12)


@given(st.integers(0, 1000), st.integers(2, 5), st.integers(1, 12), st.booleans())
def test_a_certificate_is_objective_gap_and_violation(seed, k, m, corners):
    rng = np.random.default_rng(seed)
    y, H, beta = rng.integers(k, size=m), rng.normal(size=(m, 2)), 0.7
    b = oracle.default_margins(y, k)
    eta = np.eye(k)[rng.integers(k, size=m)] if corners else rng.dirichlet(np.ones(k), size=m)
    M = (np.eye(k)[y] - eta).T @ H / beta
    primal, gap, violation = spoc.certificate(y, b, eta, H @ M.T)
    assert primal == pytest.approx(oracle.objective(H, y, M, b, "l2", beta))
    psi = np.empty(m)
    dual, gap_of_measure = spoc.measure(y, *(np.ascontiguousarray(a.T) for a in (b, eta, H @ M.T + b)), psi)
    assert primal - gap == pytest.approx(dual, abs=1e-12)
    assert (gap, violation) == pytest.approx((gap_of_measure, psi.max()), abs=1e-12)
