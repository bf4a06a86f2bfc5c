// @ts-check
// The code matrix as a table: markup from what is known of it.

import { markup } from "./markup.js";
import { symbolSvg } from "./symbols.js";
import { sign } from "./text.js";

/** @import { Code } from "./codes.js" */
/** @import { Colours } from "./colours.js" */
/** @import { Window } from "./grid_window.js" */
/** @import { Kind } from "./symbols.js" */

/**
 * What Python sends; a row of the code is a text of +, - and 0. Bits and costs are those of the picked point, if
 * there is one, `wrong` its wrong bits and `tipping` flips that would change its class; `steps` are number of bits,
 * costs and winning row while bits are played.
 * @typedef {{ title: string, code: string[], classes: Kind[], faults: Record<string, string>,
 *   rowFaults: Record<string, string>, bits: number[] | null, costs: string[] | null, winner: number,
 *   wrong: number[], tipping: number[], steps: [number, string[], number][], costTitle: string, draft: boolean, editable: boolean }} GridData
 */
/**
 * The marks on a matrix: what is wrong with columns and rows, the picked point's bits, each row's cost, the winner;
 * of how many bits these are, 0 for all.
 * @typedef {{ faults: Record<string, string>, rowFaults: Record<string, string>, bits: number[] | null,
 *   costs: string[] | null, winner: number, wrong: number[], tipping: number[], used: number }} Marks
 */
/**
 * What of a matrix is drawn: its columns, and the entry that the Tab key comes to.
 * @typedef {{ shown: Window, at: [number, number] }} Looked
 */

/**
 * Marks are those of the matrix that Python has; after a local edit they wait for the answer.
 * @param {GridData} data
 * @param {number} nBits
 * @param {boolean} known whether the matrix is the one that Python has
 * @param {number} used the first so many bits are used, 0 for all
 * @returns {Marks}
 */
export function marksOf(data, nBits, known, used = 0) {
  const bits = data.bits && data.bits.length === nBits ? data.bits : null;
  const [, costs, winner] = data.steps.find(([n]) => n === used) ?? [0, data.costs, data.winner];
  return {
    faults: known ? data.faults : {},
    rowFaults: known ? data.rowFaults : {},
    bits,
    costs: bits && costs,
    winner: bits ? winner : -1,
    wrong: bits && known ? data.wrong : [],
    tipping: bits && known && !used ? data.tipping : [],
    used,
  };
}

/**
 * @param {Code} code
 * @param {Kind[]} classes
 * @param {Marks} marks
 * @param {string} costTitle
 * @param {Colours} colours
 * @param {Looked} looked
 */
export function tableOf(code, classes, marks, costTitle, colours, { shown, at }) {
  const bits = Array.from({ length: shown.count }, (_, k) => shown.first + k);
  const columns = bits.map((b) => columnHead(b, marks.faults[b]));
  const cost = marks.costs ? markup`<th class="cost" scope="col" role="columnheader">${costTitle}</th>` : "";
  const rows = code.map((row, c) => {
    const cells = bits.map((b) => {
      const used = !marks.used || b < marks.used;
      return cellOf(row[b], c, b, used ? marks.bits : null, c === at[0] && b === at[1], used);
    });
    const wins = c === marks.winner;
    const more = wins ? markup`<span class="unseen">, wins</span>` : "";
    const end = marks.costs ? markup`<td class="cost" role="gridcell">${marks.costs[c]}${more}</td>` : "";
    const head = rowHead(classes[c], marks.rowFaults[c], colours);
    return markup`<tr role="row" class="${wins ? "win" : ""}">${head}${cells}${end}</tr>`;
  });
  const corner = markup`<th role="columnheader" scope="col"><span class="unseen">class</span></th>`;
  return markup`<thead><tr role="row">${corner}${columns}${cost}</tr></thead><tbody>${rows}</tbody>`;
}

/**
 * @param {number} b
 * @param {string | undefined} fault
 */
function columnHead(b, fault) {
  const title = fault ? markup` title="${fault}"` : "";
  const place = markup`scope="col" role="columnheader" aria-colindex="${b + 2}" data-b="${b}"`;
  return markup`<th class="col${fault ? " bad" : ""}" ${place}${title}>${b + 1}</th>`;
}

/**
 * @param {Kind} kind
 * @param {string | undefined} fault
 * @param {Colours} colours
 */
function rowHead(kind, fault, colours) {
  const title = kind.name + (fault ? `: ${fault}` : "");
  const name = markup`<div>${symbolSvg(kind, colours, 14)}<i>${kind.name}</i></div>`;
  const look = markup`scope="row" role="rowheader"${fault ? markup` class="bad"` : ""}`;
  return markup`<th ${look} title="${title}">${name}</th>`;
}

/**
 * @param {number} v
 * @param {number} c
 * @param {number} b
 * @param {number[] | null} bits
 * @param {boolean} tabbed whether the Tab key comes to it
 * @param {boolean} used whether its column is
 */
function cellOf(v, c, b, bits, tabbed, used) {
  const pole = v > 0 ? "p" : v < 0 ? "n" : "";
  const mark = bits && v ? (v === bits[b] ? "hit" : "miss") : "";
  const said = mark ? markup` aria-label="${sign(v)}, the point's bit ${mark === "hit" ? "agrees" : "differs"}"` : "";
  const place = markup`data-c="${c}" data-b="${b}" role="gridcell" tabindex="${tabbed ? 0 : -1}"`;
  return markup`<td class="cell ${pole} ${used ? mark : "unused"}" ${place}${said}>${sign(v)}</td>`;
}
