"""Kept runs as tables and figures."""

from collections.abc import Sequence
from datetime import UTC, tzinfo

import pandas as pd
import plotly.graph_objects as go

from ecocviz.engine.params import shorten
from ecocviz.lab.store_rows import RUN
from ecocviz.views.runs import words
from ecocviz.views.runs.facts import Kept
from ecocviz.views.runs.over_sets import OverSets
from ecocviz.views.runs.points import Points
from ecocviz.views.shared.draw.build import build_figure
from ecocviz.views.shared.draw.judged import Dot, dots_figure
from ecocviz.views.shared.draw.outside import literal, plain
from ecocviz.views.shared.draw.ranks import Diagram, lay_out
from ecocviz.views.shared.draw.theme import SYMBOLS, Theme
from ecocviz.views.shared.draw.words import p_text

LONGEST = 27
"""Letters of a text that its column has room for: the errors beside it are to be seen too."""
HEIGHT = 300
NAMED_LINES = 6
"""More lines are drawn in one quiet colour, without names."""


def list_table(runs: Sequence[Kept], zone: tzinfo = UTC) -> pd.DataFrame:
    """Return the list as it is shown, a row a run; the first single one is what others are told by."""
    singles = [one for one in runs if is_single(one)] or runs
    return pd.DataFrame(
        {
            "Pinned": ["●" if one.run.pinned else "" for one in runs],
            "Run": [plain(shorten(one.title, LONGEST)) for one in runs],
            "Differs": [plain(shorten(words.apart(one, singles[0]), LONGEST)) for one in runs],
            "Error": [None if one.test is None else 100 * one.test.error for one in runs],
            "Interval": [words.interval_text(one.test) if one.test else None for one in runs],
            "Training": [None if one.train is None else 100 * one.train.error for one in runs],
            "Seconds": [one.run.seconds for one in runs],
            "Used": [words.when(one.run.touched, zone) for one in runs],
        }
    )


def compared_rows(
    runs: Sequence[Kept], zone: tzinfo = UTC
) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Return what runs have otherwise, and what was found: rows of a table with a column a run."""
    scenarios = [one.scenario for one in runs if one.scenario is not None]
    differ = words.difference_rows(scenarios) if len(scenarios) == len(runs) else []
    found = [
        ("Test error", *(words.error_text(one.test) for one in runs)),
        ("95 % interval", *(words.interval_text(one.test) for one in runs)),
        ("Training error", *(words.error_text(one.train) for one in runs)),
        ("Training, s", *(f"{one.run.seconds:.3g}" for one in runs)),
        ("Last used", *(words.when(one.run.touched, zone) for one in runs)),
        ("Version", *(one.run.version for one in runs)),
    ]
    return differ, found


def compared_table(runs: Sequence[Kept]) -> pd.DataFrame:
    """Return the comparison as a table of numbers, a row a run."""
    scenarios = [one.scenario for one in runs if one.scenario is not None]
    fields = words.difference_rows(scenarios) if len(scenarios) == len(runs) else []
    return pd.DataFrame(
        {
            "run": [one.title for one in runs],
            **{row[0]: list(row[1:]) for row in fields},
            "test errors": [None if one.test is None else one.test.wrong for one in runs],
            "test points": [None if one.test is None else one.test.n for one in runs],
            "training errors": [None if one.train is None else one.train.wrong for one in runs],
            "training points": [None if one.train is None else one.train.n for one in runs],
            "seconds": [one.run.seconds for one in runs],
            "link": ["" if one.scenario is None else f"?{one.scenario.to_query()}" for one in runs],
        }
    )


def short_names(runs: Sequence[Kept]) -> list[str]:
    """Name runs in a figure: their number among those compared, and their name or what is special to them."""
    return [
        f"{k + 1} {one.run.name or words.apart(one, runs[0]) or one.run.title}"[:60]
        for k, one in enumerate(runs)
    ]


def errors_figure(runs: Sequence[Kept], theme: Theme) -> go.Figure:
    """Draw the test errors of runs that have one, with their intervals."""
    known = [
        (name, one.test) for name, one in zip(short_names(runs), runs, strict=True) if one.test is not None
    ]
    dots = [Dot(name[:34], test.wrong, test.n, test.interval) for name, test in known]
    return dots_figure(dots, 0, "Test", theme)


# The points of one run -------------------------------------------------------------------------------


def points_figure(points: Points, theme: Theme) -> go.Figure:
    """Draw the points of a sweep or a study: lines over what is varied, or dots in their order."""
    many = len(points.lines) > NAMED_LINES
    percent = points.value == "error"
    traces = []
    for k, (name, line) in enumerate(points.lines.items()):
        traces.append(
            {
                "type": "scatter",
                "name": literal(name[:40]),
                "x": [place.x for place in line],
                "y": [100 * place.y if percent else place.y for place in line],
                "mode": "lines+markers" if points.axis is not None else "markers",
                "line": {"color": theme.dim if many else _colour(k, theme), "width": 1 if many else 1.8},
                "marker": {
                    "size": 4 if many else 7,
                    "color": theme.dim if many else _colour(k, theme),
                    "symbol": "circle" if many else SYMBOLS[k % len(SYMBOLS)],
                },
                "customdata": [words.error_text(place.count) for place in line],
                "hovertemplate": f"{literal(name[:40])}<br>%{{x:.4g}}: "
                + ("%{customdata}" if percent else "%{y:.4g}")
                + "<extra></extra>",
            }
        )
    values = [place.x for line in points.lines.values() for place in line]
    wide = points.axis is not None and min(values) > 0 and max(values) > 30 * min(values)
    layout = {
        "xaxis": {
            "title": {"text": literal(words.axis_name(points)), "standoff": 6},
            "type": "log" if wide else "linear",
            **({"dtick": 1} if wide else {"nticks": 6}),
        },
        "yaxis": {
            "title": {"text": "Test error" if percent else literal(points.value)},
            "ticksuffix": " %" if percent else "",
            "rangemode": "tozero",
            "nticks": 6,
        },
        "height": HEIGHT,
        "margin": {"l": 56, "r": 12, "t": 12, "b": 44},
        "showlegend": 1 < len(points.lines) <= NAMED_LINES,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"},
    }
    return build_figure(traces, layout, theme)


def _colour(k: int, theme: Theme) -> str:
    colours = (theme.accent, theme.positive, theme.negative, theme.wrong, theme.ink, theme.dim)
    return colours[k % len(colours)]


def points_table(points: Points) -> pd.DataFrame:
    """Return the points as a table, a row a point, with the numbers of its record."""
    rows = []
    for key, record in points.rows:
        row: dict[str, object] = {"point": key}
        for name, value in record.items():
            parts = value.items() if isinstance(value, dict) else [("", value)]
            single = [(part, each) for part, each in parts if isinstance(each, str | int | float | bool)]
            row |= {f"{name}.{part}" if part else name: each for part, each in single}
        rows.append(row)
    return pd.DataFrame(rows)


# Over several data sets ------------------------------------------------------------------------------


def diagram_of(found: OverSets) -> Diagram:
    """Lay out the diagram of ranks; without critical difference where there are too few data sets."""
    ranking = found.ranking
    if ranking is None:
        return lay_out((), ())
    if not found.tested:
        return lay_out(found.names, ranking.ranks.tolist())
    return lay_out(found.names, ranking.ranks.tolist(), ranking.critical_difference, ranking.cliques)


def sets_table(found: OverSets) -> pd.DataFrame:
    """Return the errors, a row a data set and a column a method."""
    table: dict[str, list[object]] = {"data set": [each.title for each in found.sets]}
    for k, name in enumerate(found.names):
        table[name] = [each.errors[k] for each in found.sets]
    return pd.DataFrame({**table, "settings": [each.n_settings for each in found.sets]})


def pairs_table(found: OverSets) -> pd.DataFrame:
    """Return all pairs of methods with their counts and p-values."""
    names = found.names
    return pd.DataFrame(
        {
            "first": [names[pair.first] for pair in found.pairs],
            "second": [names[pair.second] for pair in found.pairs],
            "first better": [pair.wins for pair in found.pairs],
            "level": [pair.ties for pair in found.pairs],
            "first worse": [pair.losses for pair in found.pairs],
            "Wilcoxon p": [pair.wilcoxon for pair in found.pairs],
            "Wilcoxon p, Holm": [pair.wilcoxon_holm for pair in found.pairs],
            "sign test p": [pair.sign for pair in found.pairs],
            "sign test p, Holm": [pair.sign_holm for pair in found.pairs],
        }
    )


def pair_rows(found: OverSets) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return heads and rows of the pairs of the best method; p-values where there are sets enough."""
    pairs = words.pairs_of_best(found)
    rows = [(found.names[pair.second], f"{pair.wins} · {pair.ties} · {pair.losses}") for pair in pairs]
    if not found.tested:
        return ("better · level · worse",), [*rows]
    p_values = [(p_text(pair.wilcoxon_holm), p_text(pair.sign_holm)) for pair in pairs]
    heads = ("better · level · worse", "Wilcoxon p", "sign test p")
    return heads, [(*row, *p) for row, p in zip(rows, p_values, strict=True)]


def set_rows(found: OverSets, most: int) -> list[tuple[str, ...]]:
    """Return the errors as they are shown, in percent: a row a data set, a column a method."""
    return [(each.title, *(f"{100 * error:.1f}" for error in each.errors[:most])) for each in found.sets]


def is_single(kept: Kept) -> bool:
    """Say whether a run is of a single scenario, which can be compared and opened."""
    return kept.run.kind == RUN and kept.scenario is not None
