"""How a learned code was found: a tree of splits, columns added, machines removed, rounds of redesign."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.entries import Design, Step
from ecocviz.engine.params import shorten
from ecocviz.engine.types import FloatArray
from ecocviz.views.code_matrix.facts import line_steps
from ecocviz.views.code_matrix.words import side_text
from ecocviz.views.shared.draw.build import build_figure, line_across
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.theme import Theme, poles, rising
from ecocviz.views.shared.draw.words import MINUS

LINE_HEIGHT = 300
LEVEL_HEIGHT = 78
BOXED = 8
"""Up to so many splits on one level say their sides on the page; more say them when pointed at."""
MARGIN = {"l": 12, "r": 12, "t": 20, "b": 12}


def tree_layout(story: Sequence[Step]) -> FloatArray:
    """Place the steps of trees side by side: leaves evenly spread, parents above their children.

    Returns
    -------
    places : (n_steps, 2)
        Across and depth; the roots are at depth 0.
    """
    children: list[list[int]] = [[] for _ in story]
    for k, step in enumerate(story):
        if step.parent >= 0:
            children[step.parent].append(k)
    places = np.zeros((len(story), 2))
    slots = 0
    # Parents come before their children in a story: depths go forwards, places backwards.
    for k, step in enumerate(story):
        places[k, 1] = 0 if step.parent < 0 else places[step.parent, 1] + 1
    waiting = [k for k, step in reversed(list(enumerate(story))) if step.parent < 0]
    while waiting:
        k = waiting.pop()
        if not children[k]:
            places[k, 0] = slots
            slots += 1
        waiting += reversed(children[k])
    for k in reversed(range(len(story))):
        if children[k]:
            places[k, 0] = float(np.mean([places[child, 0] for child in children[k]]))
    return places


def tree_figure(design: Design, names: Sequence[str], theme: Theme) -> go.Figure:
    """Draw the splits as trees; every node says its two sides.

    Parameters
    ----------
    design
        With a story of kind "tree".
    names
        Of the rows.
    theme
        Light or dark.
    """
    places = tree_layout(design.story)
    widest = int(np.bincount(places[:, 1].astype(int)).max()) if len(places) else 1
    depth = int(places[:, 1].max(initial=0))
    # A small tree keeps its shape on a wide page.
    right = float(places[:, 0].max(initial=0))
    middle, half = right / 2, max(right / 2 + 0.6, 2.6)
    boxed = widest <= BOXED
    layout = {
        "annotations": _boxes(design.story, places, names, 3 if widest <= 4 else 1, theme) if boxed else [],
        "xaxis": {"visible": False, "range": [middle - half, middle + half]},
        "yaxis": {"visible": False, "range": [-depth - 0.45, 0.45]},
        "height": int(np.clip(LEVEL_HEIGHT * (depth + 1), 110, 620)),
        "margin": MARGIN,
        "showlegend": False,
    }
    traces = [_branches(design.story, places, theme), _nodes(design, places, names, boxed, theme)]
    return build_figure(traces, layout, theme)


def _branches(story: Sequence[Step], places: FloatArray, theme: Theme) -> dict[str, Any]:
    """Make the lines from every parent to its children."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for (x, depth), step in zip(places.tolist(), story, strict=True):
        if step.parent >= 0:
            above_x, above_depth = places[step.parent].tolist()
            xs += [above_x, x, None]
            ys += [-above_depth, -depth, None]
    line = {"color": theme.dim, "width": 1}
    return {"type": "scatter", "x": xs, "y": ys, "mode": "lines", "line": line, "hoverinfo": "skip"}


def _nodes(
    design: Design, places: FloatArray, names: Sequence[str], boxed: bool, theme: Theme
) -> dict[str, Any]:
    """Make the nodes, which say all when pointed at; boxed ones lie unseen behind their boxes."""
    return {
        "type": "scatter",
        "x": places[:, 0],
        "y": -places[:, 1],
        "mode": "markers",
        "marker": {"symbol": "square", "size": 30 if boxed else 11, "color": theme.accent},
        "opacity": 0.0 if boxed else 1.0,
        "text": [
            f"{literal(step.label)}<br>+ {literal(side_text(step.plus, names, 8))}"
            f"<br>{MINUS} {literal(side_text(step.minus, names, 8))}"
            f"<br>{literal(design.value_name)} {step.value:.3g}"
            for step in design.story
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _boxes(
    story: Sequence[Step], places: FloatArray, names: Sequence[str], most: int, theme: Theme
) -> list[dict[str, Any]]:
    """Write the two sides of every split into a box, at most so many classes of each."""
    box = {
        "showarrow": False,
        "align": "left",
        "bgcolor": theme.surface,
        "bordercolor": theme.line,
        "borderwidth": 1,
        "borderpad": 5,
        "font": {"size": 12},
    }
    return [
        {**box, "x": x, "y": -depth, "text": _sides(step, names, most, theme)}
        for (x, depth), step in zip(places.tolist(), story, strict=True)
    ]


def _sides(step: Step, names: Sequence[str], most: int, theme: Theme) -> str:
    """Write the two sides of a split in two coloured lines."""
    return "<br>".join(
        f'<span style="color:{colour}">{sign} {literal(side_text(side, names, most))}</span>'
        for sign, side, colour in (("+", step.plus, theme.positive), (MINUS, step.minus, theme.negative))
    )


def line_figure(design: Design, picked: int, theme: Theme) -> go.Figure:
    """Draw what the search weighed: over the number of machines ("path"), else step by step.

    The picked step, and for a path the code that was kept, are marked.

    Parameters
    ----------
    design
        With a story of kind "additions", "path" or "rounds".
    picked
        Number of a step.
    theme
        Light or dark.
    """
    steps = line_steps(design)
    path = design.kind == "path"
    x = [design.story[k].bits if path else position for position, k in enumerate(steps)]
    line = {
        "type": "scatter",
        "x": x,
        "y": [design.story[k].value for k in steps],
        "mode": "lines+markers",
        "line": {"color": theme.accent, "width": 2},
        "marker": {
            "size": [12 if k == picked and not path else 7 for k in steps],
            "color": theme.accent,
            "line": {"color": theme.surface, "width": 1},
        },
        "text": [literal(design.story[k].label) for k in steps],
        "customdata": steps,
        "hovertemplate": "%{text}<br>%{y:.4g}<extra></extra>",
        "showlegend": False,
    }
    title = "machines left" if path else "column added" if design.kind == "additions" else "round"
    layout = {
        "xaxis": {
            "title": {"text": title, "standoff": 4},
            "tick0": 0,
            "dtick": max(1, -(-(max(x) - min(x)) // 12)),
        },
        "yaxis": {"title": {"text": literal(shorten(design.value_name, 40)), "standoff": 6}, "nticks": 6},
        "height": LINE_HEIGHT,
        "margin": MARGIN,
        **(_kept(design.code_matrix.shape[1], theme) if path else {}),
    }
    return build_figure([line], layout, theme)


def _kept(n_bits: int, theme: Theme) -> dict[str, Any]:
    """Mark the code that was kept."""
    line = line_across(theme.ink, width=1, x=n_bits, dash="dot")
    note = {
        "x": n_bits,
        "y": 1,
        "yref": "paper",
        "text": f"kept: {n_bits}",
        "showarrow": False,
        "yanchor": "bottom",
        "font": {"size": 12, "color": theme.ink},
    }
    return {"shapes": [{**line, "layer": "above"}], "annotations": [note]}


def confusion_driver_figure(step: Step, names: Sequence[str], theme: Theme) -> go.Figure:
    """Draw the matrix that drove a step: confusions of classes, or the code of a round.

    The classes that the step then put on opposite sides are named in the poles' colours.
    """
    table: FloatArray = np.asarray(step.table)
    n_rows, n_columns = table.shape
    square = n_rows == n_columns == len(names) and not (table < 0).any()
    largest = float(np.abs(table).max()) or 1.0
    colours = {**dict.fromkeys(step.plus, theme.positive), **dict.fromkeys(step.minus, theme.negative)}
    labels = [
        f'<span style="color:{colours.get(r, theme.dim)}">{literal(shorten(names[r], 14))}</span>'
        for r in range(n_rows)
    ]
    heat = {
        "type": "heatmap",
        "z": table.astype(np.float32),
        "zmin": 0 if square else -largest,
        "zmax": largest,
        "colorscale": rising(theme, theme.wrong) if square else poles(theme),
        "showscale": False,
        "xgap": 1 if n_columns <= 40 else 0,
        "ygap": 1,
        "texttemplate": "%{z:.3~g}" if n_rows * n_columns <= 100 else None,
        "textfont": {"size": 12, "color": theme.ink},
        "hovertemplate": "row %{y}, column %{x}: %{z:.3~g}<extra></extra>",
    }
    axis = {"showgrid": False, "zeroline": False, "constrain": "domain"}
    rows = {"tickvals": np.arange(n_rows), "ticktext": labels}
    places = np.arange(0, n_columns, max(1, -(-n_columns // 14)))
    columns = {"tickvals": places, "ticktext": [str(b + 1) for b in places]}
    layout = {
        "xaxis": {
            **axis,
            **(rows if square else columns),
            "title": {"text": "decided" if square else "machine", "standoff": 4},
            "tickangle": -45 if square and max(map(len, names)) > 3 else 0,
        },
        "yaxis": {
            **axis,
            **rows,
            "title": {"text": "true" if square else "", "standoff": 4},
            "range": [n_rows - 0.5, -0.5],
        },
        "height": int(np.clip(110 + 26 * n_rows, 200, 560)),
        "margin": MARGIN,
    }
    return build_figure([heat], layout, theme)


def story_table(design: Design, names: Sequence[str]) -> pd.DataFrame:
    """Return the steps of the search."""
    return pd.DataFrame(
        {
            "step": range(1, len(design.story) + 1),
            "what": [step.label for step in design.story],
            "+ side": [", ".join(names[r] for r in step.plus) for step in design.story],
            "- side": [", ".join(names[r] for r in step.minus) for step in design.story],
            design.value_name or "value": [step.value for step in design.story],
            "machines": [step.bits for step in design.story],
            "refines step": [step.parent + 1 if step.parent >= 0 else None for step in design.story],
        }
    )
