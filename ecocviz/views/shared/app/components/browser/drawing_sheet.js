// @ts-check
// Paints the sheet with the drawn points and the cursor.

import { edgeOf, traceCross, tracePath } from "./symbols.js";

/** @import { Colours } from "./colours.js" */
/** @import { Place, Point } from "./drawing_logic.js" */
/** @import { Box } from "./region_camera.js" */
/** @import { Kind } from "./symbols.js" */

/**
 * @param {CanvasRenderingContext2D} context in CSS pixels
 * @param {Box} box
 * @param {{ width: number, height: number }} sheet
 * @param {Colours} colours
 */
export function paintSheet(context, box, sheet, colours) {
  context.fillStyle = colours.surface;
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  context.strokeRect(box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1);
  context.setLineDash([2, 5]);
  for (const share of [0.25, 0.5, 0.75]) {
    const x = Math.round(box.x + share * box.w) + 0.5;
    const y = Math.round(box.y + share * box.h) + 0.5;
    context.beginPath();
    context.moveTo(x, box.y);
    context.lineTo(x, box.y + box.h);
    context.moveTo(box.x, y);
    context.lineTo(box.x + box.w, y);
    context.stroke();
  }
  context.setLineDash([]);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box
 * @param {Point[]} points
 * @param {Kind[]} brushes
 * @param {Colours} colours
 */
export function paintPoints(context, box, points, brushes, colours) {
  for (const [x, y, c] of points) {
    tracePath(context, brushes[c].symbol, box.x + x * box.w, box.y + (1 - y) * box.h, 4.6);
    context.fillStyle = brushes[c].colour;
    context.fill();
    context.lineWidth = 0.9;
    context.strokeStyle = edgeOf(brushes[c], colours);
    context.stroke();
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box
 * @param {Place} at
 * @param {number} reach in CSS pixels
 * @param {string} edge
 * @param {string} ink
 */
export function paintCursor(context, box, at, reach, edge, ink) {
  const x = box.x + at[0] * box.w;
  const y = box.y + (1 - at[1]) * box.h;
  context.beginPath();
  context.arc(x, y, reach, 0, 2 * Math.PI);
  context.lineWidth = 1.5;
  context.strokeStyle = edge;
  context.stroke();
  traceCross(context, x, y);
  context.lineWidth = 1;
  context.strokeStyle = ink;
  context.stroke();
}
