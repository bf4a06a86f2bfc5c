// @ts-check
// A part of the page as an SVG: boxes, lines and texts where they stand, symbols as they are, canvases as rasters.

import { fromFile, markup } from "./markup.js";

/** @typedef {ReturnType<typeof markup>} Markup */
/** @typedef {{ svg: string, width: number, height: number }} Picture */
/**
 * What to leave out (a selector), what stands in place of a canvas (null for its pixels), and the paper's colour.
 * @typedef {{ skip?: string, canvas?: (canvas: HTMLCanvasElement) => Markup | null, paper: string }} How
 */

const NEVER = `.save, .tools, [data-act]:not([aria-checked="true"]), [hidden], style, script`;
const EDGE = 12; // around everything
const ON_LINE = 0.35; // of the type's size, from the middle of a line down to where letters stand

/**
 * @param {HTMLElement} root
 * @param {How} how
 * @returns {Picture}
 */
export function domPicture(root, how) {
  const home = root.getBoundingClientRect();
  /** @type {Markup[]} */
  const parts = [];
  const reach = { width: home.width, height: home.height };
  walk(root, { home, how, parts, reach });
  const width = Math.ceil(reach.width) + 2 * EDGE;
  const height = Math.ceil(reach.height) + 2 * EDGE;
  const font = getComputedStyle(root).fontFamily;
  const size = markup`width="${width}" height="${height}" viewBox="${-EDGE} ${-EDGE} ${width} ${height}"`;
  const paper = markup`<rect x="${-EDGE}" y="${-EDGE}" width="${width}" height="${height}" fill="${how.paper}"/>`;
  const head = markup`xmlns="http://www.w3.org/2000/svg" ${size} font-family="${font}"`;
  return { svg: String(markup`<svg ${head}>${paper}${parts}</svg>`), width, height };
}

/**
 * @typedef {{ home: DOMRect, how: How, parts: Markup[], reach: { width: number, height: number } }} Walk
 */

/**
 * @param {Element} element
 * @param {Walk} walked
 */
function walk(element, walked) {
  const { home, how, parts, reach } = walked;
  if (element.matches(NEVER) || (how.skip && element.matches(how.skip))) return;
  const style = getComputedStyle(element);
  const rect = element.getBoundingClientRect();
  if (!element.checkVisibility({ visibilityProperty: true })) return;
  const x = rect.left - home.left;
  const y = rect.top - home.top;
  const box = { x, y, width: rect.width, height: rect.height };
  reach.width = Math.max(reach.width, x + rect.width);
  reach.height = Math.max(reach.height, y + rect.height);
  if (element instanceof SVGElement) {
    parts.push(symbolAt(element, box));
    return;
  }
  if (element instanceof HTMLCanvasElement) {
    const shown = how.canvas ? how.canvas(element) : null;
    parts.push(markup`<g transform="translate(${x} ${y})">${shown ?? pixels(element, box)}</g>`);
    return;
  }
  parts.push(...boxOf(style, box));
  if (element instanceof HTMLSelectElement) {
    parts.push(textAt(element.selectedOptions[0]?.text ?? "", { ...box, x: x + 8 }, style));
    return;
  }
  for (const child of element.childNodes) {
    if (child instanceof Element) walk(child, walked);
    else if (child instanceof Text) parts.push(...linesOf(child, style, home));
  }
}

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;

/** @param {Box} box */
function at({ x, y, width, height }) {
  return markup`x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`;
}

/**
 * @param {string} colour as it is computed
 */
function seen(colour) {
  return colour !== "transparent" && !/(,|\/) ?0\)$/.test(colour);
}

/**
 * The ground of an element, its borders and an outline inside of it.
 * @param {CSSStyleDeclaration} style
 * @param {Box} box
 */
function boxOf(style, box) {
  const drawn = [];
  const radius = parseFloat(style.borderTopLeftRadius) || 0;
  if (seen(style.backgroundColor)) {
    drawn.push(markup`<rect ${at(box)} rx="${radius}" fill="${style.backgroundColor}"/>`);
  }
  const inset = /^(rgba?\([^)]*\)|color\([^)]*\)|#\w+) 0px 0px 0px ([\d.]+)px inset/.exec(style.boxShadow);
  const top = parseFloat(style.borderTopWidth);
  const bottom = parseFloat(style.borderBottomWidth);
  if (inset) drawn.push(frame(box, radius, inset[1], Number(inset[2])));
  else if (top && seen(style.borderTopColor)) drawn.push(frame(box, radius, style.borderTopColor, top));
  else if (bottom && seen(style.borderBottomColor)) {
    const line = { ...box, y: box.y + box.height - bottom, height: bottom };
    drawn.push(markup`<rect ${at(line)} fill="${style.borderBottomColor}"/>`);
  }
  return drawn;
}

/**
 * @param {Box} box
 * @param {number} radius
 * @param {string} colour
 * @param {number} width
 */
function frame({ x, y, width: w, height: h }, radius, colour, width) {
  const inside = { x: x + width / 2, y: y + width / 2, width: Math.max(0, w - width), height: Math.max(0, h - width) };
  return markup`<rect ${at(inside)} rx="${radius}" fill="none" stroke="${colour}" stroke-width="${width}"/>`;
}

/**
 * @param {SVGElement} symbol
 * @param {Box} box
 */
function symbolAt(symbol, box) {
  const copy = /** @type {SVGElement} */ (symbol.cloneNode(true));
  const { color } = getComputedStyle(symbol);
  for (const [name, value] of Object.entries(box)) copy.setAttribute(name, String(round(value)));
  copy.setAttribute("color", color);
  return fromFile(new XMLSerializer().serializeToString(copy)); // what our own markup has made of safe parts
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Box} box
 */
function pixels(canvas, { width, height }) {
  return markup`<image width="${round(width)}" height="${round(height)}" href="${canvas.toDataURL("image/png")}"/>`;
}

/**
 * A text, line by line as the page has broken it.
 * @param {Text} text
 * @param {CSSStyleDeclaration} style
 * @param {DOMRect} home
 */
function linesOf(text, style, home) {
  /** @type {{ box: Box, words: string[] }[]} */
  const lines = [];
  const range = document.createRange();
  for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    const rect = range.getBoundingClientRect();
    if (!rect.width) continue;
    const line = lines.at(-1);
    if (line && Math.abs(line.box.y - (rect.top - home.top)) < rect.height / 2) line.words.push(word);
    else {
      const box = { x: rect.left - home.left, y: rect.top - home.top, width: rect.width, height: rect.height };
      lines.push({ box, words: [word] });
    }
  }
  return lines.map(({ box, words }) => textAt(words.join(" "), box, style));
}

/**
 * @param {string} text
 * @param {Box} box
 * @param {CSSStyleDeclaration} style
 */
function textAt(text, { x, y, height }, style) {
  const size = parseFloat(style.fontSize);
  const place = markup`x="${round(x)}" y="${round(y + height / 2 + size * ON_LINE)}"`;
  const line = style.textDecorationLine === "underline" ? markup`text-decoration="underline"` : "";
  const type = markup`font-size="${size}" font-weight="${style.fontWeight}" fill="${style.color}" ${line}`;
  return markup`<text ${place} ${type}>${text}</text>`;
}
