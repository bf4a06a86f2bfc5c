// @ts-check
// Numbers and names as they are written on the page.

/** @param {number} value */
export function sign(value) {
  return value > 0 ? "+" : value < 0 ? "\u2212" : "0";
}

/**
 * A text from outside, harmless inside markup and attributes.
 * @param {unknown} text
 */
export function escapeText(text) {
  return String(text).replace(/[&<>"']/g, (ch) => "&#" + ch.charCodeAt(0) + ";");
}
