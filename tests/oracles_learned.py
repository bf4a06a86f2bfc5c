"""Slow, obvious definitions for codes learned from data: loops over points, codes and columns.

Imports nothing of ecocviz.
"""

import math
from fractions import Fraction
from itertools import combinations, product


def potential(first, second, width):
    squares = sum((a - b) ** 2 for a, b in zip(first, second, strict=True))
    return math.exp(-squares / (4 * width**2))


def quadratic_information(points, sides, width):
    """V_in + V_all - 2 V_btw, pair of points by pair of points."""
    n = len(points)
    labels = sorted(set(sides))
    counts = {label: sides.count(label) for label in labels}
    v_in = v_all = v_btw = 0.0
    share = sum((counts[label] / n) ** 2 for label in labels)
    for i in range(n):
        for j in range(n):
            value = potential(points[i], points[j], width)
            if sides[i] == sides[j]:
                v_in += value
            v_all += share * value
            v_btw += counts[sides[i]] / n * value
    return (v_in + v_all - 2 * v_btw) / n**2


def sums_by_class(points, classes, width):
    k = max(classes) + 1
    sums = [[0.0] * k for _ in range(k)]
    for i, first in enumerate(points):
        for j, second in enumerate(points):
            sums[classes[i]][classes[j]] += potential(first, second, width)
    return sums


def splits(members):
    """Every split in two, as the side without the first member."""
    rest = members[1:]
    for size in range(1, len(rest) + 1):
        yield from combinations(rest, size)


def separation(points, sides):
    """Histogram distance, feature by feature; points in [0, 1], 11 bins centred on 0, 0.1, ..., 1."""
    total = 0.0
    for feature in range(len(points[0])):
        shares = []
        for side in (True, False):
            values = [p[feature] for p, s in zip(points, sides, strict=True) if s == side]
            counts = [0] * 11
            for value in values:
                nearest = min(range(11), key=lambda b: (abs(value - b / 10), -b))
                counts[nearest] += 1
            shares.append([count / len(values) for count in counts])
        total += math.sqrt(sum((a - b) ** 2 for a, b in zip(*shares, strict=True)))
    return total


def hits(bits, y, code):
    """m xi_S in exact fractions: the true class's share among the classes of the highest score."""
    total = Fraction(0)
    for row, label in zip(bits, y, strict=True):
        scores = [sum(m * h for m, h in zip(codeword, row, strict=True)) for codeword in code]
        winners = [r for r, value in enumerate(scores) if value == max(scores)]
        if label in winners:
            total += Fraction(1, len(winners))
    return total


def best_code(bits, y, n_classes, n_bits):
    """The most hits over all 2^(kl) codes."""
    return max(
        hits(bits, y, [entries[r * n_bits : (r + 1) * n_bits] for r in range(n_classes)])
        for entries in product((-1, 1), repeat=n_classes * n_bits)
    )


def best_column(bits, y, columns, n_classes):
    """The most hits over all two-sided last columns; bits has one entry more than there are columns."""
    best = Fraction(-1)
    for column in product((-1, 1), repeat=n_classes):
        if len(set(column)) == 2:
            code = [[*(c[r] for c in columns), column[r]] for r in range(n_classes)]
            best = max(best, hits(bits, y, code))
    return best


def cover_number(n_vertices, edges):
    for size in range(n_vertices + 1):
        for cover in combinations(range(n_vertices), size):
            if all(i in cover or j in cover for i, j in edges):
                return size
    return n_vertices


def hinge_sum(f, m):
    return sum(max(0.0, 1.0 - m * value) for value in f)


def separation_energy(code):
    """Half the sum over pairs of rows of their squared distance."""
    return (
        sum(
            sum((a - b) ** 2 for a, b in zip(first, second, strict=True))
            for first, second in combinations(code, 2)
        )
        / 2
    )


def joint_objective(gram, alphas, signs, y, code, C, B):
    """1/2 sum |w_j|^2 + C sum of hinge losses - B/2 sum of squared row distances, from the duals."""
    n, n_bits = len(y), len(code[0])
    total = -B * separation_energy(code)
    for j in range(n_bits):
        v = [alphas[i][j] * signs[i][j] for i in range(n)]
        f = [sum(gram[i][t] * v[t] for t in range(n)) for i in range(n)]
        total += sum(v[i] * f[i] for i in range(n)) / 2
        total += C * sum(max(0.0, 1.0 - code[y[i]][j] * f[i]) for i in range(n))
    return total


def confusion(y, labels, n_classes):
    counts = [[0] * n_classes for _ in range(n_classes)]
    for truth, label in zip(y, labels, strict=True):
        counts[truth][label] += 1
    return counts


def error_rate(counts):
    total = sum(map(sum, counts))
    return sum(counts[a][b] for a in range(len(counts)) for b in range(len(counts)) if a != b) / total


def most_confused(train_counts, validation_counts, weight):
    """The pair of classes with the most confusions in both directions, shares of each table."""
    k = len(train_counts)
    n_train, n_validation = sum(map(sum, train_counts)), sum(map(sum, validation_counts))

    def value(a, b):
        return (
            weight * (validation_counts[a][b] + validation_counts[b][a]) / n_validation
            + (1 - weight) * (train_counts[a][b] + train_counts[b][a]) / n_train
        )

    return max(combinations(range(k), 2), key=lambda pair: (value(*pair), -pair[0], -pair[1]))


def thinning_path(code, outputs, y, shortest):
    """Columns in the order in which they go, by refitting every accuracy from scratch."""
    kept = list(range(len(code[0])))
    path = [(tuple(kept), accuracy(code, outputs, y, kept))]
    while len(kept) > shortest:
        here = accuracy(code, outputs, y, kept)
        candidates = []
        for j in kept:
            rest = [b for b in kept if b != j]
            if all(
                any(code[a][s] * code[b][s] == -1 for s in rest) for a, b in combinations(range(len(code)), 2)
            ):
                drop = here - accuracy(code, outputs, y, rest)
                candidates.append((drop, worth(code, outputs, y, kept, j), j))
        if not candidates:
            break
        least = min(c[0] for c in candidates)
        close = [c for c in candidates if c[0] <= least + 1e-9]
        least_worth = min(c[1] for c in close)
        gone = min(c[2] for c in close if c[1] <= least_worth + 1e-9)
        kept.remove(gone)
        path.append((tuple(kept), accuracy(code, outputs, y, kept)))
    return path


def accuracy(code, outputs, y, kept):
    right = 0
    for row, label in zip(outputs, y, strict=True):
        scores = [sum(codeword[s] * row[s] for s in kept) for codeword in code]
        right += scores.index(max(scores)) == label
    return right / len(y)


def errors(code, outputs, y, j):
    return [
        int(code[label][j] * row[j] < 0 or (code[label][j] != 0 and row[j] == 0))
        for row, label in zip(outputs, y, strict=True)
    ]


def worth(code, outputs, y, kept, j):
    """acc_j (1 - largest |phi| with another column that is still there)."""
    asked = sum(code[label][j] != 0 for label in y)
    mine = errors(code, outputs, y, j)
    acc = 1 - sum(mine) / asked
    largest = 0.0
    for other in kept:
        if other != j:
            largest = max(largest, abs(phi(mine, errors(code, outputs, y, other))))
    return acc * (1 - largest)


def phi(first, second):
    n = len(first)
    a, b = sum(first) / n, sum(second) / n
    covariance = sum((x - a) * (z - b) for x, z in zip(first, second, strict=True)) / n
    variance = a * (1 - a) * b * (1 - b)
    return covariance / math.sqrt(variance) if variance > 0 else 0.0
