"""Figure 5, the theorem's counts and Table 1 in the paper's form."""

from collections.abc import Sequence

from ecocviz.lab.evidence.drawings import Drawing, Entry, Line, Opens, Page, Panel, Panels, Point, Table
from ecocviz.lab.evidence.entries import Measured, grouped
from ecocviz.lab.papers.crammer_singer_2002.claims import printed_sizes, ratios, rivals_of, shape
from ecocviz.lab.papers.crammer_singer_2002.run_time import scenario
from ecocviz.lab.scenario import make_scenario

NORM_NAMES = {"l1": "ℓ1", "l2": "ℓ2", "linf": "ℓ∞"}
MOST_CLASSES = 10
"""Of points that are made up."""
COUNTED = ("variables", "0-constraints", "constraints")


def draw_times(found: Sequence[Measured]) -> list[Drawing]:
    """Draw Figure 5, a panel for each value of β, and the factors behind it."""
    panels = tuple(
        Panel(title=f"β = {beta:g}", x="points", y="milliseconds", lines=_time_lines(places), log_y=True)
        for beta, places in grouped(found, "beta").items()
    )
    return [Panels(title="Run time of four solvers", panels=panels), _factors(found)]


def _opens(place: Measured) -> Opens:
    """Return what opens the points and the machine of a cell: its first data set."""
    n_sets = len(next(iter(place.record["sets"].values())))
    differs = f"its program on the first of {n_sets} data sets; run times are not on any page"
    return Opens(scenario(place.cell.about["scenario"]), differs=differs)


def _time_lines(places: Sequence[Measured]) -> tuple[Line, ...]:
    names = dict.fromkeys(name for place in places for name in place.record["milliseconds"])
    return tuple(
        Line(name, tuple(_time(place, name) for place in places if name in place.record["milliseconds"]))
        for name in names
    )


def _time(place: Measured, name: str) -> Point:
    sets = place.record["sets"][name]
    return Point(
        place.cell.about["size"],
        place.record["milliseconds"][name],
        low=min(sets),
        high=max(sets),
        opens=_opens(place),
        note=f"mean of {len(sets)} data sets",
    )


def _factors(found: Sequence[Measured]) -> Table:
    rivals = rivals_of(found)
    rows = []
    for place in found:
        opens = _opens(place)
        factors = tuple(
            Entry(sum(each) / len(each), opens=opens, digits=0) if each else Entry(None)
            for each in (ratios(place, rival) for rival in rivals)
        )
        spread = Entry(f"{place.record['spread']:.0e}", opens=opens)
        name = f"{place.cell.about['size']} points, β = {place.cell.about['beta']:g}"
        rows.append((name, (*factors, spread)))
    return Table(
        title="How many times as fast the paper's algorithm is",
        columns=("", *(f"as {rival}" for rival in rivals), "objectives differ by"),
        rows=tuple(rows),
        note="The last column is the largest relative difference between the objectives of all solvers.",
    )


def draw_columns(found: Sequence[Measured]) -> list[Drawing]:
    """Draw the counts behind Theorem 1."""
    names = ("n", "optimal", "tried", "all")
    rows = tuple(
        (
            f"{place.cell.about['n_classes']} classes",
            tuple(Entry(place.record[name], opens=_designed(place), digits=0) for name in names),
        )
        for place in found
    )
    columns = ("", "samples", "column is the best", "columns compared", "columns there are")
    return [Table(title="First columns found by sorting, beside all columns", columns=columns, rows=rows)]


def _designed(place: Measured) -> Opens:
    """Return what opens a code made of such columns, for as many classes."""
    asked = make_scenario(
        data=("blobs", {"n_classes": place.cell.about["n_classes"]}), coding="optimal-columns"
    )
    differs = "a code of columns found so, for as many classes: the samples counted here are random ones"
    return Opens(asked, Page.CODE_MATRIX, differs)


def draw_sizes(found: Sequence[Measured]) -> list[Drawing]:
    """Draw Table 1 for every shape."""
    return [_sizes(place) for place in found]


def _sizes(place: Measured) -> Table:
    m, k, n_bits = shape(place)
    printed, counts, optima = printed_sizes(m, k, n_bits), place.record["counts"], place.record["optima"]
    opens = {norm: _solved(norm, m, k) for norm in NORM_NAMES}
    rows = []
    for program in ("primal", "dual"):
        for j, counted in enumerate(COUNTED):
            entries = tuple(
                Entry(counts[norm][program][j], printed[norm][program][j], one, digits=0)
                for norm, one in opens.items()
            )
            rows.append((f"{program}, {counted}", entries))
    for j, program in enumerate(("primal", "dual")):
        entries = tuple(Entry(optima[norm][j], opens=one, digits=4) for norm, one in opens.items())
        rows.append((f"{program}, optimum", entries))
    return Table(
        title=f"Sizes of the programs: {m} points, {k} classes, {n_bits} machines",
        columns=("", *NORM_NAMES.values()),
        rows=tuple(rows),
    )


def _solved(norm: str, m: int, k: int) -> Opens:
    """Return what opens a continuous code of a norm, for as many points and classes as can be made up."""
    n_classes = min(k, MOST_CLASSES)
    asked = make_scenario(
        data=("blobs", {"n_samples": m, "n_classes": n_classes}),
        split="all",
        reduction=("continuous-code", {"norm": norm}),
    )
    differs = (
        f"such a program solved for {m} points of {n_classes} classes and the scores of trained machines; "
        "those counted here are random, and no page counts variables"
    )
    return Opens(asked, differs=differs)
