"""A data set before any machine sees it: how many rows each class has, and where they lie."""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.params import shorten
from ecocviz.engine.types import BoolArray, FloatArray, IntArray
from ecocviz.views.shared.draw.build import MANY_POINTS, build_figure
from ecocviz.views.shared.draw.theme import Theme, class_colour, class_edge, class_size, class_symbol

LONGEST_NAME = 22
BAR, TALLEST = 26, 620
SCATTER_HEIGHT = 470
MANY_LEVELS = 14
TEST_SIZE, TRAIN_SIZE = 9, 6.5
UNTESTED_OPACITY = 0.38


def balance_figure(
    classes: Sequence[str], train: IntArray, test: IntArray, theme: Theme, *, pooled: bool = False
) -> go.Figure:
    """Draw a bar of rows for every class, training rows full and test rows pale.

    Parameters
    ----------
    train, test : (n_classes,)
        Rows of each class.
    pooled
        Whether training and test rows are the same rows (several folds, or training error): then
        one bar stands for both.
    """
    n = len(classes)
    shown = np.zeros(n, dtype=np.int64) if pooled else test
    widest = int((train + shown).max())
    step = -(-n // ((TALLEST - 74) // 16))
    traces = [
        _bars(classes, train, "training", "" if pooled else " training", 1.0),
        _bars(classes, shown, "test", " test", UNTESTED_OPACITY),
        _symbols(n, -0.05 * widest, theme),
    ]
    if step == 1:
        texts = [f" {a:,}" if pooled else f" {a:,} + {b:,}" for a, b in zip(train, test, strict=True)]
        traces.append(_row_counts(texts, train + shown, theme))
    layout = {
        "xaxis": {
            "title": {"text": "rows" if pooled else "rows, training + test", "standoff": 4},
            "range": [-0.1 * widest, 1.24 * widest],
            "zeroline": False,
        },
        "yaxis": {
            "tickvals": np.arange(0, n, step),
            "ticktext": [escape(shorten(name, LONGEST_NAME)) for name in classes[::step]],
            "range": [n - 0.5, -0.5],
            "showgrid": False,
            "zeroline": False,
            "ticklabelstandoff": 8,
        },
        "barmode": "stack",
        "bargap": 0.35,
        "height": int(np.clip(74 + BAR * n, 150, TALLEST)),
        "margin": {"l": 12, "r": 12, "t": 4, "b": 36},
        "showlegend": False,
    }
    return build_figure(traces, layout, theme)


def _bars(classes: Sequence[str], rows: IntArray, part: str, told: str, opacity: float) -> dict[str, Any]:
    return {
        "type": "bar",
        "x": rows,
        "y": np.arange(len(classes)),
        "orientation": "h",
        "name": part,
        "customdata": [escape(name) for name in classes],
        "marker": {
            "color": [class_colour(c) for c in range(len(classes))],
            "opacity": opacity,
            "line": {"width": 0},
        },
        "hovertemplate": f"%{{customdata}}<br>%{{x:,}}{told} rows<extra></extra>",
    }


def _symbols(n_classes: int, x: float, theme: Theme) -> dict[str, Any]:
    """Draw every class's symbol before its bar."""
    classes = range(n_classes)
    return {
        "type": "scatter",
        "x": np.full(n_classes, x),
        "y": np.arange(n_classes),
        "mode": "markers",
        "hoverinfo": "skip",
        "cliponaxis": False,
        "marker": {
            "symbol": [class_symbol(c) for c in classes],
            "color": [class_colour(c) for c in classes],
            "size": [class_size(c, 9.5) for c in classes],
            "opacity": 1,
            "line": {"color": [class_edge(c, theme) for c in classes], "width": 1},
        },
    }


def _row_counts(texts: Sequence[str], ends: IntArray, theme: Theme) -> dict[str, Any]:
    """Write texts behind the bars' ends, (n_classes,)."""
    return {
        "type": "scatter",
        "x": ends,
        "y": np.arange(len(texts)),
        "mode": "text",
        "text": texts,
        "textposition": "middle right",
        "textfont": {"color": theme.dim, "size": 12},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def balance_table(classes: Sequence[str], counts: IntArray, train: IntArray, test: IntArray) -> pd.DataFrame:
    """Return the rows of every class: in the set, trained on, tested on."""
    return pd.DataFrame({"class": list(classes), "rows": counts, "training rows": train, "test rows": test})


def scatter_figure(
    coordinates: FloatArray,
    codes: IntArray,
    is_test: BoolArray,
    rows: IntArray,
    classes: Sequence[str],
    names: tuple[str, str],
    theme: Theme,
    *,
    levels: tuple[Sequence[str], Sequence[str]] = ((), ()),
) -> go.Figure:
    """Draw rows as points, every class in its colour and symbol.

    Parameters
    ----------
    coordinates : (n_points, 2)
    codes, is_test, rows : (n_points,)
        Class, whether it is a test row, and its number in the table.
    classes
        Their names.
    names
        Of the two axes; an empty one has no numbers.
    levels
        For each axis the words at 0, 1, 2, ..., or nothing where it holds numbers.
    """
    share = 1.0 if len(codes) <= 600 else 0.8 if len(codes) <= MANY_POINTS else 0.65
    told = ["training row", "test row"] if is_test.any() else ["row", "row"]
    sizes = np.where(is_test | ~is_test.any(), TEST_SIZE, TRAIN_SIZE)
    traces = []
    for c, name in enumerate(classes):
        mine = codes == c
        traces.append(
            {
                "type": "scattergl" if len(codes) > MANY_POINTS else "scatter",
                "x": coordinates[mine, 0],
                "y": coordinates[mine, 1],
                "mode": "markers",
                "name": escape(shorten(name, LONGEST_NAME)),
                "customdata": rows[mine] + 1,
                "text": [told[tested] for tested in is_test[mine].astype(int).tolist()],
                "marker": {
                    "color": class_colour(c),
                    "symbol": class_symbol(c),
                    "size": class_size(c, share) * sizes[mine],
                    "opacity": 1,
                    "line": {"color": class_edge(c, theme), "width": 0.8},
                },
                "hovertemplate": f"{escape(name)}, %{{text}} %{{customdata:,}}<extra></extra>",
            }
        )
    layout = {
        "xaxis": _axis(names[0], levels[0]),
        "yaxis": _axis(names[1], levels[1]),
        "height": SCATTER_HEIGHT,
        "margin": {"l": 48, "r": 12, "t": 8, "b": 44},
        "legend": {"orientation": "h", "x": 0, "y": 1.01, "yanchor": "bottom", "itemsizing": "constant"},
        "showlegend": has_legend(classes),
    }
    return build_figure(traces, layout, theme)


def _axis(name: str, levels: Sequence[str]) -> dict[str, object]:
    """Return an axis of numbers, of words, or without either where it has no name."""
    axis: dict[str, object] = {
        "title": {"text": escape(shorten(name, 60)), "standoff": 6},
        "zeroline": False,
    }
    if levels:
        step = -(-len(levels) // MANY_LEVELS)
        axis["tickvals"] = np.arange(0, len(levels), step)
        axis["ticktext"] = [escape(shorten(level, 16)) for level in levels[::step]]
    elif not name:
        axis |= {"showticklabels": False, "showgrid": False}
    return axis


def has_legend(classes: Sequence[str]) -> bool:
    """Say whether the names of the classes fit over the picture.

    >>> has_legend(["A", "B"]), has_legend(["a rather long name"] * 6)
    (True, False)
    """
    return len(classes) <= 10 and sum(min(len(name), LONGEST_NAME) + 4 for name in classes) <= 75


def scatter_table(
    across: Sequence[float | str] | FloatArray,
    upwards: Sequence[float | str] | FloatArray,
    codes: IntArray,
    is_test: BoolArray,
    rows: IntArray,
    classes: Sequence[str],
    names: tuple[str, str],
) -> pd.DataFrame:
    """Return the values behind the points, (n_points,) for each axis; rows are counted from 1."""
    x, y = names
    return pd.DataFrame(
        {
            "row": rows + 1,
            x: across,
            y if y != x else f"{y} (2)": upwards,
            "class": [classes[c] for c in codes.tolist()],
            "part": np.where(is_test, "test", "training"),
        }
    )
