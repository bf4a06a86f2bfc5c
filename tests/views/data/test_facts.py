"""What the report says of data, against plain counting."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.data.catalogue import DATASETS
from ecocviz.data.types import Table
from ecocviz.lab.run import load
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.data.facts import (
    JITTER,
    cloud_keys,
    describe_columns,
    make_cloud,
    make_consequences,
    read_axes,
    thin,
)


@pytest.fixture
def gappy():
    """Twelve rows with a constant column, words, and gaps in both kinds of columns."""
    features = pd.DataFrame(
        {
            "size": [1.0, 2.0, None, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
            "same": [3.0] * 12,
            "colour": pd.Series(["red", "blue", None, "red"] * 3, dtype="str"),
        }
    )
    return Table(
        name="Gappy", features=features, labels=pd.Series(list("abcabcabcabc")), categorical=("colour",)
    )


def test_columns_are_described(gappy):
    size, same, colour = describe_columns(gappy)
    assert (size.kind, size.n_missing, size.n_values, size.told) == ("numbers", 1, 11, "1 to 12")
    assert (same.n_values, same.told) == (1, "3 to 3")
    assert (colour.kind, colour.n_missing, colour.told) == ("words", 3, "mostly red (6)")


@pytest.mark.parametrize(
    ("missing", "filled", "dropped", "columns"),
    [("impute", 4, 0, 3), ("category", 1, 0, 5), ("drop", 0, 3, 3)],
)
def test_consequences_of_missing_values(gappy, missing, filled, dropped, columns):
    scenario = make_scenario(split="all", preparation=("min-max", {"missing": missing}))
    found = make_consequences(scenario, gappy)
    assert (found.n_filled, found.n_dropped) == (filled, dropped)
    assert len(found.prepared.feature_names) == columns
    assert (found.n_columns, found.encoded, found.constant) == (3, ("colour",), ("same",))
    assert found.counts.tolist() == [4, 4, 4]
    assert found.train.sum() == 12 - dropped


@pytest.mark.parametrize("split", ["hold-out", "k-fold", "leave-one-out", "all", "own"])
def test_rows_of_each_class_are_counted(split):
    scenario = make_scenario(data="iris", split=split)
    table = load(scenario)
    found = make_consequences(scenario, table)
    labels = table.labels.tolist()
    for part, rows in (("train", found.prepared.train_rows), ("test", found.prepared.test_rows)):
        # Of several folds every row is tested in one.
        counted = range(150) if part == "test" and found.n_folds > 1 else rows
        expected = [sum(labels[r] == name for r in counted) for name in table.classes]
        assert getattr(found, part).tolist() == expected
    assert found.n_folds == {"k-fold": 5, "leave-one-out": 150}.get(split, 1)
    assert (found.fold_sizes.sum(axis=1) == (300 if split == "all" else 150)).all()


def test_two_columns_are_drawn_as_they_are(gappy):
    found = make_consequences(make_scenario(split="all"), gappy)
    cloud = make_cloud(gappy, found, "0,2")
    whole = [r for r in range(12) if r not in (2, 6, 10)]
    assert cloud.rows.tolist() == whole and cloud.n_hidden == 3
    assert cloud.levels == ((), ("blue", "red"))
    for row, (x, y), code in zip(cloud.rows, cloud.coordinates, cloud.codes, strict=True):
        assert x == gappy.features["size"][row]
        place = {"blue": 0, "red": 1}[gappy.features["colour"][row]]
        assert abs(y - place) <= JITTER
        assert gappy.classes[code] == gappy.labels[row]
    assert not cloud.is_test.any()


def test_numbers_that_repeat_a_lot_are_scattered_around_their_place():
    features = pd.DataFrame({"grade": [0.0, 0.5, 3.0, None] * 10, "size": np.arange(40) * 1.0})
    table = Table(name="Grades", features=features, labels=pd.Series(list("xy") * 20))
    cloud = make_cloud(table, make_consequences(make_scenario(split="all"), table), "0,1")
    away = cloud.coordinates[:, 0] - features["grade"].to_numpy()[cloud.rows]
    assert cloud.scattered == ("grade",) and cloud.n_hidden == 10
    assert 0 < np.abs(away).max() <= 0.5 * JITTER and np.unique(away).size > 25
    assert (cloud.coordinates[:, 1] == cloud.rows).all()


@pytest.mark.parametrize("split", ["hold-out", "all", "k-fold"])
def test_main_directions_keep_distances_as_well_as_a_plane_can(split):
    scenario = make_scenario(data="iris", split=split)
    table = load(scenario)
    found = make_consequences(scenario, table)
    cloud = make_cloud(table, found, "pca")
    assert cloud.rows.tolist() == list(range(150))
    assert cloud.is_test.sum() == (found.test.sum() if split == "hold-out" else 0)
    train = found.prepared.X_train - found.prepared.X_train.mean(axis=0)
    values = np.sort(np.linalg.eigvalsh(train.T @ train))[::-1]
    drawn = cloud.coordinates[found.prepared.train_rows]
    spread = ((drawn - drawn.mean(axis=0)) ** 2).sum(axis=0)
    assert np.allclose(spread, values[:2])


def test_one_column_is_drawn_along_a_line():
    table = Table(
        name="Line", features=pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0]}), labels=pd.Series(list("xyxy"))
    )
    found = make_consequences(make_scenario(split="all"), table)
    cloud = make_cloud(table, found, read_axes("", 1))
    assert cloud.coordinates[:, 0].tolist() == [1, 2, 3, 4]
    assert np.abs(cloud.coordinates[:, 1]).max() <= JITTER and cloud.names == ("a", "")


@given(st.text(alphabet="pca0123456789,", max_size=12), st.integers(1, 12))
def test_any_link_gives_axes_that_exist(text, n_features):
    axes = read_axes(text, n_features)
    if axes != "pca":
        numbers = [int(part) for part in axes.split(",")]
        assert len(set(numbers)) == min(2, n_features) and max(numbers) < n_features
    assert read_axes(axes, n_features) == axes
    assert cloud_keys(n_features)[0] == read_axes("", n_features)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=80), st.integers(1, 60))
def test_thinning_spares_every_class(codes, most):
    kept = thin(np.array(codes), most)
    assert sorted(set(kept.tolist())) == kept.tolist()
    if len(codes) <= most:
        assert kept.tolist() == list(range(len(codes)))
        return
    for c in set(codes):
        n = codes.count(c)
        assert sum(codes[k] == c for k in kept) == math.ceil(n * most / len(codes))


@pytest.mark.parametrize("key", [key for key, entry in DATASETS.items() if not entry.needs])
def test_every_set_has_a_report(key):
    scenario = make_scenario(data=key)
    table = load(scenario)
    found = make_consequences(scenario, table)
    assert found.train.sum() + found.test.sum() == table.labels.size
    assert (found.train + found.test == found.counts).all()
    assert found.n_filled == (3 if key == "postoperative" else 0)
    assert len(found.encoded) + len(found.constant) >= len(table.categorical)
    cloud = make_cloud(table, found, "0,1")
    assert cloud.rows.size == table.labels.size
