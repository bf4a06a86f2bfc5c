"""Wrong bits in pictures: of each machine, at once, and together."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.views.bits.facts import Bar, BarPoints, BitFacts
from ecocviz.views.shared.draw.build import build_figure, line_across
from ecocviz.views.shared.draw.theme import Theme

HEIGHT = 320
MOST_BARS = 60
"""The accuracies of more machines are drawn as a distribution."""
SPREAD_STEPS = (0.5, 1.0, 2.0, 5.0)
"""Percent that a bar of it may stand for."""


def finished(traces: Sequence[dict[str, Any]], layout: dict[str, Any], theme: Theme) -> go.Figure:
    """Return a figure with what all pictures here share."""
    shared = {
        "height": HEIGHT,
        "margin": {"l": 52, "r": 12, "t": 30, "b": 44},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    }
    return build_figure(traces, {**shared, **layout}, theme)


def _picked(theme: Theme) -> dict[str, Any]:
    """Make the legend's entry of the picked bar."""
    return {
        "type": "bar",
        "x": [None],
        "y": [None],
        "name": "picked: listed below",
        "marker": {"color": theme.negative},
    }


def _bar_colours(theme: Theme, n: int, picked: int) -> list[str]:
    return [theme.negative if k == picked else theme.accent for k in range(n)]


def accuracy_figure(facts: BitFacts, bar: Bar, theme: Theme) -> go.Figure:
    """Draw how often machines are right: a bar for each of a few, the distribution of many."""
    return spread_figure(facts, theme) if facts.n_bits > MOST_BARS else _accuracy_bars(facts, bar, theme)


def _accuracy_bars(facts: BitFacts, bar: Bar, theme: Theme) -> go.Figure:
    """Draw the accuracy of every machine, with the share of the majority side as a mark."""
    n, picked = facts.n_bits, bar.numbers[0] if bar.kind == "bit" else -1
    numbers = np.arange(1, n + 1)
    bars = {
        "type": "bar",
        "x": numbers,
        "y": 100 * facts.report.accuracies,
        "name": "this machine",
        "marker": {"color": _bar_colours(theme, n, picked), "line": {"width": 0}},
        "showlegend": False,
        "unselected": {"marker": {"opacity": 1}},
        "hovertemplate": "bit %{x}<br>right in %{y:.1f} %<extra></extra>",
    }
    marks = {
        "type": "scatter",
        "x": numbers,
        "y": 100 * facts.baselines,
        "mode": "markers",
        "name": "always guessing the majority side",
        "marker": {
            "symbol": "line-ew",
            "size": float(np.clip(230 / max(n, 1), 4, 34)),
            "line": {"color": theme.ink, "width": 2},
        },
        "unselected": {"marker": {"opacity": 1}},
        "hovertemplate": "bit %{x}<br>majority side %{y:.1f} %<extra></extra>",
    }
    layout = {
        "xaxis": {"title": {"text": "Bit", "standoff": 6}, "showgrid": False, **_whole_ticks(1, n)},
        "yaxis": {
            "title": {"text": "Accuracy", "standoff": 6},
            "ticksuffix": " %",
            "range": [0, 101],
            "nticks": 6,
        },
        "bargap": 0.25,
    }
    return finished([bars, marks, *([_picked(theme)] if 0 <= picked < n else [])], layout, theme)


def spread_figure(facts: BitFacts, theme: Theme) -> go.Figure:
    """Draw how many machines are right how often, those apart that do no better than a guess."""
    known = np.isfinite(facts.report.accuracies)
    accuracies = 100 * facts.report.accuracies[known]
    better = facts.report.accuracies[known] > facts.baselines[known]
    low = float(accuracies.min(initial=100.0))
    width = next(step for step in SPREAD_STEPS if 100 - low <= 24 * step)
    edges = np.arange(np.floor(low / width) * width, 100 + width, width)
    # What is right in 100 % belongs to the last bin that ends there.
    place = np.minimum(np.searchsorted(edges, accuracies, side="right") - 1, max(edges.size - 2, 0))
    traces = [
        {
            "type": "bar",
            "x": edges[:-1] + width / 2,
            "y": np.bincount(place[chosen], minlength=edges.size - 1),
            "width": width,
            "name": name,
            "marker": {"color": colour, "line": {"width": 1, "color": theme.surface}},
            "customdata": [f"{edge:g} to {edge + width:g} %" for edge in edges[:-1].tolist()],
            "hovertemplate": f"%{{y}} machines right in %{{customdata}}<br>{name}<extra></extra>",
        }
        for chosen, name, colour in (
            (better, "better than guessing the majority side", theme.accent),
            (~better, "no better", theme.dim),
        )
        if chosen.any() or chosen is better
    ]
    layout = {
        "xaxis": {
            "title": {"text": "Accuracy", "standoff": 6},
            "ticksuffix": " %",
            "showgrid": False,
            "nticks": 8,
        },
        "yaxis": {"title": {"text": "Machines", "standoff": 6}, "rangemode": "tozero", "nticks": 6},
        "barmode": "stack",
        "showlegend": True,
    }
    return finished(traces, layout, theme)


def step_of(n: int) -> int:
    """Return a round step that puts at most about twelve ticks on n places.

    >>> step_of(7), step_of(13), step_of(78), step_of(325)
    (1, 2, 10, 50)
    """
    return next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if n <= 12 * step)


def _whole_ticks(low: int, high: int) -> dict[str, object]:
    """Put ticks on round whole numbers, the first among them."""
    step = step_of(high - low + 1)
    rounds = [k for k in range(low, high + 1) if k % step == 0]
    ticks = rounds if low in rounds else [low, *rounds]
    return {"tickvals": ticks, "tickangle": 0, "range": [low - 0.6, high + 0.6]}


def shown_counts(facts: BitFacts) -> int:
    """Return the largest number of wrong bits worth an axis: seen, expected of half a point, or repaired."""
    histogram = facts.report.histogram
    wanted = (histogram > 0) | (facts.expected >= 0.5)
    return int(max(np.flatnonzero(wanted).max(initial=0), min(facts.repairs + 1, histogram.size - 1), 1))


def histogram_figure(facts: BitFacts, bar: Bar, theme: Theme) -> go.Figure:
    """Draw how many points have 0, 1, 2, ... wrong bits, beside what independent machines would give."""
    most, picked = shown_counts(facts), bar.numbers[0] if bar.kind == "count" else -1
    traces = [
        _counted(facts.report.histogram, picked, most, theme),
        _expected(facts.expected, most, theme),
        *([_picked(theme)] if 0 <= picked <= most else []),
    ]
    highest = float(max(facts.report.histogram.max(initial=1), facts.expected.max(initial=0.0)))
    layout = {
        "xaxis": {
            "title": {"text": "Wrong bits of a point", "standoff": 6},
            "showgrid": False,
            **_whole_ticks(0, most),
        },
        # Above the highest bar there is room for its number, and for what the line says.
        "yaxis": {"title": {"text": "Points", "standoff": 6}, "range": [0, 1.2 * highest], "nticks": 6},
        "bargap": 0.25,
        **(_promise(facts.repairs, theme) if 0 <= facts.repairs < most else {}),
    }
    return finished(traces, layout, theme)


def _counted(histogram: IntArray, picked: int, most: int, theme: Theme) -> dict[str, Any]:
    """Make the bars of points; few have their numbers written above them."""
    total = max(int(histogram.sum()), 1)
    counts = histogram[: most + 1]
    return {
        "type": "bar",
        "x": np.arange(most + 1),
        "y": counts,
        "customdata": np.round(100 * counts / total, 1),
        "name": "these machines",
        "showlegend": False,
        "marker": {"color": _bar_colours(theme, most + 1, picked), "line": {"width": 0}},
        "text": [f"{v:,}" if v else "" for v in counts.tolist()] if most <= 16 else None,
        "textposition": "outside",
        "textfont": {"color": theme.dim, "size": 12},
        "cliponaxis": False,
        "unselected": {"marker": {"opacity": 1}, "textfont": {"color": theme.dim}},
        "hovertemplate": "%{x} wrong bits<br>%{y:,} points (%{customdata} %)<extra></extra>",
    }


def _expected(expected: FloatArray, most: int, theme: Theme) -> dict[str, Any]:
    """Make the line of what independent machines would give."""
    return {
        "type": "scatter",
        "x": np.arange(most + 1),
        "y": np.round(expected[: most + 1], 2),
        "mode": "lines+markers",
        "name": "if errors were independent",
        "line": {"color": theme.ink, "width": 1.5, "dash": "dot"},
        "marker": {"symbol": "diamond", "size": 7, "color": theme.ink},
        "unselected": {"marker": {"opacity": 1}},
        "hovertemplate": "%{x} wrong bits<br>independent: %{y:,} points<extra></extra>",
    }


def _promise(repairs: int, theme: Theme) -> dict[str, Any]:
    """Mark how many wrong bits are repaired for certain."""
    line = line_across(theme.positive, width=2, x=repairs + 0.5)
    note = {
        "x": repairs + 0.5,
        "y": 1,
        "yref": "y domain",
        "xanchor": "left",
        "yanchor": "top",
        "xshift": 4,
        "text": f"always repaired up to {repairs}" if repairs else "none always repaired",
        "font": {"color": theme.positive, "size": 12},
        "showarrow": False,
    }
    return {"shapes": [{**line, "layer": "above"}], "annotations": [note]}


def accuracy_table(facts: BitFacts) -> pd.DataFrame:
    """Return accuracy, baseline and errors of every machine."""
    return pd.DataFrame(
        {
            "bit": np.arange(1, facts.n_bits + 1),
            "accuracy": facts.report.accuracies,
            "majority side": facts.baselines,
            "errors": np.diag(facts.joint),
        }
    )


def histogram_table(facts: BitFacts) -> pd.DataFrame:
    """Return the points with each number of wrong bits, and those that independence would give."""
    histogram = facts.report.histogram
    return pd.DataFrame(
        {"wrong bits": np.arange(histogram.size), "points": histogram, "independent": facts.expected}
    )


def points_table(
    facts: BitFacts, listed: BarPoints, classes: Sequence[str], most: int | None = None
) -> pd.DataFrame:
    """Return the points of a bar: number on the Playground, row, classes, wrong bits counted from 1.

    `most` is how many wrong bits of a point are named; all if it is not given.
    """
    names, report, at = np.array(classes, dtype=object), facts.report, listed.positions
    return pd.DataFrame(
        {
            "Point": listed.numbers,
            "Row": facts.rows[at],
            "True": names[facts.truth[at]],
            "Decided": names[listed.labels],
            "Wrong": report.wrong_bits[at],
            "Which bits": [_numbered((np.flatnonzero(report.wrong[i]) + 1).tolist(), most) for i in at],
        }
    )


def _numbered(bits: Sequence[int], most: int | None) -> str:
    """List numbers, and how many more there are.

    >>> _numbered([3, 7], 2), _numbered([3, 7, 9, 12], 2), _numbered([3, 7, 9], None)
    ('3 7', '3 7 and 2 more', '3 7 9')
    """
    shown = " ".join(map(str, bits[:most]))
    return shown if most is None or len(bits) <= most else f"{shown} and {len(bits) - most} more"
