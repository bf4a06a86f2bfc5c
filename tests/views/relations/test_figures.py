"""Heatmaps of correlations and the pictures of one pair of machines."""

import numpy as np
import plotly.graph_objects as go
import pytest
from relations_tools import some_correlations, some_relations

from ecocviz.views.relations.facts import MAX_DRAWN, drawn_order
from ecocviz.views.relations.figures import (
    WRITTEN,
    code_figure,
    correlations_table,
    heatmap_figure,
    scores_figure,
    scores_table,
)
from ecocviz.views.shared.draw.theme import DARK, LIGHT


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("n", [2, 5, 60])
def test_a_heatmap_shows_the_machines_in_order_and_outlines_the_pair(theme, n):
    r = some_correlations(n)
    order = np.random.default_rng(1).permutation(n)
    figure = heatmap_figure(some_relations(correlations={"errors": r}), "errors", order, (0, 1), theme)
    assert figure.layout.title.text == "Errors"
    assert len(go.Figure(figure.to_dict()).data) == 2  # plotly accepts every value
    heat, cells = figure.data
    others = ~np.eye(n, dtype=bool)
    shown = r[np.ix_(order, order)]
    np.testing.assert_allclose(np.array(heat.z)[others], shown[others], atol=0.006)
    assert np.isnan(np.diag(heat.z)).all()
    if n <= WRITTEN:  # the numbers stand in the cells
        assert not heat.showscale
        assert {float(text.replace("−", "-")) for row in heat.text for text in row if text} == {
            round(float(value), 2) for value in shown[others]
        }
    else:
        assert heat.showscale and heat.text is None
    largest = np.abs(shown[others]).max()
    assert heat.zmax == -heat.zmin and largest <= heat.zmax < largest + 0.11  # the data's own range
    assert heat.colorscale[1] == (0.5, theme.surface)
    assert heat.colorbar.title.text == "correlation"
    places = {(shape.x0 + 0.5, shape.y0 + 0.5) for shape in figure.layout.shapes}
    position = {int(machine): k for k, machine in enumerate(order)}
    assert places == {(position[1], position[0]), (position[0], position[1])}
    # Every cell has its own marker, which tells which machines meet there.
    assert len(cells.x) == n * n
    k = 1 * n + 0  # second row, first column
    assert (cells.x[k], cells.y[k]) == (0, 1)
    assert cells.text[k].startswith(f"{order[1] + 1} and {order[0] + 1}: ")


def test_a_huge_code_is_thinned_with_its_pair_kept():
    order = np.arange(1_000)[::-1]
    drawn = drawn_order(order, (3, 998))
    assert drawn.size <= MAX_DRAWN and {3, 998} <= set(drawn.tolist())
    assert (np.diff(drawn) < 0).all()
    relations = some_relations(correlations={"scores": np.eye(1_000)})
    figure = heatmap_figure(relations, "scores", drawn, (3, 998), LIGHT)
    assert len(figure.data) == 1 and len(figure.layout.shapes) == 2


def test_the_pair_s_columns_stand_out_in_the_code():
    code = np.array([[1, -1, 0], [-1, 1, 1], [0, 1, -1]])
    figure = code_figure(some_relations(code=code, classes=("a", "<b>", "c")), (0, 2), LIGHT)
    assert go.Figure(figure.to_dict()).layout.height == figure.layout.height
    heat = figure.data[0]
    assert (np.sign(heat.z) == code).all()
    strength = np.abs(heat.z).max(axis=0)
    assert strength[0] == strength[2] > strength[1]
    assert [shape.x0 for shape in figure.layout.shapes] == [0.5, 2.5]
    assert figure.layout.yaxis.ticktext == ("a", "&#60;b&#62;", "c")
    signs = {
        (x - 1, y): text
        for trace in figure.data[1:]
        for x, y, text in zip(trace.x, trace.y, trace.text, strict=True)
    }
    assert signs == {(b, c): "+" if code[c, b] > 0 else "−" for c in range(3) for b in range(3) if code[c, b]}


def test_a_wide_code_is_drawn_without_signs_and_with_room_between_its_numbers():
    code = np.where(np.random.default_rng(0).random((26, 78)) < 0.5, -1, 1)
    figure = code_figure(some_relations(code=code), (8, 19), DARK)
    assert len(figure.data) == 1
    ticks = figure.layout.xaxis.tickvals
    assert {9, 20} <= set(ticks) and min(np.diff(ticks)) > 2


@pytest.mark.parametrize("n", [12, 6_000])
def test_scores_are_told_by_class_and_wrong_bits_outlined(n):
    rng = np.random.default_rng(0)
    scores, truth = rng.normal(size=(n, 3)), np.arange(n) % 2
    code = np.array([[1, 0, -1], [-1, 1, 1]])
    wrong = np.sign(scores) != code[truth]
    relations = some_relations(code=code, classes=("a", "b"), scores=scores, truth=truth, wrong=wrong)
    figure = scores_figure(relations, (0, 2), LIGHT)
    assert len(go.Figure(figure.to_dict()).layout.annotations) == 4
    assert [trace.name for trace in figure.data] == ["a  + −", "b  − +"]
    assert sum(len(trace.x) for trace in figure.data) == min(n, 4_000)
    if n == 12:
        for c, trace in enumerate(figure.data):
            of = np.flatnonzero(truth == c)
            np.testing.assert_allclose(trace.x, scores[of, 0], atol=1e-4)
            np.testing.assert_allclose(trace.y, scores[of, 2], atol=1e-4)
            n_wrong = [int(wrong[i, 0]) + int(wrong[i, 2]) for i in of]
            assert list(trace.marker.line.width) == [(0.8, 1.5, 2.8)[k] for k in n_wrong]
    low, high = figure.layout.xaxis.range
    assert low < min(0, scores[:, 0].min()) and high > max(0, scores[:, 0].max())
    frame = scores_table(relations, (0, 2))
    assert len(frame) == n and frame["machine 3 wrong"].sum() == wrong[:, 2].sum()


def test_the_table_has_every_pair_once():
    r = some_correlations(4)
    frame = correlations_table(some_relations(correlations={"errors": r}))
    assert len(frame) == 6
    for _, row in frame.iterrows():
        assert row["errors"] == r[int(row["machine"]) - 1, int(row["other machine"]) - 1]
