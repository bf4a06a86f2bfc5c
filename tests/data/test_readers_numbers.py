"""Columns of numbers as people write them: by their grammar, and one by one."""

import re
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ecocviz.data.readers import read_table
from ecocviz.data.readers_numbers import COMMA_NUMBER, MISSING, NUMBER, as_numbers

ENDINGS = r"(?:[eE][+-]?[0-9]{1,4})?"


@examples(500)
@given(text=st.text("0123456789+-.,eE", max_size=12))
def test_a_number_is_what_its_grammar_says(text):
    plain, comma = (
        r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)" + ENDINGS,
        r"[+-]?(?:[0-9]+,?[0-9]*|,[0-9]+)" + ENDINGS,
    )
    assert bool(NUMBER.fullmatch(text)) == bool(re.fullmatch(plain, text))
    assert bool(COMMA_NUMBER.fullmatch(text)) == bool(re.fullmatch(comma, text))


def test_digits_without_end_are_seen_through_at_once():
    start = time.process_time()
    assert not NUMBER.fullmatch("1" * 2_000_000 + "x")
    assert not COMMA_NUMBER.fullmatch("1" * 2_000_000 + "x")
    assert time.process_time() - start < 0.5


def slow_numbers(texts, decimal_comma):
    """Read a column cell by cell: (values or None, what is said)."""
    here = [text for text in texts if text is not None and text not in MISSING]
    words = [text for text in here if not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text)]
    if words and decimal_comma:
        others = [text for text in here if not re.fullmatch(r"-?[0-9]+(,[0-9]+)?", text)]
        words = others if len(others) < len(words) else words
    if words and len(words) <= 0.1 * len(here):
        return None, f"as words because of '{words[0]}' among its numbers"
    if words:
        mixed = not {"x", "oops"} & set(here)
        return None, "as words because its numbers are written in several ways" if mixed else ""
    return [float(text.replace(",", ".")) if text in here else np.nan for text in texts], ""


CELLS = st.sampled_from(["1", "2", "-3", "1.5", "2,5", "x", "oops", "", "?", "NA", None])


@examples(300)
@given(
    texts=st.lists(CELLS, max_size=8) | st.lists(CELLS, max_size=3).map(lambda few: ["1"] * 15 + few),
    decimal_comma=st.booleans(),
)
def test_a_column_is_read_as_cell_by_cell(texts, decimal_comma):
    numbers, said = as_numbers(texts, decimal_comma=decimal_comma)
    expected, expected_words = slow_numbers(texts, decimal_comma)
    assert said == expected_words
    assert (numbers is None) == (expected is None)
    if numbers is not None:
        np.testing.assert_array_equal(numbers, expected)


DOTS, COMMAS = "with dots between thousands", "with commas between thousands"
SEVERAL, WORDS = "as words because its numbers are written in several ways", ""
FORMS = [
    # cells, in a file with commas between cells, in a file with semicolons, how that is told
    (["-4.589,94", "12"], [-4589.94, 12], [-4589.94, 12], DOTS),
    (["1.234", "2.345,5"], [1234, 2345.5], [1234, 2345.5], DOTS),
    (["1.234.567", "0,5", "?"], [1234567, 0.5, np.nan], [1234567, 0.5, np.nan], DOTS),
    (["-4,589.94", "12.5", ""], [-4589.94, 12.5, np.nan], [-4589.94, 12.5, np.nan], COMMAS),
    (["1,234,567", "1,234"], [1234567, 1234], [1234567, 1234], COMMAS),
    (["1.234", "5.678"], [1.234, 5.678], [1.234, 5.678], ""),  # as any number with a decimal point
    (["1,234", "5,678"], None, [1.234, 5.678], SEVERAL),  # told of where the comma parts cells as well
    (["1.234", "1,234"], None, None, SEVERAL),
    (["1.234", "2,5"], None, None, SEVERAL),
    (["1.234,5", "1,234.5"], None, None, SEVERAL),
    (["1.23,45"], None, None, WORDS),
    (["12.34.567"], None, None, WORDS),
    (["1.234.567", "red"], None, None, WORDS),
    (["1.234,5\n1.234,5"], None, None, WORDS),
    (["192.168.001.010"], [192168001010], [192168001010], DOTS),
    (["1234.567,8"], None, None, WORDS),
    (["1.234e5", "1.234,5"], None, None, SEVERAL),
]


@pytest.mark.parametrize(("cells", "by_commas", "by_semicolons", "told"), FORMS)
def test_forms_of_numbers(cells, by_commas, by_semicolons, told):
    for expected, decimal_comma in ((by_commas, False), (by_semicolons, True)):
        numbers, said = as_numbers(cells, decimal_comma=decimal_comma)
        assert (numbers is None) == (expected is None)
        if expected is not None:
            np.testing.assert_array_equal(numbers, expected)
        assert (
            said.startswith(told)
            if expected is not None and told != SEVERAL
            else numbers is not None or said == told
        )


def test_it_is_said_how_a_column_is_read():
    table = read_table(b"a;b;class\n-4.589,94;1;u\n1.000;2;v\n2,5;1;u\n", "t.csv")
    assert table.features["a"].tolist() == [-4589.94, 1000, 2.5] and table.categorical == ()
    assert table.notes == ("The column a is read with dots between thousands and a decimal comma.",)
    table = read_table(b"a;b;class\n1.234;1;u\n2,5;2;v\n1.234;1;u\n", "t.csv")
    assert table.categorical == ("a",)
    assert table.notes == ("The column a is read as words because its numbers are written in several ways.",)


@given(st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=8))
def test_what_is_written_with_marks_is_read_back(values):
    written = [f"{value:,}.25" for value in [*values, 1234]]
    swapped = [text.translate(str.maketrans(",.", ".,")) for text in written]
    for cells in (written, swapped):
        numbers, _ = as_numbers(cells)
        assert numbers.tolist() == [float(text.replace(",", "")) for text in written]
