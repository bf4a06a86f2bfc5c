"""What is special to a reduction, as records and their figures: a matrix, a curve or bars."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.params import shorten
from ecocviz.engine.types import FloatArray
from ecocviz.views.shared.draw.build import build_figure
from ecocviz.views.shared.draw.theme import Theme, poles, rising
from ecocviz.views.shared.draw.words import count, number

CURVE_HEIGHT, BARS_HEIGHT = 260, 260
MAX_TICKS = 26
MAX_TOLD = 4_000
"""Cells of a matrix up to which each is named when pointed at."""
MAX_WRITTEN = 6
"""Columns up to which the numbers stand in the cells, of at most three times as many rows."""
LONGEST_NAME = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Numbers of rows against columns.

    Attributes
    ----------
    numbers : (n_rows, n_columns)
    rows, columns
        Their names.
    row_title, column_title, value_title
        What they are.
    signed
        Whether zero is the middle of the colours; otherwise it is their beginning.
    said
        What is to be seen, computed.
    """

    title: str
    said: str
    numbers: FloatArray
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_title: str
    column_title: str
    value_title: str
    signed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Values step by step, (n_steps,)."""

    title: str
    said: str
    numbers: FloatArray
    step_title: str
    value_title: str
    log: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """A value for each name, (n_names,)."""

    title: str
    said: str
    numbers: FloatArray
    names: tuple[str, ...]
    name_title: str
    value_title: str


Exhibit: TypeAlias = Matrix | Curve | Bars


def exhibit_figure(exhibit: Exhibit, theme: Theme) -> go.Figure:
    """Draw an exhibit."""
    if isinstance(exhibit, Matrix):
        return matrix_figure(exhibit, theme)
    return curve_figure(exhibit, theme) if isinstance(exhibit, Curve) else bars_figure(exhibit, theme)


def matrix_figure(matrix: Matrix, theme: Theme) -> go.Figure:
    """Draw a matrix as a heatmap; small ones with their numbers."""
    n_rows, n_columns = matrix.numbers.shape
    top = float(np.abs(matrix.numbers).max(initial=0.0)) or 1.0
    small = matrix.numbers.size <= MAX_TOLD
    told = f"{escape(matrix.value_title)} %{{z:.3g}}<extra></extra>"
    heat = {
        "type": "heatmap",
        "z": matrix.numbers.astype(np.float32),
        "zmin": -top if matrix.signed else 0.0,
        "zmax": top,
        "colorscale": poles(theme) if matrix.signed else rising(theme, theme.positive),
        "text": [[number(value) for value in row] for row in matrix.numbers.tolist()] if small else None,
        "texttemplate": "%{text}" if n_columns <= MAX_WRITTEN and n_rows <= 3 * MAX_WRITTEN else None,
        "textfont": {"size": 11 if n_columns <= 5 else 10, "color": theme.ink},
        "customdata": _names(matrix) if small else None,
        "xgap": 1 if n_columns <= 40 else 0,
        "ygap": 1 if n_rows <= 60 else 0,
        "colorbar": {
            "thickness": 8,
            "len": 0.9,
            "outlinewidth": 0,
            "nticks": 5,
            "tickfont": {"color": theme.dim, "size": 11},
        },
        "hovertemplate": f"%{{customdata[0]}}, %{{customdata[1]}}<br>{told}" if small else told,
    }
    plain = {"showgrid": False, "zeroline": False}
    layout = {
        "xaxis": {
            **plain,
            **_ticks(matrix.columns),
            "title": {"text": escape(matrix.column_title), "standoff": 4},
            "range": [-0.5, n_columns - 0.5],
        },
        "yaxis": {
            **plain,
            **_ticks(matrix.rows),
            "title": {"text": escape(matrix.row_title), "standoff": 4},
            "range": [n_rows - 0.5, -0.5],
        },
        "height": int(np.clip(24 * n_rows, 180, 440)) + 64,
    }
    return _drawn(heat, layout, theme)


def _names(matrix: Matrix) -> list[list[list[str]]]:
    rows, columns = [escape(name) for name in matrix.rows], [escape(name) for name in matrix.columns]
    return [[[row, column] for column in columns] for row in rows]


def curve_figure(curve: Curve, theme: Theme) -> go.Figure:
    """Draw values step by step."""
    values = curve.numbers.tolist()
    line = {
        "type": "scatter",
        "x": list(range(len(values))),
        "y": [None if curve.log and value <= 0 else value for value in values],
        "mode": "lines+markers" if len(values) <= 60 else "lines",
        "line": {"color": theme.accent, "width": 2},
        "marker": {"size": 6, "color": theme.accent},
        "hovertemplate": (
            f"{escape(curve.step_title)} %{{x}}<br>{escape(curve.value_title)} %{{y:.4g}}<extra></extra>"
        ),
    }
    layout = {
        "xaxis": {
            "title": {"text": escape(curve.step_title), "standoff": 6},
            "nticks": 8,
            "showgrid": False,
        },
        "yaxis": {
            "title": {"text": escape(curve.value_title), "standoff": 4},
            "nticks": 6,
            "type": "log" if curve.log else "linear",
            "exponentformat": "power",
        },
        "height": CURVE_HEIGHT,
    }
    return _drawn(line, layout, theme)


def bars_figure(bars: Bars, theme: Theme) -> go.Figure:
    """Draw a bar for each name."""
    trace = {
        "type": "bar",
        "x": list(range(len(bars.names))),
        "y": bars.numbers.tolist(),
        "customdata": [escape(name) for name in bars.names],
        "marker": {"color": theme.accent},
        "hovertemplate": f"%{{customdata}}<br>{escape(bars.value_title)} %{{y:.4g}}<extra></extra>",
    }
    layout = {
        "xaxis": {
            **_ticks(bars.names),
            "title": {"text": escape(bars.name_title), "standoff": 4},
            "showgrid": False,
        },
        "yaxis": {
            "title": {"text": escape(bars.value_title), "standoff": 4},
            "nticks": 6,
            "rangemode": "tozero",
        },
        "bargap": 0.3,
        "height": BARS_HEIGHT,
    }
    return _drawn(trace, layout, theme)


def _ticks(names: Sequence[str]) -> dict[str, object]:
    """Label all of a few names, every second, third, ... of many."""
    step = max(1, -(-len(names) // MAX_TICKS))
    shown = range(0, len(names), step)
    return {
        "tickvals": list(shown),
        "ticktext": [escape(shorten(names[k], LONGEST_NAME)) for k in shown],
    }


def _drawn(trace: dict[str, Any], layout: dict[str, Any], theme: Theme) -> go.Figure:
    shared = {"margin": {"l": 12, "r": 12, "t": 8, "b": 44}, "showlegend": False}
    return build_figure([trace], {**shared, **layout}, theme)


def exhibit_table(exhibit: Exhibit) -> pd.DataFrame:
    """Return an exhibit's numbers."""
    if isinstance(exhibit, Matrix):
        table = pd.DataFrame(exhibit.numbers, columns=list(exhibit.columns))
        table.insert(0, exhibit.row_title, list(exhibit.rows), allow_duplicates=True)
        return table
    if isinstance(exhibit, Curve):
        steps = list(range(exhibit.numbers.size))
        return pd.DataFrame({exhibit.step_title: steps, exhibit.value_title: exhibit.numbers})
    return pd.DataFrame({exhibit.name_title: list(exhibit.names), exhibit.value_title: exhibit.numbers})


def exhibit_alt(exhibit: Exhibit) -> str:
    """Describe an exhibit for those who do not see it."""
    if isinstance(exhibit, Matrix):
        n_rows, n_columns = exhibit.numbers.shape
        size = f"{count(n_rows, 'row')} and {count(n_columns, 'column')}"
        return f"{exhibit.title}: a heatmap of {size}. {exhibit.said}".strip()
    if isinstance(exhibit, Curve):
        return f"{exhibit.title}: {exhibit.value_title} step by step. {exhibit.said}".strip()
    return f"{exhibit.title}: {count(len(exhibit.names), 'bar')}. {exhibit.said}".strip()
