"""Columns that become no features: which are proposed, which are refused, what is left."""

import io
import re

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet
from strategies import examples

from ecocviz.data.readers import identifiers, read_columns, read_table
from ecocviz.data.readers_common import Column, identifies_rows
from ecocviz.data.readers_numbers import as_numbers

FILE = b"id,a,b,class\n1,5,red,u\n2,5,red,v\n3,6,blue,u\n"


def number(cell):
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return None


def only_identifies(cells):
    """The rule by its words: no two rows alike, none missing; numbers whole and growing."""
    if any(cell in {"", "?", "NA"} for cell in cells):
        return False
    if any(cells[i] == cells[j] for i in range(len(cells)) for j in range(i)):
        return False
    numbers = [number(cell) for cell in cells]
    if all(value is not None for value in numbers):
        growing = all(numbers[i] < numbers[i + 1] for i in range(len(cells) - 1))
        return growing and all(value % 1 == 0 for value in numbers)
    n_words = sum(value is None for value in numbers)
    return n_words > 0.1 * len(cells)


CELL = st.sampled_from(["", "?", "7,5", "0,0", "-2", "x", "y", "NA"]) | st.integers(-3, 60).map(str)
GROWING = st.lists(st.integers(-20, 200), min_size=2, max_size=30, unique=True).map(
    lambda drawn: [str(value) for value in sorted(drawn)]
)
DIFFERENT = st.lists(CELL, min_size=2, max_size=6, unique=True).map(
    lambda drawn: sorted(drawn, key=lambda cell: number(cell) or 0)
)


@examples(300)
@given(cells=GROWING | DIFFERENT | st.lists(CELL, min_size=2, max_size=12))
def test_a_column_of_text_is_judged_by_the_rule(cells):
    column = Column("id", cells, guess=True, decimal_comma=True)
    assert identifies_rows(column) == only_identifies(cells)


@given(cells=GROWING | st.lists(st.integers(-5, 50).map(str), min_size=2, max_size=8))
def test_a_column_of_numbers_is_judged_by_the_same_rule(cells):
    numbers, _ = as_numbers(cells)
    assert identifies_rows(Column("id", numbers=numbers)) == only_identifies(cells)


def test_a_stray_word_among_different_numbers_makes_no_identifier():
    numbers = [f"{k},{k}" for k in range(12)]
    assert not identifies_rows(Column("a", [*numbers, "oops"], guess=True, decimal_comma=True))
    assert not identifies_rows(Column("a", [*map(str, range(12)), "oops"], guess=True))
    assert identifies_rows(Column("a", [f"s{k}" for k in range(12)], guess=True))


def test_numbers_that_a_format_calls_words_are_words():
    shuffled = ["30", "10", "20"]
    assert identifies_rows(Column("id", shuffled))
    assert not identifies_rows(Column("id", shuffled, guess=True))


def test_numbers_too_large_to_compare_are_no_row_numbers():
    assert not identifies_rows(Column("a", ["1", "1e999", "2e999"], guess=True))


def packed(**columns):
    out = io.BytesIO()
    parquet.write_table(pa.table(columns), out)
    return out.getvalue()


ARFF = b"@attribute id numeric\n@attribute a numeric\n@attribute class {u,v}\n@data\n1,5,u\n2,5,v\n4,6,u\n"


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        (FILE, "t.csv", ("id",)),
        (b"1;2,5;u\n2;2,5;v\n7;1,0;u\n", "t.csv", ("x1",)),
        (b"who,a,class\nann,1,u\nbob,1,v\ncid,2,u\n", "t.csv", ("who",)),
        (ARFF, "t.arff", ("id",)),
        (packed(id=[3, 4, 9], a=[1.5, 1.5, 2.0], kind=["u", "v", "u"]), "t.parquet", ("id",)),
        (packed(id=[3, None, 9], a=[1.5, 1.5, 2.0], kind=["u", "v", "u"]), "t.parquet", ()),
        # Nothing would be left to learn from, or to learn.
        (b"a,class\n1,x\n2,y\n3,x\n", "t.csv", ()),
        (b"a,b,class\n1,2,u\n3,4,v\n", "t.csv", ()),
    ],
)
def test_what_is_proposed_in_every_format(content, name, expected):
    assert identifiers(read_columns(content, name)) == expected


def test_columns_left_out_are_no_features_and_it_is_said():
    table = read_table(FILE, "t.csv", left_out=["b", "id"])
    assert table.features.columns.tolist() == ["a"] and table.categorical == ()
    assert table.labels.tolist() == ["u", "v", "u"]
    assert table.notes == ("Columns left out: id, b.",)
    assert read_table(FILE, "t.csv", left_out=()).notes == ()
    by_itself = read_table(FILE, "t.csv")
    assert by_itself.features.columns.tolist() == ["a", "b"]
    assert by_itself.notes == (
        "id has a different value in every row, so it is left out.",
        "Columns left out: id.",
    )


def test_what_is_left_out_is_left_out_of_both_files():
    table = read_table(FILE, "t.csv", None, b"class,b,id,a\nv,red,1,7\n", "u.csv", ["id"])
    assert table.features.columns.tolist() == ["a", "b"]
    assert table.features["a"].tolist() == [5, 5, 6, 7]
    assert table.n_train == 3


def test_a_column_that_cannot_be_read_can_be_left_out():
    content = b"a,b,class\n1e999,1,x\n2,1,y\n"
    with pytest.raises(ValueError, match="correct it or leave the column out"):
        read_table(content, "t.csv")
    assert read_table(content, "t.csv", left_out=["a"]).features["b"].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("left_out", "label", "sentence"),
    [
        (["id", "class"], None, "The column 'class' holds the class and cannot be left out; put it back."),
        (["a"], "a", "The column 'a' holds the class and cannot be left out; put it back."),
        (["z"], None, "There is no column 'z' to leave out; the columns are id, a, b, class."),
        (["id", "a", "b"], None, "All columns but the label are left out; put at least one back."),
    ],
)
def test_what_cannot_be_left_out(left_out, label, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        read_table(FILE, "t.csv", label, left_out=left_out)


def test_sentences_about_many_columns_stay_short():
    names = [f"{'long' * 30}{k}" for k in range(40)]
    content = (",".join([*names, "class"]) + "\n" + "1," * 40 + "u\n" + "2," * 40 + "v\n").encode()
    shown = [column.name for column in read_columns(content, "t.csv").columns]
    note = read_table(content, "t.csv", left_out=shown[:30]).notes[0]
    assert note.endswith(" and others.") and len(note) < 200
    with pytest.raises(ValueError, match="no column") as caught:
        read_table(content, "t.csv", left_out=["\n" + "z" * 500])
    assert len(str(caught.value)) < 300 and "\n" not in str(caught.value)
