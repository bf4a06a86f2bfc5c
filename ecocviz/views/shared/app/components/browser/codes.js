// @ts-check
// Code matrices: rows of +1, -1 and 0. Nothing here changes its arguments.

import { valueOf } from "./text.js";

/** @typedef {number[][]} Code */

/**
 * Twice the smallest distance between two codewords over the first `length` bits; an entry against
 * a 0 counts one half, so the doubled distance is a whole number.
 * @param {Code} code
 * @param {number} length
 */
export function doubledRowDistance(code, length) {
  let least = Infinity;
  for (let c = 0; c < code.length; c++) {
    for (let d = c + 1; d < code.length; d++) {
      let sum = 0;
      for (let b = 0; b < length; b++) sum += 1 - code[c][b] * code[d][b];
      least = Math.min(least, sum);
    }
  }
  return least;
}

/**
 * @param {Code} code
 * @param {number} row
 * @param {number} column
 * @param {number} step 1 for the next of -1, 0, +1, -1 for the one before
 * @returns {Code}
 */
export function cycle(code, row, column, step) {
  return setEntry(code, row, column, ((code[row][column] + 1 + step + 3) % 3) - 1);
}

/**
 * @param {Code} code
 * @param {number} row
 * @param {number} column
 * @param {number} value
 * @returns {Code}
 */
export function setEntry(code, row, column, value) {
  return code.map((r, c) => (c === row ? r.map((v, b) => (b === column ? value : v)) : r));
}

/**
 * @param {Code} code
 * @param {number} at
 * @returns {Code}
 */
export function addColumn(code, at) {
  return code.map((r, c) => [...r.slice(0, at), c % 2 ? -1 : 1, ...r.slice(at)]);
}

/**
 * @param {Code} code
 * @param {number} at
 * @returns {Code}
 */
export function duplicateColumn(code, at) {
  return code.map((r) => [...r.slice(0, at + 1), r[at], ...r.slice(at + 1)]);
}

/**
 * @param {Code} code
 * @param {number} at
 * @returns {Code}
 */
export function removeColumn(code, at) {
  return code.map((r) => r.filter((_, b) => b !== at));
}

/**
 * @param {Code} code
 * @param {number} at
 * @returns {Code}
 */
export function complementColumn(code, at) {
  return code.map((r) => r.map((v, b) => (b === at ? 0 - v : v)));
}

/**
 * Rows of +, -, 0, one line a class; what Python reads back.
 * @param {Code} code
 */
export function writeCode(code) {
  return code.map((r) => r.map((v) => (v > 0 ? "+" : v < 0 ? "-" : "0")).join("")).join("\n");
}

/**
 * @param {string[]} rows of +, - and 0
 * @returns {Code}
 */
export function readCode(rows) {
  return rows.map((row) => Array.from(row, valueOf));
}
