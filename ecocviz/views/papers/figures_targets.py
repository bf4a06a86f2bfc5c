"""What can be clicked in figures of papers: words at points, and places where a figure has no points."""

from textwrap import wrap
from typing import Any

from ecocviz.lab.evidence.drawings import Heatmap, Opens, Ranks
from ecocviz.views.papers.facts import places
from ecocviz.views.shared.draw.outside import literal, told_apart
from ecocviz.views.shared.draw.ranks import Diagram
from ecocviz.views.shared.draw.theme import Theme

LETTERS = 64
"""Of a line of the words at a point."""
SIZE = 7
"""Of a point on the line of a method."""


def click_words(opens: Opens | None) -> str:
    """Say what a click opens, on lines of their own; "" where it opens nothing.

    >>> from ecocviz.lab.scenario import make_scenario
    >>> click_words(Opens(make_scenario()))
    '<br>click opens exactly what was measured'
    """
    if opens is None:
        return ""
    return "".join(f"<br>{literal(line)}" for line in wrap(f"click opens {opens.what}", LETTERS))


def cell_targets(drawing: Heatmap) -> dict[str, Any]:
    """Put a point that is not seen on every cell: plotly tells no page which cell was clicked."""
    names = [(row, column) for row in told_apart(drawing.rows) for column in told_apart(drawing.columns)]
    values = [value for row in drawing.values for value in row]
    opened = list(places(drawing))
    told = [k for k, value in enumerate(values) if value is not None]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [literal(names[k][1]) for k in told],
        "y": [literal(names[k][0]) for k in told],
        "customdata": [[k, f"{values[k]:.3g}{click_words(opened[k])}"] for k in told],
        "hovertemplate": "%{y}, %{x}: %{customdata[1]}<extra></extra>",
        "showlegend": False,
        "marker": {"opacity": 0, "size": 24},
        "selected": {"marker": {"opacity": 0}},
        "unselected": {"marker": {"opacity": 0}},
    }


def rank_targets(drawing: Ranks, diagram: Diagram, theme: Theme) -> dict[str, Any]:
    """Put points on the line of every method: where it bends, in its middle and at its name."""
    order = sorted(range(len(drawing.ranks)), key=lambda k: drawing.ranks[k])
    x, y, told = [], [], []
    for k, elbow in zip(order, diagram.elbows, strict=True):
        end = diagram.low if elbow.left else diagram.high
        words = f"{literal(elbow.name)}<br>average rank {elbow.rank:.2f}{click_words(drawing.opens[k])}"
        x += [elbow.rank, (elbow.rank + end) / 2, end]
        y += [elbow.row] * 3
        told += [[k, words]] * 3
    return {
        "type": "scatter",
        "mode": "markers",
        "x": x,
        "y": y,
        "customdata": told,
        "hovertemplate": "%{customdata[1]}<extra></extra>",
        "showlegend": False,
        "cliponaxis": False,
        "marker": {"size": SIZE, "color": theme.dim, "opacity": [1, 0, 0] * len(order)},
        "selected": {"marker": {"size": SIZE}},
        "unselected": {"marker": {"size": SIZE}},
    }
