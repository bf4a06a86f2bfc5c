"""A data set before any machine sees it: how many rows each class has, and where they lie."""

from collections.abc import Sequence
from html import escape

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.params import shorten
from ecocviz.engine.types import BoolArray, FloatArray, IntArray
from ecocviz.figures.theme import Theme, class_colour, class_edge, class_size, class_symbol, template

LONGEST_NAME = 22
BAR, TALLEST = 26, 620
SCATTER_HEIGHT = 470
MANY_POINTS = 1_500
"""More are drawn by the graphics card."""
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
    positions = np.arange(n)
    widest = int((train + shown).max())
    figure = go.Figure(
        [
            _bars(classes, train, "training", "" if pooled else " training", 1.0),
            _bars(classes, shown, "test", " test", UNTESTED_OPACITY),
            _symbols(n, -0.05 * widest, theme),
        ]
    )
    height = int(np.clip(74 + BAR * n, 150, TALLEST))
    step = -(-n // ((TALLEST - 74) // 16))
    if step == 1:
        texts = [f" {a:,}" if pooled else f" {a:,} + {b:,}" for a, b in zip(train, test, strict=True)]
        figure.add_trace(
            go.Scatter(
                x=train + shown, y=positions, mode="text", text=texts, textposition="middle right",
                textfont={"color": theme.dim, "size": 12}, hoverinfo="skip", cliponaxis=False,
            )
        )  # fmt: skip
    figure.update_xaxes(
        title={"text": "rows" if pooled else "rows, training + test", "standoff": 4},
        range=[-0.1 * widest, 1.24 * widest], zeroline=False,
    )  # fmt: skip
    figure.update_yaxes(
        tickvals=positions[::step],
        ticktext=[escape(shorten(name, LONGEST_NAME)) for name in classes[::step]],
        range=[n - 0.5, -0.5], showgrid=False, zeroline=False, ticklabelstandoff=8,
    )  # fmt: skip
    figure.update_layout(
        template=template(theme),
        barmode="stack",
        bargap=0.35,
        height=height,
        margin={"l": 12, "r": 12, "t": 4, "b": 36},
        showlegend=False,
        dragmode=False,
        hovermode="closest",
        hoverlabel={"bgcolor": theme.panel, "bordercolor": theme.line, "font": {"color": theme.ink}},
    )
    return figure


def _bars(classes: Sequence[str], rows: IntArray, part: str, told: str, opacity: float) -> go.Bar:
    return go.Bar(
        x=rows,
        y=np.arange(len(classes)),
        orientation="h",
        name=part,
        customdata=[escape(name) for name in classes],
        marker={
            "color": [class_colour(c) for c in range(len(classes))],
            "opacity": opacity,
            "line": {"width": 0},
        },
        hovertemplate=f"%{{customdata}}<br>%{{x:,}}{told} rows<extra></extra>",
    )


def _symbols(n_classes: int, x: float, theme: Theme) -> go.Scatter:
    """Draw every class's symbol before its bar."""
    classes = range(n_classes)
    return go.Scatter(
        x=np.full(n_classes, x), y=np.arange(n_classes), mode="markers", hoverinfo="skip", cliponaxis=False,
        marker={
            "symbol": [class_symbol(c) for c in classes], "color": [class_colour(c) for c in classes],
            "size": [class_size(c, 9.5) for c in classes], "opacity": 1,
            "line": {"color": [class_edge(c, theme) for c in classes], "width": 1},
        },
    )  # fmt: skip


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
    kind = go.Scattergl if len(codes) > MANY_POINTS else go.Scatter
    share = 1.0 if len(codes) <= 600 else 0.8 if len(codes) <= MANY_POINTS else 0.65
    figure = go.Figure()
    for c, name in enumerate(classes):
        mine = codes == c
        told = ["training row", "test row"] if is_test.any() else ["row", "row"]
        figure.add_trace(
            kind(
                x=coordinates[mine, 0],
                y=coordinates[mine, 1],
                mode="markers",
                name=escape(shorten(name, LONGEST_NAME)),
                customdata=rows[mine] + 1,
                text=[told[tested] for tested in is_test[mine].astype(int).tolist()],
                marker={
                    "color": class_colour(c),
                    "symbol": class_symbol(c),
                    "size": class_size(c, share)
                    * np.where(is_test[mine] | ~is_test.any(), TEST_SIZE, TRAIN_SIZE),
                    "opacity": 1,
                    "line": {"color": class_edge(c, theme), "width": 0.8},
                },
                hovertemplate=f"{escape(name)}, %{{text}} %{{customdata:,}}<extra></extra>",
            )
        )
    figure.update_xaxes(**_axis(names[0], levels[0]))
    figure.update_yaxes(**_axis(names[1], levels[1]))
    figure.update_layout(
        template=template(theme),
        height=SCATTER_HEIGHT,
        margin={"l": 48, "r": 12, "t": 8, "b": 44},
        legend={"orientation": "h", "x": 0, "y": 1.01, "yanchor": "bottom", "itemsizing": "constant"},
        showlegend=has_legend(classes),
        dragmode=False,
        hovermode="closest",
        hoverlabel={"bgcolor": theme.panel, "bordercolor": theme.line, "font": {"color": theme.ink}},
    )
    return figure


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
