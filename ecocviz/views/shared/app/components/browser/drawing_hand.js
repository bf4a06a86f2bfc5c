// @ts-check
// The hand on the sheet: pointer and keys become strokes and dabs on the board. Owns the cross and the stroke that
// is being drawn. Places are in [0, 1].

import { added, erased, pointAt, randomFrom, sprayed } from "./drawing_logic.js";

/** @import { Board } from "./drawing_board.js" */
/** @import { Place, Point } from "./drawing_logic.js" */
/** @import { Camera } from "./region_camera.js" */
/** @import { Surface } from "./region_surface.js" */

/**
 * `change`: the board holds other points; `move`: cross or stroke are elsewhere; `act`: a key stands for a button.
 * @typedef {{ change: () => void, move: () => void, act: (name: string) => void }} Tell
 */
/**
 * Of which pointer, where it is, where on the screen it began, how far it is to the next point.
 * @typedef {{ id: number, from: Place, start: Place, dragged: boolean, left: number, points: Point[] }} Stroke
 */

const STEP = 0.02; // of an arrow key, as a share of the sheet
const TAP = 4; // pixels that a click may move
const SPRAY = 22; // pixels, as the two below
const RUBBER = 16;
const SPACING = 9;
const OUTSIDE = 0.53; // strokes begin no farther than this from the middle of the sheet

export class Hand {
  #sheet;
  #camera;
  #surface;
  #tell;
  #random = randomFrom(Date.now());

  /** @type {Board | null} */
  #board = null;

  /** @type {Place | null} */
  #cursor = null;

  /** @type {Stroke | null} */
  #stroke = null;

  /**
   * @param {HTMLCanvasElement} sheet
   * @param {Camera} camera
   * @param {Surface} surface
   * @param {Tell} tell
   */
  constructor(sheet, camera, surface, tell) {
    this.#sheet = sheet;
    this.#camera = camera;
    this.#surface = surface;
    this.#tell = tell;
    sheet.addEventListener("pointerdown", (e) => this.#pressed(e));
    sheet.addEventListener("pointermove", (e) => this.#moved(e));
    sheet.addEventListener("pointerup", (e) => this.#released(e));
    sheet.addEventListener("pointercancel", () => this.#released(null));
    sheet.addEventListener("pointerleave", () => this.#left());
    sheet.addEventListener("keydown", (e) => this.#key(e));
  }

  /** @param {Board} board */
  hold(board) {
    this.#board = board;
  }

  /** Put down the pen. */
  rest() {
    this.#stroke = null;
    this.#cursor = null;
  }

  get cursor() {
    return this.#cursor;
  }

  /** The points as they are while a stroke is being drawn; null between strokes. */
  get unfinished() {
    return this.#stroke && this.#stroke.points;
  }

  /** How far from the cross points are set or rubbed out. */
  get reach() {
    return this.#share(this.#board?.rubber ? RUBBER : SPRAY);
  }

  /**
   * @param {MouseEvent} e
   * @returns {Place}
   */
  #place(e) {
    const r = this.#sheet.getBoundingClientRect();
    const { x, y, w, h } = this.#camera.box;
    return [(e.clientX - r.left - x) / w, (y + h - (e.clientY - r.top)) / h];
  }

  /** @param {number} pixels as a share of the sheet */
  #share(pixels) {
    return (pixels / this.#camera.box.w) * this.#surface.scale;
  }

  /** @param {PointerEvent} e */
  #pressed(e) {
    const board = this.#board;
    if (!board || this.#stroke || e.button > 0) return;
    this.#sheet.setPointerCapture(e.pointerId);
    this.#sheet.focus({ preventScroll: true });
    const from = this.#place(e);
    if (Math.max(Math.abs(from[0] - 0.5), Math.abs(from[1] - 0.5)) > OUTSIDE) return;
    const points = board.rubber ? erased(board.points, from, from, this.reach) : board.points;
    this.#stroke = { id: e.pointerId, from, start: [e.clientX, e.clientY], dragged: false, left: 0, points };
  }

  /** @param {PointerEvent} e */
  #moved(e) {
    const at = this.#place(e);
    const stroke = this.#stroke;
    this.#cursor = at;
    if (stroke && e.pointerId === stroke.id) {
      const far = Math.hypot(e.clientX - stroke.start[0], e.clientY - stroke.start[1]) > TAP;
      if (!stroke.dragged && !far) return;
      stroke.dragged = true;
      this.#draw(stroke, at);
    }
    this.#tell.move();
  }

  /**
   * Carry a stroke on to a place.
   * @param {Stroke} stroke
   * @param {Place} to
   */
  #draw(stroke, to) {
    const board = this.#board;
    if (!board) return;
    const radius = this.reach;
    if (board.rubber) stroke.points = erased(stroke.points, stroke.from, to, radius);
    else {
      const spray = { spacing: this.#share(SPACING), radius, left: stroke.left, random: this.#random };
      const way = sprayed(stroke.from, to, board.brush, spray);
      stroke.points = added(stroke.points, way.points, board.limits);
      stroke.left = way.left;
    }
    stroke.from = to;
  }

  /** @param {PointerEvent | null} e null where the stroke is broken off */
  #released(e) {
    const stroke = this.#stroke;
    const board = this.#board;
    if (!board || !stroke || (e && e.pointerId !== stroke.id)) return;
    this.#stroke = null;
    const click = e && !stroke.dragged && !board.rubber;
    const more = click ? [pointAt(...stroke.from, board.brush)] : [];
    board.put(added(stroke.points, more, board.limits));
    this.#tell.change();
  }

  #left() {
    if (this.#stroke) return;
    this.#cursor = null;
    this.#tell.move();
  }

  /** @param {KeyboardEvent} e */
  #key(e) {
    const board = this.#board;
    if (!board) return;
    const undo = undoKey(e);
    if (undo) {
      this.#tell.act(undo);
      return;
    }
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const arrow = arrowOf(e);
    const act = actOf(e.key, board.shown);
    if (arrow) this.#moveCursor(arrow);
    else if (e.key === "Enter" || e.key === " ") this.#dab(board);
    else if (e.key === "Delete" || e.key === "Backspace") this.#rub(board);
    else if (act) this.#tell.act(act);
    else return;
    e.preventDefault();
  }

  /** @returns {Place} */
  get #at() {
    return this.#cursor || [0.5, 0.5];
  }

  /** @param {Place} step */
  #moveCursor([dx, dy]) {
    const [x, y] = pointAt(this.#at[0] + dx, this.#at[1] + dy, 0);
    this.#cursor = [x, y];
    this.#tell.move();
  }

  /** @param {Board} board */
  #dab(board) {
    this.#cursor = this.#at;
    board.dab(this.#at, this.reach);
    this.#tell.change();
  }

  /** @param {Board} board */
  #rub(board) {
    board.rub(this.#at, this.reach);
    this.#tell.change();
  }
}

/**
 * Take an event that undoes or redoes.
 * @param {KeyboardEvent} e
 * @returns {"undo" | "redo" | null} which of the two it was, if it was
 */
export function undoKey(e) {
  const name = e.key.toLowerCase();
  if (!(e.ctrlKey || e.metaKey) || !["z", "y"].includes(name)) return null;
  e.preventDefault();
  e.stopPropagation();
  return name === "y" || e.shiftKey ? "redo" : "undo";
}

/**
 * @param {KeyboardEvent} e
 * @returns {Place | null}
 */
function arrowOf({ key, shiftKey }) {
  const step = STEP * (shiftKey ? 5 : 1);
  if (key === "ArrowLeft") return [-step, 0];
  if (key === "ArrowRight") return [step, 0];
  if (key === "ArrowUp") return [0, step];
  if (key === "ArrowDown") return [0, -step];
  return null;
}

/**
 * @param {string} key
 * @param {number} shown how many classes are offered
 * @returns {string | null} the button that the key stands for
 */
function actOf(key, shown) {
  if (key === "e") return "erase";
  if (key === "Escape") return "close";
  const digit = /^[0-9]$/.test(key) ? (Number(key) + 9) % 10 : shown;
  return digit < shown ? `brush:${digit}` : null;
}
