"""Drawings of exhibits as tables: those that are tables, and the numbers of all others."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import pandas as pd

from ecocviz.lab.evidence.drawings import Drawing, Heatmap, Panels, Ranks, Table
from ecocviz.lab.evidence.told import number, words_of
from ecocviz.views.shared.draw.outside import plain, told_apart
from ecocviz.views.shared.draw.tables import column_width

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

THEIRS = "the paper"


def shown_table(drawing: Table) -> pd.DataFrame:
    """Return a table as it is shown: ours, the paper's in brackets; its columns have names of their own."""
    columns = told_apart(drawing.columns)
    rows = [[plain(name), *(plain(words_of(entry)) for entry in entries)] for name, entries in drawing.rows]
    return pd.DataFrame(rows, columns=columns)


def tinted(shown: pd.DataFrame, places: Collection[tuple[int, int]], colour: str) -> "Styler":
    """Return a shown table with some places, row and column, on a colour."""
    tint, width = f"background-color: {colour}", shown.shape[1]
    # Made in one go: putting a text into a frame costs pandas a copy of the column.
    rows = [[tint if (row, column) in places else "" for column in range(width)] for row in range(len(shown))]
    styles = pd.DataFrame(rows, index=shown.index, columns=shown.columns, dtype=object)
    return shown.style.apply(lambda _: styles, axis=None)


def best_cells(drawing: Table) -> list[tuple[int, int]]:
    """Return which places, row and column, are the best of their row."""
    return [
        (row, column + 1)
        for row, (_, entries) in enumerate(drawing.rows)
        for column, entry in enumerate(entries)
        if entry.best
    ]


def number_at(drawing: Table, row: int, column: int) -> int | None:
    """Return the number of a place among all that can be opened; None for a name or an empty place."""
    n_before = sum(len(entries) for _, entries in drawing.rows[:row])
    return n_before + column - 1 if 1 <= column <= len(drawing.rows[row][1]) else None


def column_widths(shown: pd.DataFrame) -> Mapping[str, int]:
    """Return the width of every column, by its name."""
    return {str(name): column_width(str(name), shown[name]) for name in shown.columns}


def data_table(drawing: Drawing) -> pd.DataFrame:
    """Return the numbers of a drawing as a table, a row for each of them."""
    if isinstance(drawing, Panels):
        return pd.DataFrame(
            {
                "panel": panel.title,
                "line": line.name,
                "whose": THEIRS if line.theirs else "ours",
                "x": point.x,
                "y": point.y,
                "low": point.low,
                "high": point.high,
            }
            for panel in drawing.panels
            for line in panel.lines
            for point in line.points
        )
    if isinstance(drawing, Table):
        return pd.DataFrame(
            {"row": name, "column": column, "ours": entry.ours, THEIRS: entry.theirs}
            for name, entries in drawing.rows
            for column, entry in zip(drawing.columns[1:], entries, strict=False)
        )
    if isinstance(drawing, Ranks):
        return pd.DataFrame({"method": list(drawing.names), "average rank": list(drawing.ranks)})
    return pd.DataFrame(
        {"row": row, "column": column, "value": value}
        for row, values in zip(drawing.rows, drawing.values, strict=True)
        for column, value in zip(drawing.columns, values, strict=True)
    )


def alt_of(drawing: Drawing) -> str:
    """Say in words what a drawing shows."""
    if isinstance(drawing, Panels):
        names = list(dict.fromkeys(line.name for panel in drawing.panels for line in panel.lines))
        panels = ", ".join(panel.title for panel in drawing.panels if panel.title)
        first = drawing.panels[0]
        return f"{drawing.title}: {first.y} over {first.x} for {', '.join(names)}. Panels: {panels or 'one'}."
    if isinstance(drawing, Ranks):
        order = sorted(range(len(drawing.names)), key=lambda k: drawing.ranks[k])
        listed = ", ".join(f"{drawing.names[k]} {number(drawing.ranks[k], 2)}" for k in order)
        return f"{drawing.title}: average ranks {listed}."
    if isinstance(drawing, Heatmap):
        return f"{drawing.title}: {len(drawing.rows)} times {len(drawing.columns)} values."
    return f"{drawing.title}: {', '.join(drawing.columns)} of {len(drawing.rows)} rows."
