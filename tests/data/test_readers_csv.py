"""CSV and TSV: whatever the dialect, the same table; whatever the bytes, a table or one sentence."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st
from strategies import examples
from strategies_data import text_files

from ecocviz.data.readers import read_columns, read_table
from ecocviz.data.types import Table


def is_sentence(error):
    text = str(error)
    return (
        type(error) is ValueError
        and len(text) < 300
        and text.endswith(".")
        and not re.search(r"[\n\r]", text)
    )


def read(text, **more):
    return read_table(text.encode(), "file.csv", **more)


@given(file=text_files())
def test_a_written_file_reads_back_the_same_in_any_dialect(file):
    frame, labels, content = file
    table = read_table(content, "some.csv", left_out=())
    assert table.labels.tolist() == labels
    assert table.labels.name == "class"
    pd.testing.assert_frame_equal(table.features, frame)
    assert table.categorical == (frame.columns[-1],)


CELLS = ["1", "2.5", "x", "", '"', "a\nb", "?", "1e999", "=1", "é", "\t", "\x00", "NaN", "class", "a" * 200]
LINE = st.tuples(
    st.lists(st.sampled_from(CELLS) | st.text(max_size=6), max_size=5),
    st.sampled_from([",", ";", "\t", "|", " "]),
).map(lambda drawn: drawn[1].join(drawn[0]))
PROPER = [
    b"a,b,class\r\n1,red,u\r\n2.5,blue,v\r\n-3e2,red,u\r\n",
    'größe;"two; words";class\n1,5;"x;""y""";u\n2;z;v\n'.encode(),
    "a\tb\tclass\n1\tx\tu\n2\ty\tv\n".encode("utf-16"),
    "größe|class\n1|ä\n2|ö\n".encode("latin-1"),
    b"5.1 3.5 u\n4.9 3.0 u\n7.0  3.2 v\n",
    b"sep=;\na;class;\n?;u;\nNA;v;\n3;w;\n",
]
MALFORMED = st.one_of(
    st.binary(max_size=200),
    st.tuples(
        st.lists(LINE, max_size=8),
        st.sampled_from(["\n", "\r\n", "\r"]),
        st.sampled_from(["utf-8", "utf-16", "utf-16-le", "latin-1"]),
    ).map(lambda drawn: drawn[1].join(drawn[0]).encode(drawn[2], errors="replace")),
    # A proper file with some bytes knocked out of it.
    st.tuples(
        st.sampled_from(PROPER),
        st.lists(st.tuples(st.integers(0, 120), st.binary(max_size=3)), min_size=1, max_size=4),
    ).map(lambda drawn: spoil(*drawn)),
)


def spoil(content, damage):
    for where, what in damage:
        content = content[:where] + what + content[where + 1 :]
    return content


@examples(2000, suppress_health_check=[HealthCheck.too_slow])
@given(content=MALFORMED, label=st.none() | st.sampled_from(["class", "x1", "nowhere", "a\nb"]))
@example(content=b"", label=None)
@example(content=b"\xff\xfe\x00", label=None)
@example(content=b'a,b\n"1,2\n3,4\n', label=None)
@example(content=b"a,b\n1," + b"9" * 200_000 + b"\n", label=None)
@example(content=b"a,class\n" + b"1" * 400 + b",x\n2,y\n", label=None)
@example(content=b"PK\x03\x04rest", label=None)
@example(content=b"\x80\x04\x95pickle", label=None)
@example(content=b"PAR1nonsensePAR1", label=None)
def test_anything_else_is_a_table_or_one_sentence(content, label):
    try:
        table = read_table(content, "file.csv", label, left_out=())
    except ValueError as error:
        assert is_sentence(error), str(error)  # noqa: PT017 - either outcome is right, both are checked
    else:
        assert isinstance(table, Table)
        assert len(table.features) == len(table.labels) >= 2
        assert len(table.classes) >= 2
        assert not np.isinf(table.features.select_dtypes("number").to_numpy()).any()


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("", "This file is empty"),
        ("a\n1\n2\n", "Only one column was found"),
        ("a,class\n", "has a header but no rows"),
        ("a,class\n1,x\n2\n", "Line 3 has 1 cells but the first has 2"),
        ("a,class\n1,x\n2,x\n", "has 1 class, but at least two are needed"),
        ("a,class\n1e999,x\n2,y\n", "The column 'a' holds a number too large"),
        ('a,b,class\n1,"2,x\n' + "3,4,y\n" * 40_000, "cannot be cut into cells"),
        ("a,class\n1," + "x" * 101 + "\n2,y\n", "too long for a class name"),
    ],
)
def test_what_is_refused_and_why(text, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        read(text)
    assert is_sentence(caught.value)


@pytest.mark.parametrize(
    "name, content",
    [
        ("t.xlsx", b"a,b\n1,2\n"),
        ("t.csv", b"PK\x03\x04"),
        ("t.pkl", b"a,b\n1,x\n2,y\n"),
        ("t.csv.gz", b"\x1f\x8b123"),
    ],
)
def test_other_formats_are_refused_with_a_way_out(name, content):
    with pytest.raises(ValueError, match=r"cannot be read here; save the table as CSV and upload that\.$"):
        read_table(content, name)


def test_the_label_column_is_found_by_name_whatever_its_place():
    table = read("Species,a,b\nu,1,2\nv,3,4\n")
    assert table.labels.tolist() == ["u", "v"]
    assert list(table.features.columns) == ["a", "b"]


def test_class_goes_before_target_and_the_last_column_is_next():
    assert read("target,class,a\n1,u,3\n2,v,4\n").labels.tolist() == ["u", "v"]
    assert read("a,b,kind\n1,2,u\n3,4,v\n").labels.name == "kind"


def test_a_chosen_label_column():
    assert read("a,b,class\n1,2,u\n3,4,v\n", label="a").labels.tolist() == ["1", "3"]
    with pytest.raises(ValueError, match=r"no column 'z' for the label; the columns are a, b, class\."):
        read("a,b,class\n1,2,u\n3,4,v\n", label="z")


def test_without_a_header_columns_are_numbered_and_it_is_said():
    table = read("5.1,3.5,setosa\n4.9,3,setosa\n7,3.2,virginica\n")
    assert list(table.features.columns) == ["x1", "x2"]
    assert table.labels.tolist() == ["setosa", "setosa", "virginica"]
    assert "no header" in table.notes[0]


def test_words_only_with_and_without_a_header():
    body = "vhigh,low,unacc\nvhigh,med,unacc\nlow,low,acc\n"
    assert len(read(body).labels) == 3
    assert len(read("Buying,Safety,Verdict\n" + body).labels) == 3


def test_numbered_columns_are_a_header_when_the_label_is_named():
    assert list(read("1,2,class\n5,6,7\n8,9,10\n").features.columns) == ["1", "2"]


def test_blanks_separate_and_runs_of_blanks_are_one():
    table = read("92  115 3\n84  102 3\n80  99 4\n")
    assert table.features.to_numpy().tolist() == [[92, 115], [84, 102], [80, 99]]


def test_gaps_of_all_kinds():
    table = read("a,b,class\n1,?,u\nNA,red,v\n,,u\n3,none,v\n")
    assert table.features["a"].isna().tolist() == [False, True, True, False]
    assert table.features["b"].isna().tolist() == [True, False, True, False]
    assert table.features["b"].tolist()[3] == "none"


def test_rows_without_a_label_are_left_out_and_said():
    table = read("a,class\n1,u\n2,\n3,v\n4,?\n")
    assert table.features["a"].tolist() == [1, 3]
    assert "2 rows without a label are left out." in table.notes


def test_a_stray_word_makes_a_column_words_and_is_named():
    body = "".join(f"{i},{'uv'[i % 2]}\n" for i in range(20))
    table = read("a,class\n" + body + "oops,u\n")
    assert table.categorical == ("a",)
    assert any("'oops'" in note for note in table.notes)


def test_a_stray_word_is_named_among_decimal_commas_too():
    body = "".join(f"{i},5;{'uv'[i % 2]}\n" for i in range(20))
    table = read("a;class\n" + body + "oops;u\n")
    assert table.categorical == ("a",)
    assert any("'oops'" in note for note in table.notes)


def test_a_delimiter_at_every_line_end_is_no_column():
    assert list(read("a;b;class;\n1;2;u;\n3;4;v;\n").features.columns) == ["a", "b"]


def test_a_declared_delimiter_is_obeyed():
    assert list(read("sep=;\na;b;class\n1,5;2;u\n3;4;v\n").features.columns) == ["a", "b"]


def test_names_given_twice_or_not_at_all_become_usable():
    assert list(read("a,a,,class\n1,2,3,u\n4,5,6,v\n").features.columns) == ["a", "a (2)", "column 3"]


def test_a_test_file_becomes_the_test_part_whatever_its_column_order():
    table = read("a,b,class\n1,2,u\n3,4,v\n", test=b"class;b;a\nw;1,5;9\n", test_filename="t.csv")
    assert table.n_train == 2
    assert table.features.to_numpy().tolist() == [[1, 2], [3, 4], [9, 1.5]]
    assert table.labels.tolist() == ["u", "v", "w"]


@pytest.mark.parametrize(
    "test, sentence",
    [
        (b"a,z,class\n1,2,u\n", "The test file has no column 'b'"),
        (b"1,2\n3,4\n", "The test file has 2 columns and the training file 3"),
        (b"a,b,class\n1,2,?\n", "One of the two files has no rows with a label"),
    ],
)
def test_a_test_file_that_does_not_fit(test, sentence):
    with pytest.raises(ValueError, match=sentence):
        read("a,b,class\n1,2,u\n3,4,v\n", test=test)


@pytest.mark.parametrize(
    "variable, sentence",
    [
        (
            "ECOCVIZ_MAX_ROWS",
            "has 4 rows but at most 2 are accepted; upload a part of them, or raise ECOCVIZ_MAX_ROWS.",
        ),
        (
            "ECOCVIZ_MAX_COLUMNS",
            "has 3 columns but at most 2 are accepted; leave some out, or raise ECOCVIZ_MAX_COLUMNS.",
        ),
        (
            "ECOCVIZ_MAX_CLASSES",
            "label column 'class' has 3 different values but at most 2 are accepted;",
        ),
        ("ECOCVIZ_MAX_BYTES", "This table has 96 bytes but at most 2 are accepted;"),
        ("ECOCVIZ_MAX_FILE_BYTES", "This file has 34 bytes but at most 2 are accepted; upload a part"),
    ],
)
def test_limits(monkeypatch, variable, sentence):
    monkeypatch.setenv(variable, "2")
    with pytest.raises(ValueError, match=re.escape(sentence)):
        read("a,b,class\n1,2,u\n3,4,v\n5,6,w\n7,8,w\n"[:34])


def test_columns_can_be_listed_before_a_label_is_chosen():
    raw = read_columns(b"a;b;class\n1;2;u\n", "x.csv")
    assert [column.name for column in raw.columns] == ["a", "b", "class"]


def test_the_file_name_is_shown_without_its_folders():
    assert read_table(b"a,class\n1,u\n2,v\n", "C:\\secret\\my.csv").name == "my.csv"
