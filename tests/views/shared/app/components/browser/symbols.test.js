import assert from "node:assert/strict";
import { test } from "node:test";
import { edgeOf, symbolSvg, traceCross, tracePath } from "#browser/symbols.js";
import { COLOURS, fakeContext, kindOf } from "./fakes.js";

const NAMES =
  "square triangle-up triangle-down triangle-left triangle-right diamond hourglass cross x pentagon hexagon";
const CORNERS = [4, 3, 3, 3, 3, 4, 4, 12, 12, 5, 6];

test("every symbol is a closed path with its own corners, around where it is to be", () => {
  NAMES.split(" ").forEach((name, k) => {
    const context = fakeContext();
    tracePath(context, name, 100, 50, 4);
    const places = [...context.named("moveTo"), ...context.named("lineTo")].map(({ args }) => args);
    assert.equal(places.length, CORNERS[k], name);
    assert.equal(context.named("closePath").length, 1);
    for (const [x, y] of places) assert.ok(Math.abs(x - 100) <= 6 && Math.abs(y - 50) <= 6, name);
  });
});

test("a name that is no polygon is a circle", () => {
  const context = fakeContext();
  tracePath(context, "circle", 1, 2, 3);
  assert.deepEqual(context.named("arc")[0].args.slice(0, 3), [1, 2, 3]);
});

test("the outline is the theme's", () => {
  assert.equal(edgeOf(kindOf("a"), { ...COLOURS, dark: false }), "#111111");
  assert.equal(edgeOf(kindOf("a"), { ...COLOURS, dark: true }), "#eeeeee");
});

test("beside names the symbol is a picture of the same colours", () => {
  const svg = String(symbolSvg(kindOf("a", "square", "#abcdef"), COLOURS, 7));
  assert.match(svg, /width="0.5em" .*fill="#abcdef" stroke="#111111"/);
  assert.match(svg, /points="-5.40,-5.40 5.40,-5.40 5.40,5.40 -5.40,5.40"/);
  assert.match(String(symbolSvg(kindOf("a"), COLOURS, 14)), /<circle r="6"\/>/);
});

test("a cross is two strokes through its place", () => {
  const context = fakeContext();
  traceCross(context, 10, 20);
  const places = context.calls.slice(1).map(({ name, args }) => [name, ...args]);
  assert.deepEqual(places, [
    ["moveTo", 5, 20],
    ["lineTo", 15, 20],
    ["moveTo", 10, 15],
    ["lineTo", 10, 25],
  ]);
});
