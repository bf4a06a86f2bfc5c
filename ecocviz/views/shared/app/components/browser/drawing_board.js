// @ts-check
// What is drawn and with what: the points and their history, the brush, the rubber. The one owner of both.

import { added, commit, erased, newHistory, pointAt, readDrawing, redone, undone } from "./drawing_logic.js";

/** @import { History, Limits, Place, Point } from "./drawing_logic.js" */

const STORE = "ecocviz.drawing";
const FEWEST_SHOWN = 3; // classes that are offered before points ask for more

export class Board {
  #limits;

  /** @type {History} */
  #history;
  #brush = 0;
  #rubber = false;
  #shown = FEWEST_SHOWN;

  /**
   * Begin with what the browser has kept.
   * @param {Limits} limits
   */
  constructor(limits) {
    this.#limits = limits;
    this.#history = newHistory(readDrawing(stored(), limits));
    this.#showUsed();
  }

  get points() {
    return this.#history.points;
  }

  get limits() {
    return this.#limits;
  }

  /** The class that is drawn. */
  get brush() {
    return this.#brush;
  }

  get rubber() {
    return this.#rubber;
  }

  /** How many classes are offered. */
  get shown() {
    return this.#shown;
  }

  get full() {
    return this.points.length >= this.#limits.points;
  }

  get undoable() {
    return this.#history.past.length > 0;
  }

  get redoable() {
    return this.#history.future.length > 0;
  }

  /** @param {number} c */
  take(c) {
    this.#brush = c;
    this.#rubber = false;
  }

  /** Offer one more class and take it. */
  offer() {
    this.#shown = Math.min(this.#limits.classes, this.#shown + 1);
    this.take(this.#shown - 1);
  }

  toggleRubber() {
    this.#rubber = !this.#rubber;
  }

  undo() {
    this.#keep(undone(this.#history));
  }

  redo() {
    this.#keep(redone(this.#history));
  }

  /**
   * As one step that can be undone.
   * @param {Point[]} points
   */
  put(points) {
    this.#keep(commit(this.#history, points));
  }

  /**
   * Draw or rub out at one place.
   * @param {Place} at
   * @param {number} reach of the rubber
   */
  dab(at, reach) {
    if (this.#rubber) this.rub(at, reach);
    else this.put(added(this.points, [pointAt(...at, this.#brush)], this.#limits));
  }

  /**
   * @param {Place} at
   * @param {number} reach
   */
  rub(at, reach) {
    this.put(erased(this.points, at, at, reach));
  }

  /** @param {History} history */
  #keep(history) {
    this.#history = history;
    this.#showUsed();
    try {
      sessionStorage.setItem(STORE, JSON.stringify(history.points));
    } catch {
      // private windows keep nothing
    }
  }

  #showUsed() {
    this.#shown = Math.max(this.#shown, ...this.points.map((p) => p[2] + 1));
  }
}

function stored() {
  try {
    return sessionStorage.getItem(STORE) || "[]";
  } catch {
    return "[]";
  }
}
