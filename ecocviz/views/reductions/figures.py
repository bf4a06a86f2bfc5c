"""Reductions side by side: their errors as a figure, and what is known of each as tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.views.decoders.figures import DecoderRow, errors_figure
from ecocviz.views.reductions.words import sizes_text
from ecocviz.views.shared.draw.theme import Theme


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What was measured of a reduction.

    Attributes
    ----------
    n_wrong, n
        Points decided wrongly, of how many.
    low, high
        Wilson's 95 % interval of the error.
    p
        McNemar's p-value against the scenario's own reduction; None where there is none to compare with.
    seconds, milliseconds
        Of training, and of 1000 decisions.
    sizes
        Points of each binary problem.
    """

    n_wrong: int
    n: int
    low: float
    high: float
    p: float | None
    seconds: float
    milliseconds: float
    sizes: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReductionRow:
    """A reduction in the comparison.

    Attributes
    ----------
    key, title
        Of the reduction.
    state
        What holds it up, such as "waiting"; "" once it has a result.
    predicted, at_most
        Points of each binary problem as predicted, None where that cannot be said; and whether there may
        be fewer.
    result
        None while there is none.
    """

    key: str
    title: str
    state: str
    predicted: Sequence[int] | None
    at_most: bool
    result: Result | None


def reduction_errors_figure(rows: Sequence[ReductionRow], own: str, part: str, theme: Theme) -> go.Figure:
    """Draw the errors of all that have a result, fewest first.

    Parameters
    ----------
    rows
        At least one with a result.
    own
        Key of the emphasised one; the first is if it has no result.
    part
        "Test" or "Training".
    theme
        Light or dark.
    """
    dots = [
        DecoderRow(
            key=row.key,
            title=row.title,
            n_wrong=row.result.n_wrong,
            n=row.result.n,
            low=row.result.low,
            high=row.result.high,
            p=row.result.p,
            log_loss=None,
            calibration_error=None,
            milliseconds=row.result.milliseconds,
        )
        for row in rows
        if row.result is not None
    ]
    dots.sort(key=lambda dot: dot.n_wrong)
    keys = [dot.key for dot in dots]
    return errors_figure(dots, keys.index(own) if own in keys else 0, part, theme)


def shown_table(rows: Sequence[ReductionRow]) -> pd.DataFrame:
    """Return the table as it is shown."""
    results = [row.result for row in rows]
    return pd.DataFrame(
        {
            "Reduction": [row.title for row in rows],
            "Errors": pd.array([None if r is None else r.n_wrong for r in results], dtype="Int64"),
            "Error": [None if r is None else round(100 * r.n_wrong / r.n, 1) for r in results],
            "Interval": [_interval(row) for row in rows],
            "Training": [None if r is None else r.seconds for r in results],
            "Decisions": [None if r is None else r.milliseconds for r in results],
            "Predicted": [
                None if row.predicted is None else sizes_text(row.predicted, at_most=row.at_most)
                for row in rows
            ],
            "Measured": [None if r is None else sizes_text(r.sizes) for r in results],
        }
    )


def _interval(row: ReductionRow) -> str:
    if row.result is None:
        return row.state
    return f"{100 * row.result.low:.1f} to {100 * row.result.high:.1f}"


def reductions_table(rows: Sequence[ReductionRow]) -> pd.DataFrame:
    """Return the comparison as a table of plain numbers, a row a reduction."""
    known = [
        {
            "errors": r.n_wrong,
            "points": r.n,
            "error": r.n_wrong / r.n,
            "interval from": r.low,
            "interval to": r.high,
            "p against own": r.p,
            "training seconds": r.seconds,
            "ms per 1000 decisions": r.milliseconds,
            "binary problems": len(r.sizes),
            "points of the smallest": min(r.sizes, default=0),
            "points of the largest": max(r.sizes, default=0),
        }
        if (r := row.result) is not None
        else {}
        for row in rows
    ]
    table = pd.DataFrame(known)
    table.insert(0, "reduction", [row.title for row in rows])
    predicted = [row.predicted for row in rows]
    table["problems predicted"] = [None if p is None else len(p) for p in predicted]
    table["points predicted, largest"] = [None if p is None else max(p, default=0) for p in predicted]
    table["prediction is a limit"] = [row.at_most for row in rows]
    return table


def cells_table(
    coordinates: FloatArray, names: tuple[str, str], labels: Mapping[str, IntArray], classes: Sequence[str]
) -> pd.DataFrame:
    """Return what every reduction says over the plane, a row a cell.

    Parameters
    ----------
    coordinates : (n_cells, 2)
    names
        Of the two directions.
    labels
        Title -> classes, (n_cells,).
    classes
        Names.
    """
    known = np.asarray(classes, dtype=object)
    table: dict[str, object] = {names[0]: coordinates[:, 0], f"{names[1]} ": coordinates[:, 1]}
    table |= {title: known[decided] for title, decided in labels.items()}
    return pd.DataFrame(table).rename(columns={f"{names[1]} ": names[1]})
