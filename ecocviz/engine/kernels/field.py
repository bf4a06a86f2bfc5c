"""Binary BCH codes from the arithmetic of GF(2^m).

A polynomial over GF(2) is an int whose bit i is the coefficient of x^i; so is an element of
GF(2^m), as a polynomial in the primitive element.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import numpy as np

from ecocviz.engine.types import IntArray

PRIMITIVE_POLYNOMIALS = {
    2: 0b111,
    3: 0b1011,
    4: 0b10011,
    5: 0b100101,
    6: 0b1000011,
    7: 0b10001001,
    8: 0b100011101,
    9: 0b1000010001,
    10: 0b10000001001,
    11: 0b100000000101,
}
"""m -> the primitive polynomial of degree m that tables of BCH codes use."""


def powers_of_generator(m: int) -> IntArray:
    """List the powers a^0, a^1, ..., a^(2^m - 2) of the primitive element of GF(2^m).

    Returns
    -------
    powers : (2 ** m - 1,)
        All elements but 0, each once.

    Examples
    --------
    >>> powers_of_generator(3).tolist()
    [1, 2, 4, 3, 6, 7, 5]
    """
    order = 1 << m
    powers = np.empty(order - 1, dtype=np.int64)
    element = 1
    for exponent in range(order - 1):
        powers[exponent] = element
        element <<= 1
        if element & order:
            element ^= PRIMITIVE_POLYNOMIALS[m]
    return powers


def cyclotomic_coset(exponent: int, m: int) -> tuple[int, ...]:
    """List the exponents of the conjugates of a^exponent: exponent times 2^i modulo 2^m - 1.

    >>> cyclotomic_coset(3, 4)
    (3, 6, 12, 9)
    """
    coset = [exponent]
    following = 2 * exponent % ((1 << m) - 1)
    while following != exponent:
        coset.append(following)
        following = 2 * following % ((1 << m) - 1)
    return tuple(coset)


def minimal_polynomial(exponent: int, m: int) -> int:
    """Multiply (x - r) over all conjugates r of a^exponent; the result has coefficients 0 and 1.

    >>> bin(minimal_polynomial(1, 3)), bin(minimal_polynomial(3, 3))
    ('0b1011', '0b1101')
    """
    powers = powers_of_generator(m).tolist()
    logarithm = {element: place for place, element in enumerate(powers)}
    coefficients = [1]  # lowest power first, each an element of GF(2^m)
    for root in cyclotomic_coset(exponent, m):
        shifted = [0, *coefficients]
        scaled = [
            powers[(logarithm[element] + root) % len(powers)] if element else 0 for element in coefficients
        ]
        coefficients = [up ^ down for up, down in zip(shifted, [*scaled, 0], strict=True)]
    return sum(element << place for place, element in enumerate(coefficients))


def multiply_polynomials(left: int, right: int) -> int:
    """Multiply two polynomials over GF(2).

    >>> bin(multiply_polynomials(0b11, 0b111))
    '0b1001'
    """
    product = 0
    while right:
        if right & 1:
            product ^= left
        left <<= 1
        right >>= 1
    return product


@cache
def bch_generators(m: int) -> Mapping[int, int]:
    """List the primitive narrow-sense binary BCH codes of length 2^m - 1.

    The generator of the code with designed distance 2t + 1 is the least common multiple of the
    minimal polynomials of a, a^3, ..., a^(2t-1) [Lin2004]_. Codes with fewer than two words are left
    out.

    Returns
    -------
    generators
        dimension -> generator polynomial, by falling dimension; each has the largest designed
        distance for its dimension.

    Examples
    --------
    >>> {dimension: bin(generator) for dimension, generator in bch_generators(4).items()}
    {11: '0b10011', 7: '0b111010001', 5: '0b10100110111', 1: '0b111111111111111'}
    """
    length = (1 << m) - 1
    generator = 1
    roots: set[int] = set()
    generators: dict[int, int] = {}
    for exponent in range(1, length, 2):
        if exponent not in roots:
            roots.update(cyclotomic_coset(exponent, m))
            generator = multiply_polynomials(generator, minimal_polynomial(exponent, m))
            generators[length - len(roots)] = generator
    return MappingProxyType(generators)


def encode(messages: IntArray, dimension: int, m: int) -> IntArray:
    """Write messages as words of the BCH code, message bits first.

    Parameters
    ----------
    messages : (n_words,)
        Numbers below 2 ** dimension; bit i of the number is bit i of the word.

    Returns
    -------
    words : (n_words, 2 ** m - 1)
        Entries 0 and 1: the dimension message bits, then the check bits.

    Examples
    --------
    >>> encode(np.array([1, 2]), 4, 3).tolist()
    [[1, 0, 0, 0, 1, 1, 0], [0, 1, 0, 0, 0, 1, 1]]
    """
    bits = messages[:, None] >> np.arange(dimension)[None, :] & 1
    words: IntArray = np.concatenate([bits, bits @ _check_rows(dimension, m) % 2], axis=1)
    return words


@cache
def _check_rows(dimension: int, m: int) -> IntArray:
    """Return the check bits of each single message bit, (dimension, 2^m - 1 - dimension).

    They are the remainder of x^(n-k) times the message by the generator polynomial.
    """
    generator = bch_generators(m)[dimension]
    n_checks = (1 << m) - 1 - dimension
    rows = np.zeros((dimension, n_checks), dtype=np.int64)
    for place in range(dimension):
        remainder = 1 << (n_checks + place)
        while remainder.bit_length() > n_checks:
            remainder ^= generator << (remainder.bit_length() - n_checks - 1)
        rows[place] = [remainder >> i & 1 for i in range(n_checks)]
    rows.flags.writeable = False
    return rows
