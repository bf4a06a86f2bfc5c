"""How often more bits fail than a code repairs, beside what is possible at most."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.views.bits.facts import BitFacts
from ecocviz.views.bits.figures import finished, shown_counts, step_of
from ecocviz.views.shared.draw.build import line_across
from ecocviz.views.shared.draw.theme import Theme

HEIGHT = 380
"""Of the figure, whose legend is long."""
NAMES = {
    "observed": "these machines",
    "independent": "if errors were independent",
    "first_order": "if only pairs were correlated",
    "sharp": "at most, with this mean and variance",
}
"""What is drawn of `Tails` -> its name."""


def n_drawn(facts: BitFacts) -> int:
    """Return how many numbers of wrong bits are drawn, from 0 on."""
    return min(shown_counts(facts) + 1, facts.tails.observed.size)


def bounds_figure(facts: BitFacts, theme: Theme) -> go.Figure:
    """Draw the share of points with more than 0, 1, 2, ... wrong bits, and its bounds.

    Machines of which only pairs are correlated are left out where there are none.
    """
    n = n_drawn(facts)
    looks = {
        "observed": (theme.accent, "circle", "solid", 2.5),
        "independent": (theme.ink, "diamond", "dot", 1.5),
        "first_order": (theme.positive, "square", "dash", 1.5),
        "sharp": (theme.negative, "triangle-down", "solid", 1.5),
    }
    drawn = [name for name in NAMES if name != "first_order" or facts.tails.paired_exist]
    traces = [_line(facts, name, looks[name], n) for name in drawn]
    step = step_of(n)
    layout: dict[str, Any] = {
        "xaxis": {
            "title": {"text": "Wrong bits of a point", "standoff": 6},
            "tickvals": list(range(0, n, step)),
            "ticktext": [f"over {k}" for k in range(0, n, step)],
            "tickangle": 0,
            "range": [-0.4, n - 0.6],
            "showgrid": False,
            "zeroline": False,
        },
        "yaxis": {
            "title": {"text": "Points", "standoff": 6},
            "ticksuffix": " %",
            "range": [-3, 103],
            "nticks": 6,
        },
        "height": HEIGHT,
    }
    if 0 <= facts.repairs < n:
        layout["shapes"] = [line_across(theme.positive, x=facts.repairs, width=1, dash="dot")]
    return finished(traces, layout, theme)


def _line(facts: BitFacts, name: str, look: tuple[str, str, str, float], n: int) -> dict[str, Any]:
    colour, symbol, dash, width = look
    return {
        "type": "scatter",
        "x": np.arange(n),
        "y": np.round(100 * getattr(facts.tails, name)[:n], 3),
        "mode": "lines+markers",
        "name": NAMES[name],
        "line": {"color": colour, "width": width, "dash": dash},
        "marker": {"color": colour, "symbol": symbol, "size": 7},
        "hovertemplate": f"more than %{{x}} wrong bits<br>{NAMES[name]}: %{{y:.1f}} %<extra></extra>",
    }


def bounds_table(facts: BitFacts) -> pd.DataFrame:
    """Return every bound, as shares of the points."""
    found = facts.tails
    return pd.DataFrame(
        {
            "more wrong bits than": np.arange(found.observed.size),
            "these machines": found.observed,
            "independent": found.independent,
            "independent, exponential bound": found.chernoff,
            "correlated in pairs only": found.first_order,
            "at most with this mean and variance, Cantelli": found.cantelli,
            "at most with this mean and variance, sharp": found.sharp,
        }
    )
