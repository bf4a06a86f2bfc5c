"""Slow, obvious definitions for code matrices; imports nothing of ecocviz. Matrices are lists of rows."""

import math
from fractions import Fraction
from itertools import combinations, product


def row_distance(first, second):
    """1/2 sum |a| |b| |a - b|."""
    total = 0
    for a, b in zip(first, second, strict=True):
        total += abs(a) * abs(b) * abs(a - b)
    return total / 2


def hamming_distance(first, second):
    total = 0
    for a, b in zip(first, second, strict=True):
        total += (1 - a * b) / 2
    return total


def smallest_row_distance(matrix):
    return min(row_distance(a, b) for a, b in combinations(matrix, 2))


def mean_row_distance(matrix):
    distances = [row_distance(a, b) for a, b in combinations(matrix, 2)]
    return sum(distances) / len(distances)


def column_distance(first, second):
    straight = turned = 0
    for a, b in zip(first, second, strict=True):
        straight += abs(a - b) / 2
        turned += abs(a + b) / 2
    return min(straight, turned)


def columns(matrix):
    return [tuple(row[b] for row in matrix) for b in range(len(matrix[0]))] if matrix else []


def is_one_sided(column):
    return not (any(entry > 0 for entry in column) and any(entry < 0 for entry in column))


def twins(matrix):
    """(copies, complements), each as (first of its kind, later) pairs."""
    copies, complements, firsts = [], [], []
    for later, column in enumerate(columns(matrix)):
        for first in firsts:
            other = columns(matrix)[first]
            if column == other:
                copies.append((first, later))
                break
            if column == tuple(-entry for entry in other):
                complements.append((first, later))
                break
        else:
            firsts.append(later)
    return copies, complements


def dichotomies(n_classes, entries):
    """Every column with both signs, one of each pair of complements: the one whose first sign is +."""
    found = set()
    for column in product(entries, repeat=n_classes):
        if not is_one_sided(column) and next(entry for entry in column if entry) > 0:
            found.add(column)
    return found


def first_sign_positive(column):
    sign = next(entry for entry in column if entry)
    return tuple(sign * entry for entry in column)


def repairs(matrix, c, *, zero_cost):
    """The most wrong bits with which class c is still strictly cheapest, over all words of bits.

    A wrong bit is one that differs from an entry of row c that is not 0. Every zero of a row costs
    that row zero_cost. -1 if the class can be lost without a wrong bit.
    """
    n_bits = len(matrix[0])
    lost = []
    for word in product((-1, 1), repeat=n_bits):
        costs = []
        for row in matrix:
            cost = Fraction(0)
            for bit, entry in zip(word, row, strict=True):
                cost += zero_cost if entry == 0 else bit != entry
            costs.append(cost)
        if any(costs[q] <= costs[c] for q in range(len(matrix)) if q != c):
            wrong = sum(entry not in (0, bit) for bit, entry in zip(word, matrix[c], strict=True))
            lost.append(wrong)
    return min(lost) - 1


def polynomial_product(left, right):
    """Multiply polynomials over GF(2) given as lists of coefficients, lowest power first."""
    result = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            result[i + j] = (result[i + j] + a * b) % 2
    return result


def polynomial_remainder(dividend, divisor):
    """Remainder over GF(2), lowest power first; the divisor's last coefficient is 1."""
    rest = list(dividend)
    for top in range(len(rest) - 1, len(divisor) - 2, -1):
        if rest[top]:
            for i, coefficient in enumerate(divisor):
                rest[top - len(divisor) + 1 + i] ^= coefficient
    return rest[: len(divisor) - 1]


def annealed(matrix, cells, chances, hot, cold):
    """Flip entries of a dense code as described, everything computed anew; the first best state."""
    rows = [list(row) for row in matrix]
    n_bits = len(rows[0])

    def energy():
        return sum(2.0 ** (n_bits / 2 - row_distance(a, b)) for a, b in combinations(rows, 2))

    best = [list(row) for row in rows]
    for i, (cell, chance) in enumerate(zip(cells, chances, strict=True)):
        temperature = hot * (cold / hot) ** ((i + 1) / len(cells))
        c, b = divmod(int(cell), n_bits)
        before = energy()
        rows[c][b] = -rows[c][b]
        rise = energy() - before
        legal = not any(is_one_sided(column) for column in columns(rows)) and twins(rows) == ([], [])
        if not legal or (rise > 0 and chance >= math.exp(-rise / temperature)):
            rows[c][b] = -rows[c][b]
            continue
        if (smallest_row_distance(rows), mean_row_distance(rows)) > (
            smallest_row_distance(best),
            mean_row_distance(best),
        ):
            best = [list(row) for row in rows]
    return best
