"""Kernel machines written as plain loops over their definitions. Imports nothing from ecocviz."""

import math

import numpy as np


def kernel_value(name, x, t, gamma=1.0, degree=3, bias=0.0):
    """K(x, t) + bias of two points."""
    if name == "rbf":
        value = math.exp(-gamma * sum((a - b) ** 2 for a, b in zip(x, t, strict=True)))
    else:
        value = sum(a * b for a, b in zip(x, t, strict=True))
        if name == "poly":
            value = (value + 1) ** degree
    return value + bias


def gram(name, X, other=None, **numbers):
    """The matrix of all kernel values."""
    other = X if other is None else other
    return np.array([[kernel_value(name, x, t, **numbers) for t in other] for x in X]).reshape(
        len(X), len(other)
    )


def objective(G, t, alphas):
    """sum(a) - 1/2 sum a_i a_j t_i t_j G_ij."""
    b = alphas * t
    return alphas.sum() - b @ G @ b / 2


def box_dual(G, t, upper, tol=1e-10, most=2_000_000):
    """Maximise the objective over the box, one coordinate of largest gain at a time."""
    alphas = np.zeros(len(t))
    for _ in range(most):
        v = 1 - t * (G @ (alphas * t))
        best, best_gain, best_value = -1, tol * tol, 0.0
        for i in range(len(t)):
            value = min(max(alphas[i] + v[i] / G[i, i], 0.0), upper[i]) if G[i, i] > 0 else upper[i]
            d = value - alphas[i]
            gain = d * v[i] - d * d * G[i, i] / 2
            if gain > best_gain:
                best, best_gain, best_value = i, gain, value
        if best < 0:
            break
        alphas[best] = best_value
    return alphas


def violation(G, t, upper, alphas):
    """The largest breach of the optimality conditions, point by point."""
    worst = 0.0
    for i in range(len(t)):
        v = 1 - t[i] * sum(alphas[j] * t[j] * G[i, j] for j in range(len(t)))
        if alphas[i] < upper[i]:
            worst = max(worst, v)
        if alphas[i] > 0:
            worst = max(worst, -v)
    return worst


def duality_gap(G, t, C, alphas):
    """|f|^2 + C sum |1 - t f|_+ - sum(a)."""
    f = G @ (alphas * t)
    return float(
        (alphas * t) @ f + C * sum(max(0.0, 1 - a * b) for a, b in zip(t, f, strict=True)) - alphas.sum()
    )
