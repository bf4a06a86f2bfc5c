"""Drawings in words: ours beside the paper's, as lines of text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from ecocviz.lab.evidence.drawings import Drawing, Entry, Heatmap, Line, Panels, Ranks, Table

MOST_ROWS = 30
"""Rows of a table, or lines of panels, that are told."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Our numbers beside those that a paper prints.

    Attributes
    ----------
    n
        Pairs of numbers.
    middle, most
        The median of how far they lie apart, and the largest; 0 where there are none.
    """

    n: int
    middle: float
    most: float

    def __str__(self) -> str:
        if not self.n:
            return "The paper prints no numbers of these."
        if self.n == 1:
            return f"Beside the one number that the paper prints, ours lies {self.middle:.3g} away."
        return (
            f"Beside {self.n} numbers that the paper prints, ours lie {self.middle:.3g} away in the middle, "
            f"{self.most:.3g} at most."
        )


def beside(drawings: Sequence[Drawing]) -> Beside:
    """Return how far our numbers lie from the paper's, over all drawings."""
    apart = [abs(ours - theirs) for drawing in drawings for ours, theirs in _pairs(drawing)]
    return Beside(len(apart), median(apart), max(apart)) if apart else Beside(0, 0.0, 0.0)


def _pairs(drawing: Drawing) -> Iterator[tuple[float, float]]:
    if isinstance(drawing, Table):
        for _, entries in drawing.rows:
            for entry in entries:
                if isinstance(entry.ours, int | float) and isinstance(entry.theirs, int | float):
                    yield entry.ours, entry.theirs
    elif isinstance(drawing, Panels):
        for panel in drawing.panels:
            ours = {
                (line.name, point.x): point.y
                for line in panel.lines
                if not line.theirs
                for point in line.points
            }
            for line in panel.lines:
                for point in line.points if line.theirs else ():
                    if (line.name, point.x) in ours:
                        yield ours[line.name, point.x], point.y


def lines_of(drawing: Drawing) -> list[str]:
    """Tell a drawing in lines of text, its title first."""
    if isinstance(drawing, Table):
        told = _table(drawing)
    elif isinstance(drawing, Panels):
        told = list(_panels(drawing))
    elif isinstance(drawing, Ranks):
        told = _ranks(drawing)
    else:
        told = [_heatmap(drawing)]
    left = len(told) - MOST_ROWS
    if left > 1:
        told = [*told[:MOST_ROWS], f"and {left} lines more"]
    return [drawing.title, *(f"  {line}" for line in told)]


def words_of(entry: Entry) -> str:
    """Write a place of a table: ours, and theirs in brackets.

    >>> words_of(Entry(3.14159, 3.2))
    '3.14 (3.20)'
    """
    ours = number(entry.ours, entry.digits)
    return ours if entry.theirs is None else f"{ours} ({number(entry.theirs, entry.digits)})"


def number(value: float | str | None, digits: int) -> str:
    """Write a number with `digits` after the point; a word stays one, and nothing is a dash."""
    if value is None:
        return "-"
    return value if isinstance(value, str) else f"{value:,.{digits}f}"


def _table(table: Table) -> list[str]:
    rows = [list(table.columns)] + [[name, *map(words_of, entries)] for name, entries in table.rows]
    theirs = any(entry.theirs is not None for _, entries in table.rows for entry in entries)
    about = [text for text in (table.unit, "the paper's in brackets" if theirs else "", table.note) if text]
    return ([f"({'; '.join(about)})"] if about else []) + aligned(rows)


def aligned(rows: Sequence[Sequence[str]], *, words: bool = False) -> list[str]:
    """Write rows under each other: words to the left; numbers to the right, except the first column's."""
    wide = [max(len(row[k]) for row in rows if k < len(row)) for k in range(max(map(len, rows), default=0))]
    return [
        "  ".join(
            word.ljust(wide[k]) if words or k == 0 else word.rjust(wide[k]) for k, word in enumerate(row)
        ).rstrip()
        for row in rows
    ]


def _panels(panels: Panels) -> Iterator[str]:
    axes = list(dict.fromkeys(f"{panel.y} over {panel.x}" for panel in panels.panels))
    yield f"({'; '.join(axes)})"
    for panel in panels.panels:
        told = (f"{line.name}{' (the paper)' * line.theirs} {_line(line)}" for line in panel.lines)
        yield f"{panel.title}: {', '.join(told)}" if panel.title else ", ".join(told)


def _line(line: Line) -> str:
    if not line.points:
        return "-"
    values = [point.y for point in line.points]
    if len(values) == 1:
        return f"{values[0]:.3g}"
    low = min(line.points, key=lambda point: point.y)
    return f"{low.y:.3g} (at {_x(low.x)}) to {max(values):.3g}"


def _x(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.3g}"


def _ranks(ranks: Ranks) -> list[str]:
    order = sorted(range(len(ranks.names)), key=lambda k: ranks.ranks[k])
    apart = f"those that differ by less than {ranks.critical_difference:.2f} cannot be told apart"
    told = [f"{ranks.ranks[k]:.2f}  {ranks.names[k]}" for k in order]
    return [*told, f"average ranks over {ranks.n_sets} sets; {apart}"]


def _heatmap(heatmap: Heatmap) -> str:
    values = [value for row in heatmap.values for value in row if value is not None]
    if not values:
        return "no values"
    return (
        f"{len(heatmap.rows)} x {len(heatmap.columns)} values from {min(values):.3g} to {max(values):.3g}, "
        f"{median(values):.3g} in the middle"
    )
