"""Figures from plain dictionaries: plotly's own constructors check every value, in 20 ms a figure."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import Any, TypeAlias

import numpy as np
import plotly.graph_objects as go

from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.views.shared.draw.theme import THEMES, Theme, template

Figure: TypeAlias = go.Figure

MANY_POINTS = 1_500
"""More points are drawn by WebGL."""
MOST_POINTS = 4_000
"""More points are thinned."""


def build_figure(traces: Sequence[dict[str, Any]], layout: dict[str, Any], theme: Theme) -> go.Figure:
    """Return a figure of a theme, unchecked; the tests let plotly check it.

    Parameters
    ----------
    traces
        As plotly.js takes them, each with its `type`.
    layout
        As plotly.js takes it; what all our figures share is added.
    theme
        Light or dark.
    """
    shared = {
        "template": _template(theme.name),
        "hovermode": "closest",
        "dragmode": False,
        "hoverlabel": {"bgcolor": theme.panel, "bordercolor": theme.line, "font": {"color": theme.ink}},
    }
    return go.Figure({"data": list(traces), "layout": {**shared, **layout}}, _validate=False)


@lru_cache
def _template(name: str) -> dict[str, Any]:
    made: dict[str, Any] = template(THEMES[name]).to_plotly_json()
    return made


def line_across(
    colour: str, *, width: float, x: float | None = None, y: float | None = None, dash: str = "solid"
) -> dict[str, Any]:
    """Return a straight line through the whole picture, upright at x or level at y.

    >>> line_across("red", y=0.0, width=1)["y1"]
    0.0
    """
    ends = {"x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "y domain"}
    if x is None:
        ends = {"y0": y, "y1": y, "x0": 0, "x1": 1, "xref": "x domain"}
    return {"type": "line", **ends, "line": {"color": colour, "width": width, "dash": dash}, "layer": "below"}


def thinned(n: int, keep: int = -1) -> IntArray:
    """Return the positions of the points to draw: evenly spread, one of them kept for sure.

    >>> thinned(3).tolist(), thinned(9_000).size
    ([0, 1, 2], 4000)
    """
    if n <= MOST_POINTS:
        return np.arange(n)
    drawn = np.rint(np.linspace(0, n - 1, MOST_POINTS)).astype(np.int64)
    return np.union1d(drawn, [keep]) if keep >= 0 else drawn


def ticks_that_fit(n: int, most: int, longest: int) -> IntArray:
    """Return which of n places in a row are named: fewer where names are long.

    Parameters
    ----------
    n
        Places.
    most
        Names of two letters that fit.
    longest
        Letters of the longest name.

    Examples
    --------
    >>> ticks_that_fit(20, 10, 2).tolist()
    [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]
    >>> ticks_that_fit(20, 10, 4).tolist()
    [0, 4, 8, 12, 16]
    """
    fit = max(2, most if longest <= 2 else 2 * most // longest)
    return np.arange(0, n, max(1, -(-n // fit)))


def strongest_of(values: FloatArray) -> float:
    """Return where a colour scale around zero ends: a round number that no value is beyond.

    >>> strongest_of(np.array([0.13, -0.31, np.nan])), strongest_of(np.array([0.0])), strongest_of(np.ones(1))
    (0.4, 0.1, 1.0)
    """
    largest = float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 0.0
    if largest > 1.0:
        return largest
    return min(max(ceil(round(10 * largest, 6)), 1), 10) / 10
