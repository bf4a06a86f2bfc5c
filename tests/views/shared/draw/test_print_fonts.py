"""The fonts of printed text: letters that DejaVu Sans lacks come from another font, or are named."""

import io

import numpy as np
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from matplotlib import font_manager
from PIL import Image
from print_tools import SVG, assert_saved, parsed

from ecocviz.views.shared.draw import print_fonts
from ecocviz.views.shared.draw.build import build_figure
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.print import print_figure
from ecocviz.views.shared.draw.print_fonts import FIRST, GENERIC, families, font_sentence, letters_in
from ecocviz.views.shared.draw.theme import LIGHT

HAN, HEBREW = "\u65e5\u672c", "\u05e9\u05dc\u05d5\u05dd"


@pytest.fixture(autouse=True)
def only_what_matplotlib_brings(monkeypatch):
    """The fonts of a bare computer, so that a test finds the same everywhere."""
    own = [font for font in font_manager.fontManager.ttflist if "mpl-data" in font.fname]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", own)
    print_fonts._beside.cache_clear()
    yield
    print_fonts._beside.cache_clear()


@pytest.fixture
def with_font(tmp_path):
    """A font that has the letters of a text, each a full square."""

    def made(text):
        pen = TTGlyphPen(None)
        for k, corner in enumerate([(0, 0), (0, 700), (700, 700), (700, 0)]):
            (pen.lineTo if k else pen.moveTo)(corner)
        pen.closePath()
        square = pen.glyph()
        names = [".notdef", *(f"uni{ord(letter):04X}" for letter in text)]
        builder = FontBuilder(1000, isTTF=True)
        builder.setupGlyphOrder(names)
        builder.setupCharacterMap({ord(letter): f"uni{ord(letter):04X}" for letter in text})
        builder.setupGlyf(dict.fromkeys(names, square))
        builder.setupHorizontalMetrics(dict.fromkeys(names, (800, 0)))
        builder.setupHorizontalHeader(ascent=800, descent=-200)
        builder.setupNameTable({"familyName": "Squares Sans", "styleName": "Regular", "psName": "Squares"})
        builder.setupOS2()
        builder.setupPost()
        file = tmp_path / "squares.ttf"
        builder.save(file)
        font_manager.fontManager.addfont(file)
        return "Squares Sans"

    return made


def figure(name):
    axis = {"tickvals": [0], "ticktext": [literal(name)], "showgrid": False}
    return build_figure([{"type": "bar", "x": [0], "y": [1]}], {"height": 200, "xaxis": axis}, LIGHT)


def test_usual_letters_need_nothing_and_load_nothing():
    assert font_sentence(letters_in(["abc é γ ж ≤ − ² “"])) == ""
    assert families("abcγ") == [FIRST, GENERIC]


def test_letters_that_no_font_has_are_named_and_stay_text_in_the_svg():
    said = font_sentence(HAN)
    assert said.startswith(
        "No font of the computer that ecocviz runs on has \u65e5 \u672c: PDF and PNG show boxes"
    )
    many = font_sentence(chr(0x4E00 + k) for k in range(10))
    assert "and 4 more" in many
    found = parsed(print_figure(figure(HAN), "svg", 8.5)).iter(f"{SVG}text")
    (text,) = (text for text in found if HAN in "".join(text.itertext()))
    assert GENERIC in text.get("style")
    assert_saved(figure(HAN))


def test_letters_come_from_another_font_of_the_computer(with_font):
    boxes, boxed = (print_figure(figure(HAN), kind, 8.5) for kind in ("png", "pdf"))
    family = with_font(HAN)
    print_fonts._beside.cache_clear()
    assert families(HAN + "a") == [FIRST, family, GENERIC]
    assert font_sentence(HAN) == ""
    squares = print_figure(figure(HAN), "png", 8.5)
    assert dark(squares) > dark(boxes) + 300  # squares that are full, in place of frames
    made = print_figure(figure(HAN), "pdf", 8.5)
    assert b"+Squares" in made and b"+Squares" not in boxed
    assert family in print_figure(figure(HAN), "svg", 8.5).decode()
    assert_saved(figure(HAN + " and more"))


def dark(picture):
    with Image.open(io.BytesIO(picture)) as shown:
        grey = np.asarray(shown.convert("L"))
    return int((grey[-200:] < 140).sum())  # below the bar


def test_a_font_whose_file_is_gone_is_passed_over(with_font, tmp_path):
    with_font(HAN)
    (tmp_path / "squares.ttf").unlink()
    assert "has \u65e5" in font_sentence(HAN)


def test_what_is_read_from_the_right_is_turned_or_said_to_be_wrong(monkeypatch):
    told = "write from the left what is read from the right"
    assert (told in font_sentence(HEBREW)) is not print_fonts._shapes()
    monkeypatch.setattr(print_fonts, "_shapes", lambda: False)
    assert told in font_sentence(HEBREW) and not font_sentence("abc")


def test_letters_are_found_at_any_depth():
    spec = {"name": "a", "text": [["b", None], np.array(["c"], object)], "z": np.zeros(3), "n": 1}
    assert letters_in(spec) == {"a", "b", "c"}
