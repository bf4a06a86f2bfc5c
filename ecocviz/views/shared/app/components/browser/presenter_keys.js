// @ts-check
// Keys of every page: the list of them, into presenter mode and out of it, from scene to scene, the ring.

/** @typedef {{ presenting: boolean, typing: boolean, taken: boolean }} Where */

/**
 * What a presenter's remote sends, and what types no letter: these are heard in a field too.
 * @type {Record<string, string>}
 */
const PAGING = { PageDown: "next", PageUp: "back", Escape: "leave" };

/** @type {Record<string, string>} */
const LETTERS = { ".": "next", ",": "back", r: "ring", q: "code", p: "leave" };

const FIELDS =
  'input:not([type="range"], [type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]';

/** What Escape and the paging keys belong to while it is open. */
const OPEN = '[role="dialog"], [role="listbox"], [data-testid="stPopoverBody"]';

/**
 * @param {Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "repeat">} event
 * @param {Where} where whether this is presenter mode, a field is being typed in, something else takes the keys
 * @returns {string | null} the act that the key asks for, if any
 */
export function askedBy({ key, ctrlKey, metaKey, altKey, repeat }, { presenting, typing, taken }) {
  if (ctrlKey || metaKey || altKey || repeat || taken) return null;
  const letter = typing ? "" : key.length === 1 ? key.toLowerCase() : "";
  if (letter === "?") return "keys";
  if (!presenting) return letter === "p" ? "present" : null;
  return PAGING[key] ?? LETTERS[letter] ?? null;
}

/**
 * Whether an event began in a field that letters are typed into.
 * @param {Event} event
 */
export function isTyped(event) {
  const first = /** @type {Element} */ (event.composedPath()[0]);
  return typeof first?.matches === "function" && first.matches(FIELDS);
}

/**
 * Whether something is open that has the keys: a dialog, a list, a figure on the whole screen, the sheet to draw on.
 * @param {Event} event
 */
export function isTaken(event) {
  const drawing = event.composedPath().some((one) => /** @type {Element} */ (one).classList?.contains("sheet"));
  return drawing || document.querySelector(OPEN) !== null || isFigureWhole();
}

function isFigureWhole() {
  const frames = [...document.querySelectorAll('[data-testid="stFullScreenFrame"]')];
  return document.fullscreenElement !== null || frames.some((frame) => getComputedStyle(frame).position === "fixed");
}
