"""Model-selection curves: errors over one parameter, and what the bound says of every point."""

from collections.abc import Sequence
from math import ceil, floor, log2, log10
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.types import IntArray
from ecocviz.lab.curve_plan import Curve
from ecocviz.lab.curves import Measure
from ecocviz.views.model_selection.facts import CurveFacts, PointMargins
from ecocviz.views.model_selection.words import after_name, before_name
from ecocviz.views.shared.draw.build import MANY_POINTS, build_figure, line_across, thinned
from ecocviz.views.shared.draw.curves import MEASURES, power_text, symbol_of
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.theme import Theme, class_colour, class_edge, class_size, class_symbol

STYLES = {
    Measure.TEST: ("ink", "circle", "solid", 2.5),
    Measure.TRAIN: ("dim", "triangle-up", "dot", 1.5),
    Measure.BOUND: ("accent", "square", "solid", 2.0),
    Measure.EXACT: ("positive", "diamond", "dash", 1.5),
    Measure.CROSS_VALIDATION: ("negative", "x", "dashdot", 1.5),
}
"""Colour of the theme, symbol, dash and width of each measure's line."""

ROW_HEIGHT, ONE_HEIGHT = 300, 420
POINTS_HEIGHT = 380


def curves_figure(facts: CurveFacts, theme: Theme) -> go.Figure:
    """Draw every decoder's curves in a panel of its own, minima ringed.

    The scenario's own value is marked by a line if it lies within the grid. Where low errors are
    enlarged, the axis fits the errors and lets the bound run out of the picture.

    Parameters
    ----------
    facts
        With at least one curve.
    theme
        Light or dark.
    """
    curves, symbol = facts.curves, symbol_of(facts.plan.axis)
    grid = curves[0].grid
    n_panels, legend = len(facts.decoders), {curve.measure: curve for curve in reversed(curves)}
    traces = []
    for curve in curves:
        k = facts.decoders.index(curve.decoder)
        panel = {"xaxis": f"x{_suffix(k)}", "yaxis": f"y{_suffix(k)}"}
        named = curve is legend[curve.measure]  # the first of them
        traces += [_line(curve, symbol, named, theme) | panel, _ring(curve, theme) | panel]
    layout: dict[str, Any] = {
        "height": ONE_HEIGHT if n_panels == 1 else ROW_HEIGHT * ceil(n_panels / 2) + 60,
        "margin": {"l": 52, "r": 12, "t": (44 if len(legend) < 4 else 84) + 30 * (n_panels > 1), "b": 44},
        "legend": {
            "orientation": "h", "x": 0, "y": 1, "yref": "container", "yanchor": "top", "font": {"size": 13},
        },
        "annotations": [],
        "shapes": [],
    }  # fmt: skip
    for k, name in enumerate(facts.decoders):
        _add_panel(layout, k, n_panels, grid, symbol, theme)
        if facts.enlarged:
            layout[f"yaxis{_suffix(k)}"]["range"] = [0, enlarged_top(curves)]
        refs = {"xref": f"x{_suffix(k)} domain", "yref": f"y{_suffix(k)} domain"}
        if n_panels > 1:
            font = {"size": 13, "color": theme.ink}
            place = {"x": 0.5, "y": 1, "xanchor": "center", "yanchor": "bottom", "showarrow": False}
            layout["annotations"].append({**refs, **place, "text": literal(name), "font": font})
        if facts.now is not None and grid[0] <= facts.now <= grid[-1]:
            line = {"color": theme.dim, "width": 1, "dash": "2px,4px"}
            ends = {"x0": facts.now, "x1": facts.now, "y0": 0, "y1": 1}
            refs["xref"] = f"x{_suffix(k)}"
            layout["shapes"].append({"type": "line", **ends, **refs, "line": line, "layer": "below"})
    return build_figure(traces, layout, theme)


def _suffix(k: int) -> str:
    """Return what plotly appends to the names of the axes of panel k: nothing, 2, 3, ..."""
    return str(k + 1) if k else ""


def _add_panel(
    layout: dict[str, Any], k: int, n_panels: int, grid: Sequence[float], symbol: str, theme: Theme
) -> None:
    """Add the axes of panel k: two panels to a row, all on one scale."""
    n_columns, n_rows = min(2, n_panels), ceil(n_panels / 2)
    row, column = divmod(k, n_columns)
    width, gap = (1 - 0.05 * (n_columns - 1)) / n_columns, 0.24 / n_rows if n_rows > 1 else 0.0
    height = (1 - gap * (n_rows - 1)) / n_rows
    left, top = column * (width + 0.05), 1 - row * (height + gap)
    last = k + n_columns >= n_panels
    layout[f"xaxis{_suffix(k)}"] = {
        **_log_axis(grid, 12 if n_panels == 1 else 6),
        "domain": [left, left + width],
        "anchor": f"y{_suffix(k)}",
        "title": {"text": symbol if last else "", "standoff": 6},
        "tickfont": {"color": theme.dim, "size": 12},
    }
    layout[f"yaxis{_suffix(k)}"] = {
        "domain": [max(0.0, top - height), top],
        "anchor": f"x{_suffix(k)}",
        "rangemode": "tozero",
        "ticksuffix": " %",
        "nticks": 6,
        "showticklabels": column == 0,
        "title": {"text": "Error" if column == 0 else "", "standoff": 8},
        **({"matches": "y"} if k else {}),
    }


def enlarged_top(curves: Sequence[Curve]) -> float:
    """Return the end of an axis, in percent: test and training errors fit in, minima of bounds if near."""
    highest = [
        100 * max(curve.n_wrong[k] or 0 for k in curve.known) / curve.n
        for curve in curves
        if curve.measure in {Measure.TEST, Measure.TRAIN}
    ]
    top = max(highest, default=100.0)
    bounds = [100 * curve.least / curve.n for curve in curves if curve.measure == Measure.BOUND]
    return max(1.0, 1.15 * max([top, *(least for least in bounds if least <= 2 * top)]))


def _log_axis(grid: Sequence[float], most: int) -> dict[str, object]:
    low, high = log2(grid[0]), log2(grid[-1])
    step = max(1, ceil((high - low) / most))
    ticks = [2.0**k for k in range(ceil(low), floor(high) + 1, step)]
    margin = 0.045 * log10(grid[-1] / grid[0])
    return {
        "type": "log",
        "range": [log10(grid[0]) - margin, log10(grid[-1]) + margin],
        "tickvals": ticks,
        "ticktext": [power_text(tick) for tick in ticks],
        "showgrid": False,
        "ticks": "outside",
        "ticklen": 5,
    }


def _line(curve: Curve, symbol: str, legend: bool, theme: Theme) -> dict[str, Any]:
    colour_name, marker, dash, width = STYLES[curve.measure]
    colour = getattr(theme, colour_name)
    name = MEASURES[curve.measure]
    pairs = zip(curve.n_wrong, curve.grid, strict=True)
    return {
        "type": "scatter",
        "x": list(curve.grid),
        "y": [None if n_wrong is None else 100 * n_wrong / curve.n for n_wrong in curve.n_wrong],
        "customdata": [[n_wrong, power_text(value)] for n_wrong, value in pairs],
        "mode": "lines+markers",
        "connectgaps": True,
        "name": name,
        "legendgroup": curve.measure,
        "showlegend": legend,
        "line": {"color": colour, "dash": dash, "width": width},
        "marker": {"symbol": marker, "size": 7, "color": colour},
        "unselected": {"marker": {"opacity": 1}},
        "hovertemplate": (
            f"{name}<br>{symbol} = %{{customdata[1]}}<br>"
            f"%{{y:.1f}} % (%{{customdata[0]}} of {curve.n:,})<extra></extra>"
        ),
    }


def _ring(curve: Curve, theme: Theme) -> dict[str, Any]:
    """Mark the minimum."""
    colour = getattr(theme, STYLES[curve.measure][0])
    return {
        "type": "scatter",
        "x": [curve.grid[curve.minimum]],
        "y": [100 * curve.least / curve.n],
        "mode": "markers",
        "marker": {"symbol": "circle-open", "size": 17, "color": colour, "line": {"width": 2}},
        "cliponaxis": False,  # whole also at 0 %
        "legendgroup": curve.measure,
        "showlegend": False,
        "hoverinfo": "skip",
        "unselected": {"marker": {"opacity": 1}},
    }


# The points behind one value -----------------------------------------------------------------------


def margins_figure(margins: PointMargins, classes: Sequence[str], pick: int, theme: Theme) -> go.Figure:
    """Draw how far down the bound takes every point: flagged ones lie on or below zero, outlined.

    Parameters
    ----------
    margins
        Of the training points.
    classes
        Names, in order.
    pick
        Position of the picked point, -1 for none.
    theme
        Light or dark.
    """
    judged = margins.judged
    drawn = thinned(judged.n, pick)
    truth = judged.truth[drawn]
    traces = [
        _margins(margins, drawn[truth == c], c, literal(name), pick, theme)
        for c, name in enumerate(classes)
        if (truth == c).any()
    ]
    shapes = [line_across(theme.wrong, y=0, width=1.2)]
    low = float(max(margins.before.min(), judged.margins.min()))
    high = float(min(margins.before.max(), judged.margins.max()))
    if low < high:
        line = {"color": theme.dim, "width": 1, "dash": "dot"}
        ends = {"x0": low, "y0": low, "x1": high, "y1": high}
        shapes.append({"type": "line", **ends, "line": line, "layer": "below"})
    layout = {
        "xaxis": {"title": {"text": before_name(margins), "standoff": 6}, "zeroline": False},
        "yaxis": {"title": {"text": after_name(margins), "standoff": 6}, "zeroline": False},
        "height": POINTS_HEIGHT,
        "margin": {"l": 52, "r": 12, "t": 12, "b": 44},
        "showlegend": len(classes) <= 12,
        "legend": {"orientation": "h", "x": 0, "y": -0.2, "yanchor": "top"},
        "shapes": shapes,
    }
    return build_figure(traces, layout, theme)


def _margins(
    margins: PointMargins, points: IntArray, c: int, name: str, pick: int, theme: Theme
) -> dict[str, Any]:
    """Make the marks of points, (n,), of class c."""
    judged = margins.judged
    flagged = judged.flagged[points]
    outline = {
        "color": np.where(flagged, theme.ink, class_edge(c, theme)).tolist(),
        "width": np.where(flagged, 1.6, 0.8),
    }
    return {
        "type": "scattergl" if judged.n > MANY_POINTS else "scatter",
        "x": margins.before[points].round(4),
        "y": judged.margins[points].round(4),
        "customdata": np.stack([points, judged.rows[points]], axis=1),
        "mode": "markers",
        "name": name,
        "marker": {
            "color": class_colour(c),
            "symbol": class_symbol(c),
            "size": np.where(points == pick, class_size(c, 15), class_size(c, 8)),
            "opacity": 0.9,
            "line": outline,
        },
        "unselected": {"marker": {"opacity": 0.9}},
        "hovertemplate": (
            f"{name}, row %{{customdata[1]}}<br>{before_name(margins)}: %{{x:.3g}}<br>"
            f"{after_name(margins)}: %{{y:.3g}}<extra></extra>"
        ),
    }


def margins_table(margins: PointMargins, classes: Sequence[str]) -> pd.DataFrame:
    """Return the margins as a table, the least one first."""
    judged = margins.judged
    order = np.argsort(judged.margins, kind="stable")
    return pd.DataFrame(
        {
            "row": judged.rows[order],
            "class": [classes[c] for c in judged.truth[order]],
            before_name(margins).lower(): margins.before[order],
            after_name(margins).lower(): judged.margins[order],
            "counted as error": judged.flagged[order].astype(int),
        }
    )
