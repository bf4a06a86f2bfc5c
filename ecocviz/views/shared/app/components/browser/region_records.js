// @ts-check
// What the region view is told: a message as Python packs it, unpacked into arrays.

import { bitAt, confidence, disagreement } from "./cells.js";
import { readCoordinates, undoDifferences } from "./payload.js";

/** @import { Code } from "./codes.js" */
/** @import { Payload } from "./payload.js" */
/** @import { Kind } from "./symbols.js" */

/** @typedef {{ key: string, title: string, summary: string }} Decoder */
/**
 * Regions with the first bits only: of which decoder, how many bits, errors among `of` points.
 * @typedef {{ decoder: number, lengths: number[], errors: number[], of: number }} Prefix
 */
/**
 * @typedef {{ plane: string, nx: number, ny: number, xRange: [number, number], yRange: [number, number],
 *   xName: string, yName: string, axes: boolean, bare: boolean, nLegend: number, classes: Kind[], decoders: Decoder[],
 *   decoder: number, code: Code, nBits: number, nPoints: number, levels: number, mostBits: number, canPlay: boolean,
 *   pick: { serial: number, point: number, place: [number, number] | null }, alt: string,
 *   brushes: Kind[], mostDrawn: number, prefix?: Prefix }} Header
 */
/**
 * What is decided of cells, or of points: their bits as planes, every decoder's classes, what each leaves undecided.
 * @typedef {{ n: number, bits: Uint8Array, labels: Uint8Array[], undecided: Uint8Array | null }} Decided
 */
/**
 * Labels, margins and wrong points stand one decoder after the other.
 * @typedef {Decided & { header: Header, margins: Float32Array[], mask: Uint8Array,
 *   xs: Float32Array, ys: Float32Array, ids: Uint32Array, pointClass: Uint8Array, isTest: Uint8Array,
 *   points: Decided, wrong: Uint8Array[], frames: Uint8Array[] | null }} Records
 */

const LEAST_MARGIN = 1e-4; // a cell without any margin could not be blended with its neighbours

/**
 * @param {Payload<Header>} payload
 * @returns {Records}
 */
export function readRecords({ header, blocks }) {
  const n = header.decoders.length;
  const labels = undoDifferences(blocks.labels, n);
  const margin = (/** @type {number} */ q) => Math.max(LEAST_MARGIN, confidence(q, header.levels));
  const margins = labels.map(({ length }, k) =>
    Float32Array.from(blocks.confidence.subarray(k * length, (k + 1) * length), margin),
  );
  const points = {
    n: header.nPoints,
    bits: blocks.pointBits ?? new Uint8Array(),
    labels: undoDifferences(blocks.decided, n),
    undecided: blocks.pointsLeft ?? null,
  };
  return {
    header,
    n: header.nx * header.ny,
    bits: blocks.bits,
    labels,
    margins,
    mask: disagreement(labels),
    ...readCoordinates(blocks.xy, header.nPoints),
    ids: new Uint32Array(blocks.ids.buffer),
    pointClass: blocks.classes,
    isTest: blocks.test,
    points,
    wrong: points.labels.map((row, k) => row.map((c, i) => Number(c !== blocks.classes[i] && !isLeft(points, k, i)))),
    undecided: blocks.undecided ?? null,
    frames: header.prefix ? undoDifferences(blocks.prefix, header.prefix.lengths.length) : null,
  };
}

/**
 * Whether a decoder leaves a cell or a point undecided.
 * @param {Decided} decided
 * @param {number} k the decoder
 * @param {number} i
 */
export function isLeft({ undecided, n }, k, i) {
  return undecided !== null && bitAt(undecided, n, k, i) > 0;
}
