import assert from "node:assert/strict";
import { test } from "node:test";
import { readPayload } from "#browser/payload.js";
import { Camera } from "#browser/region_camera.js";
import { hatch, undecidedCells } from "#browser/region_hatch.js";
import { marksOf } from "#browser/region_legend.js";
import { paintRegions } from "#browser/region_paint.js";
import { neighbours, packed } from "#browser/region_raster.js";
import { readRecords } from "#browser/region_records.js";
import { tipOf } from "#browser/region_tip.js";
import { COLOURS, fakeContext } from "./fakes.js";
import { message } from "./region_message.js";

// Of the first decoder the lower half, of the second nothing.
const undecided = Uint8Array.from([255, 0, 0, 0]);
const plain = readRecords(await readPayload(await message()));
const records = readRecords(await readPayload(await message({}, { undecided })));

function painted(these, choice = {}) {
  const camera = new Camera();
  camera.settle([0, 4, 0, 4]);
  camera.reset();
  camera.fit({ x: 0, y: 0, w: 40, h: 40 });
  const context = fakeContext();
  const all = { decoder: 0, column: -1, partial: null, shading: true, differences: false, ...choice };
  paintRegions(context, camera, 1, these, all, COLOURS);
  return [...new Uint32Array(context.named("putImageData")[0].args[0].data.buffer)];
}

test("cells are read decoder by decoder, and nothing without a rule", () => {
  assert.deepEqual([...undecidedCells(records.undecided, 16, 0)], [...Array(8).fill(1), ...Array(8).fill(0)]);
  assert.deepEqual([...undecidedCells(records.undecided, 16, 1)], Array(16).fill(0));
  assert.equal(plain.undecided, null);
  assert.equal(undecidedCells(null, 16, 0), null);
});

test("only what is undecided is hatched, in two tones, and elsewhere nothing changes", () => {
  const before = painted(plain);
  const after = painted(records);
  assert.deepEqual(after.slice(0, 800 - 40), before.slice(0, 800 - 40)); // the upper half of the picture
  const changed = after.slice(840).filter((pixel, k) => pixel !== before[840 + k]);
  assert.ok(changed.length > 700);
  assert.deepEqual(painted(records, { decoder: 1 }), painted(plain, { decoder: 1 }));
});

test("lines run on a flat colour, and are the darker tone", () => {
  const side = neighbours(20, 2, 0, 2, 0, 2);
  const out = new Uint32Array(400).fill(packed([120, 120, 120]));
  hatch(out, [1, 1, 1, 1], { nx: 2, across: side, down: side }, COLOURS, 1);
  const tones = new Map();
  for (const pixel of out) tones.set(pixel, (tones.get(pixel) ?? 0) + 1);
  assert.equal(tones.size, 2);
  const [few, many] = [...tones.values()].sort((a, b) => a - b);
  assert.ok(few > 60 && few < many);
});

test("one bit alone, fewer bits and differences are shown without", () => {
  for (const choice of [{ column: 0 }, { partial: new Uint8Array(16) }, { differences: true }]) {
    assert.deepEqual(painted(records, choice), painted(plain, choice));
  }
});

test("legend and tip say it in words", () => {
  assert.ok(String(marksOf(records, COLOURS)).includes("not decided"));
  assert.ok(!String(marksOf(plain, COLOURS)).includes("not decided"));
  assert.equal(String(tipOf(records, COLOURS, 0, { cells: [0] })).split("not decided").length, 2);
  assert.ok(!String(tipOf(records, COLOURS, 0, { cells: [15] })).includes("not decided"));
  assert.ok(!String(tipOf(plain, COLOURS, 0, { cells: [0] })).includes("not decided"));
});
