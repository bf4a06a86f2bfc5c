"""Small pictures of the same plane, one a decoder: packs records into one message and mounts them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ecocviz.lab.regions import Points, Regions
from ecocviz.views.shared.app.components.assets import component
from ecocviz.views.shared.app.components.heard import among, told
from ecocviz.views.shared.app.components.region_view import differences, pack_blocks
from ecocviz.views.shared.app.said import said
from ecocviz.views.shared.app.saving_pictures import save_planes
from ecocviz.views.shared.draw.judged import differ_sentence
from ecocviz.views.shared.draw.theme import class_chips

_mount = component("decoder_tiles")


def pack_tiles(
    regions: Regions,
    points: Points,
    *,
    classes: tuple[str, ...],
    tiles: tuple[tuple[str, str, str, str], ...],
    own: int,
    choosable: bool,
    said: str,
    differ: str,
    group: str = "",
) -> bytes:
    """Pack everything the pictures need.

    Parameters
    ----------
    regions
        The plane, decided by every decoder.
    points
        Decided by the same decoders.
    classes
        Names.
    tiles
        Key, title, note and summary of every decoder.
    own
        Position of the scenario's own; -1 if it is not among them.
    choosable
        Whether a picture can be chosen.
    said, differ
        What stands above the pictures, and under the one of the disagreement.
    group
        What the pictures are, for those who do not see them; "" where they are decoders.
    """
    header: dict[str, Any] = {
        "n": regions.n,
        "xRange": regions.plane.x_range,
        "yRange": regions.plane.y_range,
        "classes": class_chips(classes),
        "decoders": [
            {"key": key, "title": title, "note": note, "summary": summary}
            for key, title, note, summary in tiles
        ],
        "own": own,
        "choosable": choosable,
        "said": said,
        "differ": differ,
        "group": group,
        "nPoints": len(points.truth),
    }
    blocks = {
        "labels": differences(regions.labels),
        "xy": points.coordinates.T.astype("<f4").tobytes(),
        "classes": points.truth.astype(np.uint8).tobytes(),
        "wrong": differences((points.labels != points.truth).astype(np.uint8)),
    }
    return pack_blocks(header, blocks)


def decoder_tiles(payload: bytes, *, key: str, on_decoder: Callable[[], None]) -> Any:  # noqa: ANN401 - Streamlit's own result object
    """Mount the pictures; the trigger `decoder` is the key of the one that was chosen."""
    return _mount(key=key, data=payload, on_decoder_change=on_decoder)


def draw_tiles(
    regions: Regions,
    points: Points,
    *,
    key: str,
    classes: tuple[str, ...],
    tiles: tuple[tuple[str, str, str, str], ...],
    own: int,
    choosable: bool = True,
    noun: str = "decoders",
    group: str = "",
    on_pick: Callable[[str], None],
) -> None:
    """Draw the pictures, and say on how much of the plane they differ.

    Parameters
    ----------
    regions, points, classes, tiles, own, choosable, group
        As `pack_tiles` takes them.
    key
        Of the component.
    noun
        What decides, many of them.
    on_pick
        Handed the key of the picture that was chosen.
    """
    plane, differ = regions.plane, (regions.labels != regions.labels[0]).any(axis=0)
    payload = pack_tiles(
        regions,
        points,
        classes=classes,
        tiles=tiles,
        own=own,
        choosable=choosable,
        said=f"{plane.names[0]} across, {plane.names[1]} upwards. Outlined points are misclassified.",
        differ=f"{100 * differ.mean():.1f} % of the plane",
        group=group,
    )

    def picked() -> None:
        on_pick(among(told(key, "decoder"), [tile[0] for tile in tiles]))

    decoder_tiles(payload, key=key, on_decoder=picked)
    notes = [(title, note) for _, title, note, _ in tiles]
    save_planes(regions, points, notes, classes=classes, own=own, key=key)
    found = differ_sentence(int(differ.sum()), differ.size, len(tiles), noun)
    rest = " ".join(filter(None, [found, plane.sentence]))
    if rest:
        said("", rest)
