// @ts-check
// The buttons around the regions, the legend and the note under the picture.

import { markup, put } from "./markup.js";
import { around, focusedIn, part } from "./page.js";
import { marksOf } from "./region_legend.js";
import { symbolSvg } from "./symbols.js";

/** @import { Colours } from "./colours.js" */
/** @import { Decoder, Header, Records } from "./region_records.js" */

/**
 * What is on and off now.
 * @typedef {{ decoder: number, differences: boolean, shading: boolean, playing: boolean, played: boolean,
 *   drawing: boolean }} Now
 */

export class Controls {
  #root;
  #act;
  #note;
  #legend;
  #marks;
  #chooser;
  #bar;

  /**
   * @param {ParentNode & EventTarget} root
   * @param {(name: string) => void} act is told what a button asks for
   */
  constructor(root, act) {
    this.#root = root;
    this.#act = act;
    this.#note = part(root, ".note");
    this.#legend = part(root, ".legend");
    this.#marks = part(root, ".marks");
    this.#chooser = part(root, ".decoders");
    this.#bar = part(root, ".bar");
    root.addEventListener("click", (e) => {
      const name = around(e, "[data-act]")?.dataset.act;
      if (name) act(name);
    });
  }

  /**
   * @param {Header} header
   * @param {Colours} colours
   * @param {Now} now
   */
  draw(header, colours, now) {
    this.#buttons(header, now);
    this.#decoders(header.decoders, now.decoder);
    const kinds = header.nLegend ? header.classes : [];
    const legend = kinds.map(
      (kind) => markup`<span title="${kind.name}">${symbolSvg(kind, colours, 14)}<i>${kind.name}</i></span>`,
    );
    put(this.#legend, markup`${legend}`);
  }

  /**
   * Say what the marks mean.
   * @param {Records} records
   * @param {Colours} colours
   */
  explain(records, colours) {
    put(this.#marks, marksOf(records, colours));
  }

  /**
   * Whether a key may do what a button does: not where the button is not there.
   * @param {string} name
   */
  offers(name) {
    return !["differences", "shading", "play"].includes(name) || this.#button(name).style.display !== "none";
  }

  /** @param {string} name */
  #button(name) {
    return part(this.#root, `[data-act=${name}]`);
  }

  /**
   * While points are drawn by hand only the way back is left.
   * @param {Header} header
   * @param {Now} now
   */
  #buttons(header, now) {
    const { drawing } = now;
    this.#toggle("differences", now.differences, header.decoders.length > 1 && !drawing);
    this.#toggle("shading", now.shading, !drawing && !header.bare);
    this.#toggle("play", now.playing || now.played, header.canPlay && !drawing);
    this.#toggle("draw", drawing, header.brushes.length > 0);
    part(this.#root, "[data-act=draw] svg").style.display = drawing ? "none" : "";
    part(this.#root, "[data-act=draw] span").hidden = !drawing;
    this.#button("draw").setAttribute("aria-label", drawing ? "Back to the regions" : "Draw");
    for (const shown of [this.#chooser, this.#legend, part(this.#root, ".zoom")]) {
      shown.style.visibility = drawing ? "hidden" : "";
    }
    this.#legend.style.display = this.#marks.style.display = drawing ? "none" : "";
    this.#button("play").textContent = now.playing ? "Pause" : "Play bits";
  }

  /**
   * @param {string} name
   * @param {boolean} on
   * @param {boolean} offered
   */
  #toggle(name, on, offered) {
    const button = this.#button(name);
    button.setAttribute("aria-pressed", String(on));
    button.style.display = offered ? "" : "none";
  }

  /**
   * Side by side where they fit on one line, else a list.
   * @param {Decoder[]} decoders
   * @param {number} chosen
   */
  #decoders(decoders, chosen) {
    const chooser = this.#chooser;
    if (decoders.length < 2) {
      put(chooser, markup`<span class="only">${decoders[0].title}</span>`);
      return;
    }
    const held = focusedIn(chooser);
    this.#layOut(decoders, chosen);
    if (held) /** @type {HTMLElement | null} */ (chooser.querySelector('[aria-checked="true"], select'))?.focus();
  }

  /**
   * @param {Decoder[]} decoders
   * @param {number} chosen
   */
  #layOut(decoders, chosen) {
    const chooser = this.#chooser;
    put(chooser, besides(decoders, chosen));
    const last = /** @type {HTMLElement} */ (this.#bar.lastElementChild);
    const broken = last.offsetTop > chooser.offsetTop + 8;
    if (!broken && part(chooser, ".seg").scrollWidth <= this.#bar.clientWidth) return;
    put(chooser, listed(decoders, chosen));
    const list = /** @type {HTMLSelectElement} */ (part(chooser, "select"));
    list.addEventListener("change", () => this.#act(`decoder:${list.value}`));
  }

  /**
   * Say what is shown in place of the plain regions.
   * @param {Records} records
   * @param {{ column: number, differences: boolean }} state
   * @param {boolean} waiting for the regions of fewer bits
   */
  report(records, state, waiting) {
    this.#note.textContent = noteOn(records, state, waiting);
  }
}

/**
 * @param {Pick<Records, "mask">} records
 * @param {{ column: number, differences: boolean }} state
 * @param {boolean} waiting
 */
export function noteOn({ mask }, { column, differences }, waiting) {
  if (column >= 0) {
    return `Bit ${column + 1} alone: one colour where its machine says +, the other where it says \u2212.`;
  }
  if (differences) {
    const share = ((100 * mask.reduce((sum, v) => sum + v, 0)) / mask.length).toFixed(1);
    return `They disagree on ${share} % of the plane (striped).`;
  }
  return waiting ? "Decoding with 1, 2, 3 \u2026 bits" : "";
}

/**
 * @param {Decoder[]} decoders
 * @param {number} chosen
 */
function besides(decoders, chosen) {
  const buttons = decoders.map((d, k) => {
    const state = markup`data-act="decoder:${k}" aria-checked="${k === chosen}" title="${d.summary}"`;
    return markup`<button type="button" role="radio" ${state}>${d.title}</button>`;
  });
  return markup`<div class="seg" role="radiogroup" aria-label="Decoder">${buttons}</div>`;
}

/**
 * @param {Decoder[]} decoders
 * @param {number} chosen
 */
function listed(decoders, chosen) {
  const options = decoders.map(
    (d, k) => markup`<option value="${k}" ${k === chosen ? "selected" : ""}>${d.title}</option>`,
  );
  return markup`<select aria-label="Decoder">${options}</select>`;
}
