"""The maps: what is drawn is what was measured."""

import numpy as np
import plotly.graph_objects as go
import pytest
from curves_tools import SCENARIO, error_map, map_facts

from ecocviz.lab.selection import Selection
from ecocviz.views.model_selection.figures_maps import WRITTEN, colour_ends, map_figure
from ecocviz.views.model_selection.maps import map_grid, map_plan
from ecocviz.views.shared.draw.theme import DARK, LIGHT, contrast

BOUND = error_map("bound", (50, 40, 45, None, 30, 35))
HELD = error_map("cross-validation", (10, 12, 6, 5, 20, 25))
TEST = error_map("test", (8, 8, 3, 4, 9, 10), n=40)


def drawn(shown, *, theme=LIGHT, **facts):
    return map_figure(map_facts(BOUND, HELD, TEST, **facts), shown, theme)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_cells_hold_the_errors_and_two_of_them_are_framed(theme):
    figure = drawn(BOUND, theme=theme, now=(1.0, 0.5))
    assert go.Figure(figure.to_dict()).layout.height == figure.layout.height  # plotly accepts every value
    heat, cells = figure.data
    # C upwards, gamma across; what is not measured yet is empty.
    assert [list(row) for row in heat.text] == [["100", "90.0", "60.0"], ["80.0", "", "70.0"]]
    assert np.isnan(heat.z[1][1]) and np.isfinite(np.delete(np.ravel(heat.z), 4)).all()
    assert [(x, y) for x, y in zip(cells.x, cells.y, strict=True)] == [(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)]
    assert [k for k, _ in cells.customdata] == [0, 1, 2, 4, 5]
    assert cells.text[1] == "γ = 0.25, C = 8"
    assert cells.customdata[1][1] == "80.0 % (40 of 50)"
    least, own = figure.layout.shapes
    assert (least.x0, least.x1, least.y0, least.y1) == (1.5, 2.5, -0.5, 0.5) and least.line.dash == "solid"
    assert 0.5 < own.x0 < 1 < own.x1 < 1.5 and -0.5 < own.y0 < 0 < own.y1 < 0.5
    assert own.line.dash != "solid"


def test_without_a_place_of_its_own_only_the_least_is_framed():
    assert len(drawn(TEST).layout.shapes) == 1
    assert len(drawn(TEST, now=(1.0, 1e4)).layout.shapes) == 1


def test_numbers_at_the_axes_are_plain_and_factors_have_equal_room():
    figure = drawn(TEST)
    assert list(figure.layout.xaxis.ticktext) == ["0.25", "1", "4"]
    assert list(figure.layout.xaxis.tickvals) == [0, 1, 2]
    assert list(figure.layout.yaxis.ticktext) == ["0.5", "8"]
    assert figure.layout.xaxis.title.text == "γ" and figure.layout.yaxis.title.text == "C"
    selection = Selection((("mapgrid", "-14,0,0,14,15"),))
    plan = map_plan(SCENARIO, selection, map_grid(SCENARIO, selection))
    many = error_map("test", tuple(range(225)), n=300, plan=plan)
    axes = map_figure(map_facts(many, plan=plan), many, LIGHT).layout
    assert axes.xaxis.ticktext[0] == "0.000061" and axes.yaxis.ticktext[-1] == "16,384"
    assert len(axes.xaxis.ticktext) <= 7 and len(axes.yaxis.ticktext) == 15


def test_large_type_has_fewer_and_shorter_numbers():
    plan = map_plan(SCENARIO, Selection(), map_grid(SCENARIO, Selection()))
    some = error_map("test", tuple(range(49)), n=49, plan=plan)
    usual, brief = (
        map_figure(map_facts(some, plan=plan), some, LIGHT, brief=large) for large in (False, True)
    )
    assert len(usual.layout.xaxis.ticktext) == 7 and len(brief.layout.xaxis.ticktext) == 4
    assert list(usual.data[0].text[0][1:3]) == ["14.3", "28.6"]
    assert list(brief.data[0].text[0][:3]) == ["0.0", "14", "29"]


def test_errors_share_a_scale_of_colours_and_the_bound_has_its_own():
    facts = map_facts(BOUND, HELD, TEST)
    assert colour_ends(facts, HELD) == colour_ends(facts, TEST) == (7.5, 50.0)
    assert colour_ends(facts, BOUND) == (60.0, 100.0)
    held, test = (map_figure(facts, one, LIGHT).data[0] for one in (HELD, TEST))
    assert held.zmax == test.zmax == pytest.approx(42.5**0.5)
    # As many errors have the same colour on both, and more a stronger one.
    assert np.argsort(np.ravel(held.z)).tolist() == np.argsort(np.ravel([(10, 6, 20), (12, 5, 25)])).tolist()
    assert test.z[0][0] == pytest.approx(held.z[0][0])  # 8 of 40 and 10 of 50
    flat = error_map("test", (0,) * 6)
    assert (map_figure(map_facts(flat), flat, LIGHT).data[0].z == 0).all()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_numbers_can_be_read_on_every_colour(theme):
    scale = drawn(TEST, theme=theme).data[0].colorscale
    assert min(contrast(colour, theme.ink) for _, colour in scale) >= 4.5


def test_many_values_have_a_colour_bar_in_percent_in_place_of_numbers():
    selection = Selection((("mapgrid", f"-4,8,-4,8,{WRITTEN + 1}"),))
    plan = map_plan(SCENARIO, selection, map_grid(SCENARIO, selection))
    many = error_map("test", tuple(range(100)), n=100, plan=plan)
    heat = map_figure(map_facts(many, plan=plan), many, LIGHT).data[0]
    assert heat.showscale and heat.text is None
    assert list(heat.colorbar.ticktext) == ["0 %", "11 %", "44 %", "99 %"]
    assert list(np.square(heat.colorbar.tickvals)) == pytest.approx([0, 11, 44, 99])
    assert not drawn(TEST).data[0].showscale
