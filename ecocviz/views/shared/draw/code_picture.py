"""A code matrix as a figure to be saved, with what a picked point makes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ecocviz.engine.params import shorten
from ecocviz.engine.types import AnyCode, IntArray
from ecocviz.views.shared.draw.build import Figure, build_figure, ticks_that_fit
from ecocviz.views.shared.draw.outside import literal, told_apart
from ecocviz.views.shared.draw.theme import (
    CELL,
    FAINT,
    Theme,
    class_colour,
    class_edge,
    class_size,
    class_symbol,
    mixed,
)
from ecocviz.views.shared.draw.words import MINUS

SIGNS = {1: "+", -1: MINUS, 0: "0"}
ROW, HEAD = 19, 90
"""Heights of a row of a code, and of what is above and below them, in pixels."""
SIGN_CM = 0.27
"""The least width of an entry in which its sign can be read."""
BESIDE_CM = 2.6
"""What names and costs take of the width."""
MOST_OUTLINED = 400
"""Entries; of more, those that agree are told by their strength only."""
LONGEST_NAME = 24
AGREES = "strong where the picked point agrees"


@dataclass(frozen=True, slots=True)
class Marks:
    """What the picked point adds to the grid.

    Attributes
    ----------
    bits : (n_bits,)
        Its bits as the decoder reads them.
    costs : (n_rows,)
        As texts.
    winner
        Row that wins.
    decoder
        Title.
    wrong, tipping
        Bits that are wrong, and those whose flips together change the decision.
    steps
        While bits are played: number of bits, costs as texts, and winning row of each step.
    """

    bits: tuple[int, ...]
    costs: tuple[str, ...]
    winner: int
    decoder: str
    wrong: tuple[int, ...] = ()
    tipping: tuple[int, ...] = ()
    steps: tuple[tuple[int, tuple[str, ...], int], ...] = ()


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a code: class numbers, names, and what is wrong with rows and columns."""

    numbers: tuple[int, ...]
    names: tuple[str, ...]
    row_faults: Mapping[int, str]
    faults: Mapping[int, str]


def code_figure(
    code_matrix: AnyCode, rows: Rows, marks: Marks | None, *, title: str, width: float, theme: Theme
) -> Figure:
    """Draw a code matrix, its classes with their symbols.

    Parameters
    ----------
    code_matrix : (n_rows, n_bits)
        Of which the signs are drawn.
    rows
        What its rows are.
    marks
        What the picked point makes of it: where its bits agree entries are stronger and outlined.
    title
        Of the figure.
    width
        In centimetres.
    theme
        Light or dark.
    """
    signs = np.sign(code_matrix).astype(np.int64)
    n_rows, n_bits = signs.shape
    agrees = np.ones(signs.shape, np.bool_)
    if marks is not None:
        agrees = signs == np.array(marks.bits)
    outlined = marks is not None and signs.size <= MOST_OUTLINED
    readable = n_bits * SIGN_CM <= width - BESIDE_CM
    beside = max(0.7, 0.3 * n_bits / max(width - BESIDE_CM, 1))
    symbols = _symbols(rows.numbers, 0.5 - beside / 1.6, theme)
    layout = {
        "title": {"text": literal(title)},
        "height": HEAD + ROW * n_rows,
        "showlegend": False,
        "xaxis": {
            **_columns(n_bits, rows.faults, width, theme),
            "title": {"text": f"column{f' ({AGREES})' if marks is not None else ''}"},
            "range": [0.5 - beside, n_bits + 0.5],
        },
        "yaxis": _names(rows, theme),
        "shapes": _outlines(signs, agrees, theme) if outlined else [],
        "annotations": [] if marks is None else _costs(marks),
    }
    return build_figure([_entries(signs, agrees, theme, readable=readable), symbols], layout, theme)


def _entries(signs: IntArray, agrees: Any, theme: Theme, *, readable: bool) -> dict[str, Any]:  # noqa: ANN401 - (n_rows, n_bits)
    """Return the entries as cells of five colours: both poles strong and faint, and zero between them."""
    shades = [
        mixed(theme.surface, theme.negative, CELL), mixed(theme.surface, theme.negative, FAINT), theme.zero,
        mixed(theme.surface, theme.positive, FAINT), mixed(theme.surface, theme.positive, CELL),
    ]  # fmt: skip
    found = {
        "type": "heatmap", "x": np.arange(signs.shape[1]) + 1, "y": np.arange(signs.shape[0]),
        "z": signs * np.where(agrees, 2, 1), "zmin": -2, "zmax": 2, "showscale": False,
        "colorscale": [(k / 4, shade) for k, shade in enumerate(shades)],
        "xgap": 2 if readable else 0, "ygap": 2 if readable else 1,
    }  # fmt: skip
    if readable:
        found["text"] = [[SIGNS[sign] for sign in row] for row in signs.tolist()]
        found |= {"texttemplate": "%{text}", "textfont": {"size": 11, "color": theme.ink}}
    return found


def _symbols(numbers: Sequence[int], x: float, theme: Theme) -> dict[str, Any]:
    marker = {
        "symbol": [class_symbol(c) for c in numbers], "color": [class_colour(c) for c in numbers],
        "size": [class_size(c, 9.0) for c in numbers],
        "line": {"color": [class_edge(c, theme) for c in numbers], "width": 0.9},
    }  # fmt: skip
    places = {"x": [x] * len(numbers), "y": list(range(len(numbers)))}
    return {"type": "scatter", "mode": "markers", **places, "marker": marker, "cliponaxis": False}


def _columns(n_bits: int, faults: Mapping[int, str], width: float, theme: Theme) -> dict[str, Any]:
    """Return the axis of columns; the numbers of faulty ones are marked."""
    shown = ticks_that_fit(n_bits, int(2 * (width - BESIDE_CM)), len(str(n_bits))).tolist()
    shown = sorted({*shown, *faults}) if len(faults) <= len(shown) else shown
    names = [_marked(str(b + 1), b in faults, theme) for b in shown]
    return {"showgrid": False, "zeroline": False, "tickvals": [b + 1 for b in shown], "ticktext": names}


def _names(rows: Rows, theme: Theme) -> dict[str, Any]:
    n = len(rows.names)
    names = [literal(shorten(name, LONGEST_NAME)) for name in rows.names]
    return {
        "range": [n - 0.5, -0.5], "showgrid": False, "zeroline": False, "tickvals": list(range(n)),
        "ticktext": [_marked(name, k in rows.row_faults, theme) for k, name in enumerate(names)],
    }  # fmt: skip


def _marked(text: str, bad: bool, theme: Theme) -> str:
    return f'<b><span style="color:{theme.wrong}">{text}</span></b>' if bad else text


def _outlines(signs: IntArray, agrees: Any, theme: Theme) -> list[dict[str, Any]]:  # noqa: ANN401 - as above
    """Return frames around the entries with which the picked point agrees."""
    found = []
    for row, column in np.argwhere(agrees & (signs != 0)).tolist():
        pole = theme.positive if signs[row, column] > 0 else theme.negative
        sides = {"x0": column + 0.58, "x1": column + 1.42, "y0": row - 0.42, "y1": row + 0.42}
        found.append({"type": "rect", **sides, "line": {"color": mixed(theme.ink, pole, 0.72), "width": 1.2}})
    return found


def _costs(marks: Marks) -> list[dict[str, Any]]:
    """Return the cost of every row to the right of it, the winner's in bold."""
    at = {
        "xref": "x domain",
        "x": 1.0,
        "xanchor": "left",
        "xshift": 8,
        "showarrow": False,
        "font": {"size": 12},
    }
    head = {**at, "yref": "y domain", "y": 1.0, "yanchor": "bottom", "text": f"{literal(marks.decoder)} cost"}
    rows = [
        {**at, "y": k, "yanchor": "middle", "text": f"<b>{cost}, wins</b>" if k == marks.winner else cost}
        for k, cost in enumerate(marks.costs)
    ]
    return [head, *rows]


def code_table(code_matrix: AnyCode, rows: Rows) -> pd.DataFrame:
    """Return a code matrix, a row a class."""
    heads = told_apart(["class", *(f"column {b + 1}" for b in range(code_matrix.shape[1]))])
    columns: list[object] = [list(rows.names), *np.asarray(code_matrix).T]
    return pd.DataFrame(dict(zip(heads, columns, strict=True)))
