// @ts-check
// Markup with texts from outside in it: what is put into it is shown letter by letter, whatever it holds.

/** Markup in which every text is harmless; nothing else goes into a page. */
class Markup {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/** @typedef {string | number | boolean | Markup} Value */

/**
 * Markup of ours, as a tag before a template: a value in it becomes text, unless it is such markup, or a list of it.
 * @param {TemplateStringsArray} ours
 * @param {...(Value | Value[])} values in quotes where they are attributes
 */
export function markup(ours, ...values) {
  return new Markup(ours.reduce((text, part, k) => text + written(values[k - 1]) + part));
}

/**
 * @param {Value | Value[]} value
 * @returns {string}
 */
function written(value) {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(written).join("");
  return String(value).replace(/[&<>"'`]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/**
 * Markup that a file of ours holds.
 * @param {string} file
 */
export function fromFile(file) {
  return new Markup(file);
}

/**
 * Put markup into the page, in place of what is there.
 * @param {Element} place
 * @param {Markup} shown
 */
export function put(place, shown) {
  if (!(shown instanceof Markup)) throw new TypeError("Only markup made by the tag goes into a page.");
  place.innerHTML = shown.text; // eslint-disable-line no-restricted-syntax -- the only place
}
