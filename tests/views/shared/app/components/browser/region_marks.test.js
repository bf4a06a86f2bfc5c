import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Camera } from "#browser/region_camera.js";
import { drawRing, Marks } from "#browser/region_marks.js";
import { COLOURS, fakeContext, fakePage } from "./fakes.js";
import { header } from "./region_message.js";

let camera;
let context;

const RECORDS = {
  header: header(),
  xs: [0.5, 1.5, 3.5, 9],
  ys: [0.5, 0.5, 3.5, 9],
  pointClass: [0, 0, 1, 1],
  isTest: [0, 0, 1, 1],
};

beforeEach(() => {
  fakePage();
  context = fakeContext();
  camera = new Camera();
  camera.settle([0, 4, 0, 4]);
  camera.reset();
  camera.fit({ x: 40, y: 0, w: 400, h: 400 });
});

function drawn(wrong, records = RECORDS) {
  new Marks(COLOURS, 2).points(context, camera, records, wrong);
  return context.named("drawImage").map(({ args }) => args);
}

test("points lie where they belong, those out of sight are left out", () => {
  const marks = drawn(null);
  assert.deepEqual(
    marks.map(([, x, y]) => [x + 10, y + 10]),
    [
      [90, 350],
      [190, 350],
      [390, 50],
    ],
  );
  assert.deepEqual(context.named("rect")[0].args, [40, 0, 400, 400]);
});

test("points decided wrongly come last and look different; equal ones are drawn once", () => {
  const marks = drawn([1, 0, 0, 0]);
  assert.deepEqual(
    marks.map(([, x]) => x + 10),
    [190, 390, 90],
  );
  assert.equal(new Set(marks.map(([sprite]) => sprite)).size, 3);
  const [right, test_, wrong] = marks.map(([sprite]) => sprite);
  assert.equal(right.width, 40); // of sharp pixels
  assert.equal(wrong.getContext().named("stroke")[0].strokeStyle, COLOURS.ink);
  assert.equal(right.getContext().named("stroke").at(-1).strokeStyle, "#111111");
  assert.ok(test_.getContext().named("closePath").length > 0); // the second class's square
  context.calls.length = 0;
  assert.equal(new Set(drawn(null).map(([sprite]) => sprite)).size, 2);
});

test("many points are smaller", () => {
  const radius = (n) => {
    const list = (value) => Array.from({ length: n }, () => value);
    context.calls.length = 0;
    const records = { ...RECORDS, xs: list(1), ys: list(1), pointClass: list(0), isTest: list(0) };
    return drawn(null, records)[0][0].getContext().named("arc")[0].args[2];
  };
  assert.deepEqual([2, 601, 1201].map(radius), [3.6, 3.6 * 0.8, 3.6 * 0.62]);
});

test("a place has a cross in its ring, a point has not", () => {
  drawRing(context, [10, 20], false, COLOURS);
  assert.deepEqual(
    context.named("stroke").map((call) => call.strokeStyle),
    [COLOURS.halo, COLOURS.accent],
  );
  assert.deepEqual(context.named("moveTo"), []);
  drawRing(context, [10, 20], true, COLOURS);
  assert.deepEqual(
    context.named("moveTo").map(({ args }) => args),
    [
      [5, 20],
      [10, 15],
    ],
  );
});
