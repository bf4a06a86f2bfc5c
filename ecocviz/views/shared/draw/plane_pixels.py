"""The pixels of decision regions for print: whose a place is between the cells of a grid, and how surely."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ecocviz.engine.types import BoolArray, FloatArray
from ecocviz.lab.regions import LEVELS, Regions
from ecocviz.views.shared.draw.theme import Theme, mixed

Singles = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

LEAST_MARGIN = 1e-4
"""A cell without any margin could not be blended with its neighbours."""
LEAST_TONE, FLAT_TONE = 0.4, 0.75
"""Shares of the theme's strength of a region: where a decision is least sure, and where that is not known."""
PALE, STRONG, DARK = 0.08, 0.62, 0.28
"""Shares of a class's colour where decoders agree, of it in a stripe, and of ink in a stripe beside that."""
TONES = 64
KEPT, LINE, APART, THICK = 0.3, 0.55, 60, 5
"""Of what is left undecided: shares of colour and of ink, lines along a side, and their distance in lines."""


@dataclass(frozen=True, slots=True)
class Layer:
    """What is known of every cell.

    Attributes
    ----------
    labels : (n * n,)
        Row by row from below.
    margins : (n * n,) or None
        By how much the label wins, above 0; None for all alike.
    """

    labels: Bytes
    margins: Singles | None


def decided(regions: Regions, decoder: int) -> Layer:
    """Return what a decoder decides; pictures without confidence have no margins."""
    if not regions.confidence.size:
        return Layer(regions.labels[decoder], None)
    shares = regions.confidence[decoder].astype(np.float32) / np.float32(LEVELS)
    return Layer(regions.labels[decoder], np.maximum(shares**2, np.float32(LEAST_MARGIN)))


def said_by(regions: Regions, bit: int) -> Layer:
    """Return what a machine says: 0 for -, 1 for +."""
    return Layer(np.unpackbits(regions.bits[bit], count=regions.n**2), None)


def between(layer: Layer, side: int) -> Iterator[tuple[int, Singles]]:
    """Yield every label and what speaks for it at side x side places, (side, side).

    Between four cells each label counts its own margins for it and those of others against it, bilinearly.
    The largest decides, so that borders are smooth and not stairs.
    """
    n = round(layer.labels.size**0.5)
    margins = np.ones(layer.labels.size, np.float32) if layer.margins is None else layer.margins
    mix = _interpolation(n, side)
    for label in np.unique(layer.labels).tolist():
        cells = np.where(layer.labels == label, margins, -margins).reshape(n, n)
        yield label, mix @ cells @ mix.T


def _interpolation(n: int, side: int) -> Singles:
    """Return the weights of n cells at `side` places along one direction, (side, n).

    >>> _interpolation(2, 4).tolist()
    [[1.0, 0.0], [0.75, 0.25], [0.25, 0.75], [0.0, 1.0]]
    """
    at = np.clip((np.arange(side) + 0.5) / side * n - 0.5, 0, n - 1)
    first = np.minimum(at.astype(np.int64), max(n - 2, 0))
    weights = np.zeros((side, n), np.float32)
    weights[np.arange(side), first] = 1 - (at - first)
    if n > 1:
        weights[np.arange(side), first + 1] = at - first
    return weights


def winners(layer: Layer, side: int) -> tuple[Bytes, Singles]:
    """Return the label of side x side places and how sure it is, (side, side) each; row by row from below."""
    who = np.zeros((side, side), np.uint8)
    best = np.full((side, side), -np.inf, np.float32)
    for label, claim in between(layer, side):
        more = claim > best
        who[more], best[more] = label, claim[more]
    return who, np.clip(best, 0, 1)


def borders(layer: Layer, side: int) -> Iterator[Singles]:
    """Yield what is 0 on the border of a label, (side, side): of all but the last, which has no other."""
    claims = [claim for _, claim in between(layer, side)]
    for k, claim in enumerate(claims[:-1]):
        yield claim - np.max([other for j, other in enumerate(claims) if j != k], axis=0)


def shaded(layer: Layer, side: int, colours: Sequence[str], theme: Theme) -> Bytes:
    """Return the picture of the regions, (side, side, 3), the stronger the surer; row by row from below."""
    who, sure = winners(layer, side)
    tone = np.full(who.shape, round(FLAT_TONE * (TONES - 1)), np.int64)
    if layer.margins is not None:
        tone = (sure * (TONES - 1)).astype(np.int64)
    return _tones(colours, theme)[who, tone]


def _tones(colours: Sequence[str], theme: Theme) -> Bytes:
    """Return every colour in all strengths, (n_colours, TONES, 3)."""
    least = LEAST_TONE * theme.region
    strengths = [least + (theme.region - least) * k / (TONES - 1) for k in range(TONES)]
    return np.array([[rgb(mixed(theme.surface, c, s)) for s in strengths] for c in colours], np.uint8)


def striped(layer: Layer, differ: BoolArray, side: int, colours: Sequence[str], theme: Theme) -> Bytes:
    """Return the picture of where decoders differ, (side, side, 3): there the winner's colour in stripes."""
    n, (who, _) = round(differ.size**0.5), winners(layer, side)
    near = np.minimum((np.arange(side) + 0.5) / side * n, n - 1).astype(np.int64)
    mask = differ.reshape(n, n)[np.ix_(near, near)]
    places = np.arange(side)
    stripe = ((places[:, None] + places) * 80 // side) % 2 == 0
    strong = [mixed(theme.surface, colour, STRONG) for colour in colours]
    kinds = (
        [mixed(theme.surface, c, PALE) for c in colours],
        strong,
        [mixed(c, theme.ink, DARK) for c in strong],
    )
    pale, full, dark = (np.array([rgb(colour) for colour in kind], np.uint8)[who] for kind in kinds)
    return np.where(mask[..., None], np.where(stripe[..., None], full, dark), pale)


def left(regions: Regions, decoder: int) -> BoolArray | None:
    """Return the cells that a decoder leaves undecided, (n * n,); None where it has no such rule."""
    if regions.undecided is None:
        return None
    return np.unpackbits(regions.undecided[decoder], count=regions.n**2).astype(np.bool_)


def hatched(pixels: Bytes, undecided: BoolArray, theme: Theme) -> Bytes:
    """Let the colour of what is left undecided retreat, with thin lines across it, (side, side, 3)."""
    side, n = len(pixels), round(undecided.size**0.5)
    mix, places = _interpolation(n, side), np.arange(side)
    inside = mix @ undecided.reshape(n, n).astype(np.float32) @ mix.T > 0.5
    apart = side / APART
    line = (places[:, None] + places) % apart < apart / THICK
    surface, ink = np.array(rgb(theme.surface)), np.array(rgb(theme.ink))
    pale = KEPT * pixels + (1 - KEPT) * surface
    drawn = np.where(line[..., None], LINE * ink + (1 - LINE) * pale, pale)
    return np.where(inside[..., None], np.rint(drawn), pixels).astype(np.uint8)


def masked(differ: BoolArray, theme: Theme) -> Bytes:
    """Return the small picture of where decoders differ, (n, n, 3)."""
    n = round(differ.size**0.5)
    return np.array([rgb(theme.zero), rgb(theme.dim)], np.uint8)[differ.astype(np.int64).reshape(n, n)]


def rgb(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue.

    >>> rgb("#" + "0102ff")
    (1, 2, 255)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def middles(low: float, high: float, n: int) -> FloatArray:
    """Return the middles of n cells from low to high."""
    found: FloatArray = low + (np.arange(n) + 0.5) / n * (high - low)
    return found
