"""Error among the points that are decided, against the share that is not."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.analysis.rejecting import Decided
from ecocviz.views.decoders.facts import SHARES
from ecocviz.views.decoders.rejection import Rejection
from ecocviz.views.shared.draw.build import build_figure, line_across
from ecocviz.views.shared.draw.outside import Shown, literal
from ecocviz.views.shared.draw.theme import Theme

HEIGHT, MOST_STEPS = 440, 120


def rejection_figure(
    found: Sequence[Rejection], share: int, theme: Theme, option: Decided | None = None
) -> go.Figure:
    """Draw one line a decoder, the first in the accent colour, and the code's own rule as a mark.

    Parameters
    ----------
    found
        At least one.
    share
        Percent of the points that are to be rejected: an upright line.
    theme
        Light or dark.
    option
        What comes of the points that the scenario itself leaves undecided: a mark.
    """
    colours = [theme.accent, theme.ink, theme.positive, theme.dim]
    traces, margin = [], [each for each in found if each.repairs is None]
    for each, colour in zip(margin, colours, strict=False):
        width = 2.5 if each is found[0] else 1.3
        traces.append(_line(each, f"{literal(each.name)}, by margin", colour, width))
    for each in found:
        if each.repairs is not None:
            traces += [
                _line(each, f"{literal(each.name)}, by distance", theme.negative, 1.5, dash="dash"),
                _promise(each, theme),
            ]
    traces += [] if option is None else [_option(option, theme)]
    widest = max(SHARES) + 11 if option is None else max(max(SHARES) + 11, 100 * (option.share or 0) + 4)
    layout = {
        "xaxis": {
            "title": {"text": "Points left undecided", "standoff": 6},
            "ticksuffix": " %",
            "range": [-1, widest],
            "nticks": 8,
            "zeroline": False,
        },
        "yaxis": {
            "title": {"text": "Error among the others", "standoff": 6},
            "ticksuffix": " %",
            "rangemode": "tozero",
            "nticks": 6,
        },
        "shapes": [line_across(theme.dim, x=share, width=1, dash="dot")],
        "height": HEIGHT,
        "margin": {"l": 52, "r": 12, "t": 56, "b": 44},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        "showlegend": True,
    }
    return build_figure(traces, layout, theme)


def _drawn(each: Rejection) -> tuple[Any, Any]:
    """Return shares and errors in percent, of steps so many that a line looks whole."""
    shares, errors = 100 * each.curve.shares, 100 * each.curve.errors
    known = np.flatnonzero(np.isfinite(errors) & (shares <= max(SHARES) + 10))
    kept = known[np.unique(np.linspace(0, known.size - 1, min(MOST_STEPS, known.size)).round().astype(int))]
    return shares[kept].round(3), errors[kept].round(3)


def _line(each: Rejection, name: str, colour: str, width: float, dash: str = "solid") -> dict[str, Any]:
    shares, errors = _drawn(each)
    few = shares.size <= 20
    return {
        "type": "scatter",
        "x": shares,
        "y": errors,
        "mode": "lines+markers" if few else "lines",
        "name": Shown(name),
        "line": {"color": colour, "width": width, "dash": dash},
        **({"marker": {"color": colour, "size": 5}} if few else {}),
        "hovertemplate": f"{name}<br>%{{x:.1f}} % undecided, %{{y:.1f}} % of the others wrong<extra></extra>",
    }


def _promise(each: Rejection, theme: Theme) -> dict[str, Any]:
    """Mark where only words within certain repair are decided."""
    step = each.promised
    bits = "bit" if each.repairs == 1 else "bits"
    return {
        "type": "scatter",
        "x": [100 * each.curve.shares[step]],
        "y": [None if np.isnan(each.curve.errors[step]) else 100 * each.curve.errors[step]],
        "mode": "markers",
        "name": f"at most {each.repairs} {bits} off",
        "marker": {
            "symbol": "circle-open", "size": 14, "color": theme.negative, "line": {"width": 2},
        },
        "hovertemplate": "%{x:.1f} % undecided, %{y:.1f} % of the others wrong<extra></extra>",
    }  # fmt: skip


def _option(option: Decided, theme: Theme) -> dict[str, Any]:
    """Mark where the scenario stands."""
    return {
        "type": "scatter",
        "x": [100 * (option.share or 0)],
        "y": [None if option.error is None else 100 * option.error],
        "mode": "markers",
        "name": "as chosen in the sidebar",
        "marker": {
            "symbol": "diamond", "size": 13, "color": theme.surface, "line": {"width": 3, "color": theme.ink},
        },
        "hovertemplate": "as chosen: %{x:.1f} % undecided, %{y:.1f} % of the others wrong<extra></extra>",
    }  # fmt: skip


def rejection_table(found: Sequence[Rejection]) -> pd.DataFrame:
    """Return every step of every curve."""
    parts = [
        pd.DataFrame(
            {
                "decoder": each.name,
                "by": "margin" if each.repairs is None else "distance",
                "undecided": each.curve.n_rejected,
                "wrong of the others": each.curve.n_wrong,
                "points": each.curve.n,
            }
        )
        for each in found
    ]
    return pd.concat(parts, ignore_index=True)
