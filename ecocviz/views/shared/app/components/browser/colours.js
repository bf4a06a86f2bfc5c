// @ts-check
// The theme's colours: which of the two themes the page has, and mixing them.

/** @typedef {[number, number, number]} Rgb red, green and blue, 0 to 255 */

/**
 * A theme's colours by name, as Python sends them; `region` is the strength of a class's region.
 * @typedef {{ surface: string, ink: string, dim: string, line: string, accent: string, positive: string,
 *   negative: string, zero: string, wrong: string, halo: string, region: number }} Theme
 * @typedef {{ light: Theme, dark: Theme }} Palette
 * @typedef {Theme & { dark: boolean }} Colours
 */

const DARKEST_LIGHT = 110; // the brightness, of 255, from which a background counts as light

/**
 * @param {string} hex #rrggbb
 * @returns {Rgb}
 */
export function rgb(hex) {
  const part = (/** @type {number} */ at) => parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

/**
 * @param {Rgb} a
 * @param {Rgb} b
 * @param {number} share of the first
 * @returns {Rgb}
 */
export function mix(a, b, share) {
  const part = (/** @type {0 | 1 | 2} */ k) => Math.round(a[k] * share + b[k] * (1 - share));
  return [part(0), part(1), part(2)];
}

/**
 * Dark or light, from the page's own background, so that a theme switch needs no message.
 * @param {Element} element
 * @param {Palette} palette
 * @returns {Colours}
 */
export function themeOf(element, palette) {
  const text = getComputedStyle(element).getPropertyValue("--st-background-color").trim();
  const [r, g, b] = /^#[0-9a-f]{6}/i.test(text) ? rgb(text) : [255, 255, 255];
  const dark = 0.3 * r + 0.59 * g + 0.11 * b < DARKEST_LIGHT;
  return { dark, ...palette[dark ? "dark" : "light"] };
}

/**
 * Hand the colours to the style sheet.
 * @param {HTMLElement} element
 * @param {Colours} colours
 */
export function setColours(element, colours) {
  for (const [name, value] of Object.entries(colours)) {
    if (name !== "dark") element.style.setProperty("--" + name, String(value));
  }
}
