import numpy as np

from ecocviz.engine.kernels.feature_map import ascend_on_map


def test_visits_never_lose_and_keep_the_machines_right():
    rng = np.random.default_rng(0)
    X, y, M, beta = rng.normal(size=(25, 3)), rng.integers(0, 4, 25), rng.normal(size=(4, 2)), 0.4
    M[3] = M[2]  # two classes with one codeword: an exchange between them bends nothing
    X[0] = 0.0
    b = 1.0 - np.eye(4)[y]
    eta, W = np.eye(4)[y], np.zeros((2, 3))

    def dual():
        tau = np.eye(4)[y] - eta
        W = M.T @ tau.T @ X / beta
        return -beta / 2 * (W * W).sum() - (tau * b).sum()

    before, worsts = dual(), []
    for _ in range(60):
        worsts.append(ascend_on_map(X, (X * X).sum(axis=1), beta, M, M @ M.T, b, eta, W, rng.permutation(25)))
        now = dual()
        assert now >= before - 1e-12
        before = now
    assert worsts[-1] < 0.02 * worsts[0]
    np.testing.assert_allclose(W, M.T @ (np.eye(4)[y] - eta).T @ X / beta, atol=1e-12)
    np.testing.assert_allclose(eta.sum(axis=1), 1, atol=1e-12)
    assert (eta >= 0).all()
