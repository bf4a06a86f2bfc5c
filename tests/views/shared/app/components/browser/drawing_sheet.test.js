import assert from "node:assert/strict";
import { test } from "node:test";
import { paintCursor, paintPoints, paintSheet } from "#browser/drawing_sheet.js";
import { COLOURS, fakeContext, kindOf } from "./fakes.js";

const BOX = { x: 40, y: 0, w: 400, h: 400 };

test("the sheet is empty, with a frame and quarters", () => {
  const context = fakeContext();
  paintSheet(context, BOX, { width: 440, height: 436 }, COLOURS);
  assert.deepEqual(context.named("fillRect")[0].args, [0, 0, 440, 436]);
  assert.deepEqual(context.named("strokeRect")[0].args, [40.5, 0.5, 399, 399]);
  assert.equal(context.named("stroke").length, 3);
  assert.deepEqual(
    context.named("setLineDash").map(({ args }) => args[0]),
    [[2, 5], []],
  );
});

test("points are marks of their class, upwards", () => {
  const context = fakeContext();
  paintPoints(context, BOX, [[0.25, 0.75, 1]], [kindOf("a"), kindOf("b", "circle", "#010203")], COLOURS);
  assert.deepEqual(context.named("arc")[0].args.slice(0, 3), [140, 100, 4.6]);
  assert.equal(context.named("fill")[0].fillStyle, "#010203");
  assert.equal(context.named("stroke")[0].strokeStyle, "#111111");
});

test("the cross stands in the circle that it reaches", () => {
  const context = fakeContext();
  paintCursor(context, BOX, [0.5, 0.5], 22, "#aaaaaa", "#000000");
  assert.deepEqual(context.named("arc")[0].args.slice(0, 3), [240, 200, 22]);
  assert.deepEqual(
    context.named("stroke").map((call) => call.strokeStyle),
    ["#aaaaaa", "#000000"],
  );
});
