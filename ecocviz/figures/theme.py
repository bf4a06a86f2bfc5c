"""All colours and symbols: of classes, of code entries, of surfaces. No colour is written elsewhere.

A class is told by colour and by symbol, so that it can be read without colour vision: 26 colours
and 13 symbols, and no two of the first 26 classes share both.
"""

from dataclasses import dataclass

import plotly.graph_objects as go

PETROFF_COLOURS = (
    "#3f90da", "#ffa90e", "#bd1f01", "#94a4a2", "#832db6",
    "#a96b59", "#e76300", "#b9ac70", "#717581", "#92dadd",
)  # fmt: skip
"""M. A. Petroff's ten accessible colours (arXiv:2107.02270), in their order."""

EXTENSION_COLOURS = (
    "#00d278", "#ff5aa5", "#2d6900", "#f0b4ff", "#d2d23c", "#873c78", "#008769", "#a51e3c",
    "#3c69e1", "#966900", "#ffa569", "#5a5a2d", "#ffb4c3", "#00e1c3", "#a5e196", "#ff7878",
)  # fmt: skip
"""Sixteen more, by farthest point in CIELAB (D65): of the sRGB colours with channels in steps of 15,
lightness 36 to 84, chroma at most 72 and a distance of at least 30 to both surfaces, always the one
farthest from all colours chosen so far. The closest two of the 26 are about 26 apart."""

CLASS_COLOURS = PETROFF_COLOURS + EXTENSION_COLOURS

SYMBOLS = (
    "circle", "square", "triangle-up", "diamond", "x", "triangle-down", "pentagon",
    "star", "cross", "hexagon", "triangle-left", "hourglass", "triangle-right",
)  # fmt: skip
"""Plotly's names of the class symbols; the canvas draws the same thirteen under the same names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """The colours of one surface, light or dark."""

    name: str
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
    surface="#ffffff",
    panel="#f6f7f9",
    ink="#1c2330",
    dim="#5f6b7e",
    line="#e3e6eb",
    accent="#2f6fd6",
    positive="#0f7b8a",
    negative="#b0631a",
    zero="#eef0f3",
    wrong="#b3261e",
    halo="#ffffff",
)
DARK = Theme(
    name="dark",
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


def mixed(surface: str, colour: str, share: float) -> str:
    """Mix a share of a colour into the surface.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    parts = [(int(surface[k : k + 2], 16), int(colour[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in parts)


def soft_poles(theme: Theme) -> list[tuple[float, str]]:
    """Return a colour scale from the negative to the positive pole on which numbers can be read."""
    ends = (mixed(theme.surface, theme.negative, 0.65), mixed(theme.surface, theme.positive, 0.65))
    return [(0.0, ends[0]), (0.5, theme.surface), (1.0, ends[1])]


def palette() -> dict[str, dict[str, str]]:
    """Return both themes' colours by name, as the browser components receive them."""
    names = ("surface", "ink", "dim", "line", "accent", "positive", "negative", "zero", "wrong", "halo")
    return {key: {name: getattr(theme, name) for name in names} for key, theme in THEMES.items()}


def template(theme: Theme) -> go.layout.Template:
    """Build the plotly template of a theme: quiet axes, no frame, the class colours in order."""
    axis = {
        "gridcolor": theme.line,
        "linecolor": theme.line,
        "zerolinecolor": theme.line,
        "tickcolor": theme.line,
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
