"""The decode inspector in the browser: a table of the picked point's bits and of the decoders' costs."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from ecocviz.views.shared.app.components.assets import source

_mount = st.components.v2.component(
    "ecocviz.inspector",
    html=source("inspector.html"),
    css=source("shared.css", "inspector.css"),
    js=source("logic.js", "shapes.js", "inspector.js"),
)


def inspector(
    data: dict[str, Any],
    *,
    key: str,
    on_flips: Callable[[], None],
    on_next: Callable[[], None],
) -> Any:  # noqa: ANN401 - Streamlit's own result object
    """Mount the inspector; `flips` of its state lists flipped bits, its trigger `next` asks for a point."""
    return _mount(key=key, data=data, on_flips_change=on_flips, on_next_change=on_next)
