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

PLACES = {
    "caption": lambda _, text: caption(text),
    "info": lambda _, text: info(text),
    "warning": lambda _, text: warning(text),
    "error": lambda _, text: error(text),
    "title": lambda _, text: title(text),
    "said": lambda _, text: said("", text),
    "cell": lambda _, text: markup(html_table(("head",), [(text,)], alt=text)),
    "progress": lambda _, text: progress(0.5, text),
    "button": lambda k, text: st.button(literal(text), key=f"b{k}"),
    "expander": lambda k, text: st.expander(literal(text), key=f"e{k}"),
    "bold": lambda k, text: st.expander(f":small[:gray[Data]]  \n**{literal(text)}**", key=f"g{k}"),
    "label": lambda k, text: st.text_input(literal(text), key=f"t{k}"),
    "pill": lambda k, text: st.pills("p", [k], key=f"p{k}", format_func=lambda _: literal(text)),
    "slider": lambda k, text: st.select_slider(
        "s", [k, 99], key=f"s{k}", format_func=lambda _: literal(text)
    ),
    "list": lambda k, text: st.selectbox("l", [k], key=f"l{k}", format_func=lambda _: plain(text)),
    "several": lambda k, text: st.multiselect("m", [k], k, key=f"m{k}", format_func=lambda _: plain(text)),
    "code": lambda _, text: st.code(plain(text), language=None),
}


def main():
    """Draw figures with the texts wherever plotly reads markup, and write each of them in every place."""
    texts = json.loads(Path(os.environ["ECOCVIZ_HOSTILE_TEXTS"]).read_text(encoding="utf-8"))
    for start in range(0, len(texts), 8):
        shown = [literal(text) for text in texts[start : start + 8]]
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
        chart(build_figure(bars, layout, LIGHT), key=f"figure.{start}", alt=texts[start])
    for place, write in PLACES.items():
        for k, text in enumerate(texts):
            with st.container(key=f"{place}-{k}"):
                write(k, text)


if __name__ == "__main__":
    main()
