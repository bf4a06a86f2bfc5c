// @ts-check
// The code matrix as a grid of clickable entries. Edits are local and reach Python as one text.

import {
  addColumn,
  complementColumn,
  cycle,
  duplicateColumn,
  readCode,
  removeColumn,
  setEntry,
  writeCode,
} from "./codes.js";
import { setColours, themeOf } from "./colours.js";
import { Overview } from "./grid_overview.js";
import { marksOf, tableOf } from "./grid_table.js";
import { fitting, showing, WIDE, windowAt } from "./grid_window.js";
import { put } from "./markup.js";
import { mounted } from "./mount.js";
import { around, focusedIn, onUsed, part } from "./page.js";
import { Messenger } from "./quiet.js";

/** @import { Code } from "./codes.js" */
/** @import { Colours, Palette } from "./colours.js" */
/** @import { GridData, Marks } from "./grid_table.js" */
/** @import { Window } from "./grid_window.js" */
/** @import { Component } from "./quiet.js" */

/** @typedef {[number, number]} Entry row and column */

const DENSE = 14; // of more columns entries are small, and where large ones find no room
const SHADE = 10; // pixels that the costs, which stay in view, shade beside them
const SEND_MS = 250;
const MOST_UNDONE = 200;

/** @type {Record<string, Entry>} */
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** @type {Record<string, number>} */
const VALUES = { "+": 1, "-": -1, 0: 0, "=": 1 };

/** @type {{ code: Code, of: string } | null} an edit that was not sent when its page was left */
let unsent = null;

class CodeGrid {
  #root;
  #palette;
  #table;
  #tools;
  #messenger;
  #overview;
  #resizer;

  /** @type {Window} the columns that the table shows */
  #shown = { first: 0, count: 0 };

  /** Whether entries are small. */
  #dense = false;

  /** Of what width and matrix its room was measured. */
  #fitted = "";

  /** @type {GridData | null} */
  #data = null;

  /** @type {Colours | null} */
  #colours = null;

  /** @type {Code} the matrix as it is here */
  #code = [[]];

  /** @type {Code[]} */
  #undone = [];

  /** @type {string | null} the matrix here as text, and the one that Python sent */
  #text = null;
  #told = "";

  /** @type {Entry | null} the entry that keys change */
  #at = null;

  /** The column that is lit, and the one whose boundary the regions show; -1 for none. */
  #lit = -1;

  /** @type {number | undefined} */
  #boundary;

  /** How many bits are used, 0 for all. */
  #used = 0;
  #deaf;

  /** @type {ReturnType<typeof setTimeout> | 0} runs while an edit is not yet sent */
  #timer = 0;

  /**
   * @param {HTMLElement} root
   * @param {Palette} palette
   */
  constructor(root, palette) {
    this.#root = root;
    this.#palette = palette;
    this.#table = part(root, "table");
    this.#tools = part(root, ".tools");
    this.#messenger = new Messenger(root, () => Boolean(this.#data?.editable));
    this.#overview = new Overview(root, (shown) => {
      this.#shown = shown;
      this.#draw();
    });
    this.#resizer = new ResizeObserver(() => {
      if (!this.#fitted.startsWith(`${root.clientWidth} `)) this.#draw();
    });
    this.#resizer.observe(root);
    this.#deaf = onUsed((bits) => {
      this.#used = bits;
      this.#draw();
    });
    this.#table.addEventListener("click", (e) => this.#clicked(e));
    this.#table.addEventListener("keydown", (e) => this.#key(e));
    this.#table.addEventListener("pointerover", (e) => {
      const cell = around(e, "[data-b]");
      this.#light(cell ? Number(cell.dataset.b) : -1, Boolean(cell?.classList.contains("col")));
    });
    this.#table.addEventListener("pointerleave", () => this.#light(-1, false));
    this.#tools.addEventListener("click", (e) => {
      const name = around(e, "[data-act]")?.dataset.act;
      if (name) this.#act(name);
    });
  }

  /** @param {Component<GridData>} component */
  receive(component) {
    this.#messenger.connect(component);
    const { data } = component;
    if (!data) return;
    const text = data.code.join("\n");
    this.#colours = themeOf(this.#root, this.#palette);
    setColours(this.#root, this.#colours);
    this.#adopt(data, text);
    this.#told = text;
    this.#data = data;
    this.#draw();
    if (!unsent || !data.editable) return;
    const { code, of } = unsent;
    unsent = null;
    if (of === text) this.#change(code, true);
  }

  /**
   * Take Python's matrix, unless an edit made here is newer.
   * @param {GridData} data
   * @param {string} text
   */
  #adopt(data, text) {
    const first = this.#text === null;
    if (!first && (text === this.#text || this.#timer)) return;
    if (!first && !data.draft) this.#undone = [];
    this.#code = readCode(data.code);
    this.#text = text;
    this.#at = null;
  }

  /** Choose how the table shows the columns: large, small, or as a window, by what finds room in its width. */
  #fit() {
    const n = this.#code[0].length;
    const width = this.#root.clientWidth;
    const fitted = `${width} ${n} ${this.#data?.costTitle}`;
    if (fitted === this.#fitted) return;
    this.#fitted = fitted;
    const { first } = this.#shown;
    for (this.#dense of n > DENSE ? [true] : [false, true]) {
      this.#shown = windowAt(0, Math.min(n, WIDE), n);
      this.#drawTable();
      if (this.#shown.count === n && this.#table.offsetWidth <= width) return;
    }
    this.#shown = windowAt(first, fitting(width), n);
    this.#drawTable();
    const column = this.#table.querySelector("th.col")?.getBoundingClientRect().width;
    if (!column) return;
    const beside = this.#table.offsetWidth - column * this.#shown.count + SHADE;
    this.#shown = windowAt(first, fitting(width, beside, column), n);
  }

  #draw() {
    const data = this.#data;
    const code = this.#code;
    if (!data || !this.#colours) return;
    const nBits = code[0].length;
    part(this.#root, "h3").textContent = data.title;
    part(this.#root, ".hint").textContent = data.editable ? "click an entry to change it" : "";
    this.#table.setAttribute("aria-colcount", String(nBits + (data.costs ? 2 : 1)));
    this.#table.setAttribute("aria-readonly", String(!data.editable));
    const held = focusedIn(this.#table)?.dataset;
    this.#fit();
    const marks = this.#drawTable();
    this.#overview.draw(code, this.#text ?? "", this.#shown, marks, this.#colours);
    if (held?.c) this.#cell([Number(held.c), Number(held.b)])?.focus({ preventScroll: true });
    this.#tools.hidden = !data.editable;
    this.#mark();
  }

  /** @returns {Marks} what is marked */
  #drawTable() {
    const { classes, costTitle } = /** @type {GridData} */ (this.#data);
    const known = this.#text === this.#told;
    const marks = marksOf(/** @type {GridData} */ (this.#data), this.#code[0].length, known, this.#used);
    const colours = /** @type {Colours} */ (this.#colours);
    this.#table.className = (this.#dense ? "dense " : "") + (this.#data?.editable ? "" : "still");
    put(this.#table, tableOf(this.#code, classes, marks, costTitle, colours, this.#looked()));
    return marks;
  }

  /** What is drawn; the Tab key comes to the entry that keys change, or to the first. */
  #looked() {
    const { first, count } = this.#shown;
    const within = this.#at && this.#at[1] >= first && this.#at[1] < first + count;
    return { shown: this.#shown, at: this.#at && within ? this.#at : /** @type {Entry} */ ([0, first]) };
  }

  /**
   * @param {Entry} at
   * @returns {HTMLElement | null}
   */
  #cell([c, b]) {
    return this.#table.querySelector(`.cell[data-c="${c}"][data-b="${b}"]`);
  }

  /** @returns {HTMLElement | null} the entry that keys change */
  #mark() {
    const at = this.#at;
    this.#table.querySelector(".at")?.classList.remove("at");
    for (const act of ["duplicate", "complement", "remove"]) {
      const button = this.#button(act);
      button.style.display = at ? "" : "none";
      button.disabled = act === "remove" && this.#code[0].length < 2;
    }
    this.#button("undo").disabled = !this.#undone.length;
    part(this.#tools, ".which").textContent = at ? `column ${at[1] + 1}` : "";
    if (!at) return null;
    const cell = this.#cell(at);
    if (!cell) return null;
    for (const one of this.#table.querySelectorAll('[tabindex="0"]')) one.setAttribute("tabindex", "-1");
    cell.setAttribute("tabindex", "0");
    cell.classList.add("at");
    return cell;
  }

  /** @param {string} act */
  #button(act) {
    return /** @type {HTMLButtonElement} */ (part(this.#tools, `[data-act=${act}]`));
  }

  /**
   * @param {number} bit the column that is pointed at
   * @param {boolean} whole whether its head is: the regions then show its boundary
   */
  #light(bit, whole) {
    if (bit !== this.#lit) {
      this.#lit = bit;
      for (const cell of this.#table.querySelectorAll(".lit, .over")) cell.classList.remove("lit", "over");
      const cells = bit >= 0 ? this.#table.querySelectorAll(`[data-b="${bit}"]`) : [];
      for (const cell of cells) cell.classList.add(cell.classList.contains("col") ? "over" : "lit");
    }
    const boundary = whole ? bit : -1;
    if (boundary === this.#boundary) return;
    this.#boundary = boundary;
    window.dispatchEvent(new CustomEvent("ecocviz-column", { detail: { bit: boundary } }));
  }

  /** @param {MouseEvent} e */
  #clicked(e) {
    const t = around(e, "[data-b]");
    if (!t || !this.#data?.editable) return;
    if (t.classList.contains("col")) {
      this.#at = [0, Number(t.dataset.b)];
      this.#mark();
      return;
    }
    this.#at = [Number(t.dataset.c), Number(t.dataset.b)];
    this.#change(cycle(this.#code, ...this.#at, e.shiftKey ? -1 : 1), true);
  }

  /** @param {KeyboardEvent} e */
  #key(e) {
    if ((e.ctrlKey && e.key !== "z") || e.metaKey || e.altKey) return;
    const editable = this.#data?.editable;
    if (e.ctrlKey && editable) this.#act("undo");
    else if (MOVES[e.key]) this.#move(this.#focused(e), MOVES[e.key]);
    else if (!editable) return;
    else if (e.key in VALUES || e.key === " " || e.key === "Enter") this.#write(this.#focused(e), e.key);
    else return;
    e.preventDefault();
  }

  /**
   * @param {KeyboardEvent} e
   * @returns {Entry}
   */
  #focused(e) {
    const t = around(e, ".cell");
    return t ? [Number(t.dataset.c), Number(t.dataset.b)] : this.#at || [0, 0];
  }

  /**
   * @param {Entry} from
   * @param {Entry} step
   */
  #move([c, b], [down, right]) {
    const within = (/** @type {number} */ k, /** @type {number} */ n) => Math.min(n - 1, Math.max(0, k));
    this.#at = [within(c + down, this.#code.length), within(b + right, this.#code[0].length)];
    this.#follow();
    this.#mark()?.focus();
  }

  /** Move the window to the entry that keys change. */
  #follow() {
    const shown = this.#at && showing(this.#shown, this.#at[1], this.#code[0].length);
    if (!shown || shown.first === this.#shown.first) return;
    this.#shown = shown;
    this.#draw();
  }

  /**
   * @param {Entry} at
   * @param {string} key
   */
  #write(at, key) {
    this.#at = at;
    this.#change(key in VALUES ? setEntry(this.#code, ...at, VALUES[key]) : cycle(this.#code, ...at, 1), true);
    this.#mark()?.focus();
  }

  /** @param {string} name of a button */
  #act(name) {
    const code = this.#code;
    const nBits = code[0].length;
    const column = this.#at ? this.#at[1] : nBits - 1;
    if (name === "undo") {
      const last = this.#undone.pop();
      if (last) this.#change(last, false);
    } else if (name === "add") {
      this.#shown = { ...this.#shown, first: nBits }; // so that it is seen
      this.#change(addColumn(code, nBits), true);
    } else if (name === "duplicate") this.#change(duplicateColumn(code, column), true);
    else if (name === "complement") this.#change(complementColumn(code, column), true);
    else if (name === "remove" && nBits > 1) this.#change(removeColumn(code, column), true);
  }

  /**
   * @param {Code} code
   * @param {boolean} keep whether it can be undone
   */
  #change(code, keep) {
    if (keep) this.#undone.push(this.#code);
    if (this.#undone.length > MOST_UNDONE) this.#undone.shift();
    this.#code = code;
    this.#text = writeCode(code);
    if (this.#at && this.#at[1] >= code[0].length) this.#at = null;
    this.#draw();
    clearTimeout(this.#timer); // quick clicks are one message
    this.#timer = setTimeout(() => this.#send(), SEND_MS);
  }

  #send() {
    const text = this.#text;
    const current = () => {
      if (text !== this.#text) return false; // a later change is on its way
      this.#timer = 0;
      return true;
    };
    this.#messenger.state("matrix", text, current);
  }

  /** A message sent while the page changes would ask for a page that is gone: the next grid sends it. */
  close() {
    if (this.#timer) unsent = { code: this.#code, of: this.#told };
    clearTimeout(this.#timer);
    this.#resizer.disconnect();
    this.#deaf();
    this.#light(-1, false);
  }
}

export default mounted("code_grid", (root, palette) => new CodeGrid(root, palette));
