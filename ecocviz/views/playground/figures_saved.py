"""The picked point as figures and tables to be saved: what machines say, and what decoders decide."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ecocviz.engine.params import shorten
from ecocviz.engine.types import BoolArray, IntArray
from ecocviz.views.playground.inspection import Inspection, Verdict
from ecocviz.views.shared.draw.build import Figure, build_figure
from ecocviz.views.shared.draw.outside import literal, told_apart
from ecocviz.views.shared.draw.theme import CELL, Theme, mixed, rising
from ecocviz.views.shared.draw.words import MINUS, number

LONG, MOST = 20, 60
"""Bits: of a longer code only those that matter are drawn, and never more than so many."""
ROW, HEAD = 20, 80
SIGNS = {1: "+", -1: MINUS, 0: "0"}
COST_CM = 0.9
"""The least width of a cost that can be read."""


def drawn_bits(inspection: Inspection, decoder: int) -> IntArray:
    """Return which bits are drawn: of a long code those that the true class or the winner asks for."""
    n = inspection.bits.size
    if n <= LONG:
        return np.arange(n)
    tipping = np.isin(np.arange(n), inspection.verdicts[decoder].tipping or ())
    wrong = inspection.wrong(decoder)
    matter = wrong | tipping | inspection.flipped | inspection.matters(decoder)
    # Of too many, those that are wrong or flipped come first.
    first = np.argsort(~(wrong | tipping | inspection.flipped)[np.flatnonzero(matter)], kind="stable")
    return np.sort(np.flatnonzero(matter)[first[:MOST]])


def bits_figure(inspection: Inspection, decoder: int, *, title: str, theme: Theme) -> Figure:
    """Draw the machines' scores, and beside them what they say and what the true class asks."""
    shown, wrong = drawn_bits(inspection, decoder), inspection.wrong(decoder)
    places = np.arange(shown.size)
    scores = inspection.scores[shown]
    bars = {
        "type": "bar", "orientation": "h", "x": scores, "y": places, "showlegend": False,
        "marker": {"color": [theme.positive if score > 0 else theme.negative for score in scores]},
    }  # fmt: skip
    left_out = inspection.bits.size - shown.size
    rest = f"; {left_out} bits of other classes are left out" if left_out else ""
    names = [_bit_name(b, wrong, inspection.flipped, theme) for b in shown.tolist()]
    cells, heads = _answers(inspection, decoder, shown, theme)
    rows = {"range": [shown.size - 0.5, -0.5], "showgrid": False, "zeroline": False}
    layout = {
        "title": {"text": literal(title)},
        "height": HEAD + ROW * shown.size,
        "showlegend": False,
        "xaxis": {"domain": [0, 0.56], "title": {"text": f"score of the machine{rest}"}, "zeroline": True},
        "yaxis": {**rows, "title": {"text": "bit"}, "tickvals": places, "ticktext": names},
        "xaxis2": {
            "domain": [0.6, 1], "range": [-0.5, len(heads) - 0.5], "tickvals": list(range(len(heads))),
            "ticktext": heads, "showgrid": False, "zeroline": False, "side": "top", "anchor": "y2",
        },
        "yaxis2": {**rows, "showticklabels": False, "anchor": "x2"},
    }  # fmt: skip
    return build_figure([bars, cells | {"xaxis": "x2", "yaxis": "y2"}], layout, theme)


def _bit_name(b: int, wrong: BoolArray, flipped: BoolArray, theme: Theme) -> str:
    """Write the number of a bit, and what is to be known of it."""
    notes = [word for word, told in (("flipped", flipped[b]), ("wrong", wrong[b])) if told]
    text = f"{', '.join(notes)} {b + 1}".strip()
    return f'<b><span style="color:{theme.wrong}">{text}</span></b>' if wrong[b] else text


def _answers(
    inspection: Inspection, decoder: int, shown: IntArray, theme: Theme
) -> tuple[dict[str, Any], list[str]]:
    """Return the cells of what machines say and should say, and the heads of their columns."""
    asked, sure = inspection.asked(decoder), inspection.probabilities
    says = inspection.seen(decoder)
    columns: list[tuple[str, list[int], list[str]]] = []
    if sure is not None:
        columns.append(("P(+)", [0] * shown.size, [f"{p:.2f}" for p in sure[shown].tolist()]))
    for head, signs in (("says", says), ("should say", asked)):
        if signs is not None:
            own = np.sign(signs[shown]).astype(np.int64).tolist()
            columns.append((head, own, [SIGNS[sign] for sign in own]))
    poles = [
        mixed(theme.surface, theme.negative, CELL),
        theme.surface,
        mixed(theme.surface, theme.positive, CELL),
    ]
    cells = {
        "type": "heatmap", "x": list(range(len(columns))), "y": list(range(shown.size)),
        "z": np.array([signs for _, signs, _ in columns]).T, "zmin": -1, "zmax": 1, "showscale": False,
        "colorscale": list(zip((0, 0.5, 1), poles, strict=True)), "xgap": 3, "ygap": 3,
        "text": [list(row) for row in zip(*(texts for _, _, texts in columns), strict=True)],
        "texttemplate": "%{text}", "textfont": {"size": 11, "color": theme.ink},
    }  # fmt: skip
    return cells, [head for head, _, _ in columns]


def verdicts_figure(
    inspection: Inspection, decoder: int, classes: Sequence[str], *, title: str, width: float, theme: Theme
) -> Figure:
    """Draw what every class costs every decoder, a row a decoder; the cheapest class is the darkest."""
    costs = np.array([verdict.costs for verdict in inspection.verdicts])
    finite = np.where(np.isfinite(costs), costs, np.nan)
    low, high = np.nanmin(finite, axis=1, keepdims=True), np.nanmax(finite, axis=1, keepdims=True)
    shares = (high - finite) / np.where(high > low, high - low, 1.0)
    n_rows, n_classes = costs.shape
    heat: dict[str, Any] = {
        "type": "heatmap", "x": list(range(n_classes)), "y": list(range(n_rows)), "z": shares,
        "zmin": 0, "zmax": 1, "colorscale": rising(theme, theme.accent), "showscale": False,
        "xgap": 2, "ygap": 2,
    }  # fmt: skip
    if n_classes * COST_CM <= width - 3:
        heat |= {
            "text": [[number(cost) for cost in row] for row in costs.tolist()], "texttemplate": "%{text}",
            "textfont": {"size": 11, "color": theme.ink},
        }  # fmt: skip
    bare = {"showgrid": False, "zeroline": False}
    names = [_decision(verdict, k == decoder, classes) for k, verdict in enumerate(inspection.verdicts)]
    layout = {
        "title": {"text": literal(title)},
        "height": HEAD + 34 * n_rows,
        "showlegend": False,
        "xaxis": {
            **bare, "title": {"text": "cost of every class (darker is less)"},
            "tickvals": list(range(n_classes)),
            "ticktext": [literal(shorten(name, 16)) for name in classes],
        },
        "yaxis": {
            **bare, "range": [n_rows - 0.5, -0.5], "tickvals": list(range(n_rows)), "ticktext": names,
        },
    }  # fmt: skip
    return build_figure([heat], layout, theme)


def _decision(verdict: Verdict, own: bool, classes: Sequence[str]) -> str:
    """Name a decoder and the class that it names."""
    decided = "not decided" if verdict.undecided else shorten(classes[verdict.winner], 16)
    text = literal(f"{verdict.entry.title}: {decided}{' (tie)' if verdict.is_tie else ''}")
    return f"<b>{text}</b>" if own else text


def bits_table(inspection: Inspection, decoder: int) -> pd.DataFrame:
    """Return what every machine says of the point, a row a bit."""
    n, asked, sure = inspection.bits.size, inspection.asked(decoder), inspection.probabilities
    table: dict[str, object] = {"bit": np.arange(n) + 1, "score": inspection.scores}
    if sure is not None:
        table["P(+)"] = sure
    table["says"] = inspection.seen(decoder)
    if asked is not None:
        table["should say"] = asked
    return pd.DataFrame(table | {"wrong": inspection.wrong(decoder), "flipped": inspection.flipped})


def verdicts_table(inspection: Inspection, classes: Sequence[str]) -> pd.DataFrame:
    """Return what every decoder decides and what every class costs it, a row a decoder."""
    verdicts = inspection.verdicts
    table: dict[str, object] = {
        "decoder": [verdict.entry.title for verdict in verdicts],
        "winner": [classes[verdict.winner] for verdict in verdicts],
        "undecided": [verdict.undecided for verdict in verdicts],
        "runner-up": [classes[verdict.runner_up] for verdict in verdicts],
        "margin": [verdict.margin for verdict in verdicts],
    }
    heads = told_apart([*table, *(f"cost of {name}" for name in classes)])[len(table) :]
    costs = np.array([verdict.costs for verdict in verdicts])
    return pd.DataFrame(table | dict(zip(heads, costs.T, strict=True)))
