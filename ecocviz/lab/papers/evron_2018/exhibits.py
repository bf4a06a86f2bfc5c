"""What is made of times and errors of trellis codes: statements that hold or not, and drawings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from ecocviz.lab.evidence.drawings import (
    Drawing,
    Entry,
    Line,
    Opens,
    Page,
    Panel,
    Panels,
    Point,
    Table,
    first_of,
)
from ecocviz.lab.evidence.entries import Measured, Statement
from ecocviz.lab.papers.evron_2018.study import LOSSES, MACHINES, scenario_of

MANY = 1_000
"""From so many classes on the path has to be faster."""
GROWTH = 2.0
"""The time of a point and a machine may grow by so much from the fewest classes to the most."""


# Times -----------------------------------------------------------------------------------------------


def _by_width(found: Sequence[Measured]) -> dict[int, list[Measured]]:
    widths: dict[int, list[Measured]] = {}
    for one in found:
        widths.setdefault(int(one.cell.about["width"]), []).append(one)
    return widths


def judge_times(found: Sequence[Measured]) -> list[Statement]:
    """Count points with the same answer, sizes where the path is faster, widths where it grows as claimed."""
    many = [one for one in found if one.cell.about["classes"] >= MANY]
    ends = [(ones[0].record, ones[-1].record) for ones in _by_width(found).values()]
    grown = [last["path"] / last["machines"] / (first["path"] / first["machines"]) for first, last in ends]
    return [
        Statement(
            "the path's class costs as little as the cheapest of all",
            sum(one.record["same"] for one in found),
            sum(one.record["of"] for one in found),
            least=1.0,
        ),
        Statement(
            f"from {MANY:,} classes on, the path is faster than comparing all",
            sum(one.record["path"] < one.record["all"] for one in many),
            len(many),
            least=1.0,
        ),
        Statement(
            "widths whose time grows with the machines, that is with the logarithm of the classes",
            sum(growth <= GROWTH for growth in grown),
            len(grown),
            least=1.0,
        ),
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
    widths = _by_width(found)
    names = {"path": "shortest path", "all": "all classes compared"}
    times = Panel(
        title="Time of one point",
        x="classes",
        y="microseconds",
        log_x=True,
        log_y=True,
        lines=tuple(
            Line(
                f"{name}, width {width}",
                tuple(
                    Point(int(one.cell.about["classes"]), one.record[key], opens=_most(one)) for one in ones
                ),
            )
            for width, ones in widths.items()
            for key, name in names.items()
        ),
    )
    machines = Panel(
        title="Machines",
        x="classes",
        y="machines",
        log_x=True,
        lines=tuple(
            Line(
                f"width {width}",
                tuple(
                    Point(int(one.cell.about["classes"]), one.record["machines"], opens=_most(one))
                    for one in ones
                ),
            )
            for width, ones in widths.items()
        ),
    )
    lines = tuple(
        (
            f"{one.cell.about['classes']:,} classes, width {one.cell.about['width']}",
            (
                Entry(one.record["machines"], opens=_most(one), digits=0),
                Entry(one.record["path"], opens=_most(one)),
                Entry(one.record["all"], opens=_most(one)),
                Entry(one.record["all"] / one.record["path"], opens=_most(one), digits=0),
            ),
        )
        for one in found
    )
    table = Table(
        title="Microseconds for one point",
        columns=("size", "machines", "shortest path", "all compared", "times as long"),
        rows=lines,
    )
    return [Panels(title="Decoding with exponential loss", panels=(times, machines)), table]


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
    def widths(self) -> list[int]:
        """Those of the graphs, from the narrowest."""
        return sorted(int(width) for width in self.cells[0].record["widths"] if width != "0")

    def error(self, width: int, decoding: str) -> float:
        """Return a test error in percent, the mean over the splits; width 0 is one-vs-all."""
        return fmean(
            100 * one.record["widths"][str(width)]["wrong"][decoding] / one.record["n_test"]
            for one in self.cells
        )

    def opens(self, width: int, decoding: str) -> Opens:
        """Open the first split."""
        asked = scenario_of(self.cells[0].cell.about, width, decoding)
        return Opens(asked, differs=first_of(len(self.cells), "splits"))

    def machines(self, width: int) -> int:
        """Return the number of machines."""
        return int(self.cells[0].record["widths"][str(width)]["machines"])


def grouped(found: Sequence[Measured]) -> list[Widths]:
    """Put the splits of a set together."""
    groups: dict[tuple[str, str], list[Measured]] = {}
    for one in found:
        groups.setdefault((str(one.cell.about["set"]), str(one.cell.about["kernel"])), []).append(one)
    return [Widths(data, kernel, tuple(cells)) for (data, kernel), cells in groups.items()]


def judge_errors(found: Sequence[Measured]) -> list[Statement]:
    """Count where width lowers the error, and where a loss decodes better."""
    groups = grouped(found)
    statements = []
    for kernel, name in MACHINES.items():
        mine = [group for group in groups if group.kernel == kernel]
        held = sum(
            group.error(group.widths[-1], "exponential") < group.error(2, "exponential") for group in mine
        )
        statements.append(Statement(f"the widest graph errs less than width 2, {name}", held, len(mine)))
    every = [(group, width) for group in groups for width in group.widths]
    for key, least in (("hamming", 0.8), ("linear", 0.5)):
        held = sum(group.error(width, "exponential") <= group.error(width, key) for group, width in every)
        text = f"exponential loss errs at most as often as {LOSSES[key]}"
        statements.append(Statement(text, held, len(every), least=least))
    return statements


def why_errors(found: Sequence[Measured]) -> str:
    """Say what width and loss change on average."""
    parts = []
    for kernel, name in MACHINES.items():
        mine = [group for group in grouped(found) if group.kernel == kernel]
        if mine:
            narrow = fmean(group.error(2, "exponential") for group in mine)
            wide = fmean(group.error(group.widths[-1], "exponential") for group in mine)
            every = fmean(group.error(0, "exponential") for group in mine)
            parts.append(
                f"{name}: {narrow:.1f} % at width 2, {wide:.1f} % at the widest, {every:.1f} % one-vs-all"
            )
    return f"Mean test error with exponential loss, {'; '.join(parts)}." if parts else ""


def draw_errors(found: Sequence[Measured]) -> list[Drawing]:
    """Draw the error over the width, a panel per set and kernel, and all numbers as a table."""
    groups = grouped(found)
    panels = tuple(
        Panel(
            title=f"{group.data}, {MACHINES[group.kernel]}",
            x="width",
            y="test error, %",
            lines=tuple(
                Line(
                    name,
                    tuple(
                        Point(
                            width,
                            group.error(width, key),
                            opens=group.opens(width, key),
                            note=f"{group.machines(width)} machines",
                        )
                        for width in group.widths
                    ),
                )
                for key, name in LOSSES.items()
            ),
        )
        for group in groups
    )
    lines = []
    for group in groups:
        for width in (*group.widths, 0):
            errors = [Entry(group.error(width, key), opens=group.opens(width, key)) for key in LOSSES]
            label = f"width {width}" if width else "one-vs-all"
            first = f"{group.data}, {MACHINES[group.kernel]}, {label}"
            code = replace(group.opens(width, "exponential"), page=Page.CODE_MATRIX, differs="")
            lines.append((first, (Entry(group.machines(width), opens=code, digits=0), *errors)))
    table = Table(
        title="Test error, means over the splits",
        columns=("set, machines, code", "machines", *LOSSES.values()),
        rows=tuple(lines),
        unit="%",
    )
    return [Panels(title="Error by the width of the graph", panels=panels), table]
