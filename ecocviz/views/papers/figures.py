"""Drawings of exhibits as figures, whatever paper they are of: ours solid, theirs dashed and hollow."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from math import ceil, isfinite, log10
from textwrap import wrap
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ecocviz.engine.analysis.ranks import cliques
from ecocviz.lab.evidence.drawings import Heatmap, Line, Panel, Panels, Point, Ranks
from ecocviz.views.papers.facts import places
from ecocviz.views.papers.figures_tables import THEIRS
from ecocviz.views.papers.figures_targets import cell_targets, click_words, rank_targets
from ecocviz.views.shared.draw.build import build_figure
from ecocviz.views.shared.draw.outside import literal, plain, told_apart
from ecocviz.views.shared.draw.ranks import lay_out, ranks_figure
from ecocviz.views.shared.draw.theme import SYMBOLS, Theme, class_edge, poles

ONE_HEIGHT, ROW_HEIGHT = 380, 250
"""Of a panel alone, and of a row of several."""
LEGEND_ROW, LEGEND_WIDTH, LEGEND_LETTER, LEGEND_MARK = 22, 690, 7, 46
"""Pixels of the legend: of a line, across in a narrow window, of a letter, of a mark and what is around."""
TITLE_LINE, TICK_LINE, AXIS = 17, 16, 32
"""Pixels of a line of a title and of an axis's words, and of what else is under an axis: its own name."""
MOST_MARKED, NEAREST = 7, 0.08
"""Values up to which each is marked on an axis, and the share of it that must lie between two."""
MOST_LINES, OVER, LONGEST_TICK = 3, 2, 20
"""Lines of an axis's word, letters by which it may be too long, and letters of one that stands upright."""
PANEL_LETTERS = {1: 90, 2: 46, 3: 30}
"""Letters of a panel's title on one line, by how many panels stand side by side."""
LEAST_SPAN, FREE = 0.3, 0.06
"""Share of a common range that each panel must fill, and that is left free beyond the values."""
GAP = 0.085
"""Between two panels, as a share of the width; it has the next one's numbers."""


def panels_figure(drawing: Panels, theme: Theme) -> go.Figure:
    """Draw panels as small multiples with one legend; a click on a point tells its number.

    Parameters
    ----------
    drawing
        With at least one panel.
    theme
        Light or dark.
    """
    panels = drawing.panels
    n_columns = _columns(len(panels))
    n_rows, numbers = ceil(len(panels) / n_columns), count()
    named = {name: k for k, name in enumerate(dict.fromkeys(line.name for p in panels for line in p.lines))}
    titles = [wrap(plain(panel.title), PANEL_LETTERS[n_columns])[:2] for panel in panels]
    head = TITLE_LINE * max(map(len, titles), default=0)
    shown: set[str] = set()
    traces = [
        _line(panel, line, k, named[line.name], numbers, shown, theme)
        for k, panel in enumerate(panels)
        for line in panel.lines
    ]
    entries = [trace["name"] for trace in traces if trace["showlegend"]]
    # What is drawn last is on top and hears a click first: ours.
    theirs = [line.theirs for panel in panels for line in panel.lines]
    traces = [traces[i] for i in sorted(range(len(traces)), key=lambda i: not theirs[i])]
    across = sum(LEGEND_LETTER * len(name) + LEGEND_MARK for name in entries)
    top = LEGEND_ROW * ceil(across / LEGEND_WIDTH) * (len(entries) > 1) + 14
    ticks = [_ticks(panel, n_columns) for panel in panels]
    under = AXIS + max((each.height for each in ticks), default=0)
    inner = (ONE_HEIGHT if len(panels) == 1 else ROW_HEIGHT) * n_rows + under * (n_rows - 1)
    layout: dict[str, Any] = {
        "height": inner + top + head + under,
        "margin": {"l": 56, "r": 12, "t": top + head, "b": under},
        "legend": {
            "orientation": "h", "x": 0, "y": 1, "yref": "container", "yanchor": "top", "font": {"size": 13},
        },
        "showlegend": len(entries) > 1,
        "barmode": "group",
        "annotations": [],
    }  # fmt: skip
    room, common = (head + under + 6) / inner, _common_range(panels)
    for k in range(len(panels)):
        _add_panel(layout, k, panels, ticks[k], titles[k], room, theme)
        if common:
            layout[f"yaxis{_suffix(k)}"]["range"] = common
    return build_figure(traces, layout, theme)


def _columns(n: int) -> int:
    return n if n < 3 else 2 if n == 4 else 3


def _suffix(k: int) -> str:
    """Return what plotly appends to the names of the axes of panel k: nothing, 2, 3, ..."""
    return str(k + 1) if k else ""


def _add_panel(
    layout: dict[str, Any],
    k: int,
    panels: Sequence[Panel],
    ticks: "Ticks",
    title: Sequence[str],
    room: float,
    theme: Theme,
) -> None:
    """Add the axes and the title of panel k; an axis is named once where all panels share its name."""
    panel, n_columns = panels[k], _columns(len(panels))
    row, column = divmod(k, n_columns)
    n_rows = ceil(len(panels) / n_columns)
    width, height = (1 - GAP * (n_columns - 1)) / n_columns, (1 - room * (n_rows - 1)) / n_rows
    left, top = column * (width + GAP), 1 - row * (height + room)
    last = k + n_columns >= len(panels)
    name_x = last or len({each.x for each in panels}) > 1
    name_y = not column or len({each.y for each in panels}) > 1
    words = bool(ticks.names)
    font = {"size": 12, "color": theme.dim}
    layout[f"xaxis{_suffix(k)}"] = {
        "domain": [left, left + width],
        "anchor": f"y{_suffix(k)}",
        "type": "category" if words else "log" if panel.log_x else "linear",
        "title": {"text": literal(panel.x) if name_x else "", "standoff": 6},
        "showgrid": False,
        "zeroline": False,
        "tickfont": font,
        **(ticks.axis() if words else _few_values(panel)),
        **({"dtick": 1} if panel.log_x and not words and _decades(panel) > 1.5 else {}),
    }
    layout[f"yaxis{_suffix(k)}"] = {
        "domain": [max(0.0, top - height), top],
        "anchor": f"x{_suffix(k)}",
        "type": "log" if panel.log_y else "linear",
        "title": {"text": literal(panel.y) if name_y else "", "standoff": 6},
        "nticks": 6,
        "tickfont": font,
        **({"dtick": 1, "exponentformat": "power"} if panel.log_y else {}),
    }
    if title:
        place = {"x": left + width / 2, "xref": "paper", "y": top, "yref": "paper", "showarrow": False}
        text = "<br>".join(map(literal, title))
        anchors = {"xanchor": "center", "yanchor": "bottom", "yshift": 4}
        layout["annotations"].append(
            {**place, **anchors, "text": text, "font": {"size": 13, "color": theme.ink}}
        )


def _common_range(panels: Sequence[Panel]) -> list[float]:
    """Return the range of panels that measure the same, so that they are compared by eye.

    Nothing where a panel would be squeezed in it.
    """
    if len(panels) == 1 or len({panel.y for panel in panels}) > 1 or any(panel.log_y for panel in panels):
        return []
    spans = [_span(panel) for panel in panels]
    low, high = min(low for low, _ in spans), max(high for _, high in spans)
    if any(top - bottom < LEAST_SPAN * (high - low) for bottom, top in spans) or not high > low:
        return []
    free = FREE * (high - low)
    return [low - free if low else 0.0, high + free]


def _span(panel: Panel) -> tuple[float, float]:
    """Return the lowest and the highest value of a panel with its intervals; bars stand on 0."""
    found = [0.0] if panel.bars else []
    for line in panel.lines:
        for point in line.points:
            found += [end for end in (point.y, point.low, point.high) if end is not None and isfinite(end)]
    return min(found, default=0.0), max(found, default=0.0)


@dataclass(frozen=True, slots=True)
class Ticks:
    """How the words of an axis are written: on lines under each other, or upright where there is no room.

    Attributes
    ----------
    names, texts
        As points have them, and as they are written; none for an axis of numbers.
    angle
        In degrees.
    height
        Pixels that they take under the axis.
    """

    names: tuple[str, ...]
    texts: tuple[str, ...]
    angle: int
    height: int

    def axis(self) -> dict[str, Any]:
        """Return them as plotly takes them."""
        return {
            "tickvals": [literal(name) for name in self.names],
            "ticktext": list(self.texts),
            "tickangle": self.angle,
        }


def _ticks(panel: Panel, n_columns: int) -> Ticks:
    """Write the words of a panel's axis so that they fit in a narrow window."""
    found = (point.x for line in panel.lines for point in line.points if isinstance(point.x, str))
    names = tuple(dict.fromkeys(found))
    if not names:
        return Ticks((), (), 0, TICK_LINE)
    letters = int(LEGEND_WIDTH / n_columns / len(names) / LEGEND_LETTER)
    lines = [wrap(plain(name), max(letters, 1), break_long_words=False) or [""] for name in names]
    longest = max(len(line) for each in lines for line in each)
    if longest <= letters + OVER and max(map(len, lines)) <= MOST_LINES:
        texts = ["<br>".join(map(literal, each)) for each in lines]
        return Ticks(names, tuple(texts), 0, TICK_LINE * max(map(len, lines)))
    short = [plain(name, LONGEST_TICK) for name in names]
    height = round(LEGEND_LETTER * max(map(len, short))) + 6
    return Ticks(names, tuple(map(literal, short)), -90, height)


def _few_values(panel: Panel) -> dict[str, Any]:
    """Return where an axis of numbers is marked: at the values that points have, where these are few."""
    found = {point.x for line in panel.lines for point in line.points if isinstance(point.x, int | float)}
    values = sorted(found)
    apart = min((b - a for a, b in pairwise(values)), default=0.0)
    if panel.log_x or len(values) > MOST_MARKED or apart < NEAREST * (values[-1] - values[0]):
        return {"nticks": 6}
    return {"tickvals": values}


def _decades(panel: Panel) -> float:
    values = [point.x for line in panel.lines for point in line.points if isinstance(point.x, int | float)]
    found = [value for value in values if value > 0]
    return log10(max(found) / min(found)) if found else 0.0


def _line(
    panel: Panel,
    line: Line,
    k: int,
    c: int,
    numbers: Iterator[int],
    shown: set[str],
    theme: Theme,
) -> dict[str, Any]:
    """Make a line, or the bars of one name, in panel k and in the colour of name c."""
    name = f"{line.name} ({THEIRS})" if line.theirs else line.name
    first, colour, points = name not in shown, class_edge(c, theme), line.points
    shown.add(name)
    trace: dict[str, Any] = {
        "x": [_x(point) for point in points],
        "y": [point.y for point in points],
        "customdata": [[next(numbers), literal(_more(point)) + click_words(point.opens)] for point in points],
        "name": literal(name),
        "legendgroup": literal(name),
        "legendrank": 2 * c + line.theirs,
        "showlegend": first,
        "xaxis": f"x{_suffix(k)}",
        "yaxis": f"y{_suffix(k)}",
        "hovertemplate": (
            f"{literal(name)}<br>{literal(panel.x)}: %{{x}}<br>{literal(panel.y)}: %{{y:.4~g}}"
            "%{customdata[1]}<extra></extra>"
        ),
        **_intervals(points, colour),
    }
    if panel.bars:
        fill = theme.surface if line.theirs else colour
        marker = {"color": fill, "line": {"color": colour, "width": 1.5}}
        return {**trace, "type": "bar", "marker": marker, "unselected": {"marker": {"opacity": 1}}}
    symbol = SYMBOLS[c % len(SYMBOLS)]
    return {
        **trace,
        "type": "scatter",
        "mode": "lines+markers" if len(points) > 1 else "markers",
        "line": {
            "color": colour,
            "width": 1.4 if line.theirs else 2,
            "dash": "dash" if line.theirs else "solid",
        },
        "marker": {"symbol": f"{symbol}-open" if line.theirs else symbol, "size": 7, "color": colour},
        "unselected": {"marker": {"opacity": 1}},
    }


def _x(point: Point) -> float | str:
    return literal(point.x) if isinstance(point.x, str) else point.x


def _intervals(points: Sequence[Point], colour: str) -> dict[str, Any]:
    if all(point.low is None and point.high is None for point in points):
        return {}
    return {
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [0 if point.high is None else point.high - point.y for point in points],
            "arrayminus": [0 if point.low is None else point.y - point.low for point in points],
            "color": colour,
            "thickness": 1,
            "width": 3,
        }
    }


def _more(point: Point) -> str:
    """Say of a point what its place does not."""
    span = "" if point.low is None or point.high is None else f" ({point.low:.4g} to {point.high:.4g})"
    note = f"; {point.note}" if point.note else ""
    return f"{span}{note}"


def heatmap_figure(drawing: Heatmap, theme: Theme) -> go.Figure:
    """Draw values of pairs of names, coloured from low to high."""
    middle = (drawing.low + drawing.high) / 2
    trace = {
        "type": "heatmap",
        "x": [literal(name) for name in told_apart(drawing.columns)],
        "y": [literal(name) for name in told_apart(drawing.rows)],
        "z": [list(row) for row in drawing.values],
        "zmin": drawing.low,
        "zmax": drawing.high,
        "zmid": middle,
        "colorscale": poles(theme),
        "xgap": 1,
        "ygap": 1,
        "hoverongaps": False,
        "hovertemplate": "%{y}, %{x}: %{z:.3~g}<extra></extra>",
        "colorbar": {"thickness": 10, "outlinewidth": 0, "tickfont": {"color": theme.dim, "size": 12}},
    }
    cells = len(drawing.rows) * len(drawing.columns)
    if cells <= 144:
        trace |= {"texttemplate": "%{z:.2f}", "textfont": {"color": theme.ink, "size": 12}}
    traces = [trace]
    if any(places(drawing)):
        trace |= {"hoverinfo": "skip", "hovertemplate": None}
        traces.append(cell_targets(drawing))
    layout = {
        "height": min(560, max(220, 110 + 30 * len(drawing.rows))),
        "margin": {"l": 48, "r": 12, "t": 12, "b": 40},
        "xaxis": {"showgrid": False, "type": "category"},
        "yaxis": {"showgrid": False, "type": "category", "autorange": "reversed"},
        "hoverdistance": -1,
    }
    return build_figure(traces, layout, theme)


def drawing_figure(drawing: Panels | Ranks | Heatmap, theme: Theme) -> go.Figure:
    """Draw whatever is no table."""
    if isinstance(drawing, Panels):
        return panels_figure(drawing, theme)
    if isinstance(drawing, Ranks):
        groups = cliques(np.asarray(drawing.ranks, dtype=np.float64), drawing.critical_difference)
        diagram = lay_out(drawing.names, drawing.ranks, drawing.critical_difference, groups)
        figure = ranks_figure(diagram, theme)
        if any(drawing.opens):
            figure.add_trace(rank_targets(drawing, diagram, theme))
        return figure
    return heatmap_figure(drawing, theme)
