"""The offer to save a figure: a button until it is opened, then one file per click, in the light theme."""

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
    test = AppTest.from_function(one_chart).run()
    assert not test.exception
    assert len(test.get("popover")) == 1 and not test.get("download_button")
    test.session_state["a.chart.save"] = True
    test.run()
    assert not test.exception
    labels = [button.label.split(",")[0] for button in test.get("download_button")]
    assert labels == ["SVG", "PDF", "PNG", "CSV"]


def test_what_is_saved_is_drawn_in_the_light_theme_when_it_is_asked_for():
    asked = []

    def drawn(theme):
        asked.append(theme)
        return build_figure([{"type": "scatter", "x": [1, 2], "y": [3, 4]}], {"height": 200}, theme)

    for kind, start in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
        assert saving._picture(drawn, kind, "page").startswith(start)
    assert saving._numbers(drawn).decode("utf-8-sig") == "x,y\r\n1,3\r\n2,4\r\n"
    assert asked == [LIGHT] * 4
