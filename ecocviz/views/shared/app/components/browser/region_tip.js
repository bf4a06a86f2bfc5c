// @ts-check
// What stands beside the pointer: the point under it, the bits there, and every decoder's winner.

import { bitAt } from "./cells.js";
import { markup, put } from "./markup.js";
import { part } from "./page.js";
import { isLeft } from "./region_records.js";
import { symbolSvg } from "./symbols.js";
import { sign } from "./text.js";

/** @import { Colours } from "./colours.js" */
/** @import { Value } from "./markup.js" */
/** @import { Place } from "./region_camera.js" */
/** @import { Decided, Header, Records } from "./region_records.js" */

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
 * A point is decided by all of its features, a place by where it lies on the plane: cells around it that are decided
 * otherwise are named too, because the picture does not know on which side of the border it is.
 * @param {Records} records
 * @param {Colours} colours
 * @param {number} decoder
 * @param {{ cells: number[] } | { point: number }} at what is under the pointer
 */
export function tipOf(records, colours, decoder, at) {
  const { header } = records;
  const [decided, here] = "point" in at ? [records.points, [at.point]] : [records, at.cells];
  const chip = (/** @type {number} */ c) => {
    const kind = header.classes[c];
    return markup`${symbolSvg(kind, colours, 13)}${kind.name}`;
  };
  const winners = header.decoders.map((d, k) => {
    const said = [...new Set(here.map((i) => decided.labels[k][i]))];
    const named = said.map((c, n) => markup`${n ? " or " : ""}${chip(c)}`);
    const left = here.filter((i) => isLeft(decided, k, i)).length;
    const note = left ? `, ${left < here.length ? "perhaps " : ""}not decided` : "";
    return markup`<tr class="${k === decoder ? "now" : ""}"><td>${d.title}</td><td>${named}${note}</td></tr>`;
  });
  const who = "point" in at ? pointTip(records, chip, decoder, at.point) : "";
  return markup`${who}${bitsTip(header, decided, here)}<table>${winners}</table>`;
}

/**
 * @param {Records} records
 * @param {(c: number) => Value} chip
 * @param {number} decoder
 * @param {number} i
 */
function pointTip({ pointClass, isTest, wrong, ids }, chip, decoder, i) {
  const what = `point ${ids[i]}, ${isTest[i] ? "test" : "training"}${wrong[decoder][i] ? ", wrong" : ""}`;
  return markup`<div class="who">${chip(pointClass[i])} <span class="cap">${what}</span></div>`;
}

/**
 * @param {Header} header
 * @param {Decided} decided
 * @param {number[]} here
 */
function bitsTip({ nBits, mostBits }, { bits, n }, here) {
  const shown = Array.from({ length: Math.min(nBits, mostBits) }, (_, b) => {
    const sum = here.reduce((all, i) => all + bitAt(bits, n, b, i), 0);
    if (Math.abs(sum) < here.length) return markup`<span>\u00b1</span>`;
    return markup`<span class="${sum > 0 ? "p" : "n"}">${sign(sum)}</span>`;
  });
  return markup`<div class="bits">${shown}${nBits > mostBits ? " \u2026" : ""}</div>`;
}
