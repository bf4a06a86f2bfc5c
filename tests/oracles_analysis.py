"""Slow, obvious definitions for the analysis tests; imports nothing of ecocviz."""

import math

import numpy as np


def wrong_bits(scores, code, y):
    """Count by loops what each machine got wrong; (wrong, asked) as nested lists."""
    wrong, asked = [], []
    for i in range(len(y)):
        row_wrong, row_asked = [], []
        for b in range(code.shape[1]):
            want = code[y[i], b]
            row_asked.append(want != 0)
            row_wrong.append(want != 0 and scores[i, b] * want <= 0)
        wrong.append(row_wrong)
        asked.append(row_asked)
    return np.array(wrong), np.array(asked)


def poisson_binomial(rates):
    """Distribution of the number of successes by enumerating all outcomes."""
    n = len(rates)
    result = np.zeros(n + 1)
    for outcome in range(2**n):
        bits = [(outcome >> j) & 1 for j in range(n)]
        result[sum(bits)] += math.prod(r if bit else 1 - r for r, bit in zip(rates, bits, strict=True))
    return result


def phi(first, second):
    """Pearson correlation of two 0/1 lists, nan where one is constant."""
    n = len(first)
    if n == 0:
        return math.nan
    a, b = sum(first) / n, sum(second) / n
    if a in (0, 1) or b in (0, 1):
        return math.nan
    joint = sum(x and y for x, y in zip(first, second, strict=True)) / n
    return (joint - a * b) / math.sqrt(a * (1 - a) * b * (1 - b))


def margin(costs, y):
    """Least wrong cost minus the true cost, by loop."""
    return [min(c for q, c in enumerate(row) if q != t) - row[t] for row, t in zip(costs, y, strict=True)]


def pessimistic_margins(scores, alphas, diagonal, code, y, slopes, distance):
    """The spec's normative form: decode f - m_y alpha G, or f itself where a sigmoid's slope is positive."""
    result = []
    for i in range(len(y)):
        pessimistic = scores[i].copy()
        for b in range(code.shape[1]):
            if slopes is None or slopes[b] <= 0:
                pessimistic[b] -= code[y[i], b] * alphas[i, b] * diagonal[i]
        costs = [distance(pessimistic, code[q]) for q in range(code.shape[0])]
        result.append(min(c for q, c in enumerate(costs) if q != y[i]) - costs[y[i]])
    return np.array(result)


def left_out_interval(f, alpha, side, g, gap, rounding):
    """Least and greatest score of a point left out: Lemma 1.1, widened by the duality gap."""
    outward = math.sqrt(2 * gap * g)
    inward = outward
    if alpha > 0:
        delta = max(gap + alpha * (1 - side * f) + alpha**2 * g / 2, 0)
        inward = alpha * g + min(gap / alpha, math.sqrt(2 * delta * g))
    doubt = rounding * (1 + abs(f))
    low, high = (inward if side > 0 else outward) + doubt, (inward if side < 0 else outward) + doubt
    return f - low, f + high


def least_favourable_margins(low_terms, high_terms, y):
    """Let every term of (wrong cost - true cost) take the worse end; terms are (sample, class, bit)."""
    margins = []
    for low, high, true in zip(low_terms, high_terms, y, strict=True):
        leads = [
            sum(min(low[q][s] - low[true][s], high[q][s] - high[true][s]) for s in range(len(low[q])))
            for q in range(len(low))
            if q != true
        ]
        margins.append(min(leads))
    return np.array(margins)
