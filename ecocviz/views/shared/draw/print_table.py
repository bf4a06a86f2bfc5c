"""The numbers of a figure as a table: a row for every mark, bar or cell that is drawn."""

from typing import Any

import numpy as np
import pandas as pd

from ecocviz.views.shared.draw.build import Figure
from ecocviz.views.shared.draw.print_axes import title_of
from ecocviz.views.shared.draw.print_spec import Drawn, Spec, axes_of, read_figure, values_of
from ecocviz.views.shared.draw.print_text import letters_of

PICTURES = ("image", "contour")
"""Kinds of traces that hold no numbers of their own: who draws them has a table."""


def figure_table(figure: Figure) -> pd.DataFrame:
    """Return what a figure draws, exactly.

    Parameters
    ----------
    figure
        Of `build_figure`.

    Returns
    -------
    DataFrame
        Columns: panel (where there are several), series, x and y under the axes' titles, value (of cells),
        and what is written at a number on an axis, where that is something else.
    """
    drawn = read_figure(figure)
    pairs = drawn.pairs()
    parts = [_rows(drawn, trace) for trace in drawn.traces if trace["type"] not in PICTURES]
    table = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame({"series": []})
    if len(pairs) == 1:
        del table["panel"]
    for name in ("series", "x as written", "y as written"):
        if name in table and not any(isinstance(cell, str) and cell for cell in table[name]):
            del table[name]
    titles = (
        {title_of(drawn.axis(name)) for name in {x for x, _ in pairs}},
        {title_of(drawn.axis(name)) for name in {y for _, y in pairs}},
    )
    heads = {"x": _head("x", titles[0] - {""}), "y": _head("y", titles[1] - {""})}
    return table.rename(columns=heads)


def _head(letter: str, titles: set[str]) -> str:
    """Return the head of a column.

    >>> _head("x", {"Bit"}), _head("y", set())
    ('x: Bit', 'y')
    """
    return f"{letter}: {next(iter(titles))}" if len(titles) == 1 else letter


def _rows(drawn: Drawn, trace: Spec) -> pd.DataFrame:
    """Return the rows of one trace; those without any number are left out."""
    pair = axes_of(trace)
    x, y = (list(values_of(trace, letter)) for letter in "xy")
    found: dict[str, Any] = {}
    if trace["type"] == "heatmap":
        cells = trace["z"]
        values = [None if v is None else v for row in cells for v in row]
        x, y = x * len(y), [value for value in y for _ in x]
        found["value"] = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
        if "%{text" in (trace.get("texttemplate") or ""):
            found["value as written"] = [letters_of(text) for row in trace["text"] for text in row]
    table = {
        "panel": drawn.pairs().index(pair) + 1,
        "series": letters_of(trace.get("name")),
        **_places(drawn, pair, x, y),
    }
    frame = pd.DataFrame({**table, **found, **_reach(trace)})
    return frame[[not _missing(a) and not _missing(b) for a, b in zip(x, y, strict=True)]]


def _places(drawn: Drawn, pair: tuple[str, str], x: list[Any], y: list[Any]) -> dict[str, Any]:
    """Return the columns of both coordinates, and of what is written there."""
    found: dict[str, Any] = {}
    for letter, name, values in zip("xy", pair, (x, y), strict=True):
        shown = [letters_of(value) if isinstance(value, str) else value for value in values]
        found[letter] = shown
        axis = drawn.axis(name)
        places, texts = axis.get("tickvals"), axis.get("ticktext")
        if places is not None and texts is not None:
            written = {
                place: letters_of(text) for place, text in zip(list(places), list(texts), strict=False)
            }
            found[f"{letter} as written"] = [
                written.get(value, "") if isinstance(value, int | float) else "" for value in values
            ]
    return found


def _reach(trace: Spec) -> dict[str, Any]:
    """Return the lengths of the intervals around points."""
    found: dict[str, Any] = {}
    for letter in "xy":
        error = trace.get(f"error_{letter}") or {}
        if error.get("array") is not None:
            found[f"{letter} up by"] = list(error["array"])
            found[f"{letter} down by"] = list(error.get("arrayminus", error["array"]))
    return found


def _missing(value: Any) -> bool:  # noqa: ANN401 - a name, a number or none
    return value is None or (isinstance(value, float) and np.isnan(value))
