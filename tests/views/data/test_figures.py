"""The pictures of a data set: traces, values, and names made harmless."""

import numpy as np
import plotly.graph_objects as go
import pytest

from ecocviz.views.data.figures import balance_figure, balance_table, scatter_figure, scatter_table
from ecocviz.views.shared.draw.theme import DARK, LIGHT, class_colour, class_symbol

CLASSES = ("a", "<b>bold</b>", "c")
TRAIN, TEST = np.array([7, 3, 5]), np.array([3, 1, 2])


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_bars_hold_the_rows_of_each_class(theme):
    figure = balance_figure(CLASSES, TRAIN, TEST, theme)
    train, test, marks, texts = figure.data
    assert len(go.Figure(figure.to_dict()).data) == 4  # plotly accepts every value
    assert train.x.tolist() == [7, 3, 5] and test.x.tolist() == [3, 1, 2]
    assert list(train.marker.color) == [class_colour(c) for c in range(3)]
    assert list(marks.marker.symbol) == [class_symbol(c) for c in range(3)]
    assert [text.strip() for text in texts.text] == ["7 + 3", "3 + 1", "5 + 2"]
    assert list(figure.layout.yaxis.ticktext)[1] == "&lt;b&gt;bold&lt;/b&gt;"
    assert (
        figure.layout.paper_bgcolor is None and figure.layout.template.layout.paper_bgcolor == theme.surface
    )


def test_one_bar_where_training_and_test_rows_are_the_same():
    figure = balance_figure(CLASSES, TRAIN, TRAIN, LIGHT, pooled=True)
    assert figure.data[1].x.tolist() == [0, 0, 0]
    assert [text.strip() for text in figure.data[3].text] == ["7", "3", "5"]


def test_two_hundred_classes_stay_readable():
    names = [f"class {c}" for c in range(200)]
    figure = balance_figure(names, np.full(200, 4), np.full(200, 2), LIGHT)
    assert figure.layout.height <= 620
    assert len(figure.layout.yaxis.tickvals) <= 40
    assert len(figure.data) == 3


def points(n=6):
    return (
        np.arange(2.0 * n).reshape(n, 2),
        np.arange(n) % 3,
        np.arange(n) >= n - 2,
        np.arange(n) + 10,
    )


def test_every_class_has_its_colour_and_symbol_and_points():
    coordinates, codes, is_test, rows = points()
    figure = scatter_figure(coordinates, codes, is_test, rows, CLASSES, ("<i>x</i>", "y"), LIGHT)
    for c, trace in enumerate(figure.data):
        assert trace.marker.color == class_colour(c) and trace.marker.symbol == class_symbol(c)
        assert trace.x.tolist() == coordinates[codes == c, 0].tolist()
        assert trace.customdata.tolist() == (rows[codes == c] + 1).tolist()
        assert "<b>" not in trace.name and "<b>" not in trace.hovertemplate
    small, large = figure.data[1].marker.size
    assert small < large
    assert figure.layout.xaxis.title.text == "&lt;i&gt;x&lt;/i&gt;"


def test_words_stand_at_their_places():
    coordinates, codes, is_test, rows = points()
    figure = scatter_figure(
        coordinates, codes, is_test, rows, CLASSES, ("x", ""), LIGHT, levels=(("no", "yes"), ())
    )
    assert list(figure.layout.xaxis.tickvals) == [0, 1]
    assert len(go.Figure(figure.to_dict()).data) == 3  # plotly accepts every value
    assert list(figure.layout.xaxis.ticktext) == ["no", "yes"]
    assert figure.layout.yaxis.showticklabels is False


def test_many_points_go_to_the_graphics_card():
    figure = scatter_figure(*points(1_600), CLASSES, ("x", "y"), LIGHT)
    assert {trace.type for trace in go.Figure(figure.to_dict()).data} == {"scattergl"}


def test_tables_hold_what_is_drawn():
    balance = balance_table(CLASSES, TRAIN + TEST, TRAIN, TEST)
    assert balance["rows"].tolist() == [10, 4, 7] and balance["test rows"].tolist() == [3, 1, 2]
    coordinates, codes, is_test, rows = points()
    table = scatter_table(*coordinates.T, codes, is_test, rows, CLASSES, ("x", "x"))
    assert table.columns.tolist() == ["row", "x", "x (2)", "class", "part"]
    assert table["row"].tolist() == [11, 12, 13, 14, 15, 16]
    assert table["class"].tolist() == [CLASSES[c] for c in codes]
    assert table["part"].tolist() == ["training"] * 4 + ["test"] * 2
