"""What must hold of every figure that is saved for print, read from plotly's own specification of it."""

import base64
import html
import io
import re
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
from PIL import Image

from ecocviz.data.writers import write_csv
from ecocviz.views.shared.draw.print import DOTS, print_figure
from ecocviz.views.shared.draw.print_table import figure_table

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
        if shown is True and layout.get("showlegend") is not False and trace["type"] != "heatmap":
            yield read(trace.get("name", ""))
    yield from (read(note["text"]) for note in layout.get("annotations", []))


def inside(place, axis):
    """Whether a tick lies where the axis reaches."""
    if "range" not in axis:
        return True
    low, high = sorted(axis["range"])
    return low <= (np.log10(place) if axis.get("type") == "log" else place) <= high


def assert_svg(figure, width):
    """It is XML, as wide as asked for, with readable type, and says what the figure says."""
    root = parsed(print_figure(figure, "svg", width))
    assert float(root.get("width").removesuffix("pt")) == round(width / 2.54 * 72, 6)
    assert {element.tag.removeprefix(SVG) for element in root.iter()}.isdisjoint({"script", "foreignObject"})
    found = list(root.iter(f"{SVG}text"))
    sizes = {float(size) for t in found for size in re.findall(r"font: [^;]*?([\d.]+)px", t.get("style"))}
    assert all(6.99 < size < 9.01 for size in sizes), sizes
    texts = " ".join(" ".join("".join(text.itertext()).split()) for text in found)
    missing = [words for words in promised(figure.to_dict()) if words and words not in texts]
    assert not missing, (missing, texts)


def assert_pdf(figure, width):
    """It is a PDF, a page as wide as asked for, that carries its fonts along."""
    made = print_figure(figure, "pdf", width)
    assert made.startswith(b"%PDF-")
    (box,) = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", made)
    assert abs(float(box[0]) - width / 2.54 * 72) < 0.01
    assert made.count(b"/FontDescriptor ") == made.count(b"/FontFile2 ") or b"/Font <<" not in made


def assert_png(figure, width):
    """It is a PNG of 300 dots to the inch."""
    with Image.open(io.BytesIO(print_figure(figure, "png", width))) as picture:
        assert picture.width == round(width / 2.54 * DOTS)
        assert round(picture.info["dpi"][0]) == DOTS


def assert_csv(figure):
    """It holds exactly the numbers of the traces that can be seen, in their order."""
    table = pd.read_csv(io.StringIO(write_csv(figure_table(figure))), keep_default_na=False, dtype=str)
    expected = []
    for trace in figure.to_dict()["data"]:
        if trace.get("opacity") == 0 or trace.get("marker", {}).get("opacity") == 0:
            continue
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


def assert_saved(figure):
    """All of it, for a column and for a page."""
    assert_svg(figure, 8.5)
    assert_pdf(figure, 17.0)
    assert_png(figure, 8.5)
    assert_csv(figure)
