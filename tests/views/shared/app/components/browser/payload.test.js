import assert from "node:assert/strict";
import { test } from "node:test";
import { Inbox, readCoordinates, readPayload, undoDifferences } from "#browser/payload.js";
import { FakeElement, packed } from "./fakes.js";

test("a message is read back as it was packed", async () => {
  const message = await packed({ title: "ß", n: 2 }, { one: Uint8Array.of(1, 2, 3), two: Uint8Array.of(9) });
  const { header, blocks } = await readPayload(message);
  assert.equal(header.title, "ß");
  assert.deepEqual([...blocks.one], [1, 2, 3]);
  assert.deepEqual([...blocks.two], [9]);
});

test("a message may lie anywhere in what was received", async () => {
  const message = await packed({ n: 1 }, { one: Uint8Array.of(7) });
  const longer = new Uint8Array(message.length + 3);
  longer.set(message, 3);
  const { blocks } = await readPayload(longer.subarray(3));
  assert.deepEqual([...blocks.one], [7]);
});

test("blocks of numbers can be read, wherever they begin", async () => {
  const xy = new Uint8Array(Float32Array.of(0.5, 1.5, -2, 4).buffer);
  const { blocks } = await readPayload(await packed({}, { odd: Uint8Array.of(1), xy }));
  const { xs, ys } = readCoordinates(blocks.xy, 2);
  assert.deepEqual([...xs, ...ys], [0.5, 1.5, -2, 4]);
});

test("every plane is the one before with its differences", () => {
  const planes = undoDifferences(Uint8Array.of(1, 2, 3, 0, 0, 1, 4, 0, 0), 3);
  assert.deepEqual(
    planes.map((plane) => [...plane]),
    [
      [1, 2, 3],
      [1, 2, 2],
      [5, 2, 2],
    ],
  );
  assert.deepEqual(undoDifferences(Uint8Array.of(), 0), []);
});

test("of messages that arrive together the newest is read, and none twice", async () => {
  const [old, now] = await Promise.all([packed({ n: 1 }, {}), packed({ n: 2 }, {})]);
  const inbox = new Inbox(new FakeElement());
  const seen = [];
  const read = (message) => inbox.read(message, ({ header }) => seen.push(header.n));
  assert.deepEqual(await Promise.all([read(old), read(now)]), [false, true]);
  assert.equal(await read(now), true);
  assert.deepEqual(seen, [2]);
  assert.equal(await read(old), true);
  assert.deepEqual(seen, [2, 1]);
});

test("a component is busy until the newest message is painted", async () => {
  const [old, now] = await Promise.all([packed({ n: 1 }, {}), packed({ n: 2 }, {})]);
  const root = new FakeElement();
  const inbox = new Inbox(root);
  const busy = () => root.getAttribute("aria-busy");
  const read = (message) => inbox.read(message, () => {});
  await read(old);
  assert.equal(busy(), "true");
  inbox.painted();
  assert.equal(busy(), "false");
  const reading = read(now);
  inbox.painted(); // a hover paints what was there before
  assert.equal(busy(), "true");
  await reading;
  inbox.painted();
  assert.equal(busy(), "false");
  read(old);
  await read(now); // the one that is shown, again
  inbox.painted();
  assert.equal(busy(), "false");
});
