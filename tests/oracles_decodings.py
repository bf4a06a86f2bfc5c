"""Decoders written as plain loops over samples, classes and bits. Imports nothing from ecocviz."""

import itertools
import math

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq, minimize


def sign(z):
    return 1 if z > 0 else -1 if z < 0 else 0


def softplus(u):
    return u + math.log1p(math.exp(-u)) if u > 0 else math.log1p(math.exp(u))


def sigmoid(f, a, b):
    """P(bit = +1 | f)."""
    return math.exp(-softplus(a * f + b))


LOSSES = {
    "hamming": lambda z: (1 - sign(z)) / 2,
    "linear": lambda z: -z,
    "soft-margin": lambda z: max(0.0, 1 - z),
    "exponential": lambda z: math.exp(-z),
    "logit": lambda z: softplus(-z),
    "binodeviance": lambda z: softplus(-2 * z),
    "quadratic": lambda z: (1 - z) ** 2,
}


def table(scores, code_matrix, cost):
    """Fill an (n_samples, n_classes) table with cost(f, m), one row of each at a time."""
    return np.array([[cost(list(f), list(m)) for m in code_matrix] for f in scores], dtype=float)


def loss_costs(key, scores, code_matrix, weighting="loss-based"):
    loss = LOSSES[key]

    def cost(f, m):
        summed, weight = 0.0, 0.0
        for f_s, m_s in zip(f, m, strict=True):
            w = 1.0 if weighting == "loss-based" else abs(m_s)
            summed += w * loss(m_s * f_s)
            weight += w
        if weighting == "loss-based":
            return summed
        return summed / weight if weight else loss(0.0)

    return table(scores, code_matrix, cost)


def attenuated_hamming_costs(scores, code_matrix):
    return table(
        scores,
        code_matrix,
        lambda f, m: sum((1 - sign(b * a)) / 2 for a, b in zip(f, m, strict=True) if b != 0),
    )


def euclidean_costs(scores, code_matrix, attenuated=False):
    return table(
        scores,
        code_matrix,
        lambda f, m: sum((abs(b) if attenuated else 1) * (a - b) ** 2 for a, b in zip(f, m, strict=True)),
    )


def counts(f, m):
    right = sum(a * b > 0 for a, b in zip(f, m, strict=True))
    wrong = sum(a * b < 0 for a, b in zip(f, m, strict=True))
    return right, wrong


def laplacian_costs(scores, code_matrix):
    def cost(f, m):
        right, wrong = counts(f, m)
        return (right + wrong + 2) / (right + 1)

    return table(scores, code_matrix, cost)


def beta_density_costs(scores, code_matrix):
    """Integrate the density by quadrature and search the left end of its third."""

    def share(right, wrong):
        def density(v):
            return v**right * (1 - v) ** wrong

        total = quad(density, 0, 1)[0]
        mode = right / (right + wrong) if right + wrong else 0.0
        if quad(density, 0, mode)[0] <= total / 3:
            return 0.0
        return brentq(lambda low: quad(density, low, mode)[0] - total / 3, 0.0, mode, xtol=1e-12)

    return table(scores, code_matrix, lambda f, m: 1 - share(*counts(f, m)))


def inverse_hamming_weights(scores, code_matrix):
    """Solve D q = l by least squares of least norm; returns q."""
    n_classes, n_bits = code_matrix.shape
    between = np.array(
        [
            [
                sum(abs(float(code_matrix[a, b]) - code_matrix[c, b]) for b in range(n_bits)) / 2
                for c in range(n_classes)
            ]
            for a in range(n_classes)
        ]
    )
    to_codewords = loss_costs("hamming", scores, code_matrix)
    return np.array([np.linalg.lstsq(between, row, rcond=1e-10)[0] for row in to_codewords])


def weighted_costs(scores, code_matrix, raw_weights, loss):
    """raw_weights (n_classes, n_bits), not yet normalised, all 0 on no row."""
    n_classes, n_bits = code_matrix.shape
    costs = np.zeros((len(scores), n_classes))
    for i, f in enumerate(scores):
        for q in range(n_classes):
            used = [raw_weights[q][s] if code_matrix[q, s] else 0.0 for s in range(n_bits)]
            for s in range(n_bits):
                costs[i, q] += used[s] / sum(used) * loss(code_matrix[q, s] * f[s])
    return costs


def likelihood_costs(scores, code_matrix, sigmoids):
    def cost(f, m):
        return sum(
            softplus(b * (line[0] * a + line[1])) for a, b, line in zip(f, m, sigmoids, strict=True) if b
        )

    return table(scores, code_matrix, cost)


def likelihood_probabilities(scores, code_matrix, sigmoids):
    """Go through all 2^S codewords: a codeword valid for a class gives its mass to that class."""
    n_classes, n_bits = code_matrix.shape
    probabilities = np.zeros((len(scores), n_classes))
    for i, f in enumerate(scores):
        sides = [sigmoid(f[s], *sigmoids[s]) for s in range(n_bits)]
        for word in itertools.product((-1, 1), repeat=n_bits):
            mass = math.prod(p if bit == 1 else 1 - p for p, bit in zip(sides, word, strict=True))
            owners = [
                q
                for q in range(n_classes)
                if all(m in (0, bit) for m, bit in zip(code_matrix[q], word, strict=True))
            ]
            for q in owners or range(n_classes):
                probabilities[i, q] += mass / len(owners or range(n_classes))
    return probabilities


def voting_winner(f, code_matrix):
    """Most votes, then most strength, then lowest index."""
    best, winner = None, None
    for q, m in enumerate(code_matrix):
        won = [s for s in range(len(f)) if m[s] * f[s] > 0]
        standing = (len(won), sum(abs(f[s]) for s in won))
        if best is None or standing > best:
            best, winner = standing, q
    return winner


def reliability_costs(scores, code_matrix, reliabilities):
    """reliabilities (n_samples, n_bits)."""
    costs = np.zeros((len(scores), len(code_matrix)))
    for i, f in enumerate(scores):
        for q, m in enumerate(code_matrix):
            for s in range(len(f)):
                soft = sign(f[s]) * (1 - math.exp(-abs(f[s])))
                costs[i, q] -= m[s] * reliabilities[i][s] * soft
    return costs


def shares(costs, temperature, bend=0.0):
    """Probabilities that fall with the excess cost, class by class; an infinite cost has none."""
    least = min(costs)
    excess = [0.0 if cost == least else cost - least for cost in costs]
    bent = [math.log1p(bend * e) / bend if bend else e for e in excess]
    falls = [0.0 if math.isinf(e) else math.exp(-e / temperature) for e in bent]
    return [fall / sum(falls) for fall in falls]


def led(shares, winner):
    """Shares in which the winner's is largest: larger ones join those that share alike, one by one."""
    shares, alike = list(shares), [winner]
    for q in sorted(set(range(len(shares))) - {winner}, key=lambda q: -shares[q]):
        if shares[q] > sum(shares[k] for k in alike) / len(alike):
            alike.append(q)
    level = sum(shares[k] for k in alike) / len(alike)
    return [level if q in alike else share for q, share in enumerate(shares)]


def soft_log_loss(costs, truth, counts, temperature, bend=0.0):
    """Nats of soft targets: the true class of n points is right but for one of n + 2."""
    missed, total = 1 / (sum(counts) + 2), 0.0
    for row, c, count in zip(costs, truth, counts, strict=True):
        for q, share in enumerate(shares(row, temperature, bend)):
            target = 1 - missed if q == c else missed / (len(row) - 1)
            total -= count * target * math.log(max(share, 1e-300))
    return total


def kl_objective(p, r, code_matrix, weights):
    total = 0.0
    for s in range(code_matrix.shape[1]):
        positive = sum(p[q] for q in range(len(p)) if code_matrix[q, s] == 1)
        negative = sum(p[q] for q in range(len(p)) if code_matrix[q, s] == -1)
        implied = positive / (positive + negative)
        total += weights[s] * (
            r[s] * math.log(r[s] / implied) + (1 - r[s]) * math.log((1 - r[s]) / (1 - implied))
        )
    return total


def kl_minimum(r, code_matrix, weights, starts):
    """Least objective that a general optimiser finds over softmax coordinates, from several starts."""

    def objective(t):
        e = np.exp(t - t.max())
        return kl_objective(e / e.sum(), r, code_matrix, weights)

    return min(minimize(objective, start, method="BFGS").fun for start in starts)


def kl_minimum_by_slopes(r, code_matrix, weights):
    """The same for large codes: L-BFGS with the slopes, from the uniform distribution and another."""
    positive, negative = (code_matrix == 1).astype(float), (code_matrix == -1).astype(float)

    def objective(t):
        p = np.exp(t - t.max())
        p = np.maximum(p / p.sum(), 1e-100)
        above, below = p @ positive, p @ negative
        both = above + below
        value = weights @ (r * np.log(r * both / above) + (1 - r) * np.log((1 - r) * both / below))
        slopes = positive @ (weights * (1 / both - r / above)) + negative @ (
            weights * (1 / both - (1 - r) / below)
        )
        return value, p * (slopes - slopes @ p)

    exact = {"maxiter": 5_000, "maxfun": 20_000, "ftol": 1e-15, "gtol": 1e-10}
    starts = np.random.default_rng(0).normal(size=(2, len(code_matrix))) * [[0], [1]]
    return min(minimize(objective, t, jac=True, method="L-BFGS-B", options=exact).fun for t in starts)


def qp_objective(p, r, code_matrix):
    total = 0.0
    for s in range(code_matrix.shape[1]):
        positive = sum(p[q] for q in range(len(p)) if code_matrix[q, s] == 1)
        negative = sum(p[q] for q in range(len(p)) if code_matrix[q, s] == -1)
        total += ((1 - r[s]) * positive - r[s] * negative) ** 2
    return total


def qp_minimum(r, code_matrix):
    n_classes = len(code_matrix)
    answer = minimize(
        lambda p: qp_objective(p, r, code_matrix),
        np.full(n_classes, 1 / n_classes),
        bounds=[(0, 1)] * n_classes,
        constraints={"type": "eq", "fun": lambda p: p.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return answer.fun


def sigmoid_objective(a, b, scores, targets, raw=False):
    n_positive = sum(t > 0 for t in targets)
    n_negative = sum(t < 0 for t in targets)
    high, low = (1.0, 0.0) if raw else ((n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
    total = 0.0
    for f, t in zip(scores, targets, strict=True):
        if t:
            u = a * f + b
            total += (high if t > 0 else low) * u + softplus(-u)
    return total


def soft_objective(a, b, scores, soft):
    return sum(t * (a * f + b) + softplus(-(a * f + b)) for f, t in zip(scores, soft, strict=True))


def static_reliability(norm, losses, targets, cost):
    shown = [i for i in range(len(targets)) if targets[i] != 0]
    objective = norm / 2 + cost * sum(losses[i] for i in shown)
    return math.exp(-objective / (cost * len(shown)))


def local_reliability(x, f, X_train, train_scores, targets, norm, losses, cost, k, excluded):
    """One point, one machine."""
    shown = [i for i in range(len(targets)) if targets[i] != 0]
    near = sorted(
        (i for i in shown if i != excluded),
        key=lambda i: (sum((u - v) ** 2 for u, v in zip(x, X_train[i], strict=True)), i),
    )[:k]
    kept = [i for i in near if (train_scores[i] >= 0) == (f >= 0)]
    if not kept:
        return static_reliability(norm, losses, targets, cost)
    return math.exp(-(norm / (2 * cost * len(shown)) + sum(losses[i] for i in kept) / len(kept)))
