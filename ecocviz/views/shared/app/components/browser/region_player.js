// @ts-check
// Playing the bits: the regions as they are with the first 1, 2, 3, ... machines only.

import { doubledRowDistance } from "./codes.js";
import { part } from "./page.js";

/** @import { Records } from "./region_records.js" */

/**
 * `step`: other regions are to be shown; `end`: the last ones are reached; `ask`: Python is to send them.
 * @typedef {{ step: () => void, end: () => void, ask: (decoder: string) => void }} Tell
 */

const PLAY_MS = 650;

export class Player {
  #bar;
  #slider;
  #said;
  #tell;

  /** @type {Uint8Array[] | null} */
  #frames = null;
  #step = 0;
  #waiting = false;

  /** @type {ReturnType<typeof setInterval> | 0} */
  #timer = 0;

  /**
   * @param {ParentNode} root
   * @param {Tell} tell
   */
  constructor(root, tell) {
    this.#bar = part(root, ".player");
    this.#slider = /** @type {HTMLInputElement} */ (part(this.#bar, "input"));
    this.#said = part(this.#bar, ".played");
    this.#tell = tell;
    this.#slider.addEventListener("input", () => {
      this.stop();
      this.#step = Number(this.#slider.value);
      tell.step();
    });
  }

  get playing() {
    return Boolean(this.#timer);
  }

  /** Whether Python was asked for the regions and has not yet sent them. */
  get waiting() {
    return this.#waiting;
  }

  /** Whether the player has the regions, be it those of all bits. */
  get shown() {
    return Boolean(this.#frames && this.#step);
  }

  /** How many steps it has gone; 0 if it is not in use. */
  get step() {
    return this.#step;
  }

  /**
   * How many bits are used while fewer than all are, where these regions are the chosen decoder's; 0 else.
   * @param {Records} records
   * @param {number} decoder
   */
  used({ header }, decoder) {
    const { prefix } = header;
    return this.labels && prefix?.decoder === decoder ? prefix.lengths[this.#step - 1] : 0;
  }

  /** The labels on the screen while fewer than all bits are; null else. */
  get labels() {
    const frames = this.#frames;
    return frames && this.#step && this.#step < frames.length ? frames[this.#step - 1] : null;
  }

  /** @param {Uint8Array[] | null} frames */
  adopt(frames) {
    this.#frames = frames;
    if (!frames) {
      if (!this.#waiting) this.halt();
      return;
    }
    if (this.#waiting) {
      this.#waiting = false;
      this.#start(frames);
    }
    this.#step = Math.min(this.#step, frames.length);
  }

  /**
   * Play from the beginning or from where it was stopped; ask for the regions first where they are another decoder's.
   * @param {Records} records
   * @param {number} decoder
   */
  play({ header }, decoder) {
    if (this.#frames && header.prefix?.decoder === decoder) {
      this.#start(this.#frames);
      return;
    }
    this.#waiting = true;
    this.#tell.ask(header.decoders[decoder].key);
  }

  /** @param {Uint8Array[]} frames */
  #start(frames) {
    if (!this.#step || this.#step >= frames.length) this.#step = 1;
    this.stop();
    this.#timer = setInterval(() => this.#advance(), PLAY_MS);
  }

  #advance() {
    if (!this.#frames || this.#step >= this.#frames.length) {
      this.stop();
      this.#tell.end();
      return;
    }
    this.#step += 1;
    this.#tell.step();
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
  }

  /** Back to the regions of all bits. */
  halt() {
    this.stop();
    this.#step = 0;
    this.#waiting = false;
  }

  /**
   * Say what is shown, where these regions are the chosen decoder's.
   * @param {Records} records
   * @param {number} decoder
   */
  report({ header }, decoder) {
    const { prefix } = header;
    const shown = this.shown && prefix?.decoder === decoder;
    this.#bar.hidden = !shown;
    if (!shown || !this.#frames) return;
    const k = this.#step - 1;
    const wrong = prefix.errors[k];
    this.#slider.max = String(this.#frames.length);
    this.#slider.value = String(this.#step);
    const distance = doubledRowDistance(header.code, prefix.lengths[k]) / 2;
    const share = ((100 * wrong) / prefix.of).toFixed(1);
    const bits = `${prefix.lengths[k]} of ${header.nBits} bits`;
    this.#said.textContent = `${bits}: row distance ${distance}, error ${share} % (${wrong} of ${prefix.of})`;
  }
}
