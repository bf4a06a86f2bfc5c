"""The figures and tables of the reductions: traces, values, names."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go
import pytest

from ecocviz.lab.evaluate import Outcome
from ecocviz.lab.judge import Judgement
from ecocviz.views.reductions.candidates import Candidate, Prediction
from ecocviz.views.reductions.facts import Comparison, ReductionResult
from ecocviz.views.reductions.figures import reductions_table, shown_table, special_figure, special_table
from ecocviz.views.reductions.specials import Special
from ecocviz.views.reductions.words import special_alt
from ecocviz.views.shared.draw.theme import DARK, LIGHT, strongest

HOSTILE = '<img src=x onerror="alert(1)">'


def matrix(n_rows=3, n_columns=4, *, signed=True):
    values = np.arange(n_rows * n_columns, dtype=float).reshape(n_rows, n_columns)
    return Special(
        key="code",
        numbers=values - 5 if signed else values,
        rows=(HOSTILE, *(f"r{k}" for k in range(1, n_rows))),
        columns=tuple(f"c{k}" for k in range(n_columns)),
        signed=signed,
    )


def result(key, n_wrong, sizes):
    rows = np.arange(50)
    outcome = Outcome(rows, np.zeros(50, dtype=int), (rows < n_wrong).astype(int), np.zeros((50, 2)))
    judgement = Judgement(key, outcome, (0.01, 0.4), 2.0)
    return ReductionResult(judgement, 0.1, np.array(sizes, dtype=int), np.zeros(9, dtype=int), (), (0, 0))


def compared(reasons=None, **found):
    """Reductions by key: how many errors and which problems each has, None without a result."""
    known = {key: each for key, each in found.items() if each is not None}
    predictions = {
        key: Prediction(np.array((known.get(key) or (0, (10, 20)))[1], dtype=int), False) for key in found
    }
    return Comparison(
        tuple(Candidate(key, key.title(), "", None, None) for key in found),
        SimpleNamespace(part="test", predictions=predictions),
        {key: result(key, *each) for key, each in known.items()},
        reasons or {},
        "a",
        "a",
    )


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_signed_matrix_has_zero_in_the_middle(theme):
    shown = matrix()
    figure = special_figure(shown, theme)
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
    heatmap = special_figure(matrix(signed=False), LIGHT).data[0]
    assert (heatmap.zmin, heatmap.zmax) == (0, 11)


def test_large_matrices_have_no_texts():
    (heatmap,) = go.Figure(special_figure(matrix(300, 300), LIGHT).to_dict()).data
    assert heatmap.texttemplate is None
    assert heatmap.text is None
    assert heatmap.customdata is None


def test_a_matrix_of_zeros_has_a_scale():
    flat = replace(matrix(), numbers=np.zeros((3, 4)))
    assert special_figure(flat, LIGHT).data[0].zmax == 1


def test_names_of_users_are_escaped():
    text = special_figure(matrix(), LIGHT).to_json()
    assert "<img" not in text.replace("\\u003c", "<")


def test_many_names_are_thinned():
    figure = special_figure(matrix(60, 3), LIGHT)
    assert len(figure.layout.yaxis.tickvals) <= 26


def test_a_curve_leaves_out_what_a_logarithm_cannot_show():
    curve = Special(key="gap", numbers=np.array([10.0, 1.0, 0.0]))
    figure = special_figure(curve, LIGHT)
    assert figure.data[0].y == (10.0, 1.0, None)
    assert go.Figure(figure.to_dict()).layout.yaxis.type == "log"  # plotly accepts every value
    assert special_table(curve)["gap"].tolist() == [10.0, 1.0, 0.0]


def test_bars_and_their_table():
    bars = Special(key="class-weights", numbers=np.array([1.0, 3.0]), rows=("a", "b"))
    assert go.Figure(special_figure(bars, DARK).to_dict()).data[0].y == (1.0, 3.0)
    assert special_table(bars)["Class"].tolist() == ["a", "b"]
    assert special_alt(bars) == (
        "Weights μ: 2 bars. b weighs most, 75.0 % of the sum; equal weights would be 50.0 %."
    )


def test_the_table_of_a_matrix_keeps_every_number():
    shown = matrix()
    table = special_table(shown)
    assert np.array_equal(table[list(shown.columns)].to_numpy(), shown.numbers)
    assert table["Class"].tolist() == list(shown.rows)


def test_the_shown_table_tells_what_is_missing():
    table = shown_table(compared({"c": "It cannot be."}, a=(5, (10, 20)), b=None, c=None), "waiting")
    assert table["Interval"].tolist() == ["1.0 to 40.0", "waiting", "cannot run"]
    assert table["Errors"].isna().tolist() == [False, True, True]
    assert table["Predicted"].tolist()[:2] == ["2 with 10 to 20 points"] * 2
    assert table["Predicted"].isna().tolist() == [False, False, True]
    assert table["Measured"].tolist()[0] == "2 with 10 to 20 points"
    assert table["Error"].tolist()[0] == 10.0


def test_the_plain_table_has_numbers_only():
    table = reductions_table(compared(a=(5, (10, 20)), b=(0, ()), c=None))
    assert table["errors"].tolist()[:2] == [5, 0]
    assert table["binary problems"].tolist()[:2] == [2, 0]
    assert table["points of the smallest"].tolist()[:2] == [10, 0]
    assert table["points of the largest"].tolist()[:2] == [20, 0]
    assert table["problems predicted"].tolist() == [2, 0, 2]
    assert table["points predicted, largest"].tolist() == [20, 0, 20]
    assert table["p against own"].isna().tolist() == [True, False, True]
    assert table["p against own"][1] == 2 * 0.5**5
    assert table.shape[0] == 3
