"""Whether decisions that claim 80 % are right in 80 %: the calibration of decoders with probabilities."""

from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.analysis.statistics import Calibration
from ecocviz.views.shared.draw.build import build_figure
from ecocviz.views.shared.draw.theme import Theme

SYMBOLS = ("circle", "square", "diamond", "triangle-up")
HEIGHT = 340


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
        _line(title, each, SYMBOLS[k % len(SYMBOLS)], theme.accent if title == own else next(colours), theme)
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
            "title": {"text": "Decided rightly", "standoff": 6},
            "ticksuffix": " %",
            "range": [-4, 104],
        },
        "height": HEIGHT,
        "margin": {"l": 52, "r": 12, "t": 12, "b": 44},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        "showlegend": True,
    }  # fmt: skip
    return build_figure(traces, layout, theme)


def _line(title: str, found: Calibration, symbol: str, colour: str, theme: Theme) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": 100 * found.stated,
        "y": 100 * found.happened,
        "customdata": found.counts,
        "mode": "lines+markers",
        "name": escape(title),
        "line": {"color": colour, "width": 2 if colour == theme.accent else 1.3},
        "marker": {
            "color": colour,
            "symbol": symbol,
            "size": 6 + 12 * np.sqrt(found.counts / found.counts.sum()),
            "line": {"color": theme.surface, "width": 1},
        },
        "hovertemplate": (
            f"{escape(title)}<br>stated %{{x:.0f}} %, right %{{y:.0f}} %<br>"
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
