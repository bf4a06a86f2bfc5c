// @ts-check
// What is drawn over the regions: the points, and the ring around the picked place.

import { pen } from "./page.js";
import { edgeOf, traceCross, tracePath } from "./symbols.js";

/** @import { Colours } from "./colours.js" */
/** @import { Camera } from "./region_camera.js" */
/** @import { Records } from "./region_records.js" */
/** @import { Kind } from "./symbols.js" */

const SPRITE = 20;
const MANY = 600;
const CROWDED = 1200;
const MARGIN = 12; // marks that begin outside the plot reach so far into it

/** Draws points, each kind of mark once. */
export class Marks {
  /** @type {Map<string, HTMLCanvasElement>} */
  #sprites = new Map();
  #colours;
  #ratio;

  /**
   * @param {Colours} colours
   * @param {number} ratio canvas pixels a CSS pixel
   */
  constructor(colours, ratio) {
    this.#colours = colours;
    this.#ratio = ratio;
  }

  /**
   * Points decided wrongly come last, on top of the others.
   * @param {CanvasRenderingContext2D} context
   * @param {Camera} camera
   * @param {Records} records
   * @param {Uint8Array | null} wrong which of them are; null to say nothing of it
   */
  points(context, camera, records, wrong) {
    const { box } = camera;
    context.save();
    context.beginPath();
    context.rect(box.x, box.y, box.w, box.h);
    context.clip();
    placed(camera, records, wrong, (mark, x, y) => {
      const key = `${mark.kind.name} ${mark.kind.colour} ${mark.kind.symbol} ${mark.test} ${mark.bad} ${mark.size}`;
      const sprite = this.#sprites.get(key) || this.#sprite(mark);
      this.#sprites.set(key, sprite);
      context.drawImage(sprite, x - SPRITE / 2, y - SPRITE / 2, SPRITE, SPRITE);
    });
    context.restore();
  }

  /** @param {Mark} mark */
  #sprite(mark) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.ceil(SPRITE * this.#ratio);
    const context = pen(canvas);
    context.scale(canvas.width / SPRITE, canvas.height / SPRITE);
    drawMark(context, mark, SPRITE / 2, SPRITE / 2, this.#colours);
    return canvas;
  }
}

/** @typedef {{ kind: Kind, test: boolean, bad: boolean, size: number }} Mark */

/**
 * Go through the points that can be seen, those decided wrongly last, on top of the others.
 * @param {Camera} camera
 * @param {Records} records
 * @param {Uint8Array | null} wrong
 * @param {(mark: Mark, x: number, y: number) => void} put
 */
function placed(camera, { xs, ys, pointClass, isTest, header }, wrong, put) {
  const { box } = camera;
  const size = xs.length > CROWDED ? 0.62 : xs.length > MANY ? 0.8 : 1;
  for (const late of [false, true]) {
    for (let i = 0; i < xs.length; i++) {
      const bad = Boolean(wrong && wrong[i]);
      const x = camera.px(xs[i]);
      const y = camera.py(ys[i]);
      const outside = x < box.x - MARGIN || y < -MARGIN || x > box.x + box.w + MARGIN || y > box.h + MARGIN;
      if (bad !== late || outside) continue;
      put({ kind: header.classes[pointClass[i]], test: Boolean(isTest[i]), bad, size }, x, y);
    }
  }
}

/**
 * A mark in its class's colour with an outline that can be seen on its region, in a halo; a wrong one in ink.
 * @param {CanvasRenderingContext2D} context
 * @param {Mark} mark
 * @param {number} x
 * @param {number} y
 * @param {Colours} colours
 */
function drawMark(context, { kind, test, bad, size }, x, y, colours) {
  const radius = (test ? 5 : 3.6) * size;
  context.lineJoin = "round";
  const ring = (/** @type {number} */ extra, /** @type {number} */ width, /** @type {string} */ colour) => {
    tracePath(context, kind.symbol, x, y, radius + extra);
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.stroke();
  };
  if (bad) ring(1.8 * size, 3.4 * size, colours.ink);
  ring(0, (bad ? 2.2 : 2.4) * size, colours.halo);
  context.fillStyle = kind.colour;
  context.fill();
  if (!bad) ring(0, 0.9 * size, edgeOf(kind, colours));
}

/**
 * The ring around what is picked, with a cross in it where that is no point.
 * @param {CanvasRenderingContext2D} context
 * @param {[number, number]} at
 * @param {boolean} cross
 * @param {Pick<Colours, "halo" | "accent">} colours
 */
export function drawRing(context, [x, y], cross, colours) {
  context.beginPath();
  context.arc(x, y, 12, 0, 2 * Math.PI);
  context.lineWidth = 4.5;
  context.strokeStyle = colours.halo;
  context.stroke();
  context.lineWidth = 2.4;
  context.strokeStyle = colours.accent;
  context.stroke();
  if (!cross) return;
  traceCross(context, x, y);
  context.lineWidth = 2;
  context.stroke();
}
