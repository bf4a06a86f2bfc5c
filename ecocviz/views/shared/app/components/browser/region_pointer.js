// @ts-check
// Mouse, finger and wheel on the regions: choose a place, hover, drag, pinch, zoom.

/** @import { Camera, Place } from "./region_camera.js" */

/**
 * `hover`: the pointer is there, or nowhere; `move`: something else is in view; `choose`: a click.
 * @typedef {{ ready: () => boolean, hover: (at: Place | null) => void, move: () => void,
 *   choose: (at: Place) => void }} Tell
 */

const DRAG = 4;
const TURN = 100; // a wheel's turn counts at most so much
const SPEED = 0.003;

export class Pointer {
  #over;
  #camera;
  #tell;

  /** @type {Map<number, Place>} */
  #down = new Map();
  #dragged = false;

  /** @type {Place} */
  #from = [0, 0];

  /**
   * @param {HTMLElement} over
   * @param {Camera} camera
   * @param {Tell} tell
   */
  constructor(over, camera, tell) {
    this.#over = over;
    this.#camera = camera;
    this.#tell = tell;
    over.addEventListener("pointermove", (e) => this.#moved(e));
    over.addEventListener("pointerdown", (e) => this.#pressed(e));
    over.addEventListener("pointerup", (e) => this.#released(e));
    over.addEventListener("pointercancel", (e) => this.#down.delete(e.pointerId));
    over.addEventListener("pointerleave", () => tell.hover(null));
    over.addEventListener("wheel", (e) => this.#wheel(e), { passive: false });
  }

  /**
   * @param {MouseEvent} e
   * @returns {Place}
   */
  #local(e) {
    const r = this.#over.getBoundingClientRect();
    return [e.clientX - r.left, e.clientY - r.top];
  }

  /** @param {PointerEvent} e */
  #pressed(e) {
    this.#over.setPointerCapture(e.pointerId);
    this.#over.focus({ preventScroll: true });
    this.#from = this.#local(e);
    this.#down.set(e.pointerId, this.#from);
    this.#dragged = this.#down.size > 1;
  }

  /** @param {PointerEvent} e */
  #moved(e) {
    if (!this.#tell.ready()) return;
    const at = this.#local(e);
    const before = this.#down.get(e.pointerId);
    if (!before) {
      this.#tell.hover(at);
      return;
    }
    if (this.#down.size === 2) this.#pinch(e.pointerId, before, at);
    else if (this.#dragged || distance(at, this.#from) > DRAG) {
      this.#dragged = true;
      this.#camera.pan(at[0] - before[0], at[1] - before[1]);
      this.#tell.hover(null);
      this.#tell.move();
    }
    this.#down.set(e.pointerId, at);
  }

  /**
   * @param {number} id
   * @param {Place} was
   * @param {Place} at
   */
  #pinch(id, was, at) {
    const other = [...this.#down].find(([key]) => key !== id)?.[1];
    if (!other) return;
    const before = distance(was, other);
    const after = distance(at, other);
    if (!(before > 0 && after > 0)) return;
    this.#camera.zoom(before / after, this.#camera.place((at[0] + other[0]) / 2, (at[1] + other[1]) / 2));
    this.#tell.move();
  }

  /** @param {PointerEvent} e */
  #released(e) {
    this.#down.delete(e.pointerId);
    if (this.#tell.ready() && !this.#dragged && !this.#down.size) this.#tell.choose(this.#local(e));
  }

  /** @param {WheelEvent} e */
  #wheel(e) {
    // Without Ctrl, which a pinch on a touchpad sends too, the page scrolls: what belongs to the picture is below it.
    if (!this.#tell.ready() || !e.ctrlKey) return;
    e.preventDefault();
    const turned = Math.max(-TURN, Math.min(TURN, e.deltaY));
    this.#camera.zoom(Math.exp(turned * SPEED), this.#camera.place(...this.#local(e)));
    this.#tell.hover(null);
    this.#tell.move();
  }
}

/**
 * @param {Place} a
 * @param {Place} b
 */
function distance(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}
