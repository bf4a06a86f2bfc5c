"""Draws the traces of a plotly figure with matplotlib: marks, lines, bars, cells and what is written on them.

matplotlib is imported by `print`, when a figure is first saved; everything here is handed its axes.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.views.shared.draw.print_axes import Scale
from ecocviz.views.shared.draw.print_spec import POINTS, Axes, Spec, each, filled, font_of, values_of
from ecocviz.views.shared.draw.print_text import letters_of
from ecocviz.views.shared.draw.theme import LIGHT
from ecocviz.views.shared.draw.words import MINUS

SYMBOLS: Mapping[str, Any] = {
    "circle": "o", "square": "s", "triangle-up": "^", "diamond": "D", "x": "X", "triangle-down": "v",
    "pentagon": "p", "star": "*", "cross": "P", "hexagon": "h", "triangle-left": "<", "triangle-right": ">",
    "line-ew": "_", "line-ns": "|",
    "hourglass": ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)),
}  # fmt: skip
"""Plotly's symbols as matplotlib has them, or their outlines."""
SCALES = {"D": 0.95, "*": 1.25}
"""By what matplotlib's marks differ in size from plotly's."""
DASHES = {"dot": (0, (1.0, 2.0)), "dash": (0, (5.0, 3.0)), "dashdot": (0, (5.0, 2.0, 1.0, 2.0))}
MANY = 3_000
"""More marks, or cells, are a picture within the drawing: files stay small."""
HEAT, BARS, LINES, MARKS, TEXTS = 1.0, 2.0, 3.0, 3.5, 5.0
"""What lies on what."""

_HELD = re.compile(r"%\{(z|text)(?::([^}]*))?\}")


def dashes(name: str | None) -> Any:  # noqa: ANN401 - as matplotlib takes it
    """Return a pattern of dashes.

    >>> dashes("4px,3px"), dashes(None)
    ((0, (4.0, 3.0)), 'solid')
    """
    if name is None or name == "solid":
        return "solid"
    return DASHES.get(name) or (0, tuple(float(part.removesuffix("px")) for part in name.split(",")))


# Points and lines ------------------------------------------------------------------------------------


def draw_scatter(axes: Axes, trace: Spec, scales: tuple[Scale, Scale], layout: Spec) -> None:
    """Draw marks, the line through them and the words at them."""
    x, y = (scale.places(values_of(trace, letter)) for scale, letter in zip(scales, "xy", strict=True))
    mode = trace.get("mode", "lines+markers")
    opacity, clips = trace.get("opacity", 1), trace.get("cliponaxis", True)
    if "lines" in mode:
        joined = np.isfinite(x) & np.isfinite(y) if trace.get("connectgaps") else np.full(x.size, True)
        axes.plot(
            x[joined], y[joined], zorder=LINES, alpha=opacity, clip_on=clips,
            drawstyle="steps-post" if trace.get("line", {}).get("shape") == "hv" else "default",
            **_line(trace),
        )  # fmt: skip
        if trace.get("fill"):
            _fill(axes, trace, x, y)
    _errors(axes, trace, x, y)
    if "markers" in mode:
        _marks(axes, trace, x, y, clips=clips)
    if "text" in mode:
        size, colour = font_of(layout, trace.get("textfont"))
        texts = each(trace.get("text"), x.size)
        for at_x, at_y, text in zip(x, y, texts, strict=True):
            _write_at(axes, at_x, at_y, letters_of(text), trace.get("textposition"), size, colour)


def _line(trace: Spec) -> dict[str, Any]:
    line = trace.get("line", {})
    return {
        "color": line.get("color") or _own_colour(trace),
        "linewidth": POINTS * line.get("width", 2),
        "linestyle": dashes(line.get("dash")),
    }


def _own_colour(trace: Spec) -> str:
    """Return the colour of a trace's marks, or its own."""
    colour = trace.get("marker", {}).get("color")
    if isinstance(colour, str):
        return colour
    return str(colour[0] if isinstance(colour, list) and colour else trace["own"])


def _fill(axes: Axes, trace: Spec, x: FloatArray, y: FloatArray) -> None:
    colour = trace.get("fillcolor") or _line(trace)["color"]
    if trace["fill"] == "tozeroy":
        axes.fill_between(x, y, 0, color=colour, alpha=0.3, linewidth=0, zorder=HEAT)
    else:
        axes.fill(x, y, color=colour, alpha=0.3, linewidth=0, zorder=HEAT)


def _errors(axes: Axes, trace: Spec, x: FloatArray, y: FloatArray) -> None:
    """Draw the intervals around points."""
    for letter in "xy":
        error = trace.get(f"error_{letter}") or {}
        if error.get("array") is None or error.get("visible") is False:
            continue
        above = np.array([v or 0 for v in error["array"]], dtype=np.float64)
        below = np.array([v or 0 for v in error.get("arrayminus", above)], dtype=np.float64)
        axes.errorbar(
            x, y, **{f"{letter}err": np.vstack([below, above])}, fmt="none", zorder=LINES,
            ecolor=error.get("color") or _own_colour(trace),
            elinewidth=POINTS * error.get("thickness", 1.5), capsize=POINTS * error.get("width", 3),
        )  # fmt: skip


def _marks(axes: Axes, trace: Spec, x: FloatArray, y: FloatArray, *, clips: bool) -> None:
    """Draw marks, those of one symbol at once."""
    n, marker = x.size, trace.get("marker", {})
    symbols = np.array(each(marker.get("symbol", "circle"), n), dtype=object)
    sizes = np.array(each(marker.get("size", 6), n), dtype=np.float64)
    colours = np.array(each(marker.get("color", _line(trace)["color"]), n), dtype=object)
    line = marker.get("line", {})
    edges = np.array(each(line.get("color"), n), dtype=object)
    widths = np.array(each(line.get("width", 0), n), dtype=np.float64)
    alpha = trace.get("opacity", 1) * marker.get("opacity", 1)
    for symbol in dict.fromkeys(symbols.tolist()):
        of = np.flatnonzero((symbols == symbol) & np.isfinite(x) & np.isfinite(y))
        name = symbol.removesuffix("-open")
        shape = SYMBOLS[name]
        hollow, stroke = name != symbol, name.startswith("line-")
        own = [colours[i] for i in of]
        outline = [edges[i] or colours[i] for i in of]
        axes.scatter(
            x[of], y[of], s=(POINTS * SCALES.get(shape, 1.0) * sizes[of]) ** 2, marker=shape, alpha=alpha,
            **({"color": outline} if stroke else {"facecolors": "none" if hollow else own}),
            **({} if stroke else {"edgecolors": own if hollow else outline}),
            linewidths=POINTS * (np.maximum(widths[of], 1) if hollow or stroke else widths[of]),
            zorder=MARKS, clip_on=clips, rasterized=of.size > MANY,
        )  # fmt: skip


def _write_at(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    position: str | None,
    size: float,
    colour: str,
) -> None:
    """Write beside a point, or upon it."""
    if not text or not np.isfinite([x, y]).all():
        return
    up, _, side = (position or "middle center").partition(" ")
    axes.annotate(
        text, (x, y), xytext=({"left": -4, "right": 4}.get(side, 0), {"top": 4, "bottom": -4}.get(up, 0)),
        textcoords="offset points", fontsize=size, color=colour, zorder=TEXTS, annotation_clip=False,
        ha={"left": "right", "right": "left"}.get(side, "center"),
        va={"top": "bottom", "bottom": "top"}.get(up, "center"),
    )  # fmt: skip


# Bars ------------------------------------------------------------------------------------------------


def draw_bars(axes: Axes, traces: Sequence[Spec], scales: tuple[Scale, Scale], layout: Spec) -> None:
    """Draw the bars of all traces of a pair of axes, stacked or beside each other."""
    stacked = layout.get("barmode", "group") in {"stack", "relative"}
    beside = [] if stacked or layout.get("barmode") == "overlay" else _beside(traces, scales)
    tops: dict[tuple[float, bool], float] = {}
    for trace in traces:
        lies = trace.get("orientation") == "h"
        places = scales[lies].places(values_of(trace, "y" if lies else "x"))
        lengths = scales[not lies].places(values_of(trace, "x" if lies else "y"))
        known = np.flatnonzero(np.isfinite(places) & np.isfinite(lengths))
        n = max(len(beside), 1)
        room = (1 - float(layout.get("bargap", 0.2))) * _step(traces, scales)
        widths = np.array(each(trace.get("width") or room / n, places.size), dtype=np.float64)
        if n > 1:
            places = places + (beside.index(id(trace)) - (n - 1) / 2) * room / n
        starts = np.zeros(places.size)
        if stacked:
            for i in known.tolist():
                key = (float(places[i]), bool(lengths[i] < 0))
                starts[i] = tops.get(key, 0.0)
                tops[key] = starts[i] + float(lengths[i])
        _rectangles(axes, trace, (places, lengths, starts, widths), known, layout)


def _beside(traces: Sequence[Spec], scales: tuple[Scale, Scale]) -> list[int]:
    """Return the traces that share the room of a place, none if no two have bars in one place."""
    taken: list[float] = []
    with_bars = []
    for trace in traces:
        lies = trace.get("orientation") == "h"
        places = scales[lies].places(values_of(trace, "y" if lies else "x"))
        found = places[np.isfinite(places)].tolist()
        taken += found
        with_bars += [id(trace)] if found else []
    return with_bars if len(set(taken)) < len(taken) else []


def _step(traces: Sequence[Spec], scales: tuple[Scale, Scale]) -> float:
    """Return the distance of neighbouring places."""
    lies = traces[0].get("orientation") == "h"
    places = [scales[lies].places(values_of(trace, "y" if lies else "x")) for trace in traces]
    found = np.unique(np.concatenate(places))
    found = found[np.isfinite(found)]
    return float(np.diff(found).min()) if found.size > 1 else 1.0


def _rectangles(
    axes: Axes,
    trace: Spec,
    bars: tuple[FloatArray, FloatArray, FloatArray, FloatArray],
    known: IntArray,
    layout: Spec,
) -> None:
    """Draw the bars of one trace, and what is written at their ends."""
    places, lengths, starts, widths = bars
    n, marker, lies = places.size, trace.get("marker", {}), trace.get("orientation") == "h"
    line = marker.get("line", {})
    colours = each(marker.get("color", trace["own"]), n)
    outlines, thick = each(line.get("color"), n), each(line.get("width", 0), n)
    texts = each(trace.get("text"), n) if trace.get("textposition", "auto") != "none" else [None] * n
    size, ink = font_of(layout, trace.get("textfont"))
    for i in known.tolist():
        style = {
            "color": colours[i], "alpha": trace.get("opacity", 1) * marker.get("opacity", 1), "zorder": BARS,
            "edgecolor": outlines[i], "linewidth": POINTS * (thick[i] or 0) if outlines[i] else 0,
        }  # fmt: skip
        if lies:
            axes.barh(places[i], lengths[i], height=widths[i], left=starts[i], **style)
        else:
            axes.bar(places[i], lengths[i], width=widths[i], bottom=starts[i], **style)
        end = starts[i] + lengths[i]
        at, side = ((end, places[i]), "middle right") if lies else ((places[i], end), "top center")
        _write_at(axes, *at, letters_of(texts[i]), side, size, ink)
    _errors(axes, trace, *((lengths, places) if lies else (places, lengths)))


# Cells -----------------------------------------------------------------------------------------------


def draw_cells(
    axes: Axes,
    trace: Spec,
    scales: tuple[Scale, Scale],
    layout: Spec,
    colours: tuple[Any, tuple[float, float]],
) -> Axes:
    """Draw the cells of a heatmap and the numbers in them; what is not a number stays bare."""
    values = np.asarray([[np.nan if v is None else v for v in row] for row in trace["z"]], dtype=np.float64)
    x, y = (scale.places(values_of(trace, letter)) for scale, letter in zip(scales, "xy", strict=True))
    gap = POINTS * max(trace.get("xgap") or 0, trace.get("ygap") or 0)
    ground = layout.get("plot_bgcolor", LIGHT.surface)
    picture, (low, high) = colours
    drawn = axes.pcolormesh(
        edges_of(x), edges_of(y), np.ma.masked_invalid(values), cmap=picture, vmin=low, vmax=high,
        edgecolors=ground if gap and values.size <= MANY else "none", linewidth=gap, zorder=HEAT,
        rasterized=values.size > MANY,
    )  # fmt: skip
    template = trace.get("texttemplate")
    if template:
        size, ink = font_of(layout, trace.get("textfont"))
        texts = trace.get("text")
        for r, c in np.ndindex(values.shape):
            text = "" if texts is None else texts[r][c]
            words = letters_of(held(template, float(values[r, c]), text))
            _write_at(axes, float(x[c]), float(y[r]), words, None, size, ink)
    return drawn


def held(template: str, z: float, text: Any) -> str:  # noqa: ANN401 - a word or a number
    """Fill in what is written into a cell.

    >>> held("%{z:.3~g} %", -0.25, None), held("%{text}", 0.0, "a"), held("%{z:.1f}", float("nan"), None)
    ('−0.25 %', 'a', '')
    """

    def put(found: re.Match[str]) -> str:
        if found[1] == "text":
            return "" if text is None else str(text)
        return format(z, (found[2] or "g").replace("~", "")).replace("-", MINUS)

    return "" if "%{z" in template and not np.isfinite(z) else _HELD.sub(put, template)


def edges_of(middles: FloatArray) -> FloatArray:
    """Return the edges of cells, half way between their middles.

    >>> edges_of(np.array([0.0, 1.0, 3.0]))
    array([-0.5,  0.5,  2. ,  4. ])
    """
    if middles.size < 2:
        return np.array([middles[0] - 0.5, middles[0] + 0.5])
    between = (middles[1:] + middles[:-1]) / 2
    ends = 2 * middles[0] - between[0], 2 * middles[-1] - between[-1]
    found: FloatArray = np.concatenate([[ends[0]], between, [ends[1]]])
    return found


def range_of(trace: Spec) -> tuple[float, float]:
    """Return where the colours of a heatmap begin and end."""
    values = np.asarray([[np.nan if v is None else v for v in row] for row in trace["z"]], dtype=np.float64)
    known = values[np.isfinite(values)]
    low = trace.get("zmin", known.min(initial=0.0) if known.size == 0 else known.min())
    high = trace.get("zmax", known.max(initial=1.0) if known.size == 0 else known.max())
    if trace.get("zmid") is not None and trace.get("zmin") is None:
        reach = max(abs(high - trace["zmid"]), abs(low - trace["zmid"]))
        low, high = trace["zmid"] - reach, trace["zmid"] + reach
    return float(low), float(high) if high > low else float(low) + 1.0


def bar_of(trace: Spec, layout: Spec) -> Spec:
    """Return what is asked of a heatmap's colour bar."""
    return filled(trace.get("colorbar", {}), {"tickfont": layout.get("font", {})})
