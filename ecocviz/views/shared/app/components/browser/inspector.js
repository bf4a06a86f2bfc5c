// @ts-check
// The decode inspector: what every machine says of one point, flips of its bits, every decoder's verdict.

import { setColours, themeOf } from "./colours.js";
import { orderOf } from "./inspector_order.js";
import { bitsTable, costsTable, verdictsTable } from "./inspector_tables.js";
import { markup, put } from "./markup.js";
import { mounted } from "./mount.js";
import { around, focusedIn, onUsed, part } from "./page.js";
import { Messenger } from "./quiet.js";
import { symbolSvg } from "./symbols.js";

/** @import { Colours, Palette } from "./colours.js" */
/** @import { Order } from "./inspector_order.js" */
/** @import { Inspection } from "./inspector_tables.js" */
/** @import { Component } from "./quiet.js" */

class Inspector {
  #root;
  #palette;
  #messenger;

  /** @type {number[]} the bits that are flipped, be it that Python has not yet heard of it */
  #flips = [];

  /** The point they are flipped of, and how often they were sent. */
  #of = "";
  #sent = 0;

  /** @type {number | undefined} the bit whose row is pointed at */
  #bit;

  /** @type {Inspection | null} */
  #data = null;

  /** How many bits are used, 0 for all. */
  #used = 0;
  #deaf;

  /** @type {Order | null} how the bits are listed, and of which point they are */
  #order = null;
  #listed = "";

  /** Whether the bits of other classes are shown. */
  #open = false;

  /**
   * @param {HTMLElement} root
   * @param {Palette} palette
   */
  constructor(root, palette) {
    this.#root = root;
    this.#palette = palette;
    this.#messenger = new Messenger(root);
    root.addEventListener("click", (e) => this.#clicked(e));
    this.#deaf = onUsed((bits) => {
      this.#used = bits;
      this.#bits();
    });
    const table = part(root, ".bits");
    const light = (/** @type {Event} */ e) => {
      const row = around(e, "[data-number]");
      this.#light(row ? Number(row.dataset.number) : -1);
    };
    table.addEventListener("pointerover", light);
    table.addEventListener("pointerleave", () => this.#light(-1));
    // What keys reach is shown as well; a click's focus is not, which would outlast the pointer.
    table.addEventListener("focusin", (e) => around(e, ":focus-visible") && light(e));
    table.addEventListener("focusout", () => this.#light(-1));
  }

  close() {
    this.#deaf();
    this.#light(-1);
  }

  /** @param {number} bit whose boundary the regions are to show; -1 for none */
  #light(bit) {
    if (bit === this.#bit) return;
    this.#bit = bit;
    window.dispatchEvent(new CustomEvent("ecocviz-column", { detail: { bit } }));
  }

  /** @param {Event} e */
  #clicked(e) {
    const flip = around(e, "[data-flip]");
    const act = around(e, "[data-act]")?.dataset.act;
    if (flip) this.#toggle(Number(flip.dataset.flip));
    else if (act === "restore") this.#send([]);
    else if (act === "next") this.#messenger.trigger("next", true);
    else if (act === "fold") {
      this.#open = !this.#open;
      this.#bits();
    }
  }

  /** @param {number} bit */
  #toggle(bit) {
    const flips = new Set(this.#flips);
    if (!flips.delete(bit)) flips.add(bit);
    this.#send([...flips].sort((a, b) => a - b));
  }

  /** @param {number[]} flips */
  #send(flips) {
    this.#flips = flips;
    const n = ++this.#sent;
    this.#messenger.state("flips", { bits: flips, of: this.#of, n }, () => n === this.#sent);
  }

  /** @param {Component<Inspection>} component */
  receive(component) {
    this.#messenger.connect(component);
    const { data } = component;
    if (!data) return;
    this.#data = data;
    this.#flips = data.flips;
    this.#of = data.of;
    const colours = themeOf(this.#root, this.#palette);
    setColours(this.#root, colours);
    this.#head(data, colours);
    const at = (/** @type {string} */ selector) => part(this.#root, selector);
    at(".read").textContent = data.readText;
    this.#bits();
    at(".tips").textContent = data.flipText;
    at("[data-act=restore]").style.display = data.flips.length ? "" : "none";
    put(at(".verdicts"), verdictsTable(data, colours));
    put(at(".costs"), costsTable(data, colours));
  }

  /** Draw the bits; what has the focus among them keeps it. */
  #bits() {
    const data = this.#data;
    if (!data) return;
    const point = `${data.of}|${data.decoder}|${data.scores.length}`;
    this.#order = orderOf(data, point === this.#listed ? this.#order : null);
    this.#listed = point;
    const table = part(this.#root, ".bits");
    const held = focusedIn(table)?.dataset;
    put(table, bitsTable(data, this.#order, this.#open, this.#used));
    const [, said] = data.steps.find(([n]) => n === this.#used) ?? [0, data.said];
    part(this.#root, ".said").textContent = said;
    part(this.#root, ".all").textContent = this.#used ? `With all ${data.scores.length} bits:` : "";
    if (!held) return;
    const again = held.flip ? `[data-flip="${held.flip}"]` : "[data-act=fold]";
    /** @type {HTMLElement | null} */ (table.querySelector(again))?.focus();
  }

  /**
   * @param {Inspection} data
   * @param {Colours} colours
   */
  #head({ truth, classes, title, nextText }, colours) {
    const symbol = truth >= 0 ? symbolSvg(classes[truth], colours, 16) : "";
    put(part(this.#root, "h3"), markup`${symbol}<span>${title}</span>`);
    const next = part(this.#root, "[data-act=next]");
    next.textContent = nextText;
    next.style.display = nextText ? "" : "none";
  }
}

export default mounted("inspector", (root, palette) => new Inspector(root, palette));
