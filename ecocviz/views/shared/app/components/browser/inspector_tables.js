// @ts-check
// The inspector's tables as markup: the bits of one point, every decoder's verdict, every class's cost.

import { markup } from "./markup.js";
import { symbolSvg } from "./symbols.js";
import { sign, valueOf } from "./text.js";

/** @import { Colours } from "./colours.js" */
/** @import { Order } from "./inspector_order.js" */
/** @import { Kind } from "./symbols.js" */

/**
 * Classes are numbers; `tied` holds those that cost what the winner costs, if there are others.
 * @typedef {{ title: string, winner: number, runnerUp: number, tied: number[], margin: string, tips: string,
 *   costs: string[] }} Verdict
 */
/**
 * What Python sends. `of` names the point; -1 is the true class where there is none. Of every machine: its
 * score as text and as a share of the largest in per cent, the probability of + as text, and as one letter (+, -, 0)
 * what it says to the decoder shown and what the true class asks of it. The others list numbers of bits: flipped,
 * flips that would change the decision, wrong, with score and probability on different sides, and asked for by the true
 * class or the winner; `steps` are numbers of bits, and what is said of the point while so many are played.
 * @typedef {{ title: string, said: string, of: string, classes: Kind[], truth: number, decoder: number,
 *   flips: number[], tipping: number[], wrong: number[], split: number[], matter: number[], flipText: string,
 *   steps: [number, string][], readText: string, nextText: string, scores: string[], bars: number[], chances: string[] | null, says: string,
 *   asks: string | null, verdicts: Verdict[] }} Inspection
 */

/** Drawn, since not every font has it. */
const UNEQUAL = markup`<span class="unseen">, unlike P(+)</span><svg width="10" height="10" viewBox="0 0 10 10" stroke="currentColor" stroke-width="1.4" aria-hidden="true"><path d="M1 3.500h8M1 6.500h8M7 1L3 9"/></svg>`;

/**
 * @param {Kind} kind
 * @param {Colours} colours
 */
function named(kind, colours) {
  return markup`${symbolSvg(kind, colours, 13)}<span class="k" title="${kind.name}">${kind.name}</span>`;
}

/** @param {string} letter */
function cell(letter) {
  const value = valueOf(letter);
  return markup`<span class="cell ${value > 0 ? "p" : value < 0 ? "n" : ""}">${sign(value)}</span>`;
}

/**
 * @param {Inspection} data
 * @param {Order} order
 * @param {boolean} open whether what is folded is shown
 * @param {number} used the first so many bits are used, 0 for all
 */
export function bitsTable(data, order, open, used = 0) {
  const chance = data.chances
    ? markup`<th scope="col" title="The probability of +, computed from the score">P(+)</th>`
    : "";
  const asks = data.asks
    ? markup`<th class="mid" scope="col" title="What the row of the true class says">should say</th>`
    : "";
  const head = markup`<th scope="col">bit</th><th scope="col">score</th>`;
  const said = markup`<th class="mid" scope="col" title="As the chosen decoder reads it">says</th>`;
  const hidden = (/** @type {string} */ name) => markup`<th scope="col"><span class="unseen">${name}</span></th>`;
  const heads = [head, hidden("score as a bar"), chance, said, asks, hidden("mark"), hidden("change")];
  const rowOf = rowsOf(data, used || data.scores.length);
  const first = order.first.map(rowOf);
  const fold = order.rest.length ? foldRow(order.rest.length, open, heads.filter(Boolean).length + 1) : "";
  const rest = open ? order.rest.map(rowOf) : "";
  return markup`<thead><tr>${heads}</tr></thead><tbody>${first}</tbody><tbody>${fold}${rest}</tbody>`;
}

/**
 * @param {Inspection} data
 * @param {number} used
 * @returns {(bit: number) => ReturnType<typeof markup>}
 */
function rowsOf({ scores, bars, chances, says, asks, ...marked }, used) {
  const [flips, tipping, wrong, split] = [marked.flips, marked.tipping, marked.wrong, marked.split].map(
    (bits) => new Set(bits),
  );
  return (k) => {
    const dot = tipping.has(k)
      ? markup`<span class="unseen">, one of the bits to flip to change the decision</span>`
      : "";
    const unlike = split.has(k)
      ? markup`<b class="split" title="Score and P(+) are on different sides">${UNEQUAL}</b>`
      : markup`<b class="split"></b>`;
    const cells = [
      markup`<th scope="row">${k + 1}${dot}</th><td>${scores[k]}</td><td>${bar(bars[k])}</td>`,
      chances ? markup`<td>${chances[k]}</td>` : "",
      markup`<td class="mid">${cell(says[k])}${chances ? unlike : ""}</td>`,
      asks ? markup`<td class="mid">${cell(asks[k])}</td>` : "",
      markup`<td class="mark">${wrong.has(k) ? "wrong" : ""}</td><td>${flipButton(k, flips.has(k))}</td>`,
    ];
    const look = k >= used ? "unused" : tipping.has(k) ? "tip" : "";
    return markup`<tr data-number="${k}" class="${look}">${cells}</tr>`;
  };
}

/**
 * @param {number} n
 * @param {boolean} open
 * @param {number} width in columns
 */
function foldRow(n, open, width) {
  const text = `${open ? "Hide" : "Show"} ${n} ${n === 1 ? "bit" : "bits"} of other classes`;
  const button = markup`<button type="button" data-act="fold" aria-expanded="${open}">${text}</button>`;
  return markup`<tr class="fold"><td colspan="${width}">${button}</td></tr>`;
}

/** @param {number} share per cent of half the bar, to the left below 0 */
function bar(share) {
  const side = share > 0 ? "left" : "right";
  const pole = share > 0 ? "positive" : "negative";
  const style = `${side}:50%;width:${Math.abs(share) / 2}%;background:var(--${pole})`;
  return markup`<span class="bar"><i style="${style}"></i></span>`;
}

/**
 * @param {number} k
 * @param {boolean} flipped
 */
function flipButton(k, flipped) {
  const state = markup`class="flip${flipped ? " on" : ""}" data-flip="${k}" aria-pressed="${flipped}"`;
  const text = markup`${flipped ? "flipped" : "flip"}<span class="unseen"> bit ${k + 1}</span>`;
  return markup`<button type="button" ${state}>${text}</button>`;
}

/**
 * @param {Inspection} data
 * @param {Colours} colours
 */
export function verdictsTable({ classes, truth, verdicts, decoder }, colours) {
  const winner = (/** @type {number} */ c) => {
    const wrong = truth >= 0 && c !== truth;
    const name = markup`<span class="k ${wrong ? "bad" : ""}" title="${classes[c].name}">${classes[c].name}</span>`;
    return markup`${symbolSvg(classes[c], colours, 13)}${name}`;
  };
  const head = ["decoder", "winner", "runner-up"].map((name) => markup`<th scope="col">${name}</th>`);
  const margin = markup`<th class="num" scope="col" title="The runner-up's cost minus the winner's">margin</th>`;
  const tips = markup`<th class="num long" scope="col">flips until the decision changes</th>`;
  const rows = verdicts.map((v, k) => {
    const tie = v.tied.length ? markup` <span class="tie">tie</span>` : "";
    const second = v.tied.find((c) => c !== v.winner) ?? v.runnerUp;
    const cells = [
      markup`<td>${v.title}</td><td>${winner(v.winner)}${tie}</td><td>${named(classes[second], colours)}</td>`,
      markup`<td class="num">${v.margin}</td><td class="num">${v.tips}</td>`,
    ];
    return markup`<tr class="${k === decoder ? "now" : ""}">${cells}</tr>`;
  });
  return markup`<thead><tr>${head}${margin}${tips}</tr></thead><tbody>${rows}</tbody>`;
}

/**
 * @param {Inspection} data
 * @param {Colours} colours
 */
export function costsTable({ classes, verdicts }, colours) {
  const heads = verdicts.map((v) => markup`<th scope="col">${v.title}</th>`);
  const rows = classes.map((kind, c) => {
    const costs = verdicts.map((v) => markup`<td class="${v.winner === c ? "win" : ""}">${v.costs[c]}</td>`);
    return markup`<tr><th scope="row">${named(kind, colours)}</th>${costs}</tr>`;
  });
  return markup`<thead><tr><th scope="col">class</th>${heads}</tr></thead><tbody>${rows}</tbody>`;
}
