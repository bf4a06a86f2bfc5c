import assert from "node:assert/strict";
import { test } from "node:test";
import { marksOf, tableOf } from "#browser/grid_table.js";
import { COLOURS, kindOf } from "./fakes.js";

const CODE = [
  [1, -1, 0],
  [-1, 1, 1],
];
const CLASSES = [kindOf("a & b"), kindOf("two")];
const BARE = { faults: {}, rowFaults: {}, bits: null, costs: null, winner: -1, wrong: [], tipping: [], used: 0 };
const POINT = { bits: [1, 1, -1], costs: ["1", "2"], winner: 1, wrong: [1], tipping: [0], used: 0 };
const DATA = { ...POINT, faults: { 1: "constant" }, rowFaults: { 0: "twin" } };
const SENT = { ...DATA, steps: [[1, ["4", "5"], 0]] };
const WHOLE = { shown: { first: 0, count: 3 }, at: [0, 0] };

test("marks wait while the matrix is not the one that Python has", () => {
  assert.deepEqual(marksOf(SENT, 3, true), DATA);
  assert.deepEqual(marksOf(SENT, 3, false), { ...BARE, ...POINT, wrong: [], tipping: [] });
  assert.deepEqual(marksOf(SENT, 4, false), BARE);
  assert.deepEqual(marksOf({ ...SENT, bits: null }, 3, true), {
    ...BARE,
    faults: DATA.faults,
    rowFaults: DATA.rowFaults,
  });
});

test("while bits are played costs and winner are those of the bits that are used, and the others are faint", () => {
  const marks = marksOf(SENT, 3, true, 1);
  assert.deepEqual([marks.costs, marks.winner, marks.tipping], [["4", "5"], 0, []]);
  assert.deepEqual(marksOf(SENT, 3, true, 2).costs, DATA.costs); // no step of that many
  const table = String(tableOf(CODE, CLASSES, marks, "cost", COLOURS, WHOLE));
  assert.equal(table.match(/unused/g).length, 4);
  assert.match(
    table,
    /class="win">.*class="cell p hit" data-c="0" data-b="0".*class="cell n unused" data-c="0" data-b="1"/,
  );
});

test("every entry has its sign, its place and its look", () => {
  const table = String(tableOf(CODE, CLASSES, BARE, "", COLOURS, WHOLE));
  assert.equal(table.match(/class="cell/g).length, 6);
  assert.match(table, /<td class="cell p " data-c="0" data-b="0" role="gridcell" tabindex="0">\+<\/td>/);
  assert.match(table, /<td class="cell n " data-c="1" data-b="0" role="gridcell" tabindex="-1">\u2212<\/td>/);
  assert.match(table, /<th class="col" scope="col" role="columnheader" aria-colindex="4" data-b="2">3<\/th>/);
  assert.match(table, /title="a &#38; b"><div><svg.*<i>a &#38; b<\/i>/);
  assert.ok(!table.includes("cost") && !table.includes("win"));
});

test("entries stand in rows, and every column has a head that is read", () => {
  const table = String(tableOf(CODE, CLASSES, DATA, "<cost>", COLOURS, WHOLE));
  assert.equal(table.match(/<tr role="row"/g).length, 3);
  assert.equal(table.match(/role="rowheader"/g).length, 2);
  assert.equal(table.match(/role="columnheader"/g).length, 5);
  assert.ok(!/<th[^>]*><\/th>/.test(table));
});

test("the picked point's bits, costs and winner are shown and said, and what is wrong", () => {
  const table = String(tableOf(CODE, CLASSES, DATA, "<cost>", COLOURS, WHOLE));
  assert.deepEqual(table.match(/(hit|miss)"/g), ['hit"', 'miss"', 'miss"', 'hit"', 'miss"']);
  assert.match(table, /aria-label="\+, the point's bit agrees">\+<\/td>/);
  assert.match(table, /aria-label="\u2212, the point's bit differs">\u2212<\/td>/);
  assert.match(table, /<th class="cost" scope="col" role="columnheader">&#60;cost&#62;<\/th>/);
  assert.match(
    table,
    /<tr role="row" class="win">.*two.*<td class="cost" role="gridcell">2<span class="unseen">, wins/,
  );
  assert.match(
    table,
    /<th class="col bad" scope="col" role="columnheader" aria-colindex="3" data-b="1" title="constant">/,
  );
  assert.match(table, /<th scope="row" role="rowheader" class="bad" title="a &#38; b: twin">/);
});

test("of many columns those of the window are shown, under their own numbers", () => {
  const code = [Array.from({ length: 325 }, (_, b) => (b === 92 ? 1 : -1))];
  const looked = { shown: { first: 90, count: 20 }, at: [0, 92] };
  const table = String(tableOf(code, CLASSES, BARE, "", COLOURS, looked));
  assert.equal(table.match(/class="cell/g).length, 20);
  assert.match(table, /data-b="90">91<\/th>/);
  assert.match(table, /<td class="cell p " data-c="0" data-b="92" role="gridcell" tabindex="0">\+<\/td>/);
});
