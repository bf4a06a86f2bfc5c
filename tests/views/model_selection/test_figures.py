"""The model-selection figures and the sentences under them."""

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.data.writers import write_csv
from ecocviz.views.model_selection import words as says
from ecocviz.views.model_selection.figures import (
    Curve,
    PointMargins,
    curves_figure,
    curves_table,
    enlarged_top,
    margins_figure,
    margins_table,
    power_text,
)
from ecocviz.views.shared.draw.build import thinned
from ecocviz.views.shared.draw.theme import DARK, LIGHT

GRID = (0.25, 0.5, 1.0, 2.0)


def curve(measure, n_wrong, *, decoder="Hamming", n=50, status=None, seconds=0.1):
    return Curve(
        decoder=decoder, measure=measure, grid=GRID, n_wrong=n_wrong, n=n, seconds=seconds, status=status
    )


@given(st.lists(st.one_of(st.none(), st.integers(0, 50)), min_size=4, max_size=4).filter(any))
def test_the_minimum_is_the_first_of_the_least_errors(n_wrong):
    found = curve("test", tuple(n_wrong))
    best = None
    for k, errors in enumerate(n_wrong):
        if errors is not None and (best is None or errors < n_wrong[best]):
            best = k
    assert found.minimum == best
    assert found.least == n_wrong[best]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_curve_is_drawn_with_its_minimum_ringed(theme):
    curves = [curve("test", (9, 7, None, 8), decoder=decoder) for decoder in ("Hamming", "<b>Linear</b>")] + [
        curve("bound", (20, 19, 25, 30), status="theorem")
    ]
    figure = curves_figure(curves, "γ", 0.5, theme)
    lines = [trace for trace in figure.data if trace.mode == "lines+markers"]
    rings = [trace for trace in figure.data if trace.mode == "markers"]
    assert go.Figure(figure.to_dict()).layout.yaxis2.matches == "y"  # plotly accepts every value
    assert [trace.name for trace in lines] == ["Test error", "Test error", "Leave-one-out bound"]
    assert lines[0].y == (18.0, 14.0, None, 16.0)
    assert [(ring.x, ring.y) for ring in rings] == [((0.5,), (14.0,)), ((0.5,), (14.0,)), ((0.5,), (38.0,))]
    # Two panels, one entry a measure in the legend, users' texts as text.
    assert {trace.xaxis for trace in lines} == {"x", "x2"}
    assert [trace.showlegend for trace in lines] == [True, False, True]
    assert any("&lt;b&gt;" in note.text for note in figure.layout.annotations)
    assert figure.layout.xaxis.type == "log"
    assert len({trace.line.color for trace in lines}) == 2
    assert len({trace.marker.symbol for trace in lines}) == 2


def test_the_scenario_s_value_is_marked_within_the_grid_only():
    shown = [curve("test", (9, 7, 6, 8))]
    assert len(curves_figure(shown, "γ", 0.5, LIGHT).layout.shapes) == 1
    assert not curves_figure(shown, "γ", 64.0, LIGHT).layout.shapes
    assert not curves_figure(shown, "γ", None, LIGHT).layout.shapes


def test_low_errors_enlarged_fit_the_errors_and_not_a_far_bound():
    near, far = curve("bound", (9, 8, 7, 9)), curve("bound", (50, 50, 49, 50))
    test = curve("test", (2, 5, 3, 4))
    assert enlarged_top([test, far]) == pytest.approx(1.15 * 10)
    assert enlarged_top([test, near]) == pytest.approx(1.15 * 14)
    figure = curves_figure([test, far], "γ", None, LIGHT, enlarged=True)
    assert figure.layout.yaxis.range == (0, pytest.approx(11.5))


def test_the_tables_hold_every_number():
    frame = curves_table(
        [curve("test", (9, None, 6, 8)), curve("bound", (20, 19, 25, 30), status="theorem")], "gamma"
    )
    assert frame["gamma"].tolist() == [0.25, 1.0, 2.0, *GRID]
    assert frame["errors"].tolist() == [9, 6, 8, 20, 19, 25, 30]
    assert set(frame["status"]) == {"", "theorem"}
    assert write_csv(frame).count("\r\n") == 8


def points(n=6):
    rng = np.random.default_rng(0)
    after = rng.normal(size=n)
    return PointMargins(
        rows=np.arange(n) + 10,
        truth=np.arange(n) % 2,
        before=after + rng.random(n),
        before_name="Margin as trained",
        after=after,
        after_name="Least margin the bound allows",
        flagged=after <= 0,
    )


@pytest.mark.parametrize("n", [6, 2_000])
def test_flagged_points_are_outlined(n):
    margins = points(n)
    figure = margins_figure(margins, ["=a", "<i>b</i>"], 3, LIGHT)
    assert len(go.Figure(figure.to_dict()).data) == 2  # plotly accepts every value
    assert [trace.name for trace in figure.data] == ["=a", "&lt;i&gt;b&lt;/i&gt;"]
    drawn = 0
    for c, trace in enumerate(figure.data):
        of = np.flatnonzero(margins.truth == c)
        np.testing.assert_allclose(trace.y, margins.after[of], atol=1e-4)
        outlined = [colour == LIGHT.ink for colour in trace.marker.line.color]
        assert outlined == margins.flagged[of].tolist()
        assert [row for _, row in trace.customdata] == margins.rows[of].tolist()
        drawn += len(trace.x)
    assert drawn == n
    frame = margins_table(margins, ["=a", "b"])
    assert frame["row"].tolist() == margins.rows[np.argsort(margins.after)].tolist()
    assert "'=a" in write_csv(frame)


def test_many_points_are_thinned_and_the_picked_one_is_kept():
    drawn = thinned(100_000, keep=54_321)
    assert drawn.size <= 4_001 and 54_321 in drawn and drawn[0] == 0 and drawn[-1] == 99_999


def test_words_for_powers():
    assert [power_text(v) for v in (2.0**-5, 0.5, 1.0, 2.0, 32.0, 0.3)] == [
        "2⁻⁵",
        "2⁻¹",
        "1",
        "2",
        "2⁵",
        "0.3",
    ]


def test_minima_count_what_choosing_them_costs():
    curves = [
        curve("test", (9, 7, 6, 8)),
        curve("bound", (20, 19, 25, 30), n=80, status="theorem"),
        curve("test", (1, 1, 1, 1), decoder="Linear"),
    ]
    found = says.minima(curves, "Hamming")
    assert [(m.curve.measure, m.value, m.n_test_wrong, m.more) for m in found] == [
        ("test", 1.0, 6, 0),
        ("bound", 0.5, 7, 1),
    ]
    assert says.choice_sentence(found, "γ") == (
        "Choosing γ by the leave-one-out bound (2⁻¹) gives 14.0 % (7 of 50) test errors, "
        "1 more than the best (1)."
    )
    assert says.other_choices_sentence(found) == ""


def test_without_test_points_no_cost_is_claimed():
    found = says.minima([curve("bound", (3, 2, 1, 4)), curve("train", (0, 0, 0, 0))], "Hamming")
    assert all(m.more is None and m.n_test == 0 for m in found)
    assert says.choice_sentence(found, "C") == says.NO_TEST
    assert says.choice_sentence((), "C") == ""


def test_the_training_error_chooses_only_for_want_of_others():
    found = says.minima([curve("test", (4, 3, 2, 2)), curve("train", (3, 2, 1, 0))], "Hamming")
    assert "by the training error (2) gives 4.0 % (2 of 50) test errors, as few as" in says.choice_sentence(
        found, "C"
    )


def test_several_decoders_are_compared_by_counting():
    sentence = says.decoders_sentence(
        [
            curve("test", (9, 7, 6, 8)),
            curve("test", (8, 7, 7, 7), decoder="Linear"),
            curve("test", (9, 9, 9, None), decoder="KL"),
        ]
    )
    assert sentence == (
        "Hamming decoding has the fewest test errors at 2 of 3 values; "
        "at its best it makes 1 fewer than Linear and 3 fewer than KL."
    )
    assert says.decoders_sentence([curve("test", (9, 7, 6, 8))]) == ""


@pytest.mark.parametrize(
    ("curves", "refused", "word"),
    [
        ([curve("bound", (1, 1, 1, 1), status="theorem")], (), "theorem"),
        ([curve("bound", (1, 1, 1, 1), status="estimate")], (), "estimate"),
        (
            [curve("test", (1, 1, 1, 1))],
            ("It needs kernel machines.",),
            "not available. It needs kernel machines.",
        ),
    ],
)
def test_the_status_of_the_bound_is_said(curves, refused, word):
    assert word in says.status_sentence(curves, refused)


def test_the_bound_is_compared_with_what_it_bounds():
    exact = curve("exact", (9, 7, 6, 8), seconds=0.2)
    assert says.tightness_sentence([curve("bound", (9, 7, 6, 8)), exact], "Hamming") == (
        "The bound counts exactly the leave-one-out errors, at 1/2 of its time."
    )
    assert "1 to 4 points more" in says.tightness_sentence([curve("bound", (10, 8, 8, 12)), exact], "Hamming")
    assert says.tightness_sentence([exact], "Hamming") == ""


def test_flags_in_words():
    assert says.flags_sentence(0, 40, 0, 0.2) == "No point of 40 is flagged: every margin stays above zero."
