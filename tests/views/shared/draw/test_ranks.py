"""The critical-difference diagram: where everything stands, and that plotly takes it."""

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.views.shared.draw.ranks import LONGEST_NAME, label_of, lay_out, margins, ranks_figure
from ecocviz.views.shared.draw.theme import THEMES

RANKS = st.lists(st.floats(1, 24), min_size=1, max_size=24)


@given(RANKS, st.none() | st.floats(0.1, 10))
def test_everything_lies_within_the_diagram_and_no_two_names_on_one_place(ranks, difference):
    names = [f"method {k}" for k in range(len(ranks))]
    found = lay_out(names, ranks, difference, [(0, len(ranks) - 1)])
    assert found.low <= min(ranks) and max(ranks) <= found.high and found.low < found.high
    assert difference is None or found.low + difference <= found.high
    places = [(elbow.row, elbow.left) for elbow in found.elbows]
    assert len(set(places)) == len(ranks)
    assert all(0 < bar.row < min(elbow.row for elbow in found.elbows) for bar in found.bars)
    assert all(elbow.row < found.n_rows for elbow in found.elbows)
    assert sorted(elbow.rank for elbow in found.elbows) == sorted(ranks)
    # No line crosses another: on the left better methods stand higher, on the right worse ones.
    for left in (True, False):
        side = sorted((elbow for elbow in found.elbows if elbow.left is left), key=lambda elbow: elbow.row)
        down = [elbow.rank if left else -elbow.rank for elbow in side]
        assert down == sorted(down)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_plotly_takes_the_figure_and_names_from_outside_are_letters(theme):
    names = ["<b>bold</b>", "![a](//host.example/x)", "x" * 200]
    diagram = lay_out(names, [1.2, 2.0, 2.8], 1.1, [(0, 1), (1, 2)])
    figure = go.Figure(ranks_figure(diagram, theme).to_dict())
    texts = [note.text for note in figure.layout.annotations]
    assert any("critical difference 1.10" in text for text in texts)
    assert not any("<b>" in text or "![" in text for text in texts)
    assert all(len(elbow.name) <= LONGEST_NAME for elbow in diagram.elbows)
    assert figure.layout.height == diagram.height
    bars = [trace for trace in figure.data if trace.line.width == 5]
    assert len(bars) == 2


def test_without_difference_no_ruler_is_drawn():
    figure = ranks_figure(lay_out(["a", "b"], [1.0, 2.0]), THEMES["light"])
    assert not any("critical" in note["text"] for note in figure.layout["annotations"])


def test_margins_are_as_wide_as_the_names_ask_for():
    short, long = lay_out(["a", "b"], [1.0, 2.0]), lay_out(["a" * 25, "b"], [1.0, 2.0])
    assert margins(long)[0] > margins(short)[0]
    assert margins(long)[1] == margins(short)[1]
    assert label_of(long.elbows[0]).endswith("1.00")
