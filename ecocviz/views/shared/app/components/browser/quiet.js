// @ts-check
// When Python is told. An event that the server hears of only after it has changed the page asks for a part of a
// page that is gone, and the browser then clears the new one. So events wait while a run is under way, and while
// what was touched elsewhere may start one; they die with their page. A server that was away, and has perhaps
// forgotten the page, hears of nothing before it has drawn it again, and once more of what it may not have heard.

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

/** Whether the server was lost and has not drawn the page since; whether it draws it now. */
let away = false;
let drawing = false;
let losses = 0;

/** @type {Set<() => void>} sends again what no run has answered yet */
const unanswered = new Set();

const pageApp = () => /** @type {HTMLElement | null} */ (document.querySelector('[data-testid="stApp"]'));
const isLost = () => (pageApp()?.dataset.testConnectionState ?? "CONNECTED") !== "CONNECTED";

/** Note what has become of the server and of its runs. */
function look() {
  const state = pageApp()?.dataset.testScriptState;
  if (isLost()) {
    [away, drawing, losses] = [true, false, losses + 1];
    const again = [...unanswered];
    unanswered.clear();
    for (const send of again) send();
  } else if (state === "running") drawing = true;
  else if (state === "notRunning") {
    unanswered.clear();
    if (drawing) away = false;
  }
}

/** @type {Element | null} */
let watched = null;

/** Note from now on what becomes of the server, which may be away and back between two looks. */
function watch() {
  const app = pageApp();
  if (!app || app === watched) return;
  watched = app;
  new MutationObserver(look).observe(app, {
    attributeFilter: ["data-test-connection-state", "data-test-script-state"],
  });
}

/**
 * Say whether the server is there, no run is under way, and none may begin by what was touched elsewhere.
 * @param {Element} root
 */
export function isQuiet(root) {
  const state = pageApp()?.dataset.testScriptState;
  // Another page is on its way from the click on it, however long the server takes to answer.
  const recent = touched.path.some(isPageLink) ? HELD_LONGEST_MS : TOUCH_MS;
  const elsewhere = performance.now() - touched.at < recent && !touched.path.includes(root);
  return !away && !isLost() && state !== "running" && state !== "rerunRequested" && !elsewhere;
}

/**
 * @param {Element} root
 * @param {() => void} send
 * @param {() => boolean} [ready] whether what stands there takes events: before, none is sent
 * @param {() => boolean} [fresh] whether it is what the server drew last
 * @param {number} [waited] milliseconds so far, but those in which the server was away or draws the page again
 */
export function whenQuiet(root, send, ready = () => true, fresh = () => true, waited = 0) {
  if (!root.isConnected) return;
  const there = !isLost() && ready() && !(away && pageApp()?.dataset.testScriptState !== "notRunning");
  if (there && ((isQuiet(root) && fresh()) || waited >= HELD_LONGEST_MS)) send();
  else setTimeout(() => whenQuiet(root, send, ready, fresh, there ? waited + LOOK_MS : 0), LOOK_MS);
}

/** Tells Python what happened in one component. */
export class Messenger {
  #root;
  #ready;

  /** @type {Component<any> | null} */
  #component = null;

  /** How often the server had been lost when it last drew the component. */
  #drawn = 0;

  /**
   * @param {Element} root
   * @param {() => boolean} [ready] whether the component takes events now
   */
  constructor(root, ready) {
    this.#root = root;
    this.#ready = ready;
    watch();
  }

  /**
   * From now on answer through this.
   * @param {Component<any>} component
   */
  connect(component) {
    this.#component = component;
    this.#drawn = losses;
  }

  /**
   * @param {string} name
   * @param {unknown} value
   * @param {() => boolean} [valid] asked just before it is sent, each time: whether it still is to be
   */
  state(name, value, valid = () => true) {
    const again = () => this.state(name, value, valid);
    const send = () => {
      if (!valid()) return;
      unanswered.add(again);
      this.#component?.setStateValue(name, value);
    };
    this.#when(send);
  }

  /**
   * @param {string} name
   * @param {unknown} value
   * @param {() => boolean} [valid] as above
   */
  trigger(name, value, valid = () => true) {
    this.#when(() => valid() && this.#component?.setTriggerValue(name, value));
  }

  /** @param {() => void} send */
  #when(send) {
    whenQuiet(this.#root, send, this.#ready, () => this.#drawn === losses);
  }
}
