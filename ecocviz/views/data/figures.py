"""A data set before any machine sees it: how many rows each class has, where they lie, and what they hold."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.data.types import Table
from ecocviz.engine.params import shorten
from ecocviz.engine.types import IntArray
from ecocviz.lab.plane import PCA
from ecocviz.views.data.cloud import Cloud
from ecocviz.views.data.facts import Consequences, TableFacts
from ecocviz.views.data.words import SHOWN_COLUMNS, SHOWN_ROWS
from ecocviz.views.shared.draw.build import MANY_POINTS, build_figure
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.theme import Theme, class_colour, class_edge, class_size, class_symbol

LONGEST_NAME = 22
BAR, TALLEST = 26, 620
SCATTER_HEIGHT = 470
MANY_LEVELS = 14
TEST_SIZE, TRAIN_SIZE = 9, 6.5
UNTESTED_OPACITY = 0.38


def balance_figure(found: Consequences, theme: Theme) -> go.Figure:
    """Draw a bar of rows for every class, training rows full and test rows pale.

    Where training and test rows are the same rows (several folds, or training error) one bar stands
    for both.
    """
    classes, train = found.classes, found.train
    pooled = found.n_folds > 1 or found.tests_trained
    n = len(classes)
    shown = np.zeros(n, dtype=np.int64) if pooled else found.test
    widest = int((train + shown).max())
    step = -(-n // ((TALLEST - 74) // 16))
    traces = [
        _bars(classes, train, "training", "" if pooled else " training", 1.0),
        _bars(classes, shown, "test", " test", UNTESTED_OPACITY),
        _symbols(n, -0.05 * widest, theme),
    ]
    if step == 1:
        texts = [f" {a:,}" if pooled else f" {a:,} + {b:,}" for a, b in zip(train, shown, strict=True)]
        traces.append(_row_counts(texts, train + shown, theme))
    layout = {
        "xaxis": {
            "title": {"text": "rows" if pooled else "rows, training + test", "standoff": 4},
            "range": [-0.1 * widest, 1.24 * widest],
            "zeroline": False,
        },
        "yaxis": {
            "tickvals": np.arange(0, n, step),
            "ticktext": [literal(shorten(name, LONGEST_NAME)) for name in classes[::step]],
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


def _bars(classes: Sequence[str], rows: IntArray, name: str, what: str, opacity: float) -> dict[str, Any]:
    return {
        "type": "bar",
        "x": rows,
        "y": np.arange(len(classes)),
        "orientation": "h",
        "name": name,
        "customdata": [literal(one) for one in classes],
        "marker": {
            "color": [class_colour(c) for c in range(len(classes))],
            "opacity": opacity,
            "line": {"width": 0},
        },
        "hovertemplate": f"%{{customdata}}<br>%{{x:,}}{what} rows<extra></extra>",
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


def balance_table(found: Consequences) -> pd.DataFrame:
    """Return the rows of every class: in the set, trained on, tested on."""
    return pd.DataFrame(
        {
            "class": list(found.classes),
            "rows": found.counts,
            "training rows": found.train,
            "test rows": found.test,
        }
    )


def scatter_figure(cloud: Cloud, theme: Theme) -> go.Figure:
    """Draw rows as points, every class in its colour and symbol."""
    drawn = cloud.drawn
    codes, is_test, rows = cloud.codes[drawn], cloud.is_test[drawn], cloud.rows[drawn]
    share = 1.0 if len(codes) <= 600 else 0.8 if len(codes) <= MANY_POINTS else 0.65
    kinds = ["training row", "test row"] if is_test.any() else ["row", "row"]
    sizes = np.where(is_test | ~is_test.any(), TEST_SIZE, TRAIN_SIZE)
    traces = []
    for c, name in enumerate(cloud.classes):
        mine = codes == c
        traces.append(
            {
                "type": "scattergl" if len(codes) > MANY_POINTS else "scatter",
                "x": cloud.coordinates[drawn[mine], 0],
                "y": cloud.coordinates[drawn[mine], 1],
                "mode": "markers",
                "name": literal(shorten(name, LONGEST_NAME)),
                "customdata": rows[mine] + 1,
                "text": [kinds[tested] for tested in is_test[mine].astype(int).tolist()],
                "marker": {
                    "color": class_colour(c),
                    "symbol": class_symbol(c),
                    "size": class_size(c, share) * sizes[mine],
                    "opacity": 1,
                    "line": {"color": class_edge(c, theme), "width": 0.8},
                },
                "hovertemplate": f"{literal(name)}, %{{text}} %{{customdata:,}}<extra></extra>",
            }
        )
    layout = {
        "xaxis": _axis(cloud.names[0], cloud.levels[0]),
        "yaxis": _axis(cloud.names[1], cloud.levels[1]),
        "height": SCATTER_HEIGHT,
        "margin": {"l": 48, "r": 12, "t": 8, "b": 44},
        "legend": {"orientation": "h", "x": 0, "y": 1.01, "yanchor": "bottom", "itemsizing": "constant"},
        "showlegend": has_legend(cloud.classes),
    }
    return build_figure(traces, layout, theme)


def _axis(name: str, levels: Sequence[str]) -> dict[str, object]:
    """Return an axis of numbers, of words, or without either where it has no name."""
    axis: dict[str, object] = {
        "title": {"text": literal(shorten(name, 60)), "standoff": 6},
        "zeroline": False,
    }
    if levels:
        step = -(-len(levels) // MANY_LEVELS)
        axis["tickvals"] = np.arange(0, len(levels), step)
        axis["ticktext"] = [literal(shorten(level, 16)) for level in levels[::step]]
    elif not name:
        axis |= {"showticklabels": False, "showgrid": False}
    return axis


def has_legend(classes: Sequence[str]) -> bool:
    """Say whether the names of the classes fit over the picture.

    >>> has_legend(["A", "B"]), has_legend(["a rather long name"] * 6)
    (True, False)
    """
    return len(classes) <= 10 and sum(min(len(name), LONGEST_NAME) + 4 for name in classes) <= 75


def points_table(cloud: Cloud, table: Table) -> pd.DataFrame:
    """Return the drawn points with their true values: the picture scatters equal ones."""
    drawn, rows = cloud.drawn, cloud.rows[cloud.drawn]
    across: Any = cloud.coordinates[drawn, 0]
    upwards: Any = cloud.coordinates[drawn, 1]
    if cloud.key != PCA:
        values = [table.features.iloc[rows, int(k)].to_numpy() for k in cloud.key.split(",")]
        across, upwards = [*values, upwards][:2]
    x, y = cloud.names[0], cloud.names[1] or "chance"
    return pd.DataFrame(
        {
            "row": rows + 1,
            x: across,
            y if y != x else f"{y} (2)": upwards,
            "class": [cloud.classes[c] for c in cloud.codes[drawn].tolist()],
            "part": np.where(cloud.is_test[drawn], "test", "training"),
        }
    )


# Tables --------------------------------------------------------------------------------------------


def preview(table: Table) -> pd.DataFrame:
    """Return the first rows and columns with the class in front."""
    shown = table.features.iloc[:SHOWN_ROWS, :SHOWN_COLUMNS].copy()
    labels = table.labels.iloc[:SHOWN_ROWS].to_numpy()
    shown.insert(0, label_name(table), labels, allow_duplicates=True)
    shown.columns = pd.Index(_apart([str(name) for name in shown.columns]))
    return shown


def label_name(table: Table) -> str:
    """Return what the class column is called."""
    return "class" if table.labels.name is None else str(table.labels.name)


def _apart(names: list[str]) -> list[str]:
    """Give the class another name where a feature has the same."""
    return [f"{names[0]} (class)" if names[0] in names[1:] else names[0], *names[1:]]


def whole(table: Table) -> pd.DataFrame:
    """Return a table with its class as last column."""
    frame = table.features.copy()
    name = label_name(table)
    frame[_apart([name, *map(str, frame.columns)])[0]] = table.labels.to_numpy()
    return frame


def columns_table(facts: TableFacts) -> pd.DataFrame:
    """Return the facts of every column."""
    columns = facts.columns
    return pd.DataFrame(
        {
            "Column": [column.name for column in columns],
            "Holds": [column.kind for column in columns],
            "Missing": [column.n_missing for column in columns],
            "Different values": [column.n_values for column in columns],
            "Values": [column.summary for column in columns],
        }
    )
