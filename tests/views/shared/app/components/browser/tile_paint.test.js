import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { paintLabels, paintMask, paintPoints } from "#browser/tile_paint.js";
import { COLOURS, fakeContext, fakePage, kindOf } from "./fakes.js";

let context;

beforeEach(() => {
  fakePage();
  context = fakeContext();
});

/** The cells as they were drawn, row by row from above. */
function cells() {
  const [small] = context.named("drawImage")[0].args;
  const { data, width } = small.getContext().named("putImageData")[0].args[0];
  const colours = Array.from({ length: width * width }, (_, i) => [...data.slice(4 * i, 4 * i + 4)].join(","));
  return { width, colours, to: context.named("drawImage")[0].args.slice(1) };
}

test("cells are tinted as their class, the first row lowest, without smoothing", () => {
  const colours = { ...COLOURS, surface: "#ffffff", region: 0.5 };
  paintLabels(
    context,
    60,
    2,
    [0, 1, 1, 1],
    [kindOf("a", "circle", "#000000"), kindOf("b", "circle", "#ff0000")],
    colours,
  );
  const [dark, red] = ["128,128,128,255", "255,128,128,255"];
  assert.deepEqual(cells(), { width: 2, colours: [red, red, dark, red], to: [0, 0, 60, 60] });
  assert.equal(context.imageSmoothingEnabled, false);
});

test("the mask has two greys", () => {
  paintMask(context, 60, 2, [0, 0, 0, 1], { ...COLOURS, zero: "#111111", dim: "#222222" });
  assert.deepEqual(cells().colours, ["17,17,17,255", "34,34,34,255", "17,17,17,255", "17,17,17,255"]);
});

test("points decided wrongly come last, larger and in ink", () => {
  const kinds = [kindOf("a"), kindOf("b"), kindOf("c")];
  paintPoints(context, (i) => [i, 2 * i], 2, kinds, [0, 1, 0], COLOURS);
  const places = context.named("arc").map(({ args }) => args.slice(0, 3));
  assert.deepEqual(places, [
    [0, 0, 3.6],
    [2, 4, 3.6],
    [1, 2, 6],
  ]);
  assert.deepEqual(
    context.named("stroke").map((call) => call.strokeStyle),
    ["#111111", "#111111", COLOURS.ink],
  );
});

test("of many points only the wrong ones are drawn", () => {
  const kinds = Array.from({ length: 251 }, () => kindOf("a"));
  paintPoints(
    context,
    () => [0, 0],
    1,
    kinds,
    kinds.map((_, i) => Number(i < 3)),
    COLOURS,
  );
  assert.equal(context.named("fill").length, 3);
});
