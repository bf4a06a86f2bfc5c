"""Sentences about data sets, splits and preparations."""

from types import SimpleNamespace

import numpy as np
import pytest

from ecocviz.views.data.facts import ColumnFacts, TableFacts
from ecocviz.views.data.words import (
    cloud_sentence,
    columns_sentence,
    data_sentence,
    guess_sentence,
    kinds_sentence,
    split_sentence,
)


def column(kind="numbers", n_missing=0):
    return ColumnFacts("c", kind, n_missing, 3, "")


@pytest.mark.parametrize(
    ("name", "n_features", "classes", "counts", "sentence"),
    [
        ("Iris", 4, ("a", "b"), [50, 50], "Iris has 100 rows of 4 features in 2 classes of 50 rows each."),
        (
            "Blood",
            1,
            ("ill", "well"),
            [10, 90],
            "Blood has 100 rows of 1 feature in 2 classes, from 10 rows (ill) to 90 (well).",
        ),
    ],
)
def test_how_large_a_set_is(name, n_features, classes, counts, sentence):
    assert data_sentence(TableFacts(name, classes, np.array(counts), (column(),) * n_features)) == sentence


@pytest.mark.parametrize(
    ("train", "test", "sentence"),
    [
        (
            [30, 20],
            [12, 8],
            (
                "Always answering a, the most frequent class, would be wrong on 40.0 % (8 of 20) "
                "of the test rows."
            ),
        ),
        (
            [20, 20],
            [8, 8],
            "Always answering one class, such as a, would be wrong on 50.0 % (8 of 16) of the test rows.",
        ),
        ([20, 20], [0, 0], ""),
    ],
)
def test_what_answering_blindly_costs(train, test, sentence):
    found = SimpleNamespace(classes=("a", "b"), train=np.array(train), test=np.array(test))
    assert guess_sentence(found) == sentence


@pytest.mark.parametrize(
    ("sizes", "same", "sentence"),
    [
        ([(112, 48)], False, "The machines train on 112 rows and are tested on 48 others."),
        ([(1, 48)], False, "The machines train on 1 row and are tested on 48 others."),
        ([(160, 160)], True, "The machines train on all 160 rows and are tested on the same rows."),
        (
            [(120, 30), (121, 29)],
            False,
            "2 folds: each trains on 120 to 121 rows and tests on the 29 to 30 others.",
        ),
        ([(9, 1)] * 10, False, "10 folds: each trains on 9 rows and tests on the other."),
    ],
)
def test_who_trains_and_who_tests(sizes, same, sentence):
    prepared = SimpleNamespace(y_train=np.zeros(sizes[0][0]), y_test=np.zeros(sizes[0][1]))
    found = SimpleNamespace(
        n_folds=len(sizes), fold_sizes=np.array(sizes), prepared=prepared, tests_trained=same
    )
    assert split_sentence(found) == sentence


@pytest.mark.parametrize(
    ("before", "after", "encoded", "constant", "filled", "dropped", "sentence"),
    [
        (4, 4, (), (), 0, 0, "The machines see all 4 columns; nothing is missing."),
        (1, 1, (), (), 0, 0, "The machines see the only column; nothing is missing."),
        (4, 4, (), (), 0, 1, "The machines see all 4 columns. 1 row with a missing value is left out."),
        (
            3,
            7,
            ("colour",),
            ("weight",),
            12,
            0,
            (
                "The table has 3 columns, the machines see 7: colour becomes one 0/1 column per value, and "
                "weight is "
                "constant and left out. 12 missing values are filled in."
            ),
        ),
        (
            3,
            5,
            (),
            (),
            0,
            0,
            "The machines see 5 columns: the 3, and 2 columns saying that a value is missing.",
        ),
    ],
)
def test_what_preparation_makes_of_columns(before, after, encoded, constant, filled, dropped, sentence):
    found = SimpleNamespace(
        n_columns=before,
        prepared=SimpleNamespace(feature_names=("f",) * after),
        encoded=encoded,
        constant=constant,
        n_filled=filled,
        n_dropped=dropped,
    )
    assert columns_sentence(found) == sentence


@pytest.mark.parametrize(
    ("n", "drawn", "hidden", "tested", "scattered", "sentence"),
    [
        (150, 150, 0, 45, (), "Training rows are drawn as smaller marks."),
        (9, 9, 1, 0, (), "1 row is not drawn, because a value is missing."),
        (9, 5, 0, 9, (), "5 of 9 rows are drawn, evenly from every class."),
        (
            9,
            9,
            0,
            0,
            ("age",),
            "Rows are scattered a little around their age, so that equal ones do not hide each other.",
        ),
    ],
)
def test_which_rows_are_drawn(n, drawn, hidden, tested, scattered, sentence):
    cloud = SimpleNamespace(
        rows=np.arange(n),
        drawn=np.arange(drawn),
        n_hidden=hidden,
        is_test=np.arange(n) < tested,
        scattered=scattered,
    )
    assert cloud_sentence(cloud) == sentence


def test_what_columns_hold():
    columns = (column(), column("words", 2), column(n_missing=1))
    facts = TableFacts("T", ("a", "b"), np.array([1, 1]), columns)
    assert kinds_sentence(facts) == "2 columns of numbers, 1 of words. 3 values missing in 2 columns."
    bare = TableFacts("T", ("a", "b"), np.array([1, 1]), (column(),))
    assert kinds_sentence(bare) == "1 column of numbers, 0 of words. Nothing is missing."
