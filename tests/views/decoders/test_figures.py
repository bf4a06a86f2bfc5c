"""Pictures of decoders side by side: errors, confusion, calibration, sweeps."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from ecocviz.engine.analysis.statistics import calibration
from ecocviz.lab.curve_plan import Curve
from ecocviz.lab.curves import Measure
from ecocviz.lab.evaluate import Outcome
from ecocviz.lab.judge import Judgement
from ecocviz.views.decoders.facts import compare
from ecocviz.views.decoders.figures import (
    column_widths,
    errors_table,
    reliability_figure,
    reliability_table,
    shown_table,
    sweep_figure,
)
from ecocviz.views.decoders.figures_confusion import confusion_figure, confusion_table
from ecocviz.views.shared.draw.judged import errors_figure
from ecocviz.views.shared.draw.tables import text_width
from ecocviz.views.shared.draw.theme import LIGHT, THEMES

STATED = calibration(np.array([[0.4, 0.6], [0.1, 0.9], [0.8, 0.2]]), np.array([0, 1, 0]))


def judgement(key, n_wrong, stated=None):
    rows = np.arange(50)
    outcome = Outcome(rows, np.zeros(50, dtype=int), (rows < n_wrong).astype(int), np.zeros((50, 2)))
    return Judgement(key, outcome, (0.1, 0.3), 0.2, stated)


def compared(own="b"):
    found = [judgement("b", 10, STATED), judgement("a", 5)]
    return compare(found, own, {"a": "<a>", "b": "<b>"}, "test")


def drawn_errors(theme):
    found = compared()
    return errors_figure(found.judged, found.names, found.own.key, found.part_title, theme)


def curve(name, n_wrong):
    places = ((0.5,), (1.0,), (2.0,))
    return Curve(decoder=name, measure=Measure.TEST, places=places, n_wrong=n_wrong, n=50, seconds=0.1)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_errors_are_dots_with_their_interval_and_the_own_decoder_stands_out(theme):
    figure = drawn_errors(theme)
    (dots,) = figure.data
    assert list(dots.x) == [10, 20]
    assert list(dots.marker.color) == [theme.dim, theme.accent]
    spans = [(s.x0, s.x1, s.y0) for s in figure.layout.shapes][:2]
    assert spans == [(10, 30, 0), (10, 30, 1)]
    assert figure.layout.shapes[2].x0 == 20
    assert list(figure.layout.yaxis.ticktext) == ["&#60;a&#62;", "<b>&#60;b&#62;</b>"]
    assert figure.layout.xaxis.range[1] > 30  # no interval runs out of the picture
    table = errors_table(compared())
    assert table["errors"].tolist() == [5, 10]
    assert table["error"].tolist() == [0.1, 0.2]
    assert np.isnan(table["log-loss"][0]) and table["log-loss"][1] == STATED.log_loss
    assert np.isnan(table["p against own"][1]) and table["p against own"][0] == 2 * 0.5**5
    shown = shown_table(compared(), ("a", "b"))
    assert shown["Error"].tolist() == [10.0, 20.0]
    assert shown["95 % interval"].tolist() == ["10.0 to 30.0"] * 2
    assert shown["p"].fillna("").tolist() == ["0.062", ""]


def test_the_table_has_empty_rows_for_what_is_not_judged_yet_and_cuts_no_text():
    found = compare([judgement("b", 10, STATED)], "c", {"a": "A", "b": "B" * 31, "c": "C"}, "test")
    shown = shown_table(found, ("a", "b", "c"))
    assert shown["Decoder"].tolist() == ["A", "B" * 31, "C"]
    assert shown["Errors"].tolist() == [pd.NA, 10, pd.NA]
    shown["ms"], shown["p"], shown["Error"] = [5345.8, 0.03125, 12.0], ["< 0.001", "1.00", None], 100.0
    widths = column_widths(shown, "of 50")
    for column, texts in {
        "Decoder": ["B" * 31],
        "95 % interval": ["10.0 to 30.0", "95 % interval"],
        "p": ["< 0.001"],
        "Log-loss": ["12.345"],
        "ms": ["5350", "0.0312"],
        "Error": ["100.0 %"],
    }.items():
        assert all(text_width(text) <= widths[column] - 16 for text in texts), column
    empty = column_widths(shown_table(found, ("a", "c")), "Errors")
    assert empty["Errors"] >= text_width("Errors") + 16


def test_a_sweep_of_few_decoders_names_all_and_of_many_those_that_stand_apart():
    few = [curve("a", (3, 2, None)), curve("b", (5, 5, 5))]
    figure = sweep_figure(few, "b", "γ", 1.0, LIGHT)
    assert [trace.name for trace in figure.data] == ["a", "b"]
    assert list(figure.data[0].y) == [6, 4, None]
    assert figure.data[1].line.color == LIGHT.accent
    assert figure.layout.shapes[0].x0 == 1.0
    many = [curve(f"d{k}", (20 + k, 20, 20)) for k in range(9)] + [curve("best", (1, 1, 1))]
    drawn = sweep_figure(many, "d3", "γ", 9.0, LIGHT).data
    assert [trace.name for trace in drawn if trace.showlegend] == ["the other 7", "d8", "best", "d3"]
    assert len(drawn) == 10 and drawn[-1].line.color == LIGHT.accent
    assert not sweep_figure(many, "d3", "γ", 9.0, LIGHT).layout.shapes


def test_counts_are_written_and_errors_have_a_colour_of_their_own():
    counts = np.array([[8, 2], [0, 5]])
    right, wrong = confusion_figure(counts, ["<a>", "b"], LIGHT).data
    np.testing.assert_allclose(right.z, [[0.8, np.nan], [np.nan, 1.0]], rtol=1e-6)
    np.testing.assert_allclose(wrong.z, [[np.nan, 0.2], [np.nan, np.nan]], rtol=1e-6)
    assert (right.zmax, wrong.zmax) == (1, 0.2)  # the most frequent error is as strong as can be
    assert list(right.x) == ["&#60;a&#62;", "b"]
    figure = confusion_figure(counts, ["<a>", "b"], LIGHT)
    assert sorted(annotation.text for annotation in figure.layout.annotations) == ["2", "5", "8"]
    table = confusion_table(counts, ["<a>", "b"])
    assert table.columns.tolist() == ["true class", "<a>", "b"] and table["b"].tolist() == [2, 5]


def accepted(figure):
    """Let plotly check every value; return it as plotly understands it."""
    return go.Figure(figure.to_dict())


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_plotly_accepts_every_value(theme):
    counts, found = np.array([[8, 2], [0, 5]]), {"a": STATED}
    for figure, n_traces in (
        (drawn_errors(theme), 1),
        (sweep_figure([curve("a", (3, 2, None)), curve("b", (5, 5, 5))], "b", "γ", 1.0, theme), 2),
        (confusion_figure(counts, ["a", "b"], theme), 2),
        (reliability_figure(found, "a", theme), 1),
    ):
        assert len(accepted(figure).data) == n_traces
        assert accepted(figure).layout.height == figure.layout.height


def test_a_class_without_points_and_26_classes():
    assert confusion_figure(np.zeros((2, 2), dtype=int), ["a", "b"], LIGHT).data
    names = [f"class-number-{k}-with-a-name" for k in range(26)]
    figure = confusion_figure(np.eye(26, dtype=int) + 1, names, LIGHT)
    assert not figure.layout.annotations
    assert all(len(text) <= 14 for text in figure.layout.xaxis.ticktext)
    assert len(figure.to_json()) < 60_000
    order = np.arange(26)[::-1]
    turned = confusion_figure(np.arange(676).reshape(26, 26), names, LIGHT, order).data[1]
    assert turned.y[0] == turned.x[0] == names[25]
    assert turned.customdata[0, 1, 0] == 25 * 26 + 24
    many = [str(k) for k in range(100)]
    axis = confusion_figure(np.eye(100, dtype=int), many, LIGHT).layout.xaxis
    assert len(axis.ticktext) <= 30 and list(axis.tickvals) == many[::4]


def test_reliability_has_a_line_for_every_decoder_and_its_bins_as_a_table():
    rng = np.random.default_rng(1)
    chances = rng.dirichlet([1, 1, 1], 80)
    found = {name: calibration(chances**k / (chances**k).sum(1, keepdims=True), rng.integers(0, 3, 80))
             for name, k in (("own", 1), ("<other>", 2))}  # fmt: skip
    figure = reliability_figure(found, "own", LIGHT)
    own, other = figure.data
    assert own.line.color == LIGHT.accent and other.line.color != LIGHT.accent
    np.testing.assert_allclose(own.x, 100 * found["own"].stated)
    assert other.name == "&#60;other&#62;"
    assert figure.layout.xaxis.range[0] <= own.x[0]
    table = reliability_table(found)
    assert table.groupby("decoder")["points"].sum().tolist() == [80, 80]
