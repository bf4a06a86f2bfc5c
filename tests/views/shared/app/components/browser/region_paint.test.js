import assert from "node:assert/strict";
import { test } from "node:test";
import { readPayload } from "#browser/payload.js";
import { Camera } from "#browser/region_camera.js";
import { layerOf, paintRegions } from "#browser/region_paint.js";
import { readRecords } from "#browser/region_records.js";
import { COLOURS, fakeContext } from "./fakes.js";
import { LABELS, message } from "./region_message.js";

const records = readRecords(await readPayload(await message()));
const PLAIN = { decoder: 1, column: -1, partial: null, shading: true, differences: false };

function painted(choice, box = { x: 4, y: 0, w: 40, h: 40 }) {
  const camera = new Camera();
  camera.settle([0, 4, 0, 4]);
  camera.reset();
  camera.fit(box);
  const context = fakeContext();
  paintRegions(context, camera, 2, records, { ...PLAIN, ...choice }, COLOURS);
  return context.named("putImageData").map(({ args }) => args);
}

test("what is painted is the decoder's, the fewer bits', or one bit's", () => {
  assert.equal(layerOf(records, PLAIN, COLOURS).labels, records.labels[1]);
  assert.equal(layerOf(records, PLAIN, COLOURS).margins, records.margins[1]);
  const partial = Uint8Array.from(LABELS[0]);
  assert.deepEqual(layerOf(records, { ...PLAIN, partial }, COLOURS), {
    labels: partial,
    margins: null,
    hexes: ["#3f90da", "#3f90da", "#3f90da"],
  });
  const bit = layerOf(records, { ...PLAIN, partial, column: 1 }, COLOURS);
  assert.deepEqual([...bit.labels], [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(bit.hexes, [COLOURS.negative, COLOURS.positive]);
});

test("the picture is as large as the plot in sharp pixels, and lies where the plot does", () => {
  const [[image, x, y]] = painted({});
  assert.deepEqual([image.width, image.height, x, y], [80, 80, 8, 0]);
  assert.ok(image.data.every((value, k) => k % 4 !== 3 || value === 255));
});

test("shading, stripes and a bit alone look different", () => {
  const pictures = [{}, { shading: false }, { differences: true }, { column: 0 }].map(
    (choice) => painted(choice)[0][0].data,
  );
  assert.equal(new Set(pictures.map((data) => data.join(","))).size, 4);
});

test("a plot without room is not painted", () => {
  assert.deepEqual(painted({}, { x: 0, y: 0, w: 0.5, h: 0.5 }), []);
});
