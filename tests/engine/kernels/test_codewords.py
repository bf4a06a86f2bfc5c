import numpy as np
import oracles_design as oracle
import pytest

from ecocviz.engine.kernels import codewords


def problem(seed, m=30, k=4, n_bits=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, m)
    H = rng.normal(size=(k, n_bits))[y] + rng.normal(size=(m, n_bits))
    return H, y, 1.0 - np.eye(k)[y]


def columns(*arrays):
    """The same arrays with a column for each example, as the interior point method takes them."""
    return [np.ascontiguousarray(array.T) for array in arrays]


def dual(H, y, b, eta, beta):
    tau = np.eye(b.shape[1])[y] - eta
    M = tau.T @ H / beta
    return -beta / 2 * (M * M).sum() - (tau * b).sum()


def test_sweeps_never_lose_and_keep_the_code_right():
    H, y, b = problem(0)
    H[3] = 0.0  # a point that no code can move
    beta, k = 0.5, 4
    eta, M = np.eye(k)[y], np.zeros((k, 3))
    squares = (H * H).sum(axis=1)
    before, floor, order = dual(H, y, b, eta, beta), np.inf, np.arange(30)
    for _ in range(30):
        floor, kept = codewords.ascend_on_code(H, squares, beta, b, eta, M, order, floor)
        assert sorted(order.tolist()) == sorted(set(order.tolist()))
        now = dual(H, y, b, eta, beta)
        assert now >= before - 1e-12
        before, order = now, order[:kept]
    np.testing.assert_allclose(M, (np.eye(k)[y] - eta).T @ H / beta, atol=1e-12)
    assert order.size < 30  # settled points are no longer visited
    assert eta[3].max() == 1.0 and eta[3, y[3]] == 0.0  # a unit vector at a largest b
    np.testing.assert_allclose(eta.sum(axis=1), 1, atol=1e-12)


def test_a_certificate_is_primal_objective_and_gap():
    H, y, b = problem(1)
    rng = np.random.default_rng(0)
    eta = rng.uniform(0.1, 2, size=b.shape)
    M = np.empty((4, 3))
    S = np.eye(4)[y].T @ H
    HT, bT, etaT = columns(H, b, eta)
    primal, gap = codewords.certify_code(HT, y, bT, S, 0.7, etaT, M)
    share = eta / eta.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(M, (S - share.T @ H) / 0.7)
    assert primal == pytest.approx(oracle.objective(H, y, M, b, "l2", 0.7))
    assert primal - gap == pytest.approx(dual(H, y, b, share, 0.7))


def explicit_matrix(H, w, beta):
    k, n_bits = w.shape[1], H.shape[1]
    matrix = beta * np.eye(k * n_bits)
    for i in range(H.shape[0]):
        L = np.diag(w[i]) - np.outer(w[i], w[i]) / w[i].sum()
        matrix += np.kron(L, np.outer(H[i], H[i]))
    return matrix


def test_the_newton_matrix_is_the_explicit_one_plus_its_gauge():
    H, _, _ = problem(2, m=8)
    w = np.random.default_rng(1).uniform(0.1, 3, size=(8, 4))
    factor = codewords.newton_matrix(*columns(H, w), 0.3)
    gauge = factor @ factor.T - explicit_matrix(H, w, 0.3)
    block = gauge[:3, :3]
    np.testing.assert_allclose(block, block[0, 0] * np.eye(3), atol=1e-12)
    assert block[0, 0] > 0
    np.testing.assert_allclose(gauge, np.kron(np.ones((4, 4)), block), atol=1e-12)


def test_the_newton_matrix_survives_weights_whose_difference_cancels():
    H, _, _ = problem(3, m=8)
    w = np.full((8, 4), 1e-9)
    w[:, 0] = 1e9
    codewords.newton_matrix(*columns(H, w), 1e-6)
    w_total = w.sum(axis=1)
    naive = w[:, 0] - w[:, 0] ** 2 / w_total  # what the row-sum form avoids
    assert np.abs(naive - (w[:, 1:] * w[:, :1]).sum(axis=1) / w_total).max() > 1e-9


def test_interior_steps_close_the_gap_and_stay_inside():
    H, y, b = problem(4)
    S = np.eye(4)[y].T @ H
    HT, bT = columns(H, b)
    M, z = np.zeros((4, 3)), np.full(30, 2.0)
    s, eta = z - bT, np.full(bT.shape, 0.25)
    for _ in range(13):
        codewords.interior_step(HT, bT, S, 0.2, M, z, s, eta)
        assert (s > 0).all() and (eta > 0).all()
    primal, gap = codewords.certify_code(HT, y, bT, S, 0.2, eta, np.empty((4, 3)))
    assert gap < 1e-7 * primal
    np.testing.assert_allclose(M.sum(axis=0), 0, atol=1e-8)
    np.testing.assert_allclose(s, z - M @ HT - bT, atol=1e-7)
