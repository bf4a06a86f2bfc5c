// @ts-check
// Paints one small picture of the plane: cells and points.

import { mix, rgb } from "./colours.js";
import { pen } from "./page.js";
import { edgeOf, tracePath } from "./symbols.js";

/** @import { Colours, Rgb } from "./colours.js" */
/** @import { Kind } from "./symbols.js" */

const CROWDED = 250; // from more points on only those decided wrongly are drawn

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} size pixels of the picture
 * @param {number} n cells along a side
 * @param {(cell: number) => Rgb} colourOf
 */
function paintCells(context, size, n, colourOf) {
  const small = document.createElement("canvas");
  small.width = small.height = n;
  const at = pen(small);
  const image = at.createImageData(n, n);
  for (let i = 0; i < n * n; i++) {
    const place = 4 * ((n - 1 - Math.floor(i / n)) * n + (i % n)); // the first row of cells is the lowest
    image.data.set([...colourOf(i), 255], place);
  }
  at.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, size, size);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} size
 * @param {number} n
 * @param {ArrayLike<number>} labels
 * @param {Kind[]} classes
 * @param {Colours} colours
 */
export function paintLabels(context, size, n, labels, classes, colours) {
  const surface = rgb(colours.surface);
  const tints = classes.map((kind) => mix(rgb(kind.colour), surface, colours.region));
  paintCells(context, size, n, (i) => tints[labels[i]]);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} size
 * @param {number} n
 * @param {ArrayLike<number>} mask 1 where decoders differ
 * @param {Colours} colours
 */
export function paintMask(context, size, n, mask, colours) {
  const same = rgb(colours.zero);
  const differs = rgb(colours.dim);
  paintCells(context, size, n, (i) => (mask[i] ? differs : same));
}

/**
 * All points where they are few, else those decided wrongly, which come last.
 * @param {CanvasRenderingContext2D} context
 * @param {(i: number) => [number, number]} placeOf where a point lies in the picture
 * @param {number} unit pixels of the picture a pixel of the page
 * @param {Kind[]} kinds of the points
 * @param {ArrayLike<number>} wrong
 * @param {Colours} colours
 */
export function paintPoints(context, placeOf, unit, kinds, wrong, colours) {
  for (const wanted of [0, 1]) {
    kinds.forEach((kind, i) => {
      if (wrong[i] !== wanted || (!wanted && kinds.length > CROWDED)) return;
      tracePath(context, kind.symbol, ...placeOf(i), (wanted ? 3 : 1.8) * unit);
      context.fillStyle = kind.colour;
      context.fill();
      context.lineWidth = (wanted ? 1.2 : 0.5) * unit;
      context.strokeStyle = wanted ? colours.ink : edgeOf(kind, colours);
      context.stroke();
    });
  }
}
