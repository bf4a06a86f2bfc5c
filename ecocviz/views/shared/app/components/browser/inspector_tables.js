// @ts-check
// The inspector's tables as markup: the bits of one point, every decoder's verdict, every class's cost.

import { markup } from "./markup.js";
import { symbolSvg } from "./symbols.js";
import { sign } from "./text.js";

/** @import { Colours } from "./colours.js" */
/** @import { Kind } from "./symbols.js" */

/**
 * A machine's say: its score as number and text, its hard bit, how probable + is, what is asked of it.
 * @typedef {{ score: number, text: string, hard: number, p: number | null, asks: number | null }} Bit
 * @typedef {{ title: string, winner: number, runnerUp: number, margin: string, tips: string,
 *   costs: string[] }} Verdict
 */
/**
 * What Python sends. `of` names the point; -1 is the true class where there is none.
 * @typedef {{ title: string, said: string, of: string, classes: Kind[], truth: number, decoder: number,
 *   flips: number[], tipping: number[], flipText: string, nextText: string, bits: Bit[],
 *   verdicts: Verdict[] }} Inspection
 */

const HALF = 46; // pixels of the longest bar

/**
 * @param {Kind} kind
 * @param {Colours} colours
 */
function named(kind, colours) {
  return markup`${symbolSvg(kind, colours, 13)}${kind.name}`;
}

/** @param {number} value */
function cell(value) {
  return markup`<span class="cell ${value > 0 ? "p" : value < 0 ? "n" : ""}">${sign(value)}</span>`;
}

/** @param {Inspection} data */
export function bitsTable(data) {
  const sure = data.bits.some((b) => b.p !== null);
  const asks = data.bits.some((b) => b.asks !== null);
  const longest = Math.max(1e-12, ...data.bits.map((b) => Math.abs(b.score)));
  const chance = sure ? markup`<th>P(+)</th>` : "";
  const wish = asks ? markup`<th class="mid">should say</th>` : "";
  const head = markup`<th>bit</th><th>score</th><th></th><th class="mid">says</th>${chance}${wish}<th></th>`;
  const rows = data.bits.map((b, k) => {
    const cells = [
      markup`<td>${k + 1}</td><td>${b.text}</td><td>${bar(b.score, longest)}</td>`,
      markup`<td class="mid">${cell(b.hard)}</td>`,
      sure ? markup`<td>${(b.p ?? NaN).toFixed(2)}</td>` : "",
      asks ? markup`<td class="mid">${cell(b.asks ?? 0)}</td>` : "",
      markup`<td>${flipButton(k, data.flips.includes(k), asks && (b.asks ?? 0) * b.hard < 0)}</td>`,
    ];
    return markup`<tr data-number="${k}" class="${data.tipping.includes(k) ? "tip" : ""}">${cells}</tr>`;
  });
  return markup`<thead><tr>${head}</tr></thead><tbody>${rows}</tbody>`;
}

/**
 * @param {number} score
 * @param {number} longest
 */
function bar(score, longest) {
  const width = ((Math.abs(score) / longest) * HALF).toFixed(1);
  const side = score > 0 ? "left" : "right";
  const pole = score > 0 ? "positive" : "negative";
  return markup`<span class="bar"><i style="${side}:${HALF}px;width:${width}px;background:var(--${pole})"></i></span>`;
}

/**
 * @param {number} k
 * @param {boolean} flipped
 * @param {boolean} wrong
 */
function flipButton(k, flipped, wrong) {
  const label = flipped ? "flipped" : wrong ? "wrong" : "flip";
  const look = flipped ? "on" : wrong ? "wrong" : "";
  const state = markup`data-flip="${k}" aria-pressed="${flipped}" aria-label="Flip bit ${k + 1}"`;
  return markup`<button type="button" class="flip ${look}" ${state}>${label}</button>`;
}

/**
 * @param {Inspection} data
 * @param {Colours} colours
 */
export function verdictsTable({ classes, truth, verdicts, decoder }, colours) {
  const winner = (/** @type {number} */ c) => {
    const wrong = truth >= 0 && c !== truth;
    const name = markup`<span class="${wrong ? "bad" : ""}">${classes[c].name}</span>`;
    return markup`${symbolSvg(classes[c], colours, 13)}${name}`;
  };
  const tips = markup`<th class="num" title="Fewest bits whose flips change the winner">bits to tip</th>`;
  const head = markup`<th>decoder</th><th>winner</th><th>runner-up</th><th class="num">margin</th>${tips}`;
  const rows = verdicts.map((v, k) => {
    const cells = [
      markup`<td>${v.title}</td><td>${winner(v.winner)}</td><td>${named(classes[v.runnerUp], colours)}</td>`,
      markup`<td class="num">${v.margin}</td><td class="num">${v.tips}</td>`,
    ];
    return markup`<tr class="${k === decoder ? "now" : ""}">${cells}</tr>`;
  });
  return markup`<thead><tr>${head}</tr></thead><tbody>${rows}</tbody>`;
}

/**
 * @param {Inspection} data
 * @param {Colours} colours
 */
export function costsTable({ classes, verdicts }, colours) {
  const heads = verdicts.map((v) => markup`<th>${v.title}</th>`);
  const rows = classes.map((kind, c) => {
    const costs = verdicts.map((v) => markup`<td class="${v.winner === c ? "win" : ""}">${v.costs[c]}</td>`);
    return markup`<tr><td>${named(kind, colours)}</td>${costs}</tr>`;
  });
  return markup`<thead><tr><th></th>${heads}</tr></thead><tbody>${rows}</tbody>`;
}
