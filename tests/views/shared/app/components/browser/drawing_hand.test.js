import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Board } from "#browser/drawing_board.js";
import { Hand, undoKey } from "#browser/drawing_hand.js";
import { Camera } from "#browser/region_camera.js";
import { FakeElement, fakePage } from "./fakes.js";

let sheet;
let board;
let hand;
let told;

beforeEach(() => {
  fakePage();
  sheet = new FakeElement();
  const camera = new Camera();
  camera.fit({ x: 40, y: 0, w: 400, h: 400 });
  board = new Board({ points: 100, classes: 10 });
  told = [];
  hand = new Hand(
    sheet,
    camera,
    { scale: 1 },
    {
      change: () => told.push("change"),
      move: () => told.push("move"),
      act: (name) => told.push(name),
    },
  );
  hand.hold(board);
});

function at(kind, x, y, more = {}) {
  return sheet.happen(kind, { clientX: 40 + 400 * x, clientY: 400 - 400 * y, ...more });
}

test("a click sets one point, even if the hand trembles", () => {
  board.take(2);
  at("pointerdown", 0.5, 0.25);
  at("pointermove", 0.505, 0.25);
  at("pointerup", 0.505, 0.25);
  assert.deepEqual([board.points, told], [[[0.5, 0.25, 2]], ["change"]]);
});

test("a stroke sprays points, one step when it ends", () => {
  at("pointerdown", 0.2, 0.5);
  at("pointermove", 0.5, 0.5);
  assert.equal(board.points.length, 0);
  assert.equal(hand.unfinished.length, Math.floor(0.3 / (9 / 400)) + 1);
  at("pointermove", 0.8, 0.5, { pointerId: 2 }); // another finger does not draw
  at("pointerup", 0.5, 0.5, { pointerId: 2 });
  at("pointerup", 0.5, 0.5);
  assert.equal(board.points.length, 14);
  assert.equal(hand.unfinished, null);
  board.undo();
  assert.equal(board.points.length, 0);
});

test("the rubber takes what is under it, from the first touch on", () => {
  board.put([
    [0.2, 0.5, 0],
    [0.5, 0.5, 0],
    [0.9, 0.5, 0],
  ]);
  board.toggleRubber();
  assert.equal(hand.reach, 16 / 400);
  at("pointerdown", 0.2, 0.5);
  assert.equal(hand.unfinished.length, 2);
  at("pointermove", 0.6, 0.5);
  at("pointerup", 0.6, 0.5);
  assert.deepEqual(board.points, [[0.9, 0.5, 0]]);
});

test("strokes begin on the sheet with the first button; one that is broken off keeps its points", () => {
  at("pointerdown", 1.2, 0.5);
  at("pointerdown", 0.5, 0.5, { button: 2 });
  assert.equal(hand.unfinished, null);
  at("pointerdown", 0.2, 0.5);
  at("pointermove", 0.4, 0.5);
  sheet.happen("pointercancel");
  assert.equal(board.points.length, 9);
});

test("the cross goes with the pointer and with the arrows, and leaves with the pointer", () => {
  at("pointermove", 0.25, 0.75);
  assert.deepEqual(hand.cursor, [0.25, 0.75]);
  sheet.happen("pointerleave");
  assert.equal(hand.cursor, null);
  assert.equal(at("keydown", 0, 0, { key: "ArrowUp" }).prevented, true);
  at("keydown", 0, 0, { key: "ArrowLeft", shiftKey: true });
  assert.deepEqual(hand.cursor, [0.4, 0.52]);
  hand.rest();
  assert.equal(hand.cursor, null);
});

test("keys draw and rub out at the cross", () => {
  at("keydown", 0, 0, { key: "Enter" });
  assert.deepEqual([board.points, hand.cursor], [[[0.5, 0.5, 0]], [0.5, 0.5]]);
  at("keydown", 0, 0, { key: "Backspace" });
  assert.deepEqual([board.points, told], [[], ["change", "change"]]);
});

test("other keys stand for buttons, those of no class for nothing", () => {
  for (const key of ["e", "Escape", "2", "4", "0", "x"]) at("keydown", 0, 0, { key });
  assert.deepEqual(told, ["erase", "close", "brush:1"]);
  at("keydown", 0, 0, { key: "e", metaKey: true });
  at("keydown", 0, 0, { key: "z", ctrlKey: true });
  assert.deepEqual(told.slice(3), ["undo"]);
});

test("undo and redo have the keys that they have everywhere", () => {
  const asked = (more) => undoKey({ key: "z", preventDefault() {}, stopPropagation() {}, ...more });
  assert.equal(asked({ ctrlKey: true }), "undo");
  assert.equal(asked({ metaKey: true, shiftKey: true, key: "Z" }), "redo");
  assert.equal(asked({ ctrlKey: true, key: "y" }), "redo");
  assert.equal(asked({}), null);
  assert.equal(asked({ ctrlKey: true, key: "a" }), null);
});
