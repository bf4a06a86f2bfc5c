"""Pictures of wrong bits: what is drawn is what was counted."""

from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.views.bits.facts import Bar
from ecocviz.views.bits.figures import (
    accuracy_figure,
    accuracy_table,
    histogram_figure,
    histogram_table,
    shown_counts,
)
from ecocviz.views.bits.figures_together import (
    MOST_TOGETHER,
    together_figure,
    together_shown,
    together_table,
)
from ecocviz.views.shared.draw.theme import DARK, LIGHT, THEMES

NO_BIT, NO_COUNT = Bar("count", (0,)), Bar("bit", (0,))


def machines(accuracies, baselines, errors):
    """Facts of machines, as far as their accuracy goes."""
    report = SimpleNamespace(accuracies=accuracies)
    return SimpleNamespace(n_bits=accuracies.size, report=report, baselines=baselines, joint=np.diag(errors))


def counted(histogram, expected, repairs):
    """Facts of points, as far as the number of their wrong bits goes."""
    return SimpleNamespace(report=SimpleNamespace(histogram=histogram), expected=expected, repairs=repairs)


def related(phi, joint):
    """Facts of machines, as far as their joint errors go."""
    return SimpleNamespace(phi=phi, joint=joint, n_bits=len(phi))


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_accuracies_carry_their_baseline_and_the_picked_bar_its_colour(theme):
    accuracies, baselines = np.array([0.9, np.nan, 0.7]), np.array([0.5, np.nan, 0.75])
    facts = machines(accuracies, baselines, np.array([1, 0, 3]))
    figure = accuracy_figure(facts, Bar("bit", (2,)), theme)
    bars, marks, picked = figure.data
    assert len(go.Figure(figure.to_dict()).data) == 3  # plotly accepts every value
    # Bars in two colours have a legend that says what the second is.
    assert picked.name == "picked: listed below" and picked.marker.color == theme.negative
    assert len(accuracy_figure(facts, Bar("count", (2,)), theme).data) == 2
    assert bars.x.tolist() == [1, 2, 3]
    np.testing.assert_allclose(bars.y, [90, np.nan, 70])
    np.testing.assert_allclose(marks.y, [50, np.nan, 75])
    assert list(bars.marker.color) == [theme.accent, theme.accent, theme.negative]
    table = accuracy_table(facts)
    assert table["bit"].tolist() == [1, 2, 3] and table["errors"].tolist() == [1, 0, 3]


def test_the_axis_of_accuracies_starts_below_everything():
    figure = accuracy_figure(
        machines(np.array([0.97, 0.42]), np.array([0.9, 0.5]), np.zeros(2)), NO_BIT, LIGHT
    )
    assert figure.layout.yaxis.range[0] <= 42


def test_the_histogram_has_its_promise_as_a_line():
    histogram, expected = np.array([41, 2, 1, 0, 4, 0, 0, 0]), np.array([31.0, 14, 2.6, 0.4, 0, 0, 0, 0])
    facts = counted(histogram, expected, 1)
    assert shown_counts(facts) == 4
    figure = histogram_figure(facts, Bar("count", (4,)), LIGHT)
    bars, line, picked = figure.data
    assert picked.name == "picked: listed below" and picked.marker.color == LIGHT.negative
    assert len(go.Figure(figure.to_dict()).layout.annotations) == 1  # plotly accepts every value
    assert list(bars.y) == [41, 2, 1, 0, 4]
    assert list(line.y) == [31.0, 14, 2.6, 0.4, 0]
    assert bars.marker.color[4] == LIGHT.negative and bars.marker.color[0] == LIGHT.accent
    assert figure.layout.shapes[0].x0 == 1.5
    assert figure.layout.annotations[0].text == "always repaired up to 1"
    assert figure.layout.yaxis.range[1] > 1.1 * 41  # room above for what is written there
    table = histogram_table(facts)
    assert table["points"].sum() == 48 and table["wrong bits"].tolist() == list(range(8))


def test_no_line_where_nothing_is_promised():
    figure = histogram_figure(counted(np.array([3, 1]), np.array([3.0, 1.0]), -1), NO_COUNT, DARK)
    assert not figure.layout.shapes


@given(st.lists(st.integers(0, 5), min_size=2, max_size=30), st.integers(-1, 3))
def test_no_point_lies_beyond_the_axis(counts, repairs):
    histogram = np.array(counts)
    most = shown_counts(counted(histogram, np.zeros(histogram.size), repairs))
    assert 1 <= most <= histogram.size - 1
    assert histogram[most + 1 :].sum() == 0


def test_a_machine_is_not_compared_with_itself_and_the_pair_is_ringed():
    phi = np.array([[1.0, 0.25, -0.5], [0.25, 1.0, 0.0], [-0.5, 0.0, 1.0]])
    joint = np.array([[4, 2, 0], [2, 5, 1], [0, 1, 3]])
    figure = together_figure(related(phi, joint), Bar("pair", (0, 2)), LIGHT)
    heat, cells = figure.data
    assert len(go.Figure(figure.to_dict()).layout.shapes) == 2  # plotly accepts every value
    told = {tuple(each[:2]): each[2:] for each in cells.customdata}
    written = {0.25: "+0.25", -0.5: "−0.50", 0.0: "0.00"}
    assert told == {(a, b): [written[phi[a, b]], joint[a, b]] for a in range(3) for b in range(3) if a != b}
    assert (heat.zmin, heat.zmax) == (-0.5, 0.5)  # the data's own range
    assert np.isnan(np.diag(heat.z)).all()
    assert heat.z[0, 1] == np.float32(0.25) and heat.customdata[1, 2] == 1
    assert [list(row) for row in heat.text] == [
        ["", "+0.25", "−0.50"],
        ["+0.25", "", "0.00"],
        ["−0.50", "0.00", ""],
    ]
    assert not heat.showscale
    assert [(s.x0, s.y0) for s in figure.layout.shapes] == [(-0.5, 1.5), (1.5, -0.5)]
    table = together_table(related(phi, joint))
    assert table.values.tolist() == [[1, 2, 0.25, 2], [1, 3, -0.5, 0], [2, 3, 0.0, 1]]


def test_of_many_machines_those_with_the_most_errors_are_shown_in_a_small_message():
    n = 325
    rng = np.random.default_rng(0)
    joint = np.diag(rng.integers(0, 1000, n))
    facts = related(np.eye(n), joint)
    shown, errors = together_shown(facts), np.diag(joint)
    assert shown.size == MOST_TOGETHER
    left_out = np.setdiff1d(np.arange(n), shown)
    assert errors[shown].min() >= errors[left_out].max()
    assert (np.diff(shown) > 0).all()
    figure = together_figure(facts, NO_BIT, LIGHT)
    (many,) = go.Figure(figure.to_dict()).data
    assert many.text is None and many.showscale
    assert len(figure.to_json()) < 150_000
    assert (
        len(
            accuracy_figure(
                machines(np.full(n, 0.9), np.full(n, 0.5), errors), Bar("bit", (3,)), LIGHT
            ).to_json()
        )
        < 40_000
    )


def test_many_machines_are_drawn_as_a_distribution():
    rng = np.random.default_rng(0)
    accuracies = np.append(rng.uniform(0.81, 1.0, 323), [1.0, np.nan])
    baselines = np.full(325, 0.9)
    facts = machines(accuracies, baselines, np.zeros(325))
    figure = accuracy_figure(facts, Bar("bit", (3,)), LIGHT)
    assert len(go.Figure(figure.to_dict()).data) == 2  # plotly accepts every value
    better, others = figure.data
    n_better = int((accuracies > baselines).sum())
    assert (better.y.sum(), others.y.sum()) == (n_better, 324 - n_better)
    assert len(better.x) <= 25 and better.customdata[-1] == "99 to 100 %"
    assert better.y[-1] == ((accuracies >= 0.99) & (accuracies > 0.9)).sum()
    assert figure.layout.showlegend


def test_nothing_rounded_is_less_than_zero_and_what_does_not_exist_is_a_dash():
    phi = np.array([[1.0, -0.001, np.nan], [-0.001, 1.0, 0.2], [np.nan, 0.2, 1.0]])
    figure = together_figure(related(phi, np.zeros((3, 3), dtype=int)), NO_BIT, LIGHT)
    heat, cells = figure.data
    assert list(heat.text[0]) == ["", "0.00", "–"]
    assert not np.signbit(heat.z[0, 1]) and np.isnan(heat.z[0, 2])
    assert {tuple(each[:2]): each[2] for each in cells.customdata}[0, 2] == "none"
