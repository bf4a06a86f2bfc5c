"""Hand-made matrices: read as drawn, refused with a sentence."""

import contextlib

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.catalogue import build_code, why_not_classes
from ecocviz.engine.codings.custom import CODING, custom
from ecocviz.engine.codings.one_vs_all import one_vs_all
from ecocviz.engine.params import MAX_PACKED_ENTRIES, PACKED_ALPHABET, pack_matrix


@given(strategies.code_matrices())
def test_what_was_packed_comes_back(code_matrix):
    text = pack_matrix(code_matrix)
    n_classes, n_bits = code_matrix.shape
    np.testing.assert_array_equal(build_code("custom", n_classes, matrix=text), code_matrix)
    assert CODING.n_bits(n_classes, matrix=text) == n_bits
    assert why_not_classes(CODING, n_classes, {"matrix": text}) is None


@pytest.mark.parametrize("n_classes", range(2, 8))
def test_an_empty_text_starts_from_one_vs_all(n_classes):
    np.testing.assert_array_equal(custom(n_classes), one_vs_all(n_classes))


def test_repeated_columns_are_allowed_here():
    code_matrix = np.array([[1, 1, -1], [-1, -1, 1]], dtype=np.int8)
    np.testing.assert_array_equal(build_code("custom", 2, matrix=pack_matrix(code_matrix)), code_matrix)


def test_rows_must_match_the_classes():
    with pytest.raises(ValueError, match=r"has 2 rows but the data have 3 classes; add or remove rows"):
        build_code("custom", 3, matrix="2.2.qA")


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        ([[1, 1], [1, -1]], "Column 1 has no class on one side"),
        ([[1, 0], [-1, 0]], "Column 2 has no class on one side"),
        ([[1, 1], [-1, -1], [1, 1]], "Rows 1 and 3 are equal"),
    ],
)
def test_matrices_that_cannot_be_trained_are_refused(matrix, sentence):
    text = pack_matrix(np.array(matrix, dtype=np.int8))
    with pytest.raises(ValueError, match=sentence):
        build_code("custom", len(matrix), matrix=text)


@given(st.text(alphabet=PACKED_ALPHABET, max_size=30))
def test_any_text_is_read_or_refused_with_a_sentence(text):
    assert isinstance(CODING.n_bits(3, matrix=text), int)
    # Refusals of other kinds than a sentence (IndexError, OverflowError, ...) would escape here.
    with contextlib.suppress(ValueError):
        assert build_code("custom", 3, matrix=text).shape[0] == 3


@pytest.mark.parametrize(
    "text", ["2.9999999999999999999.qA", "2." + "9" * 5000 + ".qA", "..", "2.x.qA", "2..qA"]
)
def test_a_damaged_header_is_refused(text):
    assert CODING.n_bits(2, matrix=text) == 1
    with pytest.raises(ValueError, match="damaged; design or paste it again"):
        build_code("custom", 2, matrix=text)


def test_the_largest_matrix_fits_the_text():
    text = pack_matrix(np.ones((100, MAX_PACKED_ENTRIES // 100), dtype=np.int8))
    assert CODING.params[0].check(text) == text
