"""What is made of the orders: statements that hold or not, and drawings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Any

from ecocviz.engine.types import CodeMatrix
from ecocviz.lab.evidence.drawings import Drawing, Entry, Line, Opens, Page, Panel, Panels, Point, Table
from ecocviz.lab.evidence.entries import Measured, Statement, count, grouped, nearest
from ecocviz.lab.papers.evron_2023.study import (
    CODES,
    CONTROLS,
    DECODINGS,
    MACHINES,
    N_ORDERS,
    code_of,
    rows_of,
    scenario_of,
)

CONTROL_POINTS = 0.5
"""Errors of controls may differ by so many points of a hundred: solvers stop early, and costs tie."""
ARBITRARY = tuple(f"any {k}" for k in range(N_ORDERS))
ORDERS: Mapping[str, tuple[str, ...]] = {
    "similar": ("near",),
    "arbitrary": ARBITRARY,
    "unlike": ("far",),
}
"""What an assignment is called -> the orders over which its numbers are means."""
OTHERS = ("arbitrary", "unlike")


@dataclass(frozen=True, slots=True)
class Compared:
    """One code on one set with one kernel, numbers in percent, means over the splits.

    Attributes
    ----------
    error
        Decoder -> assignment -> test error.
    bits
        Assignment -> wrong bits of the machines.
    """

    data: str
    kernel: str
    code: str
    error: Mapping[str, Mapping[str, float]]
    bits: Mapping[str, float]
    cells: tuple[Measured, ...]


def compared(found: Sequence[Measured]) -> list[Compared]:
    """Put the splits of a set together."""
    return [
        Compared(
            data,
            kernel,
            code,
            {
                key: {name: fmean(_errors(cells, code, key, orders)) for name, orders in ORDERS.items()}
                for key in DECODINGS
            },
            {
                name: fmean(100 * run["bits"] for run in _runs(cells, code, orders))
                for name, orders in ORDERS.items()
            },
            tuple(cells),
        )
        for (data, kernel), cells in grouped(found, "set", "kernel").items()
        for code in CODES
    ]


def _runs(cells: Sequence[Measured], code: str, orders: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    return (one.record["codes"][code][order] for one in cells for order in orders)


def _errors(cells: Sequence[Measured], code: str, decoding: str, orders: Sequence[str]) -> list[float]:
    return [
        100 * one.record["codes"][code][order]["wrong"][decoding] / one.record["n_test"]
        for one in cells
        for order in orders
    ]


# Statements ------------------------------------------------------------------------------------------


def judge_error(found: Sequence[Measured]) -> list[Statement]:
    """Count where similar codewords for similar classes give the smaller error."""
    rows = compared(found)
    statements = []
    for kernel, name in MACHINES.items():
        errors = [row.error[key] for row in rows if row.kernel == kernel for key in DECODINGS]
        for other in OTHERS:
            text = f"similar codewords for similar classes give a smaller error than {other} ones, {name}"
            statements.append(count(text, [error["similar"] < error[other] for error in errors]))
    return statements


def judge_bits(found: Sequence[Measured]) -> list[Statement]:
    """Count where the machines of similar codewords for similar classes have the easier problems."""
    rows = compared(found)
    text = "the machines make fewer errors with similar codewords for similar classes than with"
    statements = []
    for kernel, name in MACHINES.items():
        bits = [row.bits for row in rows if row.kernel == kernel]
        for other in OTHERS:
            fewer = [each["similar"] < each[other] for each in bits]
            statements.append(count(f"{text} {other} ones, {name}", fewer))
    return statements


def judge_controls(found: Sequence[Measured]) -> list[Statement]:
    """Count where the order of the rows does not matter, as it must not for these codes."""
    statements = []
    for code, name in CONTROLS.items():
        orders = [_errors([one], code, key, ARBITRARY) for one in found for key in DECODINGS]
        level = [max(errors) - min(errors) <= CONTROL_POINTS for errors in orders]
        text = f"{name}: errors of {N_ORDERS} orders differ by at most {CONTROL_POINTS} points"
        statements.append(count(text, level, least=0.95))
    return statements


def why_error(found: Sequence[Measured]) -> str:
    """Say by how much the error changes, by machine, and which machines gain more."""
    rows, parts = compared(found), []
    gains: dict[str, float] = {}
    for kernel, name in MACHINES.items():
        errors = [row.error["hamming"] for row in rows if row.kernel == kernel]
        if errors:
            means = {key: fmean(error[key] for error in errors) for key in ORDERS}
            gains[name] = means["unlike"] - means["similar"]
            parts.append(
                f"{name}: {means['similar']:.1f} % with similar codewords, {means['arbitrary']:.1f} % with "
                f"arbitrary ones, {means['unlike']:.1f} % with unlike ones"
            )
    if not parts:
        return ""
    said = f"Mean test error with Hamming decoding, {'; '.join(parts)}."
    if len(gains) < 2 or max(gains.values()) <= 0:
        return said
    most = max(gains, key=gains.__getitem__)
    return f"{said} The order of the rows moves {most} most, by {gains[most]:.1f} points."


# Drawings --------------------------------------------------------------------------------------------


def draw_error(found: Sequence[Measured]) -> list[Drawing]:
    """Draw the error of every code in a panel per set, and all numbers as a table."""
    rows = [row for row in compared(found) if row.kernel == "linear"]
    panels = []
    for data in dict.fromkeys(row.data for row in rows):
        points = {name: tuple(_point(row, name) for row in rows if row.data == data) for name in ORDERS}
        panels.append(Panel(title=data, x="code", y="test error, %", bars=True, lines=_lines(points)))
    return [
        Panels(title="Error with linear machines and Hamming decoding", panels=tuple(panels)),
        *(_table(found, kernel) for kernel in MACHINES),
    ]


def _lines(points: Mapping[str, tuple[Point, ...]]) -> tuple[Line, ...]:
    return tuple(Line(f"{name} codewords", each) for name, each in points.items())


def _point(row: Compared, name: str) -> Point:
    near = row.cells[0].record["codes"][row.code][ORDERS[name][0]]["agreement"]
    note = f"{row.bits[name]:.1f} % of the machines' answers wrong; agreement {near:.2f}"
    return Point(CODES[row.code], row.error["hamming"][name], opens=_opens(row, name), note=note)


def _opens(row: Compared, name: str, decoding: str = "hamming", page: Page = Page.BITS) -> Opens:
    """Return what opens the first order of an assignment on the first split."""
    orders, n = ORDERS[name], len(row.cells)
    several = "" if len(orders) == 1 else f"the first of {len(orders)} orders"
    return _order(row.cells[0], row.code, orders[0], decoding, page).but(several).first_of(n, "splits")


@cache
def _given(code: str, n_classes: int, seed: int) -> CodeMatrix:
    """Return a code before its rows change places; many numbers open the same."""
    return code_of(code, n_classes, seed)


def _order(
    one: Measured, code: str, order: str, decoding: str = "hamming", page: Page = Page.PLAYGROUND
) -> Opens:
    """Return what opens an order of a code's rows."""
    rows = rows_of(one.record["codes"][code][order]["rows"])
    code_matrix = _given(code, rows.size, int(one.cell.about["seed"]))[rows]
    return Opens(scenario_of(one.cell.about, code_matrix, decoding), page)


def _table(found: Sequence[Measured], kernel: str) -> Table:
    rows = [row for row in compared(found) if row.kernel == kernel]
    lines = []
    for row in rows:
        entries = []
        for key, errors in row.error.items():
            least = min(errors.values())
            entries += [
                Entry(error, opens=_opens(row, name, key, Page.PLAYGROUND), best=error == least)
                for name, error in errors.items()
            ]
        entries += [Entry(row.bits[name], opens=_opens(row, name)) for name in ORDERS]
        lines.append((f"{row.data}, {CODES[row.code]}", tuple(entries)))
    titles = (*(f"{name} decoding" for name in DECODINGS.values()), "wrong bits")
    return Table(
        title=f"Every set and code, {MACHINES[kernel]}",
        columns=("set, code", *(f"{title}: {name}" for title in titles for name in ORDERS)),
        rows=tuple(lines),
        unit="%",
        note="Similar, arbitrary and unlike codewords for similar classes; the paper's numbers are of other "
        "sets.",
    )


def draw_bits(found: Sequence[Measured]) -> list[Drawing]:
    """Draw how often the machines err, a panel per kernel, means over the sets."""
    rows = compared(found)
    panels = []
    for kernel, title in MACHINES.items():
        mine = [[row for row in rows if row.code == code and row.kernel == kernel] for code in CODES]
        if all(mine):
            lines = _lines({name: tuple(_mean_point(each, name) for each in mine) for name in ORDERS})
            y = "wrong answers of the machines, %"
            panels.append(Panel(title=title, x="code", y=y, bars=True, lines=lines))
    return [Panels(title="How hard the binary problems are, means over the sets", panels=tuple(panels))]


def _mean_point(rows: Sequence[Compared], name: str) -> Point:
    """Return the mean over the sets, which opens the set that comes nearest to it."""
    bits = [row.bits[name] for row in rows]
    mean = fmean(bits)
    row = rows[nearest(mean, bits)]
    which = f"{row.data}, the nearest of {len(rows)} sets to their mean"
    return Point(CODES[row.code], mean, opens=_opens(row, name).which(which))


def draw_controls(found: Sequence[Measured]) -> list[Drawing]:
    """List the errors of all orders of the controls."""
    table = Table(
        title="Codes whose columns are the same in any order of the rows, Hamming decoding",
        columns=("set, machines, code", *(f"order {k + 1}" for k in range(N_ORDERS))),
        rows=tuple(
            _control_row(one, code) for one in found if one.cell.about["seed"] == 0 for code in CONTROLS
        ),
        unit="%",
    )
    return [table]


def _control_row(one: Measured, code: str) -> tuple[str, tuple[Entry, ...]]:
    errors = zip(ARBITRARY, _errors([one], code, "hamming", ARBITRARY), strict=True)
    name = f"{one.cell.about['set']}, {MACHINES[str(one.cell.about['kernel'])]}, {CONTROLS[code]}"
    return name, tuple(Entry(error, opens=_order(one, code, order)) for order, error in errors)
