// @ts-check
// Asks Python again after a while; while nobody sees the page it waits until somebody does.

import { mounted } from "./mount.js";
import { isQuiet, Messenger } from "./quiet.js";

/** @import { Component } from "./quiet.js" */

/** @typedef {{ after: number, number: number }} Wait milliseconds; another number is another wait */

const AGAIN_MS = 10_000; // Python did not answer: it may not have heard

class Pulse {
  #root;
  #messenger;

  /** @type {number | undefined} of the wait that is under way */
  #number;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** It is time, but nobody sees the page. */
  #overdue = false;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#root = root;
    this.#messenger = new Messenger(root);
    document.addEventListener("visibilitychange", this.#seen);
  }

  #seen = () => {
    if (this.#overdue && document.visibilityState === "visible") this.#tick();
  };

  close() {
    this.#number = undefined;
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#seen);
  }

  /** @param {Component<Wait>} component */
  receive(component) {
    this.#messenger.connect(component);
    if (!component.data || component.data.number === this.#number) return;
    this.#number = component.data.number;
    this.#wait(component.data.after);
  }

  /** @param {number} after */
  #wait(after) {
    clearTimeout(this.#timer);
    this.#overdue = false;
    this.#timer = setTimeout(() => {
      if (document.visibilityState === "visible") this.#tick();
      else this.#overdue = true;
    }, after);
  }

  #tick() {
    const number = this.#number;
    this.#wait(AGAIN_MS);
    // What runs for long may be another page: it is not asked about this one, but perhaps later.
    this.#messenger.trigger("tick", number, () => number === this.#number && isQuiet(this.#root));
  }
}

export default mounted("pulse", (root) => new Pulse(root));
