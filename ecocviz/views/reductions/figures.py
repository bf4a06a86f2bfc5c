"""Reductions side by side as tables, and what is special to one of them as figures."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.params import shorten
from ecocviz.views.reductions.facts import Comparison
from ecocviz.views.reductions.specials import Special
from ecocviz.views.reductions.words import LABELS, sizes_text
from ecocviz.views.shared.draw.build import build_figure
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.tables import column_width, three_digits
from ecocviz.views.shared.draw.theme import Theme, poles, rising
from ecocviz.views.shared.draw.words import number

HEIGHT = 260
"""Of curves and bars."""
MAX_TICKS = 26
MAX_NAMED = 4_000
"""Cells of a matrix up to which each is named when pointed at."""
MAX_WRITTEN = 6
"""Columns up to which the numbers stand in the cells, of at most three times as many rows."""
LONGEST_NAME = 18
LOGARITHMIC = frozenset({"gap"})
"""Curves that are drawn on a logarithmic scale."""


# Tables ----------------------------------------------------------------------------------------------


def shown_table(compared: Comparison, waiting: str) -> pd.DataFrame:
    """Return the table as it is shown; `waiting` is the state of those without a result."""
    keys = list(compared.titles)
    results = [compared.results.get(key) for key in keys]
    outcomes = [None if r is None else r.judgement.outcome for r in results]
    spans = [None if r is None else r.judgement.interval for r in results]
    states = ["cannot run" if key in compared.reasons else waiting for key in keys]
    predictions = [compared.prediction(key) for key in keys]
    return pd.DataFrame(
        {
            "Reduction": list(compared.titles.values()),
            "Errors": pd.array([None if o is None else o.n_wrong for o in outcomes], dtype="Int64"),
            "Error": [None if o is None else round(100 * o.n_wrong / o.n, 1) for o in outcomes],
            "Interval": [
                state if span is None else f"{100 * span[0]:.1f} to {100 * span[1]:.1f}"
                for state, span in zip(states, spans, strict=True)
            ],
            "Training": [None if r is None else r.seconds for r in results],
            "Decisions": [None if r is None else r.judgement.milliseconds for r in results],
            "Predicted": [
                None if p is None else sizes_text(p.sizes.tolist(), at_most=p.at_most) for p in predictions
            ],
            "Measured": [None if r is None else sizes_text(r.sizes.tolist()) for r in results],
        }
    )


def column_widths(shown: pd.DataFrame, errors: str) -> dict[str, int]:
    """Return the width of every column of the shown table, by name; `errors` is the head of the errors."""
    written: dict[str, list[str]] = {
        "Reduction": shown["Reduction"].tolist(),
        "Errors": [errors, *map(str, shown["Errors"].dropna())],
        "Error": ["Error", *(f"{value:.1f} %" for value in shown["Error"].dropna())],
        "Interval": ["95 % interval", *shown["Interval"]],
        "Training": ["Training, s", *map(three_digits, shown["Training"].dropna())],
        "Decisions": ["Decisions, ms", *map(three_digits, shown["Decisions"].dropna())],
        "Predicted": ["Problems, predicted", *shown["Predicted"].dropna()],
        "Measured": ["Problems, trained", *shown["Measured"].dropna()],
    }
    return {name: column_width(texts[0], texts) for name, texts in written.items()}


def reductions_table(compared: Comparison) -> pd.DataFrame:
    """Return the comparison as a table of plain numbers, a row a reduction."""
    known = [
        {
            "errors": r.judgement.outcome.n_wrong,
            "points": r.judgement.outcome.n,
            "error": r.judgement.outcome.error,
            "interval from": r.judgement.interval[0],
            "interval to": r.judgement.interval[1],
            "p against own": compared.p_value(key),
            "training seconds": r.seconds,
            "ms per 1000 decisions": r.judgement.milliseconds,
            "binary problems": r.sizes.size,
            "points of the smallest": int(r.sizes.min(initial=r.sizes.max(initial=0))),
            "points of the largest": int(r.sizes.max(initial=0)),
        }
        if (r := compared.results.get(key)) is not None
        else {}
        for key in compared.titles
    ]
    table = pd.DataFrame(known)
    table.insert(0, "reduction", list(compared.titles.values()))
    predicted = [compared.prediction(key) for key in compared.titles]
    table["problems predicted"] = [None if p is None else p.sizes.size for p in predicted]
    largest = [None if p is None else int(p.sizes.max(initial=0)) for p in predicted]
    table["points predicted, largest"] = largest
    table["prediction is a limit"] = [p is not None and p.at_most for p in predicted]
    return table


def special_table(special: Special) -> pd.DataFrame:
    """Return a special's numbers."""
    labels, rows = LABELS[special.key], list(special.rows)
    if special.columns:
        table = pd.DataFrame(special.numbers, columns=list(special.columns))
        table.insert(0, labels.row, rows, allow_duplicates=True)
        return table
    first = rows or np.arange(special.numbers.size)
    return pd.DataFrame({labels.row: first, labels.value: special.numbers})


# What is special -------------------------------------------------------------------------------------


def special_figure(special: Special, theme: Theme) -> go.Figure:
    """Draw a special."""
    if special.columns:
        return matrix_figure(special, theme)
    return bars_figure(special, theme) if special.rows else curve_figure(special, theme)


def matrix_figure(special: Special, theme: Theme) -> go.Figure:
    """Draw a matrix as a heatmap; small ones with their numbers."""
    labels, (n_rows, n_columns) = LABELS[special.key], special.numbers.shape
    top = float(np.abs(special.numbers).max(initial=0.0)) or 1.0
    small = special.numbers.size <= MAX_NAMED
    pointed = f"{literal(labels.value)} %{{z:.3g}}<extra></extra>"
    heat = {
        "type": "heatmap",
        "z": special.numbers.astype(np.float32),
        "zmin": -top if special.signed else 0.0,
        "zmax": top,
        "colorscale": poles(theme) if special.signed else rising(theme, theme.positive),
        "text": [[number(value) for value in row] for row in special.numbers.tolist()] if small else None,
        "texttemplate": "%{text}" if n_columns <= MAX_WRITTEN and n_rows <= 3 * MAX_WRITTEN else None,
        "textfont": {"size": 11 if n_columns <= 5 else 10, "color": theme.ink},
        "customdata": _names(special) if small else None,
        "xgap": 1 if n_columns <= 40 else 0,
        "ygap": 1 if n_rows <= 60 else 0,
        "colorbar": {
            "thickness": 8,
            "len": 0.9,
            "outlinewidth": 0,
            "nticks": 5,
            "tickfont": {"color": theme.dim, "size": 11},
        },
        "hovertemplate": f"%{{customdata[0]}}, %{{customdata[1]}}<br>{pointed}" if small else pointed,
    }
    plain = {"showgrid": False, "zeroline": False}
    layout = {
        "xaxis": {
            **plain,
            **_ticks(special.columns),
            "title": {"text": literal(labels.column), "standoff": 4},
            "range": [-0.5, n_columns - 0.5],
        },
        "yaxis": {
            **plain,
            **_ticks(special.rows),
            "title": {"text": literal(labels.row), "standoff": 4},
            "range": [n_rows - 0.5, -0.5],
        },
        "height": int(np.clip(24 * n_rows, 180, 440)) + 64,
    }
    return _drawn(heat, layout, theme)


def _names(special: Special) -> list[list[list[str]]]:
    rows, columns = [literal(name) for name in special.rows], [literal(name) for name in special.columns]
    return [[[row, column] for column in columns] for row in rows]


def curve_figure(special: Special, theme: Theme) -> go.Figure:
    """Draw values step by step."""
    labels, values = LABELS[special.key], special.numbers.tolist()
    log = special.key in LOGARITHMIC
    line = {
        "type": "scatter",
        "x": list(range(len(values))),
        "y": [None if log and value <= 0 else value for value in values],
        "mode": "lines+markers" if len(values) <= 60 else "lines",
        "line": {"color": theme.accent, "width": 2},
        "marker": {"size": 6, "color": theme.accent},
        "hovertemplate": (
            f"{literal(labels.row)} %{{x}}<br>{literal(labels.value)} %{{y:.4g}}<extra></extra>"
        ),
    }
    layout = {
        "xaxis": {
            "title": {"text": literal(labels.row), "standoff": 6},
            "nticks": 8,
            "showgrid": False,
        },
        "yaxis": {
            "title": {"text": literal(labels.value), "standoff": 4},
            "nticks": 6,
            "type": "log" if log else "linear",
            "exponentformat": "power",
        },
        "height": HEIGHT,
    }
    return _drawn(line, layout, theme)


def bars_figure(special: Special, theme: Theme) -> go.Figure:
    """Draw a bar for each name."""
    labels = LABELS[special.key]
    trace = {
        "type": "bar",
        "x": list(range(len(special.rows))),
        "y": special.numbers.tolist(),
        "customdata": [literal(name) for name in special.rows],
        "marker": {"color": theme.accent},
        "hovertemplate": f"%{{customdata}}<br>{literal(labels.value)} %{{y:.4g}}<extra></extra>",
    }
    layout = {
        "xaxis": {
            **_ticks(special.rows),
            "title": {"text": literal(labels.row), "standoff": 4},
            "showgrid": False,
        },
        "yaxis": {
            "title": {"text": literal(labels.value), "standoff": 4},
            "nticks": 6,
            "rangemode": "tozero",
        },
        "bargap": 0.3,
        "height": HEIGHT,
    }
    return _drawn(trace, layout, theme)


def _ticks(names: Sequence[str]) -> dict[str, object]:
    """Label all of a few names, every second, third, ... of many."""
    step = max(1, -(-len(names) // MAX_TICKS))
    shown = range(0, len(names), step)
    return {
        "tickvals": list(shown),
        "ticktext": [literal(shorten(names[k], LONGEST_NAME)) for k in shown],
    }


def _drawn(trace: dict[str, Any], layout: dict[str, Any], theme: Theme) -> go.Figure:
    shared = {"margin": {"l": 12, "r": 12, "t": 8, "b": 44}, "showlegend": False}
    return build_figure([trace], {**shared, **layout}, theme)
