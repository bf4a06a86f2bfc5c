// @ts-check
// Parts of the page: finding them, and the number of the part that an event began in.

/**
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function part(root, selector) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`The component has no ${selector}.`);
  return /** @type {HTMLElement} */ (found);
}

/**
 * @param {ParentNode} root
 * @param {string} selector
 */
export function canvasPart(root, selector) {
  return /** @type {HTMLCanvasElement} */ (part(root, selector));
}

/**
 * @param {HTMLCanvasElement} canvas
 * @returns {CanvasRenderingContext2D}
 */
export function pen(canvas) {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The browser gives no canvas to draw on.");
  return context;
}

/**
 * Where an event began, or what is around it.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function around(event, selector) {
  return /** @type {Element} */ (event.target).closest(selector);
}

/**
 * Hear from the regions how many bits are used, 0 for all; returns what ends it.
 * @param {(bits: number) => void} act
 */
export function onUsed(act) {
  const hear = (/** @type {Event} */ e) => act(/** @type {CustomEvent<{ bits: number }>} */ (e).detail.bits);
  window.addEventListener("ecocviz-used", hear);
  return () => window.removeEventListener("ecocviz-used", hear);
}

/**
 * The part that has the focus, if it lies in another.
 * @param {Element} holder
 * @returns {HTMLElement | null}
 */
export function focusedIn(holder) {
  const { activeElement } = /** @type {Document | ShadowRoot} */ (holder.getRootNode());
  return holder.contains(activeElement) ? /** @type {HTMLElement | null} */ (activeElement) : null;
}
