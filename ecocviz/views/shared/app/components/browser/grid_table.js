// @ts-check
// The code matrix as a table: markup from what is known of it.

import { markup } from "./markup.js";
import { symbolSvg } from "./symbols.js";
import { sign } from "./text.js";

/** @import { Code } from "./codes.js" */
/** @import { Colours } from "./colours.js" */
/** @import { Kind } from "./symbols.js" */

/**
 * What Python sends. Bits and costs are those of the picked point, if there is one.
 * @typedef {{ title: string, code: Code, classes: Kind[], faults: Record<string, string>,
 *   rowFaults: Record<string, string>, bits: number[] | null, costs: string[] | null, winner: number,
 *   costTitle: string, draft: boolean, editable: boolean }} GridData
 */
/**
 * The marks on a matrix: what is wrong with columns and rows, the picked point's bits, each row's cost, the winner.
 * @typedef {{ faults: Record<string, string>, rowFaults: Record<string, string>, bits: number[] | null,
 *   costs: string[] | null, winner: number }} Marks
 */

export const SHOWN = 400; // columns; more would be slow to lay out

/**
 * Marks are those of the matrix that Python has; after a local edit they wait for the answer.
 * @param {GridData} data
 * @param {number} nBits
 * @param {boolean} known whether the matrix is the one that Python has
 * @returns {Marks}
 */
export function marksOf(data, nBits, known) {
  const bits = data.bits && data.bits.length === nBits ? data.bits : null;
  return {
    faults: known ? data.faults : {},
    rowFaults: known ? data.rowFaults : {},
    bits,
    costs: bits && data.costs,
    winner: bits ? data.winner : -1,
  };
}

/**
 * @param {Code} code
 * @param {Kind[]} classes
 * @param {Marks} marks
 * @param {string} costTitle
 * @param {Colours} colours
 */
export function tableOf(code, classes, marks, costTitle, colours) {
  const shown = Math.min(code[0].length, SHOWN);
  const columns = Array.from({ length: shown }, (_, b) => columnHead(b, marks.faults[b]));
  const cost = marks.costs ? markup`<th class="cost" scope="col">${costTitle}</th>` : "";
  const rows = code.map((row, c) => {
    const cells = row.slice(0, shown).map((v, b) => cellOf(v, c, b, marks.bits));
    const end = marks.costs ? markup`<td class="cost">${marks.costs[c]}</td>` : "";
    const head = rowHead(classes[c], marks.rowFaults[c], colours);
    return markup`<tr class="${c === marks.winner ? "win" : ""}">${head}${cells}${end}</tr>`;
  });
  return markup`<thead><tr><th></th>${columns}${cost}</tr></thead><tbody>${rows}</tbody>`;
}

/**
 * @param {number} b
 * @param {string | undefined} fault
 */
function columnHead(b, fault) {
  const title = fault ? markup` title="${fault}"` : "";
  return markup`<th class="col${fault ? " bad" : ""}" scope="col" data-b="${b}"${title}>${b + 1}</th>`;
}

/**
 * @param {Kind} kind
 * @param {string | undefined} fault
 * @param {Colours} colours
 */
function rowHead(kind, fault, colours) {
  const title = kind.name + (fault ? `: ${fault}` : "");
  const name = markup`<div>${symbolSvg(kind, colours, 14)}<i>${kind.name}</i></div>`;
  return markup`<th scope="row"${fault ? markup` class="bad"` : ""} title="${title}">${name}</th>`;
}

/**
 * @param {number} v
 * @param {number} c
 * @param {number} b
 * @param {number[] | null} bits
 */
function cellOf(v, c, b, bits) {
  const pole = v > 0 ? "p" : v < 0 ? "n" : "";
  const mark = bits && v ? (v === bits[b] ? "hit" : "miss") : "";
  const place = markup`data-c="${c}" data-b="${b}" role="gridcell" tabindex="${!c && !b ? 0 : -1}"`;
  return markup`<td><span class="cell ${pole} ${mark}" ${place}>${sign(v)}</span></td>`;
}
