// A message to the region view, made up: two decoders, three classes, a grid of 4 by 4 cells, four bits, five points.

import { kindOf, packed } from "./fakes.js";

export const LABELS = [
  [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 1, 1, 2, 2, 2, 1],
  [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 1, 1, 2, 2, 1, 1],
];
export const XS = [0.5, 1.5, 3.5, 2.5, 0.5];
export const YS = [0.5, 0.5, 0.5, 2.5, 3.5];

export function header(changes = {}) {
  return {
    plane: "0,1",
    nx: 4,
    ny: 4,
    xRange: [0, 4],
    yRange: [0, 4],
    xName: "width",
    yName: "height",
    axes: true,
    bare: false,
    nLegend: 3,
    classes: [kindOf("a & b"), kindOf("two", "square"), kindOf("three", "star")],
    decoders: [
      { key: "hamming", title: "Hamming", summary: "Counts." },
      { key: "linear", title: "Linear", summary: "Adds." },
    ],
    decoder: 0,
    code: [
      [1, 1, -1, -1],
      [1, -1, 1, -1],
      [-1, 1, 1, -1],
    ],
    nBits: 4,
    nPoints: 5,
    levels: 63,
    mostBits: 120,
    canPlay: true,
    pick: { serial: 1, point: 11, place: null },
    alt: "Regions of three classes",
    brushes: Array.from({ length: 10 }, () => kindOf("")),
    mostDrawn: 6,
    ...changes,
  };
}

/** Bits: the first is + in the left half, the second in the lower half, the third everywhere, the last nowhere. */
export function blocks(changes = {}) {
  const plane = (plus) => [0, 1].map((half) => parseInt([...Array(8)].map((_, k) => +plus(8 * half + k)).join(""), 2));
  const [first, second] = LABELS;
  return {
    labels: Uint8Array.from([...first, ...second.map((label, i) => label ^ first[i])]),
    confidence: Uint8Array.from({ length: 32 }, (_, i) => (i < 16 ? 63 : 31)),
    bits: Uint8Array.from([...plane((i) => i % 4 < 2), ...plane((i) => i < 8), 255, 255, 0, 0]),
    xy: new Uint8Array(Float32Array.from([...XS, ...YS]).buffer),
    ids: new Uint8Array(Uint32Array.from([10, 11, 12, 13, 14]).buffer),
    classes: Uint8Array.from([0, 0, 1, 1, 2]),
    test: Uint8Array.from([0, 1, 0, 1, 0]),
    decided: Uint8Array.from([0, 2, 1, 1, 2, 0, 2, 0, 1, 0]),
    pointBits: Uint8Array.of(0b11000000, 0b00010000, 0b11111000, 0),
    ...changes,
  };
}

/** The regions with the first 2 and with all 4 bits, of the decoder. */
export function prefix(decoder = 0) {
  const few = Array.from({ length: 16 }, () => 1);
  return {
    header: { prefix: { decoder, lengths: [2, 4], errors: [3, 1], of: 5 } },
    blocks: { prefix: Uint8Array.from([...few, ...LABELS[decoder].map((label, i) => label ^ few[i])]) },
  };
}

export function message(head = {}, body = {}) {
  return packed(header(head), blocks(body));
}
