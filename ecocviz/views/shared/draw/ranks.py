"""Average ranks of methods over data sets, in the form of [Demsar2006]_: a critical-difference diagram."""

from collections.abc import Sequence
from math import ceil, floor
from typing import Any

import plotly.graph_objects as go

from ecocviz.engine.analysis.ranks import cliques
from ecocviz.views.shared.draw.build import build_figure
from ecocviz.views.shared.draw.outside import literal, plain
from ecocviz.views.shared.draw.tables import text_width
from ecocviz.views.shared.draw.theme import Theme

ROW, HEAD, FOOT = 26, 96, 18
"""Pixels of a name's line, of what is above the axis with it, and below everything."""
LONGEST, ROOM = 30, 44
"""Letters of a name; pixels for its rank beside it."""
CLIQUE = 0.45
"""What a bar between methods that cannot be told apart takes, in lines."""


def ranks_figure(
    names: Sequence[str], ranks: Sequence[float], critical_difference: float, theme: Theme
) -> go.Figure:
    """Draw the axis of ranks, the best on the left, a line from each rank to its name, and cliques as bars.

    Parameters
    ----------
    names, ranks
        Of each method; 1 is best.
    critical_difference
        Ranks that differ by less are joined by a bar.
    theme
        Light or dark.
    """
    order = sorted(range(len(names)), key=lambda k: ranks[k])
    groups = cliques(ranks, critical_difference)
    low, high = min(1, floor(min(ranks))), max(ceil(max(ranks)), ceil(1 + critical_difference))
    first = 0.7 + CLIQUE * len(groups)
    n_left = ceil(len(order) / 2)
    # The outermost names stand highest, so that no line crosses another.
    heights = {k: first + place for place, k in enumerate(order[:n_left])}
    heights |= {k: first + place for place, k in enumerate(reversed(order[n_left:]))}
    deepest = max(heights.values())
    traces = [_method(names[k], ranks[k], heights[k], low if k in order[:n_left] else high, theme) for k in order]
    traces += [_bar(ranks, group, 0.5 + CLIQUE * place, theme) for place, group in enumerate(groups)]
    traces.append(_yardstick(critical_difference, theme))
    shown = [plain(name, LONGEST) for name in names]
    sides = {
        "l": round(max(text_width(shown[k]) for k in order[:n_left])) + ROOM,
        "r": round(max((text_width(shown[k]) for k in order[n_left:]), default=0)) + ROOM,
    }
    layout = {
        "height": HEAD + FOOT + round(ROW * deepest),
        "margin": {**sides, "t": 40, "b": FOOT},
        "showlegend": False,
        "xaxis": {
            "range": [low, high], "side": "top", "dtick": 1, "showgrid": False, "zeroline": False,
            "showline": False, "ticks": "inside", "ticklen": 6, "tickcolor": theme.dim, "fixedrange": True,
        },
        "yaxis": {"range": [deepest + 0.6, -1.4], "visible": False, "fixedrange": True},
        "shapes": [_axis(low, high, theme)],
        "annotations": [
            _name(shown[k], ranks[k], heights[k], theme, left=k in order[:n_left]) for k in order
        ] + [_yardstick_name(critical_difference, theme)],
    }  # fmt: skip
    return build_figure(traces, layout, theme)


def _axis(low: float, high: float, theme: Theme) -> dict[str, Any]:
    return {"type": "line", "x0": low, "x1": high, "y0": 0, "y1": 0, "line": {"color": theme.dim, "width": 1}}


def _method(name: str, rank: float, height: float, edge: float, theme: Theme) -> dict[str, Any]:
    """Make the line from a rank on the axis down and out to the edge where the name stands."""
    return {
        "type": "scatter",
        "x": [rank, rank, edge],
        "y": [0, height, height],
        "mode": "lines+markers",
        "line": {"color": theme.dim, "width": 1.2},
        "marker": {"color": theme.ink, "size": [8, 0.1, 0.1]},
        "hovertemplate": f"{literal(name)}<br>average rank {rank:.2f}<extra></extra>",
        "cliponaxis": False,
    }


def _bar(ranks: Sequence[float], group: Sequence[int], height: float, theme: Theme) -> dict[str, Any]:
    """Make the bar that joins methods that cannot be told apart."""
    found = [ranks[k] for k in group]
    return {
        "type": "scatter",
        "x": [min(found) - 0.03, max(found) + 0.03],
        "y": [height, height],
        "mode": "lines",
        "line": {"color": theme.accent, "width": 4.5},
        "hovertemplate": "cannot be told apart<extra></extra>",
        "cliponaxis": False,
    }


def _yardstick(difference: float, theme: Theme) -> dict[str, Any]:
    """Make the critical difference itself, above the axis."""
    return {
        "type": "scatter",
        "x": [1, 1 + difference],
        "y": [-1, -1],
        "mode": "lines+markers",
        "line": {"color": theme.accent, "width": 2},
        "marker": {"symbol": "line-ns-open", "size": 9, "color": theme.accent},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def _yardstick_name(difference: float, theme: Theme) -> dict[str, Any]:
    text = f"critical difference {difference:.2f}"
    place = {"x": 1 + difference, "y": -1, "xanchor": "left", "xshift": 10, "showarrow": False}
    return {**place, "text": text, "font": {"size": 12, "color": theme.dim}}


def _name(name: str, rank: float, height: float, theme: Theme, *, left: bool) -> dict[str, Any]:
    side = "right" if left else "left"
    place = {"x": 0 if left else 1, "xref": "x domain", "y": height, "xanchor": side, "showarrow": False}
    text = f"{literal(name)} {rank:.2f}" if left else f"{rank:.2f} {literal(name)}"
    shift = {"xshift": -6 if left else 6}
    return {**place, **shift, "text": text, "font": {"size": 13, "color": theme.ink}}
