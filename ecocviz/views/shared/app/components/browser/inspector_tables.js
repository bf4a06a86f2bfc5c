// @ts-check
// The inspector's tables as markup: the bits of one point, every decoder's verdict, every class's cost.

import { symbolSvg } from "./symbols.js";
import { escapeText, sign } from "./text.js";

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
  return symbolSvg(kind, colours, 13) + escapeText(kind.name);
}

/** @param {number} value */
function cell(value) {
  return `<span class="cell ${value > 0 ? "p" : value < 0 ? "n" : ""}">${sign(value)}</span>`;
}

/** @param {Inspection} data */
export function bitsTable(data) {
  const sure = data.bits.some((b) => b.p !== null);
  const asks = data.bits.some((b) => b.asks !== null);
  const longest = Math.max(1e-12, ...data.bits.map((b) => Math.abs(b.score)));
  const chance = sure ? "<th>P(+)</th>" : "";
  const wish = asks ? '<th class="mid">should say</th>' : "";
  const head = `<th>bit</th><th>score</th><th></th><th class="mid">says</th>${chance}${wish}<th></th>`;
  const rows = data.bits.map((b, k) => {
    const cells = [
      `<td>${k + 1}</td><td>${escapeText(b.text)}</td><td>${bar(b.score, longest)}</td>`,
      `<td class="mid">${cell(b.hard)}</td>`,
      sure ? `<td>${(b.p ?? NaN).toFixed(2)}</td>` : "",
      asks ? `<td class="mid">${cell(b.asks ?? 0)}</td>` : "",
      `<td>${flipButton(k, data.flips.includes(k), asks && (b.asks ?? 0) * b.hard < 0)}</td>`,
    ];
    return `<tr data-number="${k}" class="${data.tipping.includes(k) ? "tip" : ""}">${cells.join("")}</tr>`;
  });
  return `<thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody>`;
}

/**
 * @param {number} score
 * @param {number} longest
 */
function bar(score, longest) {
  const width = ((Math.abs(score) / longest) * HALF).toFixed(1);
  const side = score > 0 ? "left" : "right";
  const pole = score > 0 ? "positive" : "negative";
  return `<span class="bar"><i style="${side}:${HALF}px;width:${width}px;background:var(--${pole})"></i></span>`;
}

/**
 * @param {number} k
 * @param {boolean} flipped
 * @param {boolean} wrong
 */
function flipButton(k, flipped, wrong) {
  const label = flipped ? "flipped" : wrong ? "wrong" : "flip";
  const look = flipped ? "on" : wrong ? "wrong" : "";
  const state = `data-flip="${k}" aria-pressed="${flipped}" aria-label="Flip bit ${k + 1}"`;
  return `<button type="button" class="flip ${look}" ${state}>${label}</button>`;
}

/**
 * @param {Inspection} data
 * @param {Colours} colours
 */
export function verdictsTable({ classes, truth, verdicts, decoder }, colours) {
  const winner = (/** @type {number} */ c) => {
    const wrong = truth >= 0 && c !== truth;
    const name = `<span class="${wrong ? "bad" : ""}">${escapeText(classes[c].name)}</span>`;
    return symbolSvg(classes[c], colours, 13) + name;
  };
  const tips = '<th class="num" title="Fewest bits whose flips change the winner">bits to tip</th>';
  const head = `<th>decoder</th><th>winner</th><th>runner-up</th><th class="num">margin</th>${tips}`;
  const rows = verdicts.map((v, k) => {
    const cells = [
      `<td>${escapeText(v.title)}</td><td>${winner(v.winner)}</td><td>${named(classes[v.runnerUp], colours)}</td>`,
      `<td class="num">${escapeText(v.margin)}</td><td class="num">${escapeText(v.tips)}</td>`,
    ];
    return `<tr class="${k === decoder ? "now" : ""}">${cells.join("")}</tr>`;
  });
  return `<thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody>`;
}

/**
 * @param {Inspection} data
 * @param {Colours} colours
 */
export function costsTable({ classes, verdicts }, colours) {
  const heads = verdicts.map((v) => `<th>${escapeText(v.title)}</th>`);
  const rows = classes.map((kind, c) => {
    const costs = verdicts.map((v) => `<td class="${v.winner === c ? "win" : ""}">${escapeText(v.costs[c])}</td>`);
    return `<tr><td>${named(kind, colours)}</td>${costs.join("")}</tr>`;
  });
  return `<thead><tr><th></th>${heads.join("")}</tr></thead><tbody>${rows.join("")}</tbody>`;
}
