"""Machines compared: clustered heatmaps of their correlations, and one pair of them in detail."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.params import shorten
from ecocviz.engine.types import AnyCode, FloatArray, IntArray
from ecocviz.views.relations.facts import SORT, Relations
from ecocviz.views.shared.draw.build import (
    MANY_POINTS,
    build_figure,
    line_across,
    strongest_of,
    thinned,
    ticks_that_fit,
)
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.theme import Theme, class_colour, class_edge, class_size, class_symbol, poles
from ecocviz.views.shared.draw.words import MINUS, signed

TITLES = dict(SORT.options)
MAX_CLICKABLE = 100
"""Up to so many machines every cell can be clicked."""
SVG_CELLS = 1_600
WRITTEN = 7
"""Up to so many machines the correlations are written into the cells, in place of a colour bar."""
HEATMAP_HEIGHT, WRITTEN_HEIGHT, SCORES_HEIGHT = 400, 340, 440


def heatmap_figure(
    relations: Relations, kind: str, order: IntArray, pair: tuple[int, int], theme: Theme
) -> go.Figure:
    """Draw correlations between machines as a square, the picked pair outlined.

    What a machine has to do with itself is left out. Clicks on a heatmap are not reported, so that
    every cell of a small one holds an invisible marker.

    Parameters
    ----------
    relations
        The machines.
    kind
        What correlates.
    order : (n_drawn,)
        Machines from left to right and from top to bottom.
    pair
        Two machines.
    theme
        Light or dark.
    """
    n = order.size
    shown = np.round(relations.correlations[kind][np.ix_(order, order)], 2) + 0.0  # never less than zero
    shapes = []
    for a, b in (pair, pair[::-1]):
        row, column = int(np.flatnonzero(order == a)[0]), int(np.flatnonzero(order == b)[0])
        shapes.append(_box(column - 0.5, column + 0.5, row - 0.5, row + 0.5, theme))
    ticks = ticks_that_fit(n, 12, len(str(order.max() + 1)))
    axis = {
        "tickvals": ticks,
        "ticktext": [str(order[k] + 1) for k in ticks],
        "tickangle": 0,
        "showgrid": False,
        "zeroline": False,
        "constrain": "domain",
    }
    title_font = {"size": 14, "color": theme.ink}
    layout = {
        "xaxis": {**axis, "range": [-0.5, n - 0.5]},
        "yaxis": {**axis, "range": [n - 0.5, -0.5], "scaleanchor": "x"},
        "title": {"text": TITLES[kind], "x": 0.5, "xanchor": "center", "font": title_font, "y": 0.98},
        "height": WRITTEN_HEIGHT if n <= WRITTEN else HEATMAP_HEIGHT,
        "margin": {"l": 28, "r": 8, "t": 34, "b": 30},
        "showlegend": False,
        "shapes": shapes,
        "plot_bgcolor": theme.zero,
    }
    cells = [_cells(shown, order)] if n <= MAX_CLICKABLE else []
    return build_figure([_heat(shown, theme), *cells], layout, theme)


def _heat(shown: FloatArray, theme: Theme) -> dict[str, Any]:
    """Make the coloured cells; few have their numbers written into them, many a colour bar."""
    n = len(shown)
    others = np.where(np.eye(n, dtype=bool), np.nan, shown)
    top = strongest_of(others)
    heat: dict[str, Any] = {
        "type": "heatmap",
        "z": others.astype(np.float32),
        "zmin": -top,
        "zmax": top,
        "colorscale": poles(theme),
        "hoverongaps": False,
        "xgap": 1 if n <= 30 else 0,
        "ygap": 1 if n <= 30 else 0,
        "showscale": n > WRITTEN,
        "colorbar": _colour_bar(top, theme),
    }
    if n <= MAX_CLICKABLE:
        heat["hoverinfo"] = "skip"  # the markers above say it
    else:
        heat["hovertemplate"] = "correlation %{z:.2f}<extra></extra>"
    if n <= WRITTEN:
        heat["text"] = [["" if r == c else _written(shown[r, c]) for c in range(n)] for r in range(n)]
        heat["texttemplate"] = "%{text}"
        heat["textfont"] = {"size": 12, "color": theme.ink}
    return heat


def _written(r: float) -> str:
    """Write a correlation into a cell; a dash where there is none."""
    return "–" if np.isnan(r) else signed(r)


def _colour_bar(top: float, theme: Theme) -> dict[str, Any]:
    return {
        "orientation": "h",
        "thickness": 8,
        "len": 0.7,
        "y": -0.12,
        "yanchor": "top",
        "tickvals": [-top, 0, top],
        "ticktext": [f"{MINUS}{top:g}", "0", f"+{top:g}"],
        "title": {"text": "correlation", "side": "bottom", "font": {"size": 12, "color": theme.dim}},
        "outlinewidth": 0,
        "tickfont": {"color": theme.dim, "size": 11},
    }


def _box(x0: float, x1: float, y0: float, y1: float, theme: Theme) -> dict[str, Any]:
    """Return an outline."""
    line = {"color": theme.ink, "width": 2}
    return {"type": "rect", "x0": x0, "x1": x1, "y0": y0, "y1": y1, "line": line}


def _cells(shown: FloatArray, order: IntArray) -> dict[str, Any]:
    """Make one invisible marker a cell, which says what the cell holds and takes the clicks."""
    n = order.size
    columns, rows = np.meshgrid(np.arange(n, dtype=np.int16), np.arange(n, dtype=np.int16))
    return {
        "type": "scatter" if n * n <= SVG_CELLS else "scattergl",
        "x": columns.ravel(),
        "y": rows.ravel(),
        "mode": "markers",
        "marker": {"symbol": "square", "size": max(4, min(24, 260 // n)), "opacity": 0},
        "selected": {"marker": {"opacity": 0}},
        "unselected": {"marker": {"opacity": 0}},
        "text": [
            f"{order[row] + 1} and {order[column] + 1}: {signed(shown[row, column])}"
            for row in range(n)
            for column in range(n)
        ],
        "hovertemplate": "machines %{text}<extra></extra>",
    }


def correlations_table(relations: Relations) -> pd.DataFrame:
    """Return every pair of machines, numbered from 1, with its correlations of every kind."""
    a, b = np.triu_indices(relations.n_bits, 1)
    found = {kind: r[a, b] for kind, r in relations.correlations.items()}
    return pd.DataFrame({"machine": a + 1, "other machine": b + 1, **found})


# One pair ------------------------------------------------------------------------------------------


def code_figure(relations: Relations, pair: tuple[int, int], theme: Theme) -> go.Figure:
    """Draw the code matrix with two columns at full strength and outlined."""
    code_matrix = relations.code_matrix
    n_classes, n_bits = code_matrix.shape
    strength = np.where(np.isin(np.arange(n_bits), pair), 0.45, 0.12)
    largest = max(1.0, float(np.abs(code_matrix).max()))
    heat: dict[str, Any] = {
        "type": "heatmap",
        "z": (code_matrix / largest * strength).astype(np.float32),
        "customdata": code_matrix.astype(np.float32),
        "zmin": -1,
        "zmax": 1,
        "colorscale": [(0.0, theme.negative), (0.5, theme.zero), (1.0, theme.positive)],
        "showscale": False,
        "xgap": 1 if n_bits <= 60 else 0,
        "ygap": 1,
        "hovertemplate": "machine %{x}: %{customdata:+.3g}<extra></extra>",
        "x": np.arange(1, n_bits + 1),
        "y": np.arange(n_classes),
    }
    if n_bits <= MAX_CLICKABLE:
        heat["text"] = [[literal(name)] * n_bits for name in relations.classes]
        heat["hovertemplate"] = "%{text}, " + heat["hovertemplate"]
    signs = [_signs(code_matrix, theme)] if n_bits * n_classes <= 300 else []
    ticks = sorted({*range(1, n_bits + 1, max(1, -(-n_bits // 16))), *(column + 1 for column in pair)})
    near = [t for t in ticks if t - 1 in pair or all(abs(t - 1 - c) > n_bits // 24 for c in pair)]
    plain = {"showgrid": False, "zeroline": False}
    layout = {
        "xaxis": {**plain, "tickvals": near, "side": "top", "tickangle": 0},
        "yaxis": {
            **plain,
            "range": [n_classes - 0.5, -0.5],
            "tickvals": np.arange(n_classes),
            "ticktext": [literal(shorten(name, 24)) for name in relations.classes],
        },
        "height": min(24, max(13, 480 // n_classes)) * n_classes + 36,
        "margin": {"l": 20, "r": 8, "t": 28, "b": 8},
        "shapes": [_box(column + 0.5, column + 1.5, -0.5, n_classes - 0.5, theme) for column in pair],
    }
    return build_figure([heat, *signs], layout, theme)


def _signs(code_matrix: AnyCode, theme: Theme) -> dict[str, Any]:
    """Write + and - into the cells, so that they are told without colours."""
    rows, columns = np.nonzero(code_matrix)
    return {
        "type": "scatter",
        "x": columns + 1,
        "y": rows,
        "mode": "text",
        "text": ["+" if v > 0 else MINUS for v in code_matrix[rows, columns]],
        "textfont": {"color": theme.ink, "size": 13},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def scores_figure(relations: Relations, pair: tuple[int, int], theme: Theme) -> go.Figure:
    """Scatter the scores of two machines: the quadrant is what they say together, outlines are wrong bits."""
    drawn = thinned(relations.n)
    truth, across, upwards = relations.truth[drawn], *relations.scores[:, list(pair)].T
    layout = {
        "xaxis": {**_around_zero(across), "title": _axis_title(pair[0])},
        "yaxis": {**_around_zero(upwards), "title": _axis_title(pair[1])},
        "height": SCORES_HEIGHT,
        "margin": {"l": 52, "r": 8, "t": 8, "b": 44},
        "showlegend": len(relations.classes) <= 12,
        "legend": {"orientation": "h", "x": 0, "y": -0.16, "yanchor": "top"},
        "shapes": [line_across(theme.dim, x=0, width=1), line_across(theme.dim, y=0, width=1)],
        "annotations": [
            _corner(x, y, text, theme)
            for x, y, text in (
                (0, 0, f"{MINUS} {MINUS}"), (1, 0, f"+ {MINUS}"), (0, 1, f"{MINUS} +"), (1, 1, "+ +"),
            )
        ],
    }  # fmt: skip
    traces = [
        _scored(relations, drawn[truth == c], c, pair, theme)
        for c in range(len(relations.classes))
        if (truth == c).any()
    ]
    return build_figure(traces, layout, theme)


def _scored(
    relations: Relations, points: IntArray, c: int, pair: tuple[int, int], theme: Theme
) -> dict[str, Any]:
    """Make the marks of points, (n,), of class c; what it asks of the two machines is in the legend."""
    cut = np.ix_(points, np.array(pair))
    scores, n_wrong = relations.scores[cut].round(4), relations.wrong[cut].sum(axis=1)
    asked, name = relations.code_matrix[c, list(pair)], literal(relations.classes[c])
    asks = " ".join("+" if v > 0 else MINUS if v < 0 else "0" for v in asked)
    outline = {
        "color": np.where(n_wrong > 0, theme.ink, class_edge(c, theme)).tolist(),
        "width": np.choose(n_wrong, [0.8, 1.5, 2.8]),
    }
    return {
        "type": "scattergl" if relations.n > MANY_POINTS else "scatter",
        "x": scores[:, 0],
        "y": scores[:, 1],
        "mode": "markers",
        "name": f"{name}  {asks}",
        "marker": {
            "color": class_colour(c),
            "symbol": class_symbol(c),
            "size": class_size(c, 8),
            "line": outline,
        },
        "hovertemplate": (
            f"{name}, asks {asks}<br>machine {pair[0] + 1}: %{{x:.2f}}<br>"
            f"machine {pair[1] + 1}: %{{y:.2f}}<extra></extra>"
        ),
    }


def _axis_title(machine: int) -> dict[str, Any]:
    return {"text": f"Score of machine {machine + 1}", "standoff": 6}


def _corner(x: int, y: int, text: str, theme: Theme) -> dict[str, Any]:
    """Return what the two machines say in a quadrant."""
    return {
        "x": x,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "text": text,
        "showarrow": False,
        "font": {"size": 15, "color": theme.dim},
        "xanchor": "right" if x else "left",
        "yanchor": "top" if y else "bottom",
    }


def _around_zero(values: FloatArray) -> dict[str, object]:
    """Return an axis that holds all values and both sides of zero."""
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    span = (high - low) or 1.0
    return {
        # Beyond the last points there is room for what the corners say.
        "range": [low - 0.12 * span, high + 0.12 * span],
        "zeroline": False,
        "showgrid": False,
        "nticks": 7,
    }


def scores_table(relations: Relations, pair: tuple[int, int]) -> pd.DataFrame:
    """Return the two machines' scores of every point, and which of them are wrong."""
    columns: dict[str, object] = {"class": [relations.classes[c] for c in relations.truth]}
    for machine in pair:
        columns[f"score of machine {machine + 1}"] = relations.scores[:, machine]
        columns[f"machine {machine + 1} wrong"] = relations.wrong[:, machine].astype(int)
    return pd.DataFrame(columns)
