import assert from "node:assert/strict";
import { test } from "node:test";
import { fitting, movedBy, showing, WIDE, windowAt } from "#browser/grid_window.js";

test("a matrix of few columns is shown whole", () => {
  assert.deepEqual(windowAt(7, 20, 20), { first: 0, count: 20 });
});

test("a window stays within the matrix", () => {
  assert.deepEqual(windowAt(-3, 20, 325), { first: 0, count: 20 });
  assert.deepEqual(windowAt(91.6, 20, 325), { first: 92, count: 20 });
  assert.deepEqual(windowAt(400, 20, 325), { first: 305, count: 20 });
});

test("it shows as many columns as find room, at least some", () => {
  assert.equal(fitting(1000, 200, 20), 40);
  assert.equal(fitting(5000, 200, 20), WIDE);
  assert.equal(fitting(0), 4);
});

test("it moves just so far that a column is seen", () => {
  const now = { first: 50, count: 20 };
  assert.equal(showing(now, 60, 325).first, 50);
  assert.equal(showing(now, 70, 325).first, 51);
  assert.equal(showing(now, 49, 325).first, 49);
});

test("keys move it by a column, by its width and to the ends", () => {
  const now = { first: 50, count: 20 };
  const to = (key) => movedBy(key, now, 325)?.first;
  assert.deepEqual(["ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", "a"].map(to), [
    49,
    51,
    70,
    30,
    0,
    305,
    undefined,
  ]);
});
