"""Several ways to decide, judged on the same points: their errors as a figure, and what chance explains."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from ecocviz.lab.judge import Judgement, beyond_chance
from ecocviz.views.shared.draw.build import build_figure, line_across
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.theme import Theme
from ecocviz.views.shared.draw.words import listed

ROW_HEIGHT, HEAD_HEIGHT = 22, 74
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Dot:
    """An error on its line.

    Attributes
    ----------
    name
        What erred; may come from outside.
    n_wrong, n
        Points decided wrongly, of how many.
    interval
        Of the share.
    """

    name: str
    n_wrong: int
    n: int
    interval: tuple[float, float]


def errors_figure(
    judged: Sequence[Judgement], titles: Mapping[str, str], own: str, part: str, theme: Theme
) -> go.Figure:
    """Draw every error as a dot with its interval, a line each.

    Parameters
    ----------
    judged
        The first on top.
    titles
        Key -> name.
    own
        Key of the one in the accent colour, whose error is a vertical line; the first if it is not there.
    part
        "Test" or "Training".
    theme
        Light or dark.
    """
    keys = [each.key for each in judged]
    dots = [Dot(titles[each.key], each.outcome.n_wrong, each.outcome.n, each.interval) for each in judged]
    return dots_figure(dots, keys.index(own) if own in keys else 0, part, theme)


def dots_figure(found: Sequence[Dot], mine: int, part: str, theme: Theme) -> go.Figure:
    """Draw errors, as `errors_figure` does; `mine` is the position of the one in the accent colour."""
    errors = [100 * each.n_wrong / each.n for each in found]
    bounds = [(100 * each.interval[0], 100 * each.interval[1]) for each in found]
    names = [literal(each.name) for each in found]
    colours = [theme.accent if k == mine else theme.dim for k in range(len(found))]
    dots = {
        "type": "scatter",
        "x": errors,
        "y": list(range(len(found))),
        "customdata": [
            [name, each.n_wrong, each.n, *bound]
            for name, each, bound in zip(names, found, bounds, strict=True)
        ],
        "mode": "markers",
        "marker": {"color": colours, "size": [11 if k == mine else 8 for k in range(len(found))]},
        "hovertemplate": (
            "%{customdata[0]}<br>%{x:.1f} % (%{customdata[1]} of %{customdata[2]:,})<br>"
            "95 %: %{customdata[3]:.1f} to %{customdata[4]:.1f} %<extra></extra>"
        ),
        "unselected": {"marker": {"opacity": 1}},
    }
    intervals = [
        {
            "type": "line", "x0": low, "x1": high, "y0": k, "y1": k, "layer": "below",
            "line": {"color": colours[k], "width": 2 if k == mine else 1.2},
        }
        for k, (low, high) in enumerate(bounds)
    ]  # fmt: skip
    layout = {
        "shapes": [*intervals, line_across(theme.accent, width=1, x=errors[mine], dash="dot")],
        "yaxis": {
            "tickvals": list(range(len(found))),
            "ticktext": [f"<b>{name}</b>" if k == mine else name for k, name in enumerate(names)],
            "range": [len(found) - 0.4, -0.6],
            "showgrid": False,
            "zeroline": False,
        },
        "xaxis": {
            "title": {"text": f"{part} error", "standoff": 6},
            "ticksuffix": " %",
            # The intervals are shapes, which the axis leaves no room beside.
            "range": [0, 1.04 * max(high for _, high in bounds)],
            "nticks": 5,
        },
        "height": errors_height(len(found)),
        "margin": {"l": 12, "r": 12, "t": 8, "b": 44},
        "showlegend": False,
    }
    return build_figure([dots], layout, theme)


def errors_height(n: int) -> int:
    """Return the height of the figure of so many errors."""
    return HEAD_HEIGHT + ROW_HEIGHT * n


def named(titles: Sequence[str], noun: str) -> str:
    """Name a few, or say how many they are.

    >>> named(["Linear", "Voting"], "decoders"), named(["A", "B", "C", "D"], "decoders")
    ('Linear and Voting', '4 decoders')
    """
    return listed(list(titles)) if len(titles) <= MOST_NAMED else f"{len(titles)} {noun}"


def significance_sentence(judged: Sequence[Judgement], own: Judgement, title: str) -> str:
    """Say how many differ from one of them by more than chance explains."""
    worse, better = beyond_chance(judged, own)
    return chance_sentence(title, worse, better, len(judged) - 1)


def chance_sentence(own: str, n_worse: int, n_better: int, n: int) -> str:
    """Say how many differ from one of them by more than chance explains.

    >>> chance_sentence("Likelihood", 0, 0, 20)
    'None of the other 20 differs from Likelihood by more than chance explains (McNemar, 5 %).'
    >>> chance_sentence("Linear", 3, 1, 20)
    'Beyond what chance explains (McNemar, 5 %), 3 make more errors than Linear and 1 makes fewer.'
    """
    if n == 0:
        return ""
    if n_worse == n_better == 0:
        others = "The other one does not differ" if n == 1 else f"None of the other {n} differs"
        return f"{others} from {own} by more than chance explains (McNemar, 5 %)."
    parts = []
    if n_worse:
        parts.append(f"{n_worse} {'makes' if n_worse == 1 else 'make'} more errors than {own}")
    if n_better:
        fewer = f"{n_better} {'makes' if n_better == 1 else 'make'} fewer"
        parts.append(fewer if n_worse else f"{fewer} errors than {own}")
    return f"Beyond what chance explains (McNemar, 5 %), {' and '.join(parts)}."


def differ_sentence(n_differ: int, n_cells: int, n: int, noun: str = "decoders") -> str:
    """Say on how much of the plane not all decoders, or whatever decides, name the same class.

    >>> differ_sentence(10, 100, 21)
    'They disagree on 10.0 % of the plane.'
    """
    if n < 2:
        return ""
    if not n_differ:
        return f"All {n} {noun} agree on the whole plane."
    return f"They disagree on {100 * n_differ / n_cells:.1f} % of the plane."
