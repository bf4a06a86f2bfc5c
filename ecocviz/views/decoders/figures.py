"""Decoders side by side in pictures: whose classes are confused, whether probabilities come true, a sweep."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log10
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.analysis.statistics import Calibration
from ecocviz.lab.curve_plan import Curve
from ecocviz.views.decoders.facts import Comparison, best_counts
from ecocviz.views.shared.draw.build import build_figure, line_across
from ecocviz.views.shared.draw.curves import power_text
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.tables import column_width, three_digits
from ecocviz.views.shared.draw.theme import Theme
from ecocviz.views.shared.draw.words import p_text

SYMBOLS = ("circle", "square", "diamond", "triangle-up")
HEIGHT, SWEEP_HEIGHT = 340, 380
MANY_LINES = 6
"""More decoders are drawn in one quiet colour, all but the scenario's own, the best and the worst."""
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


# Errors ----------------------------------------------------------------------------------------------


def errors_table(compared: Comparison) -> pd.DataFrame:
    """Return the comparison as a table, a row a decoder."""
    judged = compared.judged
    stated = [each.calibration for each in judged]
    return pd.DataFrame(
        {
            "decoder": compared.titles,
            "errors": [each.outcome.n_wrong for each in judged],
            "points": [each.outcome.n for each in judged],
            "error": [each.outcome.error for each in judged],
            "interval from": [each.interval[0] for each in judged],
            "interval to": [each.interval[1] for each in judged],
            "p against own": [compared.p_value(each) for each in judged],
            "log-loss": [None if each is None else each.log_loss for each in stated],
            "calibration error": [None if each is None else each.calibration_error for each in stated],
            "ms per 1000": [each.milliseconds for each in judged],
        }
    )


def shown_table(compared: Comparison, keys: Sequence[str]) -> pd.DataFrame:
    """Return the table as it is shown: a row for each of the keys, empty while its decoder is not judged."""
    known = {each.key: each for each in compared.judged}
    rows = [known.get(key) for key in keys]
    p_values = [None if each is None else compared.p_value(each) for each in rows]
    stated = [None if each is None else each.calibration for each in rows]
    return pd.DataFrame(
        {
            "Decoder": [compared.names[key] for key in keys],
            "Errors": pd.array([None if r is None else r.outcome.n_wrong for r in rows], dtype="Int64"),
            "Error": [None if r is None else round(100 * r.outcome.n_wrong / r.outcome.n, 1) for r in rows],
            "95 % interval": [
                None if r is None else f"{100 * r.interval[0]:.1f} to {100 * r.interval[1]:.1f}" for r in rows
            ],
            "p": [None if p is None else p_text(p) for p in p_values],
            "Log-loss": [None if each is None else each.log_loss for each in stated],
            "ms": [None if r is None else r.milliseconds for r in rows],
        }
    )


def column_widths(shown: pd.DataFrame, errors: str) -> dict[str, int]:
    """Return the width of every column of the shown table, by name; `errors` is the head of the errors."""
    written: dict[str, list[str]] = {
        "Decoder": shown["Decoder"].tolist(),
        "Errors": [errors, *map(str, shown["Errors"].dropna())],
        "Error": [f"{value:.1f} %" for value in shown["Error"].dropna()],
        "95 % interval": shown["95 % interval"].dropna().tolist(),
        "p": ["0.001", *shown["p"].dropna()],
        "Log-loss": [f"{value:.3f}" for value in shown["Log-loss"].dropna()],
        "ms": ["0.123", *map(three_digits, shown["ms"].dropna())],
    }
    heads = {"Errors": errors}
    return {name: column_width(heads.get(name, name), texts) for name, texts in written.items()}


# Probabilities ---------------------------------------------------------------------------------------


def reliability_figure(found: Mapping[str, Calibration], own: str, theme: Theme) -> go.Figure:
    """Draw share decided rightly over stated probability, a line a decoder; marks grow with the points.

    Parameters
    ----------
    found
        Decoder's name -> its calibration.
    own
        Name of the scenario's own decoder, in the accent colour.
    theme
        Light or dark.
    """
    colours = iter([theme.ink, theme.positive, theme.negative, theme.dim] * len(found))
    traces = [
        _stated(
            title, each, SYMBOLS[k % len(SYMBOLS)], theme.accent if title == own else next(colours), theme
        )
        for k, (title, each) in enumerate(found.items())
    ]
    low = min(100 * float(each.stated.min()) for each in found.values())
    start = max(0.0, np.floor(low / 10) * 10 - 4)
    layout = {
        "shapes": [
            {
                "type": "line", "x0": 0, "y0": 0, "x1": 100, "y1": 100, "layer": "below",
                "line": {"color": theme.dim, "width": 1, "dash": "dot"},
            }
        ],
        "xaxis": {
            "title": {"text": "Stated probability", "standoff": 6},
            "ticksuffix": " %",
            "range": [start, 103],
        },
        "yaxis": {
            "title": {"text": "Decided correctly", "standoff": 6},
            "ticksuffix": " %",
            "range": [-4, 104],
        },
        "height": HEIGHT,
        "margin": {"l": 52, "r": 12, "t": 12, "b": 44},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        "showlegend": True,
    }  # fmt: skip
    return build_figure(traces, layout, theme)


def _stated(title: str, found: Calibration, symbol: str, colour: str, theme: Theme) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": 100 * found.stated,
        "y": 100 * found.happened,
        "customdata": found.counts,
        "mode": "lines+markers",
        "name": literal(title),
        "line": {"color": colour, "width": 2 if colour == theme.accent else 1.3},
        "marker": {
            "color": colour,
            "symbol": symbol,
            "size": 6 + 12 * np.sqrt(found.counts / found.counts.sum()),
            "line": {"color": theme.surface, "width": 1},
        },
        "hovertemplate": (
            f"{literal(title)}<br>stated %{{x:.0f}} %, right %{{y:.0f}} %<br>"
            "%{customdata:,} points<extra></extra>"
        ),
    }


def reliability_table(found: Mapping[str, Calibration]) -> pd.DataFrame:
    """Return the bins of every decoder."""
    parts = [
        pd.DataFrame(
            {
                "decoder": [title] * each.counts.size,
                "stated probability": each.stated,
                "share right": each.happened,
                "points": each.counts,
            }
        )
        for title, each in found.items()
    ]
    return pd.concat(parts, ignore_index=True)


# Over a parameter ------------------------------------------------------------------------------------


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
        named = [
            (curve, _Style(colour=colours[k % 5], width=1.6, dash=DASHES[1 + k % 5], name=curve.decoder))
            for k, curve in enumerate(others)
        ]
        return [*named, *mine]
    wins = dict(zip((curve.decoder for curve in curves), best_counts(curves)[0], strict=True))
    best = max(curves, key=lambda curve: (wins[curve.decoder], -curve.least))
    worst = max(curves, key=_most)
    apart = {worst.decoder: theme.wrong, best.decoder: theme.ink}
    strong = [
        (curve, _Style(colour=apart[curve.decoder], width=1.8, dash="solid", name=curve.decoder))
        for curve in others
        if curve.decoder in apart
    ]
    rest = [curve for curve in others if curve.decoder not in apart]
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
        "name": literal(style.name or curve.decoder),
        "opacity": 0.45 if style.quiet else 1.0,
        "line": {"color": style.colour, "width": style.width, "dash": style.dash},
        "marker": {"size": 7 if style.width > 2 else 5, "color": style.colour},
        "showlegend": bool(style.name),
        "hovertemplate": (
            f"{literal(curve.decoder)}<br>{symbol} = %{{customdata[1]}}<br>"
            f"%{{y:.1f}} % (%{{customdata[0]}} of {curve.n:,})<extra></extra>"
        ),
    }


def _most(curve: Curve) -> int:
    return max(wrong for wrong in curve.n_wrong if wrong is not None)
