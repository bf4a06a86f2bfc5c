import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Board } from "#browser/drawing_board.js";
import { fakePage } from "./fakes.js";

const LIMITS = { points: 4, classes: 6 };

let page;

beforeEach(() => {
  page = fakePage();
});

test("it begins with what the browser has kept, and keeps every change", () => {
  page.stored.set("ecocviz.drawing", "[[0.1,0.2,4],[9,9,9]]");
  const board = new Board(LIMITS);
  assert.deepEqual([board.points, board.shown], [[[0.1, 0.2, 4]], 5]);
  board.put([[0.5, 0.5, 0]]);
  assert.equal(page.stored.get("ecocviz.drawing"), "[[0.5,0.5,0]]");
});

test("a browser that keeps nothing is no obstacle", () => {
  globalThis.sessionStorage = {
    getItem: () => assert.fail(),
    setItem: () => assert.fail(),
  };
  const board = new Board(LIMITS);
  board.put([[0.5, 0.5, 0]]);
  assert.equal(board.points.length, 1);
});

test("brush and rubber take turns", () => {
  const board = new Board(LIMITS);
  board.toggleRubber();
  assert.ok(board.rubber);
  board.take(2);
  assert.deepEqual([board.brush, board.rubber], [2, false]);
});

test("one more class is offered up to the last there can be", () => {
  const board = new Board(LIMITS);
  for (let k = 0; k < 9; k++) board.offer();
  assert.deepEqual([board.shown, board.brush], [6, 5]);
});

test("a dab draws or rubs out, as one step each", () => {
  const board = new Board(LIMITS);
  board.dab([0.5, 0.5], 0.1);
  board.dab([0.9, 0.5], 0.1);
  board.toggleRubber();
  board.dab([0.52, 0.5], 0.1);
  assert.deepEqual(board.points, [[0.9, 0.5, 0]]);
  board.rub([0.9, 0.5], 0.1);
  assert.deepEqual([board.points, board.undoable, board.redoable], [[], true, false]);
  board.undo();
  board.undo();
  assert.deepEqual([board.points.length, board.redoable], [2, true]);
  board.redo();
  assert.equal(board.points.length, 1);
});

test("it is full when it holds all that it may", () => {
  const board = new Board(LIMITS);
  for (let k = 0; k < 9; k++) board.dab([k / 10, 0.5], 0.1);
  assert.deepEqual([board.points.length, board.full], [4, true]);
});
