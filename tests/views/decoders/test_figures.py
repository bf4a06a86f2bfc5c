"""Pictures of decoders side by side: errors, confusion, calibration, sweeps."""

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.analysis.statistics import calibration
from ecocviz.views.decoders.figures import DecoderRow, errors_figure, errors_table, sweep_figure
from ecocviz.views.decoders.figures_confusion import confusion_figure, confusion_table, worst_cell
from ecocviz.views.decoders.figures_reliability import reliability_figure, reliability_table
from ecocviz.views.model_selection.figures import Curve
from ecocviz.views.shared.draw.theme import LIGHT, THEMES


def row(key, n_wrong, p=0.5, log_loss=None):
    return DecoderRow(
        key=key, title=f"<{key}>", n_wrong=n_wrong, n=50, low=0.1, high=0.3, p=p,
        log_loss=log_loss, calibration_error=log_loss, milliseconds=0.2,
    )  # fmt: skip


def curve(name, n_wrong):
    return Curve(decoder=name, measure="test", grid=(0.5, 1.0, 2.0), n_wrong=n_wrong, n=50, seconds=0.1)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_errors_are_dots_with_their_interval_and_the_own_decoder_stands_out(theme):
    rows = [row("a", 5, None), row("b", 10, log_loss=0.4)]
    figure = errors_figure(rows, 1, "Test", theme)
    (dots,) = figure.data
    assert list(dots.x) == [10, 20]
    assert list(dots.marker.color) == [theme.dim, theme.accent]
    spans = [(s.x0, s.x1, s.y0) for s in figure.layout.shapes][:2]
    assert spans == [(10, 30, 0), (10, 30, 1)]
    assert figure.layout.shapes[2].x0 == 20
    assert list(figure.layout.yaxis.ticktext) == ["&lt;a&gt;", "<b>&lt;b&gt;</b>"]
    assert figure.layout.xaxis.range[1] > 30  # no interval runs out of the picture
    table = errors_table(rows)
    assert table["errors"].tolist() == [5, 10]
    assert np.isnan(table["log-loss"][0]) and table["log-loss"][1] == 0.4


def test_a_sweep_of_few_decoders_names_all_and_of_many_the_telling_ones():
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
    assert list(right.x) == ["&lt;a&gt;", "b"]
    figure = confusion_figure(counts, ["<a>", "b"], LIGHT)
    assert sorted(annotation.text for annotation in figure.layout.annotations) == ["2", "5", "8"]
    table = confusion_table(counts, ["<a>", "b"])
    assert table.columns.tolist() == ["true class", "<a>", "b"] and table["b"].tolist() == [2, 5]


def accepted(figure):
    """Let plotly check every value; return it as plotly understands it."""
    return go.Figure(figure.to_dict())


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_plotly_accepts_every_value(theme):
    rows, counts = [row("a", 5), row("b", 10)], np.array([[8, 2], [0, 5]])
    found = {"a": calibration(np.array([[0.4, 0.6], [0.1, 0.9], [0.8, 0.2]]), np.array([0, 1, 0]))}
    for figure, n_traces in (
        (errors_figure(rows, 1, "Test", theme), 1),
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


@given(st.integers(2, 6), st.integers(0, 2**16))
def test_the_worst_cell_is_the_most_frequent_error(n, seed):
    counts = np.random.default_rng(seed).integers(0, 4, (n, n))
    i, j, most = worst_cell(counts)
    errors = [counts[a, b] for a in range(n) for b in range(n) if a != b]
    assert most == max(errors)
    assert most == 0 or (i != j and counts[i, j] == most)


def test_reliability_has_a_line_for_every_decoder_and_its_bins_as_a_table():
    rng = np.random.default_rng(1)
    chances = rng.dirichlet([1, 1, 1], 80)
    found = {name: calibration(chances**k / (chances**k).sum(1, keepdims=True), rng.integers(0, 3, 80))
             for name, k in (("own", 1), ("<other>", 2))}  # fmt: skip
    figure = reliability_figure(found, "own", LIGHT)
    own, other = figure.data
    assert own.line.color == LIGHT.accent and other.line.color != LIGHT.accent
    np.testing.assert_allclose(own.x, 100 * found["own"].stated)
    assert other.name == "&lt;other&gt;"
    assert figure.layout.xaxis.range[0] <= own.x[0]
    table = reliability_table(found)
    assert table.groupby("decoder")["points"].sum().tolist() == [80, 80]
