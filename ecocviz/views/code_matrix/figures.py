"""Pictures of a code matrix: distances of rows and columns, what each machine is shown, real codewords."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.params import shorten
from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.views.code_matrix.facts import Code, Distances
from ecocviz.views.code_matrix.words import column_faults
from ecocviz.views.shared.draw.build import build_figure, line_across, ticks_that_fit
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.theme import Theme, poles, rising
from ecocviz.views.shared.draw.words import MINUS, number

MAX_DRAWN = 128
"""More rows or columns are thinned evenly: cells would be smaller than pixels and messages large."""
WRITTEN = 10
"""Up to so many rows the distances are written into the cells."""
OUTLINED, MOST_OUTLINED = 40, 0.25
"""Up to so many rows the closest pairs are outlined, where they are no larger share of all; and every cell is
named when pointed at."""
LOWEST, HIGHEST = 250, 330
MARGIN = {"l": 12, "r": 12, "t": 12, "b": 12}


def drawn(n: int) -> IntArray:
    """Return which of n rows or columns are drawn: all of them, or as many as fit, evenly thinned."""
    if n <= MAX_DRAWN:
        return np.arange(n)
    return np.rint(np.linspace(0, n - 1, MAX_DRAWN)).astype(np.int64)


def _ticks(shown: IntArray, names: Sequence[str], most: int) -> dict[str, object]:
    """Return every how-manieth name fits on an axis."""
    step = max(1, -(-shown.size // most))
    places = np.arange(0, shown.size, step)
    return {"tickvals": places, "ticktext": [literal(shorten(names[shown[k]], 14)) for k in places]}


def height_of(code: Code) -> int:
    """Return the height of all pictures of a code, which stand side by side."""
    shape = code.code_matrix.shape
    shown = shape if code.report.column_distances is not None else shape[:1]
    return int(np.clip(90 + 44 * max(shown), LOWEST, HIGHEST))


def distances_figure(found: Distances, height: int, theme: Theme) -> go.Figure:
    """Draw distances between rows, or between columns; the closest pairs are outlined."""
    distances, names = found.table, found.names
    n = distances.shape[0]
    shown = drawn(n)
    values = distances[np.ix_(shown, shown)].copy()
    least = float(distances[~np.eye(n, dtype=bool)].min(initial=np.inf))
    np.fill_diagonal(values, np.nan)
    axis = {"showgrid": False, "zeroline": False, "constrain": "domain", **_ticks(shown, names, 14)}
    angle = -45 if found.noun == "class" and max(map(len, names)) > 3 else 0
    # Numbers of three digits stand beside each other where there is room for half as many.
    across = 14 if angle or max(map(len, names)) <= 2 else 7
    closest = np.argwhere(values == least).tolist() if outlined(found) else []
    line = {"color": theme.ink, "width": 1.2}
    layout = {
        "shapes": [
            {"type": "rect", "x0": j - 0.5, "x1": j + 0.5, "y0": i - 0.5, "y1": i + 0.5, "line": line}
            for i, j in closest
        ],
        "xaxis": {
            **axis,
            **_ticks(shown, names, across),
            "range": [-0.5, shown.size - 0.5],
            "tickangle": angle,
        },
        "yaxis": {**axis, "range": [shown.size - 0.5, -0.5], "scaleanchor": "x"},
        "height": height,
        "margin": MARGIN,
        "plot_bgcolor": theme.zero,
    }
    labels = [literal(shorten(names[k], 24)) for k in shown] if n <= OUTLINED else None
    return build_figure([_distances(found, values, labels, theme)], layout, theme)


def _distances(
    found: Distances, values: FloatArray, labels: Sequence[str] | None, theme: Theme
) -> dict[str, Any]:
    """Make the cells of the drawn distances (n_drawn, n_drawn); without labels they tell their numbers."""
    low, high = colour_range(found)
    heat: dict[str, Any] = {
        "type": "heatmap",
        "z": values.astype(np.float32),
        "zmin": low,
        "zmax": high,
        "colorscale": rising(theme, theme.accent, start=0.08),
        "xgap": 0,
        "ygap": 0,
        "showscale": len(values) > WRITTEN and high > low > 0,
        "colorbar": {
            "thickness": 8,
            "outlinewidth": 0,
            "nticks": 5,
            "tickfont": {"color": theme.dim, "size": 11},
        },
        "hoverongaps": False,
        "texttemplate": "%{z:.3~g}" if len(values) <= WRITTEN else None,
        "textfont": {"size": 12, "color": theme.ink},
        "hovertemplate": f"{found.noun}s %{{x}} and %{{y}}: %{{z:.3~g}}<extra></extra>",
    }
    if labels is None:
        return heat
    return heat | {
        "xgap": 1,
        "ygap": 1,
        "customdata": [labels] * len(labels),
        "text": [[name] * len(labels) for name in labels],
        "hovertemplate": "%{text} and %{customdata}: %{z:.3~g}<extra></extra>",
    }


def others_of(found: Distances) -> FloatArray:
    """Return the distances of different rows or columns, (n (n - 1),)."""
    others: FloatArray = found.table[~np.eye(len(found.names), dtype=bool)]
    return others


def colour_range(found: Distances) -> tuple[float, float]:
    """Return the distances at which the colours begin and end: the least and the largest there are."""
    others = others_of(found)
    low, high = float(others.min(initial=np.inf)), float(others.max(initial=0.0))
    return (low, high) if low < high else (0.0, max(high, 1.0))


def outlined(found: Distances) -> bool:
    """Say whether the closest pairs are outlined: only where they are few."""
    others = others_of(found)
    closest = (others == others.min(initial=np.inf)).mean() if others.size else 1.0
    return len(found.names) <= OUTLINED and bool(closest <= MOST_OUTLINED)


def distances_table(found: Distances) -> pd.DataFrame:
    """Return the distance of every two rows or columns."""
    a, b = np.triu_indices(len(found.names), 1)
    return pd.DataFrame(
        {
            found.noun: [found.names[k] for k in a.tolist()],
            f"other {found.noun}": [found.names[k] for k in b.tolist()],
            "distance": found.table[a, b],
        }
    )


def sizes_figure(code: Code, theme: Theme) -> go.Figure:
    """Draw the training points of each machine, its + side upwards and its - side downwards.

    Machines with a faulty column are drawn in the colour of errors.
    """
    code_matrix, counts = code.code_matrix, code.counts
    shown = drawn(code_matrix.shape[1])
    plus, minus = counts @ (code_matrix > 0), counts @ (code_matrix < 0)
    largest = max(int(plus.max(initial=0)), int(minus.max(initial=0)), 1)
    layout = {
        "shapes": [{**line_across(theme.dim, width=1, y=0), "layer": "above"}],
        "xaxis": {
            "title": {"text": "machine", "standoff": 4},
            "showgrid": False,
            "tickangle": 0,
            "tickvals": shown[ticks_that_fit(shown.size, 14, len(str(code_matrix.shape[1])))] + 1,
        },
        "yaxis": {
            "title": {"text": f"{MINUS} side   training points   + side", "standoff": 4},
            "range": [-1.08 * largest, 1.08 * largest],
            **_both_ways(largest),
        },
        "height": height_of(code),
        "margin": MARGIN,
        "barmode": "relative",
        "bargap": 0.2,
        "showlegend": False,
    }
    return build_figure(_sides(plus, minus, shown, column_faults(code.report), theme), layout, theme)


def _sides(
    plus: IntArray, minus: IntArray, shown: IntArray, faults: Mapping[int, str], theme: Theme
) -> list[dict[str, Any]]:
    """Make the bars of both sides, (n_bits,), of the machines that are shown."""
    sizes = plus + minus
    hover = np.stack([sizes, sizes * (sizes - 1) // 2, plus, minus], axis=-1)[shown]
    wrong = [literal(faults.get(b, "")) for b in shown.tolist()]
    outline = {"color": theme.wrong, "width": [2 if text else 0 for text in wrong]}
    return [
        {
            "type": "bar",
            "x": shown + 1,
            "y": values[shown],
            "name": name,
            "marker": {"color": colour, "line": outline},
            "customdata": hover,
            "text": [f"<br>{text}" if text else "" for text in wrong],
            "textposition": "none",
            "hovertemplate": (
                "machine %{x}: %{customdata[0]:,} points, %{customdata[2]:,} on the + side, "
                f"%{{customdata[3]:,}} on the {MINUS} side<br>%{{customdata[1]:,}} pairs of points"
                "%{text}<extra></extra>"
            ),
        }
        for values, colour, name in (
            (plus, theme.positive, "+ side"), (-minus, theme.negative, f"{MINUS} side"),
        )
    ]  # fmt: skip


def _both_ways(largest: int) -> dict[str, object]:
    """Return round ticks that count upwards on both sides of zero."""
    step = float(f"{largest / 3:.0e}") if largest > 6 else 2.0
    stops = np.arange(0, largest + 1, max(step, 1.0))[:6]
    values = np.concatenate([-stops[:0:-1], stops])
    return {"tickvals": values, "ticktext": [f"{abs(v):,.0f}" for v in values]}


def sizes_table(code: Code) -> pd.DataFrame:
    """Return what each machine is shown, and what is wrong with its column."""
    code_matrix, counts, report = code.code_matrix, code.counts, code.report
    faults = column_faults(report)
    sizes = report.sizes.astype(np.int64)
    return pd.DataFrame(
        {
            "machine": np.arange(1, report.n_bits + 1),
            "classes on + side": report.positive_classes,
            "classes on - side": report.negative_classes,
            "points on + side": counts @ (code_matrix > 0),
            "points on - side": counts @ (code_matrix < 0),
            "points": sizes,
            "pairs of points": sizes * (sizes - 1) // 2,
            "share of the smaller side": report.balance,
            "column": [faults.get(b, "") for b in range(report.n_bits)],
        }
    )


def weights_figure(weights: FloatArray, names: Sequence[str], theme: Theme) -> go.Figure:
    """Draw real codewords (n_rows, n_bits), negative and positive entries in the colours of the poles."""
    rows, columns = (drawn(n) for n in weights.shape)
    values = weights[np.ix_(rows, columns)]
    largest = float(np.abs(weights).max()) or 1.0
    share = min(1.0, max(0.2, 0.08 * columns.size))  # few columns do not fill a wide page
    small, named = values.size <= 160, values.size <= 5_000
    hover = "machine %{x}: %{z:.3g}<extra></extra>"
    heat = {
        "type": "heatmap",
        "x": columns + 1,
        "y": np.arange(rows.size),
        "z": values.astype(np.float32),
        "zmid": 0,
        "zmin": -largest,
        "zmax": largest,
        "colorscale": poles(theme),
        "xgap": 1 if columns.size <= 60 else 0,
        "ygap": 1,
        "text": [[number(value) for value in row] for row in values] if small else None,
        "texttemplate": "%{text}" if small else None,
        "textfont": {"color": theme.ink, "size": 12},
        "customdata": [[literal(names[k])] * columns.size for k in rows] if named else None,
        "hovertemplate": f"%{{customdata}}, {hover}" if named else hover,
        "colorbar": {
            "x": share + 0.01,
            "thickness": 8,
            "outlinewidth": 0,
            "nticks": 5,
            "tickfont": {"color": theme.dim, "size": 11},
        },
    }
    plain = {"showgrid": False, "zeroline": False}
    layout = {
        "xaxis": {
            **plain,
            "title": {"text": "machine", "standoff": 4},
            "tickangle": 0,
            "domain": [0, share],
            "tickvals": columns[:: max(1, -(-columns.size // 24))] + 1,
        },
        "yaxis": {**plain, **_ticks(rows, names, 26), "range": [rows.size - 0.5, -0.5]},
        "height": int(np.clip(90 + 26 * rows.size, 150, 640)),
        "margin": MARGIN,
    }
    return build_figure([heat], layout, theme)
