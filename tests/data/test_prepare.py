"""Preparation: fitted on the training part only, nothing missing afterwards, everything said."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies_data import params_of, tables

from ecocviz.data.catalogue import DATASETS, PREPARATIONS, SPLITS, load_table
from ecocviz.data.prepare import folds, prepare
from ecocviz.data.types import Fold, Table

NAN = float("nan")


def small_table():
    features = pd.DataFrame(
        {
            "n": [0.0, 2.0, 10.0, NAN, 5.0, 20.0],
            "w": pd.Series(["a", "b", "a", None, "c", "a"], dtype="str"),
            "same": [7.0] * 6,
        }
    )
    labels = pd.Series(["u", "v", "u", "v", "u", "v"], dtype="str")
    return Table(name="t", features=features, labels=labels, categorical=("w",))


FOLD = Fold(np.arange(4), np.arange(4, 6), ("said before",))


def test_min_max_with_missing_filled_in():
    prepared = prepare(small_table(), FOLD, "min-max", {"missing": "impute"})
    # Median of 0, 2, 10 is 2; "a" is the most frequent word; "c" is unknown in training.
    assert prepared.feature_names == ("n", "w = a", "w = b")
    assert prepared.X_train.tolist() == [[0, 1, 0], [0.2, 0, 1], [1, 1, 0], [0.2, 1, 0]]
    assert prepared.X_test.tolist() == [[0.5, 0, 0], [2, 1, 0]]
    assert prepared.y_train.tolist() == [0, 1, 0, 1]
    assert prepared.y_test.tolist() == [0, 1]
    assert prepared.classes == ("u", "v")
    assert prepared.notes == (
        "said before",
        "Left out, because constant in the training part: same.",
        "Missing values filled in from the training part: n, w.",
    )


def test_missing_as_a_category_of_its_own():
    prepared = prepare(small_table(), FOLD, "as-is", {"missing": "category"})
    assert prepared.feature_names == ("n", "n = (missing)", "w = a", "w = b", "w = (missing)")
    assert prepared.X_train[3].tolist() == [2, 1, 0, 0, 1]
    assert prepared.X_test.tolist() == [[5, 0, 0, 0, 0], [20, 0, 1, 0, 0]]


def test_rows_with_missing_values_left_out():
    prepared = prepare(small_table(), FOLD, "as-is", {"missing": "drop"})
    assert prepared.train_rows.tolist() == [0, 1, 2]
    assert prepared.X_train[:, 0].tolist() == [0, 2, 10]
    assert prepared.y_train.tolist() == [0, 1, 0]
    assert "Left out for missing values: 1 training and 0 test rows." in prepared.notes


def test_dropping_the_only_test_row_leaves_an_empty_test_part():
    prepared = prepare(small_table(), Fold(np.array([0, 1, 2]), np.array([3])), "as-is", {"missing": "drop"})
    assert prepared.X_test.shape == (0, 3)
    assert prepared.y_test.shape == (0,)


def test_standardise():
    prepared = prepare(load_table("wine"), folds(load_table("wine"), "hold-out")[0], "standardise")
    assert prepared.X_train.mean(axis=0) == pytest.approx(np.zeros(13), abs=1e-12)
    assert prepared.X_train.std(axis=0) == pytest.approx(np.ones(13))


@given(data=st.data())
def test_nothing_leaks_from_the_test_part(data):
    table = data.draw(tables(n_train=True))
    key = data.draw(st.sampled_from(list(PREPARATIONS)))
    params = data.draw(params_of(PREPARATIONS[key]))
    fold = folds(table, "own")[0]
    try:
        before = prepare(table, fold, key, params)
    except ValueError:
        assume(False)
    features = table.features.copy()
    for name in features.columns:
        column = features[name].astype("object")
        fresh = "zebra" if name in table.categorical else 1e9
        column.iloc[fold.test] = data.draw(
            st.lists(st.sampled_from([None, fresh]), min_size=fold.test.size, max_size=fold.test.size)
        )
        features[name] = column.astype("str" if name in table.categorical else "float64")
    after = prepare(dataclasses.replace(table, features=features), fold, key, params)
    assert (before.X_train == after.X_train).all()
    assert before.feature_names == after.feature_names
    assert (before.y_train == after.y_train).all()


@given(data=st.data())
def test_what_comes_out_is_finite_and_consistent(data):
    table = data.draw(tables())
    split = data.draw(st.sampled_from(list(SPLITS)))
    key = data.draw(st.sampled_from(list(PREPARATIONS)))
    params = data.draw(params_of(PREPARATIONS[key]))
    for fold in folds(table, split)[:3]:
        try:
            prepared = prepare(table, fold, key, params)
        except ValueError as error:
            assert "fewer than two classes" in str(error) or "leaving them out" in str(error)  # noqa: PT017 - both are sentences, which one depends on the drawn table
            continue
        for X, y, rows in (
            (prepared.X_train, prepared.y_train, prepared.train_rows),
            (prepared.X_test, prepared.y_test, prepared.test_rows),
        ):
            assert X.dtype == np.float64
            assert y.dtype == np.int64
            assert X.shape == (y.size, len(prepared.feature_names))
            assert np.isfinite(X).all()
            assert [prepared.classes[c] for c in y] == table.labels.iloc[rows].tolist()
        assert (prepared.X_train.max(axis=0) > prepared.X_train.min(axis=0)).all()
        if key == "min-max":
            assert prepared.X_train.min() == 0
            assert prepared.X_train.max() == 1


def test_a_class_missing_from_training_keeps_its_number():
    table = Table(
        name="t",
        features=pd.DataFrame({"x": np.arange(5.0)}),
        labels=pd.Series(["a", "a", "b", "c", "c"], dtype="str"),
    )
    prepared = prepare(table, folds(table, "leave-one-out")[2])
    assert prepared.y_train.tolist() == [0, 0, 2, 2]
    assert prepared.y_test.tolist() == [1]
    assert prepared.classes == ("a", "b", "c")


def test_one_class_only_is_refused():
    table = Table(
        name="t",
        features=pd.DataFrame({"x": [1.0, 2.0, 3.0]}),
        labels=pd.Series(["a", "a", "b"], dtype="str"),
    )
    with pytest.raises(ValueError, match="fewer than two classes"):
        prepare(table, folds(table, "leave-one-out")[2])


def test_only_constant_columns_are_refused():
    table = Table(
        name="t",
        features=pd.DataFrame({"x": [1.0, 1.0, NAN]}),
        labels=pd.Series(["a", "b", "b"], dtype="str"),
    )
    with pytest.raises(ValueError, match=r"Every column is constant in the training part.*add a column"):
        prepare(table, folds(table, "all")[0])


def test_rows_that_all_miss_something_are_refused():
    table = Table(
        name="t",
        features=pd.DataFrame({"x": [NAN, NAN, NAN]}),
        labels=pd.Series(["a", "b", "b"], dtype="str"),
    )
    with pytest.raises(ValueError, match="fill missing values in instead"):
        prepare(table, folds(table, "all")[0], "min-max", {"missing": "drop"})


def test_a_column_of_names_is_refused_by_name(monkeypatch):
    monkeypatch.setenv("ECOCVIZ_MAX_COLUMNS", "50")
    table = Table(
        name="t",
        features=pd.DataFrame({"who": pd.Series([f"p{i}" for i in range(60)], dtype="str")}),
        labels=pd.Series(["a", "b"] * 30, dtype="str"),
        categorical=("who",),
    )
    with pytest.raises(ValueError, match=r"every value of 'who' there would be 60 columns"):
        prepare(table, folds(table, "all")[0])


@pytest.mark.parametrize("bad", [1e101, -1e200, float("inf")])
@pytest.mark.parametrize("row", [0, 3])
def test_numbers_too_large_to_square_are_refused(bad, row):
    values = [1.0, 2.0, 3.0, 4.0]
    values[row] = bad
    table = Table(
        name="t", features=pd.DataFrame({"x": values}), labels=pd.Series(list("abab"), dtype="str"), n_train=3
    )
    with pytest.raises(ValueError, match="The column 'x' holds numbers too far from the others"):
        prepare(table, folds(table, "own")[0])


def test_unknown_keys_are_refused_with_a_sentence():
    with pytest.raises(ValueError, match=r"There is no preparation 'x'; known: min-max"):
        prepare(small_table(), FOLD, "x")


def thinned(table, n_rows=150):
    """Every so-many-th row of a large table; small ones whole."""
    step = max(1, len(table.labels) // n_rows)
    return dataclasses.replace(
        table,
        features=table.features.iloc[::step].reset_index(drop=True),
        labels=table.labels.iloc[::step].reset_index(drop=True),
        n_train=None if table.n_train is None else table.n_train // step,
        lost_n_train=None if table.lost_n_train is None else table.lost_n_train // step,
    )


@pytest.mark.thorough
@pytest.mark.parametrize("key", [key for key, dataset in DATASETS.items() if not dataset.needs])
def test_every_set_with_every_preparation_and_every_split(key):
    table = thinned(load_table(key))
    for split in SPLITS:
        cut = folds(table, split, seed=1)
        for preparation in PREPARATIONS:
            for missing in ("impute", "category", "drop"):
                # The first and last fold: hundreds of folds of leave-one-out differ in one row only.
                for fold in {id(fold): fold for fold in (cut[0], cut[-1])}.values():
                    prepared = prepare(table, fold, preparation, {"missing": missing})
                    assert np.isfinite(prepared.X_train).all()
                    assert np.isfinite(prepared.X_test).all()
                    assert prepared.X_train.shape[1] == len(prepared.feature_names) > 0
                    assert prepared.classes == table.classes
