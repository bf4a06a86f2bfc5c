import assert from "node:assert/strict";
import { test } from "node:test";
import * as logic from "#browser/drawing_logic.js";

const LIMITS = { points: 20, classes: 4 };

function strewn(seed, way, { spacing = 0.02, radius = 0.05 } = {}) {
  const random = logic.randomFrom(seed);
  let left = 0;
  let points = [];
  for (let k = 1; k < way.length; k++) {
    const piece = logic.sprayed(way[k - 1], way[k], 2, { spacing, radius, left, random });
    points = points.concat(piece.points);
    left = piece.left;
  }
  return points;
}

test("a stroke leaves a point every so often near its way, and the same for a seed", () => {
  const way = [
    [0.2, 0.2],
    [0.5, 0.2],
    [0.5, 0.81],
  ];
  const points = strewn(1, way);
  assert.equal(points.length, Math.floor(0.91 / 0.02) + 1);
  assert.deepEqual(strewn(1, way), points);
  assert.notDeepEqual(strewn(2, way), points);
  assert.ok(points.every(([x, y, c]) => c === 2 && Math.min(Math.abs(y - 0.2), Math.abs(x - 0.5)) <= 0.0501));
});

test("how a stroke is cut does not change where its points lie", () => {
  const pieces = Array.from({ length: 51 }, (_, k) => [0.1 + 0.016 * k, 0.5]);
  const [whole, cut] = [[pieces[0], pieces[50]], pieces].map((way) => strewn(1, way, { spacing: 0.03, radius: 0 }));
  assert.equal(whole.length, cut.length);
  whole.forEach(([x], k) => assert.ok(Math.abs(x - cut[k][0]) < 1.1e-4));
});

test("points stay on the sheet", () => {
  assert.deepEqual(logic.pointAt(1.7, -3, 1), [1, 0, 1]);
  assert.deepEqual(logic.pointAt(0.123456, 0.5, 0), [0.1235, 0.5, 0]);
});

test("the rubber takes what it passes over", () => {
  const points = [
    [0.2, 0.2, 0],
    [0.5, 0.26, 1],
    [0.5, 0.24, 1],
    [0.9, 0.2, 2],
  ];
  assert.deepEqual(logic.erased(points, [0.3, 0.2], [0.7, 0.2], 0.05), [points[0], points[1], points[3]]);
  assert.deepEqual(logic.erased(points, [0.9, 0.2], [0.9, 0.2], 0.05), points.slice(0, 3));
});

test("undo and redo walk through what was drawn, two hundred steps back", () => {
  const a = [[0.1, 0.1, 0]];
  let history = logic.commit(logic.newHistory([]), a);
  assert.equal(logic.commit(history, [...a]), history); // the same points are no step
  history = logic.undone(history);
  assert.deepEqual([history.points, history.future.length], [[], 1]);
  assert.equal(logic.undone(history), history);
  assert.deepEqual(logic.redone(history).points, a);
  history = logic.commit(history, [[0.2, 0.2, 1]]);
  assert.equal(logic.redone(history), history);
  for (let k = 0; k < 500; k++) history = logic.commit(history, [[k / 500, 0, 0]]);
  assert.deepEqual([history.past.length, history.past[0][0][0]], [200, 299 / 500]);
});

test("a drawing takes as many points as it is told", () => {
  const many = Array.from({ length: 15 }, () => [0, 0, 0]);
  assert.equal(logic.added(many, many, LIMITS).length, 20);
});

test("classes are counted, named and closed up", () => {
  const points = [
    [0.1, 0.2, 3],
    [0.3, 0.4, 1],
    [0.5, 0.6, 3],
  ];
  assert.deepEqual(logic.counted(points, 4), [0, 1, 0, 2]);
  assert.deepEqual([0, 9].map(logic.letter), ["A", "J"]);
  const closed = logic.compacted(points);
  assert.deepEqual(
    closed.map((p) => p[2]),
    [1, 0, 1],
  );
  assert.equal(logic.compacted(closed), closed);
});

test("what cannot be trained on is one sentence", () => {
  assert.match(logic.obstacle([]), /^Nothing is drawn yet/);
  assert.match(logic.obstacle([[0.1, 0.2, 3]]), /^Only class D has points, but two are needed/);
  assert.match(
    logic.obstacle([
      [0.1, 0.2, 0],
      [0.1, 0.2, 1],
    ]),
    /^All points lie in the same place/,
  );
  assert.equal(
    logic.obstacle([
      [0.1, 0.2, 0],
      [0.1, 0.3, 1],
    ]),
    "",
  );
});

test("what the browser kept is read as far as it makes sense", () => {
  const good = [
    [0.5, 0.5, 0],
    [1, 0, 3],
  ];
  const bad = [[0.5, 2, 0], [0.5, 0.5, 4], [0.5, 0.5, 0.5], [0.1], "x", null, [-1, 0, 0]];
  const read = (value) => logic.readDrawing(typeof value === "string" ? value : JSON.stringify(value), LIMITS);
  assert.deepEqual(read([...good, ...bad]), good);
  assert.deepEqual([read("{not json"), read('{"a": 1}')], [[], []]);
  assert.equal(read(Array.from({ length: 30 }, () => good[0])).length, 20);
});
