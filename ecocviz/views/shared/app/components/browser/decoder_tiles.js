// @ts-check
// Small pictures of the same plane, one a decoder, and one of where they disagree.

import { disagreement } from "./cells.js";
import { setColours, themeOf } from "./colours.js";
import { markup, put } from "./markup.js";
import { mounted } from "./mount.js";
import { around, part, pen } from "./page.js";
import { Inbox, readCoordinates, undoDifferences } from "./payload.js";
import { Messenger } from "./quiet.js";
import { symbolSvg } from "./symbols.js";
import { paintLabels, paintMask, paintPoints } from "./tile_paint.js";

/** @import { Colours, Palette } from "./colours.js" */
/** @import { Payload } from "./payload.js" */
/** @import { Component } from "./quiet.js" */
/** @import { Kind } from "./symbols.js" */

/** @typedef {{ key: string, title: string, note: string, summary: string }} Tile */
/**
 * @typedef {{ n: number, xRange: [number, number], yRange: [number, number], classes: Kind[], decoders: Tile[],
 *   own: number, choosable: boolean, said: string, differ: string, group: string, nPoints: number }} Header
 */
/**
 * Labels and wrong points stand one decoder after the other.
 * @typedef {{ header: Header, labels: Uint8Array[], wrong: Uint8Array[], mask: Uint8Array, xs: Float32Array,
 *   ys: Float32Array, kinds: Kind[] }} Records
 */
/** @typedef {Uint8Array<ArrayBuffer>} Message */

const MOST_CLASSES = 12; // more would take more room than the pictures
const NARROWEST = 120; // pixels of a picture
const USUAL = 132;
const SHARPEST = 2;

/**
 * @param {Payload<Header>} payload
 * @returns {Records}
 */
function readRecords({ header, blocks }) {
  const n = header.decoders.length;
  const labels = undoDifferences(blocks.labels, n);
  return {
    header,
    labels,
    wrong: undoDifferences(blocks.wrong, n),
    mask: disagreement(labels),
    ...readCoordinates(blocks.xy, header.nPoints),
    kinds: Array.from(blocks.classes, (c) => header.classes[c]),
  };
}

/**
 * @param {Header} header
 * @returns the pictures' markup, that of the disagreement first
 */
function tilesOf({ decoders, choosable, own, differ }) {
  const inside = (/** @type {string} */ title, /** @type {string} */ note) =>
    markup`<canvas></canvas><b>${title}</b><small>${note}</small>`;
  const tiles = decoders.map((d, k) => {
    const state = choosable ? markup`aria-pressed="${k === own}"` : markup`aria-disabled="true"`;
    const who = markup`data-key="${d.key}" title="${d.summary}"`;
    return markup`<button type="button" class="tile" ${who} ${state}>${inside(d.title, d.note)}</button>`;
  });
  const mask = markup`<div class="tile mask">${inside("Where they disagree", differ)}</div>`;
  return markup`${decoders.length > 1 ? mask : ""}${tiles}`;
}

class DecoderTiles {
  #root;
  #palette;
  #tiles;
  #messenger;
  #resizer;

  #inbox;

  /** @type {Records | null} */
  #records = null;

  /** @type {Colours | null} */
  #colours = null;

  /** Pixels of a picture as it was painted last. */
  #size = 0;

  /**
   * @param {HTMLElement} root
   * @param {Palette} palette
   */
  constructor(root, palette) {
    this.#root = root;
    this.#palette = palette;
    this.#tiles = part(root, ".tiles");
    this.#messenger = new Messenger(root);
    this.#inbox = new Inbox(root);
    this.#tiles.addEventListener("click", (e) => {
      const tile = around(e, "[data-key]");
      if (tile && !tile.hasAttribute("aria-disabled")) this.#messenger.trigger("decoder", tile.dataset.key);
    });
    this.#resizer = new ResizeObserver(() => {
      if (this.#wanted() !== this.#size) this.#paint();
    });
    this.#resizer.observe(this.#tiles);
  }

  close() {
    this.#resizer.disconnect();
  }

  /** @param {Component<Message>} component */
  async receive(component) {
    this.#messenger.connect(component);
    if (!component.data || !(await this.#inbox.read(component.data, (payload) => this.#adopt(payload)))) return;
    if (!this.#records) return;
    this.#colours = themeOf(this.#root, this.#palette);
    setColours(this.#root, this.#colours);
    this.#write(this.#records.header, this.#colours);
    this.#paint();
  }

  /** @param {Payload<Header>} payload */
  #adopt(payload) {
    this.#records = readRecords(payload);
  }

  /**
   * @param {Header} header
   * @param {Colours} colours
   */
  #write(header, colours) {
    part(this.#root, ".said").textContent = header.said;
    if (header.group) this.#tiles.setAttribute("aria-label", header.group);
    const listed = header.classes.length <= MOST_CLASSES ? header.classes : [];
    const legend = listed.map(
      (kind) => markup`<span title="${kind.name}">${symbolSvg(kind, colours, 13)}<i>${kind.name}</i></span>`,
    );
    put(part(this.#root, ".classes"), markup`${legend}`);
    const focused = this.#focused();
    put(this.#tiles, tilesOf(header));
    const again = this.#children().find((tile) => focused && tile.dataset.key === focused);
    again?.focus();
  }

  #children() {
    return /** @type {HTMLElement[]} */ ([...this.#tiles.children]);
  }

  /** The key of the picture that keys go to. */
  #focused() {
    const within = /** @type {Document | ShadowRoot} */ (this.#root.getRootNode());
    return /** @type {HTMLElement | null} */ (within.activeElement)?.dataset?.key;
  }

  #width() {
    return this.#tiles.firstElementChild?.clientWidth || 0;
  }

  #wanted() {
    return Math.round((this.#width() || USUAL) * Math.min(window.devicePixelRatio || 1, SHARPEST));
  }

  #paint() {
    const records = this.#records;
    const colours = this.#colours;
    if (!records || !colours) return;
    const started = performance.now();
    const { n, decoders, classes } = records.header;
    const size = (this.#size = this.#wanted());
    const masked = decoders.length > 1 ? 1 : 0;
    this.#children().forEach((tile, place) => {
      const canvas = /** @type {HTMLCanvasElement} */ (tile.firstElementChild);
      const context = pen(canvas);
      const k = place - masked;
      canvas.width = canvas.height = size;
      if (k < 0) paintMask(context, size, n, records.mask, colours);
      else {
        paintLabels(context, size, n, records.labels[k], classes, colours);
        this.#paintPoints(context, records, k, colours);
      }
    });
    this.#inbox.painted();
    this.#root.dataset.paintMs = (performance.now() - started).toFixed(1);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Records} records
   * @param {number} k
   * @param {Colours} colours
   */
  #paintPoints(context, { header, xs, ys, kinds, wrong }, k, colours) {
    const size = this.#size;
    const [x0, x1] = header.xRange;
    const [y0, y1] = header.yRange;
    const placeOf = (/** @type {number} */ i) =>
      /** @type {[number, number]} */ ([((xs[i] - x0) / (x1 - x0)) * size, size - ((ys[i] - y0) / (y1 - y0)) * size]);
    paintPoints(context, placeOf, size / Math.max(NARROWEST, this.#width()), kinds, wrong[k], colours);
  }
}

export default mounted("decoder_tiles", (root, palette) => new DecoderTiles(root, palette));
