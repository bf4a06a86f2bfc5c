import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Camera } from "#browser/region_camera.js";
import { regionPicture } from "#browser/region_picture.js";
import { readPayload } from "#browser/payload.js";
import { readRecords } from "#browser/region_records.js";
import { COLOURS, fakePage } from "./fakes.js";
import { message } from "./region_message.js";

const SIZE = { width: 440, height: 436, scale: 1 };
const CHOICE = { decoder: 0, column: -1, partial: null, shading: true, differences: false };

beforeEach(() => {
  fakePage();
  const plain = globalThis.document.createElement;
  globalThis.document.createElement = (name) =>
    Object.assign(plain(name), { toDataURL: () => "data:image/png;base64,AA" });
});

async function picture(head = {}, more = {}) {
  const records = readRecords(await readPayload(await message(head)));
  const camera = new Camera();
  camera.settle([0, 4, 0, 4]);
  camera.reset();
  camera.fit({ x: 40, y: 0, w: 400, h: 400 });
  const drawn = { camera, records, choice: CHOICE, colours: COLOURS, wrong: records.wrong[0], size: SIZE };
  return String(regionPicture({ ...drawn, ring: { at: [190, 350], cross: false }, ...more }));
}

test("regions are one raster, points and ring shapes, axes text", async () => {
  const shown = await picture();
  assert.equal(shown.match(/<image /g).length, 1);
  assert.match(shown, /<image x="40" y="0" width="400" height="400" href="data:image\/png;base64,AA"/);
  // Five points: a halo, a fill and an edge each; the wrong one an outline in place of its edge.
  assert.equal(shown.match(/<path [^>]*fill="#3f90da"/g).length, 5);
  assert.equal(shown.match(/<path /g).length, 5 * 3 + 2);
  assert.match(shown, /<g data-mark="picked"><path d="M178 350A12 12/);
  assert.match(shown, />height<\/text>/);
});

test("names are text, whatever they hold", async () => {
  const shown = await picture({ xName: "<script>&" });
  assert.ok(shown.includes("&#60;script&#62;&#38;"));
  assert.ok(!shown.includes("<script>"));
});

test("before the machines are trained there is no raster, and without a pick no ring", async () => {
  const shown = await picture({ bare: true }, { ring: null });
  assert.ok(!shown.includes("<image"));
  assert.match(shown, /<g data-mark="picked"><\/g>/);
});
