"""Table I and Figure 2 in the paper's form, ours beside theirs."""

from collections.abc import Sequence

from ecocviz.lab.evidence.drawings import Drawing, Entry, Line, Opens, Panel, Panels, Point, Table
from ecocviz.lab.evidence.entries import Measured
from ecocviz.lab.papers.liu_zheng_2005.claims import (
    SHOWN_DRM,
    all_classes,
    nearest_setting,
    percent,
    reductions,
    settings_of,
    stopped_after,
    stopped_percent,
)
from ecocviz.lab.papers.liu_zheng_2005.printed import ROWS, SHARES
from ecocviz.lab.papers.liu_zheng_2005.study import DECODERS, scenario

NAMES = {"f": "f(x)", "srm": "SRM", SHOWN_DRM: "DRM"}
UNIT = "% of test points"


def draw_table(found: Sequence[Measured]) -> list[Drawing]:
    """Draw Table I, then all that was tried, then the solver that was stopped."""
    return [_table_1(found), _all_settings(found), _stopped(found)]


def _table_1(found: Sequence[Measured]) -> Table:
    rows = []
    for row, about in ROWS.items():
        places = nearest_setting(found, row)
        if not places:
            continue
        ours = {decoder: percent(places, decoder) for decoder in NAMES}
        errors = tuple(
            Entry(
                ours[decoder], theirs, opens=_opens(places, decoder), best=ours[decoder] == min(ours.values())
            )
            for decoder, theirs in zip(NAMES, about.percent, strict=True)
        )
        gains = tuple(
            Entry(gain, theirs, digits=1)
            for gain, theirs in zip(reductions(places), SHARES[row], strict=True)
        )
        rows.append((f"{about.title}, {_setting(places)}", errors + gains))
    return Table(
        title="Table I",
        columns=("", *NAMES.values(), "SRM takes away", "DRM takes away"),
        rows=tuple(rows),
        unit=f"{UNIT}; of the errors of f(x) in the last two columns",
        note="DRM asks five neighbours. Shown is the setting whose f(x) is nearest to the paper's. "
        "Of several splits, a click opens the first.",
    )


def _all_settings(found: Sequence[Measured]) -> Table:
    rows = []
    for row, about in ROWS.items():
        for places in settings_of(found, row).values():
            entries = tuple(
                Entry(percent(places, decoder), opens=_opens(places, decoder)) for decoder in DECODERS
            )
            rows.append((f"{about.title}, {_setting(places)}", entries))
    names = ("f(x)", "SRM", *(f"DRM, {key.partition('-')[2]}" for key in DECODERS if key.startswith("drm")))
    return Table(
        title="All settings that were tried",
        columns=("", *names),
        rows=tuple(rows),
        unit=UNIT,
        note="The number after DRM is that of the neighbours.",
    )


def _stopped(found: Sequence[Measured]) -> Table:
    theirs = dict(zip(("f", "srm", "drm-1"), ROWS["segment-2"].percent, strict=True))
    rows = []
    for steps, places in stopped_after(found).items():
        errors = tuple(Entry(stopped_percent(places, decoder), theirs[decoder]) for decoder in theirs)
        least = min(place.record["least_reliability"] for place in places)
        rows.append((f"{steps:,}", (*errors, Entry(f"{least:.1g}"), Entry(len(places), digits=0))))
    return Table(
        title="Segment, degree 2, not scaled: libsvm stopped early",
        columns=("steps", "f(x)", "SRM", "DRM", "least reliability", "splits"),
        rows=tuple(rows),
        unit=UNIT,
        note="DRM asks one neighbour.",
    )


def draw_figure(found: Sequence[Measured]) -> list[Drawing]:
    """Draw Figure 2: errors as classes are added in the order of the alphabet."""
    panels = []
    for row, about in ROWS.items():
        places = nearest_setting(found, row)
        if places:
            lines = tuple(Line(name, _points(places, decoder)) for decoder, name in NAMES.items())
            paper = zip(NAMES.values(), about.percent, strict=True)
            theirs = tuple(
                Line(name, (Point(all_classes(places[0]), value, note="printed in Table I"),), theirs=True)
                for name, value in paper
            )
            title = f"{about.title}, {_setting(places)}"
            panels.append(Panel(title=title, x="classes", y=UNIT, lines=(*lines, *theirs)))
    return [Panels(title="Figure 2: classes added one by one", panels=tuple(panels))]


def _points(places: Sequence[Measured], decoder: str) -> tuple[Point, ...]:
    """Return the errors by number of classes; only those with all classes are a scenario."""
    full = all_classes(places[0])
    return tuple(
        Point(
            n,
            percent(places, decoder, n),
            opens=_opens(places, decoder) if n == full else None,
            note=f"mean of {len(places)} splits" if len(places) > 1 else "",
        )
        for n in places[0].cell.about["classes"]
    )


def _setting(places: Sequence[Measured]) -> str:
    return str(places[0].cell.about["setting"]).replace("gamma", "γ").replace("=", " = ").replace(",", ", ")


def _opens(places: Sequence[Measured], decoder: str) -> Opens:
    """Return what opens the scenario, of several splits the first."""
    return Opens(scenario(places[0].cell, decoder))
