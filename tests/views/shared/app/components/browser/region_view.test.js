import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { LOOKS } from "#browser/mount.js";
import { fakeComponent, FakeElement, fakePage, PALETTE, rootOf, within, until } from "./fakes.js";
import { header, message, prefix } from "./region_message.js";

LOOKS.region_view = { markup: '<div class="rv"></div>', style: "", palette: PALETTE };
let page = fakePage();
const { default: show } = await import("#browser/region_view.js");

let place;
let component;
let end;

/** Give the page a first message with room to draw in, and let it be painted. */
async function send(head, body) {
  component = fakeComponent(await message(head, body), place);
  end = show(component);
  const root = rootOf(place);
  root.querySelector(".stage").clientWidth = 440;
  root.querySelector(".bar").append(new FakeElement());
  await until(() => page.frames.length > 0);
  page.painted();
}

beforeEach(async () => {
  page = fakePage();
  place = new FakeElement();
  await send();
});

function at(selector) {
  return rootOf(place).querySelector(selector);
}

function act(name) {
  rootOf(place).happen("click", { target: within(["[data-act]"], { act: name }) });
  page.painted();
}

function press(key) {
  const event = at(".over").happen("keydown", { key });
  page.painted();
  return event;
}

function image() {
  return at(".base").getContext().named("putImageData").at(-1).args[0].data.join(",");
}

function rings() {
  return at(".over").getContext().named("arc").length;
}

test("a message is painted: regions, points, axes and the picked point", () => {
  const drawn = at(".base").getContext();
  assert.equal(drawn.named("putImageData").length, 1);
  assert.equal(drawn.named("drawImage").length, 5);
  assert.ok(drawn.named("fillText").some(({ args }) => args[0] === "height"));
  assert.equal(rings(), 1);
  assert.equal(at(".over").getAttribute("aria-label"), "Regions of three classes");
  assert.equal(rootOf(place).dataset.view, "0,4,0,4");
  assert.ok(rootOf(place).dataset.paintMs);
});

test("a decoder that is chosen is shown at once, and Python is told", () => {
  const before = image();
  press("2");
  assert.notEqual(image(), before);
  assert.deepEqual(component.told, [["state", "decoder", "linear"]]);
  act("decoder:1");
  assert.equal(component.told.length, 1);
});

test("differences, shading and a bit alone change the picture and nothing else", () => {
  const seen = new Set([image()]);
  act("differences");
  seen.add(image());
  assert.match(at(".note").textContent, /disagree on 6\.3 % of the plane/);
  act("differences");
  act("shading");
  seen.add(image());
  globalThis.window.happen("ecocviz-column", { detail: { bit: 1 } });
  page.wait(90);
  page.painted();
  seen.add(image());
  assert.match(at(".note").textContent, /^Bit 2 alone/);
  assert.equal(seen.size, 4);
  assert.deepEqual(component.told, []);
});

test("the plane can be zoomed, and is whole again", () => {
  act("in");
  assert.ok(rootOf(place).classList.contains("zoomed"));
  assert.equal(at(".over").style.touchAction, "none");
  press("-");
  press("+");
  press("0");
  assert.equal(rootOf(place).dataset.view, "0,4,0,4");
  assert.equal(at(".over").style.touchAction, "pan-y");
});

test("a click and the arrows pick, and say so", () => {
  at(".over").happen("pointerdown", { clientX: 340, clientY: 300 });
  at(".over").happen("pointerup", { clientX: 340, clientY: 300 });
  assert.equal(rings(), 2);
  page.wait(40);
  assert.deepEqual(component.told, [["state", "pick", { place: [3, 1], n: 1 }]]);
  assert.equal(press("ArrowDown").prevented, true);
  page.wait(40);
  assert.deepEqual(component.told[1], ["state", "pick", { point: 12, n: 2 }]);
});

test("a tip stands beside the pointer, while that is over the plot", () => {
  at(".over").happen("pointermove", { clientX: 190, clientY: 350 });
  assert.match(at(".tip").innerHTML, /point 11, test, wrong/);
  assert.equal(at(".tip").hidden, false);
  at(".over").happen("pointermove", { clientX: 20, clientY: 350 });
  assert.equal(at(".tip").hidden, true);
});

test("bits are asked for and played when they come", async () => {
  press(" ");
  assert.deepEqual(component.told, [["trigger", "frames", "hamming"]]);
  assert.equal(at(".note").textContent, "Decoding with 1, 2, 3 \u2026 bits");
  const whole = image();
  const few = prefix();
  await send(few.header, few.blocks);
  assert.notEqual(image(), whole);
  assert.match(at(".player").querySelector(".played").textContent, /^2 of 4 bits: .* \(3 of 5\)$/);
  page.wait(650);
  page.painted();
  assert.equal(image(), whole);
  act("done");
  assert.equal(at(".player").hidden, true);
});

test("drawing covers the regions, and what is drawn can be trained on", () => {
  act("draw");
  assert.equal(at(".sheet").hidden, false);
  assert.equal(at(".legend").style.display, "none");
  for (const [key, x] of [
    ["1", 100],
    ["2", 300],
  ]) {
    at(".sheet").happen("keydown", { key });
    for (const kind of ["pointerdown", "pointerup"]) at(".sheet").happen(kind, { clientX: x, clientY: 200 });
  }
  assert.equal(rootOf(place).dataset.drawn, "2");
  at(".drawbar").happen("click", { target: within(["[data-draw]"], { draw: "train" }) });
  assert.deepEqual(component.told, [
    [
      "trigger",
      "drawn",
      {
        points: [
          [0.15, 0.5, 0],
          [0.65, 0.5, 1],
        ],
      },
    ],
  ]);
  assert.equal(at(".sheet").hidden, true);
});

test("the theme of the page is followed without another message", async () => {
  assert.equal(rootOf(place).style["--ink"], PALETTE.light.ink);
  page.background = "#12161d";
  end = show({ ...component }); // as Streamlit does when its theme is another one
  await until(() => page.frames.length > 0);
  assert.equal(rootOf(place).style["--ink"], PALETTE.dark.ink);
});

test("a stage of another width is painted anew", () => {
  at(".stage").clientWidth = 240;
  page.observers[0].act();
  page.painted();
  assert.equal(at(".base").width, 240);
  const painted = at(".base").getContext().calls.length;
  page.observers[0].act();
  page.painted();
  assert.equal(at(".base").getContext().calls.length, painted);
});

test("at the end nothing is left that listens or runs", () => {
  globalThis.window.happen("ecocviz-column", { detail: { bit: 1 } });
  end();
  assert.deepEqual(page.observers, []);
  assert.deepEqual(globalThis.window.listeners.get("ecocviz-column"), []);
  page.wait(1000);
  assert.deepEqual(page.frames, []);
});

test("keys of others are left alone, and nothing happens before there are regions", () => {
  assert.equal(press("Tab").prevented, false);
  place = new FakeElement();
  component = fakeComponent(null, place);
  show(component);
  assert.equal(press("+").prevented, false);
  act("in");
  assert.deepEqual(page.frames, []);
});

test("a key does nothing where its button is not there", async () => {
  const { decoders } = header();
  place = new FakeElement();
  await send({ decoders: decoders.slice(0, 1), canPlay: false });
  const before = image();
  press("d");
  press(" ");
  press("2");
  assert.equal(image(), before);
  assert.equal(at(".note").textContent, "");
  assert.deepEqual(component.told, []);
});
