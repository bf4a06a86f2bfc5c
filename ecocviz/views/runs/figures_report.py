"""The figures of a report as SVG: inside the file, in the reader's colours, light or dark, and on paper.

Colours are the report's own variables, so that one drawing serves both themes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from ecocviz.views.runs.figures import NAMED_LINES
from ecocviz.views.runs.points import Points
from ecocviz.views.shared.draw.judged import Dot
from ecocviz.views.shared.draw.outside import Shown, literal
from ecocviz.views.shared.draw.ranks import Diagram, label_of

WIDTH = 720
ROW, TOP = 26, 10
LONGEST = 46
LETTER = 6.6
"""Pixels that a letter of a name takes, about."""


def errors_svg(dots: Sequence[Dot], title: str) -> Shown:
    """Draw errors as dots with their intervals, a line each."""
    names = [shortened(dot.name) for dot in dots]
    left = 24 + LETTER * max((len(name) for name in names), default=0)
    high = _round_up(max(100 * dot.interval[1] for dot in dots))
    height = TOP + ROW * len(dots) + 40

    def x(percent: float) -> float:
        return left + (WIDTH - left - 24) * percent / high

    parts = []
    for k in range(5):
        at, value = x(high * k / 4), high * k / 4
        parts.append(_line(at, TOP, at, height - 34, "grid"))
        parts.append(_text(at, height - 18, f"{value:g} %", "middle", "dim"))
    for k, dot in enumerate(dots):
        y = TOP + ROW * (k + 0.5)
        low, top = (100 * end for end in dot.interval)
        parts.append(_text(left - 10, y + 4, names[k], "end"))
        parts.append(_line(x(low), y, x(top), y, "interval"))
        parts.append(f'<circle class="dot" cx="{x(100 * dot.n_wrong / dot.n):.1f}" cy="{y:.1f}" r="4.5"/>')
    return _svg(height, parts, title)


def ranks_svg(diagram: Diagram, title: str) -> Shown:
    """Draw a critical-difference diagram."""
    widths = [
        16 + LETTER * max((len(label_of(e)) for e in diagram.elbows if e.left is left), default=0)
        for left in (True, False)
    ]
    row, top = 22, 56
    height = top + row * diagram.n_rows + 14

    def x(rank: float) -> float:
        share = (rank - diagram.low) / (diagram.high - diagram.low)
        return widths[0] + (WIDTH - widths[0] - widths[1]) * share

    parts = [_line(x(diagram.low), top, x(diagram.high), top, "axis")]
    step = max(1, (diagram.high - diagram.low) // 8)
    for rank in range(diagram.low, diagram.high + 1, step):
        parts.append(_line(x(rank), top - 5, x(rank), top, "axis"))
        parts.append(_text(x(rank), top - 10, str(rank), "middle", "dim"))
    for elbow in diagram.elbows:
        end, y = x(diagram.low if elbow.left else diagram.high), top + row * elbow.row
        parts.append(f'<path class="axis" fill="none" d="M{x(elbow.rank):.1f} {top}V{y:.1f}H{end:.1f}"/>')
        anchor, shift = ("end", -6) if elbow.left else ("start", 6)
        parts.append(_text(end + shift, y + 4, label_of(elbow), anchor))
    parts += [
        _line(x(bar.low), top + row * bar.row, x(bar.high), top + row * bar.row, "bar")
        for bar in diagram.bars
    ]
    if diagram.difference is not None:
        low, high = x(diagram.low), x(diagram.low + diagram.difference)
        parts.append(_line(low, 24, high, 24, "ruler"))
        parts.append(_text((low + high) / 2, 16, f"critical difference {diagram.difference:.2f}", "middle"))
    return _svg(height, parts, title)


# The points of a sweep or a study ----------------------------------------------------------------------

PLOT = 230
"""Pixels of its height."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Where values stand: the lowest at 0, the highest at 1.

    Attributes
    ----------
    place
        Value -> its share of the way.
    ticks
        The values that are written beside it.
    """

    place: Callable[[float], float]
    ticks: tuple[float, ...]


def linear_scale(low: float, high: float) -> Scale:
    """Return a scale from low to high, widened to round values.

    >>> linear_scale(0.0, 11.0).ticks
    (0.0, 5.0, 10.0, 15.0)
    """
    wide = (high - low) or abs(high) or 1.0
    size = 10.0 ** floor(log10(wide / 4))
    step = next(size * times for times in (1, 2, 5, 10) if wide / (size * times) <= 5)
    first, last = floor(low / step + 1e-9), max(ceil(high / step - 1e-9), floor(low / step + 1e-9) + 1)
    ticks = tuple(step * k for k in range(first, last + 1))
    return Scale(lambda value: (value - ticks[0]) / (ticks[-1] - ticks[0]), ticks)


def log_scale(low: float, high: float) -> Scale:
    """Return a logarithmic scale whose ticks are powers of ten.

    >>> log_scale(0.03, 32.0).ticks
    (0.1, 1.0, 10.0)
    """
    whole = range(ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9) + 1)
    step = max(1, len(whole) // 6)
    wide = log10(high) - log10(low)
    return Scale(lambda value: (log10(value) - log10(low)) / wide, tuple(10.0**k for k in whole[::step]))


def points_svg(points: Points, axis: str, title: str) -> Shown:
    """Draw the points of a sweep over its axis, a line for each of what else is varied, or of a study."""
    named = 1 < len(points.lines) <= NAMED_LINES
    scales, unit = _scales(points), " %" if points.value == "error" else ""
    left, top = 64, 16 + 18 * len(points.lines) * named
    bottom = top + PLOT

    def x(value: float) -> float:
        return left + 8 + (WIDTH - left - 40) * scales[0].place(value)

    def y(value: float) -> float:
        return bottom - PLOT * scales[1].place(value)

    parts = []
    for tick in scales[1].ticks:
        parts.append(_line(left, y(tick), WIDTH - 24, y(tick), "grid"))
        parts.append(_text(left - 8, y(tick) + 4, f"{tick:.6g}{unit}", "end", "dim"))
    for tick in scales[0].ticks:
        parts.append(_line(x(tick), bottom, x(tick), bottom + 5, "axis"))
        parts.append(_text(x(tick), bottom + 20, f"{tick:.6g}", "middle", "dim"))
    parts.append(_line(left, bottom, WIDTH - 24, bottom, "axis"))
    parts.append(_text((left + WIDTH - 24) / 2, bottom + 38, shortened(axis), "middle"))
    for k, (name, line) in enumerate(points.lines.items()):
        kind = f"k{k}" if len(points.lines) <= NAMED_LINES else "many"
        at = [(x(place.x), y(_shown(points, place.y))) for place in line]
        if points.axis is not None:
            path = "L".join(f"{across:.1f} {up:.1f}" for across, up in at)
            parts.append(f'<path class="curve {kind}" d="M{path}"/>')
        parts += [f'<circle class="{kind}" cx="{across:.1f}" cy="{up:.1f}" r="3"/>' for across, up in at]
        if named:
            parts.append(f'<path class="curve {kind}" d="M{left} {12 + 18 * k}h26"/>')
            parts.append(_text(left + 34, 16 + 18 * k, shortened(name), "start"))
    return _svg(bottom + 46, parts, title)


def _shown(points: Points, value: float) -> float:
    return 100 * value if points.value == "error" else value


def _scales(points: Points) -> tuple[Scale, Scale]:
    """Return the scales across and up; that of errors begins at zero, as that of other numbers above it."""
    across = [place.x for line in points.lines.values() for place in line]
    up = [_shown(points, place.y) for line in points.lines.values() for place in line]
    wide = points.axis is not None and min(across) > 0 and max(across) > 30 * min(across)
    first = log_scale if wide else linear_scale
    return first(min(across), max(across)), linear_scale(min(0.0, *up, 0.0), max(up))


def shortened(name: str) -> str:
    """Cut a name to the room that it has."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _round_up(percent: float) -> float:
    """Return a round number that a percentage does not exceed.

    >>> _round_up(3.1), _round_up(38.0), _round_up(0.0)
    (4.0, 40.0, 1.0)
    """
    steps = (1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 60, 80, 100)
    return float(next((step for step in steps if percent <= step), 100))


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str, kind: str = "ink") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{literal(text)}</text>'


def _svg(height: float, parts: Sequence[str], title: str) -> Shown:
    size = f"0 0 {WIDTH} {height:.0f}"
    inside = "".join(parts)
    return Shown(f'<svg viewBox="{size}" role="img" aria-label="{literal(title)}">{inside}</svg>')
