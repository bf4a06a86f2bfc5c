"""The pictures of a code: what is in their traces, tables and sentences."""

import numpy as np
import plotly.graph_objects as go
import pytest

from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.catalogue import CODINGS, build_code
from ecocviz.views.code_matrix import figures as pictures
from ecocviz.views.code_matrix import words as says
from ecocviz.views.code_matrix.facts import measures
from ecocviz.views.shared.draw import theme

NAMES = ("a", "<b>", "c", "d")
COUNTS = np.array([10, 20, 30, 5])
BROKEN = np.array([[1, 1, -1, 1, 1], [1, -1, 1, -1, 0], [1, 1, -1, 1, -1], [1, 1, -1, 1, -1]], dtype=np.int8)


@pytest.fixture(params=[theme.LIGHT, theme.DARK], ids=["light", "dark"])
def colours(request):
    return request.param


def test_distances_are_drawn_without_the_diagonal_and_the_closest_outlined(colours):
    report = code_report(build_code("one-vs-one", 4))
    figure = pictures.distances_figure(
        report.hamming_distances + 1.0 * np.eye(4)[[1, 0, 2, 3]],
        NAMES,
        colours,
        noun="class",
        largest=6,
        height=300,
    )
    assert len(go.Figure(figure.to_dict()).data) == 1  # plotly accepts every value
    z = np.array(figure.data[0].z, dtype=float)
    assert np.isnan(np.diag(z)).all() and not np.isnan(z[~np.eye(4, dtype=bool)]).any()
    least = np.nanmin(z)
    outlined = {(round(s.y0 + 0.5), round(s.x0 + 0.5)) for s in figure.layout.shapes}
    assert outlined == {tuple(cell) for cell in np.argwhere(z == least).tolist()}
    assert figure.layout.template.layout.paper_bgcolor == colours.surface
    assert "<b>" not in "".join(figure.layout.yaxis.ticktext)
    # Where all are equally close there is nothing to outline.
    assert not pictures.outlined(report.row_distances)
    same = pictures.distances_figure(
        report.row_distances, NAMES, colours, noun="class", largest=6, height=300
    )
    assert not same.layout.shapes


def test_many_columns_are_thinned():
    code = build_code("dense-random", 12, n_bits=300)
    report = code_report(code)
    names = [str(b + 1) for b in range(300)]
    figure = pictures.distances_figure(
        report.column_distances, names, theme.LIGHT, noun="machine", largest=3, height=300
    )
    assert go.Figure(figure.to_dict()).data[0].text is None  # plotly accepts every value
    assert np.shape(figure.data[0].z) == (pictures.MAX_DRAWN, pictures.MAX_DRAWN)
    assert len(figure.to_json()) < 150_000
    assert len(pictures.distances_table(report.column_distances, names, "machine")) == 300 * 299 / 2


def test_sizes_are_the_points_on_either_side(colours):
    report = code_report(BROKEN, COUNTS)
    faults = pictures.column_faults(report)
    figure = pictures.sizes_figure(BROKEN, COUNTS, faults, colours, height=300)
    plus, minus = figure.data
    assert len(go.Figure(figure.to_dict()).layout.shapes) == 1  # plotly accepts every value
    for b in range(5):
        assert plus.y[b] == sum(n for n, v in zip(COUNTS, BROKEN[:, b], strict=True) if v > 0)
        assert minus.y[b] == -sum(n for n, v in zip(COUNTS, BROKEN[:, b], strict=True) if v < 0)
        assert plus.customdata[b][1] == report.sizes[b] * (report.sizes[b] - 1) / 2
        assert (plus.marker.line.width[b] > 0) == (b in faults)
    table = pictures.sizes_table(BROKEN, COUNTS, report, faults)
    assert table["points"].tolist() == report.sizes.tolist()
    assert table["column"].tolist() == [faults.get(b, "") for b in range(5)]


def test_faults_name_their_twins():
    report = code_report(BROKEN)
    faults = pictures.column_faults(report)
    assert faults[0] == "no class on one side"
    assert "the same as column 4" in faults[1] and "the opposite of column 3" in faults[1]
    assert 4 not in faults
    rows = pictures.row_faults(report, NAMES)
    assert rows[2] == "the same as d" and rows[3] == "the same as c" and 1 not in rows


@pytest.mark.parametrize("key", [key for key, coding in CODINGS.items() if coding.build is not None])
def test_sentences_of_every_coding(key):
    report = code_report(build_code(key, 4), COUNTS)
    meanings = says.repair_sentences(report)
    # One meaning without zeros, two with them.
    assert len(meanings) == 1 + bool(report.zeros_per_row.any())
    if report.repairable_bits:
        assert f"any {report.repairable_bits} wrong bit" in meanings[0][0]
    assert f"{round(report.linear_cost):,} points" in says.cost_sentence(report, int(COUNTS.sum()))
    assert says.zeros_sentence(report).endswith(".") and says.balance_sentence(report).endswith(".")


def test_a_broken_code_promises_nothing():
    ((said, why),) = says.repair_sentences(code_report([[1, 1], [1, 1], [-1, 1]]))
    assert said.startswith("Can miss a class") and "never put on opposite sides" in why
    assert says.repair_sentences(code_report([[0.5, 1], [1, -0.2]])) == ()


def test_the_comparison_says_what_differs():
    first = measures(code_report(build_code("one-vs-all", 4), COUNTS))
    second = measures(code_report(build_code("one-vs-one", 4), COUNTS))
    said = says.comparison_sentence(("the code above", "One-vs-one"), first, second)
    ratio = second["Pairs of training points, summed"] / first["Pairs of training points, summed"]
    assert said == (
        "Beside the code above, One-vs-one has 2 machines more, row distance 1 instead of 2 and "
        f"{ratio:.2f} times the pairs of points to train on."
    )


def test_real_codewords_are_drawn_around_zero(colours):
    weights = np.array([[0.5, -2.0, 0.0], [1.0, 0.25, -0.5]])
    figure = pictures.weights_figure(weights, ("a", "<i>"), colours)
    (trace,) = figure.data
    assert len(go.Figure(figure.to_dict()).data) == 1  # plotly accepts every value
    assert np.allclose(np.array(trace.z), weights)
    assert trace.zmin == -2 and trace.zmax == 2
    assert trace.colorscale[1][1] == colours.surface
    assert "<i>" not in "".join(figure.layout.yaxis.ticktext)
