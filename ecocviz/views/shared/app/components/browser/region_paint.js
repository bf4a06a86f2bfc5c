// @ts-check
// Paints the regions themselves on a canvas.

import { bitAt } from "./cells.js";
import { hatch, undecidedCells } from "./region_hatch.js";
import { blended, border, neighbours, shade, stripe, tones } from "./region_raster.js";

/** @import { Colours } from "./colours.js" */
/** @import { Camera } from "./region_camera.js" */
/** @import { Layer } from "./region_raster.js" */
/** @import { Records } from "./region_records.js" */

const FINE = 1.5; // canvas pixels a CSS pixel from which lines are two pixels wide

/**
 * What is painted: of which decoder, the bit that is shown alone (-1 for none), the labels of fewer bits,
 * whether sure places are stronger, and whether the places where decoders differ are striped.
 * @typedef {{ decoder: number, column: number, partial: Uint8Array | null, shading: boolean,
 *   differences: boolean }} Choice
 */

/**
 * Which labels and margins to draw, and the colour of each label.
 * @param {Records} records
 * @param {Choice} choice
 * @param {Pick<Colours, "positive" | "negative">} colours
 * @returns {Layer & { hexes: string[] }}
 */
export function layerOf({ header, bits, labels, margins }, { decoder, column, partial }, colours) {
  if (column >= 0) {
    const n = header.nx * header.ny;
    const said = Uint8Array.from({ length: n }, (_, i) => (bitAt(bits, n, column, i) > 0 ? 1 : 0));
    return { labels: said, margins: null, hexes: [colours.negative, colours.positive] };
  }
  const hexes = header.classes.map((kind) => kind.colour);
  if (partial) return { labels: partial, margins: null, hexes };
  return { labels: labels[decoder], margins: margins[decoder], hexes };
}

/**
 * @param {CanvasRenderingContext2D} context in canvas pixels
 * @param {Camera} camera
 * @param {number} ratio canvas pixels a CSS pixel
 * @param {Records} records
 * @param {Choice} choice
 * @param {Colours} colours
 */
export function paintRegions(context, { box, view, home }, ratio, records, choice, colours) {
  const { nx, ny } = records.header;
  const W = Math.round(box.w * ratio);
  const H = Math.round(box.h * ratio);
  if (W < 2 || H < 2) return;
  const layer = layerOf(records, choice, colours);
  const image = context.createImageData(W, H);
  const out = new Uint32Array(image.data.buffer);
  const across = neighbours(W, nx, view[0], view[1], home[0], home[1]);
  const down = neighbours(H, ny, view[3], view[2], home[2], home[3]);
  const { who, sure } = blended(layer, nx, across, down);
  if (choice.differences) {
    stripe(out, who, { mask: records.mask, nx, across, down }, layer.hexes, colours, ratio);
  } else {
    shade(out, who, layer.margins && choice.shading ? sure : null, tones(layer.hexes, colours));
  }
  const asked = layer.margins && !choice.differences;
  const cells = asked && undecidedCells(records.undecided, nx * ny, choice.decoder);
  if (cells) hatch(out, cells, { nx, across, down }, colours, ratio);
  border(out, who, W, colours.ink, ratio >= FINE);
  context.putImageData(image, Math.round(box.x * ratio), 0);
}
