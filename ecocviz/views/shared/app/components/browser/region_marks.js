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
    const { xs, ys, pointClass, isTest, header } = records;
    const { box } = camera;
    const size = xs.length > CROWDED ? 0.62 : xs.length > MANY ? 0.8 : 1;
    context.save();
    context.beginPath();
    context.rect(box.x, box.y, box.w, box.h);
    context.clip();
    for (const late of [0, 1]) {
      for (let i = 0; i < xs.length; i++) {
        const bad = wrong && wrong[i] ? 1 : 0;
        const x = camera.px(xs[i]);
        const y = camera.py(ys[i]);
        const outside = x < box.x - MARGIN || y < -MARGIN || x > box.x + box.w + MARGIN || y > box.h + MARGIN;
        if (bad !== late || outside) continue;
        const c = pointClass[i];
        const key = `${c} ${isTest[i]} ${bad} ${size}`;
        const sprite = this.#sprites.get(key) || this.#mark(header.classes[c], Boolean(isTest[i]), Boolean(bad), size);
        this.#sprites.set(key, sprite);
        context.drawImage(sprite, x - SPRITE / 2, y - SPRITE / 2, SPRITE, SPRITE);
      }
    }
    context.restore();
  }

  /**
   * A mark in its class's colour with an outline that can be seen on its region, in a halo; a wrong one in ink.
   * @param {Kind} kind
   * @param {boolean} test
   * @param {boolean} bad
   * @param {number} size
   */
  #mark(kind, test, bad, size) {
    const colours = this.#colours;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.ceil(SPRITE * this.#ratio);
    const context = pen(canvas);
    const radius = (test ? 5 : 3.6) * size;
    context.scale(canvas.width / SPRITE, canvas.height / SPRITE);
    context.lineJoin = "round";
    const ring = (/** @type {number} */ extra, /** @type {number} */ width, /** @type {string} */ colour) => {
      tracePath(context, kind.symbol, SPRITE / 2, SPRITE / 2, radius + extra);
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.stroke();
    };
    if (bad) ring(1.8 * size, 3.4 * size, colours.ink);
    ring(0, (bad ? 2.2 : 2.4) * size, colours.halo);
    context.fillStyle = kind.colour;
    context.fill();
    if (!bad) ring(0, 0.9 * size, edgeOf(kind, colours));
    return canvas;
  }
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
