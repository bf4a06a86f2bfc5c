import assert from "node:assert/strict";
import { test } from "node:test";
import { marksOf, SHOWN, tableOf } from "#browser/grid_table.js";
import { COLOURS, kindOf } from "./fakes.js";

const CODE = [
  [1, -1, 0],
  [-1, 1, 1],
];
const CLASSES = [kindOf("a & b"), kindOf("two")];
const BARE = { faults: {}, rowFaults: {}, bits: null, costs: null, winner: -1 };
const DATA = { faults: { 1: "constant" }, rowFaults: { 0: "twin" }, bits: [1, 1, -1], costs: ["1", "2"], winner: 1 };

test("marks wait while the matrix is not the one that Python has", () => {
  assert.deepEqual(marksOf(DATA, 3, true), DATA);
  assert.deepEqual(marksOf(DATA, 3, false), { ...DATA, faults: {}, rowFaults: {} });
  assert.deepEqual(marksOf(DATA, 4, false), BARE);
  assert.deepEqual(marksOf({ ...DATA, bits: null }, 3, true), { ...DATA, bits: null, costs: null, winner: -1 });
});

test("every entry has its sign, its place and its look", () => {
  const table = String(tableOf(CODE, CLASSES, BARE, "", COLOURS));
  assert.equal(table.match(/class="cell/g).length, 6);
  assert.match(table, /<span class="cell p " data-c="0" data-b="0" role="gridcell" tabindex="0">\+<\/span>/);
  assert.match(table, /<span class="cell n " data-c="1" data-b="0" role="gridcell" tabindex="-1">\u2212<\/span>/);
  assert.match(table, /<th class="col" scope="col" data-b="2">3<\/th>/);
  assert.match(table, /title="a &#38; b"><div><svg.*<i>a &#38; b<\/i>/);
  assert.ok(!table.includes("cost") && !table.includes("win"));
});

test("the picked point's bits, costs and winner are shown, and what is wrong", () => {
  const table = String(tableOf(CODE, CLASSES, DATA, "<cost>", COLOURS));
  assert.deepEqual(table.match(/(hit|miss)"/g), ['hit"', 'miss"', 'miss"', 'hit"', 'miss"']);
  assert.match(table, /<th class="cost" scope="col">&#60;cost&#62;<\/th>/);
  assert.match(table, /<tr class="win">.*two.*<td class="cost">2<\/td><\/tr>/);
  assert.match(table, /<th class="col bad" scope="col" data-b="1" title="constant">/);
  assert.match(table, /<th scope="row" class="bad" title="a &#38; b: twin">/);
});

test("of very many columns the first are shown", () => {
  const table = String(tableOf([Array(SHOWN + 5).fill(1)], CLASSES, BARE, "", COLOURS));
  assert.equal(table.match(/class="col"/g).length, SHOWN);
  assert.equal(table.match(/class="cell/g).length, SHOWN);
});
