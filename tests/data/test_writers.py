"""CSV on the way out: no cell is a formula, numbers stay numbers."""

import io

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.data.writers import write_csv


def cells_of(text):
    return pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)


@pytest.mark.parametrize(
    "cell", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", " =1", "\t=1", "\r=1", '=HYPERLINK("x")']
)
def test_formulas_get_an_apostrophe(cell):
    written = cells_of(write_csv(pd.DataFrame({"a": [cell, "x"], cell: [1, 2]})))
    assert written["a"].tolist() == ["'" + cell, "x"]
    assert list(written.columns) == ["a", "'" + cell]


def test_numbers_and_texts_that_are_numbers_stay():
    written = cells_of(write_csv(pd.DataFrame({"a": [-1.5, 2.0], "class": ["-1", "+1"]})))
    assert written["a"].tolist() == ["-1.5", "2.0"]
    assert written["class"].tolist() == ["-1", "+1"]


def test_gaps_and_categories():
    frame = pd.DataFrame({"a": pd.Categorical(["=1", None]), "b": pd.Series([None, "x"], dtype="str")})
    assert cells_of(write_csv(frame)).to_numpy().tolist() == [["'=1", ""], ["", "x"]]


@given(cells=st.lists(st.text(max_size=8), min_size=1, max_size=6))
def test_no_text_begins_like_a_formula(cells):
    import csv  # noqa: PLC0415 - read back by the standard library, not by pandas

    rows = list(csv.reader(io.StringIO(write_csv(pd.DataFrame({"a": cells})), newline="")))
    for (written,), cell in zip((row or [""] for row in rows[1:]), cells, strict=True):
        assert written.removeprefix("'") == cell.removeprefix("'")
        if written.strip()[:1] in {"=", "+", "-", "@"}:
            float(written)


def test_the_frame_itself_is_not_changed():
    frame = pd.DataFrame({"a": ["=1"]})
    write_csv(frame)
    assert frame["a"].tolist() == ["=1"]
