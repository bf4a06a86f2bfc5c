// @ts-check
// The canvases that the regions are drawn on: their size, their sharpness, and how large the page types.

import { canvasPart, part, pen } from "./page.js";

/** @import { Camera } from "./region_camera.js" */

const SHARPEST = 3;
const LEFT = 40; // pixels for the axes, on a page that types in 15
const BELOW = 36;
const FLATTEST = 1.6; // a plot's width over its height
const TYPED = 15;
const SMALLEST = 11.5; // of the type on the canvas, on such a page

export class Surface {
  #stage;
  #base;
  #over;
  #width = 0;
  #height = 0;
  #ratio = 1;
  #scale = 1;

  /** @param {ParentNode} root */
  constructor(root) {
    this.#stage = part(root, ".stage");
    this.#base = canvasPart(root, ".base");
    this.#over = canvasPart(root, ".over");
  }

  /** In CSS pixels; 0 before anything was fitted. */
  get width() {
    return this.#width;
  }

  get height() {
    return this.#height;
  }

  /** Canvas pixels a CSS pixel. */
  get ratio() {
    return this.#ratio;
  }

  /** Presenters type larger. */
  get scale() {
    return this.#scale;
  }

  get stage() {
    return this.#stage;
  }

  /** What lies under the pointer. */
  get over() {
    return this.#over;
  }

  /**
   * Make the canvases as wide as the stage, with a square plot; one that is flatter where the page names a height.
   * @param {Camera} camera is told where the plot lies
   * @param {boolean} axes whether there are any
   * @param {boolean} force even if the width is the same
   * @returns {boolean} whether something has changed
   */
  fit(camera, axes, force) {
    const width = Math.floor(this.#stage.clientWidth);
    if (!width || (!force && width === this.#width)) return false;
    this.#width = width;
    this.#ratio = Math.min(SHARPEST, window.devicePixelRatio || 1);
    const page = getComputedStyle(document.documentElement);
    const least = parseFloat(page.getPropertyValue("--eco-least")) || 0; // in a lecture hall
    this.#scale = Math.max(parseFloat(page.fontSize) / TYPED, least / SMALLEST);
    const x = axes ? Math.round(LEFT * this.#scale) : 0;
    const below = axes ? Math.round(BELOW * this.#scale) : 0;
    const most = parseFloat(page.getPropertyValue("--eco-most-high")) || Infinity;
    const h = Math.floor(Math.min(width - x, Math.max((width - x) / FLATTEST, most - below)));
    camera.fit({ x, y: 0, w: width - x, h });
    this.#height = h + below;
    for (const canvas of [this.#base, this.#over]) this.fitted(canvas);
    return true;
  }

  /**
   * Give a canvas this size.
   * @param {HTMLCanvasElement} canvas
   */
  fitted(canvas) {
    canvas.width = Math.round(this.#width * this.#ratio);
    canvas.height = Math.round(this.#height * this.#ratio);
    canvas.style.height = `${this.#height}px`;
  }

  /**
   * The lower canvas wiped with a colour, to be drawn on in canvas pixels.
   * @param {string} colour
   */
  wiped(colour) {
    const context = pen(this.#base);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = colour;
    context.fillRect(0, 0, this.#base.width, this.#base.height);
    return context;
  }

  /** The upper canvas, empty, to be drawn on in CSS pixels. */
  cleared() {
    const context = pen(this.#over);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.#over.width, this.#over.height);
    this.scaled(context);
    return context;
  }

  /**
   * From here on draw in CSS pixels.
   * @param {CanvasRenderingContext2D} context
   */
  scaled(context) {
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
  }
}
