// @ts-check
// Which columns of a wide matrix the table shows: a window that moves over them.

/** @typedef {{ first: number, count: number }} Window the first column shown, from 0, and how many are */

export const WIDE = 60; // columns at most; more, or more than find room, have an overview and a window
const LEAST = 4;
const NAMES_AND_COSTS = 230; // pixels, until they have been drawn
const COLUMN = 20;

/**
 * How many columns find room.
 * @param {number} width in pixels
 * @param {number} beside of it, what names and costs take
 * @param {number} column what a column takes
 */
export function fitting(width, beside = NAMES_AND_COSTS, column = COLUMN) {
  return Math.min(WIDE, Math.max(LEAST, Math.floor((width - beside) / column)));
}

/**
 * A window within `n` columns that begins at one of them, or as near as it can.
 * @param {number} first
 * @param {number} count
 * @param {number} n
 * @returns {Window}
 */
export function windowAt(first, count, n) {
  if (n <= count) return { first: 0, count: n };
  return { first: Math.max(0, Math.min(n - count, Math.round(first))), count };
}

/**
 * The window moved just so far that it shows a column.
 * @param {Window} now
 * @param {number} column
 * @param {number} n
 */
export function showing({ first, count }, column, n) {
  const least = Math.max(first, column - count + 1);
  return windowAt(Math.min(least, column), count, n);
}

/**
 * Where a key on the overview takes the window; null for keys that mean nothing there.
 * @param {string} key
 * @param {Window} now
 * @param {number} n
 */
export function movedBy(key, { first, count }, n) {
  /** @type {Record<string, number>} */
  const to = {
    ArrowLeft: first - 1,
    ArrowDown: first - 1,
    ArrowRight: first + 1,
    ArrowUp: first + 1,
    PageDown: first - count,
    PageUp: first + count,
    Home: 0,
    End: n,
  };
  return key in to ? windowAt(to[key], count, n) : null;
}
