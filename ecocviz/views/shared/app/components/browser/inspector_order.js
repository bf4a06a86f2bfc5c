// @ts-check
// In which order the inspector lists bits: a long code's wrong ones first, and those of other classes folded away.

/** @import { Inspection } from "./inspector_tables.js" */

/** @typedef {{ first: number[], rest: number[] }} Order numbers of bits; the rest is folded */

export const LONG = 20; // bits; a code of no more is listed as it is

/**
 * First what is wrong, then the flips that would change the decision, then what else is asked for by the
 * true class or the winner. A point keeps its order while its bits are flipped: what comes to matter joins the end.
 * @param {Inspection} data
 * @param {Order | null} before the order of the same point
 * @returns {Order}
 */
export function orderOf({ scores, wrong, tipping, matter, flips }, before) {
  const all = scores.map((_, bit) => bit);
  if (all.length <= LONG) return { first: all, rest: [] };
  const first = new Set([...(before?.first ?? []), ...wrong, ...tipping, ...matter, ...flips]);
  return { first: [...first], rest: all.filter((bit) => !first.has(bit)) };
}
