"""The panels of a printed figure: axes with ticks and titles, shapes, notes, legend and colour bars."""

from collections.abc import Mapping
from textwrap import fill
from typing import Any

from ecocviz.views.shared.draw.print_axes import Scale, title_of
from ecocviz.views.shared.draw.print_spec import (
    POINTS,
    Axes,
    Drawn,
    Picture,
    Spec,
    axes_of,
    each,
    font_of,
    legend_of,
)
from ecocviz.views.shared.draw.print_text import letters_of, look_of, runs
from ecocviz.views.shared.draw.print_traces import SYMBOLS, dashes
from ecocviz.views.shared.draw.theme import LIGHT

BELOW, ABOVE, NOTES = 0.5, 4.0, 6.0
"""What lies on what: shapes under the traces, shapes above them, notes."""
ANCHORS = {"left": 0.0, "center": 0.5, "right": 1.0, "bottom": 0.0, "middle": 0.5, "top": 1.0}
WEIGHTS = ("normal", "bold")
LETTER = 0.56
"""Width of a letter as a share of its size."""


def fitted(text: str, size: float, room: float) -> str:
    r"""Break a text into lines of at most so many points.

    >>> fitted("one two", 8.0, 20.0), fitted("one two", 8.0, 200.0)
    ('one\ntwo', 'one two')
    """
    letters = max(int(room / (LETTER * size)), 4)
    return "\n".join(fill(line, letters, break_long_words=False) for line in text.split("\n"))


# Axes ------------------------------------------------------------------------------------------------


def dress(axes: Axes, drawn: Drawn, names: tuple[str, str], scales: tuple[Scale, Scale]) -> None:
    """Give a panel its ranges, grid, ticks and titles."""
    axes.set_facecolor(drawn.layout.get("plot_bgcolor", LIGHT.surface))
    for side in ("top", "right", "bottom", "left"):
        axes.spines[side].set_visible(False)
    parts = [drawn.axis(name) for name in names]
    barred = any(trace["type"] == "bar" and axes_of(trace) == names for trace in drawn.traces)
    for letter, part, scale in zip("xy", parts, scales, strict=True):
        line = getattr(axes, f"{letter}axis")
        if scale.kind == "log":
            getattr(axes, f"set_{letter}scale")("log")
        getattr(axes, f"set_{letter}lim")(*scale.ends)
        line.set_visible(part.get("visible") is not False)
        _ticks(axes, line, letter, part, scale, drawn.layout)
        style = {"color": part.get("gridcolor", LIGHT.line), "linewidth": 0.6, "zorder": BELOW - 0.1}
        if part.get("showgrid") is not False:
            line.grid(visible=True, which="major", **style)
        elif not barred and part.get("zeroline") is not False and min(scale.ends) <= 0 <= max(scale.ends):
            {"x": axes.axvline, "y": axes.axhline}[letter](0, **style)
    anchored = next((part for part in parts if part.get("scaleanchor")), None)
    if anchored is not None:
        axes.set_aspect(anchored.get("scaleratio", 1))


def _ticks(axes: Axes, line: Axes, letter: str, part: Spec, scale: Scale, layout: Spec) -> None:
    size, ink = font_of(layout, part.get("tickfont"))
    line.set_ticks([place for place, _ in scale.ticks], minor=False)
    line.set_ticklabels([letters_of(text) for _, text in scale.ticks])
    line.set_ticks([], minor=True)
    outside = part.get("ticks") == "outside"
    line.set_tick_params(
        length=2 if outside else 0, pad=3, labelsize=size, labelcolor=ink, color=part.get("tickcolor", ink)
    )
    for (_, text), label in zip(scale.ticks, line.get_ticklabels(), strict=True):
        bold, colour = look_of(text)
        label.set_fontweight(WEIGHTS[bold])
        label.set_color(colour or ink)
        if letter == "x" and part.get("tickangle"):
            label.set_rotation(-float(part["tickangle"]))
    if part.get("side") in {"top", "right"}:
        getattr(line, f"tick_{part['side']}")()
        line.set_label_position(part["side"])
    title = part.get("title")
    size, ink = font_of(layout, title.get("font") if isinstance(title, dict) else None)
    width, height = axes.figure.get_size_inches() * 72
    first, last = part.get("domain", (0, 1))
    share = (last - first) * (0.8 if last - first > 0.5 else 1.0)  # a single panel leaves room for ticks
    text = fitted(title_of(part), size, share * (width if letter == "x" else height))
    label = getattr(axes, f"set_{letter}label")(text, fontsize=size, color=ink)
    marked = str(title.get("text") if isinstance(title, dict) else title)
    label.set_fontweight(WEIGHTS[look_of(marked.split("<br>", maxsplit=1)[0])[0]])


# Shapes and notes ------------------------------------------------------------------------------------


def _shares(ref: str) -> bool:
    """Say whether a coordinate is a share of the panel, not a value on its axis."""
    return ref == "paper" or ref.endswith(" domain")


def belong(drawn: Drawn, kind: str, names: tuple[str, str]) -> list[Spec]:
    """Return the shapes or notes of a panel; what stands on the whole paper belongs to the panel next to it.

    Parameters
    ----------
    drawn
        The figure.
    kind
        "shapes" or "annotations".
    names
        Of the panel's axes.
    """
    found = []
    for part in drawn.layout.get(kind) or []:
        refs = {letter: part.get(f"{letter}ref", letter) for letter in "xy"}
        own = [
            p for p in drawn.pairs() if all(_refers(refs[a], name) for a, name in zip("xy", p, strict=True))
        ]
        if own and min(own, key=lambda pair: _distance(drawn, pair, part, refs)) == names:
            found.append(part | _moved(drawn, names, part, refs))
    return found


def _refers(ref: str, name: str) -> bool:
    return ref == "paper" or ref.removesuffix(" domain") == name


def _domain(drawn: Drawn, name: str) -> tuple[float, float]:
    first, last = drawn.axis(name).get("domain", (0.0, 1.0))
    return float(first), float(last)


def _distance(drawn: Drawn, pair: tuple[str, str], part: Spec, refs: Mapping[str, str]) -> float:
    """Return how far something on the paper is from a panel."""
    far = 0.0
    for letter, name in zip("xy", pair, strict=True):
        if refs[letter] == "paper":
            first, last = _domain(drawn, name)
            at = float(part[letter] if letter in part else part[f"{letter}0"])
            far += max(first - at, at - last, 0.0)
    return far


def _moved(drawn: Drawn, pair: tuple[str, str], part: Spec, refs: Mapping[str, str]) -> Spec:
    """Return places on the paper as shares of a panel."""
    found = {}
    for letter, name in zip("xy", pair, strict=True):
        first, last = _domain(drawn, name)
        for key in (letter, f"{letter}0", f"{letter}1"):
            if refs[letter] == "paper" and isinstance(part.get(key), int | float):
                found[key] = (float(part[key]) - first) / (last - first)
    return found


def _transform(axes: Axes, x_shared: bool, y_shared: bool) -> Axes:
    from matplotlib.transforms import blended_transform_factory  # noqa: PLC0415 - only where a figure is saved

    return blended_transform_factory(
        axes.transAxes if x_shared else axes.transData, axes.transAxes if y_shared else axes.transData
    )


def draw_shape(axes: Axes, shape: Spec, scales: tuple[Scale, Scale]) -> None:
    """Draw a line or a rectangle."""
    from matplotlib.lines import Line2D  # noqa: PLC0415 - only where a figure is saved
    from matplotlib.patches import Rectangle  # noqa: PLC0415 - only where a figure is saved

    shares = [_shares(shape.get(f"{letter}ref", letter)) for letter in "xy"]
    (x0, x1), (y0, y1) = (
        [
            float(shape[f"{letter}{k}"]) if share else float(scale.places([shape[f"{letter}{k}"]])[0])
            for k in "01"
        ]
        for letter, share, scale in zip("xy", shares, scales, strict=True)
    )
    line = shape.get("line", {})
    style = {
        "linewidth": POINTS * line.get("width", 2), "linestyle": dashes(line.get("dash")),
        "zorder": BELOW if shape.get("layer") == "below" else ABOVE,
        "transform": _transform(axes, *shares),
    }  # fmt: skip
    colour = line.get("color", LIGHT.dim)
    if shape["type"] == "line":
        axes.add_artist(Line2D([x0, x1], [y0, y1], color=colour, **style))
        return
    ground = shape.get("fillcolor")
    axes.add_patch(
        Rectangle(
            (x0, y0), x1 - x0, y1 - y0, edgecolor=colour, facecolor=ground or "none", clip_on=False, **style
        )
    )


def draw_note(axes: Axes, note: Spec, scales: tuple[Scale, Scale], layout: Spec) -> None:
    """Write a note, line by line, in a box where it has one."""
    from matplotlib.offsetbox import AnnotationBbox, HPacker, TextArea, VPacker  # noqa: PLC0415 - as above

    shares = [_shares(note.get(f"{letter}ref", letter)) for letter in "xy"]
    at = [
        float(note[letter]) if share else float(scale.places([note[letter]])[0])
        for letter, share, scale in zip("xy", shares, scales, strict=True)
    ]
    size, ink = font_of(layout, note.get("font"))
    look: dict[str, Any] = {"size": size}
    lines = [
        HPacker(
            pad=0, sep=0, align="baseline",
            children=[
                TextArea(run.text, textprops=look | {"color": run.colour or ink, "weight": WEIGHTS[run.bold]})
                for run in line
            ],
        )
        for line in runs(note.get("text", "")) if line
    ]  # fmt: skip
    if not lines:
        return
    align = {"left": "left", "right": "right"}.get(note.get("align", "center"), "center")
    packed = VPacker(children=lines, pad=0, sep=1.5, align=align)
    anchors = [
        ANCHORS.get(note.get(f"{letter}anchor", "auto"), _free(place, share=share))
        for letter, place, share in zip("xy", at, shares, strict=True)
    ]
    box = AnnotationBbox(
        packed, at, xycoords=_transform(axes, *shares), box_alignment=anchors, boxcoords="offset points",
        xybox=(POINTS * note.get("xshift", 0), POINTS * note.get("yshift", 0)), frameon="bgcolor" in note,
        pad=0.3, annotation_clip=False,
        bboxprops={
            "facecolor": note.get("bgcolor", "none"), "edgecolor": note.get("bordercolor", "none"),
            "linewidth": POINTS * note.get("borderwidth", 0),
        },
    )  # fmt: skip
    box.set_zorder(NOTES)
    axes.add_artist(box)


def _free(at: float, *, share: bool) -> float:
    """Return the anchor that plotly takes where none is said: by thirds of the paper."""
    return 0.5 if not share or 1 / 3 <= at <= 2 / 3 else 0.0 if at < 1 / 3 else 1.0


# Legend ----------------------------------------------------------------------------------------------


def add_legend(figure: Picture, drawn: Drawn) -> int:
    """Put the legend above the panels, in as many columns as fit; return its rows."""
    entries = list(legend_of(drawn))
    if not entries:
        return 0
    size, ink = font_of(drawn.layout, drawn.layout.get("legend", {}).get("font"))
    room = figure.get_size_inches()[0] * 72
    names = [fitted(name, size, room - 5 * size) for _, name in entries]
    handles = [handle(trace) for trace, _ in entries]
    for n_columns in range(len(names), 0, -1):
        legend = figure.legend(
            handles, names, loc="outside upper left", ncols=n_columns, fontsize=size, frameon=False,
            labelcolor=ink, handlelength=1.8, columnspacing=1.2, handletextpad=0.5, borderaxespad=0.2,
            borderpad=0.2, labelspacing=0.35,
        )  # fmt: skip
        figure.draw_without_rendering()
        if n_columns == 1 or legend.get_window_extent().width <= figure.bbox.width:
            return -(-len(names) // n_columns)
        legend.remove()
    return 0


def handle(trace: Spec) -> Axes:
    """Return what stands before a name in the legend."""
    from matplotlib.lines import Line2D  # noqa: PLC0415 - only where a figure is saved
    from matplotlib.patches import Patch  # noqa: PLC0415 - only where a figure is saved

    marker, line = trace.get("marker", {}), trace.get("line", {})
    first: Mapping[str, Any] = {
        name: next(iter(each(marker.get(name), 1)), None) for name in ("color", "symbol", "size")
    }
    opacity = trace.get("opacity", 1) * marker.get("opacity", 1)
    colour = first["color"] or line.get("color") or trace["own"]
    if trace["type"] == "bar":
        return Patch(facecolor=colour, alpha=opacity)
    mode, symbol = trace.get("mode", "lines+markers"), first["symbol"] or "circle"
    name = symbol.removesuffix("-open")
    edge = marker.get("line", {}).get("color")
    return Line2D(
        [], [], color=line.get("color") or colour, alpha=opacity,
        linewidth=POINTS * line.get("width", 2) if "lines" in mode else 0,
        linestyle=dashes(line.get("dash")) if "lines" in mode else "none",
        marker=SYMBOLS[name] if "markers" in mode else "none",
        markersize=min(POINTS * (first["size"] or 6), 6),
        markerfacecolor="none" if name != symbol else colour,
        markeredgecolor=edge if isinstance(edge, str) and name == symbol else colour,
        markeredgewidth=max(POINTS * (next(iter(each(marker.get("line", {}).get("width"), 1))) or 0), 0.8),
    )  # fmt: skip
