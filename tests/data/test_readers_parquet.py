"""Parquet: numbers, truth values and texts; nothing else, and no traceback."""

import datetime as dt
import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from ecocviz.data.readers import read_table


def packed(**columns):
    out = io.BytesIO()
    parquet.write_table(pa.table(columns), out)
    return out.getvalue()


@given(
    rows=st.lists(
        st.tuples(
            st.floats(-1e9, 1e9) | st.none(), st.sampled_from(["red", "blue", None]), st.sampled_from("ab")
        ),
        min_size=1,
        max_size=20,
    )
)
def test_a_written_file_reads_back_the_same(rows):
    rows = [(1.0, "red", "a"), (2.0, None, "b"), *rows]
    numbers, words, labels = (list(column) for column in zip(*rows, strict=True))
    content = packed(x=pa.array(numbers, pa.float64()), w=pa.array(words, pa.string()), label=labels)
    table = read_table(content, "file.parquet")
    expected = pd.DataFrame({"x": pd.Series(numbers, dtype="float64"), "w": pd.Series(words, dtype="str")})
    pd.testing.assert_frame_equal(table.features, expected)
    assert table.labels.tolist() == labels
    assert table.categorical == ("w",)


def test_the_kinds_of_numbers():
    table = read_table(
        packed(
            whole=pa.array([1, None, 3], pa.int32()),
            small=pa.array([0.5, 1.5, None], pa.float32()),
            truth=pa.array([True, False, None]),
            exact=pa.array([None, 1, 2], pa.decimal128(5, 2)),
            nothing=pa.nulls(3),
            y=pa.array([7, 8, 7], pa.int64()),
        ),
        "file.pq",
    )
    np.testing.assert_array_equal(
        table.features.to_numpy(),
        [[1, 0.5, 1, np.nan, np.nan], [np.nan, 1.5, 0, 1, np.nan], [3, np.nan, np.nan, 2, np.nan]],
    )
    assert table.classes == ("7", "8")
    assert table.categorical == ()


def test_a_pandas_categorical_is_words():
    out = io.BytesIO()
    pd.DataFrame({"c": pd.Categorical(["u", "v", "u"]), "class": ["a", "b", "a"]}).to_parquet(out)
    assert read_table(out.getvalue(), "x").features["c"].tolist() == ["u", "v", "u"]


@pytest.mark.parametrize(
    "column, kind",
    [(pa.array([dt.date(2020, 1, 1)] * 2), "date32"), (pa.array([[1], [2]]), "list")],
)
def test_other_kinds_of_columns_are_refused_by_name(column, kind):
    with pytest.raises(ValueError, match=rf"The column 'when' is of the type {kind}.*turn it into numbers"):
        read_table(packed(when=column, label=["a", "b"]), "file.parquet")


@given(where=st.integers(0, 500), what=st.binary(max_size=4))
def test_a_damaged_file_is_a_table_or_one_sentence(where, what):
    content = packed(x=[1.0, 2.0, 3.0], label=["a", "b", "a"])
    content = content[:where] + what + content[where + len(what) + 1 :]
    try:
        read_table(content, "file.parquet")
    except ValueError as error:
        text = str(error)
        assert type(error) is ValueError  # noqa: PT017 - either outcome is right, both are checked
        assert text.endswith(".") and "\n" not in text and len(text) < 300


def test_the_footer_is_believed_before_anything_is_unpacked(monkeypatch):
    monkeypatch.setenv("ECOCVIZ_MAX_BYTES", "10000")
    content = packed(x=np.zeros(100_000), label=["a", "b"] * 50_000)
    assert len(content) < 10_000
    with pytest.raises(ValueError, match=r"bytes but at most 10,000 are accepted"):
        read_table(content, "file.parquet")


def test_no_rows():
    with pytest.raises(ValueError, match="has no rows"):
        read_table(packed(x=pa.array([], pa.float64()), label=pa.array([], pa.string())), "x.parquet")
