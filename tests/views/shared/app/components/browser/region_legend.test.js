import assert from "node:assert/strict";
import { test } from "node:test";
import { marksOf } from "#browser/region_legend.js";
import { COLOURS } from "./fakes.js";
import { header } from "./region_message.js";

function meanings(isTest, head = {}) {
  const told = String(marksOf({ header: header(head), isTest: Uint8Array.from(isTest) }, COLOURS));
  return [...told.matchAll(/<i>(.*?)<\/i>/g)].map(([, meaning]) => meaning);
}

test("every mark of the regions, of the code and of the picked point is explained", () => {
  assert.deepEqual(meanings([0, 1]), [
    "test point",
    "training point",
    "misclassified",
    "picked",
    "picked point agrees",
    "flipping it changes the class",
    "wrong class",
  ]);
});

test("what is not drawn is not explained", () => {
  assert.deepEqual(meanings([0, 0]).slice(0, 2), ["misclassified", "picked"]);
  assert.deepEqual(meanings([1, 1], { nBits: 0 }), ["misclassified", "picked"]);
});

test("marks have the colours of the theme", () => {
  const told = String(marksOf({ header: header(), isTest: Uint8Array.of(0, 1) }, COLOURS));
  for (const name of ["dim", "ink", "halo", "accent"]) assert.ok(told.includes(COLOURS[name]));
});
