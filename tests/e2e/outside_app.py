"""Every place that reads markup, with the hostile texts of a file in it; run by Streamlit for a test."""

import json
import os
from pathlib import Path

import streamlit as st

from ecocviz.views.shared.app.charts import chart, html_table
from ecocviz.views.shared.app.said import caption, error, info, markup, progress, said, title, warning
from ecocviz.views.shared.draw.build import build_figure
from ecocviz.views.shared.draw.outside import literal, plain
from ecocviz.views.shared.draw.theme import LIGHT

TEXTS = json.loads(Path(os.environ["ECOCVIZ_HOSTILE_TEXTS"]).read_text(encoding="utf-8"))
NUMBERED = list(enumerate(TEXTS))


def each(place, write):
    """Write every text, each in a place of its own."""
    for k, text in NUMBERED:
        with st.container(key=f"{place}-{k}"):
            write(k, text)


for start in range(0, len(TEXTS), 8):
    shown = [literal(text) for text in TEXTS[start : start + 8]]
    bars = [
        {
            "type": "bar", "orientation": "h", "name": name, "x": [1], "y": [k], "customdata": [name],
            "hovertemplate": f"{name} %{{customdata}}<extra></extra>",
        }
        for k, name in enumerate(shown)
    ]  # fmt: skip
    ticks = {"tickvals": list(range(len(shown))), "ticktext": shown}
    notes = [{"text": name, "x": 2, "y": k, "showarrow": False} for k, name in enumerate(shown)]
    layout = {"yaxis": ticks, "annotations": notes, "height": 400, "title": {"text": shown[0]}}
    chart(build_figure(bars, layout, LIGHT), key=f"figure.{start}", alt=TEXTS[start])

each("caption", lambda _, text: caption(text))
each("info", lambda _, text: info(text))
each("warning", lambda _, text: warning(text))
each("error", lambda _, text: error(text))
each("title", lambda _, text: title(text))
each("said", lambda _, text: said("", text))
each("cell", lambda _, text: markup(html_table(("head",), [(text,)], alt=text)))
each("progress", lambda _, text: progress(0.5, text))
each("button", lambda k, text: st.button(literal(text), key=f"b{k}"))
each("expander", lambda k, text: st.expander(literal(text), key=f"e{k}"))
each("label", lambda k, text: st.text_input(literal(text), key=f"t{k}"))
each("bold", lambda k, text: st.expander(f":small[:gray[Data]]  \n**{literal(text)}**", key=f"g{k}"))
each("pill", lambda k, text: st.pills("p", [k], key=f"p{k}", format_func=lambda _: literal(text)))
each(
    "slider", lambda k, text: st.select_slider("s", [k, -1], format_func=lambda _: literal(text), key=f"s{k}")
)
each("list", lambda k, text: st.selectbox("l", [k], key=f"l{k}", format_func=lambda _: plain(text)))
each("several", lambda k, text: st.multiselect("m", [k], k, key=f"m{k}", format_func=lambda _: plain(text)))
each("code", lambda _, text: st.code(plain(text), language=None))
