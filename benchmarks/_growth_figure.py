"""Draw growth.svg from the tables in results.json: seconds and memory against rows, columns and classes."""

from html import escape
from math import floor, log10
from pathlib import Path

Lines = dict[str, list[tuple[float, float]]]
HERE = Path(__file__).resolve().parent
TITLES = ("Growth", "Growth to large data")
PANELS = (
    ("seconds against rows", "rows", "s", ("rows", "rows, approximated")),
    ("peak MiB against rows", "rows", "peak MiB", ("rows", "rows, approximated")),
    ("seconds against columns", "columns", "s", ("columns",)),
    ("seconds against classes", "classes", "s", ("classes",)),
)
"""Heading, what is across, what is up, and which rows of the tables are lines."""
COLOURS = ("#0b6fa4", "#c2410c", "#4d7c0f", "#7e22ce")
WIDTH, HEIGHT, EDGE, GAP = 380, 260, 60, 40


def lines(
    results: dict, across: str, up: str, varied: tuple[str, ...]
) -> dict[str, list[tuple[float, float]]]:
    """Return the points of each line, by name."""
    found: dict[str, list[tuple[float, float]]] = {}
    for table in results["tables"]:
        for row in table["rows"] if table["title"] in TITLES else ():
            if row["varied"] in varied and _is_number(row.get(up)):
                rows = "" if across == "rows" else f", {row['rows']:,} rows"
                name = row["data"] + rows + (", approximated" if "approx" in row["varied"] else "")
                found.setdefault(name, []).append((float(row[across]), float(row[up])))
    return found


def _is_number(text: object) -> bool:
    return str(text).replace(".", "", 1).replace("e-", "", 1).isdigit()


def panel(heading: str, found: Lines, left: float, top: float) -> list[str]:
    """Return one pair of logarithmic axes with its lines."""
    points = [point for line in found.values() for point in line]
    spans = []
    for axis in (0, 1):
        values = [log10(point[axis]) for point in points]
        spans.append((min(values) - 0.1, max(values) + 0.1))

    def place(x: float, y: float) -> tuple[float, float]:
        (x0, x1), (y0, y1) = spans
        return left + WIDTH * (log10(x) - x0) / (x1 - x0), top + HEIGHT * (1 - (log10(y) - y0) / (y1 - y0))

    svg = [
        f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>',
        f'<text x="{left}" y="{top - 10}" font-weight="bold">{escape(heading)}</text>',
    ]
    for axis, (low, high) in enumerate(spans):
        for tick in _ticks(low, high):
            x, y = place(tick, points[0][1]) if axis == 0 else place(points[0][0], tick)
            grid = f'x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{top + HEIGHT}"'
            words = f'x="{x:.1f}" y="{top + HEIGHT + 16}" text-anchor="middle"'
            if axis:
                grid = f'x1="{left}" x2="{left + WIDTH}" y1="{y:.1f}" y2="{y:.1f}"'
                words = f'x="{left - 6}" y="{y + 4:.1f}" text-anchor="end"'
            svg += [f'<line {grid} stroke="#ddd"/>', f"<text {words}>{tick:,g}</text>"]
    for number, (name, line) in enumerate(found.items()):
        colour = COLOURS[number % len(COLOURS)]
        placed = [place(*point) for point in sorted(line)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        svg.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        svg += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in placed]
        svg.append(f'<text x="{left + 8}" y="{top + 18 + 15 * number}" fill="{colour}">{escape(name)}</text>')
    return svg


def _ticks(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times powers of ten within the span of logarithms; only powers where it is wide."""
    steps = (1, 2, 5) if high - low < 2 else (1,)
    exponents = range(floor(low), floor(high) + 1)
    return [step * 10.0**e for e in exponents for step in steps if low <= log10(step * 10.0**e) <= high]


def draw(results: dict) -> None:
    """Write growth.svg."""
    svg = []
    for number, (heading, across, up, varied) in enumerate(PANELS):
        found = lines(results, across, up, varied)
        if found:
            left = EDGE + (number % 2) * (WIDTH + EDGE + GAP)
            svg += panel(heading, found, left, GAP + (number // 2) * (HEIGHT + 2 * GAP))
    width, height = 2 * (WIDTH + EDGE) + 2 * GAP, 2 * (HEIGHT + 2 * GAP)
    body = "\n".join(svg)
    (HERE / "growth.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="12"><rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
    )
