"""Whether decisions that claim 80 % are right in 80 %: the calibration of decoders with probabilities."""

from collections.abc import Mapping
from html import escape

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.analysis.statistics import Calibration
from ecocviz.figures.theme import Theme, template

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
    figure = go.Figure()
    figure.add_shape(
        type="line", x0=0, y0=0, x1=100, y1=100, layer="below",
        line={"color": theme.dim, "width": 1, "dash": "dot"},
    )  # fmt: skip
    colours = iter([theme.ink, theme.positive, theme.negative, theme.dim] * len(found))
    for k, (title, each) in enumerate(found.items()):
        colour = theme.accent if title == own else next(colours)
        figure.add_trace(
            go.Scatter(
                x=100 * each.stated,
                y=100 * each.happened,
                customdata=each.counts,
                mode="lines+markers",
                name=escape(title),
                line={"color": colour, "width": 2 if title == own else 1.3},
                marker={
                    "color": colour,
                    "symbol": SYMBOLS[k % len(SYMBOLS)],
                    "size": 6 + 12 * np.sqrt(each.counts / each.counts.sum()),
                    "line": {"color": theme.surface, "width": 1},
                },
                hovertemplate=(
                    f"{escape(title)}<br>stated %{{x:.0f}} %, right %{{y:.0f}} %<br>"
                    "%{customdata:,} points<extra></extra>"
                ),
            )
        )
    low = min(100 * float(each.stated.min()) for each in found.values())
    start = max(0.0, np.floor(low / 10) * 10 - 4)
    figure.update_xaxes(
        title={"text": "Stated probability", "standoff": 6}, ticksuffix=" %", range=[start, 103]
    )
    figure.update_yaxes(title={"text": "Decided rightly", "standoff": 6}, ticksuffix=" %", range=[-4, 104])
    figure.update_layout(
        template=template(theme),
        height=HEIGHT,
        margin={"l": 52, "r": 12, "t": 12, "b": 44},
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        showlegend=True,
        hovermode="closest",
        dragmode=False,
        hoverlabel={"bgcolor": theme.panel, "bordercolor": theme.line, "font": {"color": theme.ink}},
    )
    return figure


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
