import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { told, toolsOf } from "#browser/drawing_bar.js";
import { Board } from "#browser/drawing_board.js";
import { COLOURS, fakePage, kindOf } from "./fakes.js";

const BRUSHES = Array.from({ length: 4 }, () => kindOf(""));

let board;

beforeEach(() => {
  fakePage();
  board = new Board({ points: 3, classes: 4 });
});

function tools(copyable = true, said = "") {
  return String(toolsOf(board, BRUSHES, COLOURS, copyable, said));
}

test("it says how many points there are, or how to begin", () => {
  assert.match(told(board), /^Drag to spray points/);
  board.dab([0.1, 0.1], 0);
  assert.equal(told(board), "1 point drawn.");
  board.dab([0.2, 0.1], 0);
  assert.equal(told(board), "2 points drawn.");
  board.dab([0.3, 0.1], 0);
  assert.equal(told(board), "3 points: the drawing is full.");
});

test("every class that is offered has a brush with its number of points", () => {
  board.take(1);
  board.dab([0.1, 0.1], 0);
  const text = tools();
  assert.equal(text.match(/data-draw="brush:/g).length, 3);
  assert.match(
    text,
    /data-draw="brush:1" role="radio" class="brush" aria-checked="true" aria-label="Class B, 1 points"/,
  );
  assert.match(text, /title="Draw class C \(3\)"/);
  assert.match(text, /data-draw="add"/);
  board.offer();
  assert.ok(!tools().includes('data-draw="add"'));
});

test("tools that can do nothing are off", () => {
  assert.match(tools(), /data-draw="undo" title="Ctrl\+Z" disabled>.*data-draw="clear" disabled>/);
  board.dab([0.1, 0.1], 0);
  assert.match(tools(), /data-draw="undo" title="Ctrl\+Z" >.*data-draw="redo" .* disabled>.*data-draw="clear" >/);
});

test("the rubber is shown, points can be copied where there are brushes for them, what is said is harmless", () => {
  board.toggleRubber();
  assert.match(tools(), /data-draw="erase" aria-pressed="true"/);
  assert.ok(!tools().includes('aria-checked="true"'));
  assert.ok(tools(true).includes('data-draw="copy"') && !tools(false).includes('data-draw="copy"'));
  assert.match(tools(true, "<b>"), /role="status">&#60;b&#62;<\/div>$/);
});
