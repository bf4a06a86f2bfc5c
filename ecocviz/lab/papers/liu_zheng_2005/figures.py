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
from ecocviz.lab.papers.liu_zheng_2005.stopped import PENALTY
from ecocviz.lab.papers.liu_zheng_2005.study import DECODERS, scenario

NAMES = {"f": "f(x)", "srm": "SRM", SHOWN_DRM: "DRM"}
WEIGHED = ("srm", SHOWN_DRM)
UNIT = "% of test points"
TRAINED = (
    "the first split with machines of the same degree and C that are trained to the end, on points scaled to "
    "[0, 1]: no solver is stopped on the pages"
)


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
        least = min(ours.values())
        errors = tuple(
            Entry(error, theirs, opens=_opens(places, decoder), best=error == least)
            for (decoder, error), theirs in zip(ours.items(), about.percent, strict=True)
        )
        gains = tuple(
            Entry(gain, theirs, _taken_away(places, decoder), digits=1)
            for decoder, gain, theirs in zip(WEIGHED, reductions(places), SHARES[row], strict=True)
        )
        rows.append((f"{about.title}, {_setting(places)}", errors + gains))
    return Table(
        title="Table I",
        columns=("", *NAMES.values(), "SRM takes away", "DRM takes away"),
        rows=tuple(rows),
        unit=f"{UNIT}; of the errors of f(x) in the last two columns",
        note="DRM asks five neighbours. Shown is the setting whose f(x) is nearest to the paper's.",
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
    opens = {decoder: _to_the_end(found, decoder) for decoder in theirs}
    for steps, places in stopped_after(found).items():
        errors = tuple(
            Entry(stopped_percent(places, decoder), theirs[decoder], opens[decoder]) for decoder in theirs
        )
        least = Entry(f"{min(place.record['least_reliability'] for place in places):.1g}", None, opens["srm"])
        rows.append((f"{steps:,}", (*errors, least, Entry(len(places), None, opens["f"], digits=0))))
    return Table(
        title="Segment, degree 2, not scaled: libsvm stopped early",
        columns=("steps", "f(x)", "SRM", "DRM", "least reliability", "splits"),
        rows=tuple(rows),
        unit=UNIT,
        note="DRM asks one neighbour.",
    )


def _to_the_end(found: Sequence[Measured], decoder: str) -> Opens | None:
    """Return what opens the machines of degree 2 that come nearest to those that are stopped."""
    places = settings_of(found, "segment-2").get(f"C={PENALTY:g}", ())
    return Opens(scenario(places[0].cell, decoder), differs=TRAINED) if places else None


def draw_figure(found: Sequence[Measured]) -> list[Drawing]:
    """Draw Figure 2: errors as classes are added in the order of the alphabet."""
    panels = []
    for row, about in ROWS.items():
        places = nearest_setting(found, row)
        if places:
            lines = [Line(name, _points(places, decoder)) for decoder, name in NAMES.items()]
            full = all_classes(places[0])
            for (decoder, name), value in zip(NAMES.items(), about.percent, strict=True):
                point = Point(full, value, opens=_opens(places, decoder), note="printed in Table I")
                lines.append(Line(name, (point,), theirs=True))
            title = f"{about.title}, {_setting(places)}"
            panels.append(Panel(title=title, x="classes", y=UNIT, lines=tuple(lines)))
    return [Panels(title="Figure 2: classes added one by one", panels=tuple(panels))]


def _points(places: Sequence[Measured], decoder: str) -> tuple[Point, ...]:
    """Return the errors by number of classes; with all of them they are a scenario."""
    full, opens = all_classes(places[0]), _opens(places, decoder)
    return tuple(
        Point(
            n,
            percent(places, decoder, n),
            opens=opens if n == full else opens.but(f"with all {full} classes instead of the first {n}"),
            note=f"mean of {len(places)} splits" if len(places) > 1 else "",
        )
        for n in places[0].cell.about["classes"]
    )


def _setting(places: Sequence[Measured]) -> str:
    return str(places[0].cell.about["setting"]).replace("gamma", "γ").replace("=", " = ").replace(",", ", ")


def _taken_away(places: Sequence[Measured], decoder: str) -> Opens:
    first = "the first split with " if len(places) > 1 else ""
    differs = f"{first}{NAMES[decoder]}, of whose errors and those of f(x) the share follows"
    return Opens(scenario(places[0].cell, decoder), differs=differs)


def _opens(places: Sequence[Measured], decoder: str) -> Opens:
    """Return what opens the scenario, of several splits the first."""
    return Opens(scenario(places[0].cell, decoder)).first_of(len(places), "splits")
