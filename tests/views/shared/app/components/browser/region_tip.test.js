import assert from "node:assert/strict";
import { test } from "node:test";
import { readPayload } from "#browser/payload.js";
import { readRecords } from "#browser/region_records.js";
import { markup } from "#browser/markup.js";
import { Tip, tipOf } from "#browser/region_tip.js";
import { COLOURS, FakeElement } from "./fakes.js";
import { message } from "./region_message.js";

const records = readRecords(await readPayload(await message()));

test("a point is told as it is decided itself, whatever is decided around it", () => {
  const text = String(tipOf(records, COLOURS, 0, { point: 1 }));
  assert.match(text, /a &#38; b <span class="cap">point 11, test, wrong<\/span>/);
  assert.match(
    text,
    /<span class="p">\+<\/span><span class="n">\u2212<\/span><span class="p">\+<\/span><span class="n">/,
  );
  const [hamming, linear] = text.split("<tr").slice(1);
  assert.match(hamming, /class="now"><td>Hamming<\/td><td><svg.*three<\/td>/s);
  assert.match(linear, /class=""><td>Linear<\/td><td><svg.*a &#38; b<\/td>/s);
  assert.match(String(tipOf(records, COLOURS, 1, { point: 2 })), /point 12, training<\/span>/);
});

test("a place is told as its cells are decided; near a border both sides are named", () => {
  const text = String(tipOf(records, COLOURS, 0, { cells: [14] }));
  assert.ok(!text.includes("point 1"));
  assert.match(
    text,
    /<tr class="now"><td>Hamming<\/td><td><svg.*?three<\/td><\/tr><tr class=""><td>Linear<\/td><td><svg.*?two/,
  );
  const border = String(tipOf(records, COLOURS, 0, { cells: [1, 2, 5, 6] }));
  assert.match(border, /<td>Hamming<\/td><td><svg.*?a &#38; b or <svg.*?two<\/td>/);
  assert.match(border, /^<div class="bits"><span>\u00b1<\/span><span class="p">/);
});

test("what is left undecided is said, of points and of places", () => {
  const left = { ...records, undecided: Uint8Array.of(0, 2, 0, 0) };
  left.points = { ...records.points, undecided: Uint8Array.of(0b01000000, 0) };
  assert.match(String(tipOf(left, COLOURS, 0, { point: 1 })), /three, not decided<\/td>.*a &#38; b<\/td>/);
  assert.match(String(tipOf(left, COLOURS, 0, { cells: [14] })), /three, not decided<\/td>.*two<\/td>/);
  assert.match(String(tipOf(left, COLOURS, 0, { cells: [14, 10] })), /three or .*, perhaps not decided<\/td>/);
});

test("many bits are cut short", () => {
  const many = { ...records, header: { ...records.header, nBits: 121 }, bits: new Uint8Array(242) };
  const text = String(tipOf(many, COLOURS, 0, { cells: [0] }));
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
