import assert from "node:assert/strict";
import { test } from "node:test";
import { blended, border, neighbours, packed, shade, stripe, tones } from "#browser/region_raster.js";

const COLOURS = { surface: "#ffffff", ink: "#000000", region: 0.4 };

test("a pixel is alpha, blue, green, red", () => {
  assert.equal(packed([1, 2, 3]), 0xff030201);
});

test("tones go from two fifths of the theme's strength to all of it", () => {
  const lut = tones(["#000000", "#ff0000"], COLOURS);
  assert.equal(lut.length, 128);
  assert.equal(lut[0], packed([214, 214, 214])); // 0.16 of black
  assert.equal(lut[63], packed([153, 153, 153]));
  assert.equal(lut[127], packed([255, 153, 153]));
});

test("pixels lie between the cells whose middles are beside them", () => {
  const side = neighbours(4, 2, 0, 2, 0, 2);
  assert.deepEqual([...side.first], [0, 0, 0, 1]);
  assert.deepEqual([...side.second], [1, 1, 1, 1]);
  assert.deepEqual([...side.share], [0, 0.25, 0.75, 0.25]);
  assert.deepEqual([...side.nearest], [0, 0, 1, 1]);
});

test("where all cells agree margins are interpolated, else the class is blended", () => {
  const side = neighbours(3, 2, 0, 2, 0, 2);
  const same = blended({ labels: [1, 1, 1, 1], margins: [0, 1, 0, 1] }, 2, side, side);
  assert.deepEqual([...same.who], Array(9).fill(1));
  assert.deepEqual(
    [...same.sure.slice(0, 3)].map((v) => Number(v.toFixed(3))),
    [0, 0.5, 1],
  );
  const split = blended({ labels: [0, 2, 0, 2], margins: null }, 2, side, side);
  assert.deepEqual([...split.who.slice(0, 3)], [0, 0, 2]);
});

test("the surer the stronger; one strength without margins", () => {
  const lut = tones(["#000000"], COLOURS);
  const out = new Uint32Array(3);
  shade(out, Uint8Array.of(0, 0, 0), Float32Array.of(0, 0.5, 1), lut);
  assert.deepEqual([...out], [lut[0], lut[31], lut[63]]);
  shade(out, Uint8Array.of(0, 0, 0), null, lut);
  assert.deepEqual([...out], Array(3).fill(lut[47]));
});

test("stripes stand where decoders differ", () => {
  const side = neighbours(20, 2, 0, 2, 0, 2);
  const out = new Uint32Array(400);
  stripe(out, new Uint8Array(400), { mask: [1, 0, 0, 0], nx: 2, across: side, down: side }, ["#000000"], COLOURS, 1);
  const quarter = (x0, y0) =>
    new Set(Array.from({ length: 100 }, (_, k) => out[(y0 + Math.floor(k / 10)) * 20 + x0 + (k % 10)]));
  assert.equal(quarter(0, 0).size, 2);
  assert.deepEqual([...quarter(10, 10)], [packed([235, 235, 235])]);
});

test("lines stand between classes, on both sides of them where pixels are small", () => {
  const who = Uint8Array.of(0, 0, 1, 1);
  const drawn = (thick) => {
    const out = new Uint32Array(4).fill(packed([200, 100, 0]));
    border(out, who, 4, "#000000", thick);
    return [...out].map((v) => v === packed([100, 50, 0]));
  };
  assert.deepEqual(drawn(false), [false, true, false, false]);
  assert.deepEqual(drawn(true), [false, true, true, false]);
});
