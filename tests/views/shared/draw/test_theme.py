"""Colours and symbols: told apart from each other and from the paper they are on."""

import re
import tomllib
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plotly.validator_cache import ValidatorCache

from ecocviz.serving.colours import COLOURS
from ecocviz.views.shared.app.components.joining import FOLDER, source
from ecocviz.views.shared.draw import theme


def lab(hexes):
    """CIELAB (D65) of colours, by the definition."""
    rgb = np.array([[int(h[i : i + 2], 16) / 255 for i in (1, 3, 5)] for h in hexes])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array(
        [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ]
    )
    xyz = linear @ to_xyz.T / np.array([0.95047, 1.0, 1.08883])
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1)


def test_the_extension_follows_its_rule():
    grid = np.arange(0, 256, 15)
    candidates = [f"#{r:02x}{g:02x}{b:02x}" for r in grid for g in grid for b in grid]
    places = lab(candidates)
    surfaces = lab([theme.LIGHT.surface, theme.DARK.surface])
    clear = np.linalg.norm(places[:, None] - surfaces[None], axis=-1).min(axis=1) >= 30
    calm = np.hypot(places[:, 1], places[:, 2]) <= 72
    kept = clear & calm & (places[:, 0] >= 36) & (places[:, 0] <= 84)
    names, places = [c for c, k in zip(candidates, kept, strict=True) if k], places[kept]
    nearest = np.linalg.norm(places[:, None] - lab(theme.PETROFF_COLOURS)[None], axis=-1).min(axis=1)
    found = []
    for _ in range(16):
        k = int(np.argmax(nearest))
        found.append(names[k])
        nearest = np.minimum(nearest, np.linalg.norm(places - places[k], axis=1))
    assert tuple(found) == theme.EXTENSION_COLOURS
    # The last two take the places of the greys, of what is no grey itself.
    coloured = np.hypot(places[:, 1], places[:, 2]) >= 20
    names, places = [c for c, k in zip(names, coloured, strict=True) if k], places[coloured]
    chosen = lab(theme.CLASS_COLOURS[:24])
    nearest = np.linalg.norm(places[:, None] - chosen[None], axis=-1).min(axis=1)
    last = []
    for _ in range(2):
        k = int(np.argmax(nearest))
        last.append(names[k])
        nearest = np.minimum(nearest, np.linalg.norm(places - places[k], axis=1))
    assert tuple(last) == theme.LAST_COLOURS


@pytest.mark.parametrize("shown", theme.THEMES.values(), ids=lambda one: one.name)
def test_no_class_is_grey_on_grey(shown):
    assert not set(theme.GREYS) & set(theme.CLASS_COLOURS)
    (chroma,) = {float(np.hypot(*lab([c])[0, 1:]) >= 20) for c in theme.CLASS_COLOURS}
    assert chroma
    regions = lab([theme.mixed(shown.surface, c, shown.region) for c in theme.CLASS_COLOURS])
    # Neither the paper nor the shade of the places where decoders disagree.
    for ground in (shown.surface, shown.dim):
        assert np.linalg.norm(regions - lab([ground]), axis=1).min() > 12


def test_26_classes_are_told_apart_by_colour_and_by_symbol():
    assert len(set(theme.CLASS_COLOURS)) == 26
    assert len({(theme.class_colour(c), theme.class_symbol(c)) for c in range(26)}) == 26
    places = lab(theme.CLASS_COLOURS)
    distances = np.linalg.norm(places[:, None] - places[None], axis=-1)[np.triu_indices(26, 1)]
    assert distances.min() > 18
    assert theme.class_colour(27) == theme.class_colour(1)


def test_the_symbols_are_plotly_s_and_the_canvas_draws_each():
    validator = ValidatorCache.get_validator("scatter.marker", "symbol")
    polygons = source("symbols.js").split("const POLYGONS = {")[1].split("};")[0]
    drawn = {*re.findall(r'^  "?([\w-]+)"?: ', polygons, flags=re.MULTILINE), "circle"}
    for symbol in theme.SYMBOLS:
        assert validator.validate_coerce(symbol) == symbol
        assert symbol in drawn, symbol


def luminance(colour):
    rgb = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


BOTH = pytest.mark.parametrize("name", theme.THEMES)
READABLE, SEEN = 4.5, 3.0  # WCAG 2.2, success criteria 1.4.3 and 1.4.11


@given(*[st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)] * 2)
def test_contrast_is_wcag_s(first, second):
    assert theme.contrast(first, second) == pytest.approx(contrast(first, second))


@BOTH
def test_text_can_be_read(name):
    colours = theme.THEMES[name]
    assert contrast(colours.ink, colours.surface) >= 7
    for quiet in (colours.dim, colours.accent, colours.wrong):
        assert contrast(quiet, colours.surface) >= READABLE
    for beside in (colours.ink, colours.dim, colours.accent):
        assert contrast(beside, colours.panel) >= READABLE
    # Entries of the code that are 0, and Streamlit's chosen options: accent on a tenth of it.
    assert contrast(colours.dim, colours.zero) >= READABLE
    assert contrast(colours.accent, theme.mixed(colours.surface, colours.accent, 0.1)) >= READABLE
    # Text of the frame's style sheet is ink with less than full strength.
    sheet = source("frame.css") + source("shared.css")
    strengths = {float(value) for value in re.findall(r"opacity: ([\d.]+)", sheet)}
    strengths.remove(0.4)  # of buttons that cannot be used now
    for strength in strengths:
        for surface in (colours.surface, colours.panel):
            assert contrast(theme.mixed(surface, colours.ink, strength), surface) >= READABLE, strength


@BOTH
def test_signs_of_the_code_can_be_read_in_every_state(name):
    sent = theme.palette()[name]
    for pole in ("positive", "negative"):
        for ground in (sent[f"{pole}-cell"], sent[f"{pole}-faint"], sent["surface"]):
            assert contrast(sent[f"{pole}-sign"], ground) >= READABLE
        assert contrast(sent[pole], sent["surface"]) >= READABLE


@BOTH
def test_the_style_sheets_take_only_colours_that_are_sent(name):
    sent = {*theme.palette()[name]}
    for file in FOLDER.iterdir():
        if file.suffix in {".css", ".js"} and file.name != "frame.css":
            text = file.read_text(encoding="utf-8")
            used, own = re.findall(r"var\(--([\w-]+)\)", text), re.findall(r"--([\w-]+):", text)
            assert {*used} <= sent | {*own}, file.name


@BOTH
@pytest.mark.parametrize("c", range(26))
def test_the_marks_of_every_class_are_seen_on_the_page_and_on_its_region(name, c):
    colours = theme.THEMES[name]
    edge = theme.class_edge(c, colours)
    region = theme.mixed(colours.surface, theme.class_colour(c), colours.region)
    assert contrast(edge, colours.surface) >= SEEN and contrast(edge, region) >= SEEN


@BOTH
def test_numbers_can_be_read_anywhere_on_a_colour_scale(name):
    colours = theme.THEMES[name]
    scales = [theme.poles(colours)]
    scales += [theme.rising(colours, c, 0.1) for c in (colours.accent, colours.wrong, colours.positive)]
    for scale in scales:
        shades = [colour for _, colour in scale]
        between = [theme.mixed(a, b, k / 10) for a, b in pairwise(shades) for k in range(11)]
        assert min(contrast(colours.ink, shade) for shade in between) >= READABLE
        # Yet the ends are told from the middle.
        assert max(contrast(shade, colours.surface) for shade in shades) >= 1.8


def test_symbols_look_equally_large():
    areas = {  # of plotly's symbols of radius 1, from its own paths
        "circle": np.pi, "square": 4, "triangle-up": np.sqrt(3), "triangle-down": np.sqrt(3),
        "diamond": 2 * 1.3**2, "hourglass": 2,
    }  # fmt: skip
    for symbol, area in areas.items():
        assert area * theme.SIZES[symbol] ** 2 == pytest.approx(np.pi, rel=0.11), symbol
    assert set(theme.SIZES) == set(theme.SYMBOLS)


@pytest.mark.parametrize("colours", [theme.LIGHT, theme.DARK])
def test_the_template_draws_on_its_own_surface(colours):
    figure = go.Figure(go.Scatter(x=[1], y=[2]), layout={"template": theme.template(colours)})
    made = figure.layout.template.layout
    assert made.paper_bgcolor == colours.surface and made.font.color == colours.ink
    assert made.colorway == theme.CLASS_COLOURS


def test_colours_are_written_in_one_place(root):
    allowed = {"ecocviz/views/shared/draw/theme.py", "ecocviz/serving/colours.py"}
    found = {}
    for file in [
        *(root / "ecocviz").rglob("*.py"),
        *(root / "ecocviz").rglob("*.js"),
        *(root / "ecocviz").rglob("*.css"),
        *(root / "pages").glob("*.py"),
    ]:
        name = file.relative_to(root).as_posix()
        colours = re.findall(r"#[0-9a-fA-F]{6}\b", file.read_text(encoding="utf-8"))
        if colours and name not in allowed:
            found[name] = colours
    assert found == {}


def test_the_server_s_own_pages_have_the_same_colours():
    light, dark = COLOURS.split("@media")
    for colours, text in ((theme.LIGHT, light), (theme.DARK, dark)):
        told = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", text))
        same = {
            "back": "surface",
            "card": "panel",
            "text": "ink",
            "soft": "dim",
            "line": "line",
            "main": "accent",
        }
        assert {name: told[name] for name in [*same, "wrong"]} == {
            name: getattr(colours, of) for name, of in [*same.items(), ("wrong", "wrong")]
        }


def test_streamlit_s_theme_has_the_same_colours(root):
    config = tomllib.loads((root / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
    for name, colours in theme.THEMES.items():
        assert config[name]["backgroundColor"] == colours.surface
        assert config[name]["secondaryBackgroundColor"] == colours.panel
        assert config[name]["textColor"] == colours.ink
        assert config[name]["borderColor"] == colours.line
        assert config[name]["primaryColor"] == colours.accent
