"""The figures and tables of the reductions: traces, values, names."""

import numpy as np
import plotly.graph_objects as go
import pytest

from ecocviz.views.reductions.figures import (
    ReductionRow,
    Result,
    cells_table,
    reduction_errors_figure,
    reductions_table,
    shown_table,
)
from ecocviz.views.reductions.figures_exhibits import (
    Bars,
    Curve,
    Matrix,
    exhibit_alt,
    exhibit_figure,
    exhibit_table,
)
from ecocviz.views.shared.draw.theme import DARK, LIGHT, strongest

HOSTILE = '<img src=x onerror="alert(1)">'


def matrix(n_rows=3, n_columns=4, *, signed=True):
    values = np.arange(n_rows * n_columns, dtype=float).reshape(n_rows, n_columns)
    return Matrix(
        title="Code",
        said="Something is to be seen.",
        numbers=values - 5 if signed else values,
        rows=(HOSTILE, *(f"r{k}" for k in range(1, n_rows))),
        columns=tuple(f"c{k}" for k in range(n_columns)),
        row_title="Class",
        column_title="Machine",
        value_title="entry",
        signed=signed,
    )


def row(key, n_wrong=None, sizes=(10, 20), predicted=(10, 20), state=""):
    result = None
    if n_wrong is not None:
        result = Result(
            n_wrong=n_wrong, n=50, low=0.01, high=0.4, p=0.5, seconds=0.1, milliseconds=2.0, sizes=sizes
        )
    return ReductionRow(
        key=key, title=key.title(), state=state, predicted=predicted, at_most=False, result=result
    )


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_signed_matrix_has_zero_in_the_middle(theme):
    shown = matrix()
    figure = exhibit_figure(shown, theme)
    (heatmap,) = figure.data
    assert len(go.Figure(figure.to_dict()).data) == 1  # plotly accepts every value
    assert heatmap.zmin == -heatmap.zmax == -6
    assert np.array_equal(heatmap.z, shown.numbers)
    assert [colour for share, colour in heatmap.colorscale] == [
        strongest(theme, theme.negative),
        theme.surface,
        strongest(theme, theme.positive),
    ]
    assert heatmap.texttemplate


def test_an_unsigned_matrix_begins_at_zero():
    heatmap = exhibit_figure(matrix(signed=False), LIGHT).data[0]
    assert (heatmap.zmin, heatmap.zmax) == (0, 11)


def test_large_matrices_have_no_texts():
    (heatmap,) = go.Figure(exhibit_figure(matrix(300, 300), LIGHT).to_dict()).data
    assert heatmap.texttemplate is None
    assert heatmap.text is None
    assert heatmap.customdata is None


def test_a_matrix_of_zeros_has_a_scale():
    empty = matrix()
    flat = type(empty)(**{**{f: getattr(empty, f) for f in empty.__slots__}, "numbers": np.zeros((3, 4))})
    assert exhibit_figure(flat, LIGHT).data[0].zmax == 1


def test_names_of_users_are_escaped():
    text = exhibit_figure(matrix(), LIGHT).to_json()
    assert "<img" not in text.replace("\\u003c", "<")


def test_many_names_are_thinned():
    figure = exhibit_figure(matrix(60, 3), LIGHT)
    assert len(figure.layout.yaxis.tickvals) <= 26


def test_a_curve_leaves_out_what_a_logarithm_cannot_show():
    curve = Curve(
        title="Gap",
        said="",
        numbers=np.array([10.0, 1.0, 0.0]),
        step_title="Round",
        value_title="gap",
        log=True,
    )
    figure = exhibit_figure(curve, LIGHT)
    assert figure.data[0].y == (10.0, 1.0, None)
    assert go.Figure(figure.to_dict()).layout.yaxis.type == "log"  # plotly accepts every value
    assert exhibit_table(curve)["gap"].tolist() == [10.0, 1.0, 0.0]


def test_bars_and_their_table():
    bars = Bars(
        title="Weights",
        said="b weighs most.",
        numbers=np.array([1.0, 3.0]),
        names=("a", "b"),
        name_title="Class",
        value_title="weight",
    )
    assert go.Figure(exhibit_figure(bars, DARK).to_dict()).data[0].y == (1.0, 3.0)
    assert exhibit_table(bars)["Class"].tolist() == ["a", "b"]
    assert exhibit_alt(bars) == "Weights: 2 bars. b weighs most."


def test_the_table_of_a_matrix_keeps_every_number():
    shown = matrix()
    table = exhibit_table(shown)
    assert np.array_equal(table[list(shown.columns)].to_numpy(), shown.numbers)
    assert table["Class"].tolist() == list(shown.rows)


def test_errors_are_drawn_fewest_first_and_without_the_unfinished():
    figure = reduction_errors_figure([row("a", 5), row("b"), row("c", 2)], "a", "Test", LIGHT)
    assert figure.data[0].x == (4.0, 10.0)
    assert figure.layout.yaxis.ticktext == ("C", "<b>A</b>")
    assert figure.layout.xaxis.range[1] > 40


def test_errors_without_the_own_one():
    figure = reduction_errors_figure([row("a", 5)], "gone", "Training", DARK)
    assert figure.layout.xaxis.title.text.startswith("Training error")


def test_the_shown_table_tells_what_is_missing():
    table = shown_table(
        [row("a", 5), row("b", state="waiting"), row("c", state="cannot run", predicted=None)]
    )
    assert table["Interval"].tolist() == ["1.0 to 40.0", "waiting", "cannot run"]
    assert table["Errors"].isna().tolist() == [False, True, True]
    assert table["Predicted"].tolist()[:2] == ["2 of 10 to 20 points"] * 2
    assert table["Measured"].tolist()[0] == "2 of 10 to 20 points"


def test_the_plain_table_has_numbers_only():
    table = reductions_table([row("a", 5), row("b", 0, sizes=(), predicted=()), row("c")])
    assert table["errors"].tolist()[:2] == [5, 0]
    assert table["binary problems"].tolist()[:2] == [2, 0]
    assert table["problems predicted"].tolist() == [2, 0, 2]
    assert table.shape[0] == 3


def test_cells_are_named_even_if_both_directions_are_called_alike():
    table = cells_table(np.array([[0.0, 1.0], [2.0, 3.0]]), ("x", "x"), {"A": np.array([0, 1])}, ("a", "b"))
    assert table.columns.tolist() == ["x", "x", "A"]
    assert table["A"].tolist() == ["a", "b"]
