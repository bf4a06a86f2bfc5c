// @ts-check
// Where things lie: the plotted square in CSS pixels, and the part of the plane that it shows.

/** @typedef {[number, number, number, number]} Extent x0, x1, y0, y1 in units of the data */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box in CSS pixels */
/** @typedef {[number, number]} Place */

const CLOSEST = 60; // how many times the plane can be magnified

export class Camera {
  /** @type {Extent} */
  #home = [0, 1, 0, 1];

  /** @type {Extent} */
  #view = [0, 1, 0, 1];

  /** @type {Box} */
  #box = { x: 0, y: 0, w: 1, h: 1 };

  /** The whole plane. */
  get home() {
    return this.#home;
  }

  /** What is shown of it. */
  get view() {
    return this.#view;
  }

  get box() {
    return this.#box;
  }

  get zoomed() {
    return this.#view[1] - this.#view[0] < (this.#home[1] - this.#home[0]) * 0.999;
  }

  /** @param {Extent} home the whole of the plane that is looked at; what is shown of it stays */
  settle(home) {
    this.#home = home;
  }

  /** @param {Box} box */
  fit(box) {
    this.#box = box;
  }

  /** @param {number} x */
  px(x) {
    const [x0, x1] = this.#view;
    return this.#box.x + ((x - x0) / (x1 - x0)) * this.#box.w;
  }

  /** @param {number} y */
  py(y) {
    const [, , y0, y1] = this.#view;
    return this.#box.y + this.#box.h - ((y - y0) / (y1 - y0)) * this.#box.h;
  }

  /**
   * The place of the plane under a pixel.
   * @param {number} px
   * @param {number} py
   * @returns {Place}
   */
  place(px, py) {
    const [x0, x1, y0, y1] = this.#view;
    const { x, y, w, h } = this.#box;
    return [x0 + ((px - x) / w) * (x1 - x0), y0 + ((y + h - py) / h) * (y1 - y0)];
  }

  /**
   * Whether a pixel lies in the plotted square.
   * @param {number} px
   * @param {number} py
   */
  holds(px, py) {
    const { x, y, w, h } = this.#box;
    return px >= x && py >= y && px <= x + w && py <= y + h;
  }

  /**
   * The numbers of the grid's cells between whose centres a place lies, its own first; none outside.
   * @param {Place} place
   * @param {number} nx
   * @param {number} ny
   * @returns {number[]}
   */
  cells([x, y], nx, ny) {
    const [x0, x1, y0, y1] = this.#home;
    const [i, beside] = between(((x - x0) / (x1 - x0)) * nx, nx);
    const [j, above] = between(((y - y0) / (y1 - y0)) * ny, ny);
    if (i < 0 || j < 0 || i >= nx || j >= ny) return [];
    return [...new Set([j * nx + i, j * nx + beside, above * nx + i, above * nx + beside])];
  }

  reset() {
    this.#view = [...this.#home];
  }

  /**
   * Show `factor` times as much around a place, which stays where it is; never more than the whole plane.
   * @param {number} factor
   * @param {Place} [at] the middle, unless given
   */
  zoom(factor, at) {
    const [x0, x1, y0, y1] = this.#view;
    const now = (x1 - x0) / (this.#home[1] - this.#home[0]);
    const [x, y] = at || [(x0 + x1) / 2, (y0 + y1) / 2];
    const f = Math.min(1, Math.max(1 / CLOSEST, now * factor)) / now;
    this.#show([x + (x0 - x) * f, x + (x1 - x) * f, y + (y0 - y) * f, y + (y1 - y) * f]);
  }

  /**
   * Move the plane by so many pixels, as if it were dragged.
   * @param {number} right
   * @param {number} down
   */
  pan(right, down) {
    const [x0, x1, y0, y1] = this.#view;
    const dx = (-right / this.#box.w) * (x1 - x0);
    const dy = (down / this.#box.h) * (y1 - y0);
    this.#show([x0 + dx, x1 + dx, y0 + dy, y1 + dy]);
  }

  /** @param {Extent} extent is moved into the plane where it sticks out */
  #show([x0, x1, y0, y1]) {
    const [hx0, hx1, hy0, hy1] = this.#home;
    const w = Math.min(x1 - x0, hx1 - hx0);
    const h = Math.min(y1 - y0, hy1 - hy0);
    const nx = Math.min(Math.max(x0, hx0), hx1 - w);
    const ny = Math.min(Math.max(y0, hy0), hy1 - h);
    this.#view = [nx, nx + w, ny, ny + h];
  }
}

/**
 * @param {number} at in cells
 * @param {number} n cells in all
 * @returns {[number, number]} the cell, and that of the nearer neighbour's centre, the cell itself at the edge
 */
function between(at, n) {
  const own = Math.floor(at);
  return [own, Math.min(n - 1, Math.max(0, at - own < 0.5 ? own - 1 : own + 1))];
}
