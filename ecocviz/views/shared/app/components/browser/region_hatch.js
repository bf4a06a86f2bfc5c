// @ts-check
// What is left undecided: the colour retreats, and thin lines go down across it, so that it is told from the
// regions, and from the stripes of differing decoders, without any colour.

import { bitAt } from "./cells.js";
import { mix, rgb } from "./colours.js";
import { packed } from "./region_raster.js";

/** @import { Colours } from "./colours.js" */
/** @import { Side } from "./region_raster.js" */

const APART = 7; // CSS pixels from line to line
const THICK = 1.4;
const KEPT = 0.3; // of the colour
const LINE = 0.55; // strength of the lines

/**
 * The cells that a decoder leaves undecided, 1 each; null where none is.
 * @param {Uint8Array | null} planes a bit for every cell, one decoder after the other
 * @param {number} n cells
 * @param {number} decoder
 */
export function undecidedCells(planes, n, decoder) {
  if (!planes) return null;
  return Uint8Array.from({ length: n }, (_, i) => (bitAt(planes, n, decoder, i) > 0 ? 1 : 0));
}

/**
 * @param {Uint32Array} out
 * @param {ArrayLike<number>} cells as `undecidedCells` returns them
 * @param {{ nx: number, across: Side, down: Side }} where
 * @param {Pick<Colours, "surface" | "ink">} colours
 * @param {number} ratio canvas pixels a CSS pixel
 */
export function hatch(out, cells, { nx, across, down }, colours, ratio) {
  const surface = rgb(colours.surface);
  const ink = rgb(colours.ink);
  const apart = APART * ratio;
  const thick = THICK * ratio;
  const W = across.first.length;
  for (let k = 0; k < out.length; k++) {
    const x = k % W;
    const y = (k - x) / W;
    if (!inside(cells, nx, across, down, x, y)) continue;
    const old = out[k];
    const pale = mix([old & 255, (old >> 8) & 255, (old >> 16) & 255], surface, KEPT);
    const line = (((x - y) % apart) + apart) % apart < thick;
    out[k] = packed(line ? mix(ink, pale, LINE) : pale);
  }
}

/**
 * Whether more than half of what the four cells around a pixel say is that it is undecided.
 * @param {ArrayLike<number>} cells
 * @param {number} nx
 * @param {Side} across
 * @param {Side} down
 * @param {number} x
 * @param {number} y
 */
function inside(cells, nx, across, down, x, y) {
  const a = down.first[y] * nx;
  const b = down.second[y] * nx;
  const u = across.share[x];
  const v = down.share[y];
  const near = cells[a + across.first[x]] * (1 - u) + cells[a + across.second[x]] * u;
  const far = cells[b + across.first[x]] * (1 - u) + cells[b + across.second[x]] * u;
  return near * (1 - v) + far * v > 0.5;
}
