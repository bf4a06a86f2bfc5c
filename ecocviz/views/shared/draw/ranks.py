"""The critical-difference diagram of [Demsar2006]_: average ranks, and which cannot be told apart.

The layout is worked out once, in ranks across and rows down; whoever draws puts it on a surface.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

import plotly.graph_objects as go

from ecocviz.engine.params import shorten
from ecocviz.views.shared.draw.build import build_figure
from ecocviz.views.shared.draw.outside import literal, plain
from ecocviz.views.shared.draw.tables import text_width
from ecocviz.views.shared.draw.theme import Theme

ROW, ABOVE, BELOW = 21, 58, 10
"""Pixels: of a row, over the line of ranks, and under the last row."""
CROSSING = 0.06
"""By how much of a rank a bar reaches beyond the methods that it joins."""
BETWEEN_BARS, FIRST_BAR = 0.42, 0.5
LONGEST_NAME = 36


@dataclass(frozen=True, slots=True)
class Elbow:
    """A method: from its rank on the line down to its row, and from there to its name at one side."""

    name: str
    rank: float
    row: float
    left: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """Joins methods that cannot be told apart."""

    low: float
    high: float
    row: float


@dataclass(frozen=True, slots=True)
class Diagram:
    """Where everything stands: ranks across, rows downwards from the line at 0.

    Attributes
    ----------
    low, high
        The ends of the line: the whole ranks around all methods.
    difference
        The critical difference, drawn over the line from its left end; None where there is none.
    elbows, bars
        Methods, the best first; groups that cannot be told apart.
    n_rows
        Rows that are needed.
    """

    low: int
    high: int
    difference: float | None
    elbows: tuple[Elbow, ...]
    bars: tuple[Bar, ...]
    n_rows: float

    @property
    def height(self) -> int:
        """Pixels that it takes."""
        return ABOVE + BELOW + ceil(ROW * self.n_rows)


def lay_out(
    names: Sequence[str],
    ranks: Sequence[float],
    difference: float | None = None,
    cliques: Sequence[Sequence[int]] = (),
) -> Diagram:
    """Lay out a diagram.

    Parameters
    ----------
    names, ranks
        Of the methods; 1 is the best rank.
    difference
        Nemenyi's critical difference.
    cliques
        Groups of methods that cannot be told apart.

    Examples
    --------
    >>> found = lay_out(["a", "b", "c"], [2.5, 1.0, 2.5], 1.2, [(0, 2)])
    >>> [(elbow.name, elbow.left) for elbow in found.elbows], found.low, found.high
    ([('b', True), ('a', True), ('c', False)], 1, 3)
    """
    order = sorted(range(len(ranks)), key=lambda k: ranks[k])
    n_left = ceil(len(order) / 2)
    bars = tuple(
        Bar(
            min(ranks[k] for k in group) - CROSSING,
            max(ranks[k] for k in group) + CROSSING,
            FIRST_BAR + BETWEEN_BARS * n,
        )
        for n, group in enumerate(cliques)
    )
    first = FIRST_BAR + BETWEEN_BARS * len(bars) + 0.6
    elbows = tuple(
        Elbow(
            plain(shorten(names[k], LONGEST_NAME)),
            ranks[k],
            first + (place if place < n_left else len(order) - 1 - place),
            place < n_left,
        )
        for place, k in enumerate(order)
    )
    low, high = floor(min(ranks)), ceil(max(ranks))
    high = max(high, low + 1, ceil(low + (difference or 0.0)))
    return Diagram(low, high, difference, elbows, bars, first + n_left - 0.4)


def label_of(elbow: Elbow) -> str:
    """Return what stands at the end of a method's line.

    >>> label_of(Elbow("Hamming", 2.333, 1.0, True)), label_of(Elbow("Hamming", 2.333, 1.0, False))
    ('Hamming 2.33', '2.33 Hamming')
    """
    number = f"{elbow.rank:.2f}"
    return f"{elbow.name} {number}" if elbow.left else f"{number} {elbow.name}"


def margins(diagram: Diagram) -> tuple[int, int]:
    """Return the pixels that the names take on the left and on the right."""

    def widest(*, left: bool) -> int:
        widths = [text_width(label_of(elbow)) for elbow in diagram.elbows if elbow.left is left]
        return round(1.1 * max(widths, default=0.0)) + 10

    return widest(left=True), widest(left=False)


def ranks_figure(diagram: Diagram, theme: Theme) -> go.Figure:
    """Draw a diagram: better methods on the left, thick bars under the line where chance explains all."""
    low, high = diagram.low, diagram.high
    lines = [_line([low, high], [0, 0], theme.dim, 1.4)]
    for elbow in diagram.elbows:
        end = low if elbow.left else high
        lines.append(
            _line([elbow.rank, elbow.rank, end], [0, elbow.row, elbow.row], theme.dim, 1.2)
            | {"hovertemplate": f"{literal(elbow.name)}<br>average rank {elbow.rank:.2f}<extra></extra>"}
        )
    lines += [_line([bar.low, bar.high], [bar.row, bar.row], theme.accent, 5) for bar in diagram.bars]
    notes = [
        _note(end, e.row, literal(label_of(e)), theme.ink, side, 13)
        for e in diagram.elbows
        for end, side in [(low, "right") if e.left else (high, "left")]
    ]
    notes += [_note(k, -0.55, str(k), theme.dim, "center", 12) for k in _ticks(low, high)]
    shapes = [_tick(k, theme) for k in _ticks(low, high)]
    if diagram.difference is not None:
        lines.append(_line([low, low + diagram.difference], [-1.5, -1.5], theme.ink, 2))
        middle = low + diagram.difference / 2
        notes.append(
            _note(middle, -2.1, f"critical difference {diagram.difference:.2f}", theme.ink, "center", 12)
        )
    left, right = margins(diagram)
    hidden = {"visible": False, "fixedrange": True}
    layout = {
        "xaxis": {**hidden, "range": [low, high]},
        "yaxis": {**hidden, "range": [diagram.n_rows, -ABOVE / ROW]},
        "shapes": shapes,
        "annotations": notes,
        "height": diagram.height,
        "margin": {"l": left, "r": right, "t": 0, "b": BELOW},
        "showlegend": False,
    }
    return build_figure(lines, layout, theme)


def _ticks(low: int, high: int) -> range:
    return range(low, high + 1, max(1, (high - low) // 8))


def _line(x: list[float], y: list[float], colour: str, width: float) -> dict[str, Any]:
    return {
        "type": "scatter", "x": x, "y": y, "mode": "lines", "line": {"color": colour, "width": width},
        "hoverinfo": "skip", "cliponaxis": False,
    }  # fmt: skip


def _note(x: float, y: float, text: str, colour: str, anchor: str, size: int) -> dict[str, Any]:
    shift = {"right": -6, "left": 6}.get(anchor, 0)
    return {
        "x": x, "y": y, "text": text, "showarrow": False, "xanchor": anchor, "yanchor": "middle",
        "xshift": shift, "font": {"color": colour, "size": size},
    }  # fmt: skip


def _tick(x: int, theme: Theme) -> dict[str, Any]:
    line = {"color": theme.dim, "width": 1.2}
    return {"type": "line", "x0": x, "x1": x, "y0": -0.22, "y1": 0, "line": line}
