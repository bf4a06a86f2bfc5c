"""Where the rows of a table are drawn."""

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
from ecocviz.views.data.cloud import JITTER, cloud_keys, make_cloud, read_axes, thin
from ecocviz.views.data.facts import make_consequences


def gappy_table():
    """Twelve rows with words, and gaps in both kinds of columns."""
    features = pd.DataFrame(
        {
            "size": [1.0, 2.0, None, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
            "colour": pd.Series(["red", "blue", None, "red"] * 3, dtype="str"),
        }
    )
    return Table(
        name="Gappy", features=features, labels=pd.Series(list("abcabcabcabc")), categorical=("colour",)
    )


def test_two_columns_are_drawn_as_they_are():
    gappy = gappy_table()
    found = make_consequences(make_scenario(split="all"), gappy)
    cloud = make_cloud(gappy, found, "0,1")
    whole = [r for r in range(12) if r not in (2, 6, 10)]
    assert cloud.rows.tolist() == whole and cloud.n_hidden == 3
    assert cloud.levels == ((), ("blue", "red"))
    for row, (x, y), code in zip(cloud.rows, cloud.coordinates, cloud.codes, strict=True):
        assert x == gappy.features["size"][row]
        place = {"blue": 0, "red": 1}[gappy.features["colour"][row]]
        assert abs(y - place) <= JITTER
        assert gappy.classes[code] == gappy.labels[row]
    assert not cloud.is_test.any()
    assert cloud.drawn.tolist() == list(range(9)) and cloud.classes == gappy.classes


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
def test_every_set_is_drawn_whole(key):
    scenario = make_scenario(data=key)
    table = load(scenario)
    cloud = make_cloud(table, make_consequences(scenario, table), "0,1")
    assert cloud.rows.size == table.labels.size
