"""What must hold of every figure that is saved for print, read from plotly's own specification of it."""

import base64
import html
import io
import re
import xml.etree.ElementTree as ET
import zlib
from importlib.metadata import version

import numpy as np
import pandas as pd
from PIL import Image

from ecocviz.data.writers import write_csv
from ecocviz.views.shared.draw.print import DOTS, KINDS, print_figure
from ecocviz.views.shared.draw.print_table import figure_table

OLD = tuple(map(int, version("matplotlib").split(".")[:2])) < (3, 11)

SVG = "{http://www.w3.org/2000/svg}"


def read(markup):
    """A text without tags and with single blanks."""
    bare = html.unescape(re.sub(r"</?(b|i|br|span)\b[^>]*>", " ", markup)).replace("\N{WORD JOINER}", "")
    return " ".join(bare.split())


def parsed(picture):
    """The tree of an SVG."""
    return ET.fromstring(picture)  # noqa: S314 - of our own making


def array(part):
    """A list of plotly's, or what its base 64 stands for."""
    if isinstance(part, dict):
        shape = [int(n) for n in str(part.get("shape", "-1")).split(",")]
        return np.frombuffer(base64.b64decode(part["bdata"]), part["dtype"]).reshape(shape).tolist()
    return np.asarray(part).tolist() if isinstance(part, np.ndarray) else list(part)


def promised(spec):
    """The words that a reader of the figure must find: titles of axes, names in the legend, text of ticks."""
    layout = spec["layout"]
    for name, axis in layout.items():
        if not re.fullmatch(r"[xy]axis\d*", name) or axis.get("visible") is False:
            continue
        yield read(axis.get("title", {}).get("text", ""))
        if "ticktext" in axis and axis.get("showticklabels") is not False:
            for place, text in zip(array(axis["tickvals"]), axis["ticktext"], strict=True):
                if not isinstance(place, str) and inside(place, axis):
                    yield read(text)
    for trace in spec["data"]:
        shown = trace.get("showlegend", layout.get("showlegend", False))
        if (
            shown is True
            and layout.get("showlegend") is not False
            and trace["type"] in {"scatter", "scattergl", "bar"}
        ):
            yield read(trace.get("name", ""))
    yield from (read(note["text"]) for note in layout.get("annotations", []))


def inside(place, axis):
    """Whether a tick lies where the axis reaches."""
    if "range" not in axis:
        return True
    low, high = sorted(axis["range"])
    return low <= (np.log10(place) if axis.get("type") == "log" else place) <= high


# What of plotly is drawn for print, and what matters on a screen only. What is in neither list is new: it
# must be drawn in ecocviz/views/shared/draw/print*.py, or is found to be nothing that paper could show.

PRINTED = {
    "annotations": """
        align bgcolor bordercolor borderwidth font.color font.size text x xanchor xref xshift y
        yanchor yref yshift
    """,
    "axis": """
        anchor autorange constrain domain dtick exponentformat matches nticks range rangemode
        scaleanchor scaleratio showgrid showticklabels side tick0 tickangle tickfont.color
        tickfont.size ticks ticksuffix ticktext tickvals title title.font.size title.text type
        visible zeroline
    """,
    "layout": """
        bargap barmode height legend.font.size plot_bgcolor showlegend title title.font.color
        title.font.size title.text
    """,
    "shapes": "fillcolor layer line.color line.dash line.width type x0 x1 xref y0 y1 yref",
    "bar": """
        error_x.array error_x.arrayminus error_y.array error_y.arrayminus legendrank marker.color
        marker.line.color marker.line.width marker.opacity name opacity orientation showlegend text
        textfont.color textfont.size textposition type width x xaxis y yaxis
    """,
    "heatmap": """
        colorbar.len colorbar.orientation colorbar.tickfont.color colorbar.tickfont.size
        colorbar.ticktext colorbar.tickvals colorbar.title.font.color colorbar.title.font.size
        colorbar.title.text colorscale showscale text textfont.color textfont.size texttemplate type
        x xaxis xgap y yaxis ygap z zmax zmid zmin
    """,
    "scatter": """
        cliponaxis connectgaps error_x.array error_x.arrayminus error_y.array error_y.arrayminus
        error_y.color error_y.thickness error_y.visible error_y.width fill fillcolor legendrank
        line.color line.dash line.shape line.width marker.color marker.line.color marker.line.width
        marker.opacity marker.size marker.symbol mode name opacity showlegend text textfont.color
        textfont.size textposition type visible x xaxis y yaxis
    """,
    "image": "dx dy type x0 xaxis y0 yaxis z",
    "contour": "contours.start line.color line.width type x xaxis y yaxis z",
}
# matplotlib lays out by itself: places of legends and colour bars, margins, distances of labels.
SCREEN_ONLY = {
    "annotations": "borderpad showarrow",
    "axis": "fixedrange ticklabelstandoff ticklen title.standoff",
    "layout": """
        dragmode hoverdistance hoverlabel.bgcolor hoverlabel.bordercolor hoverlabel.font.color
        hovermode legend.itemsizing legend.orientation legend.x legend.y legend.yanchor legend.yref
        margin.b margin.l margin.pad margin.r margin.t title.x title.xanchor title.xref title.y
    """,
    "shapes": "",
    "bar": "cliponaxis",
    "heatmap": """
        colorbar.nticks colorbar.outlinewidth colorbar.thickness colorbar.title.side colorbar.x
        colorbar.y colorbar.yanchor
    """,
    "scatter": "error_y.symmetric error_y.type legendgroup",
    "image": "",
    "contour": "contours.coloring contours.end contours.size showscale",
}
POINTED_AT = """
    customdata hoverinfo hoverongaps hovertemplate legendgroup selected.marker.opacity
    unselected.marker.opacity unselected.textfont.color
"""
VALUES = {
    "axis.type": {"linear", "log", "category"},
    "shapes.type": {"line", "rect"},
    "layout.barmode": {"stack", "relative", "group", "overlay"},
    "scatter.line.shape": {"linear", "hv"},
    "scatter.fill": {"tozeroy", "toself"},
}


def assert_known(spec):
    """Nothing in a figure is of a kind that print has never heard of."""
    for place, name, value in features(spec):
        known = {*PRINTED[place].split(), *SCREEN_ONLY[place].split(), *POINTED_AT.split()}
        assert name in known, f"{place}.{name} is new: draw it for print, then list it in {__name__}"
        allowed = VALUES.get(f"{place}.{name}")
        assert allowed is None or value in allowed, f"{place}.{name} = {value} is not drawn for print"


def features(spec):
    """Where, what and which value: of all traces, axes, shapes and notes, and of the rest of the layout."""
    for trace in spec["data"]:
        kind = trace["type"].removesuffix("gl")
        assert kind in PRINTED, f"A trace of kind {kind} is not drawn for print"
        yield from named(kind, trace)
    for name, part in spec["layout"].items():
        if re.fullmatch(r"[xy]axis\d*", name):
            yield from named("axis", part)
        elif name in {"annotations", "shapes"}:
            yield from (feature for one in part or () for feature in named(name, one))
        elif name != "template":
            yield from named("layout", {name: part})


def named(place, part, under=""):
    """The same of one part, at any depth."""
    for name, value in part.items():
        if isinstance(value, dict):
            yield from named(place, value, f"{under}{name}.")
        else:
            yield place, under + name, value


def assert_svg(made, figure, width):
    """It is XML, as wide as asked for, with readable type, and says what the figure says."""
    root = parsed(made)
    assert float(root.get("width").removesuffix("pt")) == round(width / 2.54 * 72, 6)
    assert {element.tag.removeprefix(SVG) for element in root.iter()}.isdisjoint({"script", "foreignObject"})
    found = list(root.iter(f"{SVG}text"))
    # As one property, or two: matplotlib has written it in both ways.
    sizes = [re.findall(r"font(?:-size)?: [^;]*?([\d.]+)px", text.get("style")) for text in found]
    assert all(6.99 < float(size) < 9.01 for (size,) in sizes), sizes
    texts = " ".join(" ".join("".join(text.itertext()).split()) for text in found)
    missing = [words for words in promised(figure.to_dict()) if words and words not in texts]
    assert not missing, (missing, texts)


def assert_agree(svg, pdf, png):
    """PDF and PNG are as large as the SVG, the PDF says as many things, and carries its fonts along."""
    root = parsed(svg)
    sides = [float(root.get(side).removesuffix("pt")) for side in ("width", "height")]
    assert pdf.startswith(b"%PDF-")
    (box,) = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    assert np.allclose([float(side) for side in box], sides, atol=0.01)
    assert pdf.count(b"/FontDescriptor ") == pdf.count(b"/FontFile2 ") or b"/Font <<" not in pdf
    with Image.open(io.BytesIO(png)) as picture:
        assert round(picture.info["dpi"][0]) == DOTS
        assert np.allclose(picture.size, [side / 72 * DOTS for side in sides], atol=1)
    written = [text for text in root.iter(f"{SVG}text") if "".join(text.itertext()).strip()]
    # matplotlib below 3.11 writes letters that Latin-1 lacks, the minus sign among them, apart.
    apart = OLD and any(ord(letter) > 255 for text in written for letter in "".join(text.itertext()))
    assert apart or len(lines_of(pdf)) == len(written)


def lines_of(pdf):
    """The lines of text that a PDF of one page writes."""
    streams = re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    for stream in streams:
        try:
            page = zlib.decompress(stream)
        except zlib.error:
            continue
        if b" rg" in page:
            return re.findall(rb"\bBT\b", page)
    return []


def assert_csv(figure):
    """It holds exactly the numbers of the traces that can be seen, in their order."""
    table = pd.read_csv(io.StringIO(write_csv(figure_table(figure))), keep_default_na=False, dtype=str)
    expected = []
    for trace in figure.to_dict()["data"]:
        if trace.get("opacity") == 0 or trace.get("marker", {}).get("opacity") == 0:
            continue
        if trace["type"] in {"image", "contour"}:
            continue  # a page offers the table that it was drawn from
        if trace["type"] == "heatmap":
            expected += [("value", value) for row in array(trace["z"]) for value in row]
        else:
            pairs = zip(array(trace["x"]), array(trace["y"]), strict=True)
            expected += [("y", y) for x, y in pairs if not missing(x) and not missing(y)]
    table = table.rename(columns=lambda name: "y" if name.startswith("y:") else name)
    columns = {name: table[name].tolist() for name in ("y", "value") if name in table}
    assert len(table) == len(expected)
    for k, (name, value) in enumerate(expected):
        cell = columns[name][k]
        if isinstance(value, str):
            assert read(value) in cell
        elif missing(value):
            assert cell == ""
        else:
            assert float(cell) == float(value)


def missing(value):
    """Whether a coordinate is none."""
    return value is None or (isinstance(value, float) and np.isnan(value))


def assert_saved(figure, width=8.5):
    """All of it, for a column or a page."""
    made = {kind: print_figure(figure, kind, width) for kind in KINDS}
    assert_svg(made["svg"], figure, width)
    assert_agree(**made)
    assert_csv(figure)
