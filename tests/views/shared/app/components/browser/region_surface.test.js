import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Camera } from "#browser/region_camera.js";
import { Surface } from "#browser/region_surface.js";
import { FakeElement, fakePage } from "./fakes.js";

let root;
let camera;
let surface;

beforeEach(() => {
  fakePage();
  root = new FakeElement();
  camera = new Camera();
  surface = new Surface(root);
});

test("a stage without room is not drawn on", () => {
  assert.equal(surface.fit(camera, true, true), false);
  assert.equal(surface.width, 0);
});

test("the plot is a square beside its axes", () => {
  root.querySelector(".stage").clientWidth = 540.6;
  assert.equal(surface.fit(camera, true, false), true);
  assert.deepEqual(camera.box, { x: 40, y: 0, w: 500, h: 500 });
  assert.deepEqual([surface.width, surface.height], [540, 536]);
  assert.equal(surface.fit(camera, true, false), false);
  assert.equal(surface.fit(camera, false, true), true);
  assert.deepEqual(camera.box, { x: 0, y: 0, w: 540, h: 540 });
});

test("canvases are as sharp as the screen, up to three times, and axes as large as the page types", () => {
  root.querySelector(".stage").clientWidth = 100;
  globalThis.window.devicePixelRatio = 4;
  globalThis.getComputedStyle = () => ({ fontSize: "30px", getPropertyValue: () => "" });
  surface.fit(camera, true, true);
  assert.deepEqual([surface.ratio, surface.scale], [3, 2]);
  const base = root.querySelector(".base");
  assert.deepEqual([base.width, base.height, base.style.height], [300, 276, "92px"]);
  assert.deepEqual(camera.box, { x: 80, y: 0, w: 20, h: 20 });
});

test("no type on the canvas is smaller than the page asks for", () => {
  root.querySelector(".stage").clientWidth = 900;
  globalThis.getComputedStyle = () => ({ fontSize: "24px", getPropertyValue: () => "20px" });
  surface.fit(camera, true, true);
  assert.ok(surface.scale * 11.5 >= 20);
});

test("the lower canvas is wiped in its own pixels, the upper one cleared for those of the page", () => {
  root.querySelector(".stage").clientWidth = 100;
  globalThis.window.devicePixelRatio = 2;
  surface.fit(camera, false, true);
  const lower = surface.wiped("#abcdef");
  assert.deepEqual(lower.named("setTransform")[0].args, [1, 0, 0, 1, 0, 0]);
  assert.deepEqual(lower.named("fillRect")[0], {
    ...lower.named("fillRect")[0],
    args: [0, 0, 200, 200],
    fillStyle: "#abcdef",
  });
  const upper = surface.cleared();
  assert.deepEqual(upper.named("setTransform").at(-1).args, [2, 0, 0, 2, 0, 0]);
});
