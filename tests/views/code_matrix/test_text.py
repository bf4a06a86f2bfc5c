"""Code matrices and codings as text: what is written is read back, anything else is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.data.writers import write_csv
from ecocviz.engine.catalogue import CODINGS, build_code
from ecocviz.engine.params import pack_matrix
from ecocviz.lab.scenario import choose
from ecocviz.views.code_matrix.text import matrix_table, read_coding, read_matrix, write_coding

NAMES = ["a", "-b", "c, d", "=e", "1", "ü"]


@st.composite
def matrices(draw):
    rows = draw(st.integers(2, 6))
    columns = draw(st.integers(1, 9))
    values = st.integers(-1, 1)
    return np.array(
        draw(st.lists(st.lists(values, min_size=columns, max_size=columns), min_size=rows, max_size=rows))
    )


@given(matrices())
def test_what_is_downloaded_is_read_back(code):
    names = NAMES[: len(code)]
    assert read_matrix(write_csv(matrix_table(code, names)), names).tolist() == code.tolist()


@given(matrices(), st.sampled_from([",", ";", "\t", " "]), st.randoms(use_true_random=False))
def test_separators_and_the_order_of_named_rows_do_not_matter(code, separator, random):
    names = ["pear", "fig", "plum", "kiwi", "lime", "nut"][: len(code)]
    lines = [separator.join([name, *map(str, row)]) for name, row in zip(names, code.tolist(), strict=True)]
    random.shuffle(lines)
    assert read_matrix("\n".join(lines), names).tolist() == code.tolist()


@given(matrices())
def test_lines_of_signs(code):
    names = NAMES[: len(code)]
    text = "\n".join("".join("-0+"[value + 1] for value in row) for row in code.tolist())
    assert read_matrix(text, names).tolist() == code.tolist()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no matrix in this text"),
        ("1,-1\n-1,1\n1,1", "3 rows but the data have 2 classes"),
        ("1,-1\n-1", "Line 2 has 1 entries but the first row has 2"),
        ("1,0.5\n-1,1", "Line 1, entry 2 is '0.5'"),
        ("1,\n-1,1", "Line 1, entry 2 is ''"),
        ("a,1,-1\nc,-1,1", "The row name 'c' is not"),
        ("a,1,-1\na,-1,1", "The row name 'a' is not"),
        ('"a,1,-1\n"b,-1,1', "quotation mark"),
        ("1," * 3_000 + "1\n" + "1," * 3_000 + "1", "3,001 columns"),
        ("1" * 2_000_000, "2,000,000 characters"),
        ("<script>alert(1)</script>\nx", "entry"),
        ("\x00\x01\n\x02", "entry"),
    ],
)
def test_anything_else_is_refused_in_one_sentence(text, said):
    with pytest.raises(ValueError, match=r"\A[^\n]*\Z") as refusal:
        read_matrix(text, ["a", "b"])
    assert said in str(refusal.value)


def test_names_that_look_like_entries():
    # The first column is the classes' names, unless it could be a machine's column.
    assert read_matrix("1,-1\n0,1", ["0", "1"]).tolist() == [[1], [-1]]
    assert read_matrix("1,-1\n-1,1", ["-1", "1"]).tolist() == [[1, -1], [-1, 1]]
    assert read_matrix("class,m\n1,-1\n0,1", ["0", "1"]).tolist() == [[1], [-1]]
    # Names of somebody's own leave the rows in their order.
    assert read_matrix("row one;1\nrow two;-1", ["a", "b"]).tolist() == [[1], [-1]]


@pytest.mark.parametrize("key", CODINGS)
def test_a_coding_in_a_link(key):
    assert read_coding(write_coding(choose("coding", key))) == choose("coding", key)


def test_a_coding_in_a_link_keeps_its_parameters_and_refuses_others():
    packed = pack_matrix(build_code("one-vs-one", 4))
    for key, params in (("custom", {"matrix": packed}), ("dense-random", {"n_bits": 9})):
        choice = choose("coding", key, params)
        assert read_coding(write_coding(choice)) == choice
    for text in ("", "x", "one-vs-all?x=1", "dense-random?n_bits=many", "dense-random?" + "a=1&" * 90):
        assert read_coding(text) is None
