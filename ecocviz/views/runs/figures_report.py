"""The two figures of a report as SVG: inside the file, in the reader's colours, light or dark, and on paper.

Colours are the report's own variables, so that one drawing serves both themes.
"""

from collections.abc import Sequence

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
