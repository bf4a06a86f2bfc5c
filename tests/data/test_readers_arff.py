"""ARFF: names and values in quotes, nominal and numeric attributes, gaps, comments, sparse rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ecocviz.data.readers import read_columns, read_table

WEATHER = r"""% A comment
@RELATION 'weather today'

@attribute outlook {sunny, 'partly cloudy', "rain\"y"}
@Attribute 'air temperature' real   % not a comment here, but the type is the first word
@attribute count INTEGER
@attribute remark string
@attribute play {yes, no}

@DATA
% another comment
sunny, 21.5, 3, 'it\'s fine', yes
'partly cloudy',?,4,?,no

"rain\"y", -1e1, ?, plain, yes
?,0,0,'?',no
"""

HEAD = "@attribute a numeric\n@attribute class {u,v}\n@data\n"


def read(text, **more):
    return read_table(text.encode(), "file.arff", **more)


def test_a_file_with_everything():
    table = read(WEATHER)
    assert list(table.features.columns) == ["outlook", "air temperature", "count", "remark"]
    assert table.categorical == ("outlook", "remark")
    assert table.features["outlook"].tolist()[:3] == ["sunny", "partly cloudy", 'rain"y']
    assert table.features["outlook"].isna().tolist() == [False, False, False, True]
    np.testing.assert_array_equal(table.features["air temperature"], [21.5, np.nan, -10, 0])
    np.testing.assert_array_equal(table.features["count"], [3, 4, np.nan, 0])
    assert table.features["remark"].tolist()[0] == "it's fine"
    assert table.labels.tolist() == ["yes", "no", "yes", "no"]


def test_nominal_numbers_stay_words():
    table = read("@attribute a {1,2}\n@attribute class {u,v}\n@data\n1,u\n2,v\n")
    assert table.categorical == ("a",)


def test_a_numeric_label_keeps_its_text():
    table = read("@attribute a numeric\n@attribute class numeric\n@data\n1,1\n2,2\n")
    assert table.classes == ("1", "2")


def test_sparse_rows_have_zeros_and_first_values_where_nothing_is_said():
    table = read(
        "@attribute a numeric\n@attribute b numeric\n@attribute class {u,'v w'}\n@data\n"
        "{0 5}\n{1 -2, 2 'v w'}\n{}\n{0 ?,1 1,2 \"v w\"}\n"
    )
    np.testing.assert_array_equal(table.features.to_numpy(), [[5, 0], [0, -2], [0, 0], [np.nan, 1]])
    assert table.labels.tolist() == ["u", "v w", "u", "v w"]


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("@attribute a numeric\n1\n", "Line 2 of this ARFF file is neither an attribute nor a comment"),
        ("@attribute a numeric\n", "has no @data line"),
        ("@data\n1\n", "names no attributes"),
        (HEAD, "has no rows after @data"),
        (
            HEAD + "1,u,2\n",
            "Line 4 .* has 3 values for 2 attributes",
        ),
        (HEAD + "x,u\n", "has 'x' where 'a' takes a number"),
        (
            HEAD + "1,w\n",
            "'w', which is not among the values of 'class'",
        ),
        (HEAD + "1,'u\n", "unclosed quotation mark"),
        (
            HEAD + "1,'u'v\n",
            "goes on after a closing quotation mark",
        ),
        ("@attribute a numeric\n@attribute class {u,v\n@data\n1,u\n", "no closing brace"),
        ("@attribute a relational\n@data\n", "has the type 'relational'"),
        ("@attribute a\n@data\n", "has the type ''"),
        ("@attribute\n@data\n", "names no attribute"),
        (HEAD + "{5 1}\n", "not a proper sparse row"),
        (HEAD + "{0 1\n", "not a proper sparse row"),
        (HEAD + "{x}\n", "not a proper sparse row"),
        (HEAD + "{1 'u' 0 3}\n", "not a proper sparse row"),
    ],
)
def test_what_is_refused_and_where(text, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        read(text)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@examples(300)
@given(
    pieces=st.lists(
        st.sampled_from(
            [
                "@attribute ",
                "@data",
                "@relation r",
                "\n",
                "a",
                "numeric",
                " {u,v}",
                "'",
                '"',
                ",",
                "1",
                "?",
                "{",
                "}",
                "{0 1}",
                "\\",
                "%",
                "\t",
                " ",
            ]
        ),
        max_size=30,
    )
)
def test_any_jumble_is_a_table_or_one_sentence(pieces):
    try:
        table = read("".join(pieces))
    except ValueError as error:
        text = str(error)
        assert type(error) is ValueError  # noqa: PT017 - either outcome is right, both are checked
        assert text.endswith(".") and "\n" not in text and len(text) < 300
    else:
        assert len(table.classes) >= 2


NAME = st.text("ab '\",%{}\\", min_size=1, max_size=6).filter(lambda t: t.strip() == t and "  " not in t)


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


@given(
    names=st.lists(NAME, min_size=2, max_size=4, unique=True),
    levels=st.lists(NAME, min_size=2, max_size=4, unique=True),
    data=st.data(),
)
def test_any_names_and_values_survive_quoting(names, levels, data):
    n_rows = data.draw(st.integers(2, 6))
    label, *numbers = names
    row = st.lists(st.floats(-1e6, 1e6), min_size=len(numbers), max_size=len(numbers))
    values = data.draw(st.lists(row, min_size=n_rows, max_size=n_rows))
    others = data.draw(st.lists(st.sampled_from(levels), min_size=n_rows - 2, max_size=n_rows - 2))
    labels = [*levels[:2], *others]
    lines = [f"@attribute {quoted(name)} numeric" for name in numbers]
    lines.append(f"@attribute {quoted(label)} {{{','.join(map(quoted, levels))}}}")
    lines.append("@data")
    lines += [",".join([*map(repr, row), quoted(name)]) for row, name in zip(values, labels, strict=True)]
    table = read("\n".join(lines), label=label)
    assert list(table.features.columns) == numbers
    assert table.labels.tolist() == labels
    np.testing.assert_array_equal(table.features.to_numpy(), values)


def unescaped(word):
    """Undo backslashes character by character."""
    found, escaped = "", False
    for letter in word:
        if escaped:
            found += {"n": "\n", "t": "\t", "r": "\r"}.get(letter, letter)
            escaped = False
        elif letter == "\\":
            escaped = True
        else:
            found += letter
    return found


@examples(200)
@given(word=st.text("ab\\ntr", max_size=10).filter(lambda w: (len(w) - len(w.rstrip("\\"))) % 2 == 0))
def test_backslashes_mean_what_they_mean_one_by_one(word):
    text = f"@attribute a string\n@attribute class {{u,v}}\n@data\n'-{word}-',u\nb,v\n"
    column = read_columns(text.encode(), "file.arff").columns[0]
    assert column.texts == ["-" + unescaped(word) + "-", "b"]


def test_words_in_quotes_between_tabs():
    table = read("@attribute a string\n@attribute class {u,v}\n@data\n'x y'\tu\n z \t 'v'\n")
    assert table.features["a"].tolist() == ["x y", "z"]
    assert table.labels.tolist() == ["u", "v"]


@pytest.mark.parametrize("row", ["{0 1,1 u,0 2}", "{,}", "{0 1 1 u}", "{0  'a' x}", "{9999999999 1}"])
def test_sparse_rows_that_are_none(row):
    with pytest.raises(ValueError, match=r"^Line 4 .*(not a proper sparse row|where 'a' takes a number)"):
        read(HEAD + row + "\n1,u\n2,v\n")


@pytest.mark.parametrize(
    "row", ["{0 7,1 v}", "{ 0 7 , 1  'v' }", "{0 7,1 v,}", "{1 v,0 7}", "{0 '7', 1 \"v\" , }"]
)
def test_sparse_rows_in_every_way_of_writing(row):
    assert read(HEAD + row + "\n1,u\n").features["a"].tolist() == [7, 1]


def test_the_line_of_a_wrong_cell_counts_empty_lines_and_comments():
    with pytest.raises(ValueError, match=r"^Line 7 .* has 'w', which is not among the values of 'class'"):
        read(HEAD + "1,u\n\n% no\n2,w\n")
