import assert from "node:assert/strict";
import { test } from "node:test";
import { bitAt, blend, confidence, disagreement } from "#browser/cells.js";

test("bits are read from planes of eight cells to a byte", () => {
  const planes = Uint8Array.of(0b10000000, 0b01000000, 0b00000001, 0b10000000); // two planes of ten cells
  assert.equal(bitAt(planes, 10, 0, 0), 1);
  assert.equal(bitAt(planes, 10, 0, 1), -1);
  assert.equal(bitAt(planes, 10, 0, 9), 1);
  assert.deepEqual([bitAt(planes, 10, 0, 8), bitAt(planes, 10, 1, 8)], [-1, 1]);
});

test("decoders disagree where not all say the same", () => {
  const planes = [
    [0, 1, 2],
    [0, 1, 1],
    [0, 2, 2],
  ].map((plane) => Uint8Array.from(plane));
  assert.deepEqual([...disagreement(planes)], [0, 1, 1]);
});

test("confidence is the square of the share of its levels", () => {
  assert.deepEqual(
    [0, 20, 40].map((byte) => confidence(byte, 40)),
    [0, 0.25, 1],
  );
});

test("at a corner its class wins, and between two the surer reaches farther", () => {
  const labels = [4, 5, 6, 7];
  const margins = [0.2, 0.9, 0.1, 0.5];
  const corners = [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ];
  const found = corners.map(([u, v]) => blend(labels, margins, u, v));
  assert.deepEqual(
    found.map(([c]) => c),
    labels,
  );
  assert.deepEqual(
    found.map(([, sure]) => sure),
    margins,
  );
  // The boundary lies where 0.3 (1 - u) = 0.1 u, at u = 0.75.
  const between = (u) => blend([1, 2, 1, 2], [0.3, 0.1, 0.3, 0.1], u, 0.5)[0];
  assert.deepEqual([between(0.74), between(0.76)], [1, 2]);
});

test("among equals the first class wins, and nobody is surer than not at all", () => {
  assert.deepEqual(blend([2, 1, 1, 2], [0.5, 0.5, 0.5, 0.5], 0.5, 0.5), [1, 0]);
});
