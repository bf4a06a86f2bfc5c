import assert from "node:assert/strict";
import { test } from "node:test";
import { sign } from "#browser/text.js";

test("signs are those of print", () => {
  assert.deepEqual([0.5, -2, 0].map(sign), ["+", "\u2212", "0"]);
});
