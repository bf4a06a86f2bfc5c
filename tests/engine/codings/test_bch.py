"""BCH codes against published generator polynomials and the definition of a minimum distance."""

from itertools import combinations

import numpy as np
import oracles_codes as oracles
import pytest

from ecocviz.engine.codings import bch as bch_module
from ecocviz.engine.codings.bch import CODING, bch
from ecocviz.engine.kernels import field

# (length, dimension): generator polynomial as printed, in octal, in tables of BCH codes.
PUBLISHED = {
    (7, 4): "13",
    (15, 11): "23",
    (15, 7): "721",
    (15, 5): "2467",
    (31, 26): "45",
    (31, 21): "3551",
    (31, 16): "107657",
    (31, 11): "5423325",
    (31, 6): "313365047",
    (63, 57): "103",
    (63, 51): "12471",
    (63, 45): "1701317",
    (63, 39): "166623567",
    (63, 36): "1033500423",
    (63, 30): "157464165547",
    (63, 24): "17323260404441",
    (63, 18): "1363026512351725",
    (63, 16): "6331141367235453",
    (63, 10): "472622305527250155",
    (63, 7): "5231045543503271737",
    (127, 120): "211",
    (127, 113): "41567",
    (127, 106): "11554743",
    (255, 247): "435",
    (255, 239): "267543",
    (255, 231): "156720665",
}
# The same: the distance that the construction promises.
DESIGNED = {(7, 4): 3, (15, 7): 5, (15, 5): 7, (31, 11): 11, (31, 6): 15, (63, 10): 27, (63, 7): 31}


def coefficients(polynomial):
    return [polynomial >> i & 1 for i in range(polynomial.bit_length())]


@pytest.mark.parametrize(("shape", "octal"), PUBLISHED.items())
def test_generators_are_the_published_ones(shape, octal):
    length, dimension = shape
    assert field.bch_generators(length.bit_length())[dimension] == int(octal, 8)


@pytest.mark.parametrize("m", range(2, 12))
def test_the_powers_of_the_generator_are_all_elements(m):
    assert sorted(field.powers_of_generator(m).tolist()) == list(range(1, 2**m))


@pytest.mark.parametrize("m", range(2, 9))
def test_every_generator_divides_x_to_the_length_minus_one(m):
    length = 2**m - 1
    for dimension, generator in field.bch_generators(m).items():
        assert generator.bit_length() - 1 == length - dimension
        assert not any(oracles.polynomial_remainder([1] + [0] * (length - 1) + [1], coefficients(generator)))


@pytest.mark.parametrize("m", [3, 4, 5])
def test_minimal_polynomials_multiply_to_x_to_the_length_minus_one(m):
    length = 2**m - 1
    product, seen = [1], set()
    for exponent in range(length):
        if exponent not in seen:
            seen.update(field.cyclotomic_coset(exponent, m))
            product = oracles.polynomial_product(product, coefficients(field.minimal_polynomial(exponent, m)))
    assert product == [1] + [0] * (length - 1) + [1]


def test_products_agree_with_the_school_method():
    for left, right in [(0b1, 0b1), (0b1011, 0b1101), (0b111111, 0b10101), (0, 0b11)]:
        expected = oracles.polynomial_product(coefficients(left) or [0], coefficients(right))
        assert field.multiply_polynomials(left, right) == sum(c << i for i, c in enumerate(expected))


@pytest.mark.parametrize(("shape", "distance"), DESIGNED.items())
def test_words_are_multiples_of_the_generator_and_keep_the_designed_distance(shape, distance):
    length, dimension = shape
    m = length.bit_length()
    words = field.encode(np.arange(2**dimension), dimension, m)
    assert words.shape == (2**dimension, length)
    weights = words.sum(axis=1)
    # The code is linear: the smallest weight of a word that is not 0 is the smallest distance.
    assert weights[1:].min() >= distance
    assert weights[0] == 0 and (weights == length).any()
    generator = coefficients(field.bch_generators(m)[dimension])
    for word in words[:: max(1, len(words) // 20)].tolist():
        # Message bits stand first in the word, but are the high powers of the polynomial.
        polynomial = word[dimension:] + word[:dimension]
        assert not any(oracles.polynomial_remainder(polynomial, generator))


def test_three_columns_for_each_class_by_default():
    for n_classes in (6, 7, 8, 10, 16, 26):
        assert bch(n_classes).shape == (n_classes, 3 * n_classes)
        assert CODING.n_bits(n_classes) == 3 * n_classes


@pytest.mark.parametrize(("n_classes", "n_bits"), [(10, 31), (26, 31), (40, 63), (7, 15)])
def test_whole_words_keep_the_designed_distance(n_classes, n_bits):
    code_matrix = bch(n_classes, n_bits)
    m, dimension, _ = bch_module._plan(n_classes, n_bits)
    assert 2**m - 1 == n_bits == code_matrix.shape[1]
    assert oracles.smallest_row_distance(code_matrix.tolist()) >= DESIGNED[n_bits, dimension]


@pytest.mark.parametrize("n_classes", [10, 26])
def test_taking_out_a_column_costs_at_most_one_of_distance(n_classes):
    for n_bits in (28, 29, 30):
        distance = oracles.smallest_row_distance(bch(n_classes, n_bits).tolist())
        assert distance >= 15 - (31 - n_bits)


def test_columns_are_taken_out_better_than_from_the_end():
    # 78 of 127: the words are 63 apart; the last 49 columns of the same words are a poor choice.
    m, dimension, wanted = bch_module._plan(26, 0)
    assert (m, dimension, wanted) == (7, 8, 78)
    whole = bch(26, 127)
    cut = bch_module._take_out(whole, 78, np.zeros(127, dtype=np.bool_))
    naive = oracles.smallest_row_distance(whole[:, :78].tolist())
    assert oracles.smallest_row_distance(cut.tolist()) > naive
    assert cut.shape == (26, 78)


def test_rows_stay_apart_when_the_free_choice_would_lose_them():
    # Eight words of which three columns only tell some apart: of the first three, message bits, none
    # may go; the others oppose more rows and would win a free choice.
    messages = 2 * (np.arange(8)[:, None] >> np.arange(3) & 1) - 1
    loud = np.ones((8, 3), dtype=int)
    for b, rows in enumerate(([0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 3, 4])):
        loud[rows, b] = -1
    code_matrix = np.concatenate([messages, loud], axis=1).astype(np.int8)
    protected = np.array([True] * 3 + [False] * 3)
    results = []
    for order in ([0, 1, 2, 3, 4, 5], [3, 4, 5, 0, 1, 2]):
        short = bch_module._shorten(code_matrix[:, order], 3, protected[order])
        results.append(oracles.smallest_row_distance(short.tolist()))
    assert min(results) >= 1


@pytest.mark.parametrize("n_classes", [3, 4, 5])
def test_small_problems_get_every_column_that_exists(n_classes):
    columns = set(oracles.columns(bch(n_classes).tolist()))
    assert columns == oracles.dichotomies(n_classes, (-1, 1))


def test_rows_stay_apart_at_every_length():
    for n_classes in (3, 6, 9, 16, 17):
        for n_bits in range(1, 20):
            code_matrix = bch(n_classes, n_bits, seed=n_bits)
            for a, b in combinations(code_matrix.tolist(), 2):
                assert a != b
            assert code_matrix.shape[1] <= CODING.n_bits(n_classes, n_bits)
