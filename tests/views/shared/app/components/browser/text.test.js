import assert from "node:assert/strict";
import { test } from "node:test";
import { sign, valueOf } from "#browser/text.js";

test("signs are those of print", () => {
  assert.deepEqual([0.5, -2, 0].map(sign), ["+", "\u2212", "0"]);
});

test("signs of Python's are numbers here", () => {
  assert.deepEqual([..."+-0"].map(valueOf), [1, -1, 0]);
});
