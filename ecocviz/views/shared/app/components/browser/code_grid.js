// @ts-check
// The code matrix as a grid of clickable entries. Edits are local and reach Python as one text.

import { addColumn, complementColumn, cycle, duplicateColumn, removeColumn, setEntry, writeCode } from "./codes.js";
import { setColours, themeOf } from "./colours.js";
import { marksOf, SHOWN, tableOf } from "./grid_table.js";
import { put } from "./markup.js";
import { mounted } from "./mount.js";
import { around, part } from "./page.js";
import { Messenger } from "./quiet.js";
import { offerSaving } from "./saving.js";

/** @import { Code } from "./codes.js" */
/** @import { Colours, Palette } from "./colours.js" */
/** @import { GridData } from "./grid_table.js" */
/** @import { Component } from "./quiet.js" */

/** @typedef {[number, number]} Entry row and column */

const DENSE = 14; // from more columns on entries are small
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
    this.#messenger = new Messenger(root);
    offerSaving(root, part(root, ".head"), "code matrix", () => ({ paper: themeOf(root, palette).surface }));
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
    const text = writeCode(data.code);
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
    this.#code = data.code;
    this.#text = text;
    this.#at = null;
  }

  #draw() {
    const data = this.#data;
    const code = this.#code;
    if (!data || !this.#colours) return;
    const nBits = code[0].length;
    const plain = data.editable ? "click an entry to change it" : "";
    part(this.#root, "h3").textContent = data.title;
    part(this.#root, ".hint").textContent = nBits > SHOWN ? `first ${SHOWN} of ${nBits} columns` : plain;
    const marks = marksOf(data, nBits, this.#text === this.#told);
    put(this.#table, tableOf(code, data.classes, marks, data.costTitle, this.#colours));
    this.#table.className = (nBits > DENSE ? "dense " : "") + (data.editable ? "" : "still");
    this.#tools.hidden = !data.editable;
    this.#mark();
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
    const cell = this.#table.querySelector(`.cell[data-c="${at[0]}"][data-b="${at[1]}"]`);
    cell?.classList.add("at");
    return /** @type {HTMLElement | null} */ (cell);
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
    if (!this.#data?.editable || (e.ctrlKey && e.key !== "z") || e.metaKey || e.altKey) return;
    if (e.ctrlKey) this.#act("undo");
    else if (MOVES[e.key]) this.#move(this.#focused(e), MOVES[e.key]);
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
    this.#mark()?.focus();
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
    } else if (name === "add") this.#change(addColumn(code, nBits), true);
    else if (name === "duplicate") this.#change(duplicateColumn(code, column), true);
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
      if (text !== this.#text || !this.#timer) return false; // a later change is on its way
      this.#timer = 0;
      return true;
    };
    this.#messenger.state("matrix", text, current);
  }

  /** A message sent while the page changes would ask for a page that is gone: the next grid sends it. */
  close() {
    if (this.#timer) unsent = { code: this.#code, of: this.#told };
    clearTimeout(this.#timer);
    this.#light(-1, false);
  }
}

export default mounted("code_grid", (root, palette) => new CodeGrid(root, palette));
