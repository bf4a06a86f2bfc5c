import assert from "node:assert/strict";
import { test } from "node:test";
import { askedBy } from "#browser/region_keys.js";

test("arrows step, the others do what a button does", () => {
  assert.deepEqual(askedBy({ key: "ArrowUp" }), { step: [0, -1] });
  assert.deepEqual(askedBy({ key: "ArrowRight" }), { step: [1, 0] });
  const acts = {
    "+": "in",
    "=": "in",
    "-": "out",
    0: "home",
    " ": "play",
    d: "differences",
    c: "shading",
    3: "decoder:2",
  };
  for (const [key, act] of Object.entries(acts)) assert.deepEqual(askedBy({ key }), { act });
});

test("keys of the browser and other keys are left alone", () => {
  assert.equal(askedBy({ key: "x" }), null);
  assert.equal(askedBy({ key: "Tab" }), null);
  for (const held of ["ctrlKey", "metaKey", "altKey"]) assert.equal(askedBy({ key: "+", [held]: true }), null);
});
