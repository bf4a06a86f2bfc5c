// @ts-check
// A pen that writes SVG where a canvas would be painted: what draws marks and axes draws them into a saved picture too.

import { markup } from "./markup.js";

/** @typedef {ReturnType<typeof markup>} Markup */

const ANCHORS = { left: "start", start: "start", center: "middle", right: "end", end: "end" };
const BASELINES = { top: 0.78, middle: 0.34, bottom: -0.22, alphabetic: 0 };

/** The part of a canvas's context that our own drawing uses. */
export class SvgPen {
  fillStyle = "black";
  strokeStyle = "black";
  lineWidth = 1;
  lineJoin = "round";
  font = "12px sans-serif";

  /** @type {keyof typeof ANCHORS} */
  textAlign = "start";

  /** @type {keyof typeof BASELINES} */
  textBaseline = "alphabetic";

  /** @type {Markup[]} */
  #drawn = [];
  #path = "";

  /** How what follows is moved and turned. */
  #turned = "";

  /** @type {string[]} */
  #saved = [];

  save() {
    this.#saved.push(this.#turned);
  }

  restore() {
    this.#turned = this.#saved.pop() ?? "";
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  translate(x, y) {
    this.#turned += `translate(${round(x)} ${round(y)}) `;
  }

  /** @param {number} angle */
  rotate(angle) {
    this.#turned += `rotate(${round((180 / Math.PI) * angle)}) `;
  }

  beginPath() {
    this.#path = "";
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  moveTo(x, y) {
    this.#path += `M${round(x)} ${round(y)}`;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  lineTo(x, y) {
    this.#path += `L${round(x)} ${round(y)}`;
  }

  closePath() {
    this.#path += "Z";
  }

  /**
   * A whole circle; we draw no other arcs.
   * @param {number} x
   * @param {number} y
   * @param {number} r
   */
  arc(x, y, r) {
    const side = (/** @type {number} */ dx) => `A${round(r)} ${round(r)} 0 1 0 ${round(x + dx)} ${round(y)}`;
    this.#path += `M${round(x - r)} ${round(y)}${side(r)}${side(-r)}Z`;
  }

  fill() {
    this.#drawn.push(markup`<path d="${this.#path}" fill="${this.fillStyle}"/>`);
  }

  stroke() {
    const line = markup`stroke="${this.strokeStyle}" stroke-width="${round(this.lineWidth)}"`;
    this.#drawn.push(markup`<path d="${this.#path}" fill="none" ${line} stroke-linejoin="round"/>`);
  }

  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   */
  fillText(text, x, y) {
    const found = /^([\d.]+)px (.*)$/.exec(this.font);
    const size = found ? Number(found[1]) : 12;
    const at = markup`x="${round(x)}" y="${round(y + size * BASELINES[this.textBaseline])}"`;
    const type = markup`font-size="${size}" text-anchor="${ANCHORS[this.textAlign]}" fill="${this.fillStyle}"`;
    const turned = this.#turned ? markup`transform="${this.#turned.trim()}"` : "";
    this.#drawn.push(markup`<text ${at} ${type} ${turned}>${text}</text>`);
  }

  /** What was drawn. */
  get drawn() {
    return markup`${this.#drawn}`;
  }
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 100) / 100;
}
