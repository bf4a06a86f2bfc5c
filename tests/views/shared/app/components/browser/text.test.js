import assert from "node:assert/strict";
import { test } from "node:test";
import { escapeText, sign } from "#browser/text.js";

test("signs are those of print", () => {
  assert.deepEqual([0.5, -2, 0].map(sign), ["+", "\u2212", "0"]);
});

test("names from data are made harmless in markup and attributes", () => {
  assert.equal(escapeText(`<i title="a'b">&`), "&#60;i title=&#34;a&#39;b&#34;&#62;&#38;");
  assert.equal(escapeText(5), "5");
});
