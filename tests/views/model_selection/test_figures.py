"""The model-selection figures: what is drawn is what was measured."""

import numpy as np
import plotly.graph_objects as go
import pytest
from curves_tools import curve, facts_of, point_of, reading

from ecocviz.data.writers import write_csv
from ecocviz.views.model_selection.facts import point_margins
from ecocviz.views.model_selection.figures import curves_figure, enlarged_top, margins_figure, margins_table
from ecocviz.views.shared.draw.theme import DARK, LIGHT


def some_margins(n):
    rng = np.random.default_rng(0)
    after, rows = rng.normal(size=n), np.arange(n) + 10
    trained = reading("train", after + rng.random(n), rows=rows)
    return point_margins(point_of(trained, reading("bound", after, rows=rows)), trained.decoding)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_curve_is_drawn_with_its_minimum_ringed(theme):
    curves = [curve("test", (9, 7, None, 8), decoder=decoder) for decoder in ("Hamming", "<b>Linear</b>")] + [
        curve("bound", (20, 19, 25, 30), status="theorem")
    ]
    figure = curves_figure(facts_of(*curves, now=0.5), theme)
    lines = [trace for trace in figure.data if trace.mode == "lines+markers"]
    rings = [trace for trace in figure.data if trace.mode == "markers"]
    assert go.Figure(figure.to_dict()).layout.yaxis2.matches == "y"  # plotly accepts every value
    assert [trace.name for trace in lines] == ["Test error", "Test error", "Leave-one-out bound"]
    assert lines[0].y == (18.0, 14.0, None, 16.0)
    assert [(ring.x, ring.y) for ring in rings] == [((0.5,), (14.0,)), ((0.5,), (14.0,)), ((0.5,), (38.0,))]
    # Two panels, one entry a measure in the legend, users' texts as text.
    assert {trace.xaxis for trace in lines} == {"x", "x2"}
    assert [trace.showlegend for trace in lines] == [True, False, True]
    assert any("&#60;b&#62;" in note.text for note in figure.layout.annotations)
    assert figure.layout.xaxis.type == "log"
    assert len({trace.line.color for trace in lines}) == 2
    assert len({trace.marker.symbol for trace in lines}) == 2


def test_the_scenario_s_value_is_marked_within_the_grid_only():
    shown = curve("test", (9, 7, 6, 8))
    assert [shape.x0 for shape in curves_figure(facts_of(shown, now=0.5), LIGHT).layout.shapes] == [0.5]
    assert not curves_figure(facts_of(shown, now=64.0), LIGHT).layout.shapes
    assert not curves_figure(facts_of(shown), LIGHT).layout.shapes


def test_low_errors_enlarged_fit_the_errors_and_not_a_far_bound():
    near, far = curve("bound", (9, 8, 7, 9)), curve("bound", (50, 50, 49, 50))
    test = curve("test", (2, 5, 3, 4))
    assert enlarged_top([test, far]) == pytest.approx(1.15 * 10)
    assert enlarged_top([test, near]) == pytest.approx(1.15 * 14)
    figure = curves_figure(facts_of(test, far, enlarged=True), LIGHT)
    assert figure.layout.yaxis.range == (0, pytest.approx(11.5))


@pytest.mark.parametrize("n", [6, 2_000])
def test_flagged_points_are_outlined(n):
    margins = some_margins(n)
    judged = margins.judged
    figure = margins_figure(margins, ["=a", "<i>b</i>"], 3, LIGHT)
    assert len(go.Figure(figure.to_dict()).data) == 2  # plotly accepts every value
    assert [trace.name for trace in figure.data] == ["&#61;a", "&#60;i&#62;b&#60;/i&#62;"]
    drawn = 0
    for c, trace in enumerate(figure.data):
        of = np.flatnonzero(judged.truth == c)
        np.testing.assert_allclose(trace.y, judged.margins[of], atol=1e-4)
        outlined = [colour == LIGHT.ink for colour in trace.marker.line.color]
        assert outlined == judged.flagged[of].tolist()
        assert [row for _, row in trace.customdata] == judged.rows[of].tolist()
        drawn += len(trace.x)
    assert drawn == n
    frame = margins_table(margins, ["=a", "b"])
    assert frame["row"].tolist() == judged.rows[np.argsort(judged.margins)].tolist()
    assert list(frame)[2:4] == ["margin as trained", "smallest margin that the bound allows"]
    assert "'=a" in write_csv(frame)
