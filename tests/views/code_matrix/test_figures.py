"""The pictures of a code: what is in their traces and tables."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from ecocviz.engine.catalogue import build_code
from ecocviz.views.code_matrix import figures as pictures
from ecocviz.views.code_matrix import words as says
from ecocviz.views.code_matrix.facts import Problem, code_of, column_distances, row_distances
from ecocviz.views.shared.draw import theme

NAMES = ("a", "<b>", "c", "d")
COUNTS = np.array([10, 20, 30, 5])
BROKEN = np.array([[1, 1, -1, 1, 1], [1, -1, 1, -1, 0], [1, 1, -1, 1, -1], [1, 1, -1, 1, -1]], dtype=np.int8)


@pytest.fixture(params=[theme.LIGHT, theme.DARK], ids=["light", "dark"])
def colours(request):
    return request.param


def code_named(matrix, names=NAMES, counts=COUNTS):
    return code_of(
        np.asarray(matrix, dtype=np.int8),
        Problem(tuple(names), np.asarray(counts), np.zeros((len(names), len(names)))),
    )


def test_distances_are_drawn_without_the_diagonal_and_the_closest_outlined(colours):
    equal = row_distances(code_named(build_code("one-vs-one", 4)))
    uneven = replace(equal, table=4.0 - equal.table - 2.0 * np.eye(4)[[1, 0, 2, 3]])
    figure = pictures.distances_figure(uneven, 300, colours)
    assert len(go.Figure(figure.to_dict()).data) == 1  # plotly accepts every value
    z = np.array(figure.data[0].z, dtype=float)
    assert np.isnan(np.diag(z)).all() and not np.isnan(z[~np.eye(4, dtype=bool)]).any()
    least = np.nanmin(z)
    outlined = {(round(s.y0 + 0.5), round(s.x0 + 0.5)) for s in figure.layout.shapes}
    assert outlined == {tuple(cell) for cell in np.argwhere(z == least).tolist()}
    assert figure.layout.template.layout.paper_bgcolor == colours.surface
    assert "<b>" not in "".join(figure.layout.yaxis.ticktext)
    # The colours go from the least to the largest distance that there is.
    assert (figure.data[0].zmin, figure.data[0].zmax) == (1, 3)
    # Where all are equally close there is nothing to outline, and no cell is as pale as the surface.
    assert not pictures.outlined(equal)
    assert not pictures.distances_figure(equal, 300, colours).layout.shapes
    assert pictures.colour_range(equal) == (0, 1)
    # Nor where most are.
    assert not pictures.outlined(replace(equal, table=equal.table + 1.0 * np.eye(4)[[1, 0, 2, 3]]))


def test_many_columns_are_thinned():
    code = code_named(build_code("dense-random", 12, n_bits=300), "abcdefghijkl", np.ones(12, dtype=int))
    columns = column_distances(code)
    figure = pictures.distances_figure(columns, 300, theme.LIGHT)
    assert go.Figure(figure.to_dict()).data[0].text is None  # plotly accepts every value
    assert np.shape(figure.data[0].z) == (pictures.MAX_DRAWN, pictures.MAX_DRAWN)
    assert len(figure.to_json()) < 150_000
    assert len(pictures.distances_table(columns)) == 300 * 299 / 2


def test_sizes_are_the_points_on_either_side(colours):
    code = code_named(BROKEN)
    report, faults = code.report, says.column_faults(code.report)
    figure = pictures.sizes_figure(code, colours)
    plus, minus = figure.data
    assert len(go.Figure(figure.to_dict()).layout.shapes) == 1  # plotly accepts every value
    for b in range(5):
        assert plus.y[b] == sum(n for n, v in zip(COUNTS, BROKEN[:, b], strict=True) if v > 0)
        assert minus.y[b] == -sum(n for n, v in zip(COUNTS, BROKEN[:, b], strict=True) if v < 0)
        assert plus.customdata[b][1] == report.sizes[b] * (report.sizes[b] - 1) / 2
        assert (plus.marker.line.width[b] > 0) == (b in faults)
    table = pictures.sizes_table(code)
    assert table["points"].tolist() == report.sizes.tolist()
    assert table["column"].tolist() == [faults.get(b, "") for b in range(5)]


def test_real_codewords_are_drawn_around_zero(colours):
    weights = np.array([[0.5, -2.0, 0.0], [1.0, 0.25, -0.5]])
    figure = pictures.weights_figure(weights, ("a", "<i>"), colours)
    (trace,) = figure.data
    assert len(go.Figure(figure.to_dict()).data) == 1  # plotly accepts every value
    assert np.allclose(np.array(trace.z), weights)
    assert trace.zmin == -2 and trace.zmax == 2
    assert trace.colorscale[1][1] == colours.surface
    assert "<i>" not in "".join(figure.layout.yaxis.ticktext)
