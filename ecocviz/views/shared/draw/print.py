"""Figures for print: a plotly figure as SVG, PDF or PNG, as wide as a column or a page, without a browser.

It is drawn anew with matplotlib, in print's sizes: type of 7 to 9 points, in a font that the file carries
along (PDF) or asks for (SVG). Only what our figures use of plotly is known. matplotlib is loaded when the
first figure is saved.
"""

from collections.abc import Mapping
from io import BytesIO
from itertools import pairwise
from threading import Lock
from types import MappingProxyType
from typing import Any
from warnings import catch_warnings, filterwarnings

from ecocviz.views.shared.draw.build import Figure
from ecocviz.views.shared.draw.print_axes import Scale, scale_of
from ecocviz.views.shared.draw.print_fonts import FIRST, families, letters_in
from ecocviz.views.shared.draw.print_panels import add_legend, belong, draw_note, draw_shape, dress, fitted
from ecocviz.views.shared.draw.print_planes import PLANES
from ecocviz.views.shared.draw.print_spec import (
    POINTS,
    Axes,
    Drawn,
    Picture,
    Spec,
    axes_of,
    each,
    font_of,
    read_figure,
)
from ecocviz.views.shared.draw.print_text import letters_of
from ecocviz.views.shared.draw.print_traces import bar_of, draw_bars, draw_cells, draw_scatter, range_of

DRAWN = {"scatter", "scattergl", "bar", "heatmap", *PLANES, "line", "rect"}
"""Kinds of traces and of shapes that are known here."""
KINDS: Mapping[str, str] = MappingProxyType(
    {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
)
"""What a figure is saved as -> its media type."""
WIDTHS: Mapping[str, float] = MappingProxyType({"column": 8.5, "page": 17.0})
"""Widths in centimetres."""
DOTS = 300
"""Of a PNG, to the inch."""

_STYLE = {
    "font.sans-serif": [FIRST],
    "text.parse_math": False,  # a name with dollars is a name
    "svg.fonttype": "none",  # letters stay letters
    "svg.hashsalt": "ecocviz",
    "pdf.fonttype": 42,
}
_DRAWING = Lock()
"""matplotlib's fonts and settings belong to the whole process."""


def print_figure(figure: Figure, kind: str, width: float) -> bytes:
    """Draw a figure for print.

    Parameters
    ----------
    figure
        Of `build_figure`, in the light theme.
    kind
        "svg", "pdf" or "png".
    width
        In centimetres; the height follows from the figure's.

    Returns
    -------
    bytes
        Of the file.

    Raises
    ------
    ValueError
        If the figure holds what is not known here.
    """
    from matplotlib import rc_context  # noqa: PLC0415 - it is large, and seldom asked for

    drawn, out = read_figure(figure), BytesIO()
    kinds = {trace["type"] for trace in drawn.traces} | {s["type"] for s in drawn.layout.get("shapes") or ()}
    unknown = kinds - DRAWN
    if unknown:
        raise ValueError(f"A figure with {' and '.join(sorted(unknown))} cannot be saved for print.")
    style = _STYLE | {"font.family": families(letters_in([drawn.traces, drawn.layout]))}
    with _DRAWING, rc_context(style), catch_warnings():
        filterwarnings("ignore", message="Glyph .* missing from")  # `font_sentence` says so
        filterwarnings("ignore", message="constrained_layout not applied")  # too small for its words
        picture = _picture(drawn, width / 2.54)
        if kind == "png":
            inches = picture.get_size_inches()
            picture.set_size_inches([(round(DOTS * inch) + 0.001) / DOTS for inch in inches])
        made: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
        picture.savefig(out, format=kind, dpi=DOTS, metadata=made)
    return out.getvalue()


def _picture(drawn: Drawn, inches: float) -> Picture:
    """Lay out a figure; what turns out not to fit is turned or given more room."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - as above
    from matplotlib.figure import Figure as Picture  # noqa: PLC0415 - as above

    layout = drawn.layout
    height = POINTS * layout.get("height", 400) / 72
    picture = Picture(figsize=(inches, height), layout="constrained", facecolor=layout["paper_bgcolor"])
    FigureCanvasAgg(picture)
    picture.get_layout_engine().set(w_pad=0.03, h_pad=0.03, wspace=0.03, hspace=0.04)
    places = _places(picture, drawn)
    for names, axes in places.items():
        _panel(axes, drawn, names)
    _heading(picture, drawn, list(places.values()))
    rows = add_legend(picture, drawn)
    size, _ = font_of(layout, layout.get("legend", {}).get("font"))
    more = max(rows - 1, 0) * 1.5 * size / 72
    picture.set_size_inches(inches, height + more)
    picture.draw_without_rendering()
    turned = max((_turn(axes) for axes in places.values()), default=0.0)
    picture.set_size_inches(inches, height + more + turned)
    return picture


def _places(picture: Picture, drawn: Drawn) -> dict[tuple[str, str], Axes]:
    """Return the panels, in rows and columns as their axes lie."""
    pairs = drawn.pairs()
    if len(pairs) == 1:
        return {pairs[0]: picture.add_subplot()}

    def domain(name: str) -> tuple[float, float]:
        first, last = drawn.axis(name).get("domain", (0, 1))
        return round(float(first), 6), round(float(last), 6)

    columns = sorted({domain(x) for x, _ in pairs})
    rows = sorted({domain(y) for _, y in pairs}, reverse=True)
    grid = picture.add_gridspec(
        len(rows), len(columns),
        width_ratios=[b - a for a, b in columns], height_ratios=[b - a for a, b in rows],
    )  # fmt: skip
    return {
        (x, y): picture.add_subplot(grid[rows.index(domain(y)), columns.index(domain(x))]) for x, y in pairs
    }


def _panel(axes: Axes, drawn: Drawn, names: tuple[str, str]) -> None:
    """Draw one panel."""
    scales = (scale_of(drawn, names[0]), scale_of(drawn, names[1]))
    dress(axes, drawn, names, scales)
    own = [trace for trace in drawn.traces if axes_of(trace) == names]
    bars = [trace for trace in own if trace["type"] == "bar"]
    if bars:
        draw_bars(axes, bars, scales, drawn.layout)
    for trace in own:
        if trace["type"] == "heatmap":
            _heat(axes, trace, scales, drawn.layout)
        elif trace["type"] in PLANES:
            PLANES[trace["type"]](axes, trace)
        elif trace["type"] != "bar":
            draw_scatter(axes, trace, scales, drawn.layout)
    for shape in belong(drawn, "shapes", names):
        draw_shape(axes, shape, scales)
    for note in belong(drawn, "annotations", names):
        draw_note(axes, note, scales, drawn.layout)
    for letter, scale in zip("xy", scales, strict=True):
        getattr(axes, f"set_{letter}lim")(*scale.ends)  # drawing may have moved them


def _heat(axes: Axes, trace: Spec, scales: tuple[Scale, Scale], layout: Spec) -> None:
    """Draw a heatmap with its colour bar."""
    from matplotlib.colors import LinearSegmentedColormap  # noqa: PLC0415 - as above

    colours = LinearSegmentedColormap.from_list("own", [(at, colour) for at, colour in trace["colorscale"]])
    cells = draw_cells(axes, trace, scales, layout, (colours, range_of(trace)))
    if trace.get("showscale") is False:
        return
    wanted = bar_of(trace, layout)
    level = wanted.get("orientation") == "h"
    bar = axes.figure.colorbar(
        cells,
        ax=axes,
        location="bottom" if level else "right",
        shrink=wanted.get("len", 1),
        aspect=30,
        pad=0.02,
    )
    bar.outline.set_visible(False)
    size, ink = font_of(layout, wanted.get("tickfont"))
    ticks = wanted.get("tickvals")
    if ticks is not None:
        values = [float(tick) for tick in ticks]
        written = each(wanted.get("ticktext"), len(values)) if wanted.get("ticktext") is not None else values
        bar.set_ticks(values, labels=[letters_of(text) for text in written])
    bar.ax.minorticks_off()
    bar.ax.tick_params(length=0, labelsize=size, labelcolor=ink, pad=3)
    title = wanted.get("title", {})
    text = letters_of(title.get("text") if isinstance(title, dict) else title)
    size, ink = font_of(layout, title.get("font") if isinstance(title, dict) else None)
    if level:
        bar.set_label(text, fontsize=size, color=ink)
    else:
        bar.ax.set_title(text, fontsize=size, color=ink)


def _heading(picture: Picture, drawn: Drawn, places: list[Axes]) -> None:
    """Write the figure's title."""
    title = drawn.layout.get("title")
    text = letters_of(title.get("text") if isinstance(title, dict) else title)
    if not text:
        return
    size, ink = font_of(drawn.layout, title.get("font") if isinstance(title, dict) else None)
    words = fitted(text, size, 72 * picture.get_size_inches()[0])
    if len(places) == 1:
        places[0].set_title(words, fontsize=size, color=ink)
    else:
        picture.suptitle(words, fontsize=size, color=ink)


def _turn(axes: Axes) -> float:
    """Turn the labels under a panel where they would run into each other; return the inches they add."""
    labels = [label for label in axes.get_xticklabels() if label.get_text() and label.get_visible()]
    boxes = sorted((label.get_window_extent() for label in labels), key=lambda box: float(box.x0))
    if all(a.x1 + 1 <= b.x0 for a, b in pairwise(boxes)):
        return 0.0
    for label in labels:
        label.set_rotation(90)
    longest = max(float(box.width - box.height) for box in boxes)
    return max(longest, 0.0) / float(axes.figure.dpi)
