"""Which class is taken for which: the decisions of one decoder, counted."""

from collections.abc import Sequence
from html import escape

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.types import IntArray
from ecocviz.views.shared.draw.build import build_figure
from ecocviz.views.shared.draw.theme import Theme, rising

WRITTEN = 12
"""Up to so many classes the counts are written into the cells."""
LONGEST_NAME = 14


def short_name(name: str) -> str:
    """Shorten and escape a class name for an axis.

    >>> short_name("a<b"), short_name("wonderfully-long-name")
    ('a&lt;b', 'wonderfully-l…')
    """
    return escape(name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…")


def confusion_figure(counts: IntArray, classes: Sequence[str], theme: Theme) -> go.Figure:
    """Draw the counts (n_classes, n_classes), true classes down, decided ones across.

    The colour is the share of the true class; right decisions and errors have colours of their own.
    """
    n = len(classes)
    totals = np.maximum(counts.sum(axis=1, keepdims=True), 1)
    shares = counts / totals
    right = np.where(np.eye(n, dtype=bool), shares, np.nan)
    wrong = np.where(np.eye(n, dtype=bool) | (counts == 0), np.nan, shares)
    names = [escape(name) for name in classes]
    told = np.stack([counts, np.broadcast_to(counts.sum(axis=1, keepdims=True), counts.shape)], axis=-1)
    traces = [
        {
            "type": "heatmap",
            "x": names,
            "y": names,
            "z": values.astype(np.float32),
            "zmin": 0,
            "zmax": 1,
            "colorscale": rising(theme, colour, start=0.1),
            "showscale": False,
            "customdata": told.astype(np.int32),
            "hovertemplate": "%{y} decided %{x}<br>%{customdata[0]:,} of %{customdata[1]:,}<extra></extra>",
            "hoverongaps": False,
            "xgap": 1,
            "ygap": 1,
        }
        for values, colour in ((right, theme.accent), (wrong, theme.wrong))
    ]
    axis = {
        "type": "category",
        "tickvals": names,
        "ticktext": [short_name(name) for name in classes],
        "showgrid": False,
        "zeroline": False,
    }
    layout = {
        "xaxis": axis | {"title": {"text": "decided", "standoff": 4}, "range": [-0.5, n - 0.5]},
        "yaxis": axis | {"title": {"text": "true", "standoff": 4}, "range": [n - 0.5, -0.5]},
        "annotations": _written(counts, theme) if n <= WRITTEN else [],
        "plot_bgcolor": theme.zero,
        "height": int(np.clip(130 + 34 * n, 260, 620)),
        "margin": {"l": 12, "r": 12, "t": 8, "b": 12},
    }
    return build_figure(traces, layout, theme)


def _written(counts: IntArray, theme: Theme) -> list[dict[str, object]]:
    """Write the counts into their cells."""
    font = {"size": 12, "color": theme.ink}
    return [
        {"x": int(j), "y": int(i), "text": f"{counts[i, j]:,}", "showarrow": False, "font": font}
        for i, j in zip(*np.nonzero(counts), strict=True)
    ]


def confusion_table(counts: IntArray, classes: Sequence[str]) -> pd.DataFrame:
    """Return the counts with the true class in front."""
    table = pd.DataFrame(counts, columns=list(classes))
    table.insert(0, "true class", list(classes), allow_duplicates=True)
    return table


def worst_cell(counts: IntArray) -> tuple[int, int, int]:
    """Return the most frequent error: true class, decided class, how often; the first among equals."""
    errors = counts - np.diag(np.diag(counts))
    i, j = np.unravel_index(int(errors.argmax()), errors.shape)
    return int(i), int(j), int(errors[i, j])
