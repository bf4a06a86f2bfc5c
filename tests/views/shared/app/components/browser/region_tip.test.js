import assert from "node:assert/strict";
import { test } from "node:test";
import { readPayload } from "#browser/payload.js";
import { readRecords } from "#browser/region_records.js";
import { markup } from "#browser/markup.js";
import { Tip, tipOf } from "#browser/region_tip.js";
import { COLOURS, FakeElement } from "./fakes.js";
import { message } from "./region_message.js";

const records = readRecords(await readPayload(await message()));

test("it names the point, the bits and every decoder's winner", () => {
  const text = String(tipOf(records, COLOURS, 0, 14, 1));
  assert.match(text, /a &#38; b <span class="cap">point 11, test, wrong<\/span>/);
  assert.match(
    text,
    /<span class="n">\u2212<\/span><span class="n">\u2212<\/span><span class="p">\+<\/span><span class="n">/,
  );
  assert.match(
    text,
    /<tr class="now"><td>Hamming<\/td><td><svg.*?three<\/td><\/tr><tr class=""><td>Linear<\/td><td><svg.*?two/,
  );
});

test("of a training point that the decoder has right it says only so much; of none nothing", () => {
  assert.match(String(tipOf(records, COLOURS, 1, 0, 2)), /point 12, training<\/span>/);
  assert.ok(!String(tipOf(records, COLOURS, 0, 0, -1)).includes("point"));
});

test("many bits are cut short", () => {
  const many = { ...records, header: { ...records.header, nBits: 121 }, bits: new Uint8Array(242) };
  const text = String(tipOf(many, COLOURS, 0, 0, -1));
  assert.equal(text.match(/class="n"/g).length, 120);
  assert.match(text, / \u2026<\/div>/);
});

test("it stands beside the pointer and stays inside", () => {
  const root = new FakeElement();
  const tip = new Tip(root);
  const box = root.querySelector(".tip");
  Object.assign(box, { offsetWidth: 100, offsetHeight: 60 });
  const at = (x, y) => {
    tip.show([x, y], markup`<b></b>`, { width: 300, height: 200 });
    return box.style.transform;
  };
  assert.equal(at(50, 50), "translate(66px, 66px)");
  assert.equal(at(250, 190), "translate(134px, 140px)");
  assert.equal(box.hidden, false);
  tip.hide();
  assert.equal(box.hidden, true);
});
