"""What is made of times and errors of trellis codes: statements that hold or not, and drawings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from ecocviz.lab.evidence.drawings import Drawing, Entry, Line, Opens, Page, Panel, Panels, Point, Table
from ecocviz.lab.evidence.entries import Measured, Statement, count, grouped
from ecocviz.lab.papers.evron_2018.study import LOSSES, MACHINES, scenario_of

MANY = 1_000
"""From so many classes on the path has to be faster."""
GROWTH = 2.0
"""The time of a point and a machine may grow by so much from the fewest classes to the most."""


# Times -----------------------------------------------------------------------------------------------


def judge_times(found: Sequence[Measured]) -> list[Statement]:
    """Count points with the same answer, sizes where the path is faster, widths where it grows as claimed."""
    many = [one.record for one in found if one.cell.about["classes"] >= MANY]
    ends = [(ones[0].record, ones[-1].record) for ones in grouped(found, "width").values()]
    grown = [last["path"] / last["machines"] / (first["path"] / first["machines"]) for first, last in ends]
    same, of = (sum(one.record[name] for one in found) for name in ("same", "of"))
    faster = f"from {MANY:,} classes on, the path is faster than comparing all"
    grows = "widths whose time grows with the machines, that is with the logarithm of the classes"
    return [
        Statement("the path's class costs as little as the cheapest of all", same, of, least=1.0),
        count(faster, (record["path"] < record["all"] for record in many), least=1.0),
        count(grows, (growth <= GROWTH for growth in grown), least=1.0),
    ]


def why_times(found: Sequence[Measured]) -> str:
    """Say how much faster the path is where there are most classes."""
    if not found:
        return ""
    last = max(found, key=lambda one: (one.cell.about["classes"], -one.cell.about["width"]))
    K, record = int(last.cell.about["classes"]), last.record
    return (
        f"With {K:,} classes on {record['machines']} machines a point takes {record['path']:.2g} "
        f"microseconds by the path and {record['all']:,.0f} by comparing all: "
        f"{record['all'] / record['path']:,.0f} times as long."
    )


def draw_times(found: Sequence[Measured]) -> list[Drawing]:
    """Draw the time of a point, and the machines, over the number of classes."""
    widths = grouped(found, "width")
    names = {"path": "shortest path", "all": "all classes compared"}
    times = [
        Line(f"{name}, width {width}", _by_classes(ones, key))
        for width, ones in widths.items()
        for key, name in names.items()
    ]
    sizes = [Line(f"width {width}", _by_classes(ones, "machines")) for width, ones in widths.items()]
    panels = (
        Panel(
            title="Time of one point", x="classes", y="microseconds", log_x=True, log_y=True, lines=(*times,)
        ),
        Panel(title="Machines", x="classes", y="machines", log_x=True, lines=(*sizes,)),
    )
    table = Table(
        title="Microseconds for one point",
        columns=("size", "machines", "shortest path", "all compared", "times as long"),
        rows=tuple(map(_time_row, found)),
    )
    return [Panels(title="Decoding with exponential loss", panels=panels), table]


def _by_classes(ones: Sequence[Measured], key: str) -> tuple[Point, ...]:
    return tuple(Point(int(one.cell.about["classes"]), one.record[key], opens=_most(one)) for one in ones)


def _time_row(one: Measured) -> tuple[str, tuple[Entry, ...]]:
    about, record, opens = one.cell.about, one.record, _most(one)
    entries = (
        Entry(record["machines"], opens=opens, digits=0),
        Entry(record["path"], opens=opens),
        Entry(record["all"], opens=opens),
        Entry(record["all"] / record["path"], opens=opens, digits=0),
    )
    return f"{about['classes']:,} classes, width {about['width']}", entries


def _most(one: Measured) -> Opens:
    """Return what opens a graph of the same width for the most classes that a set has."""
    width = int(one.cell.about["width"])
    asked = scenario_of({"set": "letter", "kernel": "linear", "seed": 0}, width)
    differs = (
        f"the graph of width {width} for the 26 letters, the most classes of any set that ships; how long "
        "decoding takes is not on any page"
    )
    return Opens(asked, Page.CODE_MATRIX, differs)


# Errors ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Widths:
    """The splits of one set with one kernel."""

    data: str
    kernel: str
    cells: tuple[Measured, ...]

    @property
    def title(self) -> str:
        """The set and the machines."""
        return f"{self.data}, {MACHINES[self.kernel]}"

    @property
    def widths(self) -> list[int]:
        """Those of the graphs, from the narrowest."""
        return sorted(int(width) for width in self.cells[0].record["widths"] if width != "0")

    def error(self, width: int, decoding: str = "exponential") -> float:
        """Return a test error in percent, the mean over the splits; width 0 is one-vs-all."""
        return fmean(
            100 * one.record["widths"][str(width)]["wrong"][decoding] / one.record["n_test"]
            for one in self.cells
        )

    def opens(self, width: int, decoding: str) -> Opens:
        """Open the first split."""
        asked = scenario_of(self.cells[0].cell.about, width, decoding)
        return Opens(asked).first_of(len(self.cells), "splits")

    def machines(self, width: int) -> int:
        """Return the number of machines."""
        return int(self.cells[0].record["widths"][str(width)]["machines"])

    def points(self, decoding: str) -> tuple[Point, ...]:
        """Return the errors over the width."""
        return tuple(
            Point(
                width,
                self.error(width, decoding),
                opens=self.opens(width, decoding),
                note=f"{self.machines(width)} machines",
            )
            for width in self.widths
        )


def groups_of(found: Sequence[Measured]) -> list[Widths]:
    """Put the splits of a set together."""
    groups = grouped(found, "set", "kernel")
    return [Widths(data, kernel, tuple(cells)) for (data, kernel), cells in groups.items()]


def judge_errors(found: Sequence[Measured]) -> list[Statement]:
    """Count where width lowers the error, and where a loss decodes better."""
    groups = groups_of(found)
    statements = []
    for kernel, name in MACHINES.items():
        falls = (each.error(each.widths[-1]) < each.error(2) for each in groups if each.kernel == kernel)
        statements.append(count(f"the widest graph errs less than width 2, {name}", falls))
    for key, least in (("hamming", 0.8), ("linear", 0.5)):
        text = f"exponential loss errs at most as often as {LOSSES[key]}"
        level = (each.error(width) <= each.error(width, key) for each in groups for width in each.widths)
        statements.append(count(text, level, least))
    return statements


def why_errors(found: Sequence[Measured]) -> str:
    """Say what width and loss change on average."""
    parts = []
    for kernel, name in MACHINES.items():
        mine = [group for group in groups_of(found) if group.kernel == kernel]
        if mine:
            narrow = fmean(group.error(2) for group in mine)
            wide = fmean(group.error(group.widths[-1]) for group in mine)
            every = fmean(group.error(0) for group in mine)
            parts.append(
                f"{name}: {narrow:.1f} % at width 2, {wide:.1f} % at the widest, {every:.1f} % one-vs-all"
            )
    return f"Mean test error with exponential loss, {'; '.join(parts)}." if parts else ""


def draw_errors(found: Sequence[Measured]) -> list[Drawing]:
    """Draw the error over the width, a panel per set and kernel, and all numbers as a table."""
    groups = groups_of(found)
    panels = []
    for group in groups:
        lines = tuple(Line(name, group.points(key)) for key, name in LOSSES.items())
        panels.append(Panel(title=group.title, x="width", y="test error, %", lines=lines))
    table = Table(
        title="Test error, means over the splits",
        columns=("set, machines, code", "machines", *LOSSES.values()),
        rows=tuple(_error_row(group, width) for group in groups for width in (*group.widths, 0)),
        unit="%",
    )
    return [Panels(title="Error by the width of the graph", panels=tuple(panels)), table]


def _error_row(group: Widths, width: int) -> tuple[str, tuple[Entry, ...]]:
    errors = [Entry(group.error(width, key), opens=group.opens(width, key)) for key in LOSSES]
    label = f"width {width}" if width else "one-vs-all"
    code = replace(group.opens(width, "exponential"), page=Page.CODE_MATRIX, differs="")
    return f"{group.title}, {label}", (Entry(group.machines(width), opens=code, digits=0), *errors)
