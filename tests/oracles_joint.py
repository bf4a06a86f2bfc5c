"""Joint learning by its definitions: the linear system written out, plain loops, no shortcuts.

Imports nothing of ecocviz. Names: gram (n, n), targets (n, L) in {-1, 0, +1}, relation (L, L).
"""

import numpy as np


def inverse_penalty(relation, lambda1, lambda2):
    """S = (lambda1 I + lambda2 M^-1)^-1 as M (lambda1 M + lambda2 I)^-1."""
    n_bits = relation.shape[0]
    if lambda2 == 0:
        return np.eye(n_bits) / lambda1
    return np.linalg.solve((lambda1 * relation + lambda2 * np.eye(n_bits)).T, relation.T).T


def dense_system(gram, targets, S):
    """Eq. 10: solve for all alpha_i^l and b_l at once; return alphas (n, L) and b (L,).

    alphas multiply the targets: w_q = sum over l of S_lq sum_i alpha_i^l y_i^l phi(x_i).
    """
    n, n_bits = targets.shape
    pairs = [(i, b) for b in range(n_bits) for i in range(n) if targets[i, b] != 0]
    points = np.array([i for i, _ in pairs])
    bits = np.array([b for _, b in pairs])
    y = targets[points, bits].astype(float)
    shown = (targets != 0).sum(axis=0)
    size = len(pairs)
    system = np.zeros((size + n_bits, size + n_bits))
    system[:size, :size] = S[np.ix_(bits, bits)] * np.outer(y, y) * gram[np.ix_(points, points)]
    system[np.arange(size), np.arange(size)] += shown[bits] / 2
    system[np.arange(size), size + bits] = y
    system[size + bits, np.arange(size)] = y
    right = np.concatenate([np.ones(size), np.zeros(n_bits)])
    solution = np.linalg.solve(system, right)
    alphas = np.zeros((n, n_bits))
    alphas[points, bits] = solution[:size]
    return alphas, solution[size:]


def predict(cross_gram, alphas, targets, S, b):
    """Corrected Eq. 16: every machine's output is a sum over all machines' coefficients."""
    return cross_gram @ (alphas * targets) @ S + b


def predict_own_task(cross_gram, alphas, targets, S, b):
    """Eq. 16 as printed: only the machine's own coefficients."""
    return cross_gram @ (alphas * targets) @ np.diag(np.diag(S)) + b


def weight_products(gram, alphas, targets, S):
    """W'W = S B'K B S."""
    B = alphas * targets
    return S @ B.T @ gram @ B @ S


def loss(scores, targets):
    """Sum over machines of the mean of (1 - y f)^2 over the points they are shown."""
    total = 0.0
    for b in range(targets.shape[1]):
        shown = targets[:, b] != 0
        total += np.mean((1 - targets[shown, b] * scores[shown, b]) ** 2)
    return total


def objective(scores, targets, products, relation, lambda1, lambda2):
    """Eq. 4 with a relation that can be inverted."""
    penalty = lambda1 / 2 * np.trace(products)
    if lambda2 > 0:
        penalty += lambda2 / 2 * np.trace(products @ np.linalg.inv(relation))
    return loss(scores, targets) + penalty


def matrix_root(products, squared_eps=0.0):
    """(W'W + eps^2 I)^(1/2) by an eigendecomposition."""
    values, vectors = np.linalg.eigh(products + squared_eps * np.eye(products.shape[0]))
    return (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T


def trace_norm_objective(scores, targets, products, lambda1, lambda2):
    """The objective minimised over the relation: squared trace norm of W in place of tr W M^-1 W'."""
    root = matrix_root(products)
    return loss(scores, targets) + lambda1 / 2 * np.trace(products) + lambda2 / 2 * np.trace(root) ** 2


def alternate(gram, targets, lambda1, lambda2, cycles, squared_eps=0.0):
    """The paper's loop, smoothed inside the root by `squared_eps`.

    Returns relation, alphas, b and the smoothed objective after every half step.
    """
    n_bits = targets.shape[1]
    relation = np.eye(n_bits) / n_bits
    history = []
    for _ in range(cycles):
        S = inverse_penalty(relation, lambda1, lambda2)
        alphas, b = dense_system(gram, targets, S)
        products = weight_products(gram, alphas, targets, S)
        scores = predict(gram, alphas, targets, S, b)
        history.append(_smoothed(scores, targets, products, relation, lambda1, lambda2, squared_eps))
        root = matrix_root(products, squared_eps)
        relation = root / np.trace(root)
        history.append(_smoothed(scores, targets, products, relation, lambda1, lambda2, squared_eps))
    return relation, alphas, b, np.array(history)


def _smoothed(scores, targets, products, relation, lambda1, lambda2, squared_eps):
    smoothing = lambda2 / 2 * squared_eps * np.trace(np.linalg.inv(relation))
    return objective(scores, targets, products, relation, lambda1, lambda2) + smoothing


def left_out_scores(gram, targets, S, points):
    """Score of each point by machines trained without it at fixed S, the others keeping weight 1/N_l."""
    n, n_bits = targets.shape
    shown = (targets != 0).sum(axis=0)
    scores = np.zeros((len(points), n_bits))
    for row, i in enumerate(points):
        rest = np.array([j for j in range(n) if j != i])
        alphas, b = _weighted_system(gram[np.ix_(rest, rest)], targets[rest], S, shown)
        scores[row] = predict(gram[[i]][:, rest], alphas, targets[rest], S, b)[0]
    return scores


def _weighted_system(gram, targets, S, weights):
    """Eq. 10 where machine l's mean runs over weights[l] points whatever it is shown."""
    n, n_bits = targets.shape
    pairs = [(i, b) for b in range(n_bits) for i in range(n) if targets[i, b] != 0]
    size = len(pairs)
    system = np.zeros((size + n_bits, size + n_bits))
    for p, (i, b) in enumerate(pairs):
        for q, (j, c) in enumerate(pairs):
            system[p, q] = S[b, c] * targets[i, b] * targets[j, c] * gram[i, j]
        system[p, p] += weights[b] / 2
        system[p, size + b] = system[size + b, p] = targets[i, b]
    solution = np.linalg.solve(system, np.concatenate([np.ones(size), np.zeros(n_bits)]))
    alphas = np.zeros((n, n_bits))
    for p, (i, b) in enumerate(pairs):
        alphas[i, b] = solution[p]
    return alphas, solution[size:]


def rbf(X, other, gamma):
    """exp(-gamma |x - t|^2) by loops."""
    return np.array([[np.exp(-gamma * np.sum((x - t) ** 2)) for t in other] for x in X])
