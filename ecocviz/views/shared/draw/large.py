"""Figures for a lecture hall: the same picture with larger type, and room for it."""

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

LARGER, LEAST = 1.6, 20.0
"""By how much type grows, and its least size in pixels."""
ROOM = 1.45
"""By how much margins and heights grow."""


def enlarged(figure: go.Figure) -> go.Figure:
    """Return a figure with type that is read from the back of a hall; the figure itself stays as it is."""
    spec = figure.to_dict()
    layout = dict(_typed(spec["layout"]))
    layout["font"] = _larger({"size": 13, **layout.get("font", {})})
    if "height" in layout:
        layout["height"] = ROOM * layout["height"]
    if "margin" in layout:
        layout["margin"] = {
            side: ROOM * size if isinstance(size, int | float) else size
            for side, size in layout["margin"].items()
        }
    return go.Figure({"data": [_typed(trace) for trace in spec["data"]], "layout": layout}, _validate=False)


def _typed(part: Any) -> Any:  # noqa: ANN401 - any part of a figure's specification
    """Return a part of a figure with the sizes of its fonts, and of the fonts inside it, changed."""
    if isinstance(part, Mapping):
        return {
            name: _larger(value) if name.endswith("font") and isinstance(value, Mapping) else _typed(value)
            for name, value in part.items()
        }
    if isinstance(part, list | tuple) and any(isinstance(one, Mapping) for one in part):
        return [_typed(one) for one in part]
    return part


def _larger(font: Mapping[str, Any]) -> dict[str, Any]:
    size = font.get("size")
    if isinstance(size, int | float):
        return {**font, "size": max(LEAST, LARGER * size)}
    return dict(font)
