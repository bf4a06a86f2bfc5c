"""The pictures of a data set: traces, values, and names made harmless."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from ecocviz.data.types import Table
from ecocviz.lab.run import load
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.data.cloud import Cloud, make_cloud
from ecocviz.views.data.facts import make_consequences
from ecocviz.views.data.figures import (
    SHOWN_COLUMNS,
    SHOWN_ROWS,
    balance_figure,
    balance_table,
    points_table,
    preview,
    scatter_figure,
    whole,
)
from ecocviz.views.shared.draw.theme import DARK, LIGHT, class_colour, class_symbol

CLASSES = ("a", "<b>bold</b>", "c")
TRAIN, TEST = np.array([7, 3, 5]), np.array([3, 1, 2])


def rows_of_classes(classes=CLASSES, train=TRAIN, test=TEST, *, n_folds=1, tests_trained=False):
    return SimpleNamespace(
        classes=classes,
        counts=train + test,
        train=train,
        test=test,
        n_folds=n_folds,
        tests_trained=tests_trained,
    )


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_bars_hold_the_rows_of_each_class(theme):
    figure = balance_figure(rows_of_classes(), theme)
    train, test, marks, texts = figure.data
    assert len(go.Figure(figure.to_dict()).data) == 4  # plotly accepts every value
    assert train.x.tolist() == [7, 3, 5] and test.x.tolist() == [3, 1, 2]
    assert list(train.marker.color) == [class_colour(c) for c in range(3)]
    assert list(marks.marker.symbol) == [class_symbol(c) for c in range(3)]
    assert [text.strip() for text in texts.text] == ["7 + 3", "3 + 1", "5 + 2"]
    assert list(figure.layout.yaxis.ticktext)[1] == "&#60;b&#62;bold&#60;/b&#62;"
    assert (
        figure.layout.paper_bgcolor is None and figure.layout.template.layout.paper_bgcolor == theme.surface
    )


@pytest.mark.parametrize("same", [{"n_folds": 5}, {"tests_trained": True}])
def test_one_bar_where_training_and_test_rows_are_the_same(same):
    figure = balance_figure(rows_of_classes(test=TRAIN, **same), LIGHT)
    assert figure.data[1].x.tolist() == [0, 0, 0]
    assert [text.strip() for text in figure.data[3].text] == ["7", "3", "5"]


def test_two_hundred_classes_stay_readable():
    names = [f"class {c}" for c in range(200)]
    figure = balance_figure(rows_of_classes(names, np.full(200, 4), np.full(200, 2)), LIGHT)
    assert figure.layout.height <= 620
    assert len(figure.layout.yaxis.tickvals) <= 40
    assert len(figure.data) == 3


def cloud(n=6, names=("x", "y"), **more):
    coordinates, rows = np.arange(2.0 * n).reshape(n, 2), np.arange(n) + 10
    codes, is_test = np.arange(n) % 3, np.arange(n) >= n - 2
    return Cloud("pca", names, coordinates, rows, codes, is_test, CLASSES, np.arange(n), **more)


def test_every_class_has_its_colour_and_symbol_and_points():
    points = cloud(names=("<i>x</i>", "y"))
    figure = scatter_figure(points, LIGHT)
    for c, trace in enumerate(figure.data):
        mine = points.codes == c
        assert trace.marker.color == class_colour(c) and trace.marker.symbol == class_symbol(c)
        assert trace.x.tolist() == points.coordinates[mine, 0].tolist()
        assert trace.customdata.tolist() == (points.rows[mine] + 1).tolist()
        assert "<b>" not in trace.name and "<b>" not in trace.hovertemplate
    small, large = figure.data[1].marker.size
    assert small < large
    assert figure.layout.xaxis.title.text == "&#60;i&#62;x&#60;/i&#62;"


def test_only_so_many_points_are_drawn():
    figure = scatter_figure(replace(cloud(), drawn=np.array([0, 1, 4])), LIGHT)
    assert [trace.x.tolist() for trace in figure.data] == [[0], [2, 8], []]
    assert [trace.customdata.tolist() for trace in figure.data] == [[11], [12, 15], []]


def test_words_stand_at_their_places():
    figure = scatter_figure(cloud(names=("x", ""), levels=(("no", "yes"), ())), LIGHT)
    assert list(figure.layout.xaxis.tickvals) == [0, 1]
    assert len(go.Figure(figure.to_dict()).data) == 3  # plotly accepts every value
    assert list(figure.layout.xaxis.ticktext) == ["no", "yes"]
    assert figure.layout.yaxis.showticklabels is False


def test_many_points_go_to_the_graphics_card():
    figure = scatter_figure(cloud(1_600), LIGHT)
    assert {trace.type for trace in go.Figure(figure.to_dict()).data} == {"scattergl"}


def test_tables_hold_what_is_drawn():
    balance = balance_table(rows_of_classes())
    assert balance["rows"].tolist() == [10, 4, 7] and balance["test rows"].tolist() == [3, 1, 2]
    points = cloud(names=("x", "x"))
    table = points_table(points, None)
    assert table.columns.tolist() == ["row", "x", "x (2)", "class", "part"]
    assert table["row"].tolist() == [11, 12, 13, 14, 15, 16]
    assert table["class"].tolist() == [CLASSES[c] for c in points.codes]
    assert table["part"].tolist() == ["training"] * 4 + ["test"] * 2
    assert table[["x", "x (2)"]].to_numpy().tolist() == points.coordinates.tolist()


def test_the_points_are_downloaded_with_their_true_values():
    scenario = make_scenario(data="dermatology")
    data = load(scenario)
    found = make_cloud(data, make_consequences(scenario, data), "1,3")
    table = points_table(replace(found, drawn=np.arange(0, 358, 7)), data)
    names = [str(data.features.columns[column]) for column in (1, 3)]
    assert set(names) == set(found.scattered)
    for row, x, y, name in zip(table["row"], table[names[0]], table[names[1]], table["class"], strict=True):
        assert [x, y] == data.features.iloc[row - 1][names].tolist()
        assert name == data.labels[row - 1]


def test_one_column_goes_down_with_chance_beside_it():
    data = Table(name="Line", features=pd.DataFrame({"a": [1.0, 2.0] * 5}), labels=pd.Series(list("xy") * 5))
    found = make_cloud(data, make_consequences(make_scenario(split="all"), data), "0")
    table = points_table(found, data)
    assert table["a"].tolist() == [1, 2] * 5
    assert table["chance"].tolist() == found.coordinates[:, 1].tolist()


def test_a_preview_is_the_beginning_and_the_class_keeps_a_name_of_its_own():
    features = pd.DataFrame(np.arange(61.0 * 201).reshape(201, 61), columns=[f"c{k}" for k in range(61)])
    data = Table(name="Wide", features=features, labels=pd.Series(["x", "y", "z"] * 67, name="c0"))
    shown = preview(data)
    assert shown.shape == (SHOWN_ROWS, SHOWN_COLUMNS + 1)
    assert shown.columns[:3].tolist() == ["c0 (class)", "c0", "c1"]
    assert whole(data).shape == (201, 62) and whole(data).columns[-1] == "c0 (class)"
    assert whole(data)["c0 (class)"].tolist() == data.labels.tolist()
