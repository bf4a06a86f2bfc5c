import assert from "node:assert/strict";
import { test } from "node:test";
import { LONG, orderOf } from "#browser/inspector_order.js";
import { inspection, longInspection } from "./inspection.js";

test("a code of few bits is listed as it is, with nothing folded", () => {
  assert.deepEqual(orderOf(inspection({ wrong: [1], matter: [1] }), null), { first: [0, 1], rest: [] });
  assert.equal(orderOf(longInspection(LONG, { wrong: [5] }), null).first[0], 0);
});

test("of many bits the wrong ones are first, then the deciding ones; those of other classes are folded", () => {
  const order = orderOf(longInspection(25, { wrong: [20], tipping: [7, 3], matter: [3, 7, 9, 20] }), null);
  assert.deepEqual(order.first, [20, 7, 3, 9]);
  assert.equal(order.rest.length, 21);
  assert.ok(!order.rest.includes(9) && order.rest.includes(24));
});

test("a point keeps its order while its bits are flipped; what comes to matter joins the end", () => {
  const before = orderOf(longInspection(25, { wrong: [20], matter: [9, 20] }), null);
  const after = orderOf(longInspection(25, { wrong: [9], tipping: [2], matter: [9, 20], flips: [9, 20] }), before);
  assert.deepEqual(after.first, [20, 9, 2]);
});
