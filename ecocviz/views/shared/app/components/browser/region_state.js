// @ts-check
// What the region view shows of its records: the one owner of decoder, pick, shading, differences and lit column.

/** @import { Place } from "./region_camera.js" */
/** @import { Records } from "./region_records.js" */

/** @typedef {{ point: number } | { place: Place }} Pick */

export class RegionState {
  /** @type {Records | null} */
  #records = null;
  #decoder = 0;
  #shading = true;
  #differences = false;
  #column = -1;

  /** @type {Pick | null} */
  #pick = null;

  /** Whether Python has yet to be told of a pick that was made here: until then none of its own counts. */
  #untold = false;

  /** @type {number | null} the pick that Python made last */
  #serial = null;

  /** @type {string | null} the plane that is shown */
  #plane = null;

  /** @type {number | undefined} the decoder chosen here whose answer is not yet here */
  #told;

  get records() {
    return this.#records;
  }

  get decoder() {
    return this.#decoder;
  }

  get shading() {
    return this.#shading;
  }

  get differences() {
    return this.#differences;
  }

  /** The bit whose machine is shown alone, -1 for none. */
  get column() {
    return this.#column;
  }

  get pick() {
    return this.#pick;
  }

  /**
   * Keep what the user does here - decoder, pick, lit column - unless Python has changed it.
   * @param {Records} records
   * @returns {boolean} whether they are of another plane
   */
  adopt(records) {
    const { header } = records;
    this.#records = records;
    const moved = header.plane !== this.#plane;
    this.#plane = header.plane;
    if (moved || this.#column >= header.nBits) this.#column = -1;
    if (header.decoder !== this.#told) this.#decoder = header.decoder;
    this.#told = undefined;
    this.#decoder = Math.min(this.#decoder, header.decoders.length - 1);
    const { serial, point, place } = header.pick;
    if (serial !== this.#serial && !this.#untold) this.#pick = point >= 0 ? { point } : place ? { place } : null;
    this.#serial = serial;
    return moved;
  }

  /**
   * @param {number} k
   * @returns {string | null} the decoder's key; null where it is none or the one that is shown
   */
  choose(k) {
    const decoder = this.#records?.header.decoders[k];
    if (k === this.#decoder || !decoder) return null;
    this.#decoder = this.#told = k;
    return decoder.key;
  }

  toggleShading() {
    this.#shading = !this.#shading;
  }

  /** @param {boolean} on */
  showDifferences(on) {
    this.#differences = on;
  }

  /**
   * @param {number} bit
   * @returns {boolean} whether something else is shown now
   */
  light(bit) {
    if (!this.#records || bit === this.#column) return false;
    this.#column = bit < this.#records.header.nBits ? bit : -1;
    return true;
  }

  /** @param {Pick} pick */
  take(pick) {
    this.#pick = pick;
    this.#untold = true;
  }

  /**
   * @param {Pick} pick
   * @returns {boolean} whether Python is to be told of it: it is still the one that is shown
   */
  tell(pick) {
    if (pick !== this.#pick) return false;
    this.#untold = false;
    return true;
  }

  /**
   * Where the picked point or place lies on the plane; null where there is none.
   * @returns {Place | null}
   */
  get spot() {
    const pick = this.#pick;
    if (!pick || !this.#records) return null;
    if ("place" in pick) return pick.place;
    const { ids, xs, ys } = this.#records;
    const i = ids.indexOf(pick.point);
    return i < 0 ? null : [xs[i], ys[i]];
  }
}
