// @ts-check
// What stands beside the pointer: the point under it, the bits there, and every decoder's winner.

import { bitAt, bitsAt } from "./cells.js";
import { markup, put } from "./markup.js";
import { part } from "./page.js";
import { symbolSvg } from "./symbols.js";
import { sign } from "./text.js";

/** @import { Colours } from "./colours.js" */
/** @import { Value } from "./markup.js" */
/** @import { Place } from "./region_camera.js" */
/** @import { Records } from "./region_records.js" */

const MOST_BITS = 120;
const BESIDE = 16; // pixels between pointer and tip

export class Tip {
  #box;

  /** @param {ParentNode} root */
  constructor(root) {
    this.#box = part(root, ".tip");
  }

  hide() {
    this.#box.hidden = true;
  }

  /**
   * @param {Place} at
   * @param {ReturnType<typeof markup>} shown
   * @param {{ width: number, height: number }} surface
   */
  show(at, shown, surface) {
    const box = this.#box;
    box.hidden = false;
    put(box, shown);
    const w = box.offsetWidth;
    const h = box.offsetHeight;
    const right = at[0] + BESIDE;
    const left = right + w > surface.width ? Math.max(0, at[0] - BESIDE - w) : right;
    const top = Math.min(Math.max(0, at[1] + BESIDE), Math.max(0, surface.height - h));
    box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }
}

/**
 * @param {Records} records
 * @param {Colours} colours
 * @param {number} decoder
 * @param {number} cell
 * @param {number} point the one under the pointer, -1 for none
 */
export function tipOf(records, colours, decoder, cell, point) {
  const { header, labels, undecided } = records;
  const chip = (/** @type {number} */ c) => {
    const kind = header.classes[c];
    return markup`${symbolSvg(kind, colours, 13)}${kind.name}`;
  };
  const winners = header.decoders.map((d, k) => {
    const left = undecided && bitAt(undecided, header.nx * header.ny, k, cell) > 0;
    const row = markup`<td>${d.title}</td><td>${chip(labels[k][cell])}${left ? ", not decided" : ""}</td>`;
    return markup`<tr class="${k === decoder ? "now" : ""}">${row}</tr>`;
  });
  return markup`${pointTip(records, chip, decoder, point)}${bitsTip(records, cell)}<table>${winners}</table>`;
}

/**
 * @param {Records} records
 * @param {(c: number) => Value} chip
 * @param {number} decoder
 * @param {number} i
 */
function pointTip({ pointClass, isTest, wrong, ids }, chip, decoder, i) {
  if (i < 0) return "";
  const what = `point ${ids[i]}, ${isTest[i] ? "test" : "training"}${wrong[decoder][i] ? ", wrong" : ""}`;
  return markup`<div class="who">${chip(pointClass[i])} <span class="cap">${what}</span></div>`;
}

/**
 * @param {Records} records
 * @param {number} cell
 */
function bitsTip({ header, bits }, cell) {
  const said = bitsAt(bits, header.nx * header.ny, header.nBits, cell);
  const shown = Array.from(
    said.slice(0, MOST_BITS),
    (b) => markup`<span class="${b > 0 ? "p" : "n"}">${sign(b)}</span>`,
  );
  return markup`<div class="bits">${shown}${header.nBits > MOST_BITS ? " \u2026" : ""}</div>`;
}
