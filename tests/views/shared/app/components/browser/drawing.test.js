import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Drawing } from "#browser/drawing.js";
import { Camera } from "#browser/region_camera.js";
import { Surface } from "#browser/region_surface.js";
import { COLOURS, FakeElement, fakePage, within } from "./fakes.js";
import { header, XS, YS } from "./region_message.js";

let root;
let drawing;
let told;

const RECORDS = { header: header({ mostDrawn: 50 }), xs: XS, ys: YS, pointClass: [0, 0, 1, 1, 2] };

beforeEach(() => {
  fakePage();
  root = new FakeElement();
  root.querySelector(".stage").clientWidth = 440;
  const camera = new Camera();
  camera.settle([0, 4, 0, 4]);
  camera.reset();
  const surface = new Surface(root);
  surface.fit(camera, true, true);
  told = [];
  drawing = new Drawing(root, camera, surface, {
    shown: () => told.push(drawing.on),
    train: (points) => told.push(points),
  });
});

function press(name) {
  bar().happen("click", { target: within(["[data-draw]"], { draw: name }) });
}

function bar() {
  return root.querySelector(".drawbar");
}

function set(...places) {
  const sheet = root.querySelector(".sheet");
  for (const [x, y] of places) {
    const at = { clientX: 40 + 400 * x, clientY: 400 - 400 * y };
    for (const kind of ["pointerdown", "pointerup"]) sheet.happen(kind, at);
  }
}

test("the sheet comes and goes, and the keys with it", () => {
  drawing.adopt(RECORDS, COLOURS);
  drawing.show(true);
  assert.deepEqual([bar().hidden, root.querySelector(".sheet").hidden, told], [false, false, [true]]);
  assert.equal(root.querySelector(".sheet").focused, 1);
  assert.match(
    root.querySelector(".sheet").getAttribute("aria-label"),
    /^Sheet to draw on\. Drag to spray .* digits choose/,
  );
  bar().happen("keydown", { key: "Escape" });
  assert.deepEqual([bar().hidden, told], [true, [true, false]]);
  assert.equal(root.querySelector("[data-act=draw]").focused, 1);
});

test("what is drawn is painted and counted", () => {
  drawing.adopt(RECORDS, COLOURS);
  drawing.show(true);
  set([0.5, 0.5]);
  assert.equal(root.dataset.drawn, "1");
  assert.match(bar().innerHTML, /1 point drawn\./);
  const sheet = root.querySelector(".sheet");
  assert.deepEqual([sheet.width, sheet.height, sheet.style.height], [440, 436, "436px"]);
  assert.deepEqual(
    sheet
      .getContext()
      .named("arc")
      .map(({ args }) => args.slice(0, 3)),
    [[240, 200, 4.6]],
  );
});

test("tools do what they say", () => {
  drawing.adopt(RECORDS, COLOURS);
  drawing.show(true);
  press("brush:1");
  set([0.1, 0.1], [0.9, 0.9]);
  press("undo");
  assert.equal(root.dataset.drawn, "1");
  press("redo");
  press("erase");
  assert.match(bar().innerHTML, /data-draw="erase" aria-pressed="true"/);
  set([0.1, 0.1]);
  assert.equal(root.dataset.drawn, "1");
  press("clear");
  assert.equal(root.dataset.drawn, "0");
  press("add");
  assert.match(bar().innerHTML, /data-draw="brush:3" role="radio" class="brush" aria-checked="true"/);
  bar().happen("keydown", { key: "z", ctrlKey: true });
  assert.equal(root.dataset.drawn, "1");
});

test("the points that are shown can be copied, where they are seen", () => {
  drawing.adopt(RECORDS, COLOURS);
  drawing.show(true);
  press("copy");
  press("train");
  assert.deepEqual(told.at(-2), [
    [0.125, 0.125, 0],
    [0.375, 0.125, 0],
    [0.875, 0.125, 1],
    [0.625, 0.625, 1],
    [0.125, 0.875, 2],
  ]);
  assert.equal(drawing.on, false);
});

test("what cannot be trained on is said, until something else is drawn", () => {
  drawing.adopt(RECORDS, COLOURS);
  drawing.show(true);
  press("train");
  assert.match(bar().innerHTML, /Nothing is drawn yet/);
  press("brush:1");
  assert.match(bar().innerHTML, /Nothing is drawn yet/);
  set([0.2, 0.2]);
  assert.match(bar().innerHTML, /1 point drawn/);
  press("brush:2");
  set([0.8, 0.2]);
  press("train");
  assert.deepEqual(told.at(-2), [
    [0.2, 0.2, 0],
    [0.8, 0.2, 1],
  ]); // classes closed up
});

test("the button that was pressed keeps the focus where it is still of use", () => {
  drawing.adopt(RECORDS, COLOURS);
  drawing.show(true);
  set([0.2, 0.2]);
  globalThis.document.activeElement = { dataset: { draw: "erase" } };
  press("erase");
  assert.equal(bar().querySelector('[data-draw="erase"]:not(:disabled)').focused, 1);
});

test("before there are regions nothing can be drawn", () => {
  drawing.show(true);
  press("copy");
  set([0.5, 0.5]);
  drawing.paint();
  assert.equal(root.dataset.drawn, undefined);
});

test("a drawing outlives other regions", () => {
  drawing.adopt(RECORDS, COLOURS);
  drawing.show(true);
  set([0.5, 0.5]);
  drawing.adopt({ ...RECORDS, header: header({ classes: Array(11).fill(header().classes[0]) }) }, COLOURS);
  drawing.paint();
  assert.equal(root.dataset.drawn, "1");
  assert.ok(!bar().innerHTML.includes("Copy shown points")); // more classes than brushes
});
