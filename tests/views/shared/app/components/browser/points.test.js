import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestPoint, nextPoint } from "#browser/points.js";

test("arrow keys go to the nearest point within 60 degrees of their direction", () => {
  const xs = [0, 1, 5, 0, -2];
  const ys = [0, 0, 0.1, 3, 0];
  const towards = (dx, dy) => nextPoint(xs, ys, [0, 0], dx, dy);
  assert.deepEqual([towards(1, 0), towards(0, 1), towards(-1, 0), towards(0, -1)], [1, 3, 4, -1]);
  assert.equal(nextPoint([1, 1.5], [1.7, 0], [0, 0], 1, 0), 1); // sideways costs double
  assert.equal(nextPoint([1], [1.8], [0, 0], 1, 0), -1);
});

test("the nearest point is within the radius, its edge included", () => {
  assert.equal(nearestPoint([0, 3, 4], [0, 0, 0], 2, 0, 2), 1);
  assert.equal(nearestPoint([0], [0], 2, 0, 2), 0);
  assert.equal(nearestPoint([0], [0], 2, 0.1, 2), -1);
});
