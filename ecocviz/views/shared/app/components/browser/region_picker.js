// @ts-check
// Picking a point or a place of the plane, by a click or from point to point. Tells Python of the last one.

import { nearestPoint, nextPoint } from "./points.js";

/** @import { Messenger } from "./quiet.js" */
/** @import { Camera, Place } from "./region_camera.js" */
/** @import { Pick, RegionState } from "./region_state.js" */

const HELD_MS = 40;
const REACH = 12; // pixels; a click picks a point so near

export class Picker {
  #state;
  #camera;
  #messenger;
  #picked;
  #sent = 0;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #sending;

  /**
   * @param {RegionState} state
   * @param {Camera} camera
   * @param {Messenger} messenger
   * @param {() => void} picked something else is picked now
   */
  constructor(state, camera, messenger, picked) {
    this.#state = state;
    this.#camera = camera;
    this.#messenger = messenger;
    this.#picked = picked;
  }

  /**
   * The point that a click at a place on the screen picks, -1 for none.
   * @param {Place} at
   */
  near([px, py]) {
    return nearestPoint(...this.#pixels(), px, py, REACH);
  }

  /**
   * Pick the point nearest to the picked one in a direction.
   * @param {number} dx
   * @param {number} dy
   */
  step(dx, dy) {
    const { box } = this.#camera;
    const { spot } = this.#state;
    const from = /** @type {Place} */ (spot ? this.onScreen(spot) : [box.x + box.w / 2, box.h / 2]);
    this.#point(nextPoint(...this.#pixels(), from, dx, dy));
  }

  /**
   * Pick what is at a place on the screen.
   * @param {Place} at
   */
  choose(at) {
    const { box } = this.#camera;
    if (at[0] < box.x || at[1] > box.h || this.#point(this.near(at))) return;
    const [x, y] = this.#camera.place(...at);
    this.#take({ place: [Number(x.toPrecision(6)), Number(y.toPrecision(6))] });
  }

  /**
   * @param {Place} place
   * @returns {Place}
   */
  onScreen([x, y]) {
    return [this.#camera.px(x), this.#camera.py(y)];
  }

  /**
   * @param {number} i its number among those that are drawn; -1 for none
   * @returns {boolean} whether there is such a point
   */
  #point(i) {
    const { records } = this.#state;
    if (!records || i < 0) return false;
    this.#take({ point: records.ids[i] });
    return true;
  }

  /** @param {Pick} pick */
  #take(pick) {
    this.#state.take(pick);
    this.#picked();
    clearTimeout(this.#sending); // keys held down send the last pick only
    const n = ++this.#sent;
    const last = () => n === this.#sent && this.#state.tell(pick);
    this.#sending = setTimeout(() => this.#messenger.state("pick", { ...pick, n }, last), HELD_MS);
  }

  /**
   * Where the points lie on the screen.
   * @returns {[number[], number[]]}
   */
  #pixels() {
    const { records } = this.#state;
    if (!records) return [[], []];
    return [Array.from(records.xs, (x) => this.#camera.px(x)), Array.from(records.ys, (y) => this.#camera.py(y))];
  }
}
