import assert from "node:assert/strict";
import { test } from "node:test";
import { bitsTable, costsTable, verdictsTable } from "#browser/inspector_tables.js";
import { COLOURS } from "./fakes.js";
import { inspection, longInspection } from "./inspection.js";

const ALL = { first: [0, 1], rest: [] };

function bits(changes = {}) {
  return String(bitsTable(inspection(changes), ALL, false));
}

test("every bit has its score, a bar, its sign, and what the true class asks for", () => {
  const table = bits();
  assert.match(table, />P\(\+\)<\/th>.*>says<\/th>.*>should say<\/th>/);
  assert.match(
    table,
    /<tr data-number="0" class="tip"><th scope="row">1<span class="unseen">, one of the bits to flip/,
  );
  assert.match(table, /<td>1.5<\/td>.*left:50%;width:50%;background:var\(--positive\)/);
  assert.match(table, /right:50%;width:16.5%;background:var\(--negative\)/);
  assert.match(table, /<td>0.90<\/td><td class="mid"><span class="cell p">\+<\/span>/);
});

test("a flipped bit that is wrong says both", () => {
  const [first, second] = bits().split("<tr data-number").slice(1);
  assert.match(first, /<td class="mark">wrong<\/td>.*class="flip on" data-flip="0" aria-pressed="true">flipped</);
  assert.match(second, /<td class="mark">wrong<\/td>.*class="flip" data-flip="1" aria-pressed="false">flip</);
  assert.ok(!bits({ wrong: [] }).includes("wrong<"));
});

test("a button's name begins with the text that is seen on it", () => {
  assert.match(bits(), />flipped<span class="unseen"> bit 1<\/span><\/button>/);
  assert.match(bits(), />flip<span class="unseen"> bit 2<\/span><\/button>/);
  assert.ok(!bits().includes("aria-label"));
});

test("a bit whose score and probability are on different sides is marked", () => {
  const [first, second] = bits().split("<tr data-number").slice(1);
  assert.ok(!first.includes("<svg") && second.includes(", unlike P(+)<") && second.includes("</svg></b>"));
});

test("without probabilities and a true class these columns are left out", () => {
  const table = bits({ chances: null, asks: null, wrong: [], split: [], flips: [] });
  assert.ok(!table.includes("P(+)") && !table.includes("should say") && !table.includes('class="split"'));
  assert.equal(table.match(/>flip</g).length, 2);
});

test("bits of other classes are folded behind their number, and keep their own numbers", () => {
  const data = longInspection(30);
  const order = { first: [20, 3], rest: [0, 1, 2] };
  const folded = String(bitsTable(data, order, false));
  assert.deepEqual(
    [...folded.matchAll(/data-number="(\d+)"/g)].map(([, bit]) => bit),
    ["20", "3"],
  );
  assert.match(folded, /<th scope="row">21<\/th>/);
  assert.match(folded, /colspan="8"><button type="button" data-act="fold" aria-expanded="false">Show 3 bits of other/);
  const open = String(bitsTable(data, order, true));
  assert.equal(open.match(/data-number/g).length, 5);
  assert.match(open, /aria-expanded="true">Hide 3 bits/);
});

test("the chosen decoder stands out, a wrong winner is underlined, a tie is called one", () => {
  const table = String(verdictsTable(inspection(), COLOURS));
  assert.match(table, /<tr class="now"><td>Hamming<\/td><td><svg.*?<span class="k " title="a">a<\/span><\/td>/);
  assert.match(
    table,
    /<td>&#60;L&#62;<\/td><td><svg.*?<span class="k bad" title="b">b<\/span> <span class="tie">tie<\/span><\/td>/,
  );
  assert.match(table, />flips until the decision changes<\/th>/);
  assert.ok(!String(verdictsTable(inspection({ truth: -1 }), COLOURS)).includes("bad"));
});

test("every class's cost stands under its decoder, the winner's marked", () => {
  const table = String(costsTable(inspection(), COLOURS));
  assert.match(table, /<th scope="col">Hamming<\/th><th scope="col">&#60;L&#62;<\/th>/);
  assert.match(table, /a<\/span><\/th><td class="win">1<\/td><td class="">7<\/td>/);
  assert.match(table, /b<\/span><\/th><td class="">2<\/td><td class="win">7<\/td>/);
});
