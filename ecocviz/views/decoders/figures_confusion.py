"""Whose classes are taken for which: the decisions of a decoder, counted by true and decided class."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.params import shorten
from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.views.shared.draw.build import build_figure
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.theme import Theme, rising

WRITTEN = 12
"""Up to so many classes the counts are written into the cells."""
LONGEST_NAME = 14
"""Of a class, at an axis."""
MOST_LABELS = 30
"""Of more classes only every second, third, ... is named at an axis."""


def confusion_figure(
    counts: IntArray, classes: Sequence[str], theme: Theme, order: IntArray | None = None
) -> go.Figure:
    """Draw the counts (n_classes, n_classes), true classes down, decided ones across.

    The colour is the share of the true class; right decisions and errors have colours of their own, and the
    most frequent error is the strongest.

    Parameters
    ----------
    counts : (n_classes, n_classes)
    classes
        Names.
    theme
        Light or dark.
    order : (n_classes,)
        The classes from top to bottom and from left to right; as they are listed if not given.
    """
    n = len(classes)
    order = np.arange(n) if order is None else order
    names = [literal(classes[c]) for c in order.tolist()]
    shown = counts[np.ix_(order, order)]
    own = np.eye(n, dtype=bool)
    shares = shown / np.maximum(shown.sum(axis=1, keepdims=True), 1)
    wrong = np.where(own | (shown == 0), np.nan, shares)
    largest = float(np.nanmax(wrong)) if np.isfinite(wrong).any() else 1.0
    traces = [
        _cells(np.where(own, shares, np.nan), shown, names, 1.0, rising(theme, theme.accent, start=0.1)),
        _cells(wrong, shown, names, largest, rising(theme, theme.wrong, start=0.1)),
    ]
    step = -(-n // MOST_LABELS)
    axis = {
        "type": "category",
        "tickvals": names[::step],
        "ticktext": [literal(shorten(classes[c], LONGEST_NAME)) for c in order[::step].tolist()],
        "showgrid": False,
        "zeroline": False,
    }
    layout = {
        "xaxis": axis | {"title": {"text": "decided", "standoff": 4}, "range": [-0.5, n - 0.5]},
        "yaxis": axis | {"title": {"text": "true", "standoff": 4}, "range": [n - 0.5, -0.5]},
        "annotations": _written(shown, theme) if n <= WRITTEN else [],
        "plot_bgcolor": theme.zero,
        "height": height_of(n),
        "margin": {"l": 12, "r": 12, "t": 8, "b": 12},
    }
    return build_figure(traces, layout, theme)


def height_of(n_classes: int) -> int:
    """Return how high the picture of so many classes is."""
    return int(np.clip(130 + 34 * n_classes, 260, 620))


def _cells(
    values: FloatArray, shown: IntArray, names: Sequence[str], top: float, scale: list[tuple[float, str]]
) -> dict[str, Any]:
    """Make the cells of right decisions, or of errors, which say their counts when pointed at."""
    told = np.stack([shown, np.broadcast_to(shown.sum(axis=1, keepdims=True), shown.shape)], axis=-1)
    return {
        "type": "heatmap",
        "x": names,
        "y": names,
        "z": values.astype(np.float32),
        "zmin": 0,
        "zmax": top,
        "colorscale": scale,
        "showscale": False,
        "customdata": told.astype(np.int32),
        "hovertemplate": "%{y} classified as %{x}<br>%{customdata[0]:,} of %{customdata[1]:,}<extra></extra>",
        "hoverongaps": False,
        "xgap": 1,
        "ygap": 1,
    }


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
