import assert from "node:assert/strict";
import { test } from "node:test";
import { drawAxes, format, ticks } from "#browser/region_axes.js";
import { Camera } from "#browser/region_camera.js";
import { fakeContext } from "./fakes.js";

test("ticks are round and few", () => {
  assert.deepEqual(ticks(-0.06, 1.06, 5), [0, 0.5, 1]);
  assert.deepEqual(ticks(0, 1000, 5), [0, 200, 400, 600, 800, 1000]);
  assert.deepEqual(ticks(1, 1, 5), []);
  assert.deepEqual(ticks(0, Infinity, 5), []);
});

test("numbers are short and have a sign of print", () => {
  assert.equal(format(-0.30000000000000004), "\u22120.3");
});

test("numbers stand beside the plot where there is room, names in the middle", () => {
  const context = fakeContext();
  const camera = new Camera();
  camera.settle([0, 4, 0, 4]);
  camera.reset();
  camera.fit({ x: 40, y: 0, w: 400, h: 400 });
  const type = { colour: "#123456", font: "serif" };
  drawAxes(context, camera, { xName: "width", yName: "height" }, { width: 440, height: 436, scale: 2 }, type);
  const texts = context
    .named("fillText")
    .map(({ args, fillStyle, font }) => [args[0], args[1], args[2], fillStyle, font]);
  assert.deepEqual(texts.slice(0, 3), [
    ["1", 140, 405, "#123456", "23px serif"],
    ["2", 240, 405, "#123456", "23px serif"],
    ["3", 340, 405, "#123456", "23px serif"],
  ]);
  assert.deepEqual(
    texts.slice(3, 6).map(([text, x, y]) => [text, x, y]),
    [
      ["1", 34, 300],
      ["2", 34, 200],
      ["3", 34, 100],
    ],
  );
  assert.deepEqual(
    texts.slice(6).map(([text, , , , font]) => [text, font]),
    [
      ["width", "25px serif"],
      ["height", "25px serif"],
    ],
  );
});
