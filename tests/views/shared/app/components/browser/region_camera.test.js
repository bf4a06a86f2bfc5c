import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Camera } from "#browser/region_camera.js";

let camera;

beforeEach(() => {
  camera = new Camera();
  camera.settle([-1, 3, 10, 12]);
  camera.fit({ x: 40, y: 0, w: 200, h: 100 });
  camera.reset();
});

test("corners of the box are corners of the plane", () => {
  assert.deepEqual(camera.place(40, 100), [-1, 10]);
  assert.deepEqual(camera.place(240, 0), [3, 12]);
  assert.deepEqual([camera.px(1), camera.py(11)], [140, 50]);
  assert.deepEqual(
    [
      [40, 0],
      [39, 50],
      [241, 50],
      [140, 101],
    ].map((at) => camera.holds(...at)),
    [true, false, false, false],
  );
});

test("cells are counted from the lowest row on, those with the nearest centres beside the place's own", () => {
  assert.deepEqual(camera.cells([-0.9, 10.1], 4, 4), [0]);
  assert.deepEqual(camera.cells([2.9, 10.1], 4, 4), [3]);
  assert.deepEqual(camera.cells([-0.9, 11.9], 4, 4), [12]);
  assert.deepEqual(camera.cells([1.1, 10.9], 4, 4), [6, 5, 10, 9]);
  assert.deepEqual(camera.cells([3.1, 11], 4, 4), []);
});

test("zooming leaves the place under the pointer where it is", () => {
  const at = camera.place(100, 30);
  camera.zoom(0.25, at);
  assert.deepEqual([camera.px(at[0]), camera.py(at[1])].map(Math.round), [100, 30]);
  assert.ok(camera.zoomed);
  camera.zoom(1e6);
  assert.deepEqual(camera.view, [-1, 3, 10, 12]);
  assert.ok(!camera.zoomed);
});

test("nothing outside the plane is shown, nor a part smaller than a sixtieth", () => {
  camera.zoom(1e-6);
  assert.ok(Math.abs(camera.view[1] - camera.view[0] - 4 / 60) < 1e-12);
  camera.reset();
  camera.zoom(0.5);
  camera.pan(1e6, 1e6);
  assert.deepEqual(camera.view, [-1, 1, 11, 12]);
});

test("another plane of the same kind leaves the view alone until it is reset", () => {
  camera.zoom(0.5);
  const { view } = camera;
  camera.settle([-2, 4, 9, 13]);
  assert.deepEqual(camera.view, view);
  camera.reset();
  assert.deepEqual(camera.view, [-2, 4, 9, 13]);
});
