"""Wrong bits in pictures: of each machine, at once, and together."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.views.bits.facts import Bar, BarPoints, BitFacts
from ecocviz.views.shared.draw.build import build_figure, line_across
from ecocviz.views.shared.draw.theme import Theme, poles
from ecocviz.views.shared.draw.words import signed

HEIGHT, TOGETHER_HEIGHT = 320, 380
MOST_TOGETHER = 100
"""More machines would be cells too small to point at: those with the most errors are shown."""
CLICKABLE = 40
"""Up to so many machines a cell can be clicked."""
WRITTEN = 10
"""Up to so many machines the correlations are written into the cells, in place of a colour bar."""


def _finish(traces: Sequence[dict[str, Any]], layout: dict[str, Any], theme: Theme) -> go.Figure:
    """Return a figure with what all pictures here share."""
    shared = {
        "height": HEIGHT,
        "margin": {"l": 52, "r": 12, "t": 30, "b": 44},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    }
    return build_figure(traces, {**shared, **layout}, theme)


def _bar_colours(theme: Theme, n: int, picked: int) -> list[str]:
    return [theme.negative if k == picked else theme.accent for k in range(n)]


def accuracy_figure(facts: BitFacts, bar: Bar, theme: Theme) -> go.Figure:
    """Draw the accuracy of every machine, with the share of the larger side as a mark."""
    n, picked = facts.n_bits, bar.numbers[0] if bar.kind == "bit" else -1
    numbers = np.arange(1, n + 1)
    bars = {
        "type": "bar",
        "x": numbers,
        "y": 100 * facts.report.accuracies,
        "name": "accuracy",
        "showlegend": False,
        "marker": {"color": _bar_colours(theme, n, picked), "line": {"width": 0}},
        "unselected": {"marker": {"opacity": 1}},
        "hovertemplate": "bit %{x}<br>right in %{y:.1f} %<extra></extra>",
    }
    marks = {
        "type": "scatter",
        "x": numbers,
        "y": 100 * facts.baselines,
        "mode": "markers",
        "name": "always naming the larger side",
        "marker": {
            "symbol": "line-ew",
            "size": float(np.clip(230 / max(n, 1), 4, 34)),
            "line": {"color": theme.ink, "width": 2},
        },
        "unselected": {"marker": {"opacity": 1}},
        "hovertemplate": "bit %{x}<br>larger side %{y:.1f} %<extra></extra>",
    }
    layout = {
        "xaxis": {"title": {"text": "Bit", "standoff": 6}, "showgrid": False, **_whole_ticks(1, n)},
        "yaxis": {
            "title": {"text": "Accuracy", "standoff": 6},
            "ticksuffix": " %",
            "range": [0, 101],
            "nticks": 6,
        },
        "bargap": 0.25 if n <= 60 else 0.05,
    }
    return _finish([bars, marks], layout, theme)


def _step(n: int) -> int:
    """Return a round step that puts at most about twelve ticks on n places.

    >>> _step(7), _step(13), _step(78), _step(325)
    (1, 2, 10, 50)
    """
    return next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if n <= 12 * step)


def _whole_ticks(low: int, high: int) -> dict[str, object]:
    """Put ticks on round whole numbers, the first among them."""
    step = _step(high - low + 1)
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
    ]
    layout = {
        "xaxis": {
            "title": {"text": "Wrong bits of a point", "standoff": 6},
            "showgrid": False,
            **_whole_ticks(0, most),
        },
        "yaxis": {"title": {"text": "Points", "standoff": 6}, "rangemode": "tozero", "nticks": 6},
        "bargap": 0.25,
        **(_promise(facts.repairs, theme) if 0 <= facts.repairs < most else {}),
    }
    return _finish(traces, layout, theme)


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
        "name": "independent machines of the same accuracy",
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
        "text": f"repairs {repairs} for certain" if repairs else "repairs none for certain",
        "font": {"color": theme.positive, "size": 12},
        "showarrow": False,
    }
    return {"shapes": [{**line, "layer": "above"}], "annotations": [note]}


def together_shown(facts: BitFacts) -> IntArray:
    """Return the machines shown against each other, (n_shown,): all, or those with the most errors."""
    shown: IntArray = np.sort(np.argsort(-np.diag(facts.joint), kind="stable")[:MOST_TOGETHER])
    return shown


def together_figure(facts: BitFacts, bar: Bar, theme: Theme) -> go.Figure:
    """Draw the correlation of every two machines' errors; a machine with itself is left out."""
    shown = together_shown(facts)
    n, names, cut = shown.size, [str(b + 1) for b in shown.tolist()], np.ix_(shown, shown)
    traces = [_heat(facts.phi[cut], facts.joint[cut], names, theme)]
    if n <= CLICKABLE:
        traces.append(_clickable(facts, shown, names))
    axis = {
        "type": "category",
        "tickvals": names[:: _step(n)],
        "tickangle": 0,
        "showgrid": False,
        "zeroline": False,
    }
    layout = {
        "xaxis": {**axis, "title": {"text": "Bit", "standoff": 6}, "range": [-0.5, n - 0.5]},
        "yaxis": {**axis, "range": [n - 0.5, -0.5]},
        "shapes": _rings(shown, bar, theme),
        "height": TOGETHER_HEIGHT,
        "plot_bgcolor": theme.zero,
    }
    return _finish(traces, layout, theme)


def _heat(phi: FloatArray, joint: IntArray, names: list[str], theme: Theme) -> dict[str, Any]:
    """Make the coloured cells; few have their numbers written into them, many a colour bar."""
    n = len(names)
    others = np.where(np.eye(n, dtype=bool), np.nan, phi)
    told = "bits %{y} and %{x}<br>φ = %{z:.2f}<br>%{customdata:,} points<extra></extra>"
    return {
        "type": "heatmap",
        "x": names,
        "y": names,
        "z": others.astype(np.float32),
        "zmin": -1,
        "zmax": 1,
        "colorscale": poles(theme),
        "showscale": n > WRITTEN,
        "text": None if n > WRITTEN else _written(others),
        "texttemplate": None if n > WRITTEN else "%{text}",
        "textfont": {"size": 12, "color": theme.ink},
        "customdata": joint.astype(np.int32 if joint.max(initial=0) > 32_000 else np.int16),
        "hoverongaps": False,
        "colorbar": {
            "tickvals": [-1, 0, 1],
            "ticktext": ["−1", "0", "+1"],
            "title": {"text": "φ", "side": "top"},
            "thickness": 10,
            "outlinewidth": 0,
            "tickfont": {"color": theme.dim},
        },
        "xgap": 1 if n <= 40 else 0,
        "ygap": 1 if n <= 40 else 0,
        # Where cells can be clicked, the marks above them say it.
        **({"hoverinfo": "skip"} if n <= CLICKABLE else {"hovertemplate": told}),
    }


def _rings(shown: IntArray, bar: Bar, theme: Theme) -> list[dict[str, Any]]:
    """Outline the two cells of a picked pair that is shown."""
    if bar.kind != "pair" or not set(bar.numbers) <= set(shown.tolist()):
        return []
    a, b = (int(np.flatnonzero(shown == number)[0]) for number in bar.numbers)
    line = {"color": theme.ink, "width": 2}
    return [
        {"type": "rect", "x0": x - 0.5, "x1": x + 0.5, "y0": y - 0.5, "y1": y + 0.5, "line": line}
        for x, y in ((a, b), (b, a))
    ]


def _written(values: FloatArray) -> list[list[str]]:
    return [["" if np.isnan(value) else signed(value) for value in row] for row in values.tolist()]


def _clickable(facts: BitFacts, machines: IntArray, names: list[str]) -> dict[str, Any]:
    """Put an invisible mark on every cell: clicks on the cells themselves never reach the server."""
    n, shown = len(names), machines.tolist()
    pairs = [(a, b) for a in range(n) for b in range(n) if a != b]
    return {
        "type": "scatter",
        "x": [names[b] for _, b in pairs],
        "y": [names[a] for a, _ in pairs],
        "customdata": [
            [
                shown[a],
                shown[b],
                round(float(facts.phi[shown[a], shown[b]]), 3),
                int(facts.joint[shown[a], shown[b]]),
            ]
            for a, b in pairs
        ],
        "mode": "markers",
        "marker": {"symbol": "square", "size": float(np.clip(300 / n, 6, 40)), "opacity": 0},
        "hovertemplate": (
            "bits %{y} and %{x}<br>φ = %{customdata[2]:.2f}<br>%{customdata[3]:,} points<extra></extra>"
        ),
        "showlegend": False,
        "unselected": {"marker": {"opacity": 0}},
        "selected": {"marker": {"opacity": 0}},
    }


def accuracy_table(facts: BitFacts) -> pd.DataFrame:
    """Return accuracy, baseline and errors of every machine."""
    return pd.DataFrame(
        {
            "bit": np.arange(1, facts.n_bits + 1),
            "accuracy": facts.report.accuracies,
            "larger side": facts.baselines,
            "errors": np.diag(facts.joint),
        }
    )


def histogram_table(facts: BitFacts) -> pd.DataFrame:
    """Return the points with each number of wrong bits, and those that independence would give."""
    histogram = facts.report.histogram
    return pd.DataFrame(
        {"wrong bits": np.arange(histogram.size), "points": histogram, "independent": facts.expected}
    )


def together_table(facts: BitFacts) -> pd.DataFrame:
    """Return every pair of machines: correlation of their errors, points that both got wrong."""
    first, second = np.triu_indices(facts.n_bits, k=1)
    return pd.DataFrame(
        {
            "bit": first + 1,
            "other bit": second + 1,
            "phi": facts.phi[first, second],
            "both wrong": facts.joint[first, second],
        }
    )


def points_table(facts: BitFacts, listed: BarPoints, classes: Sequence[str]) -> pd.DataFrame:
    """Return the points of a bar: number on the Playground, row, classes, wrong bits counted from 1."""
    names, report, at = np.array(classes, dtype=object), facts.report, listed.positions
    return pd.DataFrame(
        {
            "Point": listed.numbers,
            "Row": facts.rows[at],
            "True": names[facts.truth[at]],
            "Decided": names[listed.labels],
            "Wrong": report.wrong_bits[at],
            "Which bits": [" ".join(str(b + 1) for b in np.flatnonzero(report.wrong[i])) for i in at],
        }
    )
