import assert from "node:assert/strict";
import { test } from "node:test";
import { bitsTable, costsTable, verdictsTable } from "#browser/inspector_tables.js";
import { COLOURS } from "./fakes.js";
import { inspection } from "./inspection.js";

test("every bit has its score, a bar, its sign, and what the true class asks for", () => {
  const table = String(bitsTable(inspection()));
  assert.match(table, /<th>P\(\+\)<\/th><th class="mid">should say<\/th>/);
  assert.match(table, /<tr data-number="0" class="tip"><td>1<\/td><td>1.5<\/td>/);
  assert.match(table, /left:46px;width:46.0px;background:var\(--positive\)/);
  assert.match(table, /right:46px;width:15.3px;background:var\(--negative\)/);
  assert.match(table, /<td>0.90<\/td>/);
});

test("flipped and wrong bits say so", () => {
  const table = String(bitsTable(inspection()));
  assert.match(table, /class="flip on" data-flip="0" aria-pressed="true" aria-label="Flip bit 1">flipped</);
  assert.match(table, /class="flip wrong" data-flip="1" aria-pressed="false" aria-label="Flip bit 2">wrong</);
});

test("without probabilities and a true class these columns are left out", () => {
  const bits = inspection().bits.map((bit) => ({ ...bit, p: null, asks: null }));
  const table = String(bitsTable(inspection({ bits, flips: [] })));
  assert.ok(!table.includes("P(+)") && !table.includes("should say"));
  assert.equal(table.match(/>flip</g).length, 2);
});

test("the chosen decoder stands out, a wrong winner is underlined", () => {
  const table = String(verdictsTable(inspection(), COLOURS));
  assert.match(table, /<tr class="now"><td>Hamming<\/td><td><svg.*?<span class="">a<\/span>/);
  assert.match(table, /<tr class=""><td>&#60;L&#62;<\/td><td><svg.*?<span class="bad">b<\/span>/);
  assert.ok(!String(verdictsTable(inspection({ truth: -1 }), COLOURS)).includes("bad"));
});

test("every class's cost stands under its decoder, the winner's marked", () => {
  const table = String(costsTable(inspection(), COLOURS));
  assert.match(table, /<th>Hamming<\/th><th>&#60;L&#62;<\/th>/);
  assert.match(table, /a<\/td><td class="win">1<\/td><td class="">7<\/td>/);
  assert.match(table, /b<\/td><td class="">2<\/td><td class="win">6<\/td>/);
});
