"""Figures 2, 3 and 4 in the paper's form: a row of panels for each set, a panel for each code."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from ecocviz.data.catalogue import DATASETS
from ecocviz.lab.evidence.drawings import Drawing, Entry, Line, Opens, Page, Panel, Panels, Point, Table
from ecocviz.lab.evidence.entries import Measured
from ecocviz.lab.papers.passerini_2004.curves import (
    CODES,
    DECODERS,
    FLAGGED,
    N_TEST,
    N_TRAIN,
    WRONG,
    scenario,
)
from ecocviz.lab.papers.passerini_2004.lines import Curve, curves_of

WIDTH, ERROR = "γ", "% of points"


def draw_decoders(found: Sequence[Measured], sets: Sequence[str]) -> list[Drawing]:
    """Draw Figure 2 or 3: test errors of four decoders over the kernel width."""
    return [*_rows(list(curves_of(found, sets)), _decoder_lines)]


def draw_selection(found: Sequence[Measured], sets: Sequence[str]) -> list[Drawing]:
    """Draw Figure 4: test error and bound, and what choosing by the bound costs."""
    curves = list(curves_of(found, sets))
    return [*_rows(curves, _bound_lines), _costs(curves)]


def _rows(curves: Sequence[Curve], lines: Callable[[Curve], tuple[Line, ...]]) -> Iterator[Panels]:
    for data, own in groupby(curves, key=lambda curve: curve.data):
        panels = (
            Panel(title=CODES[curve.code], x=WIDTH, y=ERROR, lines=lines(curve), log_x=True) for curve in own
        )
        yield Panels(title=DATASETS[data].title, panels=tuple(panels))


def _decoder_lines(curve: Curve) -> tuple[Line, ...]:
    return tuple(Line(name, _points(curve, decoding, Page.PLAYGROUND)) for decoding, name in DECODERS.items())


def _points(curve: Curve, decoding: str, page: Page) -> tuple[Point, ...]:
    return tuple(
        Point(
            2.0**exponent,
            error,
            opens=Opens(scenario(place.cell, decoding), page),
            note=f"{place.record[WRONG][decoding]} of {place.record[N_TEST]} test points wrong",
        )
        for place, exponent, error in zip(curve.places, curve.exponents, curve.errors(decoding), strict=True)
    )


def _bound_lines(curve: Curve) -> tuple[Line, ...]:
    bounds = tuple(
        Point(
            2.0**exponent,
            bound,
            opens=Opens(scenario(place.cell), Page.MODEL_SELECTION),
            note=f"{place.record[FLAGGED]} of {place.record[N_TRAIN]} training points counted",
        )
        for place, exponent, bound in zip(curve.places, curve.exponents, curve.bounds(), strict=True)
    )
    test = _points(curve, "likelihood", Page.MODEL_SELECTION)
    return (Line("test error", test), Line("leave-one-out bound", bounds))


def _costs(curves: Sequence[Curve]) -> Table:
    rows = []
    for curve in curves:
        errors, bounds, chosen = curve.errors("likelihood"), curve.bounds(), curve.chosen()
        best = errors.index(min(errors))
        opens, opens_best = (
            Opens(scenario(curve.places[k].cell), Page.MODEL_SELECTION) for k in (chosen, best)
        )
        lost = replace(opens, differs="the γ chosen by the bound, whose error less the least is shown")
        entries = (
            Entry(2.0 ** curve.exponents[best], opens=opens_best, digits=3),
            Entry(errors[best], opens=opens_best),
            Entry(2.0 ** curve.exponents[chosen], opens=opens, digits=3),
            Entry(errors[chosen], opens=opens),
            Entry(bounds[chosen], opens=opens),
            Entry(curve.cost(), opens=lost),
        )
        rows.append((curve.title, entries))
    return Table(
        title="What choosing γ by the bound costs",
        columns=("", "best γ", "error there", "γ by the bound", "error there", "bound there", "cost"),
        rows=tuple(rows),
        unit="% of points",
    )


def draw_sensitivity(found: Sequence[Measured]) -> list[Drawing]:
    """Draw how far each decoder's error moves over the kernel widths."""
    rows = []
    for curve in curves_of(found):
        spreads = {decoding: curve.spread(decoding) for decoding in DECODERS}
        entries = tuple(
            Entry(s, opens=_worst(curve, decoding), digits=1, best=s == min(spreads.values()))
            for decoding, s in spreads.items()
        )
        rows.append((curve.title, entries))
    table = Table(
        title="Test error at the worst γ less that at the best",
        columns=("", *DECODERS.values()),
        rows=tuple(rows),
        unit="points of error",
    )
    return [table]


def _worst(curve: Curve, decoding: str) -> Opens:
    """Return what opens the worst width of a decoder."""
    errors = curve.errors(decoding)
    place = curve.places[errors.index(max(errors))]
    return Opens(scenario(place.cell, decoding), differs="the worst γ, whose error less the least is shown")
