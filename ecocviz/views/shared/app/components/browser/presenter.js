// @ts-check
// The lecturer's part of the bar, the keys that do the same, a ring around the pointer, and the list of all keys.

import { setColours, themeOf } from "./colours.js";
import { mounted } from "./mount.js";
import { around, part } from "./page.js";
import { askedBy, isTaken, isTyped } from "./presenter_keys.js";
import { Messenger } from "./quiet.js";

/** @import { Palette } from "./colours.js" */
/** @import { Component } from "./quiet.js" */

/** @typedef {{ presenting: boolean, scene: string, scenes: number, undo: boolean }} Told */

/** Whether the ring is wanted, on whatever page. */
let ringed = false;

class Presenter {
  #root;
  #palette;
  #messenger;

  /** @type {Told} */
  #told = { presenting: false, scene: "", scenes: 0, undo: false };

  /** How often Python was asked: each time it is something new. */
  #asked = 0;

  /**
   * @param {HTMLElement} root
   * @param {Palette} palette
   */
  constructor(root, palette) {
    this.#root = root;
    this.#palette = palette;
    this.#messenger = new Messenger(root);
    root.addEventListener("click", (e) => this.#act(around(e, "[data-act]")?.dataset.act));
    window.addEventListener("keydown", this.#pressed, true);
    window.addEventListener("pointermove", this.#moved);
  }

  close() {
    window.removeEventListener("keydown", this.#pressed, true);
    window.removeEventListener("pointermove", this.#moved);
  }

  get #keys() {
    return /** @type {HTMLDialogElement} */ (part(this.#root, ".keys"));
  }

  /** @param {Component<Told>} component */
  receive(component) {
    this.#messenger.connect(component);
    if (!component.data) return;
    this.#told = component.data;
    setColours(this.#root, themeOf(this.#root, this.#palette));
    const { presenting, scene, scenes, undo } = component.data;
    const at = (/** @type {string} */ selector) => part(this.#root, selector);
    at(".lecture").hidden = !presenting;
    at(".scenes").hidden = !scenes;
    at(".scene").textContent = scene;
    at(".scene").title = scene;
    /** @type {HTMLButtonElement} */ (at("[data-act=undo]")).disabled = !undo;
    this.#showRing();
  }

  #pressed = (/** @type {KeyboardEvent} */ e) => {
    if (this.#keys.open) return; // Escape closes it, and what is behind it hears nothing
    const where = { presenting: this.#told.presenting, typing: isTyped(e), taken: isTaken(e) };
    const act = askedBy(e, where);
    const paging = act === "next" || act === "back";
    if (!act || (paging && !this.#told.scenes)) return;
    e.preventDefault();
    e.stopPropagation();
    this.#act(act);
  };

  #moved = (/** @type {PointerEvent} */ e) => {
    if (!ringed || !this.#told.presenting) return;
    part(this.#root, ".ring").style.transform = `translate(${e.clientX}px, ${e.clientY}px)`;
  };

  /** @param {string | undefined} act */
  #act(act) {
    if (act === "ring") {
      ringed = !ringed;
      this.#showRing();
    } else if (act === "keys") this.#keys.showModal();
    else if (act) {
      this.#asked += 1;
      this.#messenger.trigger("act", { act, n: this.#asked });
    }
  }

  #showRing() {
    part(this.#root, ".ring").hidden = !(ringed && this.#told.presenting);
    part(this.#root, "[data-act=ring]").setAttribute("aria-pressed", String(ringed));
  }
}

export default mounted("presenter", (root, palette) => new Presenter(root, palette));
