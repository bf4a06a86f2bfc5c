import assert from "node:assert/strict";
import { test } from "node:test";
import { readPayload } from "#browser/payload.js";
import { readRecords } from "#browser/region_records.js";
import { LABELS, message, prefix, XS, YS } from "./region_message.js";

async function records(head, body) {
  return readRecords(await readPayload(await message(head, body)));
}

test("a message becomes arrays, one decoder after the other", async () => {
  const found = await records();
  assert.deepEqual(
    found.labels.map((plane) => [...plane]),
    LABELS,
  );
  assert.deepEqual(
    [...found.mask],
    LABELS[0].map((label, i) => Number(label !== LABELS[1][i])),
  );
  assert.deepEqual([...found.xs], XS);
  assert.deepEqual([...found.ys], YS);
  assert.deepEqual([...found.ids], [10, 11, 12, 13, 14]);
  assert.deepEqual(
    found.wrong.map((plane) => [...plane]),
    [
      [0, 1, 0, 0, 0],
      [0, 0, 0, 1, 0],
    ],
  );
  assert.equal(found.frames, null);
});

test("margins are shares of the levels that Python says, and never nothing", async () => {
  const found = await records();
  assert.deepEqual([...new Set(found.margins[0])], [1]);
  assert.ok(Math.abs(found.margins[1][0] - (31 / 63) ** 2) < 1e-6);
  const coarse = await records({ levels: 31 }, { confidence: Uint8Array.from({ length: 32 }, (_, i) => (i ? 31 : 0)) });
  assert.ok(Math.abs(coarse.margins[0][0] - 1e-4) < 1e-9);
  assert.equal(coarse.margins[0][1], 1);
});

test("regions with fewer bits come along where there are any", async () => {
  const few = prefix();
  const { frames } = await records(few.header, few.blocks);
  assert.deepEqual(
    frames.map((plane) => [...plane]),
    [Array(16).fill(1), LABELS[0]],
  );
});
