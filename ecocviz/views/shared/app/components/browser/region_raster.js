// @ts-check
// The pixels of the regions: arrays in, arrays out. A pixel is one number: alpha, blue, green, red from its
// highest byte to its lowest, as the canvas keeps it.

import { blend } from "./cells.js";
import { mix, rgb } from "./colours.js";

/** @import { Colours, Rgb } from "./colours.js" */

/** @typedef {{ labels: ArrayLike<number>, margins: ArrayLike<number> | null }} Layer what is known of every cell */
/**
 * For the pixels along one side: the two cells that each lies between, its share of the second, the nearer one.
 * @typedef {{ first: Int32Array, second: Int32Array, share: Float32Array, nearest: Int32Array }} Side
 */

const SHADES = 64;
const FLAT = 0.75;
const LEAST = 0.4;
const STRIPE = 5;

/** @param {Rgb} colour */
export function packed([r, g, b]) {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/**
 * Every class's colour in `SHADES` strengths, the strongest of them the theme's own for regions.
 * @param {string[]} hexes
 * @param {Pick<Colours, "surface" | "region">} colours
 */
export function tones(hexes, colours) {
  const surface = rgb(colours.surface);
  const low = LEAST * colours.region;
  const span = colours.region - low;
  const found = new Uint32Array(hexes.length * SHADES);
  hexes.forEach((hex, c) => {
    for (let q = 0; q < SHADES; q++) {
      found[c * SHADES + q] = packed(mix(rgb(hex), surface, low + span * (q / (SHADES - 1))));
    }
  });
  return found;
}

/**
 * @param {number} size pixels along the side
 * @param {number} n cells from `low` to `high`
 * @param {number} start where the first pixel begins
 * @param {number} end where the last one ends
 * @param {number} low
 * @param {number} high
 * @returns {Side}
 */
export function neighbours(size, n, start, end, low, high) {
  const first = new Int32Array(size);
  const second = new Int32Array(size);
  const nearest = new Int32Array(size);
  const share = new Float32Array(size);
  const within = (/** @type {number} */ k) => Math.min(n - 1, Math.max(0, k));
  for (let p = 0; p < size; p++) {
    const value = start + ((p + 0.5) / size) * (end - start);
    const g = ((value - low) / (high - low)) * n - 0.5;
    first[p] = within(Math.floor(g));
    second[p] = Math.min(n - 1, first[p] + 1);
    share[p] = Math.min(1, Math.max(0, g - first[p]));
    nearest[p] = within(Math.round(g));
  }
  return { first, second, share, nearest };
}

/**
 * The class of every pixel and how sure it is, blended between the four cells around it.
 * @param {Layer} layer
 * @param {number} nx cells in a row
 * @param {Side} across
 * @param {Side} down
 */
export function blended({ labels, margins }, nx, across, down) {
  const W = across.first.length;
  const H = down.first.length;
  const who = new Uint8Array(W * H);
  const sure = new Float32Array(W * H);
  const l = [0, 0, 0, 0];
  const m = [1, 1, 1, 1];
  for (let y = 0, k = 0; y < H; y++) {
    const a = down.first[y] * nx;
    const b = down.second[y] * nx;
    const v = down.share[y];
    for (let x = 0; x < W; x++, k++) {
      const i = across.first[x];
      const j = across.second[x];
      const u = across.share[x];
      const p = a + i;
      const q = a + j;
      const s = b + i;
      const t = b + j;
      if (labels[p] === labels[q] && labels[p] === labels[s] && labels[p] === labels[t]) {
        who[k] = labels[p];
        if (margins) {
          const near = margins[p] * (1 - u) + margins[q] * u;
          const far = margins[s] * (1 - u) + margins[t] * u;
          sure[k] = near * (1 - v) + far * v;
        }
        continue;
      }
      [l[0], l[1], l[2], l[3]] = [labels[p], labels[q], labels[s], labels[t]];
      if (margins) [m[0], m[1], m[2], m[3]] = [margins[p], margins[q], margins[s], margins[t]];
      [who[k], sure[k]] = blend(l, m, u, v);
    }
  }
  return { who, sure };
}

/**
 * Give every pixel its class's colour, the stronger the surer it is; one strength where `sure` is null.
 * @param {Uint32Array} out
 * @param {Uint8Array} who
 * @param {Float32Array | null} sure
 * @param {Uint32Array} lut as `tones` makes it
 */
export function shade(out, who, sure, lut) {
  const flat = Math.round((SHADES - 1) * FLAT);
  for (let k = 0; k < out.length; k++) {
    out[k] = lut[who[k] * SHADES + (sure ? (sure[k] * (SHADES - 1)) | 0 : flat)];
  }
}

/**
 * Where all decoders agree the colour retreats; where they differ, the winner's colour in stripes.
 * @param {Uint32Array} out
 * @param {Uint8Array} who
 * @param {{ mask: ArrayLike<number>, nx: number, across: Side, down: Side }} where 1 where they differ, a cell
 * @param {string[]} hexes
 * @param {Pick<Colours, "surface" | "ink">} colours
 * @param {number} ratio
 */
export function stripe(out, who, { mask, nx, across, down }, hexes, colours, ratio) {
  const surface = rgb(colours.surface);
  const ink = rgb(colours.ink);
  const width = STRIPE * ratio;
  const W = across.first.length;
  const strong = hexes.map((hex) => mix(rgb(hex), surface, 0.62));
  const pale = hexes.map((hex) => packed(mix(rgb(hex), surface, 0.08)));
  const full = strong.map(packed);
  const dark = strong.map((colour) => packed(mix(ink, colour, 0.28)));
  for (let k = 0; k < out.length; k++) {
    const x = k % W;
    const y = (k - x) / W;
    const differs = mask[down.nearest[y] * nx + across.nearest[x]];
    out[k] = (!differs ? pale : Math.floor((x + y) / width) % 2 ? full : dark)[who[k]];
  }
}

/**
 * Draw half-strong lines of ink between classes, two pixels wide where pixels are small.
 * @param {Uint32Array} out
 * @param {Uint8Array} who
 * @param {number} W pixels in a row
 * @param {string} ink
 * @param {boolean} thick
 */
export function border(out, who, W, ink, thick) {
  const [r, g, b] = rgb(ink);
  const half = (/** @type {number} */ old, /** @type {number} */ value) => (old + value) >> 1;
  const H = out.length / W;
  for (let y = 0, k = 0; y < H; y++) {
    for (let x = 0; x < W; x++, k++) {
      const c = who[k];
      const after = (x + 1 < W && who[k + 1] !== c) || (y + 1 < H && who[k + W] !== c);
      const before = (x > 0 && who[k - 1] !== c) || (y > 0 && who[k - W] !== c);
      if (!after && !(thick && before)) continue;
      const old = out[k];
      out[k] = packed([half(old & 255, r), half((old >> 8) & 255, g), half((old >> 16) & 255, b)]);
    }
  }
}
