"""What is drawn of a plane for print: its regions as one crisp picture, the borders between them as lines."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from ecocviz.engine.types import FloatArray
from ecocviz.views.shared.draw.print_spec import POINTS, Axes, Spec
from ecocviz.views.shared.draw.print_traces import HEAT, LINES


def draw_image(axes: Axes, trace: Spec) -> None:
    """Draw pixels, (n_rows, n_columns, 3), the first row where `y0` is."""
    pixels = np.asarray(trace["z"], dtype=np.uint8)
    ends = [
        end
        for letter, n in zip("xy", pixels.shape[1::-1], strict=True)
        for end in (trace[f"{letter}0"] + trace[f"d{letter}"] * k for k in (-0.5, n - 0.5))
    ]
    # "none": the file holds the pixels as they are, whatever its size on paper.
    axes.imshow(
        pixels, extent=ends, origin="lower", interpolation="none", aspect=axes.get_aspect(), zorder=HEAT
    )


def draw_contour(axes: Axes, trace: Spec) -> None:
    """Draw where a field (n_rows, n_columns) has a value, as lines."""
    field, level = np.asarray(trace["z"], dtype=np.float64), float(trace["contours"]["start"])
    if not field.min() < level < field.max():
        return
    found = axes.contour(trace["x"], trace["y"], field, levels=[level])
    lines: list[FloatArray] = list(found.allsegs[0])
    found.remove()
    apart = np.full((1, 2), np.nan)
    places = np.concatenate([part for line in lines for part in (line, apart)])
    line = trace.get("line", {})
    axes.plot(
        places[:, 0], places[:, 1], color=line.get("color"), linewidth=POINTS * line.get("width", 2),
        solid_joinstyle="round", zorder=LINES,
    )  # fmt: skip


PLANES: Mapping[str, Callable[[Axes, Spec], None]] = MappingProxyType(
    {"image": draw_image, "contour": draw_contour}
)
"""Kinds of traces and what draws them."""
