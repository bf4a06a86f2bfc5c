"""The axes of a printed figure: what lies where, from where to where, and what is written beside it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import Any

import numpy as np

from ecocviz.engine.types import FloatArray
from ecocviz.views.shared.draw.print_spec import Drawn, Spec, axes_of, values_of
from ecocviz.views.shared.draw.print_text import letters_of
from ecocviz.views.shared.draw.words import MINUS, SUPERSCRIPTS

MARGIN = 0.04
"""Share of the range of points that an axis leaves free beyond them."""


@dataclass(frozen=True, slots=True)
class Scale:
    """One axis.

    Attributes
    ----------
    kind
        "linear", "log" or "category".
    names
        Categories, in their places 0, 1, 2, ...
    ends
        Where it starts and ends; the first is the larger where it runs backwards.
    ticks
        Where, and what is written there as plotly's markup.
    """

    kind: str
    names: tuple[str, ...]
    ends: tuple[float, float]
    ticks: tuple[tuple[float, str], ...]

    def places(self, values: Iterable[Any]) -> FloatArray:
        """Return where values lie, (n_values,); NaN where there is none."""
        return np.array([place_of(value, self.names) for value in values], dtype=np.float64)


def place_of(value: Any, names: Sequence[str]) -> float:  # noqa: ANN401 - a name, a number or none
    """Return where a value lies on an axis with such categories.

    >>> place_of("b", ("a", "b")), place_of(2, ()), place_of(None, ())
    (1.0, 2.0, nan)
    """
    if value is None:
        return float("nan")
    return float(names.index(value)) if isinstance(value, str) and value in names else float(value)


def scale_of(drawn: Drawn, name: str) -> Scale:
    """Return an axis by its name, such as "x" or "y2"."""
    axis = drawn.axis(name)
    like = axis.get("matches")
    traces = [trace for trace in drawn.traces if {name, like} & set(axes_of(trace))]
    given = [value for trace in traces for value in values_of(trace, name[0])]
    kind = _kind(axis, given)
    names = tuple(dict.fromkeys(v for v in given if isinstance(v, str))) if kind == "category" else ()
    found = Scale(kind, names, (0.0, 1.0), ())
    reached = _reached(found, traces, name, given)
    ends = _ends(axis, kind, names, reached, marks=any("marker" in str(t.get("mode")) for t in traces))
    return Scale(kind, names, ends, _ticks(axis, kind, names, ends))


def _kind(axis: Spec, given: Sequence[Any]) -> str:
    if axis.get("type") in {"log", "category"}:
        return str(axis["type"])
    return "category" if any(isinstance(value, str) for value in given) else "linear"


def _reached(scale: Scale, traces: Sequence[Spec], name: str, given: Sequence[Any]) -> list[float]:
    """Return the places that a range must hold: of points, of the sides of bars and cells, of errors."""
    places = scale.places(given)
    held = [p for p in places.tolist() if isfinite(p) and (scale.kind != "log" or p > 0)]
    for trace in traces:
        own = scale.places(values_of(trace, name[0]))
        own = own[np.isfinite(own)]
        lies = trace.get("orientation") == "h"
        if trace["type"] == "bar" and own.size and (name[0] == "x") == lies:
            held.append(0.0)
        elif own.size and trace["type"] in {"bar", "heatmap"} and scale.kind != "log":
            step = float(np.diff(np.unique(own)).min(initial=1.0)) if own.size > 1 else 1.0
            held += [float(own.min()) - step / 2, float(own.max()) + step / 2]
        error = trace.get(f"error_{name[0]}") or {}
        if own.size and error.get("array") is not None:
            below = error.get("arrayminus", error["array"])
            known = scale.places(values_of(trace, name[0]))
            for sign, lengths in ((1, error["array"]), (-1, below)):
                reach = known + sign * np.array([length or 0 for length in lengths], dtype=np.float64)
                held += reach[np.isfinite(reach)].tolist()
    return held


def _ends(
    axis: Spec, kind: str, names: Sequence[str], reached: Sequence[float], *, marks: bool
) -> tuple[float, float]:
    given = axis.get("range")
    if given is not None and all(end is not None for end in given):
        first, last = (place_of(end, names) for end in given)
        return (10.0**first, 10.0**last) if kind == "log" else (first, last)
    if kind == "category":
        low, high = -0.5, max(len(names), 1) - 0.5
    elif not reached:
        low, high = (1.0, 10.0) if kind == "log" else (0.0, 1.0)
    elif kind == "log":
        edge = max(MARGIN * (log10(max(reached)) - log10(min(reached))), 0.02)
        low, high = min(reached) * 10**-edge, max(reached) * 10**edge
    else:
        low, high = min(reached), max(reached)
        edge = MARGIN * (high - low) or 0.5
        # Lines and bars may touch the edge of the picture; the middle of a mark does not.
        low -= edge if marks or low != 0 else 0.0
        high += edge
        if axis.get("rangemode") == "tozero":
            low, high = (0.0, high) if min(reached) >= 0 else (low, max(high, 0.0))
    return (high, low) if axis.get("autorange") == "reversed" else (low, high)


# Ticks -----------------------------------------------------------------------------------------------


def _ticks(
    axis: Spec, kind: str, names: Sequence[str], ends: tuple[float, float]
) -> tuple[tuple[float, str], ...]:
    if axis.get("showticklabels") is False or axis.get("visible") is False:
        return ()
    suffix, given = axis.get("ticksuffix", ""), axis.get("tickvals")
    if given is not None:
        values = given.tolist() if isinstance(given, np.ndarray) else list(given)
        texts = axis.get("ticktext")
        written = [str(v) for v in texts] if texts is not None else [_as_written(v) + suffix for v in values]
        pairs = zip((place_of(value, names) for value in values), written, strict=False)
    elif kind == "category":
        pairs = zip(map(float, range(len(names))), names, strict=True)
    else:
        places = _log_places(ends) if kind == "log" else _round_places(axis, ends)
        far = any(place < 1e-3 or place > 1e5 for place in places)
        wanted = kind == "log" and (far or axis.get("exponentformat") == "power")
        power = wanted and all(log10(place) == round(log10(place), 9) for place in places)
        pairs = zip(places, [(_power(p) if power else _as_written(p)) + suffix for p in places], strict=True)
    low, high = min(ends), max(ends)
    slack = 0.0 if kind == "log" else 1e-9 * (high - low)
    return tuple((place, text) for place, text in pairs if low - slack <= place <= high + slack)


def _as_written(value: Any) -> str:  # noqa: ANN401 - a name or a number
    """Write a number as an axis does.

    >>> _as_written(-0.5), _as_written(12000.0), _as_written("a")
    ('−0.5', '12,000', 'a')
    """
    if isinstance(value, str):
        return value
    number = float(value)
    text = f"{number:,.10g}" if abs(number) >= 1000 else f"{number:.6g}"
    return text.replace("-", MINUS)


def _power(value: float) -> str:
    """Write a power of ten.

    >>> _power(0.001)
    '10⁻³'
    """
    return f"10{str(round(log10(value))).translate(SUPERSCRIPTS)}"


def _round_places(axis: Spec, ends: tuple[float, float]) -> list[float]:
    """Return round places, at most as many as the axis wants."""
    low, high = min(ends), max(ends)
    step = axis.get("dtick") or round_step((high - low) / max(int(axis.get("nticks") or 6), 1))
    start = float(axis.get("tick0") or 0)
    first = ceil((low - start) / step - 1e-9)
    return [start + k * step for k in range(first, floor((high - start) / step + 1e-9) + 1)]


def round_step(least: float) -> float:
    """Return the smallest of 1, 2, 5, 10, ... times a power of ten that is not below a number.

    >>> round_step(0.3), round_step(13.0), round_step(0.0)
    (0.5, 20.0, 1.0)
    """
    if not least > 0:
        return 1.0
    power = 10.0 ** floor(log10(least))
    return float(next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9)))


def _log_places(ends: tuple[float, float]) -> list[float]:
    """Return powers of ten, with their doubles and fives where there are few."""
    low, high = min(ends), max(ends)
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    found = [10.0**k for k in powers if low <= 10.0**k <= high]
    if len(found) < 3:
        found = [m * 10.0**k for k in powers for m in (1, 2, 5) if low <= m * 10.0**k <= high]
    every = max(1, ceil(len(found) / 8))
    return found[::every]


def title_of(axis: Spec) -> str:
    """Return what an axis is called, "" for nothing."""
    title = axis.get("title")
    return letters_of(title.get("text") if isinstance(title, dict) else title)
