"""All colours and symbols: of classes, of code entries, of surfaces. No colour is written elsewhere.

A class is told by colour and by symbol, so that it can be read without colour vision: 26 colours
and 13 symbols, and no two of the first 26 classes share both. Texts and shapes stand out from what
they are on by the ratios of WCAG 2.2.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import plotly.graph_objects as go

from ecocviz.views.shared.draw.outside import plain

PETROFF_COLOURS = (
    "#3f90da", "#ffa90e", "#bd1f01", "#94a4a2", "#832db6",
    "#a96b59", "#e76300", "#b9ac70", "#717581", "#92dadd",
)  # fmt: skip
"""M. A. Petroff's ten accessible colours (arXiv:2107.02270), in their order."""

GREYS = ("#94a4a2", "#717581")
"""Two of them. No class has one: its region would look like none, and like where decoders disagree."""

EXTENSION_COLOURS = (
    "#00d278", "#ff5aa5", "#2d6900", "#f0b4ff", "#d2d23c", "#873c78", "#008769", "#a51e3c",
    "#3c69e1", "#966900", "#ffa569", "#5a5a2d", "#ffb4c3", "#00e1c3", "#a5e196", "#ff7878",
)  # fmt: skip
"""Sixteen more, by farthest point in CIELAB (D65): of the sRGB colours with channels in steps of 15,
lightness 36 to 84, chroma at most 72 and a distance of at least 30 to both surfaces, always the one
farthest from all colours chosen so far."""

LAST_COLOURS = ("#2d6978", "#d269d2")
"""In place of the greys, by the same rule with a chroma of at least 20. The closest two of the 26 classes are
about 26 apart."""

CLASS_COLOURS = (
    *(colour for colour in PETROFF_COLOURS if colour not in GREYS),
    *EXTENSION_COLOURS,
    *LAST_COLOURS,
)

SYMBOLS = (
    "circle", "square", "triangle-up", "diamond", "x", "triangle-down", "pentagon",
    "star", "cross", "hexagon", "triangle-left", "hourglass", "triangle-right",
)  # fmt: skip
"""Plotly's names of the class symbols; the canvas draws the same thirteen under the same names."""

SIZES = {
    "circle": 1.0, "square": 0.9, "triangle-up": 1.3, "diamond": 0.95, "x": 1.0, "triangle-down": 1.3,
    "pentagon": 1.15, "star": 1.2, "cross": 1.0, "hexagon": 1.1, "triangle-left": 1.3, "hourglass": 1.25,
    "triangle-right": 1.3,
}  # fmt: skip
"""Factors that make plotly's symbols as large as its circle, by area."""

READABLE, SEEN = 4.5, 3.0
"""WCAG's least contrast of a text, and of a shape that tells something (1.4.3, 1.4.11)."""
STRONGEST = 14
"""Twentieths of a colour that a tint under numbers takes at most."""
CELL, FAINT, SIGN = 0.24, 0.08, 0.72
"""Shares of a pole's colour: in an entry of the code, in one that is played down, in the sign on both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """The colours of one surface, light or dark.

    `region` is the share of a class's colour where its region is surest.
    """

    name: str
    region: float
    surface: str
    panel: str
    ink: str
    dim: str
    line: str
    accent: str
    positive: str
    negative: str
    zero: str
    wrong: str
    halo: str


LIGHT = Theme(
    name="light",
    region=0.42,
    surface="#ffffff",
    panel="#f6f7f9",
    ink="#1c2330",
    dim="#5f6b7e",
    line="#e3e6eb",
    accent="#2a66c8",
    positive="#0f7b8a",
    negative="#b0631a",
    zero="#eef0f3",
    wrong="#b3261e",
    halo="#ffffff",
)
DARK = Theme(
    name="dark",
    region=0.48,
    surface="#12161d",
    panel="#1a202a",
    ink="#e8ecf3",
    dim="#98a2b3",
    line="#2a3240",
    accent="#7fb0ff",
    positive="#3fb6c6",
    negative="#e6a15a",
    zero="#232b37",
    wrong="#ff8a80",
    halo="#12161d",
)
THEMES = {"light": LIGHT, "dark": DARK}


def class_colour(c: int) -> str:
    """Return the colour of class c, the same wherever the class is shown.

    >>> class_colour(0), class_colour(26) == class_colour(0)
    ('#3f90da', True)
    """
    return CLASS_COLOURS[c % len(CLASS_COLOURS)]


def class_symbol(c: int) -> str:
    """Return plotly's name of the symbol of class c.

    >>> class_symbol(2)
    'triangle-up'
    """
    return SYMBOLS[c % len(SYMBOLS)]


def class_size(c: int, size: float) -> float:
    """Return the size at which the symbol of class c looks as large as a circle of a size.

    >>> class_size(0, 8.0), class_size(2, 8.0)
    (8.0, 10.4)
    """
    return size * SIZES[class_symbol(c)]


def mixed(surface: str, colour: str, share: float) -> str:
    """Mix a share of a colour into the surface.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    parts = [(int(surface[k : k + 2], 16), int(colour[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in parts)


def contrast(first: str, second: str) -> float:
    """Return how strongly two colours stand out from each other: WCAG's contrast ratio, 1 to 21.

    >>> contrast("#000000", "#ffffff"), contrast("#767676", "#767676")
    (21.0, 1.0)
    """
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    values = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@lru_cache
def strongest(theme: Theme, colour: str) -> str:
    """Return the strongest tint of a colour on which the theme's ink can still be read.

    >>> strongest(LIGHT, LIGHT.accent) != strongest(DARK, DARK.accent)
    True
    """
    tints = (mixed(theme.surface, colour, share / 20) for share in range(STRONGEST, -1, -1))
    return next(tint for tint in tints if contrast(tint, theme.ink) >= READABLE)


@lru_cache(maxsize=1024)
def class_edge(c: int, theme: Theme) -> str:
    """Return the colour of the outline that lets the marks of class c be seen.

    It is the class's own colour, moved towards the ink until it stands out from the surface and from
    the class's own region.
    """
    colour = class_colour(c)
    behind = (theme.surface, mixed(theme.surface, colour, theme.region))
    edges = (mixed(colour, theme.ink, share / 20) for share in range(21))
    return next(edge for edge in edges if min(contrast(edge, ground) for ground in behind) >= SEEN)


def poles(theme: Theme) -> list[tuple[float, str]]:
    """Return a colour scale from the negative to the positive pole on which numbers can be read."""
    ends = (strongest(theme, theme.negative), strongest(theme, theme.positive))
    return [(0.0, ends[0]), (0.5, theme.surface), (1.0, ends[1])]


def rising(theme: Theme, colour: str, start: float = 0.0) -> list[tuple[float, str]]:
    """Return a colour scale from a share of a colour to its strongest tint on which numbers can be read."""
    return [(0.0, mixed(theme.surface, colour, start)), (1.0, strongest(theme, colour))]


def class_chips(names: Sequence[str], numbers: Sequence[int] | None = None) -> list[dict[str, Any]]:
    """Return name, colour, outlines and symbol of every class, as the browser components receive them.

    `numbers` are the classes' own where they are not 0, 1, 2, ...
    """
    return [
        {
            "name": plain(name),
            "colour": class_colour(c),
            "edges": {key: class_edge(c, theme) for key, theme in THEMES.items()},
            "symbol": class_symbol(c),
        }
        for name, c in zip(names, range(len(names)) if numbers is None else numbers, strict=True)
    ]


@cache
def palette() -> Mapping[str, Mapping[str, str | float]]:
    """Return both themes' colours by name, as the browser components receive them; not to be written to."""
    names = ("surface", "ink", "dim", "line", "accent", "positive", "negative", "zero", "wrong", "halo")
    found: dict[str, dict[str, str | float]] = {}
    for key, theme in THEMES.items():
        found[key] = {name: getattr(theme, name) for name in names} | {"region": theme.region}
        for pole in ("positive", "negative"):
            colour = getattr(theme, pole)
            found[key] |= {
                f"{pole}-cell": mixed(theme.surface, colour, CELL),
                f"{pole}-faint": mixed(theme.surface, colour, FAINT),
                f"{pole}-sign": mixed(theme.ink, colour, SIGN),
            }
    return found


def template(theme: Theme) -> go.layout.Template:
    """Build the plotly template of a theme: quiet axes, no frame, the class colours in order."""
    axis = {
        "gridcolor": theme.line,
        "linecolor": theme.line,
        "zerolinecolor": theme.line,
        "tickcolor": theme.line,
        "ticks": "",
        "ticklabelstandoff": 4,
        "title": {"font": {"color": theme.dim, "size": 13}},
        "tickfont": {"color": theme.dim, "size": 12},
        "automargin": True,
    }
    return go.layout.Template(
        layout={
            "paper_bgcolor": theme.surface,
            "plot_bgcolor": theme.surface,
            "font": {"color": theme.ink, "family": "system-ui, sans-serif", "size": 13},
            "colorway": list(CLASS_COLOURS),
            "margin": {"l": 48, "r": 16, "t": 24, "b": 40},
            "xaxis": axis,
            "yaxis": axis,
            "legend": {"font": {"color": theme.dim}},
            "hoverlabel": {"font": {"family": "system-ui, sans-serif"}},
        },
    )
