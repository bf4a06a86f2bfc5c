import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Camera } from "#browser/region_camera.js";
import { Pointer } from "#browser/region_pointer.js";
import { FakeElement } from "./fakes.js";

let over;
let camera;
let told;
let ready;

beforeEach(() => {
  over = new FakeElement();
  over.getBoundingClientRect = () => ({ left: 10, top: 20 });
  camera = new Camera();
  camera.settle([0, 4, 0, 4]);
  camera.reset();
  camera.fit({ x: 0, y: 0, w: 400, h: 400 });
  told = [];
  ready = true;
  new Pointer(over, camera, {
    ready: () => ready,
    hover: (at) => told.push(["hover", at]),
    move: () => told.push(["move"]),
    choose: (at) => told.push(["choose", at]),
  });
});

function happen(kind, x, y, more = {}) {
  return over.happen(kind, { clientX: x + 10, clientY: y + 20, ...more });
}

test("a pointer that is not down hovers, and is nowhere when it leaves", () => {
  happen("pointermove", 30, 40);
  happen("pointerleave", 0, 0);
  assert.deepEqual(told, [
    ["hover", [30, 40]],
    ["hover", null],
  ]);
});

test("a click chooses, even if the hand trembles", () => {
  happen("pointerdown", 30, 40);
  happen("pointermove", 33, 41);
  happen("pointerup", 33, 41);
  assert.deepEqual(told, [["choose", [33, 41]]]);
  assert.equal(over.focused, 1);
});

test("dragging moves the plane and chooses nothing", () => {
  camera.zoom(0.5);
  const place = camera.place(200, 200);
  happen("pointerdown", 200, 200);
  happen("pointermove", 220, 190);
  assert.deepEqual(camera.place(220, 190), place);
  assert.deepEqual(told, [["hover", null], ["move"]]);
  happen("pointerup", 220, 190);
  assert.equal(told.length, 2);
});

test("two fingers zoom around the middle between them", () => {
  happen("pointerdown", 100, 200, { pointerId: 1 });
  happen("pointerdown", 200, 200, { pointerId: 2 });
  const middle = camera.place(200, 200);
  happen("pointermove", 300, 200, { pointerId: 2 });
  assert.deepEqual(camera.view.map((v) => v * 2).map(Math.round), [2, 6, 2, 6]);
  assert.deepEqual(camera.place(200, 200), middle);
  happen("pointerup", 300, 200, { pointerId: 2 });
  happen("pointerup", 100, 200, { pointerId: 1 });
  assert.ok(told.every(([what]) => what !== "choose"));
});

test("a finger that was called away does not count any more", () => {
  happen("pointerdown", 100, 200, { pointerId: 1 });
  happen("pointercancel", 100, 200, { pointerId: 1 });
  happen("pointerdown", 200, 200, { pointerId: 2 });
  happen("pointerup", 200, 200, { pointerId: 2 });
  assert.deepEqual(told, [["choose", [200, 200]]]);
});

test("the wheel zooms with ctrl, else the page scrolls, also where the regions have the focus", () => {
  assert.equal(happen("wheel", 100, 100, { deltaY: -50 }).prevented, false);
  assert.ok(!camera.zoomed);
  const place = camera.place(100, 100);
  assert.equal(happen("wheel", 100, 100, { deltaY: -5000, ctrlKey: true }).prevented, true);
  assert.ok(Math.abs((camera.view[1] - camera.view[0]) / 4 - Math.exp(-0.3)) < 1e-9);
  assert.deepEqual(
    camera.place(100, 100).map((v) => v.toFixed(9)),
    place.map((v) => v.toFixed(9)),
  );
  over.matching.add(":focus");
  assert.equal(happen("wheel", 100, 100, { deltaY: 10 }).prevented, false);
});

test("before there are regions nothing happens", () => {
  ready = false;
  happen("pointermove", 30, 40);
  happen("pointerdown", 30, 40);
  happen("pointerup", 30, 40);
  happen("wheel", 30, 40, { deltaY: 3, ctrlKey: true });
  assert.deepEqual(told, []);
});
