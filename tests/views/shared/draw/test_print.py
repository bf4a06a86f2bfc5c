"""Figures for print: beyond what is asked of every figure (tests/views/conftest.py), what is hard to draw."""

import ast
import io
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from print_tools import SVG, assert_known, assert_saved, parsed

from ecocviz.data.writers import write_csv
from ecocviz.lab.plane import Plane
from ecocviz.lab.regions import Points, Regions
from ecocviz.lab.scenario import choose
from ecocviz.views.shared.draw.build import build_figure, line_across
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.plane import Look, plane_figure
from ecocviz.views.shared.draw.print import print_figure
from ecocviz.views.shared.draw.print_table import figure_table
from ecocviz.views.shared.draw.theme import LIGHT

HOSTILE = ['<script>alert("1")</script>', "=1+1", "a & b", "$\\alpha$", "]]>", "γ ≤ φ", "<b>bold</b>"]


def bars(names, **layout):
    trace = {"type": "bar", "x": list(range(len(names))), "y": [3] * len(names), "name": "of all"}
    axis = {"tickvals": list(range(len(names))), "ticktext": [literal(name) for name in names]}
    return build_figure([trace], {"height": 300, "xaxis": axis, "showlegend": True, **layout}, LIGHT)


def texts(figure, width=17.0):
    """The texts of the saved picture, word by word as a reader sees them."""
    root = parsed(print_figure(figure, "svg", width))
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def painted(figure, colour):
    """How many dots of a colour the picture has."""
    with Image.open(io.BytesIO(print_figure(figure, "png", 8.5))) as picture:
        rgb = np.asarray(picture.convert("RGB"))
    wanted = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
    return int((rgb == wanted).all(axis=2).sum())


def test_text_from_outside_is_text():
    figure = bars(HOSTILE)
    assert_saved(figure)
    assert set(HOSTILE) <= set(texts(figure))
    scatter = build_figure(
        [
            {
                "type": "scatter",
                "mode": "markers",
                "x": HOSTILE,
                "y": [1] * len(HOSTILE),
                "name": literal("=2"),
            }
        ],
        {"height": 300, "showlegend": True},
        LIGHT,
    )
    lines = write_csv(figure_table(scatter)).splitlines()
    assert any(line.startswith("'=2,'=1+1,") for line in lines)


def test_names_that_would_run_into_each_other_are_turned():
    names = [f"a class with a long name {k}" for k in range(12)]
    assert_saved(bars(names))
    short = print_figure(bars(["a", "b"]), "svg", 8.5)
    long = print_figure(bars(names), "svg", 8.5)
    assert b"rotate(-90)" not in short.replace(b" ", b"")
    assert long.count(b"rotate(-90") >= 12
    assert float(parsed(long).get("height")[:-2]) > float(parsed(short).get("height")[:-2]) + 50


def test_a_legend_that_does_not_fit_goes_into_more_rows_and_the_picture_grows():
    traces = [
        {"type": "scatter", "x": [0, 1], "y": [k, k], "name": f"a decoder of some kind, number {k}"}
        for k in range(8)
    ]
    figure = build_figure(traces, {"height": 300}, LIGHT)
    assert_saved(figure)
    column, page = (parsed(print_figure(figure, "svg", width)) for width in (8.5, 17.0))
    assert float(column.get("height")[:-2]) > float(page.get("height")[:-2])


@pytest.mark.parametrize("mode", ["stack", "group", "overlay"])
def test_bars_stand_where_plotly_puts_them(mode):
    traces = [
        {"type": "bar", "x": [0, 1], "y": [2, 2], "marker": {"color": colour}}
        for colour in ("#ff0000", "#0000ff")
    ]
    layout = {"height": 300, "barmode": mode, "yaxis": {"range": [0, 4], "showgrid": False}}
    red, blue = (painted(build_figure(traces, layout, LIGHT), colour) for colour in ("#ff0000", "#0000ff"))
    if mode == "overlay":
        assert red == 0 < blue
    else:
        assert red == pytest.approx(blue, rel=0.05)
        single = painted(build_figure(traces[:1], layout, LIGHT), "#ff0000")
        assert red == pytest.approx(single if mode == "stack" else single / 2, rel=0.05)


def test_shapes_notes_log_axes_and_reversed_axes_lie_where_they_belong():
    points = {
        "type": "scatter",
        "mode": "markers",
        "x": [0.01, 100],
        "y": [1, 3],
        "marker": {"color": "#ff0000"},
    }
    layout = {
        "height": 300,
        "xaxis": {"type": "log", "range": [-3, 3], "exponentformat": "power"},
        "yaxis": {"range": [4, 0]},
        "shapes": [line_across("#00ff00", x=1.0, width=3)],
        "annotations": [
            {"x": 0, "y": 1, "xref": "x domain", "yref": "y domain", "text": "<b>top</b><br>left"}
        ],
    }  # fmt: skip
    figure = build_figure([points], layout, LIGHT)
    assert_saved(figure)
    assert {"10⁻²", "10⁰", "10²"} <= set(texts(figure))
    with Image.open(io.BytesIO(print_figure(figure, "png", 17.0))) as picture:
        rgb = np.asarray(picture.convert("RGB")).astype(int)
    red = np.argwhere((rgb[..., 0] > 200) & (rgb[..., 1] < 50) & (rgb[..., 2] < 50))
    green = np.argwhere((rgb[..., 1] > 200) & (rgb[..., 0] < 50))
    left, right = red[red[:, 1] < green[:, 1].min()], red[red[:, 1] > green[:, 1].max()]
    assert left[:, 0].max() < right[:, 0].min()  # the axis runs downwards: 1 lies above 3
    middle = (left[:, 1].mean() + right[:, 1].mean()) / 2
    assert abs(middle - green[:, 1].mean()) < 6  # 1 is half way between 0.01 and 100


def test_intervals_reach_as_far_as_they_are_long():
    trace = {
        "type": "scatter", "mode": "markers", "x": [0, 1], "y": [1, 5],
        "error_y": {"type": "data", "array": [1, 2], "arrayminus": [0.5, 0.25], "color": "#00ff00"},
    }  # fmt: skip
    figure = build_figure([trace], {"height": 300}, LIGHT)
    assert_saved(figure)
    assert painted(figure, "#00ff00") > 100
    table = figure_table(figure)
    assert table["y up by"].tolist() == [1, 2] and table["y down by"].tolist() == [0.5, 0.25]


def test_an_unknown_kind_of_trace_is_refused_in_words():
    figure = build_figure([{"type": "pie", "values": [1]}], {"height": 300}, LIGHT)
    with pytest.raises(ValueError, match="A figure with pie cannot be saved for print"):
        print_figure(figure, "svg", 8.5)


def test_the_same_figure_gives_the_same_file_also_from_several_threads():
    figure = bars(["a", "b"])
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda kind: print_figure(figure, kind, 8.5), ["svg", "pdf", "png"] * 3))
    assert len(set(made)) == 3


def test_nothing_is_loaded_until_a_figure_is_saved():
    code = "import sys; import ecocviz.views.shared.app.charts; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_what_stands_on_the_paper_stands_at_its_panel():
    titles = [
        {
            "text": name,
            "x": x,
            "y": 1,
            "xref": "paper",
            "yref": "paper",
            "xanchor": "center",
            "yanchor": "bottom",
        }
        for name, x in (("first", 0.2), ("second", 0.8))
    ]
    traces = [
        {"type": "scatter", "x": [0, 1], "y": [0, 1], "xaxis": f"x{k}", "yaxis": f"y{k}"} for k in ("", 2)
    ]
    layout = {
        "height": 300, "annotations": titles,
        "xaxis": {"domain": [0, 0.4], "anchor": "y"}, "xaxis2": {"domain": [0.6, 1], "anchor": "y2"},
        "yaxis": {"anchor": "x"}, "yaxis2": {"anchor": "x2"},
    }  # fmt: skip
    figure = build_figure(traces, layout, LIGHT)
    assert_saved(figure)
    root = parsed(print_figure(figure, "svg", 17.0))
    found = {"".join(text.itertext()): float(text.get("x")) for text in root.iter(f"{SVG}text")}
    width = 17.0 / 2.54 * 72
    assert found["first"] < width / 3 and found["second"] > width / 2


def test_files_stay_small_with_many_classes_and_points():
    rng, n, n_classes, n_points = np.random.default_rng(0), 150, 26, 2_000
    plane = Plane("0,1", ("length", "width"), np.zeros(2), np.eye(2), (0.0, 1.0), (0.0, 1.0))
    labels = rng.integers(0, n_classes, (10, 10)).repeat(15, 0).repeat(15, 1).ravel().astype(np.uint8)
    sure = np.rint(np.hypot(*np.indices((n, n)) % 15) * 3).astype(np.uint8).ravel()
    decoders = (choose("decoding", "hamming"),)
    regions = Regions(plane, decoders, n, 0, np.zeros((0, 0), np.uint8), labels[None], sure[None])
    truth = rng.integers(0, n_classes, n_points)
    points = Points(rng.uniform(0, 1, (n_points, 2)), truth, truth > 3, truth[None], truth)
    names = [f"class {c}" for c in range(n_classes)]
    figure = plane_figure(regions, points, Look(0), classes=names, title="", width=17.0, theme=LIGHT)
    for kind in ("svg", "pdf"):
        assert len(print_figure(figure, kind, 17.0)) < 2_000_000


def test_a_figure_is_as_wide_as_a_page_too():
    assert_saved(bars(["a", "b"]), 17.0)


def test_a_kind_of_shape_that_is_unknown_is_refused_in_words():
    shape = {"type": "circle", "x0": 0, "x1": 1, "y0": 0, "y1": 1}
    with pytest.raises(ValueError, match="A figure with circle cannot be saved for print"):
        print_figure(bars(["a"], shapes=[shape]), "svg", 8.5)


def test_the_legend_is_in_the_order_of_its_ranks():
    ranks = [3, 1, 2]
    traces = [
        {"type": "scatter", "x": [0, 1], "y": [k, k], "name": f"ranked {rank}", "legendrank": rank}
        for k, rank in enumerate(ranks)
    ]
    found = [text for text in texts(build_figure(traces, {"height": 300}, LIGHT)) if "ranked" in text]
    assert found == ["ranked 1", "ranked 2", "ranked 3"]


def test_ticks_start_where_they_are_told_to():
    axis = {"range": [0, 10], "tick0": 1, "dtick": 4}
    assert {"1", "5", "9"} <= set(texts(bars(["a"], yaxis=axis)))


@pytest.mark.parametrize(
    ("trace", "layout", "told"),
    [
        ({"type": "violin"}, {}, "A trace of kind violin"),
        ({"type": "scatter", "stackgroup": "a"}, {}, "scatter.stackgroup is new"),
        ({"type": "scatter"}, {"xaxis": {"type": "date"}}, "axis.type = date"),
        ({"type": "scatter"}, {"xaxis2": {"overlaying": "x"}}, "axis.overlaying is new"),
        ({"type": "scatter"}, {"images": [{}]}, "layout.images is new"),
        ({"type": "scatter"}, {"annotations": [{"textangle": 90}]}, "annotations.textangle is new"),
    ],
)
def test_what_print_has_never_heard_of_is_found_by_the_tests_of_figures(trace, layout, told):
    with pytest.raises(AssertionError, match=told):
        assert_known({"data": [trace], "layout": layout})


def test_every_function_that_makes_a_figure_is_tried_by_a_test_that_saves_it(root):
    views = root / "ecocviz" / "views"
    saving = [
        *(root / "tests" / "views").rglob("test_figures*.py"),
        Path(__file__).with_name("test_ranks.py"),
    ]
    tried = "".join(file.read_text("utf-8") for file in saving)
    drawing = [*views.rglob("figures*.py"), *(views / "shared" / "draw").glob("*.py")]
    written = "".join(file.read_text("utf-8") for file in drawing)
    for file in drawing:
        for made in ast.parse(file.read_text("utf-8")).body:
            if not isinstance(made, ast.FunctionDef) or "Figure" in ast.unparse(made.args):
                continue
            if made.returns is None or not ast.unparse(made.returns).endswith("Figure"):
                continue
            # What only other figures use is saved as a part of them.
            helps = re.search(rf"(?<!def )\b{made.name}\(", written)
            assert helps or re.search(rf"\b{made.name}\b", tried), made.name
