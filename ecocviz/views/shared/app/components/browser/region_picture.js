// @ts-check
// The regions as a picture to be saved: their colours as a raster, points, ring and axes as shapes and text.

import { markup } from "./markup.js";
import { pen } from "./page.js";
import { drawAxes } from "./region_axes.js";
import { drawPoints, drawRing } from "./region_marks.js";
import { paintRegions } from "./region_paint.js";
import { SvgPen } from "./svg_pen.js";

/** @import { Colours } from "./colours.js" */
/** @import { Camera, Place } from "./region_camera.js" */
/** @import { Choice } from "./region_paint.js" */
/** @import { Records } from "./region_records.js" */

/**
 * What is on the canvas: the size it has, which points are wrong (null to say nothing), where the ring is.
 * @typedef {{ camera: Camera, records: Records, choice: Choice, colours: Colours, wrong: Uint8Array | null,
 *   ring: { at: Place, cross: boolean } | null, size: { width: number, height: number, scale: number } }} Drawn
 */

const RATIO = 2; // pixels of the raster a unit of the picture

/** @param {Drawn} drawn */
export function regionPicture({ camera, records, choice, colours, wrong, ring, size }) {
  const { x, y, w, h } = camera.box;
  const over = /** @type {any} */ (new SvgPen());
  drawPoints(over, camera, records, wrong, colours);
  const aside = /** @type {any} */ (new SvgPen());
  if (records.header.axes) drawAxes(aside, camera, records.header, size, { colour: colours.dim, font: "" });
  const last = /** @type {any} */ (new SvgPen());
  if (ring) drawRing(last, ring.at, ring.cross, colours);
  const box = markup`x="${x}" y="${y}" width="${w}" height="${h}"`;
  const raster = records.header.bare ? "" : rasterOf(camera, records, choice, colours);
  return markup`<clipPath id="plot"><rect ${box}/></clipPath>
${raster && markup`<image ${box} href="${raster}" preserveAspectRatio="none"/>`}
<g clip-path="url(#plot)">${over.drawn}</g>${aside.drawn}<g data-mark="picked">${last.drawn}</g>`;
}

/**
 * @param {Camera} camera
 * @param {Records} records
 * @param {Choice} choice
 * @param {Colours} colours
 */
function rasterOf({ box, view, home }, records, choice, colours) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(box.w * RATIO);
  canvas.height = Math.round(box.h * RATIO);
  const camera = /** @type {Camera} */ ({ box: { ...box, x: 0, y: 0 }, view, home });
  paintRegions(pen(canvas), camera, RATIO, records, choice, colours);
  return canvas.toDataURL("image/png");
}
