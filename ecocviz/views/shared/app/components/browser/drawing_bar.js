// @ts-check
// The tools for drawing, as markup.

import { counted, letter } from "./drawing_logic.js";
import { markup } from "./markup.js";
import { symbolSvg } from "./symbols.js";

/** @import { Colours } from "./colours.js" */
/** @import { Board } from "./drawing_board.js" */
/** @import { Value } from "./markup.js" */
/** @import { Kind } from "./symbols.js" */

/**
 * @param {Pick<Board, "points" | "full">} board
 * @returns {string} how many points there are, or how to begin
 */
export function told({ points, full }) {
  const n = points.length;
  if (!n) return "Drag to spray points of a class, click to set a single one.";
  if (full) return `${n} points: the drawing is full.`;
  return `${n} point${n === 1 ? "" : "s"} drawn.`;
}

/**
 * @param {Board} board
 * @param {Kind[]} brushes
 * @param {Colours} colours
 * @param {boolean} copyable whether the points of the present data can be copied
 * @param {string} said
 */
export function toolsOf(board, brushes, colours, copyable, said) {
  const chips = chipsOf(board, brushes, colours);
  const tools = [
    markup`<div class="brushes" role="radiogroup" aria-label="Class to draw">${chips}</div>`,
    board.shown < brushes.length ? button("add", "+", markup`title="One more class" aria-label="One more class"`) : "",
    button("erase", "Erase", markup`aria-pressed="${board.rubber}" title="Erase points (e)"`),
    button("undo", "Undo", markup`title="Ctrl+Z" ${board.undoable ? "" : "disabled"}`),
    button("redo", "Redo", markup`title="Ctrl+Shift+Z" ${board.redoable ? "" : "disabled"}`),
    button("clear", "Clear", board.points.length ? "" : "disabled"),
    copyable
      ? button("copy", "Copy shown points", markup`title="Replace the drawing by the points of the present data"`)
      : "",
    markup`<span class="gap"></span>${button("train", "Train on these", markup`class="main"`)}`,
  ];
  return markup`<div class="tools">${tools}</div><div class="cap" role="status">${said}</div>`;
}

/**
 * @param {Board} board
 * @param {Kind[]} brushes
 * @param {Colours} colours
 */
function chipsOf(board, brushes, colours) {
  const counts = counted(board.points, brushes.length);
  const chips = brushes.slice(0, board.shown).map((kind, c) => {
    const name = letter(c);
    const text = markup`${symbolSvg(kind, colours, 14)}${name} <span class="n">${counts[c]}</span>`;
    const state = markup`role="radio" class="brush" aria-checked="${!board.rubber && c === board.brush}"`;
    const label = markup`aria-label="Class ${name}, ${counts[c]} points" title="Draw class ${name} (${(c + 1) % 10})"`;
    return button(`brush:${c}`, text, markup`${state} ${label}`);
  });
  return chips;
}

/**
 * @param {string} act
 * @param {Value} text
 * @param {Value} more attributes
 */
function button(act, text, more) {
  return markup`<button type="button" data-draw="${act}" ${more}>${text}</button>`;
}
