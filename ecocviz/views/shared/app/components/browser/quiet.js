// @ts-check
// When Python is told. An event that the server hears of only after it has changed the page asks for a part of a
// page that is gone, and the browser then clears the new one. So events wait while a run is under way, and while
// what was touched elsewhere may start one; they die with their page.

/**
 * What Streamlit hands over with every message.
 * @template Data
 * @typedef {{ data: Data | null, parentElement: Node & ParentNode,
 *   setStateValue: (name: string, value: unknown) => void,
 *   setTriggerValue: (name: string, value: unknown) => void }} Component
 */

const HELD_LONGEST_MS = 3000;
const LOOK_MS = 25;
const TOUCH_MS = 150;

/** @type {{ at: number, path: EventTarget[] }} */
let touched = { at: -Infinity, path: [] };

for (const kind of ["pointerdown", "click", "keydown"]) {
  const note = (/** @type {Event} */ e) => (touched = { at: performance.now(), path: e.composedPath() });
  globalThis.window?.addEventListener(kind, note, true);
}

/** @param {EventTarget} touchedPart */
const isPageLink = (touchedPart) =>
  /** @type {HTMLElement} */ (touchedPart).dataset?.testid?.startsWith("stTopNavLink") ?? false;

/**
 * Say whether no run is under way, and none may begin by what was touched elsewhere.
 * @param {Element} root
 */
export function isQuiet(root) {
  const app = /** @type {HTMLElement | null} */ (document.querySelector('[data-testid="stApp"]'));
  const state = app?.dataset.testScriptState;
  // Another page is on its way from the click on it, however long the server takes to answer.
  const recent = touched.path.some(isPageLink) ? HELD_LONGEST_MS : TOUCH_MS;
  const elsewhere = performance.now() - touched.at < recent && !touched.path.includes(root);
  return state !== "running" && state !== "rerunRequested" && !elsewhere;
}

/**
 * @param {Element} root
 * @param {() => void} send
 * @param {number} [waited] milliseconds so far
 */
export function whenQuiet(root, send, waited = 0) {
  if (!root.isConnected) return;
  if (isQuiet(root) || waited >= HELD_LONGEST_MS) send();
  else setTimeout(() => whenQuiet(root, send, waited + LOOK_MS), LOOK_MS);
}

/** Tells Python what happened in one component. */
export class Messenger {
  #root;

  /** @type {Component<any> | null} */
  #component = null;

  /** @param {Element} root */
  constructor(root) {
    this.#root = root;
  }

  /**
   * From now on answer through this.
   * @param {Component<any>} component
   */
  connect(component) {
    this.#component = component;
  }

  /**
   * @param {string} name
   * @param {unknown} value
   * @param {() => boolean} [valid] asked just before it is sent: whether it still is to be
   */
  state(name, value, valid = () => true) {
    whenQuiet(this.#root, () => valid() && this.#component?.setStateValue(name, value));
  }

  /**
   * @param {string} name
   * @param {unknown} value
   * @param {() => boolean} [valid] as above
   */
  trigger(name, value, valid = () => true) {
    whenQuiet(this.#root, () => valid() && this.#component?.setTriggerValue(name, value));
  }
}
