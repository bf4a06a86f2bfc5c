"""Every figure that a test of figures builds is also saved for print."""

from types import SimpleNamespace

import plotly.graph_objects as go
import pytest
from print_tools import assert_known, assert_saved

from ecocviz.views.shared.draw import build
from ecocviz.views.shared.draw.theme import LIGHT


@pytest.fixture(autouse=True)
def figures_saved(request, monkeypatch):
    """Keep what is built while a test of figures runs, and save the first of it afterwards."""
    if not request.path.name.startswith(("test_figures", "test_ranks")):
        yield
        return
    built = []

    def keeping(spec, **how):
        figure = go.Figure(spec, **how)
        assert_known(spec)
        if spec["layout"]["template"]["layout"]["paper_bgcolor"] == LIGHT.surface:
            built.append(figure)
        return figure

    monkeypatch.setattr(build, "go", SimpleNamespace(Figure=keeping))
    yield
    for figure in built[:1]:  # what hypothesis builds is much alike
        assert_saved(figure)
