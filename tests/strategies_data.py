"""Hypothesis strategies for the data layer: tables, text files, parameters of catalogue entries."""

import csv
import io
import string

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from ecocviz.data.types import Table
from ecocviz.engine.params import ChoiceParam, FloatParam, IntParam

WORD = st.text(string.ascii_letters, min_size=1, max_size=8).filter(
    lambda word: word.casefold() not in {"na", "nan", "null", "class", "label", "target", "species", "y"}
)


def values_of(param):
    """Any value a parameter allows, the ends of its range included."""
    if isinstance(param, IntParam):
        return st.integers(param.low, param.high)
    if isinstance(param, FloatParam):
        return st.floats(param.low, param.high)
    assert isinstance(param, ChoiceParam)
    return st.sampled_from([key for key, _ in param.options])


def params_of(entry):
    return st.fixed_dictionaries({param.name: values_of(param) for param in entry.params})


@st.composite
def tables(draw, min_rows=4, max_rows=30, n_train=False):
    """Small tables of numbers and words with gaps, small classes and constant columns."""
    n_rows = draw(st.integers(min_rows, max_rows))
    n_numbers, n_words = draw(st.integers(1, 3)), draw(st.integers(0, 2))
    number = st.one_of(st.none(), st.integers(-3, 3), st.floats(-1e6, 1e6))
    word = st.one_of(st.none(), st.sampled_from(["red", "green", "?", "none", "=1"]))
    columns = {}
    for j in range(n_numbers):
        cells = draw(st.lists(number, min_size=n_rows, max_size=n_rows))
        columns[f"n{j}"] = pd.Series([np.nan if c is None else float(c) for c in cells], dtype="float64")
    # One column that is never constant nor empty in any part keeps most tables usable.
    columns["ramp"] = pd.Series(np.arange(n_rows), dtype="float64")
    words = [f"w{j}" for j in range(n_words)]
    for name in words:
        cells = draw(st.lists(word, min_size=n_rows, max_size=n_rows))
        columns[name] = pd.Series(cells, dtype="str")
    others = draw(st.lists(st.sampled_from("abcdef"), min_size=n_rows - 4, max_size=n_rows - 4))
    labels = draw(st.permutations(["a", "a", "b", "b", *others]))
    return Table(
        name="drawn",
        features=pd.DataFrame(columns),
        labels=pd.Series(labels, dtype="str", name="class"),
        categorical=tuple(words),
        n_train=draw(st.integers(1, n_rows - 1)) if n_train else None,
    )


@st.composite
def text_files(draw):
    """A frame, and bytes that hold it in some dialect: (frame, labels, content)."""
    delimiter = draw(st.sampled_from([",", ";", "\t", "|"]))
    decimal_comma = delimiter != "," and draw(st.booleans())
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"]))
    quoting = draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]))
    line_end = draw(st.sampled_from(["\n", "\r\n"]))
    n_rows, n_numbers = draw(st.integers(2, 12)), draw(st.integers(1, 3))
    names = draw(st.lists(WORD, min_size=n_numbers + 1, max_size=n_numbers + 1, unique=True))
    letters = "abcXYZ äöüßéñ\"'" + ("" if delimiter == "\t" else delimiter)
    word = st.text(letters, min_size=1, max_size=6).map(lambda t: t.strip() or "w").map(lambda t: "q" + t)
    number = st.floats(-1e9, 1e9) | st.integers(-999, 999).map(float) | st.just(float("nan"))
    numbers = [draw(st.lists(number, min_size=n_rows, max_size=n_rows)) for _ in range(n_numbers)]
    words = draw(st.lists(word, min_size=n_rows, max_size=n_rows))
    labels = [
        "one",
        "two",
        *draw(st.lists(st.sampled_from(["one", "two", "3"]), min_size=n_rows - 2, max_size=n_rows - 2)),
    ]
    header = [*names, "class"]
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=line_end)
    writer.writerow(header)
    for i in range(n_rows):
        cells = ["" if np.isnan(c[i]) else repr(c[i]) for c in numbers]
        if decimal_comma:
            cells = [cell.replace(".", ",") for cell in cells]
        writer.writerow([*cells, words[i], labels[i]])
    frame = pd.DataFrame(
        {
            **{name: pd.Series(c, dtype="float64") for name, c in zip(names, numbers, strict=False)},
            names[-1]: pd.Series(words, dtype="str"),
        }
    )
    return frame, labels, out.getvalue().encode(encoding)
