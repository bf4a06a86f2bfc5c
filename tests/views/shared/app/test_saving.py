"""The offer to save a figure: a button until it is opened, then one file per click, in the light theme."""

import ast
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from ecocviz.views.shared.app import saving
from ecocviz.views.shared.draw.build import build_figure
from ecocviz.views.shared.draw.theme import LIGHT

pytestmark = pytest.mark.page


def one_chart():
    from ecocviz.views.shared.app.charts import chart  # noqa: PLC0415 - AppTest runs it as a script of its own
    from ecocviz.views.shared.draw.build import build_figure  # noqa: PLC0415 - as above

    def drawn(theme):
        trace = {"type": "scatter", "mode": "markers", "x": [1, 2], "y": [3, 4], "name": "points"}
        return build_figure([trace], {"height": 200}, theme)

    chart(drawn, key="a.chart", alt="Two points")


def test_closed_it_is_one_button_and_open_it_offers_every_kind():
    test = AppTest.from_function(one_chart, default_timeout=60).run()
    assert not test.exception
    assert len(test.get("popover")) == 1 and not test.get("download_button")
    test.session_state["a.chart.save"] = True
    test.run()
    assert not test.exception
    labels = [button.label.split(",")[0] for button in test.get("download_button")]
    assert labels == ["SVG", "PDF", "PNG", "CSV"]


def test_what_is_saved_is_drawn_in_the_light_theme_when_it_is_asked_for():
    asked = []

    def drawn(theme, width):
        asked.append((theme, width))
        return build_figure([{"type": "scatter", "x": [1, 2], "y": [3, 4]}], {"height": 200}, theme)

    for kind, start in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
        assert saving._picture(drawn, kind, "page").startswith(start)
    table = partial(saving._drawn_table, drawn, "page")
    assert saving._csv(table).decode("utf-8-sig") == "x,y\r\n1,3\r\n2,4\r\n"
    assert asked == [(LIGHT, 17.0)] * 4


def several():
    import pandas as pd  # noqa: PLC0415 - AppTest runs it as a script of its own

    from ecocviz.views.shared.app.saving import offer_saving  # noqa: PLC0415 - as above

    def never(*_):
        raise AssertionError("Nothing is drawn until a file is asked for.")

    offer_saving(
        {"The first": never, "The second": never}, "a", "name", tables={"the points": pd.DataFrame},
        texts=lambda: ["\u65e5 \U000105c0"],
    )  # fmt: skip


def test_of_several_figures_one_is_chosen_and_letters_that_cannot_be_printed_are_named():
    test = AppTest.from_function(several, default_timeout=60)
    test.session_state["a.save"] = True
    test.run()
    assert not test.exception
    assert test.selectbox[0].options == ["The first", "The second"]
    assert [button.label for button in test.get("download_button")][-1] == "CSV, the points"
    assert "\U000105c0" in test.caption[0].value


def test_everything_that_a_page_draws_has_a_menu(root):
    """What mounts a canvas, a grid, tiles or an inspector also offers to save it."""
    mounts = {"region_view", "code_grid", "decoder_tiles", "inspector"}
    found = 0
    for file in (root / "ecocviz" / "views").rglob("*.py"):
        for function in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef):
                called = {node.func.id for node in ast.walk(function) if is_call(node)}
                if called & mounts:
                    found += 1
                    assert any(name.lstrip("_").startswith("save_") for name in called), (file, function.name)
    assert found >= 7


def is_call(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
