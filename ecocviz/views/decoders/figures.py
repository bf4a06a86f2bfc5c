"""The error of every decoder with its interval, and over a sweep; and the tables behind them."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import log10
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from ecocviz.views.model_selection.figures import Curve, power_text
from ecocviz.views.shared.draw.build import build_figure, line_across
from ecocviz.views.shared.draw.theme import Theme

ROW_HEIGHT, HEAD_HEIGHT = 22, 74
SWEEP_HEIGHT = 380
MANY_LINES = 6
"""More decoders are drawn in one quiet colour, all but the scenario's own, the best and the worst."""
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoderRow:
    """What is told of one decoder; errors and bounds are shares of `n` points.

    Attributes
    ----------
    key, title
        Of the decoder.
    n_wrong, n
        Points decided wrongly, of how many.
    low, high
        Wilson's 95 % interval of the error.
    p
        McNemar's p-value against the scenario's own decoder; None for that one itself.
    log_loss, calibration_error
        Of its probabilities, None where it has none.
    milliseconds
        Of 1000 decisions.
    """

    key: str
    title: str
    n_wrong: int
    n: int
    low: float
    high: float
    p: float | None
    log_loss: float | None
    calibration_error: float | None
    milliseconds: float


def errors_table(rows: Sequence[DecoderRow]) -> pd.DataFrame:
    """Return the comparison as a table, a row a decoder."""
    return pd.DataFrame(
        {
            "decoder": [row.title for row in rows],
            "errors": [row.n_wrong for row in rows],
            "points": [row.n for row in rows],
            "error": [row.n_wrong / row.n for row in rows],
            "interval from": [row.low for row in rows],
            "interval to": [row.high for row in rows],
            "p against own": [row.p for row in rows],
            "log-loss": [row.log_loss for row in rows],
            "calibration error": [row.calibration_error for row in rows],
            "ms per 1000": [row.milliseconds for row in rows],
        }
    )


def sweep_figure(
    curves: Sequence[Curve], own: str, symbol: str, now: float | None, theme: Theme
) -> go.Figure:
    """Draw the test error of every decoder over one parameter.

    Parameters
    ----------
    curves
        At least one, all over the same grid.
    own
        Name of the scenario's own decoder: the strongest line, drawn last.
    symbol
        Of the parameter.
    now
        The scenario's own value, marked by a line if it lies within the grid.
    theme
        Light or dark.
    """
    traces = [_sweep_line(*styled, symbol) for styled in _styled(curves, own, theme)]
    grid = curves[0].grid
    here = now is not None and grid[0] <= now <= grid[-1]
    ticks = grid[:: max(1, len(grid) // 8)]
    layout = {
        "shapes": [line_across(theme.dim, width=1, x=now, dash="2px,4px")] if here else [],
        "xaxis": {
            "type": "log",
            "range": [log10(grid[0]) - 0.05, log10(grid[-1]) + 0.05],
            "tickvals": list(ticks),
            "ticktext": [power_text(value) for value in ticks],
            "title": {"text": symbol, "standoff": 6},
            "showgrid": False,
        },
        "yaxis": {"rangemode": "tozero", "ticksuffix": " %", "nticks": 6, "title": {"text": "Test error"}},
        "height": SWEEP_HEIGHT,
        "margin": {"l": 52, "r": 12, "t": 12, "b": 44},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    }
    return build_figure(traces, layout, theme)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Style:
    """How a line is drawn; `name` is what the legend says of it, "" for nothing."""

    colour: str
    width: float
    dash: str
    name: str
    quiet: bool = False


def _styled(curves: Sequence[Curve], own: str, theme: Theme) -> list[tuple[Curve, _Style]]:
    """Return the curves in the order in which they are drawn, the scenario's own last, on top.

    Of many, only the own one, the best at most values and the worst are told apart.
    """
    mine = [
        (c, _Style(colour=theme.accent, width=3, dash="solid", name=own)) for c in curves if c.decoder == own
    ]
    others = [curve for curve in curves if curve.decoder != own]
    if len(curves) <= MANY_LINES:
        colours = (theme.ink, theme.positive, theme.negative, theme.wrong, theme.dim)
        told = [
            (curve, _Style(colour=colours[k % 5], width=1.6, dash=DASHES[1 + k % 5], name=curve.decoder))
            for k, curve in enumerate(others)
        ]
        return [*told, *mine]
    best = max(curves, key=lambda curve: (_wins(curve, curves), -curve.least))
    worst = max(curves, key=_most)
    telling = {worst.decoder: theme.wrong, best.decoder: theme.ink}
    strong = [
        (curve, _Style(colour=telling[curve.decoder], width=1.8, dash="solid", name=curve.decoder))
        for curve in others
        if curve.decoder in telling
    ]
    rest = [curve for curve in others if curve.decoder not in telling]
    quiet = [
        (
            curve,
            _Style(
                colour=theme.dim, width=1, dash="solid", quiet=True, name=f"the other {len(rest)}" * (not k)
            ),
        )
        for k, curve in enumerate(rest)
    ]
    return [*quiet, *strong, *mine]


def _sweep_line(curve: Curve, style: _Style, symbol: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": list(curve.grid),
        "y": [None if wrong is None else 100 * wrong / curve.n for wrong in curve.n_wrong],
        "customdata": [
            [wrong, power_text(value)] for wrong, value in zip(curve.n_wrong, curve.grid, strict=True)
        ],
        "mode": "lines" if style.quiet else "lines+markers",
        "connectgaps": True,
        "name": escape(style.name or curve.decoder),
        "opacity": 0.45 if style.quiet else 1.0,
        "line": {"color": style.colour, "width": style.width, "dash": style.dash},
        "marker": {"size": 7 if style.width > 2 else 5, "color": style.colour},
        "showlegend": bool(style.name),
        "hovertemplate": (
            f"{escape(curve.decoder)}<br>{symbol} = %{{customdata[1]}}<br>"
            f"%{{y:.1f}} % (%{{customdata[0]}} of {curve.n:,})<extra></extra>"
        ),
    }


def _wins(curve: Curve, curves: Sequence[Curve]) -> int:
    """Count the values at which no other curve has fewer errors."""
    known = [k for k in curve.known if all(other.n_wrong[k] is not None for other in curves)]
    return sum(curve.n_wrong[k] == min(other.n_wrong[k] or 0 for other in curves) for k in known)


def _most(curve: Curve) -> int:
    return max(wrong for wrong in curve.n_wrong if wrong is not None)
