// @ts-check
// Drawing points on a sheet over the decision regions. All of it is local until "Train on these".

import { toolsOf, told } from "./drawing_bar.js";
import { Board } from "./drawing_board.js";
import { Hand, undoKey } from "./drawing_hand.js";
import { added, compacted, obstacle, pointAt } from "./drawing_logic.js";
import { paintCursor, paintPoints, paintSheet } from "./drawing_sheet.js";
import { put } from "./markup.js";
import { around, canvasPart, part, pen } from "./page.js";
import { edgeOf } from "./symbols.js";

/** @import { Colours } from "./colours.js" */
/** @import { Point } from "./drawing_logic.js" */
/** @import { Camera } from "./region_camera.js" */
/** @import { Records } from "./region_records.js" */
/** @import { Surface } from "./region_surface.js" */

/**
 * `shown`: the sheet has come or gone; `train`: these points are to be trained on.
 * @typedef {{ shown: () => void, train: (points: Point[]) => void }} Tell
 */

const HELP = "Arrow keys move the cross, Enter adds a point, Delete erases points, digits choose the class.";

export class Drawing {
  #root;
  #sheet;
  #bar;
  #camera;
  #surface;
  #hand;
  #tell;
  #on = false;
  #said = "";

  /** @type {Board | null} */
  #board = null;

  /** @type {{ records: Records, colours: Colours } | null} what the regions show */
  #shown = null;

  /**
   * @param {HTMLElement} root
   * @param {Camera} camera
   * @param {Surface} surface
   * @param {Tell} tell
   */
  constructor(root, camera, surface, tell) {
    this.#root = root;
    this.#sheet = canvasPart(root, ".sheet");
    this.#bar = part(root, ".drawbar");
    this.#camera = camera;
    this.#surface = surface;
    this.#tell = tell;
    this.#hand = new Hand(this.#sheet, camera, surface, {
      change: () => this.#changed(),
      move: () => this.paint(),
      act: (name) => this.#act(name),
    });
    this.#bar.addEventListener("click", (e) => {
      const name = around(e, "[data-draw]")?.dataset.draw;
      if (name) this.#act(name);
    });
    this.#bar.addEventListener("keydown", (e) => {
      const name = e.key === "Escape" ? "close" : undoKey(e);
      if (name) this.#act(name);
    });
  }

  get on() {
    return this.#on;
  }

  /**
   * @param {Records} records
   * @param {Colours} colours
   */
  adopt(records, colours) {
    const { brushes, mostDrawn } = records.header;
    this.#shown = { records, colours };
    this.#board ??= new Board({ points: mostDrawn, classes: brushes.length });
    this.#hand.hold(this.#board);
    this.#tools();
  }

  /** @param {boolean} on */
  show(on) {
    this.#on = on;
    this.#hand.rest();
    this.#said = "";
    this.#tell.shown();
    this.#tools();
    const next = on ? this.#sheet : part(this.#root, "[data-act=draw]");
    next.focus({ preventScroll: true });
  }

  /** @param {string} name of a button */
  #act(name) {
    const board = this.#board;
    if (!board) return;
    const [what, k] = name.split(":");
    if (what === "train") this.#train(board);
    else if (what === "close") this.show(false);
    else if (["undo", "redo", "clear", "copy"].includes(what)) this.#change(board, what);
    else {
      if (what === "brush") board.take(Number(k));
      else if (what === "add") board.offer();
      else if (what === "erase") board.toggleRubber();
      this.#redraw();
    }
  }

  /**
   * @param {Board} board
   * @param {string} what
   */
  #change(board, what) {
    if (what === "undo") board.undo();
    else if (what === "redo") board.redo();
    else if (what === "clear") board.put([]);
    else this.#copy(board);
    this.#changed();
  }

  #changed() {
    this.#said = "";
    this.#redraw();
  }

  #redraw() {
    this.#tools();
    this.paint();
  }

  /**
   * Draw the points that the regions show, where they are seen.
   * @param {Board} board
   */
  #copy(board) {
    if (!this.#shown) return;
    const { xs, ys, pointClass } = this.#shown.records;
    const [x0, x1, y0, y1] = this.#camera.home;
    const points = Array.from(xs, (x, i) => pointAt((x - x0) / (x1 - x0), (ys[i] - y0) / (y1 - y0), pointClass[i]));
    board.put(added([], points, board.limits));
  }

  /** @param {Board} board */
  #train(board) {
    this.#said = obstacle(board.points);
    if (this.#said) {
      this.#tools();
      return;
    }
    board.put(compacted(board.points));
    this.#tell.train(board.points);
    this.show(false);
  }

  #tools() {
    this.#sheet.hidden = this.#bar.hidden = !this.#on;
    const board = this.#board;
    if (!this.#on || !board || !this.#shown) return;
    const { records, colours } = this.#shown;
    const { brushes, classes } = records.header;
    const bar = this.#bar;
    const within = /** @type {Document | ShadowRoot} */ (bar.getRootNode());
    const focused = /** @type {HTMLElement | null} */ (within.activeElement)?.dataset.draw;
    put(bar, toolsOf(board, brushes, colours, classes.length <= brushes.length, this.#said || told(board)));
    if (focused) {
      const again = bar.querySelector(`[data-draw="${focused}"]:not(:disabled)`);
      /** @type {HTMLElement | null} */ (again)?.focus();
    }
    this.#sheet.setAttribute("aria-label", `Sheet to draw on. ${told(board)} ${HELP}`);
  }

  paint() {
    const board = this.#board;
    const surface = this.#surface;
    if (!this.#on || !surface.width || !board || !this.#shown) return;
    const { records, colours } = this.#shown;
    const { brushes } = records.header;
    const { box } = this.#camera;
    const sheet = this.#sheet;
    if (sheet.width !== surface.over.width || sheet.height !== surface.over.height) surface.fitted(sheet);
    const context = pen(sheet);
    surface.scaled(context);
    const points = this.#hand.unfinished || board.points;
    paintSheet(context, box, sheet, colours);
    paintPoints(context, box, points, brushes, colours);
    const { cursor, reach } = this.#hand;
    if (cursor) {
      const edge = board.rubber ? colours.wrong : edgeOf(brushes[board.brush], colours);
      paintCursor(context, box, cursor, reach * box.w, edge, colours.ink);
    }
    this.#root.dataset.drawn = String(points.length);
  }
}
