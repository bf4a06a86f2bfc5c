"""What tests of papers share: every point that opens a scenario, and hand-made records."""

from ecocviz.lab.evidence.drawings import Entry, Panels, Point, Table
from ecocviz.lab.evidence.entries import Measured


def opening(drawings):
    """Yield the points and entries of drawings that open a scenario."""
    for drawing in drawings:
        if isinstance(drawing, Panels):
            yield from (p for panel in drawing.panels for line in panel.lines for p in line.points if p.opens)
        elif isinstance(drawing, Table):
            yield from (e for _, entries in drawing.rows for e in entries if e.opens)


def value(point: Point | Entry) -> float | str | None:
    """Return our number of a point or an entry."""
    return point.y if isinstance(point, Point) else point.ours


def by_hand(cells, record_of):
    """Return records of cells without measuring them."""
    return tuple(Measured(cell, record_of(cell)) for cell in cells)
