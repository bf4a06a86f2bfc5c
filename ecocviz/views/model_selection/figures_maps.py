"""Errors over two parameters as maps: cells with numbers, the least and the scenario's own framed."""

from math import sqrt
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ecocviz.engine.types import FloatArray
from ecocviz.lab.curve_plan import Curve, Line
from ecocviz.lab.curves import Measure
from ecocviz.views.model_selection.maps import MapFacts
from ecocviz.views.model_selection.words_maps import pair_text
from ecocviz.views.shared.draw.build import build_figure, ticks_that_fit
from ecocviz.views.shared.draw.curves import MEASURES, plain_text, symbol_of
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.theme import Theme, rising
from ecocviz.views.shared.draw.words import percent as share

WRITTEN = 9
"""Up to so many values of either parameter the errors are written into the cells; more have a colour bar."""
HEIGHT = 372
EDGE = 0.54
"""Where the picture ends, from the middle of the last cell: a frame is not cut off."""
MOST_TICKS = 7
"""Of the numbers at the lower edge."""
BARS = 4
"""Numbers beside a colour bar."""
BRIEF_TICKS = 4
"""Of the numbers at the lower edge in large type."""


def map_figure(facts: MapFacts, shown: Curve, theme: Theme, *, brief: bool = False) -> go.Figure:
    """Draw one kind of error over two parameters.

    A solid frame marks the fewest errors, a dashed one the cell of the scenario's own values. Clicks on a
    heatmap are not reported, so that every cell holds an invisible marker.

    Parameters
    ----------
    facts
        All maps: test error and cross-validation share one colour scale, the bound has its own.
    shown
        The map to draw.
    theme
        Light or dark.
    brief
        Whether type will be large: fewer and shorter numbers fit.
    """
    across, upwards = facts.plan.lines
    n, m = len(across.values), len(upwards.values)
    errors = percents(shown, (n, m))
    frames = [_frame(shown.minimum, m, 0.5, "solid", 3, theme)]
    if facts.here is not None:
        frames.append(_frame(facts.here, m, 0.41, "4px,3px", 1.5, theme))
    layout = {
        "xaxis": {**_axis(across, BRIEF_TICKS if brief else MOST_TICKS), "range": [-EDGE, n - 1 + EDGE]},
        "yaxis": {**_axis(upwards, m), "range": [-EDGE, m - 1 + EDGE], "scaleanchor": "x"},
        "title": {
            "text": f"{literal(MEASURES[shown.measure])}, %",
            "x": 0.5,
            "xref": "paper",
            "xanchor": "center",
            "y": 0.98,
            "font": {"size": 14, "color": theme.ink},
        },
        "height": HEIGHT,
        "margin": {"l": 44, "r": 8, "t": 34, "b": 40},
        "showlegend": False,
        "shapes": frames,
        "plot_bgcolor": theme.zero,
        "hoverdistance": -1,  # anywhere in a cell is near enough to its marker
    }
    heat = _heat(errors, colour_ends(facts, shown), theme)
    if max(n, m) <= WRITTEN:
        heat |= {"text": _written(errors, brief=brief), "texttemplate": "%{text}"}
    else:
        heat |= {"showscale": True}
    traces = [heat, _cells(facts, shown, m)]
    return build_figure(traces, layout, theme)


def percents(shown: Curve, shape: tuple[int, int]) -> FloatArray:
    """Return a map's errors in percent as they are drawn, (upwards, across), nan where not known yet."""
    wrong = np.array([np.nan if n_wrong is None else n_wrong for n_wrong in shown.n_wrong])
    found: FloatArray = (100 * wrong / shown.n).reshape(shape).T
    return found


def colour_ends(facts: MapFacts, shown: Curve) -> tuple[float, float]:
    """Return the percents at which the colours of a map begin and end.

    Test error and cross-validation are the same thing measured twice. The bound is much larger.
    """
    bound = shown.measure is Measure.BOUND
    alike = [one for one in facts.maps if (one.measure is Measure.BOUND) == bound]
    known = [100 * (one.n_wrong[k] or 0) / one.n for one in alike for k in one.known]
    return min(known), max(known)


def _heat(percent: FloatArray, ends: tuple[float, float], theme: Theme) -> dict[str, Any]:
    """Make the coloured cells. Colours go by square roots: most of the map is far above its low ground."""
    low, high = ends
    bar = np.linspace(0, sqrt(max(high - low, 1e-9)), BARS)
    return {
        "type": "heatmap",
        "z": np.sqrt(np.maximum(percent - low, 0)).astype(np.float32),
        "zmin": 0,
        "zmax": bar[-1],
        "colorscale": rising(theme, theme.accent, start=0.04),
        "xgap": 1,
        "ygap": 1,
        "showscale": False,
        "colorbar": {
            "orientation": "h",
            "thickness": 8,
            "len": 0.8,
            "y": -0.16,
            "yanchor": "top",
            "outlinewidth": 0,
            "tickvals": bar,
            "ticktext": [f"{value:.3g} %" for value in low + bar**2],
            "tickfont": {"color": theme.dim, "size": 11},
        },
        "textfont": {"size": 12, "color": theme.ink},
        "hoverongaps": False,
        "hoverinfo": "skip",  # the markers above say it
    }


def _written(percent: FloatArray, *, brief: bool) -> list[list[str]]:
    """Return what is written into the cells, (upwards, across).

    >>> _written(np.array([[7.26, 12.34, 100.0, np.nan]]), brief=False)
    [['7.3', '12.3', '100', '']]
    >>> _written(np.array([[7.26, 12.34, 100.0, np.nan]]), brief=True)
    [['7.3', '12', '100', '']]
    """
    tenths = 9.95 if brief else 99.95
    return [
        ["" if np.isnan(value) else f"{value:.1f}" if value < tenths else f"{value:.0f}" for value in row]
        for row in percent.tolist()
    ]


def _cells(facts: MapFacts, shown: Curve, m: int) -> dict[str, Any]:
    """Make one invisible marker a measured cell, which says what it holds and takes the clicks.

    `m` cells lie above each other.
    """
    known = np.array(shown.known)
    return {
        "type": "scatter",
        "x": known // m,
        "y": known % m,
        "mode": "markers",
        "marker": {"symbol": "square", "size": 24, "opacity": 0},
        "selected": {"marker": {"opacity": 0}},
        "unselected": {"marker": {"opacity": 0}},
        "text": [literal(pair_text(facts, shown.places[k])) for k in shown.known],
        "customdata": [[k, share(shown.n_wrong[k] or 0, shown.n)] for k in shown.known],
        "hovertemplate": "%{text}<br>%{customdata[1]}<br><i>a click takes these values</i><extra></extra>",
    }


def _axis(line: Line, most: int) -> dict[str, Any]:
    """Return an axis of equal factors, as a logarithmic one: every value has the same room.

    At most so many values are named.
    """
    texts = [plain_text(value) for value in line.values]
    ticks = ticks_that_fit(len(texts), most, 2)
    return {
        "tickvals": ticks,
        "ticktext": [texts[k] for k in ticks],
        "tickangle": 0,
        "tickfont": {"size": 11},
        "title": {"text": literal(symbol_of(line.axis)), "standoff": 4},
        "showgrid": False,
        "zeroline": False,
        "constrain": "domain",
    }


def _frame(position: int, m: int, reach: float, dash: str, width: float, theme: Theme) -> dict[str, Any]:
    """Return the outline of a cell, `reach` from its middle; `m` cells lie above each other."""
    x, y = divmod(position, m)
    line = {"color": theme.ink, "width": width, "dash": dash}
    return {"type": "rect", "x0": x - reach, "x1": x + reach, "y0": y - reach, "y1": y + reach, "line": line}
