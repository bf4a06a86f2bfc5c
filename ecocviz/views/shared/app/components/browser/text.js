// @ts-check
// Numbers and names as they are written on the page.

/** @param {number} value */
export function sign(value) {
  return value > 0 ? "+" : value < 0 ? "\u2212" : "0";
}

/**
 * @param {string} letter as Python writes a sign: +, - or 0
 * @returns {1 | -1 | 0}
 */
export function valueOf(letter) {
  return letter === "+" ? 1 : letter === "-" ? -1 : 0;
}
