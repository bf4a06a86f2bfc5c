"""Every kind of drawing as a figure or a table: places, names, whose numbers, and what a click tells."""

import dataclasses

import plotly.graph_objects as go
import pytest
from papers_tools import cells, drawings, scenario

from ecocviz.lab.evidence.drawings import Heatmap, Line, Opens, Panel, Panels, Point, Ranks, Table
from ecocviz.lab.evidence.entries import Measured, Setting
from ecocviz.views.papers.facts import opens_at, places
from ecocviz.views.papers.figures import drawing_figure, panels_figure
from ecocviz.views.papers.figures_tables import alt_of, best_cells, data_table, number_at, shown_table, tinted
from ecocviz.views.shared.draw.theme import DARK, LIGHT

HOSTILE = '<img src=x onerror="alert(1)">'


PANELS, TABLE, RANKS, HEATMAP = drawings(
    [Measured(cell, {"square": cell.about["k"] ** 2}) for cell in cells(Setting.QUICK)]
)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("drawing", [PANELS, RANKS, HEATMAP], ids=["panels", "ranks", "heatmap"])
def test_every_kind_is_a_figure_that_plotly_takes(drawing, theme):
    figure = drawing_figure(drawing, theme)
    go.Figure(figure.to_dict())
    assert figure.layout["height"] > 0 and alt_of(drawing).startswith(drawing.title)


def test_a_click_on_any_point_tells_what_the_point_opens():
    figure = panels_figure(PANELS, LIGHT)
    numbers = [row[0] for trace in figure.data for row in trace["customdata"]]
    assert sorted(numbers) == list(range(len(list(places(PANELS)))))
    opened = {}
    for trace in figure.data:
        for x, (number, _) in zip(trace["x"], trace["customdata"], strict=True):
            opened[trace["name"], trace["type"], x] = opens_at(PANELS, number)
    for k in range(4):
        assert opened["Squares", "scatter", float(k)] == Opens(scenario(k))
        assert opened["Squares", "bar", f"set {k}"].page == "bits"
        assert opened["Squares (the paper)", "scatter", float(k)] is None
    assert opens_at(PANELS, 99) is None and opens_at(PANELS, -1) is None


def test_every_cell_and_every_method_can_be_clicked():
    cells = drawing_figure(HEATMAP, LIGHT).data[1]
    numbers = [number for number, _ in cells["customdata"]]
    assert list(zip(cells["x"], cells["y"], numbers, strict=True)) == [
        ("c", "a", 0),
        ("d", "a", 1),
        ("d", "b", 3),  # a cell without a value cannot
    ]
    assert cells["marker"]["opacity"] == 0
    own = dataclasses.replace(HEATMAP, cells=((None, HEATMAP.opens),) * 2)
    assert [opens_at(own, k) for k in range(4)] == [None, HEATMAP.opens] * 2
    (*_, methods) = drawing_figure(RANKS, LIGHT).data
    told = dict(zip(methods["x"], methods["customdata"], strict=True))
    for k, (name, rank) in enumerate(zip(RANKS.names, RANKS.ranks, strict=True)):
        number, words = told[rank]
        assert number == k and words.startswith(f"{name}<br>average rank {rank:.2f}")
        assert ("click opens" in words) == (RANKS.opens[k] is not None)


def test_theirs_are_dashed_and_hollow_in_the_colour_of_ours_and_lie_below():
    theirs, ours, bars = panels_figure(PANELS, LIGHT).data
    assert (theirs["line"]["dash"], ours["line"]["dash"]) == ("dash", "solid")
    assert theirs["marker"]["symbol"] == f"{ours['marker']['symbol']}-open"
    assert theirs["line"]["color"] == ours["line"]["color"] == bars["marker"]["color"]
    assert ours["legendrank"] < theirs["legendrank"]
    assert [*ours["error_y"]["array"], *ours["error_y"]["arrayminus"]] == [0.5] * 8
    assert "error_y" not in theirs.to_plotly_json() and "8.5 to 9.5" in ours["customdata"][3][1]


def test_a_name_is_in_the_legend_once_however_many_panels_have_it():
    lines = (Line("a", (Point(1.0, 1.0),)), Line("b", (Point(1.0, 2.0),)))
    panel = Panel(title=HOSTILE, x="γ", y="%", lines=lines, log_x=True)
    figure = panels_figure(Panels(title="", panels=(panel,) * 7), LIGHT)
    assert [trace["name"] for trace in figure.data if trace["showlegend"]] == ["a", "b"]
    axes = {(trace["xaxis"], trace["yaxis"]) for trace in figure.data}
    assert len(axes) == 7
    layout = figure.to_dict()["layout"]
    titles = [layout[f"xaxis{k or ''}"]["title"]["text"] for k in (0, 2, 3, 4, 5, 6, 7)]
    assert titles == ["", "", "", "", "γ", "γ", "γ"]  # of the panels with none below them
    tops = [layout[f"yaxis{k or ''}"]["domain"] for k in (0, 4, 7)]
    assert tops[0][0] > tops[1][1] > tops[1][0] > tops[2][1] > tops[2][0] >= 0
    assert "<img" not in str(layout["annotations"])


def test_axes_are_of_words_of_numbers_or_logarithmic():
    wide = tuple(Point(10.0**k, 10.0**k) for k in range(5))
    logs = Panel(title="", x="x", y="y", lines=(Line("a", wide),), log_x=True, log_y=True)
    layout = panels_figure(Panels(title="", panels=(logs, PANELS.panels[1])), LIGHT).to_dict()["layout"]
    assert [layout[name]["type"] for name in ("xaxis", "yaxis", "xaxis2", "yaxis2")] == [
        "log", "log", "category", "linear",
    ]  # fmt: skip
    assert layout["xaxis"]["dtick"] == 1 and layout["xaxis2"]["title"]["text"] == "set"


def test_a_table_has_ours_and_theirs_and_a_place_is_found_by_row_and_column():
    shown = shown_table(TABLE)
    assert list(shown.columns) == ["set", "square", "name"]
    assert shown.iloc[3].tolist() == ["set 3", "9.0 (9.5)", "word"]
    assert best_cells(TABLE) == [(0, 1)]
    assert "background-color: #123456" in tinted(shown, {(0, 1)}, "#123456").to_html()
    for row in range(4):
        assert number_at(TABLE, row, 0) is None
        opened = opens_at(TABLE, number_at(TABLE, row, 1))
        assert opened.scenario.machine.values["gamma"] == 2.0**row
        assert opens_at(TABLE, number_at(TABLE, row, 2)) is None


def test_columns_of_one_name_are_told_apart():
    table = Table(title="t", columns=("", "error", "error"), rows=())
    assert list(shown_table(table).columns) == ["", "error", "error (2)"]


def test_the_file_has_every_number_and_says_whose_they_are():
    assert [len(data_table(drawing)) for drawing in (PANELS, TABLE, RANKS, HEATMAP)] == [12, 8, 3, 4]
    numbers = data_table(PANELS)
    assert numbers["whose"].value_counts().to_dict() == {"ours": 8, "the paper": 4}
    assert data_table(TABLE)[["ours", "the paper"]].iloc[6].tolist() == [9, 9.5]


def test_methods_stand_in_the_order_of_their_ranks_and_a_heatmap_in_its_own():
    assert "A 1.25, B 1.75, C 3.00" in alt_of(RANKS)
    trace = drawing_figure(HEATMAP, LIGHT).data[0]
    assert (trace["zmin"], trace["zmax"], list(trace["z"])) == (-1.0, 1.0, [[0.5, -0.5], [None, 1.0]])
    many = Heatmap(title="", rows=("a",) * 13, columns=("b",) * 13, values=((0.0,) * 13,) * 13, low=0, high=1)
    assert "texttemplate" in trace.to_plotly_json()
    assert "texttemplate" not in drawing_figure(many, LIGHT).data[0].to_plotly_json()


def test_names_from_outside_are_shown_letter_by_letter():
    ranks = Ranks(title="", names=(HOSTILE, "b"), ranks=(1.0, 2.0), critical_difference=0.5, n_sets=3)
    pairs = Heatmap(title="", rows=(HOSTILE,), columns=(HOSTILE,), values=((0.0,),), low=0, high=1)
    line = Line(HOSTILE, (Point(HOSTILE, 1.0, note=HOSTILE),))
    panels = Panels(title="", panels=(Panel(title=HOSTILE, x=HOSTILE, y=HOSTILE, lines=(line,), bars=True),))
    for drawing in (ranks, pairs, panels):
        assert "<img" not in str(drawing_figure(drawing, LIGHT).to_dict())


def bars(*names):
    line = Line("a", tuple(Point(name, 1.0) for name in names))
    return Panels(title="", panels=(Panel(title="", x="", y="", lines=(line,), bars=True),))


def test_words_of_an_axis_stand_on_lines_or_upright_where_there_is_no_room():
    few = panels_figure(bars("nested dichotomies of all classes", "BCH"), LIGHT).to_dict()["layout"]
    assert (few["xaxis"]["tickangle"], few["xaxis"]["ticktext"][1]) == (0, "BCH")
    six = panels_figure(bars(*(f"a rather long name {k}" for k in range(6))), LIGHT).to_dict()["layout"]
    assert (six["xaxis"]["tickangle"], six["xaxis"]["ticktext"][0]) == (0, "a rather long<br>name 0")
    many = panels_figure(bars(*(f"a rather long name {k}" for k in range(30))), LIGHT).to_dict()["layout"]
    assert (many["xaxis"]["tickangle"], many["xaxis"]["ticktext"][3]) == (-90, "a rather long name 3")
    assert few["height"] < six["height"] < many["height"]


# Beside each other -----------------------------------------------------------------------------------


def beside(*heights, bars=False, log_y=False, names=("error", "error")):
    """Return the ranges of two panels that reach from one height to another."""
    panels = tuple(
        Panel(title="", x="x", y=name, bars=bars, log_y=log_y, lines=(
            Line("a", tuple(Point(float(k), y) for k, y in enumerate(ends))),
        ))
        for ends, name in zip(heights, names, strict=True)
    )  # fmt: skip
    layout = panels_figure(Panels(title="Two", panels=panels), LIGHT).layout
    ranges = [layout[axis]["range"] for axis in ("yaxis", "yaxis2")]
    return [None if each is None else list(each) for each in ranges]


def test_panels_of_the_same_measure_have_one_range_unless_one_would_be_squeezed():
    assert beside((10.0, 30.0), (20.0, 60.0)) == [pytest.approx([7.0, 63.0])] * 2
    assert beside((0.0, 30.0), (20.0, 60.0))[0][0] == 0.0
    assert beside((10.0, 11.0), (20.0, 60.0)) == [None, None]
    assert beside((0.5, 30.0), (20.0, 60.0), log_y=True) == [None, None]
    assert beside((10.0, 30.0), (20.0, 60.0), names=("error", "seconds")) == [None, None]
    # Bars stand on 0, so that they fill their range from there.
    assert beside((10.0, 30.0), (20.0, 60.0), bars=True) == [pytest.approx([0.0, 63.6])] * 2
    assert beside((5.0, 5.0), (5.0, 5.0)) == [None, None]


def test_a_tint_is_made_in_one_go_and_only_where_it_belongs(monkeypatch):
    def refuse(*_):
        raise AssertionError("a place is written into a frame")

    monkeypatch.setattr("pandas.core.indexing._LocationIndexer.__setitem__", refuse)
    shown = shown_table(TABLE)
    styles = tinted(shown, {(0, 1), (1, 2)}, "#123456")._compute().ctx
    assert {place for place, style in styles.items() if style} == {(0, 1), (1, 2)}
    assert {tuple(style) for style in dict(styles).values()} <= {(("background-color", "#123456"),), ()}
