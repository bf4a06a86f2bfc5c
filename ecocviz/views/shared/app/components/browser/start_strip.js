// @ts-check
// Three steps to begin with. The first is played here: the machines' boundaries, one after the other.

import { setColours, themeOf } from "./colours.js";
import { markup, put } from "./markup.js";
import { mounted } from "./mount.js";
import { around, part } from "./page.js";
import { Messenger } from "./quiet.js";

/** @import { Palette } from "./colours.js" */
/** @import { Component } from "./quiet.js" */

/**
 * Titles of the steps; the number of the one that was done last, 0 for none; what to look at; how many
 * machines there are to be played.
 * @typedef {{ steps: string[], done: number, said: string, nBits: number }} Strip
 */

const EACH_MS = 1100;
const MOST_PLAYED = 12;

export class StartStrip {
  #root;
  #palette;
  #messenger;
  #nBits = 0;

  /** How often a step was asked for: the same one again is another message. */
  #asked = 0;

  /** @type {ReturnType<typeof setTimeout> | undefined} runs while the machines are played */
  #playing;

  /**
   * @param {HTMLElement} root
   * @param {Palette} palette
   */
  constructor(root, palette) {
    this.#root = root;
    this.#palette = palette;
    this.#messenger = new Messenger(root);
    root.addEventListener("click", (e) => {
      const step = around(e, "[data-step]")?.dataset.step;
      if (step) this.#do(Number(step));
    });
  }

  /** @param {Component<Strip>} component */
  receive(component) {
    this.#messenger.connect(component);
    const { data } = component;
    if (!data) return;
    setColours(this.#root, themeOf(this.#root, this.#palette));
    this.#nBits = data.nBits;
    const focused = /** @type {HTMLElement | null} */ (this.#root.querySelector(":focus"))?.dataset.step;
    const steps = data.steps.map((title, k) => {
      const state = markup`data-step="${k + 1}" aria-pressed="${k + 1 === data.done}"`;
      return markup`<button type="button" ${state}><b>${k + 1}</b><span>${title}</span></button>`;
    });
    const away = markup`<button type="button" class="away" data-step="0" aria-label="Put away these steps">Put away</button>`;
    put(part(this.#root, ".steps"), markup`${steps}${away}`);
    if (focused) part(this.#root, `[data-step="${focused}"]`).focus();
    part(this.#root, ".said").textContent = data.said;
  }

  /** @param {number} step 0 to put the strip away */
  #do(step) {
    const played = this.#playing !== undefined;
    this.#stop();
    if (step === 1 && !played) this.#play(0);
    this.#asked += 1;
    this.#messenger.trigger("step", { step, n: this.#asked });
  }

  /** @param {number} bit whose machine's boundary is shown now, those after it later */
  #play(bit) {
    if (bit >= Math.min(this.#nBits, MOST_PLAYED)) {
      this.#stop();
      return;
    }
    light(bit);
    this.#playing = setTimeout(() => this.#play(bit + 1), EACH_MS);
  }

  #stop() {
    clearTimeout(this.#playing);
    if (this.#playing !== undefined) light(-1);
    this.#playing = undefined;
  }

  close() {
    this.#stop();
  }
}

/** @param {number} bit whose boundary the regions are to show; -1 for none */
function light(bit) {
  window.dispatchEvent(new CustomEvent("ecocviz-column", { detail: { bit } }));
}

export default mounted("start_strip", (root, palette) => new StartStrip(root, palette));
