import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Overview, overviewText, pixelsOf } from "#browser/grid_overview.js";
import { COLOURS, FakeElement, fakePage } from "./fakes.js";

const BARE = { wrong: [], tipping: [] };
const CODE = [Array(100).fill(1), Array(100).fill(-1), Array(100).fill(0)];

let root;
let overview;
let moved;

function slider() {
  return root.querySelector(".slide");
}

function canvas() {
  return root.querySelector(".slide canvas");
}

function draw(shown, marks = BARE, code = CODE) {
  overview.draw(code, `${code.length}`, shown, marks, COLOURS);
}

beforeEach(() => {
  fakePage();
  root = new FakeElement();
  moved = [];
  canvas().clientWidth = 200; // two pixels a column
  overview = new Overview(root, (shown) => moved.push(shown.first));
});

test("an entry is a pixel in the colour of its sign", () => {
  const grey = (hex) => parseInt(hex.slice(1, 3), 16);
  const pixels = pixelsOf([[1, -1, 0]], COLOURS);
  assert.deepEqual(
    [...pixels.filter((_, k) => k % 4 === 0)],
    [COLOURS.positive, COLOURS.negative, COLOURS.zero].map(grey),
  );
  assert.equal(pixels[3], 255);
});

test("it is hidden where all columns are in the table", () => {
  draw({ first: 0, count: 100 });
  assert.equal(root.querySelector(".overview").hidden, true);
  draw({ first: 0, count: 20 });
  assert.equal(root.querySelector(".overview").hidden, false);
});

test("what is drawn is said, too", () => {
  draw({ first: 40, count: 20 }, { wrong: [41, 43], tipping: [91] });
  const told = root.querySelector(".overview").querySelector(".told").textContent;
  assert.match(told, /^Columns 41 to 60 of 100: drag the frame, or press the arrow keys\./);
  assert.match(told, /Red: wrong for the picked point, bits 42, 44\. Dot: flipping changes the decision, bit 92\.$/);
  assert.equal(slider().getAttribute("aria-valuetext"), told);
  assert.deepEqual(
    ["min", "max", "now"].map((name) => slider().getAttribute(`aria-value${name}`)),
    ["1", "81", "41"],
  );
  assert.match(overviewText({ first: 0, count: 9 }, 99, { ...BARE, wrong: Array(9).fill(3) }), /9 bits\.$/);
});

test("the frame is around the window's columns, marks are below their own", () => {
  draw({ first: 40, count: 20 }, { wrong: [41], tipping: [91] });
  const [frame] = canvas().context.named("strokeRect");
  assert.deepEqual(frame.args, [81, 1, 38, 28]);
  const red = canvas()
    .context.named("fillRect")
    .find((call) => call.fillStyle === COLOURS.wrong);
  assert.deepEqual(red.args.slice(0, 2), [82, 32]);
  assert.equal(canvas().context.named("arc")[0].args[0], 183);
});

test("keys move the window", () => {
  draw({ first: 40, count: 20 });
  assert.equal(slider().happen("keydown", { key: "ArrowRight" }).prevented, true);
  slider().happen("keydown", { key: "End" });
  assert.equal(slider().happen("keydown", { key: "Tab" }).prevented, false);
  assert.deepEqual(moved, [41, 80]);
});

test("the window is dragged where it is held, and comes to where it is not", () => {
  draw({ first: 40, count: 20 });
  slider().happen("pointermove", { clientX: 10 });
  slider().happen("pointerdown", { clientX: 90 }); // column 45, in the window
  slider().happen("pointermove", { clientX: 110 });
  slider().happen("pointerup");
  slider().happen("pointermove", { clientX: 0 });
  slider().happen("pointerdown", { clientX: 20 }); // column 10, its middle from now on
  assert.deepEqual(moved, [50, 0]);
});
