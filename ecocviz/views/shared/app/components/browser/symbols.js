// @ts-check
// The thirteen class symbols on a canvas or as SVG, named as plotly names them.

import { markup } from "./markup.js";

/** @import { Colours } from "./colours.js" */

/** @typedef {[number, number]} Corner */

/**
 * How a class looks everywhere: its name, its colour, the outline in each theme, and the symbol.
 * @typedef {{ name: string, colour: string, edges: { light: string, dark: string }, symbol: string }} Kind
 */

/** @type {Corner[]} */
const CROSS = [
  [-0.4, -1.1],
  [0.4, -1.1],
  [0.4, -0.4],
  [1.1, -0.4],
  [1.1, 0.4],
  [0.4, 0.4],
  [0.4, 1.1],
  [-0.4, 1.1],
  [-0.4, 0.4],
  [-1.1, 0.4],
  [-1.1, -0.4],
  [-0.4, -0.4],
];

/**
 * Corners of every symbol of about unit size; a name that is not here is the circle.
 * @type {Record<string, Corner[]>}
 */
const POLYGONS = {
  square: corners("-0.9 -0.9, 0.9 -0.9, 0.9 0.9, -0.9 0.9"),
  "triangle-up": corners("0 -1.15, 1.05 0.8, -1.05 0.8"),
  "triangle-down": corners("0 1.15, -1.05 -0.8, 1.05 -0.8"),
  "triangle-left": corners("-1.15 0, 0.8 -1.05, 0.8 1.05"),
  "triangle-right": corners("1.15 0, -0.8 1.05, -0.8 -1.05"),
  diamond: corners("0 -1.2, 1.2 0, 0 1.2, -1.2 0"),
  hourglass: corners("-1 -1.05, 1 -1.05, -1 1.05, 1 1.05"),
  cross: CROSS,
  x: CROSS.map(([a, b]) => [(a - b) * 0.7071, (a + b) * 0.7071]),
  pentagon: regular(5, 1.1),
  hexagon: regular(6, 1.1),
  star: regular(10, 1.25).map(([a, b], k) => (k % 2 ? [a * 0.48, b * 0.48] : [a, b])),
};

/**
 * @param {string} text
 * @returns {Corner[]}
 */
function corners(text) {
  return text.split(", ").map((pair) => {
    const [x, y] = pair.split(" ");
    return [Number(x), Number(y)];
  });
}

/**
 * @param {number} n
 * @param {number} r
 * @returns {Corner[]}
 */
function regular(n, r) {
  const turn = (2 * Math.PI) / n;
  return Array.from({ length: n }, (_, k) => [r * Math.sin(turn * k), -r * Math.cos(turn * k)]);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} name
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function tracePath(context, name, x, y, r) {
  context.beginPath();
  const polygon = POLYGONS[name];
  if (!polygon) {
    context.arc(x, y, r, 0, 2 * Math.PI);
    return;
  }
  polygon.forEach(([a, b], k) => (k ? context.lineTo(x + a * r, y + b * r) : context.moveTo(x + a * r, y + b * r)));
  context.closePath();
}

/**
 * The outline that lets a class's marks be seen on the page and on the class's own region.
 * @param {Kind} kind
 * @param {Colours} colours
 */
export function edgeOf(kind, colours) {
  return kind.edges[colours.dark ? "dark" : "light"];
}

/**
 * @param {Kind} kind
 * @param {Colours} colours
 * @param {number} size in pixels of a page that types in 14
 */
export function symbolSvg(kind, colours, size) {
  const polygon = POLYGONS[kind.symbol];
  const places = (polygon || []).map(([a, b]) => (a * 6).toFixed(2) + "," + (b * 6).toFixed(2));
  const body = polygon ? markup`<polygon points="${places.join(" ")}"/>` : markup`<circle r="6"/>`;
  const side = `${size / 14}em`;
  const paint = markup`fill="${kind.colour}" stroke="${edgeOf(kind, colours)}"`;
  const frame = markup`width="${side}" height="${side}" viewBox="-8 -8 16 16"`;
  return markup`<svg class="sym" ${frame} ${paint} aria-hidden="true">${body}</svg>`;
}

/**
 * The cross on a place that is pointed at.
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 */
export function traceCross(context, x, y) {
  context.beginPath();
  context.moveTo(x - 5, y);
  context.lineTo(x + 5, y);
  context.moveTo(x, y - 5);
  context.lineTo(x, y + 5);
}
