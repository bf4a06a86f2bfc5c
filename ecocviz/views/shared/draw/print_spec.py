"""A plotly figure as its printer reads it: arrays decoded, templates filled in, sizes in points."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ecocviz.views.shared.draw.build import Figure
from ecocviz.views.shared.draw.print_text import letters_of
from ecocviz.views.shared.draw.theme import LIGHT

Spec: TypeAlias = dict[str, Any]
"""A part of a figure's specification."""
Axes: TypeAlias = Any
Picture: TypeAlias = Any
"""matplotlib's axes and figures, without their types: it is loaded only where a figure is saved."""

POINTS = 0.64
"""Printed points a pixel of the screen: type of 11 to 14 pixels comes out as 7 to 9 points."""
SMALLEST, LARGEST = 7.0, 9.0
"""Points of printed type."""
USUAL_RANK = 1_000
"""Plotly's, in the order of the legend."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is printed: the traces that are to be seen, and the layout with its template filled in."""

    traces: list[Spec]
    layout: Spec

    def axis(self, name: str) -> Spec:
        """Return an axis by the name that traces call it, such as "x" or "y2"."""
        found: Spec = self.layout[f"{name[0]}axis{name[1:]}"]
        return found

    def pairs(self) -> list[tuple[str, str]]:
        """Return the pairs of axes, the first first."""
        found = dict.fromkeys(axes_of(trace) for trace in self.traces)
        return list(found) or [("x", "y")]


def read_figure(figure: Figure) -> Drawn:
    """Read a figure of `build_figure`."""
    spec = _plain(
        {"data": [t.to_plotly_json() for t in figure.data], "layout": figure.layout.to_plotly_json()}
    )
    layout = spec["layout"]
    template = layout.pop("template", {}).get("layout", {})
    for name in {"xaxis", "yaxis", *(f"{a[0]}axis{a[1:]}" for t in spec["data"] for a in axes_of(t))}:
        layout[name] = filled(layout.get(name, {}), template.get(f"{name[0]}axis", {}))
    whole = {name: part for name, part in template.items() if name not in {"xaxis", "yaxis"}}
    layout = filled(layout, whole)
    # What has no colour of its own gets the next of the figure's.
    colours = [layout["colorway"][k % len(layout["colorway"])] for k in range(len(spec["data"]))]
    traces = [trace | {"own": colour} for trace, colour in zip(spec["data"], colours, strict=True)]
    return Drawn([trace for trace in traces if _seen(trace)], layout)


def _seen(trace: Spec) -> bool:
    """Say whether anything of a trace can be seen: marks that only catch clicks are not printed."""
    if trace.get("opacity") == 0 or trace.get("visible") in {False, "legendonly"}:
        return False
    return trace.get("mode") != "markers" or trace.get("marker", {}).get("opacity", 1) != 0


def axes_of(trace: Mapping[str, Any]) -> tuple[str, str]:
    """Return the names of a trace's axes."""
    return trace.get("xaxis") or "x", trace.get("yaxis") or "y"


def filled(part: Mapping[str, Any], rest: Mapping[str, Any]) -> Spec:
    """Return a part of a specification with what it leaves open taken from another.

    >>> filled({"a": {"b": 1}}, {"a": {"b": 2, "c": 3}, "d": 4})
    {'a': {'b': 1, 'c': 3}, 'd': 4}
    """
    found = dict(rest)
    for name, value in part.items():
        under = found.get(name)
        both = isinstance(value, Mapping) and isinstance(under, Mapping)
        found[name] = filled(value, under) if both else value  # type: ignore[arg-type]  # both are mappings
    return found


def _plain(part: Any) -> Any:  # noqa: ANN401 - any part of a figure's specification
    """Decode the arrays of a specification, at any depth."""
    if isinstance(part, Mapping):
        if "bdata" in part:
            flat = np.frombuffer(base64.b64decode(part["bdata"]), dtype=np.dtype(part["dtype"]))
            shape = part.get("shape", "")
            sizes = [int(n) for n in shape.split(",")] if isinstance(shape, str) and shape else shape or [-1]
            return flat.reshape(sizes)
        return {name: _plain(value) for name, value in part.items()}
    if isinstance(part, list | tuple) and any(isinstance(one, Mapping | list | tuple) for one in part):
        return [_plain(one) for one in part]
    return part


def font_of(layout: Mapping[str, Any], *parts: Mapping[str, Any] | None) -> tuple[float, str]:
    """Return size in points and colour of a text: of the first part that names them, or the figure's own."""
    fonts = [*(part or {} for part in parts), layout.get("font", {})]
    size = next((f["size"] for f in fonts if isinstance(f.get("size"), int | float)), 13)
    colour = next((f["color"] for f in fonts if isinstance(f.get("color"), str)), LIGHT.ink)
    return min(max(POINTS * size, SMALLEST), LARGEST), colour


def each(value: Any, n: int) -> list[Any]:  # noqa: ANN401 - one value or a list of them
    """Return a value n times, or the n values that it is.

    >>> each("a", 2), each([1, 2], 2)
    (['a', 'a'], [1, 2])
    """
    if isinstance(value, np.ndarray):
        return list(value.tolist())
    return list(value) if isinstance(value, list | tuple) else [value] * n


def values_of(trace: Mapping[str, Any], letter: str) -> Sequence[Any]:
    """Return the coordinates of a trace; of a heatmap or bars without them, their numbers."""
    given = trace.get(letter)
    if given is not None:
        return given.tolist() if isinstance(given, np.ndarray) else list(given)
    if trace["type"] == "image":
        return []  # an image lies on the axes that others have
    if trace["type"] == "heatmap":
        return list(range(np.shape(trace["z"])["yx".index(letter)]))
    other = trace.get("y" if letter == "x" else "x")
    return list(range(len(other))) if other is not None else []


def legend_of(drawn: Drawn) -> Iterator[tuple[Spec, str]]:
    """Yield the traces that the legend names, with their names, as plotly chooses them."""
    marked = [t for t in drawn.traces if t["type"] not in {"heatmap", "image", "contour"}]
    named = [t for t in marked if t.get("name")]
    offered = [t for t in named if t.get("showlegend") is not False]
    wanted = drawn.layout.get("showlegend")
    asked = any(t.get("showlegend") is True for t in offered)
    several = sum(t.get("showlegend") is not False for t in marked) > 1
    if wanted or (wanted is None and (asked or several)):
        ranked = sorted(offered, key=lambda trace: trace.get("legendrank", USUAL_RANK))
        yield from ((trace, letters_of(trace["name"])) for trace in ranked)
