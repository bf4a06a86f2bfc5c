"""Which bits fail together: the correlations of the machines' errors as a square."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.views.bits.facts import Bar, BitFacts
from ecocviz.views.bits.figures import finished, step_of
from ecocviz.views.shared.draw.build import strongest_of
from ecocviz.views.shared.draw.theme import Theme, poles
from ecocviz.views.shared.draw.words import MINUS, signed

TOGETHER_HEIGHT = 380
MOST_TOGETHER = 100
"""More machines would be cells too small to point at: those with the most errors are shown."""
CLICKABLE = 40
"""Up to so many machines a cell can be clicked."""
WRITTEN = 10
"""Up to so many machines the correlations are written into the cells, in place of a colour bar."""


def together_shown(facts: BitFacts) -> IntArray:
    """Return the machines shown against each other, (n_shown,): all, or those with the most errors."""
    shown: IntArray = np.sort(np.argsort(-np.diag(facts.joint), kind="stable")[:MOST_TOGETHER])
    return shown


def together_figure(facts: BitFacts, bar: Bar, theme: Theme) -> go.Figure:
    """Draw the correlation of every two machines' errors; a machine with itself is left out."""
    shown = together_shown(facts)
    n, names, cut = shown.size, [str(b + 1) for b in shown.tolist()], np.ix_(shown, shown)
    # Nothing that is rounded is less than zero.
    phi = np.round(facts.phi[cut], 2) + 0.0
    traces = [_heat(phi, facts.joint[cut], names, theme)]
    if n <= CLICKABLE:
        traces.append(_clickable(facts, shown, names))
    axis = {
        "type": "category",
        "tickvals": names[:: step_of(n)],
        "tickangle": 0,
        "showgrid": False,
        "zeroline": False,
    }
    layout = {
        "xaxis": {**axis, "title": {"text": "Bit", "standoff": 6}, "range": [-0.5, n - 0.5]},
        "yaxis": {**axis, "range": [n - 0.5, -0.5]},
        "shapes": _rings(shown, bar, theme),
        "height": TOGETHER_HEIGHT,
        "plot_bgcolor": theme.zero,
    }
    return finished(traces, layout, theme)


def _heat(phi: FloatArray, joint: IntArray, names: list[str], theme: Theme) -> dict[str, Any]:
    """Make the coloured cells; few have their numbers written into them, many a colour bar."""
    n = len(names)
    others = np.where(np.eye(n, dtype=bool), np.nan, phi)
    told = "bits %{y} and %{x}<br>φ = %{z:.2f}<br>%{customdata:,} points<extra></extra>"
    top = strongest_of(others)
    return {
        "type": "heatmap",
        "x": names,
        "y": names,
        "z": others.astype(np.float32),
        "zmin": -top,
        "zmax": top,
        "colorscale": poles(theme),
        "showscale": n > WRITTEN,
        "text": None if n > WRITTEN else _written(others),
        "texttemplate": None if n > WRITTEN else "%{text}",
        "textfont": {"size": 12, "color": theme.ink},
        "customdata": joint.astype(np.int32 if joint.max(initial=0) > 32_000 else np.int16),
        "hoverongaps": False,
        "colorbar": {
            "tickvals": [-top, 0, top],
            "ticktext": [f"{MINUS}{top:g}", "0", f"+{top:g}"],
            "title": {"text": "φ", "side": "top"},
            "thickness": 10,
            "outlinewidth": 0,
            "tickfont": {"color": theme.dim},
        },
        "xgap": 1 if n <= 40 else 0,
        "ygap": 1 if n <= 40 else 0,
        # Where cells can be clicked, the marks above them say it.
        **({"hoverinfo": "skip"} if n <= CLICKABLE else {"hovertemplate": told}),
    }


def _rings(shown: IntArray, bar: Bar, theme: Theme) -> list[dict[str, Any]]:
    """Outline the two cells of a picked pair that is shown."""
    if bar.kind != "pair" or not set(bar.numbers) <= set(shown.tolist()):
        return []
    a, b = (int(np.flatnonzero(shown == number)[0]) for number in bar.numbers)
    line = {"color": theme.ink, "width": 2}
    return [
        {"type": "rect", "x0": x - 0.5, "x1": x + 0.5, "y0": y - 0.5, "y1": y + 0.5, "line": line}
        for x, y in ((a, b), (b, a))
    ]


def _written(values: FloatArray) -> list[list[str]]:
    """Write the correlations; a dash where a pair has none."""
    return [
        ["" if a == b else "–" if np.isnan(value) else signed(value) for b, value in enumerate(row)]
        for a, row in enumerate(values.tolist())
    ]


def _clickable(facts: BitFacts, machines: IntArray, names: list[str]) -> dict[str, Any]:
    """Put an invisible mark on every cell: clicks on the cells themselves never reach the server."""
    n, shown = len(names), machines.tolist()
    pairs = [(a, b) for a in range(n) for b in range(n) if a != b]
    return {
        "type": "scatter",
        "x": [names[b] for _, b in pairs],
        "y": [names[a] for a, _ in pairs],
        "customdata": [
            [
                shown[a],
                shown[b],
                signed(float(facts.phi[shown[a], shown[b]])),
                int(facts.joint[shown[a], shown[b]]),
            ]
            for a, b in pairs
        ],
        "mode": "markers",
        "marker": {"symbol": "square", "size": float(np.clip(300 / n, 6, 40)), "opacity": 0},
        "hovertemplate": (
            "bits %{y} and %{x}<br>φ: %{customdata[2]}<br>%{customdata[3]:,} points<extra></extra>"
        ),
        "showlegend": False,
        "unselected": {"marker": {"opacity": 0}},
        "selected": {"marker": {"opacity": 0}},
    }


def together_table(facts: BitFacts) -> pd.DataFrame:
    """Return every pair of machines: correlation of their errors, points that both got wrong."""
    first, second = np.triu_indices(facts.n_bits, k=1)
    return pd.DataFrame(
        {
            "bit": first + 1,
            "other bit": second + 1,
            "phi": facts.phi[first, second],
            "both wrong": facts.joint[first, second],
        }
    )
