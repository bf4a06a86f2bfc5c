// @ts-check
// Puts a component on the page: its markup and style, one view a place, every message to that view.

import { fromFile, put } from "./markup.js";

/** @import { Palette } from "./colours.js" */
/** @import { Component } from "./quiet.js" */

/**
 * @template Data
 * @typedef {{ receive: (component: Component<Data>) => void, close: () => void }} View
 */

/** @typedef {{ markup: string, style: string, palette: Palette }} Look */

/**
 * Every component's look by name; written here where Python joins a component's files.
 * @type {Record<string, Look>}
 */
export const LOOKS = {};

/**
 * Return what Streamlit calls with every message, which returns what it calls when the component goes.
 *
 * Streamlit drops a call that a newer one overtook by ending it at once, so only the newest call's end
 * ends the view. It may call once more when the component has gone.
 * @template Data
 * @param {string} name of the component, as its files are called
 * @param {(root: HTMLElement, palette: Palette) => View<Data>} make
 * @returns {(component: Component<Data>) => () => void}
 */
export function mounted(name, make) {
  /** @type {WeakMap<Node, { root: HTMLElement, view: View<Data>, newest: Component<Data> }>} */
  const places = new WeakMap();

  /** @param {Component<Data>} component */
  function mount(component) {
    const root = dressed(component.parentElement, LOOKS[name]);
    const held = { root, view: make(root, LOOKS[name].palette), newest: component };
    places.set(component.parentElement, held);
    return held;
  }

  return (component) => {
    const place = component.parentElement;
    if (!place.isConnected) return () => {};
    let held = places.get(place);
    if (!held || !place.contains(held.root)) {
      held?.view.close();
      held = mount(component);
    }
    held.newest = component;
    held.view.receive(component);
    const { root, view } = held;
    return () => {
      if (places.get(place)?.newest !== component) return;
      places.delete(place);
      view.close();
      root.parentElement?.remove();
    };
  };
}

/**
 * @param {Node} place
 * @param {Look} look
 * @returns {HTMLElement} the component's own root
 */
function dressed(place, { markup, style }) {
  const around = document.createElement("div");
  put(around, fromFile(markup));
  const sheet = document.createElement("style");
  sheet.textContent = style;
  const root = /** @type {HTMLElement} */ (around.firstElementChild);
  around.append(sheet);
  place.appendChild(around);
  return root;
}
