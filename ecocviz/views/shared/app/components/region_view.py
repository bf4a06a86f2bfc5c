"""The decision regions in the browser: packs records into one message and mounts the canvas."""

import json
import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ecocviz.engine.types import CodeMatrix
from ecocviz.lab.regions import LEVELS, ByteArray, Frames, Points, Regions
from ecocviz.views.shared.app.components.assets import component
from ecocviz.views.shared.draw.theme import class_chips

MAX_POINTS = 2_000
"""More points are thinned: the canvas would only draw them over each other."""

MOST_BITS = 120
"""So many bits of a point are told beside the pointer."""

_mount = component("region_view")


@dataclass(frozen=True, slots=True)
class Picked:
    """The picked point (its number, -1 for none) or place, as Python last set it.

    The browser follows it when `serial` changes; its own picks change nothing here, so that the
    large message stays the same and is not sent again.
    """

    serial: int
    point: int = -1
    place: tuple[float, float] | None = None


def pack_blocks(header: dict[str, Any], blocks: Mapping[str, bytes]) -> bytes:
    """Write header length, and deflated the JSON header and the blocks, as one message."""
    table, start = [], 0
    for name, block in blocks.items():
        table.append([name, start, start + len(block)])
        start += len(block)
    head = json.dumps({**header, "blocks": table}, separators=(",", ":")).encode()
    return struct.pack("<I", len(head)) + zlib.compress(b"".join([head, *blocks.values()]), 6)


def differences(planes: ByteArray) -> bytes:
    """Write planes (n_planes, n) each as exclusive-or with the one before: nearly all zeros."""
    changed = planes.copy()
    changed[1:] ^= planes[:-1]
    return changed.tobytes()


def pack_regions(
    regions: Regions,
    points: Points,
    *,
    classes: tuple[str, ...],
    code_matrix: CodeMatrix,
    deciders: tuple[tuple[str, str], ...],
    decoder: int,
    picked: Picked,
    playable: bool,
    frames: Frames | None = None,
    bare: bool = False,
    alt: str = "",
    n_brushes: int = 0,
    most_drawn: int = 0,
) -> bytes:
    """Pack everything the canvas needs.

    `deciders` are title and summary of each decoder shown; `bare` is a plane that nobody has decided yet;
    `most_drawn` points of `n_brushes` classes can
    be drawn by hand.
    """
    shown = thinned(points, picked.point)
    plane = regions.plane
    header: dict[str, Any] = {
        "plane": f"{plane.key}|{len(plane.origin)}|{plane.x_range}|{plane.y_range}",
        "nx": regions.n,
        "ny": regions.n,
        "xRange": plane.x_range,
        "yRange": plane.y_range,
        "xName": plane.names[0],
        "yName": plane.names[1],
        "axes": True,
        "bare": bare,
        "nLegend": len(classes),
        "classes": class_chips(classes),
        "decoders": [
            {"key": d.key, "title": title, "summary": summary}
            for d, (title, summary) in zip(regions.decodings, deciders, strict=True)
        ],
        "decoder": decoder,
        "code": code_matrix.tolist(),
        "nBits": regions.n_bits,
        "nPoints": len(shown),
        "levels": LEVELS,
        "mostBits": MOST_BITS,
        "canPlay": playable,
        "pick": {"serial": picked.serial, "point": picked.point, "place": picked.place},
        "alt": alt,
        "brushes": class_chips([""] * n_brushes),
        "mostDrawn": most_drawn,
    }
    blocks = {
        "labels": differences(regions.labels),
        "confidence": regions.confidence.tobytes(),
        "bits": regions.bits.tobytes(),
        "xy": points.coordinates[shown].T.astype("<f4").tobytes(),
        "ids": shown.astype("<u4").tobytes(),
        "classes": points.truth[shown].astype(np.uint8).tobytes(),
        "test": points.is_test[shown].astype(np.uint8).tobytes(),
        "decided": differences(points.labels[:, shown].astype(np.uint8)),
    }
    if regions.n_bits and points.bits is not None:
        told = np.unpackbits(
            points.bits[shown, : MOST_BITS // 8], axis=1, count=min(regions.n_bits, MOST_BITS)
        )
        blocks["pointBits"] = np.packbits(told.T, axis=1).tobytes()
    if regions.undecided is not None:
        blocks["undecided"] = regions.undecided.tobytes()
    if points.undecided is not None:
        blocks["pointsLeft"] = np.packbits(points.undecided[:, shown], axis=1).tobytes()
    if frames is not None:
        header["prefix"] = {
            "decoder": regions.decodings.index(frames.decoding),
            "lengths": frames.lengths.tolist(),
            "errors": frames.n_wrong.tolist(),
            "of": frames.n_points,
        }
        blocks["prefix"] = differences(frames.labels)
    return pack_blocks(header, blocks)


def thinned(points: Points, keep: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the numbers of the points to draw: evenly spread, the picked one always among them."""
    n = len(points.truth)
    chosen = np.arange(n) if n <= MAX_POINTS else np.rint(np.linspace(0, n - 1, MAX_POINTS)).astype(np.int64)
    return np.union1d(chosen, [keep]) if 0 <= keep < n else chosen


def region_view(
    payload: bytes,
    *,
    key: str,
    on_pick: Callable[[], None],
    on_decoder: Callable[[], None],
    on_frames: Callable[[], None],
    on_drawn: Callable[[], None],
) -> Any:  # noqa: ANN401 - Streamlit's own result object
    """Mount the canvas.

    Its state holds `pick` and `decoder`; its trigger `frames` asks for bit prefixes, `drawn` brings points.
    """
    return _mount(
        key=key,
        data=payload,
        on_pick_change=on_pick,
        on_decoder_change=on_decoder,
        on_frames_change=on_frames,
        on_drawn_change=on_drawn,
    )
