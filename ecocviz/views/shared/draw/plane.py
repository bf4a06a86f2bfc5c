"""Decision regions as figures to be saved: one plane large, or the same plane once for every decoder."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from ecocviz.engine.params import shorten
from ecocviz.engine.types import FloatArray
from ecocviz.lab.plane import Plane
from ecocviz.lab.regions import Points, Regions
from ecocviz.views.shared.draw.build import Figure, build_figure, thinned
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.plane_pixels import (
    Bytes,
    Layer,
    borders,
    decided,
    hatched,
    left,
    masked,
    middles,
    rgb,
    said_by,
    shaded,
    striped,
)
from ecocviz.views.shared.draw.theme import Theme, class_colour, class_edge, class_size, class_symbol, mixed

PIXELS, BORDER_PLACES = 900, 300
"""Of the picture of the regions along a side, and places between which borders are sought."""
PIXELS_PER_CM = 45
"""Of the screen: a figure so many high, and its width in print, make a picture of square planes."""
TEST, TRAIN = 8.5, 6.0
"""Diameters of marks in pixels."""
OUTLINE = 1.7
"""Of marks of misclassified points, in pixels."""
CROWDED, MANY = 250, 600
"""Points from which a small picture shows only those decided wrongly, and from which marks are smaller."""
SMALL_CM, UNDER_CM = 2.6, 1.15
"""The least width of a small picture, and the room that the words under it take."""
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Look:
    """What of a plane is shown.

    Attributes
    ----------
    decoder
        Whose regions.
    bit
        The machine whose two sides are shown instead, -1 for none.
    differences
        Whether the places where decoders differ are striped.
    picked
        The place that is ringed, if any.
    undecided
        Whether nobody has decided the plane yet.
    """

    decoder: int = 0
    bit: int = -1
    differences: bool = False
    picked: tuple[float, float] | None = None
    undecided: bool = False


# One plane -------------------------------------------------------------------------------------------


def plane_figure(
    regions: Regions,
    points: Points,
    look: Look,
    *,
    classes: Sequence[str],
    title: str,
    width: float,
    theme: Theme,
) -> Figure:
    """Draw regions with their borders, the points, and what is picked.

    Parameters
    ----------
    regions, points
        Of the same plane.
    look
        What of it is shown.
    classes
        Names.
    title
        Of the figure.
    width
        In centimetres; the plane is as high as it is wide.
    theme
        Light or dark.
    """
    traces: list[dict[str, Any]] = []
    if not look.undecided:
        layer = said_by(regions, look.bit) if look.bit >= 0 else decided(regions, look.decoder)
        colours = [class_colour(c) for c in range(len(classes))]
        if look.bit >= 0:
            colours = [theme.negative, theme.positive]
        if look.differences:
            differ = (regions.labels != regions.labels[0]).any(axis=0)
            pixels = striped(layer, differ, PIXELS, colours, theme)
        else:
            pixels = shaded(layer, PIXELS, colours, theme)
            cells = left(regions, look.decoder) if look.bit < 0 else None
            pixels = pixels if cells is None else hatched(pixels, cells, theme)
        traces += [image_trace(regions.plane, pixels), *_border_traces(regions.plane, layer, theme)]
    judged = not look.undecided and look.bit < 0
    traces += _point_traces(points, look.decoder if judged else None, classes, theme)
    traces += _meanings(points, look, judged=judged, theme=theme)
    if look.picked is not None:
        traces.append(_ring(look.picked, theme))
    across, upwards = (literal(shorten(name, LONGEST_NAME)) for name in regions.plane.names)
    axis = {"showgrid": False, "zeroline": False, "ticks": "outside"}
    layout = {
        "title": {"text": literal(title)},
        "height": PIXELS_PER_CM * width,
        "showlegend": True,
        "xaxis": {**axis, "range": list(regions.plane.x_range), "title": {"text": across}},
        "yaxis": {
            **axis,
            "range": list(regions.plane.y_range),
            "title": {"text": upwards},
            **_square(regions.plane),
        },
    }
    return build_figure(traces, layout, theme)


def _square(plane: Plane, x: str = "x") -> dict[str, Any]:
    """Return what keeps a plane as high as it is wide."""
    (x0, x1), (y0, y1) = plane.x_range, plane.y_range
    return {"scaleanchor": x, "scaleratio": (x1 - x0) / (y1 - y0)}


def image_trace(plane: Plane, pixels: Bytes) -> dict[str, Any]:
    """Return pixels (n, n, 3), row by row from below, over the whole of a plane."""
    n = pixels.shape[0]
    (x0, x1), (y0, y1) = plane.x_range, plane.y_range
    dx, dy = (x1 - x0) / n, (y1 - y0) / n
    return {"type": "image", "z": pixels, "x0": x0 + dx / 2, "dx": dx, "y0": y0 + dy / 2, "dy": dy}


def _border_traces(plane: Plane, layer: Layer, theme: Theme) -> Iterator[dict[str, Any]]:
    """Yield the lines between regions."""
    for field in borders(layer, BORDER_PLACES):
        yield {
            "type": "contour",
            "x": middles(*plane.x_range, BORDER_PLACES),
            "y": middles(*plane.y_range, BORDER_PLACES),
            "z": field,
            "contours": {"start": 0, "end": 0, "size": 1, "coloring": "none"},
            "line": {"color": mixed(theme.surface, theme.ink, 0.6), "width": 1},
            "showscale": False,
        }


def _marks(c: int, size: FloatArray | float, wrong: bool, theme: Theme) -> dict[str, Any]:
    """Return the marks of a class; wrong ones have an outline of ink."""
    line = {"color": theme.ink, "width": OUTLINE} if wrong else {"color": class_edge(c, theme), "width": 0.9}
    scale = class_size(c, 1.0)
    sizes = scale * size if isinstance(size, float | int) else (scale * size).tolist()
    return {"color": class_colour(c), "symbol": class_symbol(c), "size": sizes, "line": line}


def _point_traces(
    points: Points, decoder: int | None, classes: Sequence[str], theme: Theme
) -> list[dict[str, Any]]:
    """Return the points, class by class; those decided wrongly come last, on top of the others."""
    shown = thinned(points.truth.size)
    sizes = np.where(points.is_test, TEST, TRAIN) * (1.0 if shown.size <= MANY else 0.75)
    bad = np.zeros(points.truth.size, np.bool_) if decoder is None else points.wrong[decoder]
    traces = []
    for wrong in (False, True):
        for c in range(len(classes)):
            own = shown[(points.truth[shown] == c) & (bad[shown] == wrong)]
            traces.append(_scatter(points.coordinates[own], _marks(c, sizes[own], wrong, theme)))
    return [legend_mark(name, _marks(c, TEST, False, theme)) for c, name in enumerate(classes)] + traces


def _scatter(places: FloatArray, marker: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "markers", "x": places[:, 0], "y": places[:, 1], "marker": marker,
        "showlegend": False,
    }  # fmt: skip


def legend_mark(name: str, marker: dict[str, Any]) -> dict[str, Any]:
    """Return what stands in the legend only."""
    return {
        "type": "scatter", "mode": "markers", "x": [None], "y": [None], "marker": marker, "showlegend": True,
        "name": literal(shorten(name, LONGEST_NAME)),
    }  # fmt: skip


def _meanings(points: Points, look: Look, *, judged: bool, theme: Theme) -> Iterator[dict[str, Any]]:
    """Yield what the legend says besides the classes."""
    plain = {"color": theme.dim, "symbol": "circle"}
    if points.is_test.any() and not points.is_test.all():
        yield legend_mark("test point", {**plain, "size": TEST})
        yield legend_mark("training point", {**plain, "size": TRAIN - 1})
    if judged:
        outline = {"color": theme.ink, "width": OUTLINE}
        yield legend_mark("misclassified", {**plain, "size": TEST, "line": outline})
        if points.undecided is not None and not look.differences:
            yield legend_mark("hatched: not decided", {**plain, "symbol": "square-open", "size": TEST})
    if look.bit >= 0:
        for colour, sign in ((theme.positive, "+"), (theme.negative, "−")):
            square = {"color": mixed(theme.surface, colour, theme.region), "symbol": "square", "size": TEST}
            yield legend_mark(f"machine {look.bit + 1} says {sign}", square)


def _ring(at: tuple[float, float], theme: Theme) -> dict[str, Any]:
    marker = {"symbol": "circle-open", "size": 18, "color": theme.accent, "line": {"width": 2.2}}
    return {
        "type": "scatter", "mode": "markers", "x": [at[0]], "y": [at[1]], "marker": marker, "name": "picked",
        "showlegend": True,
    }  # fmt: skip


# The same plane many times ---------------------------------------------------------------------------


def planes_figure(
    regions: Regions,
    points: Points,
    tiles: Sequence[tuple[str, str]],
    *,
    classes: Sequence[str],
    own: int,
    width: float,
    theme: Theme,
) -> Figure:
    """Draw the plane of every decoder small, after a picture of where they disagree.

    Parameters
    ----------
    regions, points
        Decided by every decoder.
    tiles
        Title and note of every decoder.
    classes
        Names.
    own
        Position of the scenario's own, whose title is bold; -1 for none.
    width
        Of the whole in centimetres: as many stand beside each other as have room.
    theme
        Light or dark.
    """
    tints = [rgb(mixed(theme.surface, class_colour(c), theme.region)) for c in range(len(classes))]
    palette = np.array(tints, np.uint8)
    pictures = [palette[labels.reshape(regions.n, regions.n)] for labels in regions.labels]
    words = [(title, note, k == own) for k, (title, note) in enumerate(tiles)]
    decoders: list[int | None] = list(range(len(pictures)))
    if len(pictures) > 1:
        differ = (regions.labels != regions.labels[0]).any(axis=0)
        pictures.insert(0, masked(differ, theme))
        words.insert(0, ("Where they disagree", f"{100 * differ.mean():.1f} % of the plane", False))
        decoders.insert(0, None)
    traces, layout = [], _grid(regions.plane, words, width)
    for k, (pixels, decoder) in enumerate(zip(pictures, decoders, strict=True)):
        name = str(k + 1) if k else ""
        axes = {"xaxis": f"x{name}", "yaxis": f"y{name}"}
        traces.append(image_trace(regions.plane, pixels) | axes)
        if decoder is not None:
            traces += [trace | axes for trace in _small_points(points, decoder, classes, theme)]
    traces += [legend_mark(name, _marks(c, TEST, False, theme)) for c, name in enumerate(classes)]
    plain = {
        "color": theme.dim,
        "symbol": "circle",
        "size": TEST,
        "line": {"color": theme.ink, "width": OUTLINE},
    }
    traces.append(legend_mark("misclassified", plain))
    return build_figure(traces, {**layout, "showlegend": True}, theme)


def _grid(plane: Plane, words: Sequence[tuple[str, str, bool]], width: float) -> dict[str, Any]:
    """Return the axes of pictures in rows, with what is written under each, and the height of all."""
    n_across = min(max(int(width / SMALL_CM), 2), len(words))
    n_rows = ceil(len(words) / n_across)
    layout: dict[str, Any] = {"height": PIXELS_PER_CM * n_rows * (width / n_across + UNDER_CM)}
    bare = {"showgrid": False, "zeroline": False, "showticklabels": False}
    for k, (title, note, own) in enumerate(words):
        row, column = divmod(k, n_across)
        name = str(k + 1) if k else ""
        bold = f"<b>{literal(title)}</b>" if own else literal(title)
        text = f"{bold}<br>{literal(note)}" if note else bold
        layout[f"xaxis{name}"] = {
            **bare, "range": list(plane.x_range), "domain": [column / n_across, (column + 0.94) / n_across],
            "anchor": f"y{name}", "title": {"text": text, "font": {"size": 11}},
        }  # fmt: skip
        layout[f"yaxis{name}"] = {
            **bare, "range": list(plane.y_range), "anchor": f"x{name}", **_square(plane, f"x{name}"),
            "domain": [1 - (row + 0.94) / n_rows, 1 - row / n_rows],
        }  # fmt: skip
    return layout


def _small_points(
    points: Points, decoder: int, classes: Sequence[str], theme: Theme
) -> Iterator[dict[str, Any]]:
    """Yield all points where they are few, else those decided wrongly, which come last."""
    bad = points.wrong[decoder]
    for wrong in (False, True):
        if not wrong and points.truth.size > CROWDED:
            continue
        for c in range(len(classes)):
            own = (points.truth == c) & (bad == wrong)
            if own.any():
                marker = _marks(c, 5.0 if wrong else 3.5, wrong, theme)
                marker["line"]["width"] = 1.1 if wrong else 0.6
                yield _scatter(points.coordinates[own], marker)
