// @ts-check
// A wide matrix drawn small, with the window on it: drag it, or move it by keys.

import { rgb } from "./colours.js";
import { movedBy, windowAt } from "./grid_window.js";
import { canvasPart, part, pen } from "./page.js";

/** @import { Code } from "./codes.js" */
/** @import { Colours } from "./colours.js" */
/** @import { Marks } from "./grid_table.js" */
/** @import { Window } from "./grid_window.js" */

const STRIP = 8; // pixels below the matrix for the picked point's marks
const LEAST_ROW = 3;
const MOST_ROW = 10;
const USUAL_HEIGHT = 90;
const NAMED = 8; // bits that a sentence lists

/**
 * One pixel an entry.
 * @param {Code} code
 * @param {Colours} colours
 */
export function pixelsOf(code, colours) {
  const [plus, minus, zero] = [colours.positive, colours.negative, colours.zero].map(rgb);
  const pixels = new Uint8ClampedArray(4 * code.length * code[0].length);
  let at = 0;
  for (const row of code) {
    for (const v of row) {
      pixels.set([...(v > 0 ? plus : v < 0 ? minus : zero), 255], at);
      at += 4;
    }
  }
  return pixels;
}

/**
 * What is drawn, in words.
 * @param {Window} shown
 * @param {number} n
 * @param {Marks} marks
 */
export function overviewText({ first, count }, n, { wrong, tipping }) {
  const told = [`Columns ${first + 1} to ${first + count} of ${n}: drag the frame, or press the arrow keys.`];
  const named = (/** @type {number[]} */ bits) =>
    bits.length > NAMED
      ? `${bits.length} bits`
      : `${bits.length > 1 ? "bits" : "bit"} ${bits.map((b) => b + 1).join(", ")}`;
  if (wrong.length) told.push(`Red: wrong for the picked point, ${named(wrong)}.`);
  if (tipping.length) told.push(`Dot: flipping changes the decision, ${named(tipping)}.`);
  return told.join(" ");
}

export class Overview {
  #root;
  #slider;
  #canvas;
  #moved;

  /** @type {Window} */
  #shown = { first: 0, count: 0 };
  #n = 0;

  /** Columns between the window's first and where the pointer holds it; null while it does not. */
  #held = /** @type {number | null} */ (null);

  /** @type {{ of: string, picture: HTMLCanvasElement } | null} the matrix, an entry a pixel */
  #small = null;

  /**
   * @param {HTMLElement} root
   * @param {(shown: Window) => void} moved
   */
  constructor(root, moved) {
    this.#root = part(root, ".overview");
    this.#slider = part(root, ".slide");
    this.#canvas = canvasPart(root, ".slide canvas");
    this.#moved = moved;
    this.#slider.addEventListener("keydown", (e) => {
      const to = movedBy(e.key, this.#shown, this.#n);
      if (!to) return;
      e.preventDefault();
      this.#moved(to);
    });
    this.#slider.addEventListener("pointerdown", (e) => this.#take(e));
    this.#slider.addEventListener("pointermove", (e) => {
      if (this.#held !== null) this.#moved(windowAt(this.#columnAt(e) - this.#held, this.#shown.count, this.#n));
    });
    for (const end of ["pointerup", "pointercancel"]) this.#slider.addEventListener(end, () => (this.#held = null));
  }

  /** @param {PointerEvent} e */
  #columnAt(e) {
    const box = this.#canvas.getBoundingClientRect();
    return ((e.clientX - box.left) / Math.max(1, this.#canvas.clientWidth)) * this.#n;
  }

  /** @param {PointerEvent} e */
  #take(e) {
    const { first, count } = this.#shown;
    const column = this.#columnAt(e);
    const inside = column >= first && column < first + count;
    this.#held = inside ? column - first : count / 2;
    this.#slider.setPointerCapture(e.pointerId);
    if (!inside) this.#moved(windowAt(column - count / 2, count, this.#n));
  }

  /**
   * @param {Code} code
   * @param {string} text the same as text
   * @param {Window} shown
   * @param {Marks} marks
   * @param {Colours} colours
   */
  draw(code, text, shown, marks, colours) {
    const n = code[0].length;
    this.#shown = shown;
    this.#n = n;
    this.#root.hidden = shown.count >= n;
    if (this.#root.hidden) return;
    const told = overviewText(shown, n, marks);
    part(this.#root, ".told").textContent = told;
    const state = { min: 1, max: n - shown.count + 1, now: shown.first + 1, text: told };
    for (const [name, value] of Object.entries(state)) this.#slider.setAttribute(`aria-value${name}`, String(value));
    this.#paint(code, text, marks, colours);
  }

  /**
   * @param {Code} code
   * @param {string} text
   * @param {Marks} marks
   * @param {Colours} colours
   */
  #paint(code, text, marks, colours) {
    const rowHeight = Math.min(MOST_ROW, Math.max(LEAST_ROW, Math.round(USUAL_HEIGHT / code.length)));
    const [width, height] = [Math.max(1, this.#canvas.clientWidth), code.length * rowHeight];
    const ratio = window.devicePixelRatio || 1;
    this.#canvas.style.height = `${height + STRIP}px`;
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round((height + STRIP) * ratio);
    const context = pen(this.#canvas);
    context.scale(ratio, ratio);
    const each = width / code[0].length;
    context.imageSmoothingEnabled = each < 1;
    context.drawImage(this.#picture(code, text, colours), 0, 0, width, height);
    context.fillStyle = colours.wrong;
    for (const b of marks.wrong) context.fillRect(b * each, height + 2, Math.max(2, each), STRIP - 2);
    context.fillStyle = colours.accent;
    for (const b of marks.tipping) {
      context.beginPath();
      context.arc((b + 0.5) * each, height + STRIP / 2 + 1, 2.5, 0, 2 * Math.PI);
      context.fill();
    }
    const { first, count } = this.#shown;
    context.fillStyle = colours.surface;
    context.globalAlpha = 0.35;
    context.fillRect(0, 0, first * each, height);
    context.fillRect((first + count) * each, 0, width, height);
    context.globalAlpha = 1;
    context.strokeStyle = colours.ink;
    context.lineWidth = 2;
    context.strokeRect(first * each + 1, 1, count * each - 2, height - 2);
  }

  /**
   * @param {Code} code
   * @param {string} text
   * @param {Colours} colours
   */
  #picture(code, text, colours) {
    const of = `${colours.surface}${text}`;
    if (this.#small?.of === of) return this.#small.picture;
    const picture = document.createElement("canvas");
    [picture.width, picture.height] = [code[0].length, code.length];
    const image = pen(picture).createImageData(picture.width, picture.height);
    image.data.set(pixelsOf(code, colours));
    pen(picture).putImageData(image, 0, 0);
    this.#small = { of, picture };
    return picture;
  }
}
