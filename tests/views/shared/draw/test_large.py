"""Figures for a lecture hall."""

import plotly.graph_objects as go

from ecocviz.views.shared.draw.build import build_figure
from ecocviz.views.shared.draw.large import LEAST, enlarged
from ecocviz.views.shared.draw.theme import LIGHT

TRACES = [{"type": "scatter", "x": [1], "y": [2], "text": ["a"], "textfont": {"size": 10}, "mode": "text"}]
LAYOUT = {
    "height": 300,
    "margin": {"l": 40, "pad": 2},
    "legend": {"font": {"size": 13}},
    "xaxis": {"title": {"text": "x", "font": {"size": 11}}},
    "annotations": [{"text": "b", "x": 1, "y": 1, "font": {"size": 12}}],
}


def sizes(part):
    """All sizes of type in a specification."""
    if isinstance(part, dict):
        for name, value in part.items():
            if name.endswith("font") and isinstance(value, dict) and "size" in value:
                yield value["size"]
            yield from sizes(value)
    elif isinstance(part, list | tuple):
        for one in part:
            yield from sizes(one)


def test_all_type_can_be_read_from_afar_and_the_figure_itself_stays():
    figure = build_figure(TRACES, LAYOUT, LIGHT)
    before = figure.to_dict()
    large = enlarged(figure).to_dict()
    found = list(sizes(large))
    assert len(found) >= 9 and min(found) >= LEAST
    assert large["layout"]["height"] > 300 and large["layout"]["margin"]["l"] > 40
    assert figure.to_dict() == before
    go.Figure(large)  # plotly's own check
