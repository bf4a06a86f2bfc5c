// @ts-check
// Numbers and names as they are written on the page.

/** @param {number} value */
export function sign(value) {
  return value > 0 ? "+" : value < 0 ? "\u2212" : "0";
}
